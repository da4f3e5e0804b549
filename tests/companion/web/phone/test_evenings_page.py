"""Past games in a real browser: the list and the replay, with fingers, with keys alone, at every size."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from companion.commands.shared.virtual_table import without_pins
from companion.device.virtual_device import VirtualDevice
from companion.games.evenings.evenings import Evenings
from companion.games.loknroll.record.solo_scores import keep_score_of, solo_scores_in
from companion.games.loknroll.rules import Mode
from companion.games.registry import games
from companion.web.connections import make_server
from companion.web.phone.door import COOKIE
from companion.web.phone.keys import Keys
from companion.web.phone.news import SessionNews
from companion.web.phone.served import make_app
from tests.companion.games.evenings.test_evenings import EVENING, WHOLE, record_of
from tests.companion.games.test_recorded_games import RECORDS
from tests.companion.web.browsers import Chromium, wait_until

FOUR = "0001.jsonl"
SIZES = [(360, 740), (820, 1180), (1440, 900)]


class Served:
    """The page of a companion with two past games, at a free port."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.evenings = Evenings(folder, games())
        self.evenings.take_in((RECORDS / "loknroll/played/loose_caboose-4-finished.jsonl").read_bytes())
        name = self.evenings.take_in(record_of(folder, WHOLE[Mode.SOLO], id="solo", **EVENING))
        keep_score_of(folder / "games" / name, solo_scores_in(folder), set())
        self.key = Keys(folder / "phones.json").make("Phone")
        listening = socket.create_server(("127.0.0.1", 0))
        port = listening.getsockname()[1]
        device = VirtualDevice(without_pins(), folder, games())
        session = device.session
        self.address = f"http://127.0.0.1:{port}"
        self.server = make_server(make_app(session, SessionNews(session), device.visitors, folder, port))
        self.thread = threading.Thread(target=self.server.run, args=([listening],), daemon=True)

    @contextmanager
    def page(
        self, chromium: Chromium, place: str, size: tuple[int, int] = SIZES[0], *, is_inside: bool = False, **more: Any
    ) -> Iterator[Page]:
        """A place of the page; nothing in it may go wrong, and nothing may stand out of its width."""
        context = chromium.browser.new_context(
            viewport={"width": size[0], "height": size[1]}, **{"locale": "en", **more}
        )
        if is_inside:
            context.add_cookies([{"name": COOKIE, "value": self.key, "url": self.address}])
        page, wrong = context.new_page(), []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.goto(f"{self.address}/phone#{place}")
        page.wait_for_selector("body.ready")
        yield page
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        context.close()
        # What a browser itself says of a game that is refused.
        assert not [each for each in wrong if " 422 " not in each]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("evenings"))
    served.thread.start()
    yield served
    served.server.should_exit = True
    served.thread.join(10)


def cards(page: Page) -> int:
    return page.locator("#replay-railway [data-card]").count()


def told(page: Page) -> str:
    return page.locator("#moment").get_attribute("aria-valuetext") or ""


@pytest.mark.further
@pytest.mark.parametrize("size", SIZES)
def test_a_game_is_chosen_and_replayed_with_a_finger(served: Served, chromium: Chromium, size: tuple[int, int]) -> None:
    with served.page(chromium, "evenings", size, has_touch=True) as page:
        page.wait_for_selector("#games a")
        first, *_, last = page.locator("#games a").all_inner_texts()
        assert "Bären · Round 2 · Table 7" in first
        assert "Zoë 18" in last
        page.tap(f'[href="#evenings/{FOUR}"]')
        expect(page.locator("#game-title")).to_have_text("Zoë, Ben, Cleo, Dan")
        page.tap("#speeds label:last-child")
        page.tap("#play")
        wait_until(lambda: cards(page) > 2)
        page.tap("#play")
        # The cards are those of the record's own deck.
        wait_until(lambda: page.locator('#replay-railway [data-card] image[href^="blob:"]').count() >= cards(page))
        wait_until(lambda: page.locator('[data-figure=Emma] image[href^="blob:"]').count() == 1)
        shown = page.locator("#picture-end")
        shown.scroll_into_view_if_needed()
        wait_until(lambda: shown.evaluate("image => image.naturalWidth") > 100)
        page.go_back()
        expect(page.locator("#games")).to_be_visible()


def test_a_game_is_chosen_and_replayed_with_keys_alone(served: Served, chromium: Chromium) -> None:
    with served.page(chromium, "evenings") as page:
        page.wait_for_selector("#games a")

        def go_to(wanted: str) -> None:
            for _ in range(40):
                page.keyboard.press("Tab")
                if page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
                    return
            raise AssertionError(wanted)

        go_to(f'[href="#evenings/{FOUR}"]')
        page.keyboard.press("Enter")
        page.wait_for_selector("#moment")
        expect(page.locator("#game-title")).to_be_focused()
        go_to("#moment")
        page.keyboard.press("End")
        assert "Result" in told(page)
        page.keyboard.press("ArrowLeft")
        assert told(page).startswith("95 of 96")
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        assert told(page).startswith("2 of 96")
        assert cards(page) == 1
        go_to("[name=speed]")
        page.keyboard.press("ArrowLeft")
        assert page.locator("[name=speed]:checked").get_attribute("value") == "16"
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Space")
        expect(page.locator("#play")).to_have_text("Pause")
        wait_until(lambda: not told(page).startswith("2 of"))


