"""What can be told from a face, measured in its pictures as a camera or a person would."""

import math
import os
import subprocess
import sys
from functools import cache
from itertools import combinations

import cv2
import msgspec
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from companion.games.drawing.raster import rasterized
from companion.games.loknroll.artwork.back import back_svg
from companion.games.loknroll.artwork.card import face_svg
from companion.games.loknroll.artwork.centre_line import CentreLine
from companion.games.loknroll.artwork.drawn_deck import drawn_deck
from vision.cards import Deck, DeckError, Edge, Face, Kind, Port, standard_deck

PX = 10
"""Pixels a mm in the measured pictures."""
DECK = standard_deck("standard-55")
TRACKS = [face for face in DECK.faces if face.kind is Kind.TRACK]
BROKEN = [face for face in DECK.faces if face.kind is Kind.BROKEN]
CHAOS = [face for face in DECK.faces if face.kind is Kind.CHAOS]
SHIFTED = [
    Face(f"shifted {first.edge}{first.offset_mm}{last.edge}", 4, kind, 1, (first, last))
    for kind in (Kind.TRACK, Kind.BROKEN)
    for first, last in (
        (Port(Edge.S, 10), Port(Edge.N, -10)),
        (Port(Edge.W, -12), Port(Edge.E, 14)),
        (Port(Edge.S, -6), Port(Edge.E, 8)),
        (Port(Edge.N, 4), Port(Edge.W, 20)),
    )
]
WITH_RAILS = [*TRACKS, *BROKEN, *SHIFTED]


def name(face: Face) -> str:
    return f"{face.id}-{face.kind}"


@cache
def picture(face: Face) -> np.ndarray:
    return rasterized(face_svg(face), PX).astype(np.int32)


def grey(image: np.ndarray) -> np.ndarray:
    return image @ np.array([0.114, 0.587, 0.299])


def across_the_joint(face: Face, port: Port, depth_mm: float = 0) -> np.ndarray:
    """The pixels along a card's edge, 11 mm to either side of a port, or of a line that deep in the card."""
    image, deep = picture(face), round(depth_mm * PX)
    line = {Edge.N: image[deep], Edge.S: image[-1 - deep], Edge.W: image[:, deep], Edge.E: image[:, -1 - deep]}[
        port.edge
    ]
    middle = len(line) / 2 + port.offset_mm * PX
    return line[round(middle - 11 * PX) : round(middle + 11 * PX)]


def dark_runs(strip: np.ndarray) -> list[tuple[float, float]]:
    """Middle and width in mm of each dark run, from the strip's middle."""
    dark = np.concatenate([[0], (grey(strip) < 150).astype(int), [0]])
    starts, ends = np.flatnonzero(np.diff(dark) == 1), np.flatnonzero(np.diff(dark) == -1)
    return [((a + b) / 2 / PX - len(strip) / 2 / PX, (b - a) / PX) for a, b in zip(starts, ends, strict=True)]


@pytest.mark.parametrize("face", WITH_RAILS, ids=name)
def test_two_rails_leave_the_card_9_mm_apart_in_the_middle_of_each_port(face: Face) -> None:
    for port in face.ports:
        for depth in (0, 0.4):
            (left, left_width), (right, right_width) = dark_runs(across_the_joint(face, port, depth)[4 * PX : -4 * PX])
            assert (left, right) == pytest.approx((-4.5, 4.5), abs=0.15)
            assert (left_width, right_width) == pytest.approx((1.5, 1.5), abs=0.2)


def test_any_two_cards_joined_show_no_step() -> None:
    """The pixels on both sides of a joint are the same, whichever cards, edges and ways round."""
    strips = [across_the_joint(face, port) for face in WITH_RAILS for port in face.ports]
    band = slice(2 * PX, -2 * PX)
    for strip in strips:
        for turned in (strip, strip[::-1]):
            assert np.abs(turned[band] - strips[0][band]).max() <= 24


@pytest.mark.parametrize("face", WITH_RAILS, ids=name)
def test_sleepers_go_on_across_a_joint_at_half_a_spacing(face: Face) -> None:
    line, image = CentreLine(face), grey(picture(face))
    along = np.arange(0.1, 7.2, 0.1)
    for spots in ([line.at(s) for s in along], [line.at(line.length - s) for s in along]):
        points = [spot.beside(6.1) for spot in spots]
        is_wood = [image[min(int(y * PX), 879), min(int(x * PX), 629)] < 155 for x, y in points]
        middles = [float(np.mean(run)) for run in np.split(along, np.flatnonzero(np.diff(is_wood)) + 1)]
        assert not is_wood[0]
        assert middles[1] == pytest.approx(2.43, abs=0.35)


