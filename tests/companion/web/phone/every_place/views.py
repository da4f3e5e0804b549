"""The states that the page can be in, by name: each is brought about on a page that was just opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from playwright.sync_api import Route, expect

from companion.games.locomotion.artwork.editor import called, editor_drawing, tools
from companion.games.locomotion.artwork.lying import drawing as network_drawing
from companion.games.locomotion.artwork.lying import watched
from companion.games.locomotion.artwork.rails import CELL_MM
from companion.games.locomotion.networks.named import named_networks
from companion.games.locomotion.rules import DrawLots, Game, Mode, set_up
from companion.games.locomotion.wording import Wording
from companion.screen.screen import Screen
from tests.companion.web.browsers import wait_until
from tests.companion.web.phone.every_place.showcase import FOUR, Shown

_ASKED: Final = {"value": 3, "kind": "track", "ports": [["S", 0.0], ["N", 8.0]]}
_TAUGHT: Final = [
    {"number": 1, "value": 1, "kind": "track", "ports": [["S", 0.0], ["N", 0.0]]},
    {"number": 2, "value": 4, "kind": "broken", "ports": [["S", 0.0], ["W", 0.0]]},
    {"number": 3, "value": 2, "kind": "chaos", "ports": []},
]


def teaching(step: str, question: int | None = None, **more: object) -> dict[str, object]:
    """How it stands while cards are taught: the one that is asked about is told with the number of the ``question``."""
    asked = {} if question is None else {"asked": _ASKED | {"question": question}}
    return {"room": "teaching", "card_mm": [63, 88], "cards": _TAUGHT, "step": step, **asked, **more}


class View(NamedTuple):
    """A state of the page: where, how it comes about, and whether the phone is in."""

    place: str
    bring: Callable[[Shown], None]
    is_inside: bool = True

    def show(self, shown: Shown) -> None:
        """Brings it about."""
        shown.go(self.place)
        self.bring(shown)


def _draws(shown: Shown) -> dict[str, object]:
    """A game that draws itself what lies there; what it says of that."""
    network = named_networks()["old-town"].network()
    dots = network.dots[::13]
    game = Game(
        set_up(network, ["Ann", "Ben"], dots[:2], [dots[2:4], dots[4:6], dots[6:8], dots[8:10]], mode=Mode.SPEED)
    )
    game.do(DrawLots((2, 1), (3, 1, 4, 2)))
    say = Wording("de")

    def drawn(route: Route) -> None:
        name = route.request.url.split("/")[-1].removesuffix(".svg")
        drawing = editor_drawing(network.piece, name) or network_drawing(network, name)
        route.fulfill(body=drawing, content_type="image/svg+xml")

    shown.page.route("**/phone/drawings/*", drawn)
    shown.answers("called/", **called(network.piece, say))
    about = {"room": "game", "game": "locomotion", "kind": "speed", "players": ["Ann", "Ben"]}
    return {**about, "active": 1, "left": 4, "speeds": [3, 6], **watched(game.state)}


def _network(shown: Shown) -> None:
    shown.tell("facts", _draws(shown))
    shown.tell("present", {"moment": "1", "forbidden": "", "cards": [], "tools": [], "cell_mm": 0})
    shown.page.wait_for_selector("#wanted:visible")
    shown.page.wait_for_selector("#railway[aria-label*='Wagen']")


def _editing(shown: Shown) -> None:
    network = named_networks()["old-town"].network()
    shown.tell("facts", _draws(shown))
    names = tools(network.piece, 4, 4)
    shown.tell("present", {"moment": "", "forbidden": "", "cards": [], "tools": names, "cell_mm": CELL_MM})
    shown.page.wait_for_selector("#tools button[aria-label*='Wagen']")


def _first(shown: Shown, kind: str) -> Screen:
    return next(screen for name, screen in shown.showcase.screens.items() if name.startswith(kind))


def _nothing(_: Shown) -> None:
    """The place is seen as it is."""


def _watch(shown: Shown) -> None:
    shown.page.wait_for_selector("#railway [data-card]")


def _watch_all(shown: Shown) -> None:
    shown.see()
    shown.open_all()
    shown.page.wait_for_selector("#view[src]:visible")
    wait_until(lambda: shown.page.evaluate("document.getElementById('code').naturalWidth"))


def _correct(shown: Shown) -> None:
    shown.page.locator("#railway [data-card='0']").press("Enter")
    shown.page.wait_for_selector("#correct[open]")
    wait_until(lambda: shown.page.evaluate("document.querySelector('#faces img').naturalWidth"))


def _door(shown: Shown) -> None:
    shown.answers("knock", knock="x" * 22)
    shown.answers("digits", answer="digits")
    shown.answers("withdraw", answer="gone")
    shown.tell_screen(Screen())
    shown.page.click("#come-in")
    shown.page.wait_for_selector("#digits:focus")


def _door_wrong(shown: Shown) -> None:
    _door(shown)
    shown.page.fill("#digits", "12")
    shown.page.click("#door-send")


def _door_people(shown: Shown) -> None:
    _door(shown)
    shown.answers("digits", answer="people")
    shown.page.fill("#digits", "804172")
    shown.page.click("#door-send")
    shown.page.wait_for_selector("#door-send", state="hidden")


def _asked(shown: Shown) -> None:
    shown.see()
    shown.tell_screen(shown.showcase.screens["teaching-offered"])
    shown.tell("facts", teaching("offered", 3))
    shown.page.wait_for_selector("#asked:visible")


def _waiting(shown: Shown) -> None:
    shown.see()
    shown.tell_screen(shown.showcase.screens["teaching-was-taught"])
    shown.tell("facts", teaching("waiting"))
    shown.page.wait_for_selector("#send-photograph:visible")


def _twins(shown: Shown) -> None:
    shown.see()
    shown.tell_screen(shown.showcase.screens["teaching-twin-0"])
    shown.tell("facts", teaching("twin", 3, other=1))
    shown.page.wait_for_selector("#pair figure")


def _aiming(shown: Shown) -> None:
    shown.see()
    shown.answers("aim.json", sharpness={"percent": 72, "best_known": True})
    shown.tell_screen(_first(shown, "aiming-"))
    shown.tell("facts", {"room": "aiming"})
    shown.page.wait_for_selector("#aim-view[src]:visible")
    shown.page.wait_for_selector("#aim-meter:visible")


def _lobby(shown: Shown) -> None:
    shown.tell_screen(_first(shown, "lobby-"))
    shown.tell("facts", {"room": "lobby"})
    shown.tell("present", None)
    shown.page.wait_for_selector("#no-railway", state="attached")


def _evenings(shown: Shown) -> None:
    shown.page.wait_for_selector("#games a")
    shown.page.wait_for_selector("#dice-part:visible")


def _evenings_all(shown: Shown) -> None:
    _evenings(shown)
    shown.open_all()
    shown.page.wait_for_selector("#all-dice .bar")
    shown.open_all()


def _game(shown: Shown) -> None:
    shown.page.wait_for_selector("#game-dice .bar")
    shown.page.focus("#moment")
    shown.page.keyboard.press("End")
    shown.page.wait_for_selector("#replay-railway image[href^='blob:']")


def _rules(shown: Shown) -> None:
    shown.page.wait_for_selector("#chapters dt")


def _forbidden(shown: Shown) -> None:
    _rules(shown)
    clause = shown.page.locator("#chapters dt").nth(12).inner_text()
    shown.tell("present", {"moment": "1", "forbidden": clause, "cards": []})
    expect(shown.page.locator("#forbidden")).to_contain_text(clause)


def _no_rule(shown: Shown) -> None:
    _rules(shown)
    shown.page.fill("#rules-search", "xyzzy")


def _care(shown: Shown) -> None:
    shown.page.wait_for_selector("#care-phones-list li")


def _care_all(shown: Shown) -> None:
    _care(shown)
    shown.open_all()
    shown.page.wait_for_selector("#care-options button")
    shown.page.wait_for_selector("#care-save:visible, #care-nothing:visible")
    expect(shown.page.locator("#care-log-lines")).not_to_have_value("")


def _care_sure(shown: Shown) -> None:
    _care(shown)
    shown.page.locator("#care-phones-list button").first.click()
    shown.page.wait_for_selector("#care-sure[open]")


def _care_findings(shown: Shown) -> None:
    shown.page.locator("#care-devices > summary").click()
    shown.page.locator("#care-examine").click()
    shown.page.wait_for_selector("#care-findings li")


VIEWS: Final = {
    "watch": View("watch", _watch),
    "watch-outside": View("watch", _watch, is_inside=False),
    "watch-all": View("watch", _watch_all),
    "watch-lobby": View("watch", _lobby),
    "correct": View("watch", _correct),
    "network": View("watch", _network),
    "network-outside": View("watch", _network, is_inside=False),
    "editing": View("watch", _editing),
    "door": View("watch", _door, is_inside=False),
    "door-wrong": View("watch", _door_wrong, is_inside=False),
    "door-people": View("watch", _door_people, is_inside=False),
    "teach": View("teach", _nothing),
    "teach-outside": View("teach", _nothing, is_inside=False),
    "teach-lobby": View("teach", _lobby),
    "teach-asked": View("teach", _asked),
    "teach-waiting": View("teach", _waiting),
    "teach-twins": View("teach", _twins),
    "aim-outside": View("aim", _nothing, is_inside=False),
    "aim-lobby": View("aim", _lobby),
    "aim-live": View("aim", _aiming),
    "evenings": View("evenings", _evenings),
    "evenings-all": View("evenings", _evenings_all),
    "game": View(f"evenings/{FOUR}", _game),
    "rules": View("rules", _rules),
    "rules-forbidden": View("rules", _forbidden),
    "rules-none": View("rules", _no_rule),
    "care-outside": View("care", _nothing, is_inside=False),
    "care": View("care", _care),
    "care-all": View("care", _care_all),
    "care-findings": View("care", _care_findings),
    "care-sure": View("care", _care_sure),
}
"""Each with where it is and how it comes about."""
