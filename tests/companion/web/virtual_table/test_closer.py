"""Small screens, large letters, and looking closer: what a phone, a wheel and two fingers do with the table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from companion.games.loknroll.rules import Mode
from companion.texts.language import Texts
from companion.virtual.things import EMMA, Place
from tests.companion.web.browsers import (
    NARROW,
    Chromium,
    ServedTable,
    unplugged,
    wait_until,
    wait_until_still,
)
from tests.companion.web.virtual_table.hands import Fingers, MouseHands, TouchHands, middle
from vision.cards import Pose


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedTable]:
    with unplugged(ServedTable(tmp_path_factory.mktemp("table"))) as served:
        yield served


def box(page: Page, selector: str) -> dict[str, float]:
    found = page.locator(selector).bounding_box()
    assert found is not None
    return dict(found)


def lying(table: ServedTable, number: int) -> Pose:
    return next(card.pose for card in table.device.world.cards(Place.TABLE) if card.number == number)


def two_on_the_table(table: ServedTable, page: Page) -> tuple[int, int]:
    """The numbers of two straight cards, the first of which lies in the middle."""
    world, deck = table.device.world, table.device.pictures.deck
    cards = [card for place in (Place.PILE, Place.TABLE) for card in world.cards(place)]
    rails = [card.number for card in cards if deck[card.face].shape == "straight"][:2]
    world.place_card(rails[0], Pose(400, 300, 0))
    world.place_card(rails[1], Pose(650, 450, 0))
    page.wait_for_selector(f"[data-number='{rails[1]}']")
    wait_until_still(page)
    return rails[0], rails[1]


def test_fingers_bring_the_table_closer_and_cards_snap_as_far_as_a_finger_is_off(
    table: ServedTable, chromium: Chromium
) -> None:
    with chromium.page(table.address, NARROW, has_touch=True, is_mobile=True) as page:
        touch, hands = Fingers(page), MouseHands(table.device.world, page, 1)
        middle, other = two_on_the_table(table, page)
        x, y = hands.point(Pose(400, 300))
        # A card is dropped 20 px from where the rails of the other carry on.
        whole = box(page, "#table")
        face = table.device.pictures.deck[table.device.world.card(middle).face]
        right, down = face.port_offsets[0][0]
        start, there = hands.point(lying(table, other)), Pose(400 + 2 * right, 300 + 2 * down)
        off = (hands.point(there)[0] + 14, hands.point(there)[1] - 14)
        touch("touchStart", start)
        touch("touchMove", (start[0] - 30, start[1]))
        touch("touchMove", off)
        touch("touchEnd")
        wait_until(lambda: lying(table, other).distance_mm(Pose(650, 450)) > 50, what="it was not laid")
        wait_until_still(page)
        assert lying(table, other).distance_mm(there) < 2
        # Two fingers, one of them on a card: the table comes closer and the card stays where it is.
        here = lying(table, middle)
        touch("touchStart", (x, y))
        touch("touchStart", (x, y), (x + 60, y))
        touch("touchMove", (x - 30, y), (x + 120, y))
        touch("touchMove", (x - 30, y + 20), (x + 120, y + 20))
        touch("touchEnd")
        closer = box(page, "#table")
        assert closer["width"] == pytest.approx(2.5 * whole["width"], rel=0.02)
        assert lying(table, middle) == here
        assert not table.device.world.holds()
        assert box(page, f"[data-number='{middle}']")["width"] > 60
        # One finger on the felt moves it; the device and the hand stay in sight.
        frame = box(page, "#frame")
        felt = (frame["x"] + frame["width"] - 30, frame["y"] + 30)
        touch("touchStart", felt)
        touch("touchMove", (felt[0] - 40, felt[1] + 10))
        touch("touchEnd")
        assert box(page, "#table")["x"] == pytest.approx(closer["x"] - 40, abs=1)
        device, hand = box(page, "#device"), box(page, "#hand")
        assert device["y"] >= 0
        assert device["height"] < 250
        assert hand["y"] + hand["height"] < NARROW[1]
        for _ in range(3):
            page.click("#farther")
        assert box(page, "#table")["width"] == pytest.approx(whole["width"])


def test_a_finger_takes_the_card_below_emma_by_what_is_seen_of_it(table: ServedTable, chromium: Chromium) -> None:
    world = table.device.world
    with chromium.page(table.address, NARROW, has_touch=True, is_mobile=True) as page:
        number, hands = world.cards(Place.PILE)[-1].number, TouchHands(world, page, 1)
        world.place_card(number, Pose(360, 480, 0))
        world.place_figure(EMMA, Pose(366, 474, 35))
        page.wait_for_selector(f"[data-number='{number}']")
        hands.put(number, Place.AWAY)
        assert world.figure(EMMA).pose == Pose(366, 474, 35)
        hands.place(EMMA, Pose(250, 474, 35))


def test_a_tap_after_two_fingers_chooses_whose_hand_is_held_up(tmp_path: Path, chromium: Chromium) -> None:
    with (
        unplugged(ServedTable(tmp_path, Mode.TWO)) as served,
        chromium.page(served.address, NARROW, has_touch=True, is_mobile=True) as page,
    ):
        hands, number = TouchHands(served.device.world, page, 1), served.device.world.draw(0)
        page.wait_for_selector(f"[data-number='{number}']")
        for owner, turn in ((1, 90), (0, 0), (1, 270)):
            hands.place(number, Pose(400, 300, turn))
            page.tap(f"#people [role=tab]:nth-child({owner + 1})")
            tab = page.locator("#people [role=tab]").nth(owner)
            wait_until(lambda tab=tab: tab.get_attribute("aria-selected") == "true", 2, "the tap does nothing")


@pytest.mark.further
def test_a_card_that_is_held_near_the_edge_moves_the_table(table: ServedTable, chromium: Chromium) -> None:
    """Only while it is held there for a moment, and the card comes to lie below the finger."""
    with chromium.page(table.address, NARROW, has_touch=True, is_mobile=True) as page:
        touch, hands, world = Fingers(page), MouseHands(table.device.world, page, 1), table.device.world
        number, _ = two_on_the_table(table, page)
        for _ in range(3):
            page.tap("#closer")
        whole, frame, start = box(page, "#table"), box(page, "#frame"), middle(page.locator("#frame"))
        scale = whole["width"] / 800
        world.place_card(number, Pose((start[0] - whole["x"]) / scale, (start[1] - whole["y"]) / scale))
        page.wait_for_function(f"() => document.elementFromPoint({start[0]}, {start[1]})?.dataset.number == {number}")
        left, low = frame["x"], frame["y"] + frame["height"]
        # Who only passes moves nothing: as with a card from the hand.
        touch("touchStart", start)
        touch("touchMove", (start[0], low - 10))
        touch("touchMove", start)
        assert box(page, "#table")["y"] == pytest.approx(whole["y"], abs=5)
        edge = (left + 10, frame["y"] + 10)
        touch.move(start, edge)
        wait_until(lambda: box(page, "#table")["x"] > whole["x"] + 60, 10, "it does not move to the right")
        wait_until(lambda: box(page, "#table")["y"] > whole["y"] + 20, 10, "it does not move down")
        held = box(page, f"[data-number='{number}']")
        assert (held["x"] + held["width"] / 2, held["y"] + held["height"] / 2) == pytest.approx(edge, abs=8)
        # It ends where the table does.
        wait_until(lambda: box(page, "#table")["x"] == pytest.approx(left, abs=1), 20, "it stops")
        touch("touchMove", (left + 60, frame["y"] + 60))
        still = box(page, "#table")
        page.wait_for_timeout(400)
        assert box(page, "#table") == still
        touch("touchEnd")
        wait_until(lambda: number not in world.holds() and lying(table, number).x_mm < 200)
        wait_until_still(page)
        assert hands.point(lying(table, number)) == pytest.approx((left + 60, frame["y"] + 60), abs=2)


def test_wheel_and_mouse_bring_the_table_closer_and_cards_are_laid_there(
    table: ServedTable, chromium: Chromium
) -> None:
    with chromium.page(table.address) as page:
        hands = MouseHands(table.device.world, page, 1)
        middle, _ = two_on_the_table(table, page)
        whole, at = box(page, "#table"), hands.point(lying(table, middle))
        page.mouse.move(*at)
        page.mouse.wheel(0, -300)
        wait_until(lambda: box(page, "#table")["width"] > 1.3 * whole["width"])
        assert hands.point(lying(table, middle)) == pytest.approx(at, abs=1)
        page.mouse.move(at[0], at[1] - 250)
        page.mouse.down()
        page.mouse.move(at[0] + 30, at[1] - 210, steps=3)
        page.mouse.up()
        assert hands.point(lying(table, middle)) == pytest.approx((at[0] + 30, at[1] + 40), abs=1)
        hands.place(middle, Pose(540, 330))
        assert lying(table, middle).distance_mm(Pose(540, 330)) < 1
        page.keyboard.press("0")
        assert box(page, "#table")["width"] == pytest.approx(whole["width"])


def test_what_hands_did_is_said(table: ServedTable, chromium: Chromium) -> None:
    world = table.device.world
    table.device.speak("de")
    with chromium.page(table.address, language="de") as page:
        heard, hands = page.locator("#heard"), MouseHands(world, page, 1)
        assert heard.get_attribute("aria-live") == "polite"
        before = len(world.cards(Place.HAND))
        page.keyboard.press("d")
        wait_until(lambda: len(world.cards(Place.HAND)) == before + 1)
        page.get_by_text("Du hast die ").wait_for()
        drawn = world.cards(Place.HAND)[-1]
        page.wait_for_selector(f"[data-number='{drawn.number}']:not(.held)")
        hands.put(drawn.number, Place.PILE)
        page.get_by_text("liegt wieder auf dem Nachziehstapel.").wait_for()
        assert heard.inner_text().startswith(f"Die {table.device.pictures.deck[drawn.face].value} (")
        assert heard.is_visible()
        # Lifted, looked at, and let go where it was.
        page.evaluate("document.getElementById('heard').textContent = ''")
        x, y = middle(page.locator(".pile"))
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x - 90, y + 90, steps=4)
        page.wait_for_selector(f"[data-number='{drawn.number}'].mine")
        page.mouse.move(x, y, steps=4)
        page.mouse.up()
        page.get_by_text("liegt wieder auf dem Nachziehstapel.").wait_for()
        wait_until(lambda: not world.holds())
        assert world.cards(Place.PILE)[-1].number == drawn.number


CUT_OFF = """() => [...document.querySelectorAll("button, summary, label, .name, h1, select")]
    .filter((node) => node.checkVisibility() && !node.closest("#things, #tools"))
    .filter((node) => {
        const box = node.getBoundingClientRect();
        const isCut = node.clientWidth > 0 && node.scrollWidth > node.clientWidth + 1;
        return isCut || box.right > innerWidth + 1 || box.left < -1;
    })
    .map((node) => node.outerHTML)"""
SPILT = """() => [...document.querySelectorAll(".zone, #show, #invitation")].filter((zone) => {
    const text = document.createRange(), box = zone.getBoundingClientRect();
    text.selectNodeContents(zone.querySelector("[data-text]"));
    const { left, right, width } = text.getBoundingClientRect();
    return width > 0 && (left < box.left || right > box.right + 1);
}).map((zone) => zone.outerHTML)"""


@pytest.mark.parametrize(
    ("width", "height", "letters"),
    [
        pytest.param(1280, 800, 16, marks=pytest.mark.further),
        (640, 400, 16),
        pytest.param(1280, 800, 24, marks=pytest.mark.further),
        (1280, 800, 32),
        pytest.param(390, 844, 16, marks=pytest.mark.further),
        (390, 844, 24),
        pytest.param(360, 740, 16, marks=pytest.mark.further),
        pytest.param(820, 1180, 16, marks=pytest.mark.further),
        pytest.param(820, 1180, 32, marks=pytest.mark.further),
    ],
)
def test_nothing_is_cut_and_the_device_stays_in_sight(
    table: ServedTable, chromium: Chromium, width: int, height: int, letters: int
) -> None:
    with chromium.page(table.address, (width, height), bypass_csp=True) as page:
        page.add_style_tag(content=f"html {{ font-size: {letters}px }}")
        for language in ("de", "es", "en"):
            page.select_option("#language", language)
            page.get_by_role("button", name=Texts(language)("web.start-here")).wait_for()
            assert page.evaluate(CUT_OFF) == []
            assert page.evaluate(SPILT) == []
        for panel in page.locator("details > summary").all():
            panel.click()
        page.click("#bump")
        device, keys = box(page, "#device"), page.locator("#buttons button").all()
        assert device["y"] >= 0
        assert device["y"] + device["height"] <= height
        assert all(key.bounding_box()["height"] >= 36 for key in keys)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