@pytest.mark.parametrize("face", TRACKS + [face for face in SHIFTED if face.kind is Kind.TRACK], ids=name)
def test_nothing_covers_the_rails_of_an_unbroken_track(face: Face) -> None:
    line, image = CentreLine(face), grey(picture(face))
    for step in range(1, 200):
        spot = line.at(line.length * step / 200)
        for rail in (-4.0, -5.0, 4.0, 5.0):
            x, y = spot.beside(rail)
            assert image[int(y * PX), int(x * PX)] < 90, (step, rail)


@pytest.mark.parametrize("face", BROKEN, ids=name)
def test_both_rails_of_a_broken_track_are_torn(face: Face) -> None:
    whole = msgspec.structs.replace(face, kind=Kind.TRACK)
    middle = CentreLine(face).at(CentreLine(face).length / 2)
    x, y = round(middle.x * PX), round(middle.y * PX)
    around = np.s_[y - 50 : y + 50, x - 50 : x + 50]
    torn, unbroken = (float(grey(picture(face)[around]).mean()) for face in (face, whole))
    assert torn < 0.6 * unbroken
    assert torn < 95


def badge(face: Face, *, second: bool = False) -> np.ndarray:
    """A disc of 17 mm around a badge, upright."""
    image = np.rot90(picture(face), 2) if second else picture(face)
    start, size = 3 * PX, 17 * PX
    return image[start : start + size, start : start + size]


@pytest.mark.parametrize("face", DECK.faces, ids=name)
def test_numerals_are_a_centimetre_tall_and_stand_in_two_opposite_corners(face: Face) -> None:
    assert np.abs(badge(face) - badge(face, second=True))[20:150, 20:150].mean() < 1
    inner = grey(badge(face))[25:145, 35:135]
    numeral = np.abs(inner - np.median(inner[:, :5])) > 90
    rows = np.flatnonzero(numeral[:, 15:85].any(axis=1))
    assert (rows[-1] - rows[0] + 1) / PX >= 10


def luminance(colour: np.ndarray) -> float:
    """Relative luminance as WCAG defines it, of a BGR colour."""
    share = colour / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return float(linear @ np.array([0.0722, 0.7152, 0.2126]))


@pytest.mark.parametrize("face", DECK.faces, ids=name)
def test_numerals_stand_out_7_to_1_from_their_badge(face: Face) -> None:
    disc = badge(face)[35:135, 45:125].reshape(-1, 3)
    colours, counts = np.unique(disc, axis=0, return_counts=True)
    ground, numeral = sorted(luminance(colours[index]) for index in np.argsort(counts)[-2:])
    assert counts[np.argsort(counts)[-2:]].sum() > 0.8 * len(disc)
    assert (numeral + 0.05) / (ground + 0.05) >= 7


def from_a_metre(face: Face) -> np.ndarray:
    """Grey values at 1.4 px/mm in bad light: an eighth of the light, noise, out of focus."""
    small = cv2.resize(grey(picture(face)).astype(np.float32), (88, 123), interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(len(face.id)).normal(0, 4, small.shape)
    return cv2.GaussianBlur(small, (0, 0), 0.7) / 4 + noise


def likeness(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])


def test_values_are_told_apart_in_grey_from_a_metre() -> None:
    badges = {face.id: from_a_metre(face)[4:28, 4:28] for face in TRACKS}
    for one, other in combinations(TRACKS, 2):
        alike = likeness(badges[one.id], badges[other.id])
        assert alike > 0.8 if one.value == other.value else alike < 0.75, (one.id, other.id)


def test_kinds_are_told_apart_in_grey_from_a_metre() -> None:
    rim = np.ones((123, 88), bool)
    rim[5:-5, 5:-5] = False
    brightness = {face.id: float(from_a_metre(face)[30:90].mean()) for face in DECK.faces}
    unrest = {face.id: float(from_a_metre(face)[rim].std()) for face in DECK.faces}
    brightest_chaos = max(brightness[face.id] for face in CHAOS)
    assert all(brightness[face.id] > 1.5 * brightest_chaos for face in TRACKS + BROKEN)
    assert min(unrest[face.id] for face in CHAOS) > max(unrest[face.id] for face in TRACKS + BROKEN)
    for face in BROKEN:
        unbroken = msgspec.structs.replace(face, kind=Kind.TRACK)
        sign = np.s_[4:24, 64:84]
        assert likeness(from_a_metre(face)[sign], from_a_metre(unbroken)[sign]) < 0.5


def test_all_faces_of_a_deck_differ_either_way_up() -> None:
    small = {
        face.id: cv2.resize(grey(picture(face)).astype(np.float32), (84, 117), interpolation=cv2.INTER_AREA)
        for face in DECK.faces
    }
    detail = {key: image - cv2.GaussianBlur(image, (0, 0), 5) for key, image in small.items()}
    for one, other in combinations(detail, 2):
        assert likeness(detail[one], detail[other]) < 0.8, (one, other)
        assert likeness(detail[one], np.rot90(detail[other], 2)) < 0.8, (one, other)


