"""A table of pieces made of cells, with vehicles on their dots, instead of cards with Emma: the same page and hands."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Final

import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image
from playwright.sync_api import Page
from starlette.testclient import TestClient

from companion.texts.language import Texts
from companion.virtual.snapshot import shuffled
from companion.virtual.things import Figure, Place
from companion.virtual.world import World
from companion.web.virtual_table.server import make_app
from tests.companion.web.browsers import Chromium, ServedTable, unplugged, wait_until, wait_until_still
from tests.companion.web.virtual_table.hands import Fingers, MouseHands, middle
from vision.cards import Deck, Face, Kind, Pose
from vision.deck_pictures import DeckPictures
from vision.rendering import VehicleLook

CELL: Final = 18.0
PIECE: Final = Face("T", 1, Kind.TRACK, 45, size_mm=(3 * CELL, CELL))
PLAIN: Final = np.full((60, 180, 3), (120, 200, 170), np.uint8)
LOOKS: Final = {
    "locomotive-1": VehicleLook(is_locomotive=True, colour=(200, 60, 0), sign=1),
    "wagon-3": VehicleLook(is_locomotive=False, colour=(0, 150, 110), sign=3),
}
PIECES: Final = DeckPictures(Deck("pieces", (PIECE,), PIECE.size_mm), {"T": PLAIN}, PLAIN, figures=LOOKS, cell_mm=CELL)
FIRST: Final = Pose(400, 300, 4)
"""Where the only piece lies at first, a little askew."""
LOCOMOTIVE, WAGON, SPARE = -1, -2, -3


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedTable]:
    """No game is played at it: hands move pieces and vehicles as they like."""
    with unplugged(ServedTable(tmp_path_factory.mktemp("table"), None)) as served:
        served.device.pictures = PIECES
        lay_out(served.device.world)
        yield served


def lay_out(world: World) -> None:
    """One piece with a locomotive on its middle dot and a wagon on the next one; all else beside the table."""
    fresh = shuffled(PIECES.deck, ("Ann", "Ben"), 2, 1)
    cards = tuple(replace(card, place=Place.AWAY) for card in fresh.cards[1:])
    figures = (
        Figure(LOCOMOTIVE, "locomotive-1", dot(0)),
        Figure(WAGON, "wagon-3", dot(1)),
        Figure(SPARE, "wagon-3"),
    )
    first = replace(fresh.cards[0], place=Place.TABLE, pose=FIRST)
    world.restore(replace(fresh, cards=(first, *cards), figures=figures))


def dot(cells: float, right_mm: float = 0.0, down_mm: float = 0.0, turn_deg: float = 90.0) -> Pose:
    """So many cells along the first piece from its middle."""
    angle = np.radians(FIRST.rotation_deg)
    along = FIRST.moved(CELL * cells * float(np.cos(angle)), CELL * cells * float(np.sin(angle)))
    return along.moved(right_mm, down_mm, turn_deg)


@pytest.fixture(scope="module")
def page(table: ServedTable, chromium: Chromium) -> Iterator[Page]:
    with chromium.page(table.address) as page:
        yield page


@pytest.fixture
def world(table: ServedTable, page: Page) -> World:
    lay_out(table.device.world)
    page.wait_for_selector(f"[data-number='{SPARE}']")
    wait_until_still(page)
    return table.device.world


def stands(world: World, figure: int, there: Pose) -> bool:
    """Whether a figure stands there, along the piece in one of its two directions."""
    pose = world.figure(figure).pose
    if figure in world.holds() or pose is None or pose.distance_mm(there) > 0.1:
        return False
    return abs((pose.rotation_deg - there.rotation_deg + 90) % 180 - 90) < 0.1


@pytest.mark.further
def test_what_is_of_no_use_here_is_not_there(world: World, page: Page) -> None:
    for gone in ("#hand", "#show", ".pile", "#invitation", "#deal"):
        assert not page.locator(gone).is_visible(), gone
    say = Texts("en")
    assert page.locator("#shed .name").inner_text() == say("web.emma-pieces")
    # Of so many spare pieces only those on top are there to be taken.
    assert page.locator(".card:visible").count() < 10


@pytest.mark.further
def test_a_vehicle_comes_onto_the_dot_below_it_and_may_be_turned(world: World, page: Page) -> None:
    hands = MouseHands(world, page, 1)
    hands.place(WAGON, dot(-1, 4, -3))
    assert stands(world, WAGON, dot(-1))
    hands.place(WAGON, dot(1, 3, 3, turn_deg=180))
    assert stands(world, WAGON, dot(1, turn_deg=0))


@pytest.mark.further
def test_a_vehicle_from_beside_the_table_stands_along_the_piece_and_elsewhere_as_it_is_put(
    world: World, page: Page
) -> None:
    hands = MouseHands(world, page, 1)
    world.place_figure(WAGON, Pose(100, 100))
    hands.place(SPARE, dot(1, -4, 2, turn_deg=0))
    assert stands(world, SPARE, dot(1))
    hands.place(SPARE, dot(1, 20, 60, turn_deg=180))
    assert world.card_under(SPARE) is None


@pytest.mark.further
def test_a_piece_is_drawn_to_the_edge_of_another_with_its_dots_in_line(world: World, page: Page) -> None:
    hands = MouseHands(world, page, 1)
    spare = world.cards(Place.AWAY)[-1].number
    hands.place(spare, dot(3, 7, -6, turn_deg=0))
    assert hands.lying[spare].pose.distance_mm(dot(3)) < 0.1
    assert hands.lying[spare].pose.rotation_deg == pytest.approx(FIRST.rotation_deg)
    other = world.cards(Place.AWAY)[-1].number
    # Upright, below the first one's end: two cells down from its dot.
    below = dot(1).moved(-2 * CELL * float(np.sin(np.radians(4))), 2 * CELL * float(np.cos(np.radians(4))))
    hands.place(other, below.moved(-5, 6))
    assert hands.lying[other].pose.distance_mm(below) < 0.1
    hands.place(other, Pose(200, 150, 90))
    assert hands.lying[other].pose.distance_mm(Pose(200, 150)) < 2


@pytest.mark.further
def test_a_network_that_is_laid_out_is_seen_as_large_as_it_fits(
    world: World, table: ServedTable, chromium: Chromium
) -> None:
    def width(selector: str) -> float:
        box = page.locator(selector).bounding_box()
        assert box is not None
        return box["width"]

    with chromium.page(table.address) as page:
        whole, piece = width("#table"), f"[data-number='{world.cards(Place.TABLE)[0].number}']"
        with world.at_rest():
            for number, card in enumerate(world.cards(Place.AWAY)[-3:], 2):
                world.place_card(card.number, dot(3 * number - 3))
        page.wait_for_function("(whole) => document.querySelector('#table').offsetWidth > 1.5 * whole", arg=whole)
        wait_until_still(page)
        # Four pieces in a row, and a cell beside them; the row is in the middle.
        assert 4 * width(piece) < width("#frame") < 4.6 * width(piece)
        ends = [middle(page.locator(f"[data-number='{card.number}']")) for card in world.cards(Place.TABLE)]
        x, y = ((min(side) + max(side)) / 2 for side in zip(*ends, strict=True))
        assert middle(page.locator("#frame")) == pytest.approx((x, y), abs=3)
        frame = width("#frame")
        # In a smaller window the whole network is still seen; whoever has looked elsewhere goes on doing so.
        page.set_viewport_size({"width": 900, "height": 700})
        page.wait_for_function("(before) => document.querySelector('#frame').offsetWidth < before - 50", arg=frame)
        wait_until_still(page)
        assert 4 * width(piece) < width("#frame") < 4.6 * width(piece)
        page.click("#farther")
        wait_until_still(page)
        zoom = width("#table") / width("#frame")
        page.set_viewport_size({"width": 1200, "height": 800})
        wait_until_still(page)
        assert width("#table") / width("#frame") == pytest.approx(zoom, rel=0.15)
        with world.at_rest():
            for card in world.cards(Place.TABLE):
                world.put_away(card.number)
        page.wait_for_function("(whole) => document.querySelector('#table').offsetWidth <= whole + 1", arg=whole)


@pytest.mark.further
def test_keys_take_a_vehicle_from_dot_to_dot_and_beside_the_table(world: World, page: Page) -> None:
    page.locator(f"[data-number='{WAGON}']").focus()
    for key in ("Enter", "ArrowLeft", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    wait_until(lambda: stands(world, WAGON, dot(-1)), what="the arrows did not take it to the last dot")
    for key in ("Enter", "n", "n", "Enter"):
        page.wait_for_timeout(150)
        page.keyboard.press(key)
    wait_until(lambda: stands(world, WAGON, dot(1)), what="N did not take it on")
    page.keyboard.press("x")
    wait_until(lambda: world.figure(WAGON).pose is None, what="it was not put beside the table")


@pytest.mark.further
def test_the_whole_network_is_pushed_with_all_that_stands_on_it(world: World, page: Page) -> None:
    MouseHands(world, page, 1).push([world.cards(Place.TABLE)[0].number], 40, 25)
    assert world.cards(Place.TABLE)[0].pose.distance_mm(FIRST.moved(40, 25)) < 2
    assert [world.card_under(figure) for figure in (LOCOMOTIVE, WAGON, SPARE)] == [
        world.cards(Place.TABLE)[0].number,
        world.cards(Place.TABLE)[0].number,
        None,
    ]


@pytest.mark.further
def test_a_finger_takes_the_nearest_of_small_vehicles(world: World, table: ServedTable, chromium: Chromium) -> None:
    with chromium.page(table.address, (390, 844), has_touch=True, is_mobile=True) as phone:
        page = MouseHands(world, phone, 1)
        touch = Fingers(phone)
        for figure in (LOCOMOTIVE, WAGON):
            start, other = page.point(dot(0)), page.point(dot(1))
            if figure == WAGON:
                start, other = other, start
            # A little from its middle towards the other one, where what may be touched of both is, and beside both.
            start = start[0] + 0.4 * (other[0] - start[0]), start[1] + 0.4 * (other[1] - start[1]) + 9
            touch("touchStart", start)
            touch.move(start, (start[0], start[1] + 60))
            wait_until(world.holds, what="nothing was taken")
            assert list(world.holds()) == [figure]
            touch.move((start[0], start[1] + 60), start)
            touch("touchEnd")
            wait_until(lambda: not world.holds())
            wait_until_still(phone)
        phone.click("#closer")
        wait_until_still(phone)
        wide = phone.locator(f"[data-number='{world.cards(Place.TABLE)[0].number}']").bounding_box()
        assert wide is not None
        assert wide["width"] > 150
        shed = phone.locator("#shed").bounding_box()
        assert shed is not None
        assert shed["y"] < middle(phone.locator(f"[data-number='{SPARE}']"))[1] < shed["y"] + shed["height"]


def test_a_piece_that_is_no_rectangle_is_shown_without_what_it_has_not(table: ServedTable) -> None:
    face = Face("L", 1, Kind.TRACK, 4, size_mm=(2 * CELL, 2 * CELL))
    plain = np.full((120, 120, 3), 200, np.uint8)
    corner = DeckPictures(
        Deck("corners", (face,), face.size_mm), {"L": plain}, cell_mm=CELL, cells=((0, 0), (1, 0), (1, 1))
    )
    client = TestClient(make_app(table.device, 8642), base_url="http://127.0.0.1:8642")
    with client:
        try:
            table.device.pictures = corner
            told = client.get("/deck.json").json()
            cover = Image.open(io.BytesIO(client.get("/faces/L.webp").content)).getchannel("A")
        finally:
            table.device.pictures = PIECES
    assert (told["cells"], told["shaped"]) == ([[0, 0], [1, 0], [1, 1]], True)
    assert [cover.getpixel(at) for at in ((30, 30), (90, 30), (90, 90), (30, 90))] == [255, 255, 255, 0]


def test_a_vehicle_has_a_picture_of_its_size(table: ServedTable) -> None:
    client = TestClient(make_app(table.device, 8642), base_url="http://127.0.0.1:8642")
    with client:
        told = client.get("/deck.json").json()["looks"]
        assert client.get("/figures/emma.webp").status_code == 404
        for look, vehicle in LOOKS.items():
            length, width, _ = vehicle.size_mm
            assert told[look]["size"] == [width, length]
            picture = Image.open(io.BytesIO(client.get(told[look]["src"]).content))
            assert picture.mode == "RGBA"
            assert picture.height / picture.width == pytest.approx(length / width, rel=0.02)
            # Its colour fills the back half of both; a locomotive's nose leaves corners free.
            red, green, blue, cover = picture.getpixel((picture.width // 2, picture.height - 8))
            assert cover == 255
            assert np.abs(np.subtract((red, green, blue), vehicle.colour)).max() < 40
            assert (picture.getpixel((1, 1))[3] == 0) == vehicle.is_locomotive
