"""Faces that were cut out a little wrongly are laid over one another, and then their values show."""

from itertools import pairwise

import cv2
import numpy as np

from tests.vision.random_decks.random_deck import random_deck
from vision.arrays import Floats, Picture
from vision.cards import Edge
from vision.teaching.even_faces import PX_PER_MM
from vision.teaching.faces_together import laid_together
from vision.teaching.untold_deck import Doubt, read_faces

DECK = random_deck(408)
"""Plain, its numerals 3 mm high."""
CARD_MM = DECK.deck.card_mm
SIZE = tuple(round(side * PX_PER_MM) for side in CARD_MM)


def cut_out_wrongly(off_mm: float) -> list[Picture]:
    """All faces a little softly, each corner off by so much (a deviation)."""
    random = np.random.default_rng(1)
    outline = np.array([(0, 0), (SIZE[0], 0), SIZE, (0, SIZE[1])], np.float32)
    pictures = []
    for face in DECK.deck.faces:
        whole = cv2.resize(DECK.faces[face.id], SIZE, interpolation=cv2.INTER_AREA)
        off = (outline + random.normal(0, off_mm * PX_PER_MM, (4, 2))).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(outline, off)
        seen = cv2.GaussianBlur(cv2.warpPerspective(whole, matrix, SIZE, borderMode=cv2.BORDER_REPLICATE), (0, 0), 0.8)
        pictures.append((seen + random.normal(0, 2, seen.shape)).clip(0, 255).astype(np.uint8))
    return pictures


def apart(pictures: list[Picture]) -> Floats:
    """How far each straight one is from the next, as light (root of the mean square)."""
    straight = [
        cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[10:-10, 10:-10].astype(float)
        for picture, face in zip(pictures, DECK.deck.faces, strict=True)
        if face.shape == "straight" and face.id.startswith("track")
    ]
    return np.array([np.sqrt(np.mean((one - following) ** 2)) for one, following in pairwise(straight)])


def test_faces_with_the_same_rails_are_laid_over_one_another() -> None:
    straight = [index for index, face in enumerate(DECK.deck.faces) if Edge.N in {port.edge for port in face.ports}]
    askew, exact = cut_out_wrongly(0.6), cut_out_wrongly(0.0)
    laid = laid_together(askew, [straight], CARD_MM)
    assert apart(askew).min() > 2 * apart(exact).max()
    assert apart(laid).max() < 1.3 * apart(exact).max()
    others = [index for index in range(len(askew)) if index not in straight]
    assert all(laid[index] is askew[index] for index in others)


def test_values_are_told_though_faces_were_cut_out_wrongly() -> None:
    """Rails that do not lie on each other differed more than small numerals: of 24 faces 11 had their values."""
    read = read_faces(cut_out_wrongly(0.6), CARD_MM)
    pairs = {(one.face.value, face.value) for one, face in zip(read, DECK.deck.faces, strict=True)}
    assert len(pairs) == 4
    assert sum(Doubt.VALUE in one.doubts for one in read) <= 2


def test_faces_alone_with_their_rails_stay_as_they_are() -> None:
    pictures = cut_out_wrongly(0.6)[:2]
    laid = laid_together(pictures, [[0], [1]], CARD_MM)
    assert all(one is other for one, other in zip(laid, pictures, strict=True))
