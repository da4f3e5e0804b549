"""Maps of networks: what stands where can be told, and of a large network the part is seen that matters."""

import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops

from companion.screen import draw
from companion.screen.as_text import dots_as_text
from companion.screen.screen import MapFigure, NetworkMap, Screen


def track(dots: int, *figures: MapFigure, **more: tuple[int, ...]) -> NetworkMap:
    """Dots in a row."""
    places = tuple((float(x), 0.0) for x in range(dots))
    return NetworkMap(places, (((-0.5, 0.0), (dots - 0.5, 0.0)),), figures, **more)


def field(dots: int, *figures: MapFigure, **more: tuple[int, ...]) -> NetworkMap:
    """As many dots in a square."""
    places = tuple((float(x), float(y)) for y in range(dots) for x in range(dots))
    return NetworkMap(places, tuple((place, place) for place in places), figures, **more)


def shown(network: NetworkMap, frame: int = 0, **more: str) -> Image.Image:
    return draw(Screen(map=network, frame=frame, **more)).convert("L")


def test_what_stands_on_a_dot_is_told_apart_by_its_number_and_whether_it_leads() -> None:
    images = {
        shown(track(8, MapFigure(3, str(number), leads=leads))).tobytes()
        for number in range(1, 5)
        for leads in (False, True)
    }
    assert len(images) == 8


def test_it_stands_where_its_dot_is() -> None:
    boxes = [box_of_change(shown(track(8)), shown(track(8, MapFigure(dot, "1", leads=True)))) for dot in range(8)]
    assert all(boxes[index][0] < boxes[index + 1][0] for index in range(7))


def box_of_change(before: Image.Image, after: Image.Image) -> tuple[int, int, int, int]:
    box = ImageChops.difference(before, after).getbbox()
    assert box is not None
    return box


def test_what_is_to_be_moved_blinks_and_its_way_stays() -> None:
    moving = track(8, MapFigure(1, "2", leads=True), moved=(0,), way=(1, 2, 3, 4))
    even, odd = shown(moving), shown(moving, frame=1)
    assert moving.blinks
    assert box_of_change(even, odd)[2] < 64
    assert odd.tobytes() != shown(track(8, MapFigure(1, "2", leads=True))).tobytes()
    assert not track(8, MapFigure(1, "2", leads=True)).blinks


def test_of_a_network_that_has_no_room_the_part_is_seen_that_matters() -> None:
    far, near = (field(40, MapFigure(dot, "3", leads=True), marked=(dot,)) for dot in (40 * 39 + 39, 0))
    for network in (far, near):
        assert shown(network).tobytes() != shown(replace(network, marked=(20,))).tobytes()
        # The frame is whole.
        box = box_of_change(shown(network), shown(network, frame=1))
        assert box[2] - box[0] >= 11
        assert box[3] - box[1] >= 11
    assert shown(far).tobytes() != shown(near).tobytes()


def test_beside_a_part_a_sketch_of_the_whole_says_where_it_is() -> None:
    # The same is around both dots.
    one, other = (shown(track(100, MapFigure(dot, "1"), marked=(dot,))) for dot in (40, 60))
    assert one.tobytes() != other.tobytes()
    # Of a network that is seen whole there is none.
    assert box_of_change(shown(track(9, marked=(4,))), shown(track(9, marked=(4,)), frame=1))[3] < 40


@pytest.mark.parametrize("dots", [1, 2, 9, 14, 22, 40, 60])
def test_a_network_of_which_nothing_is_spoken_is_seen_whole(dots: int) -> None:
    image = shown(field(dots, MapFigure(0, "1"), MapFigure(dots * dots - 1, "2")))
    box = image.getbbox()
    assert box is not None
    assert dots >= 114 or (box[0] > 0 and box[2] < 128)


def test_beside_a_short_heading_the_map_has_its_line_as_well() -> None:
    network = field(12)
    beside = shown(network, heading="Ann", main="4")
    assert box_of_change(beside, shown(NetworkMap((), ()), heading="Ann", main="4"))[1] < 8
    long = shown(network, heading="Ann, Ben and Christine", main="4")
    without = shown(NetworkMap((), ()), heading="Ann, Ben and Christine", main="4")
    assert box_of_change(long, without)[1] >= 10


def test_it_can_be_read_as_text() -> None:
    lines = dots_as_text(draw(Screen(map=track(8, MapFigure(3, "1", leads=True)))), 128, 32)
    assert any("█" in line for line in lines)