def test_a_face_is_drawn_the_same_in_every_process() -> None:
    program = (
        "from companion.games.loknroll.artwork.back import back_svg;"
        "from companion.games.loknroll.artwork.card import face_svg; from vision.cards import standard_deck;"
        "print(''.join(map(face_svg, standard_deck('standard-55').faces)) + back_svg((63, 88)), end='')"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "77"}
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)
    assert told.stdout == "".join(map(face_svg, DECK.faces)) + back_svg((63, 88))


def test_a_deck_is_drawn_without_the_fonts_staying_in_memory() -> None:
    program = (
        "import sys; from companion.games.loknroll.artwork.drawn_deck import drawn_deck; drawn_deck('standard-55', 1);"
        "print('fontTools' in sys.modules, end='')"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout == "False"


def test_a_deck_that_is_drawn_has_these_faces_and_this_back() -> None:
    pictures = drawn_deck("standard-55", 2.0)
    assert all((pictures.faces[face.id] == rasterized(face_svg(face), 2.0)).all() for face in DECK.faces)
    assert (pictures.back == rasterized(back_svg(DECK.card_mm), 2.0)).all()


def test_faces_need_no_font() -> None:
    for face in DECK.faces:
        assert "<text" not in face_svg(face)


def test_a_track_without_known_rails_is_refused_by_name() -> None:
    with pytest.raises(DeckError, match="mystery: its rails are not known"):
        face_svg(Face("mystery", 1, Kind.TRACK, 1))


@pytest.mark.parametrize("size", [(63.0, 88.0), (57.0, 87.0), (70.0, 120.0)])
def test_the_back_is_the_same_either_way_up(size: tuple[float, float]) -> None:
    image = rasterized(back_svg(size), 6).astype(int)
    assert image.shape[:2] == (round(size[1] * 6), round(size[0] * 6))
    assert np.abs(image - np.rot90(image, 2)).mean() < 0.5
    assert np.percentile(np.abs(image - np.rot90(image, 2)), 99.5) < 30
    assert grey(image).std() > 25


def test_the_back_is_no_face() -> None:
    image = cv2.resize(grey(rasterized(back_svg((63, 88)), 3).astype(int)).astype(np.float32), (84, 117))
    for face in DECK.faces:
        other = cv2.resize(grey(picture(face)).astype(np.float32), (84, 117))
        assert likeness(image, other) < 0.5


EDGES = st.sampled_from(list(Edge))


@given(
    first=EDGES,
    last=EDGES,
    offsets=st.tuples(st.floats(-1, 1), st.floats(-1, 1)),
    size=st.tuples(st.integers(40, 90), st.integers(40, 120)),
    kind=st.sampled_from([Kind.TRACK, Kind.BROKEN]),
    value=st.integers(1, 4),
)
def test_any_face_can_be_drawn(
    first: Edge, last: Edge, offsets: tuple[float, float], size: tuple[int, int], kind: Kind, value: int
) -> None:
    def port(edge: Edge, share: float) -> Port:
        reach = size[edge in {Edge.E, Edge.W}] / 2 - 0.1
        return Port(edge, round(share * reach, 2))

    ports = (port(first, offsets[0]), port(last, offsets[1]))
    assume(ports[0] != ports[1])
    face = Face("any", value, kind, 1, ports, size_mm=(float(size[0]), float(size[1])))
    image = rasterized(face_svg(face), 4)
    assert image.shape == (size[1] * 4, size[0] * 4, 3)
    assert grey(image.astype(int)).std() > 10


@pytest.mark.parametrize("radians", [0, 1, 2, 3, 4, 5])
def test_distances_from_a_bend(radians: float) -> None:
    """A bend of 28 mm from S to W: points at a known distance from its arc."""
    line = CentreLine(Face("bend", 1, Kind.TRACK, 1, (Port(Edge.S), Port(Edge.W))))
    angle = radians / 5 * math.pi / 2
    centre, reach = (31.5 - 28, 44 + 28), 28 + 5
    point = centre[0] + reach * math.cos(angle), centre[1] - reach * math.sin(angle)
    assert line.distance_to(point) == pytest.approx(5, abs=0.02)
    assert line.length == pytest.approx(3.5 + 28 * math.pi / 2 + 16, abs=0.02)


def test_every_deck_of_the_program_can_be_drawn() -> None:
    decks: list[Deck] = [standard_deck("standard-55"), standard_deck("standard-50")]
    drawn = {face.id: face_svg(face) for deck in decks for face in deck.faces}
    assert len(set(drawn.values())) == len(drawn) == 24
