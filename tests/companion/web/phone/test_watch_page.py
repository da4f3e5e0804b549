"""The place where people watch: lists of the screen under a finger or keys, the last roll, and odds of the next one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import APIResponse, BrowserContext, Page, expect

from companion.games.drawing.svg import document, rectangle
from companion.screen.screen import MapFigure, NetworkMap, Screen
from companion.web.phone.door import COOKIE
from tests.companion.web.browsers import Chromium, wait_until
from tests.companion.web.phone.home import ServedHome
from tests.companion.web.phone.phones import PHONE, Line
from vision.cards import Deck

ROLL = {"player": 1, "dice": [1, 0, 1], "moved": 1, "missing": 1, "taken": ["track-2-left"]}
OUTCOMES = [
    {"wheels": 0, "chance": 0.0004, "missing": 0, "cards": 0, "points": 0, "pile_change": 0},
    {"wheels": 1, "chance": 0.9996, "missing": 2, "cards": 1, "points": 3, "pile_change": -1},
]
ODDS = {"dice": 2, "derailing": 0.9996, "cards": 0.9996, "points": 2.9988, "pile_change": -0.9996, "outcomes": OUTCOMES}
FACTS: dict[str, Any] = {"room": "game", "game": "loknroll", "players": ["Ann", "Ben"], "points": [3, 1]}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedHome]:
    home = ServedHome(tmp_path_factory.mktemp("home"))
    yield home
    home.close()


@pytest.fixture
def context(chromium: Chromium) -> Iterator[BrowserContext]:
    size = {"width": PHONE[0], "height": PHONE[1]}
    context = chromium.browser.new_context(viewport=size, locale="en", has_touch=True)
    yield context
    context.close()


@pytest.fixture
def inside(home: ServedHome, context: BrowserContext) -> Page:
    """A phone that may steer, at the list of games."""
    context.add_cookies([{"name": COOKIE, "value": home.key, "url": home.address}])
    page = context.new_page()
    page.goto(f"{home.address}#watch")
    page.wait_for_selector("#choices button")
    return page


def test_a_line_is_chosen_by_one_tap_and_by_keys(home: ServedHome, inside: Page) -> None:
    names = inside.locator("#choices button", has_text="Names")
    assert names.evaluate("node => node.offsetHeight") >= 40
    names.tap()
    wait_until(lambda: home.device.screen.heading == "Names")
    expect(inside.locator("#heading")).to_have_text("Names")
    # Keys: one stop for Tab, arrows among the lines, Enter; then the keyboard is at what has come.
    inside.locator("#choices [aria-current] button").focus()
    inside.keyboard.press("ArrowDown")
    inside.keyboard.press("Enter")
    wait_until(lambda: not home.device.screen.choices)
    expect(inside.locator("#buttons button").first).to_be_focused()
    for _ in range(2):
        inside.locator("[data-button=back]").press("Enter")
    wait_until(lambda: "LOK'n'ROLL" in home.device.screen.heading)


def test_who_only_watches_has_nothing_to_tap(home: ServedHome, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(f"{home.address}#watch")
    page.wait_for_selector("#choices li")
    assert page.locator("#choices button").count() == 0
    before = home.device.screen
    said = f"{{ line: 1, text: {before.choices[1]!r}, heading: `{before.heading}` }}"
    page.evaluate(f"import('/shared/link.js').then((link) => link.send('tap', {said}))")
    page.wait_for_selector("#heard:not(:empty)")
    assert home.device.screen == before


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("de", ["Letzter Wurf: Ben", "Räder: 2", "Entgleist: 1 zu viel", "entgleist: > 99,9 %", "< 0,1 %", ": -1"]),
        ("en", ["Last roll: Ben", "Wheels: 2", "Derailed: 1 too many", "derails: > 99.9%", "< 0.1%", ": -1"]),
        ("es", ["Última tirada: Ben", "Ruedas: 2", "sobran 1", "descarrila: > 99,9 %", "< 0,1 %", ": -1"]),
    ],
)
def test_the_last_roll_and_the_next_one_are_told(
    home: ServedHome, context: BrowserContext, language: str, told: list[str]
) -> None:
    page = context.new_page()
    line = Line(page)
    page.goto(f"{home.address}#watch")
    page.wait_for_selector("body.ready")
    page.locator("#language").select_option(language)
    page.wait_for_selector(f"html[lang={language}]")
    line.tell("you", inside=False)
    line.tell("facts", facts={**FACTS, "roll": ROLL, "odds": ODDS})
    page.locator("#odds summary").click()
    said = f"{page.locator('#roll').inner_text()} {page.locator('#odds').inner_text()}".replace("\xa0", " ")
    assert [each for each in told if each not in said] == []
    assert page.locator("#odds-outcomes tbody tr.derails").count() == 1
    line.tell("facts", facts={**FACTS, "roll": None, "odds": None})
    expect(page.locator("#roll")).to_be_hidden()
    expect(page.locator("#odds")).to_be_hidden()


class Dots:
    """A game that draws itself what lies and stands there."""

    game, kind = "dots", "alone"
    deck = property(lambda _: Deck("dots", ()))

    def drawing(self, name: str) -> str:
        known = {"net": (60, 40), "red-engine": (18, 12), "car": (18, 12)}
        return document(*known[name], rectangle(0, 0, *known[name], "#d55e00")) if name in known else ""

    def called(self, language: str) -> dict[str, str]:
        return {"red-engine": f"red engine ({language})", "car": f"car ({language})"}


DOTS: dict[str, Any] = {
    "room": "game",
    "game": "dots",
    "kind": "alone",
    "players": ["Ann", "Ben"],
    "active": 1,
    "left": 4,
    "speeds": [3, None],
    "cards": [{"face": "net", "size": [60, 40], "x": 30, "y": 20, "turn": 0}],
    "figures": [{"name": "red-engine", "size": [18, 12], "x": 10, "y": 10, "turn": 90}],
    "rows": [["red-engine", "car"], []],
    "wanted": ["car"],
}


@pytest.fixture
def dots(home: ServedHome) -> Iterator[None]:
    home.device.session.play = Dots()  # type: ignore[assignment]  # all of it that pictures are asked of
    yield
    home.device.session.play = None


TRAINS = {
    "de": ["Zug", "Geschwindigkeit", "Schritte übrig: 4"],
    "en": ["Train", "Speed", "left: 4"],
    "es": ["Tren", "Velocidad", "quedan: 4"],
}


@pytest.mark.further
@pytest.mark.parametrize("language", TRAINS)
def test_a_game_that_draws_itself_is_shown_with_its_trains(
    home: ServedHome, context: BrowserContext, dots: None, language: str
) -> None:
    page = context.new_page()
    line, wrong = Line(page), []
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.goto(f"{home.address}#watch")
    page.wait_for_selector("body.ready")
    page.locator("#language").select_option(language)
    line.tell("you", inside=True)
    line.show(Screen("Ben", "4 of 6", keys=("roll", "", "", "", "back")))
    line.tell("facts", facts=DOTS)
    line.tell("present", present={"moment": "1", "forbidden": "", "cards": []})
    # Nothing of it can be another card; screen readers hear what stands there.
    railway = page.locator("#railway")
    expect(railway).to_have_role("img")
    expect(railway).to_have_accessible_name(re.compile(re.escape(f"red engine ({language})")))
    expect(page.get_by_role("img", name=f"red engine ({language}), car ({language})")).to_be_visible()
    said = page.locator("#players").inner_text() + page.locator("#left").inner_text()
    assert [each for each in TRAINS[language] if each not in said] == []
    sizes = page.locator("#railway image").evaluate_all("all => all.map((node) => node.getAttribute('width'))")
    assert sizes == ["60", "18"]
    page.evaluate("Promise.all([...document.querySelectorAll('.figures img')].map((image) => image.decode()))")
    assert page.locator("#railway .card").count() == 0
    assert wrong == []
    if language == "de":
        assert Axe().run(page).response["violations"] == []


@pytest.mark.further
def test_what_the_small_map_points_out_is_pointed_out_on_the_table(
    home: ServedHome, context: BrowserContext, dots: None
) -> None:
    page = context.new_page()
    line = Line(page)
    page.goto(f"{home.address}#watch")
    page.wait_for_selector("body.ready")
    line.tell("facts", facts=DOTS)
    line.tell("present", present={"moment": "1", "forbidden": "", "cards": [], "tools": [], "cell_mm": 20})
    places = tuple((float(x), 0.0) for x in range(3))
    shown = NetworkMap(places, (), (MapFigure(0, "1", leads=True),), moved=(0,), way=(0, 1, 2), marked=(1,))
    line.tell("screen", screen=msgspec.to_builtins(Screen("Ben", "4 steps", map=shown)))
    page.wait_for_selector("#railway polyline.way", state="attached")
    assert page.locator("#railway polyline.way").get_attribute("points") == "10 10 30 10 50 10"
    rings = page.locator("#railway .ring").evaluate_all("all => all.map((ring) => ring.getAttribute('cx'))")
    assert rings == ["30", "10"]
    # It stays where the table is drawn anew, and goes with the map.
    line.tell("facts", facts={**DOTS, "left": 2})
    expect(page.locator("#left")).to_contain_text("2")
    expect(page.locator("#railway .ring")).to_have_count(2)
    line.show(Screen("Ben", "4 steps"))
    expect(page.locator("#railway .pointed")).to_have_count(0)
    # A screen with nothing but the map is not a secret one.
    line.tell("screen", screen=msgspec.to_builtins(Screen(map=shown)))
    expect(page.locator("#lines")).to_have_text("The small screen shows a map of the table.")


TOOLS: dict[str, Any] = {"moment": "", "forbidden": "", "cards": [], "tools": ["net", "car"], "cell_mm": 20}


@pytest.fixture
def editor(home: ServedHome, context: BrowserContext, dots: None) -> tuple[Page, Line]:
    """A phone that may put right what lies there: a network of three by two cells."""
    page = context.new_page()
    line = Line(page)
    page.goto(f"{home.address}#watch")
    page.wait_for_selector("body.ready")
    line.tell("you", inside=True)
    line.show(Screen("Set-up", "4 of 6", keys=("roll", "", "", "", "")))
    line.tell("facts", facts={**DOTS, "wanted": []})
    line.tell("present", present=TOOLS)
    page.wait_for_selector("#tools button")
    return page, line


def at(page: Page, column: float, row: float) -> tuple[float, float]:
    """Where a place of the table is on the page, in cells."""
    found = page.evaluate(
        "([x, y]) => { const svg = document.getElementById('railway');"
        " const point = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM()); return [point.x, point.y]; }",
        [20 * column, 20 * row],
    )
    return found[0], found[1]


def touches(page: Page, line: Line, count: int) -> list[dict[str, Any]]:
    """What the page has said of touches, once there are so many."""
    for _ in range(200):
        if len(line.heard("touch")) >= count:
            break
        page.wait_for_timeout(20)
    return line.heard("touch")


def cells(touched: dict[str, Any]) -> list[int]:
    return [int(touched[name] // 20) for name in ("x", "y", "to_x", "to_y")]


def test_a_finger_and_keys_put_right_what_lies_there(editor: tuple[Page, Line]) -> None:
    page, line = editor
    page.mouse.move(*at(page, 0.5, 1.5))
    page.mouse.down()
    page.mouse.move(*at(page, 2.6, 1.4), steps=3)
    page.mouse.up()
    page.get_by_role("button", name="car (en)").click()
    page.touchscreen.tap(*at(page, -1.5, 0.5))
    swiped, tapped = touches(page, line, 2)
    assert (swiped["tool"], cells(swiped)) == ("net", [0, 1, 2, 1])
    assert (tapped["tool"], cells(tapped)) == ("car", [-2, 0, -2, 0])
    page.locator("#railway").focus()
    for key in ("ArrowRight", "ArrowRight", "Enter", "Shift+ArrowDown"):
        page.keyboard.press(key)
    assert [cells(touched) for touched in touches(page, line, 4)[2:]] == [[0, 0, 0, 0], [0, 0, 0, 1]]
    # Who moves over the table by keys hears what is there.
    expect(page.locator("#heard")).to_have_text("(0, 0): red engine (en)")


@pytest.mark.further
def test_the_editor_is_for_everybody_and_goes_when_the_game_begins(editor: tuple[Page, Line]) -> None:
    page, line = editor
    expect(page.locator("#railway")).to_have_role("application")
    expect(page.locator("#railway .grid")).not_to_have_count(0)
    for language in TRAINS:
        page.locator("#language").select_option(language)
        expect(page.get_by_role("button", name=f"car ({language})")).to_be_visible()
        assert Axe().run(page).response["violations"] == []
    assert page.locator("#tools button").first.evaluate("node => node.offsetHeight") >= 44
    # The table is redrawn at the same size, however often.
    box = page.locator("#railway").get_attribute("viewBox")
    line.tell("present", present={**TOOLS, "moment": "2"})
    line.tell("facts", facts={**DOTS, "wanted": ["car"]})
    page.wait_for_selector("#wanted:visible")
    assert page.locator("#railway").get_attribute("viewBox") == box
    # A table with nothing on it can be laid, too.
    line.tell("facts", facts={**DOTS, "cards": [], "figures": []})
    page.wait_for_selector("#railway [data-card]", state="detached")
    expect(page.locator("#railway")).to_be_visible()
    line.tell("facts", facts=DOTS)
    line.tell("present", present={**TOOLS, "tools": [], "cell_mm": 0})
    expect(page.locator("#editor")).to_be_hidden()
    expect(page.locator("#railway")).to_have_role("img")
    expect(page.locator("#railway .grid")).to_have_count(0)


@pytest.mark.further
def test_who_only_watches_cannot_edit(home: ServedHome, editor: tuple[Page, Line]) -> None:
    page, line = editor
    line.tell("you", inside=False)
    expect(page.locator("#editor")).to_be_hidden()
    page.mouse.click(*at(page, 0.5, 0.5))
    assert line.heard("touch") == []


def test_only_what_a_game_draws_is_a_drawing(home: ServedHome, context: BrowserContext, dots: None) -> None:
    def asked(path: str) -> APIResponse:
        return context.request.get(f"{home.address}/{path}")

    drawing = asked("drawings/car.svg")
    assert drawing.headers["content-type"] == "image/svg+xml"
    assert "default-src 'none'" in drawing.headers["content-security-policy"]
    assert asked("drawings/no-such.svg").status == 404
    assert asked("called/xx.json").status == 404
    assert asked("called/es.json").json()["car"] == "car (es)"