@pytest.mark.further
def test_the_clock_runs_as_the_record_says(served: Served, chromium: Chromium) -> None:
    solo = next(listed.name for listed in served.evenings.listed() if listed.summary.seconds)
    with served.page(chromium, f"evenings/{solo}") as page:
        page.wait_for_selector("#moment")
        page.focus("#moment")
        for _ in range(5):
            page.keyboard.press("ArrowRight")
        # A line each 2.5 s, the first of them at once.
        expect(page.locator("#clock")).to_have_text("0:10")


def test_a_day_is_told_as_people_of_the_language_write_it(served: Served, chromium: Chromium) -> None:
    with served.page(chromium, "evenings") as page:
        for language, day in (("en", "28 Nov 2026"), ("de", "28.11.2026"), ("es", "28 nov 2026")):
            page.select_option("#language", language)
            expect(page.locator("#games")).to_contain_text(day)


@pytest.mark.further
def test_in_another_language_a_replay_goes_on_and_elsewhere_it_stops(served: Served, chromium: Chromium) -> None:
    with served.page(chromium, f"evenings/{FOUR}") as page:
        page.wait_for_selector("#moment")
        page.focus("#moment")
        page.keyboard.press("End")
        page.select_option("#language", "de")
        wait_until(lambda: told(page).startswith("96 von 96: Wertung"))
        page.click("#play")
        page.click("[href='#rules']")
        page.click("[href='#evenings']")
        page.click(f'[href="#evenings/{FOUR}"]')
        page.wait_for_selector("#moment")
        assert told(page).startswith("1 von 96")


def test_games_are_learnt_while_somebody_looks_and_brought_once(served: Served, chromium: Chromium) -> None:
    record = RECORDS / "loknroll/played/spanish-3-acting.jsonl"
    unknown = served.folder / "games/0040.jsonl"
    unknown.write_bytes((RECORDS / "loknroll/played/spanish-4-building.jsonl").read_bytes())
    with served.page(chromium, "evenings", SIZES[2], is_inside=True) as page:
        page.wait_for_selector("#games a")
        expect(page.locator('[href="#evenings/0040.jsonl"]')).to_contain_text("Zoë · Ben · Cleo · Dan")
        expect(page.locator("#games-count")).not_to_contain_text("looked at")
        before = page.locator("#games a").count()
        page.set_input_files("#game-file", record)
        expect(page.locator("#taken-in")).to_have_text("The game has been added.")
        wait_until(lambda: page.locator("#games a").count() == before + 1)
        page.set_input_files("#game-file", record)
        expect(page.locator("#taken-in")).to_have_text("This game is here already.")


def test_a_network_with_its_trains_is_replayed(served: Served, chromium: Chromium) -> None:
    name = served.evenings.take_in((RECORDS / "locomotion/two-die-finished.jsonl").read_bytes())
    with served.page(chromium, f"evenings/{name}") as page:
        page.wait_for_selector("#moment")

        def stands() -> list[str]:
            return page.locator("[data-figure^=locomotive]").evaluate_all("all => all.map(one => one.outerHTML)")

        # The network and all that stands on it, each as large as it is on the table.
        drawn = "image => [image.width.baseVal.value, image.href.baseVal.slice(0, 5)]"
        wait_until(lambda: page.locator("[data-figure=wagon-1] image").first.evaluate(drawn) == [18, "blob:"])
        wait_until(lambda: page.locator("[data-card] image").evaluate(drawn)[1] == "blob:")
        at_first, couplings = stands(), page.locator("[data-figure=coupling]")
        assert couplings.count() == 0
        page.focus("#moment")
        page.keyboard.press("End")
        assert stands() != at_first
        assert couplings.count() > 0
        assert "Ann" in told(page)


@pytest.mark.parametrize(
    ("look", "language", "size"),
    [("dark", "de", SIZES[0]), ("light", "en", SIZES[2])],
)
@pytest.mark.further
def test_axe_finds_nothing_serious(
    served: Served, chromium: Chromium, look: str, language: str, size: tuple[int, int]
) -> None:
    found = []
    for place in ("evenings", f"evenings/{FOUR}"):
        more = {"locale": language, "color_scheme": look, "bypass_csp": True}
        with served.page(chromium, place, size, **more) as page:
            page.wait_for_selector("#games a" if place == "evenings" else "#game-dice .bar")
            for closed in page.locator("section:not([hidden]) details:not([open]) > summary").all():
                if closed.is_visible():
                    closed.click()
            found += Axe().run(page).response["violations"]
    serious = [each for each in found if each["impact"] in {"serious", "critical"}]
    assert not serious, json.dumps([(each["id"], each["nodes"][0]["html"]) for each in serious], indent=1)


@pytest.mark.further
@pytest.mark.parametrize("place", ["evenings", f"evenings/{FOUR}"])
def test_twice_as_large_all_of_it_is_still_within_reach(served: Served, chromium: Chromium, place: str) -> None:
    with served.page(chromium, place, (SIZES[0][0] // 2, SIZES[0][1] // 2), locale="de") as page:
        page.wait_for_selector("#games a" if place == "evenings" else "#game-dice .bar")
        for part in page.locator("#place-evenings :is(a, button, input, label, td)").all():
            box = part.bounding_box()
            assert box is None or (box["x"] >= 0 and box["x"] + box["width"] <= SIZES[0][0] // 2)
