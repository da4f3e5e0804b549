"""A companion whose page can be shown in each of its states: a railway, past games, a phone that is in."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import msgspec
from playwright.sync_api import Page, WebSocketRoute

from companion.device.gallery import all_screens
from companion.games.evenings.evenings import Evenings
from companion.games.loknroll.record.solo_scores import keep_score_of, solo_scores_in
from companion.games.loknroll.rules import Mode
from companion.games.registry import games
from companion.screen.screen import Screen
from companion.web.phone.door import COOKIE
from companion.web.phone.keys import Keys
from companion.web.phone.views import packed
from tests.companion.every_screen import EveryScreen
from tests.companion.games.evenings.test_evenings import EVENING, WHOLE, record_of
from tests.companion.games.test_recorded_games import RECORDS
from tests.companion.web.browsers import Chromium, ServedTable, unplugged

FOUR: Final = "0001.jsonl"
"""A game of four that was played before."""
_FAR: Final = 90
_SEEN: Final = RECORDS.parents[3] / "docs/pictures/seen.jpg"


def _every_screen(language: str) -> list[tuple[str, Screen]]:
    return all_screens(language, games())


class Showcase:
    """The table, served; a context manager. ``language`` is that of its screen."""

    def __init__(self, folder: Path, language: str = "en", every_screen: EveryScreen = _every_screen) -> None:
        self.folder = folder
        self._every_screen = every_screen
        shutil.copy(RECORDS / "loknroll/played/online-2-drawing.jsonl", folder / "game.jsonl")
        evenings = Evenings(folder, games())
        evenings.take_in((RECORDS / "loknroll/played/loose_caboose-4-finished.jsonl").read_bytes())
        name = evenings.take_in(record_of(folder, WHOLE[Mode.SOLO], id="solo", **EVENING))
        keep_score_of(folder / "games" / name, solo_scores_in(folder), set())
        while evenings.learn():
            pass
        self.key = Keys(folder / "phones.json").make("iPhone Safari")
        self.served = ServedTable(folder, None, language=language)

    @cached_property
    def screens(self) -> dict[str, Screen]:
        """What can be seen on the companion's screen, as the gallery calls it."""
        return dict(self._every_screen(self.served.device.kept.settings.language))

    def __enter__(self) -> Showcase:
        unplugged(self.served.__enter__())
        return self

    def __exit__(self, *_: object) -> None:
        self.served.close()

    @contextmanager
    def shown(
        self, chromium: Chromium, size: tuple[int, int], *, is_inside: bool = True, **more: Any
    ) -> Iterator[Shown]:
        """The page in a browser of its own, ready; nothing that it complains about is forgiven."""
        context = chromium.browser.new_context(
            viewport={"width": size[0], "height": size[1]}, **{"locale": "en", **more}
        )
        if is_inside:
            context.add_cookies([{"name": COOKIE, "value": self.key, "url": self.served.address}])
        page, complaints = context.new_page(), []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        shown = Shown(self, page)
        page.goto(f"{self.served.address}phone")
        page.wait_for_selector("body.ready:not(.lost)")
        page.wait_for_selector("#spoken:not(:empty)", state="attached")
        yield shown
        context.close()
        assert complaints == []


class Shown:
    """The page in a browser, and the companion's end of its line: what is told there comes beside what is so."""

    def __init__(self, showcase: Showcase, page: Page) -> None:
        self.showcase, self.page = showcase, page
        self.said: list[str] = []
        """What the page has sent."""
        self._line: WebSocketRoute | None = None
        page.route_web_socket("**/phone/line*", self._open)

    def _open(self, line: WebSocketRoute) -> None:
        self._line, companion = line, line.connect_to_server()

        def hear(text: str | bytes) -> None:
            self.said.append(str(text))
            companion.send(text)

        line.on_message(hear)

    def tell(self, topic: str, told: object) -> None:
        """A topic's news."""
        assert self._line is not None
        self._line.send(msgspec.json.encode({"type": topic, topic: told}).decode())

    def tell_you(self, *, is_inside: bool) -> None:
        """Whether this phone is in."""
        assert self._line is not None
        self._line.send(msgspec.json.encode({"type": "you", "inside": is_inside}).decode())

    def tell_screen(self, screen: Screen) -> None:
        """What stands on the companion's screen."""
        self.tell("screen", {name: getattr(screen, name) for name in screen.__struct_fields__})

    def go(self, place: str) -> None:
        """To a place of the page, as its address says it."""
        self.page.evaluate("place => { location.hash = place; }", place)
        self.page.wait_for_selector(f"#place-{place.split('/', maxsplit=1)[0]}:visible")

    def see(self) -> None:
        """The camera sees a table; the card that is taught is one of the deck."""
        self.page.route("**/phone/camera.jpg", lambda route: route.fulfill(path=_SEEN))
        pictures = self.showcase.served.device.session.pictures_on_the_table()
        assert pictures is not None
        card = packed(next(iter(pictures.faces.values())), ".webp")
        self.page.route("**/phone/cards/*", lambda route: route.fulfill(body=card, content_type="image/webp"))

    def answers(self, path: str, **told: object) -> None:
        """From now on this is what the companion answers there."""
        self.page.route(f"**/phone/{path}*", lambda route: route.fulfill(json=told))

    def open_all(self) -> None:
        """All that is folded on the place that is seen."""
        self.page.evaluate(
            "for (const part of document.querySelectorAll('section:not([hidden]) details')) part.open = true"
        )


def tab_to(page: Page, wanted: str) -> None:
    """Goes there with the keyboard, wherever it is now."""
    for _ in range(_FAR):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
            return
    raise AssertionError(wanted)
