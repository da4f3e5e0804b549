"""The page in a real browser: cards dragged and laid by keys, what the screen answers, and who else can use it."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from msgspec.structs import replace
from playwright.sync_api import Page

from companion.games.loknroll.robot.robot import Robot
from companion.games.loknroll.rules import Mode, Phase
from companion.virtual.things import EMMA, Place
from tests.companion.device.whole_games import short_edition
from tests.companion.web.browsers import (
    NARROW,
    WIDE,
    Chromium,
    ServedTable,
    said,
    wait_until,
    wait_until_still,
    weights,
)
from tests.companion.web.virtual_table.hands import MouseHands, TouchHands
from vision.cards import Pose

HEAVIEST_BYTES = 300_000


def dots(page: Page) -> bytes:
    """What the page's screen shows, as the screen's memory holds it: 64 rows of 16 bytes."""
    rows = page.evaluate("""() => {
      const canvas = document.getElementById("oled"), dot = canvas.width / 128;
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const isLit = (x, y) => data[4 * (Math.floor((y + 0.4) * dot) * canvas.width + Math.floor((x + 0.4) * dot))] > 60;
      return Array.from({ length: 1024 }, (_, byte) => [0, 1, 2, 3, 4, 5, 6, 7].reduce(
        (sum, bit) => 2 * sum + (isLit(8 * (byte % 16) + bit, Math.floor(byte / 16)) ? 1 : 0), 0));
    }""")
    return bytes(rows)


@pytest.fixture(scope="module")
def page(served: ServedTable, chromium: Chromium) -> Iterator[Page]:
    with chromium.page(served.address) as page:
        yield page


def test_a_game_is_played_by_dragging_cards_and_pressing_buttons(served: ServedTable, page: Page) -> None:
    """From the empty table to the automaton's first card: every step by the mouse, read by the eye."""
    device = served.device
    wait_until(lambda: said(page))
    hands = MouseHands(device.world, page, 3)
    controller = served.controller
    robot = Robot(controller, hands, 3, lambda button: page.click(f"[data-button={button}]"))
    wait_until(lambda: robot.act(device.clock()) or controller.game.state.drawn is not None, 90)
    assert hands.drags >= 6
    assert robot.repeats == 0
    lying = {card.face for card in device.world.cards(Place.TABLE)}
    assert {card.face.id for card in controller.game.state.railway.cards} <= lying
    wait_until(lambda: device.screen.main in said(page))
    wait_until(lambda: dots(page) == device.memory.image().tobytes(), what="the page does not show the screen's dots")


def test_a_card_laid_askew_is_seen_askew_and_nothing_is_put_right(served: ServedTable, page: Page) -> None:
    """No shortcut: what the page lays lies as it was laid, and the companion knows only what the camera sees."""
    world = served.device.world
    hands = MouseHands(world, page, 1)
    number = world.draw(0)
    wait_until(lambda: page.locator(f"[data-number='{number}']").is_visible())
    hands.place(number, Pose(650, 330, 0))
    page.locator(f"[data-number='{number}']").focus()
    page.keyboard.press("t")
    wait_until(lambda: world.cards(Place.TABLE)[-1].pose.rotation_deg == 90)
    wait_until(lambda: "90" in page.locator(f"[data-number='{number}']").get_attribute("data-turn"))
    page.keyboard.press("Enter")
    for _ in range(3):
        page.keyboard.press("Shift+T")
    page.keyboard.press("Enter")
    # Not until nothing is held: nothing is before the first of these keys has come either.
    turned = pytest.approx(105, abs=0.01)
    wait_until(
        lambda: [card.pose.rotation_deg for card in world.cards(Place.TABLE) if card.number == number] == [turned]
    )
    page.locator(f"[data-number='{number}']").focus()
    page.keyboard.press("x")
    wait_until(lambda: [card.number for card in world.cards(Place.AWAY)][-1:] == [number])


def has_class(page: Page, number: int, name: str) -> bool:
    """Whether the page shows a thing so."""
    return name in (page.locator(f"[data-number='{number}']").get_attribute("class") or "").split()


