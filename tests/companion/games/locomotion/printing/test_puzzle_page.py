"""The page with a puzzle, rendered and measured: nothing leaves it, no text lies on anything else."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import NamedTuple

import numpy as np
import pypdfium2
import pytest
from pypdfium2 import raw as pdfium

from companion.games.drawing.paper import PAPERS
from companion.games.locomotion.artwork.vehicles import COLOURS
from companion.games.locomotion.networks import Wish, draw_network, draw_start
from companion.games.locomotion.printing.puzzle_page import SIDE_MM, print_puzzle
from companion.games.locomotion.rules import Motion, load_piece
from companion.games.locomotion.rules.motions import motions, position
from companion.games.locomotion.strategy.puzzles import Difficulty, DrawnPuzzle, Tries
from companion.games.locomotion.strategy.solver.counting import Shortest
from companion.texts.language import LANGUAGES

PX = 3.0
"""Pixels a mm."""
POINT_MM = 25.4 / 72


class Area(NamedTuple):
    """In mm from the page's top left corner."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Area) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def puzzle(shape: str, pieces: int, wagons: int, steps: int, seed: int) -> DrawnPuzzle:
    """With any legal steps for a plan: a page has to have room for each."""
    random = Random(seed)
    network = draw_network(random, load_piece(shape), pieces, Wish(pieces // 4 or None)).network
    found = draw_start(random, network, wagons)
    plan: list[Motion] = []
    here = position(found.start())
    while len(plan) < steps:
        motion, here = random.choice(list(motions(here)))
        plan.append(motion)
    return DrawnPuzzle(seed, found, tuple(plan), Shortest(steps, 1, tuple(plan), random.choice((1, 12345))), Tries())


def printed(drawn: DrawnPuzzle, paper: str, language: str, title: str = "Puzzle 7") -> pypdfium2.PdfDocument:
    difficulty = Difficulty(len(drawn.plan), 40, len(drawn.plan), drawn.shortest.plans)
    return pypdfium2.PdfDocument(print_puzzle(drawn, difficulty, title, PAPERS[paper], language))


def texts(page: pypdfium2.PdfPage) -> list[tuple[str, Area]]:
    """Each line of text, and where its letters are."""
    text, height = page.get_textpage(), page.get_height()
    areas = []
    for index in range(text.count_rects()):
        left, bottom, right, top = text.get_rect(index)
        told = text.get_text_bounded(left, bottom, right, top).strip()
        edges = (left, height - top, right, height - bottom)
        areas.append((told, Area(*(edge * POINT_MM for edge in edges))))
    return areas


def without_text(page: pypdfium2.PdfPage) -> np.ndarray:
    for thing in list(page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_TEXT])):
        page.remove_obj(thing)
    page.gen_content()
    return np.asarray(page.render(scale=PX * POINT_MM).to_numpy()[:, :, ::-1])


def cut(image: np.ndarray, area: Area) -> np.ndarray:
    left, top, right, bottom = (round(edge * PX) for edge in area)
    return image[top:bottom, left:right]


def check_layout(drawn: DrawnPuzzle, paper: str, language: str) -> None:
    """Fails where the page is not one, something leaves it, or a text meets a text or lies on a drawing."""
    document = printed(drawn, paper, language)
    assert len(document) == 1
    page = document[0]
    width, height = PAPERS[paper].width, PAPERS[paper].height
    assert page.get_size() == pytest.approx((width / POINT_MM, height / POINT_MM), abs=0.1)
    told = texts(page)
    inside = Area(SIDE_MM - 1, SIDE_MM - 1, width - SIDE_MM + 1, height - SIDE_MM + 1)
    for text, area in told:
        assert area.left > inside.left, text
        assert area.top > inside.top, text
        assert area.right < inside.right, text
        assert area.bottom < inside.bottom, text
    for (text, area), (other_text, other) in combinations(told, 2):
        assert not area.meets(other), (text, other_text)
    drawing = without_text(page)
    for text, area in told:
        assert np.ptp(cut(drawing, area), axis=(0, 1)).max() < 8, text
    around = drawing.copy()
    cut(around, inside)[:] = 255
    assert around.min() == 255


@pytest.mark.parametrize(
    ("shape", "pieces", "steps", "paper", "language"), [("T", 8, 120, "a4", "de"), ("X", 2, 8, "letter", "es")]
)
def test_nothing_overlaps_or_leaves_the_page(shape: str, pieces: int, steps: int, paper: str, language: str) -> None:
    check_layout(puzzle(shape, pieces, 4, steps, seed=5), paper, language)


@pytest.mark.further
@pytest.mark.parametrize("seed", range(30))
def test_nothing_overlaps_on_any_page(seed: int) -> None:
    random = Random(seed)
    pieces, wagons = random.choice((3, 4, 8, 13, 20, 30, 45)), random.randint(2, 4)
    drawn = puzzle(random.choice("TXD"), pieces, wagons, random.randint(5, 250), seed)
    check_layout(drawn, random.choice(list(PAPERS)), random.choice(LANGUAGES))


def test_the_page_shows_wagons_in_their_colours_and_the_solution_upside_down() -> None:
    page = printed(puzzle("T", 4, 4, 20, seed=1), "a4", "en", "Puzzle 123")[0]
    told = dict(texts(page))
    assert told["Puzzle 123"].bottom < 30
    assert told["Solution in 20 steps"].top > 200
    # Upside down a line ends at the left: its first letter is the rightmost one.
    text = page.get_textpage()
    at = text.get_text_range().index("Solution in")
    assert text.get_charbox(at)[0] > text.get_charbox(at + len("Solution i"))[0]
    pixels = np.reshape(without_text(page), (-1, 3))
    for colour in COLOURS.values():
        wanted = np.frombuffer(bytes.fromhex(colour[1:]), np.uint8).astype(int)
        assert (np.abs(pixels - wanted).max(axis=1) < 3).sum() > 300
