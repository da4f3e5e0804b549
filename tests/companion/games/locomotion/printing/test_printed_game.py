"""The whole printed game, measured on the paths and texts of its PDF."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from itertools import combinations
from typing import Final, NamedTuple

import cv2
import numpy as np
import pypdfium2
import pytest

from companion.games.drawing.canvas import Canvas
from companion.games.drawing.paper import MARGIN_MM, PAPERS
from companion.games.drawing.raster import rasterized
from companion.games.locomotion.artwork.vehicles import COLOURS
from companion.games.locomotion.printing import vehicles
from companion.games.locomotion.printing.book import CannotBeCut, print_game
from companion.games.locomotion.printing.cards import back_svg
from companion.games.locomotion.printing.outline import CELL_MM
from companion.games.locomotion.rules import Piece, load_piece, piece_names
from companion.games.locomotion.rules.piece import Track
from companion.texts.language import LANGUAGES
from tests.companion.games.locomotion.printing.drawn_paths import DrawnPath, drawn_paths
from tests.companion.games.locomotion.printing.test_puzzle_page import PX, Area, cut, texts, without_text

NAMES: Final = {
    "en": ("Red", "Yellow", "Green", "Blue", "Locomotive", "Wagon", "Speed"),
    "de": ("Rot", "Gelb", "Grün", "Blau", "Lok", "Wagen", "Geschwindigkeit"),
    "es": ("Rojo", "Amarillo", "Verde", "Azul", "Locomotora", "Vagón", "Velocidad"),
}
EDGE_MM: Final = 1.5
"""So near to the paper's edge there is nothing; marks for the scissors are in the margin."""


class Page(NamedTuple):
    """``bare`` is rendered without the texts."""

    paths: list[DrawnPath]
    texts: list[tuple[str, Area]]
    bare: np.ndarray


@cache
def book(name: str, pieces: int, paper: str, language: str) -> list[Page]:
    pages = pypdfium2.PdfDocument(print_game(load_piece(name), pieces, PAPERS[paper], language))
    return [Page(list(drawn_paths(page)), texts(page), without_text(page)) for page in pages]


BOOKS: Final = [
    ("T", 7, "a4", "de"),
    *(
        pytest.param(name, pieces, paper, language, marks=pytest.mark.further)
        for name in piece_names()
        for paper in PAPERS
        for pieces, language in zip((45, 1, 40), LANGUAGES, strict=True)
    ),
]
every_book = pytest.mark.parametrize(("name", "pieces", "paper", "language"), BOOKS)


@every_book
@pytest.mark.rule("LMAT1")
def test_everything_is_there_as_often_as_the_game_has_it(name: str, pieces: int, paper: str, language: str) -> None:
    cover, *pages = book(name, pieces, paper, language)
    drawn = [path for page in pages for path in page.paths]
    assert sum(map(is_cut_out, drawn)) == pieces
    filled = Counter((path.fill, tuple(round(side, 1) for side in path.size)) for path in drawn)
    for colour in COLOURS.values():
        paint = tuple(bytes.fromhex(colour[1:]))
        assert filled[paint, (vehicles.LONG, vehicles.WIDE)] == 4  # tops of wagons
        assert filled[paint, (vehicles.WIDE, vehicles.CAB_LONG)] == 1  # a locomotive's roof
    told = Counter(text for page in pages for text, _ in page.texts)
    *colours, locomotive, wagon, speed = NAMES[language]
    assert {colour: told[colour] for colour in colours} == dict.fromkeys(colours, 2)
    assert {number: told[str(number)] for number in range(8)} == {**dict.fromkeys(range(7), 4), 7: 0}
    assert (told[locomotive], told[wagon], told[speed]) == (4, 4, 28)
    assert any(text.startswith(f"{pieces} ") for text, _ in cover.texts)


def is_cut_out(path: DrawnPath) -> bool:
    """Whether it is the outline of a piece: there are no other lines with so many bends."""
    return path.fill is None and path.stroke == (0, 0, 0) and len(path.points) > 100