def test_everything_by_keys(served: ServedTable, page: Page) -> None:
    world = served.device.world
    before = len(world.cards(Place.HAND))
    page.locator("body").click(position={"x": 5, "y": 5})
    page.keyboard.press("d")
    wait_until(lambda: len(world.cards(Place.HAND)) == before + 1)
    number = world.cards(Place.HAND)[0].number
    wait_until(lambda: page.locator(f"[data-number='{number}']").count() == 1)
    page.keyboard.press("1")
    assert page.evaluate("document.activeElement.dataset.number") == str(number)
    page.keyboard.press("Enter")
    wait_until(lambda: number in world.holds())
    page.keyboard.press("s")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Enter")
    wait_until(lambda: not world.holds() and not has_class(page, number, "held"), what="it is not laid")
    (card,) = [card for card in world.cards(Place.TABLE) if card.number == number]
    assert (card.pose.x_mm, card.pose.y_mm) == (739, 520)
    page.locator(f"[data-number='{number}']").focus()
    page.keyboard.press("Enter")
    wait_until(lambda: number in world.holds(), what="it is not picked up again")
    page.keyboard.press("h")
    wait_until(lambda: number in [card.number for card in world.cards(Place.HAND)], what="it is not in the hand")
    page.locator(f"[data-number='{EMMA}']").focus()
    page.keyboard.press("Enter")
    wait_until(lambda: EMMA in world.holds(), what="Emma is not picked up")
    page.keyboard.press("Escape")
    wait_until(lambda: not world.holds(), what="Emma is still held")


def said_at_rest(page: Page) -> str:
    """What the screen says once that has not changed for a while: the eye may still look at the card laid last."""
    shown, since = said(page), time.monotonic()
    while time.monotonic() - since < 3:
        time.sleep(0.02)
        if said(page) != shown:
            shown, since = said(page), time.monotonic()
    return shown


def test_the_devices_buttons_by_keys(served: ServedTable, page: Page) -> None:
    page.locator("body").click(position={"x": 5, "y": 5})
    page.keyboard.press("Escape")
    shown = said_at_rest(page)
    page.keyboard.press("ArrowUp")
    wait_until(lambda: said(page) != shown)
    page.keyboard.press("b")
    wait_until(lambda: said(page) == shown)


def test_the_whole_railway_is_pushed_by_hand_and_by_keys(served: ServedTable, page: Page) -> None:
    """Cards side by side go together, with Emma; one that lies apart stays."""
    world = served.device.world
    numbers = [world.draw(0) for _ in range(3)]
    poses = [Pose(230, 110, 0), Pose(294, 111, 0), Pose(560, 120, 90)]
    for number, pose in zip(numbers, poses, strict=True):
        world.place_card(number, pose)
    world.place_figure(EMMA, Pose(230, 112, 0))
    first, second, apart = numbers
    page.wait_for_selector(f"[data-number='{apart}']:not(.doubled)")
    page.wait_for_selector(".figure")
    hands = MouseHands(world, page, 1)
    hands.push([second, first], 40, 60)
    wait_until_still(page)
    lying = hands.lying
    assert (lying[first].pose.x_mm, lying[first].pose.y_mm) == pytest.approx((270, 170), abs=3)
    assert lying[second].pose.x_mm - lying[first].pose.x_mm == pytest.approx(64)
    assert lying[apart].pose == poses[2]
    assert world.figure(EMMA).pose is not None
    assert world.figure(EMMA).pose.y_mm - lying[first].pose.y_mm == pytest.approx(2)
    page.locator(f"[data-number='{second}']").focus()
    page.keyboard.press("m")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+ArrowUp")
    page.keyboard.press("Enter")
    wait_until(lambda: hands.lying[first].pose.x_mm < lying[first].pose.x_mm - 9)
    wait_until_still(page)
    assert hands.lying[second].pose.y_mm == pytest.approx(lying[second].pose.y_mm - 1, abs=0.1)
    page.locator(f"[data-number='{second}']").click()
    page.click("#push")
    assert page.locator("#push").get_attribute("aria-pressed") == "true"
    before = hands.lying[second].pose.x_mm
    x, y = hands.point(hands.lying[first].pose)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 50, y, steps=4)
    page.mouse.up()
    wait_until(lambda: hands.lying[second].pose.x_mm > before + 10, what="the tool does not push")
    for number in numbers:
        world.put_away(number)
    world.take_hold(EMMA, "me")
    world.put(EMMA, "me", Place.AWAY)


