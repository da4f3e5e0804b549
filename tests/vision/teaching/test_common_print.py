"""Cards of a session that lie askew in their outlines are moved to where what they share with others is printed."""

import cv2
import numpy as np
import pytest

from tests.vision.random_decks.random_deck import random_deck
from tests.vision.teaching import drawn_deck
from tests.vision.teaching.drawn_deck import CARD_MM
from vision.arrays import Corners, Picture
from vision.cards import Pose
from vision.outlines.viewpoint import estimate_viewpoint
from vision.rendering import Light, LyingCard, Renderer, Scene, Sensor, Tabletop, camera_above
from vision.teaching.common_table import CommonTable
from vision.teaching.lone_card import LoneCard
from vision.teaching.photographs.common_print import laid_by_print
from vision.teaching.photographs.kept_photographs import CardOnTable, Kept, Zoomed

SIZE = (1100, 825)
PLACES = [
    *((400, 300, 3), (425, 318, -6), (378, 290, 5), (410, 272, -2)),
    *((385, 330, 0), (432, 285, 7), (368, 312, -4), (400, 262, 2)),
    *((422, 336, -3), (374, 268, 1)),
]
FRAME_MM, FRAME = 3, (60, 45, 35)
UNFRAMED = 203
"""A deck whose cards share nothing that looks the same upside down."""
ALMOST_THE_FRAME_S = (80, 60, 50)


def framed_faces() -> dict[str, Picture]:
    """Four values of three kinds of rails, in dark frames."""
    inside = slice(FRAME_MM * drawn_deck.PX_PER_MM, -FRAME_MM * drawn_deck.PX_PER_MM)
    faces = {}
    for face in drawn_deck.faces()[: len(PLACES)]:
        drawn = drawn_deck.cut_out(face, 0)
        faces[face.id] = np.full_like(drawn, FRAME)
        faces[face.id][inside, inside] = drawn[inside, inside]
    return faces


def photographs(tabletop: Tabletop, faces: dict[str, Picture]) -> list[tuple[Picture, Corners]]:
    """A session of as many faces as there are places, and where the corners of each card are."""
    renderer = Renderer(
        camera_above((400, 300), 560, SIZE, tilt_deg=12.0), tabletop, faces, next(iter(faces.values())), CARD_MM
    )
    taken = []
    for number, (face, (x, y, turn_deg)) in enumerate(zip(faces, PLACES, strict=False)):
        card = LyingCard(face, Pose(x, y, turn_deg))
        seen = renderer.photograph(Scene(cards=(card,)), Light(glare=0.0), Sensor(blur_px=0.7), number)
        taken.append((seen.picture, renderer.corners(card)))
    return taken


def off_mm(outline: Corners, truth: Corners) -> float:
    px_per_mm = LoneCard(truth, 1.0).px_per_mm(CARD_MM)
    worst = min(np.linalg.norm(np.roll(outline, turn, axis=0) - truth, axis=1).max() for turn in (0, 2))
    return float(worst / px_per_mm)


def askew(outline: Corners, shift_mm: tuple[float, float], turn_deg: float) -> Corners:
    shift_px = np.array(shift_mm) * LoneCard(outline, 1.0).px_per_mm(CARD_MM)
    x, y = (float(value) for value in outline.mean(axis=0))
    turned = cv2.transform(outline[None], cv2.getRotationMatrix2D((x, y), turn_deg, 1.0))[0]
    return np.asarray(turned + shift_px, float)


def laid(taken: list[tuple[Picture, Corners]], ways: list[list[Corners]]) -> list[Corners]:
    truths = np.array([truth for _, truth in taken])
    kept = [Kept(LoneCard(truth, 1.0), SIZE, Zoomed(picture, (0, 0), 1.0)) for picture, truth in taken]
    view = estimate_viewpoint(truths, CARD_MM, SIZE)
    return laid_by_print(CardOnTable(CARD_MM), view, kept, ways)


@pytest.mark.parametrize("corner", [0, 2], ids=["all alike", "upside down"])
def test_a_card_that_lies_askew_is_moved_to_its_print_and_no_other(corner: int) -> None:
    """Whichever way up it was photographed: an outline does not tell."""
    faces = random_deck(UNFRAMED).faces
    taken = photographs(Tabletop("felt", (35, 100, 60), gloss=0.0), faces)
    ways = [[truth] for _, truth in taken]
    ways[5] = [np.roll(askew(taken[5][1], (1.3, -0.9), 0.5), corner, axis=0)]
    outlines = laid(taken, ways)
    assert off_mm(ways[5][0], taken[5][1]) > 1.7
    assert off_mm(outlines[5], taken[5][1]) < 0.5
    assert all(np.array_equal(outlines[index], ways[index][0]) for index in range(len(taken)) if index != 5)


def test_a_card_is_looked_for_where_else_it_may_lie() -> None:
    taken = photographs(Tabletop("felt", (35, 100, 60), gloss=0.0), framed_faces())
    far, near = askew(taken[3][1], (14.0, 9.0), 0.0), askew(taken[3][1], (0.8, -0.6), 0.0)
    ways = [[truth, truth] for _, truth in taken]
    for second, expected in ((far, False), (near, True)):
        ways[3] = [far, second]
        assert (off_mm(laid(taken, ways)[3], taken[3][1]) < 0.3) is expected


def test_a_card_that_may_lie_elsewhere_is_moved_for_less() -> None:
    """It was taught 2.7 mm askew though a place was known at which its print fitted better."""
    taken = photographs(Tabletop("felt", (35, 100, 60), gloss=0.0), random_deck(377).faces)
    ways = [[truth] for _, truth in taken]
    ways[0] = [askew(taken[0][1], (2.0, 1.0), 0.5), taken[0][1]]
    assert off_mm(ways[0][0], taken[0][1]) > 2.5
    assert off_mm(laid(taken, ways)[0], taken[0][1]) < 0.4


@pytest.mark.parametrize("shift_mm", [(0.4, 0.0), (0.3, -0.3)])
def test_a_card_that_is_sure_stays_where_its_likes_lie_a_little_askew(shift_mm: tuple[float, float]) -> None:
    taken = photographs(Tabletop("felt", (35, 100, 60), gloss=0.0), random_deck(UNFRAMED).faces)
    ways = [[askew(truth, shift_mm, 0.0)] for _, truth in taken]
    ways[5] = [taken[5][1]]
    assert np.array_equal(laid(taken, ways)[5], taken[5][1])


def test_a_few_cards_tell_nothing_of_each_other() -> None:
    taken = photographs(Tabletop("felt", (35, 100, 60), gloss=0.0), framed_faces())[:5]
    ways = [[truth] for _, truth in taken]
    ways[3] = [askew(taken[3][1], (1.8, -1.2), 1.5)]
    assert np.array_equal(laid(taken, ways), [way for (way,) in ways])


def test_a_dark_frame_on_a_dark_table_leads_no_single_card_astray() -> None:
    random = np.random.default_rng(2)
    table, taken = CommonTable(CARD_MM), photographs(Tabletop("felt", ALMOST_THE_FRAME_S, gloss=0.0), framed_faces())
    for number, (picture, truth) in enumerate(taken):
        shift_mm = (2.0, 1.5) if number == 3 else (random.normal(0, 0.5), random.normal(0, 0.5))
        table.add(picture, LoneCard(askew(truth, shift_mm, 0.0), 0.9))
    found = [card for card in table.settled() if card is not None]
    assert len(found) == len(taken)
    assert max(off_mm(card.corners_px, truth) for card, (_, truth) in zip(found, taken, strict=True)) < 0.4