@every_book
def test_nothing_overlaps_or_leaves_the_paper(name: str, pieces: int, paper: str, language: str) -> None:
    width, height = PAPERS[paper].width, PAPERS[paper].height
    cover, *pages = book(name, pieces, paper, language)
    for text, area in cover.texts:
        assert np.ptp(cut(cover.bare, area), axis=(0, 1)).max() < 8, text
    for page in (cover, *pages):
        for (text, area), (other_text, other) in combinations(page.texts, 2):
            assert not area.meets(other), (text, other_text)
        for text, area in page.texts:
            assert MARGIN_MM < area.left < area.right < width - MARGIN_MM, text
            assert MARGIN_MM < area.top < area.bottom < height - MARGIN_MM, text
        cuts = [Area(*path.points.min(axis=0), *path.points.max(axis=0)) for path in page.paths if is_cut_out(path)]
        assert not any(one.meets(other) for one, other in combinations(cuts, 2))
        around = page.bare.copy()
        cut(around, Area(EDGE_MM, EDGE_MM, width - EDGE_MM, height - EDGE_MM))[:] = 255
        assert around.min() == 255


def test_vehicles_lie_apart_on_their_sheet() -> None:
    nets = book("T", 7, "a4", "de")[4].bare.min(axis=2) < 250
    _, _, stats, _ = cv2.connectedComponentsWithStats(nets.astype(np.uint8))
    assert sum(part[cv2.CC_STAT_AREA] > 100 * PX**2 for part in stats[1:]) == 4 + 16


def test_a_vehicle_may_be_turned_on_its_dot() -> None:
    assert math.hypot(vehicles.LONG, vehicles.WIDE) < CELL_MM


def net_outline(net: str) -> np.ndarray:
    canvas = Canvas(PAPERS["a4"], "net")
    canvas.add_page()
    canvas.draw(net)
    paths = drawn_paths(pypdfium2.PdfDocument(canvas.finished())[0])
    return next(path.points for path in paths if path.fill is None and path.stroke == (0, 0, 0))


def test_hoods_close() -> None:
    """The strip of walls is as long as the edge of what it stands around."""
    wagon = np.ptp(net_outline(vehicles.wagon_net(3)), axis=0)
    assert wagon == pytest.approx((2 * (15 + 9.4), 9 + 9.4), abs=0.02)
    outline = net_outline(vehicles.locomotive_net(2))
    around, high = np.ptp(outline, axis=0)
    assert high == pytest.approx(13 + 7 + 4 + 8, abs=0.02)
    edges = np.abs(np.diff(outline, axis=0))
    slanting = [math.hypot(*edge) for edge in edges if edge.min() > 0.05]
    nose = next(x for (x, _), end in zip(edges, outline, strict=False) if end[1] == outline[:, 1].min() and x > 0.05)
    assert len(slanting) == 2
    assert around == pytest.approx(9.4 + 2 * 7 + sum(slanting) + nose, abs=0.03)


def test_a_card_is_not_told_by_how_its_back_lies() -> None:
    back = rasterized(back_svg(), 6).astype(int)
    assert np.abs(back - back[::-1, ::-1]).mean() < 3


def test_the_ruler_is_50_mm_long() -> None:
    lines = [path.size for path in book("T", 7, "a4", "de")[0].paths if path.fill is None]
    assert any(size == pytest.approx((50, 0), abs=0.05) for size in lines)


def piece(*cells: tuple[int, int]) -> Piece:
    return Piece("own", cells, tuple(Track(cell, ("W", "E")) for cell in cells))


@pytest.mark.parametrize(
    ("cells", "reason"),
    [([(0, 0), (1, 1)], "print.several-parts"), ([(x, 0) for x in range(16)], "print.too-large")],
)
def test_what_cannot_be_cut_is_refused(cells: list[tuple[int, int]], reason: str) -> None:
    with pytest.raises(CannotBeCut) as refused:
        print_game(piece(*cells), 1, PAPERS["a4"], "en")
    assert refused.value.reason == reason


@pytest.mark.further
def test_a_long_piece_is_printed_upright() -> None:
    """Fourteen cells are longer than the paper is wide."""
    pages = pypdfium2.PdfDocument(print_game(piece(*((x, 0) for x in range(14))), 9, PAPERS["a4"], "en"))
    (cut_out, *_) = cuts = [path for page in list(pages)[1:3] for path in drawn_paths(page) if is_cut_out(path)]
    assert len(cuts) == 9
    assert cut_out.size[1] > 14 * CELL_MM > cut_out.size[0]