def test_two_people_at_two_browsers(served: ServedTable, page: Page, chromium: Chromium) -> None:
    """Both see the same; what one holds the other cannot take, and sees it move."""
    world = served.device.world
    number = world.draw(0)
    world.place_card(number, Pose(400, 120, 0))
    with chromium.page(served.address, NARROW) as other:
        wait_until(lambda: "held" not in page.locator(f"[data-number='{number}']").get_attribute("class"))
        thing = f"[data-number='{number}']"
        box, theirs = page.locator(thing).bounding_box(), other.locator(thing).bounding_box()
        page.mouse.move(box["x"] + 20, box["y"] + 20)
        page.mouse.down()
        page.mouse.move(box["x"] + 60, box["y"] + 70, steps=5)
        wait_until(lambda: "theirs" in other.locator(thing).get_attribute("class"))
        other.mouse.move(theirs["x"] + 8, theirs["y"] + 8)
        other.mouse.down()
        other.mouse.move(theirs["x"] + 80, theirs["y"] + 80, steps=5)
        other.mouse.up()
        assert len({hold.holder for hold in world.holds().values()}) == 1
        page.keyboard.press("Escape")
        page.mouse.move(box["x"] + 20, box["y"] + 20, steps=5)
        page.mouse.up()
        wait_until(lambda: not world.holds())
        wait_until(lambda: "theirs" not in other.locator(thing).get_attribute("class"))
    world.put_away(number)


@pytest.mark.parametrize(
    ("look", "language"), [("light", "en"), ("dark", "de"), pytest.param("light", "es", marks=pytest.mark.further)]
)
def test_axe_finds_nothing_serious(served: ServedTable, chromium: Chromium, look: str, language: str) -> None:
    size = NARROW if look == "dark" else WIDE
    served.device.speak(language)
    with chromium.page(served.address, size, language=language, color_scheme=look, bypass_csp=True) as page:
        for panel in page.locator("details > summary").all():
            panel.click()
        time.sleep(0.3)
        found = Axe().run(page).response["violations"]
        page.click("#start-here")
        found += Axe().run(page).response["violations"]
    serious = [each for each in found if each["impact"] in {"serious", "critical"}]
    assert not serious, json.dumps([(each["id"], each["nodes"][0]["html"]) for each in serious], indent=1)


def test_the_page_is_light_and_asks_only_its_own_server(served: ServedTable, chromium: Chromium) -> None:
    with chromium.page(served.address) as page:
        asked = weights(page)
    assert all(url.startswith(served.address) for url in asked)
    weight = sum(size for url, size in asked.items() if "/faces/" not in url)
    assert 10_000 < weight < HEAVIEST_BYTES


def test_touch_lays_a_card_and_a_second_finger_turns_it(served: ServedTable, chromium: Chromium) -> None:
    world = served.device.world
    number = world.draw(0)
    with chromium.page(served.address, NARROW, has_touch=True, is_mobile=True) as page:
        TouchHands(world, page, 1).place(number, Pose(640, 450, 90))
        wait_until(lambda: number in [card.number for card in world.cards(Place.TABLE)])
        (card,) = [card for card in world.cards(Place.TABLE) if card.number == number]
        assert card.pose.rotation_deg == 90
    world.put_away(number)


@pytest.mark.parametrize("size", [NARROW, pytest.param(WIDE, marks=pytest.mark.further)])
def test_nothing_moves_when_the_table_and_the_screen_have_come(
    served: ServedTable, chromium: Chromium, size: tuple[int, int]
) -> None:
    """Who reaches for a card at once must not find it elsewhere: the screen is above the table on a phone."""
    opened = chromium.browser.new_context(viewport={"width": size[0], "height": size[1]})
    page = opened.new_page()
    page.route_web_socket("**/table*", lambda _: None)  # nothing comes
    page.goto(served.address)
    page.wait_for_selector("body.ready")
    before = page.locator("#table").bounding_box()
    opened.close()
    with chromium.page(served.address, size) as page:
        wait_until(lambda: page.locator("#oled").get_attribute("data-painted"))
        assert page.locator("#table").bounding_box() == before


def test_the_robot_plays_a_game_to_its_end(folder: Path, chromium: Chromium) -> None:
    """It takes over a table that people have left in disorder."""
    usual = short_edition(Mode.SOLO, 1, 1)
    removed = {Mode.SOLO: usual.removed[Mode.SOLO] + usual.start_cards - 2}
    edition = replace(usual, start_cards=2, emma_starts_on=2, removed=removed)
    with ServedTable(folder, Mode.SOLO, edition=edition) as served, chromium.page(served.address) as page:
        device = served.device
        controller = served.controller
        card = device.world.cards(Place.PILE)[-1]
        device.world.place_card(card.number, Pose(200, 450, 33))
        page.click("#robot-panel summary")
        page.check("[name=robot][value=fast]")
        wait_until(lambda: controller.game.state.phase is Phase.OVER or device.robot_trouble, 120)
        assert not device.robot_trouble
        page.check("[name=robot][value=off]")
        wait_until(lambda: device.screen.main and device.screen.main in said(page))
