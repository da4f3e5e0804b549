"""Faces that were cut out a little wrongly are laid over one another, and then their values show."""

from itertools import pairwise

import cv2
import numpy as np
import pytest

from tests.vision.random_decks.random_deck import random_deck
from vision.arrays import Floats, Picture
from vision.cards import Edge
from vision.deck_pictures import DeckPictures
from vision.teaching.even_faces import PX_PER_MM
from vision.teaching.faces_together import laid_together
from vision.teaching.untold_deck import Doubt, read_faces


@pytest.fixture(scope="module")
def deck() -> DeckPictures:
    """Plain, with small numerals."""
    return random_deck(408)


def cut_out_wrongly(deck: DeckPictures, off_mm: float) -> list[Picture]:
    """All faces a little softly, each corner off by so much (a deviation)."""
    random, size = np.random.default_rng(1), tuple(round(side * PX_PER_MM) for side in deck.deck.card_mm)
    outline = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32)
    pictures = []
    for face in deck.deck.faces:
        whole = cv2.resize(deck.faces[face.id], size, interpolation=cv2.INTER_AREA)
        off = (outline + random.normal(0, off_mm * PX_PER_MM, (4, 2))).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(outline, off)
        seen = cv2.GaussianBlur(cv2.warpPerspective(whole, matrix, size, borderMode=cv2.BORDER_REPLICATE), (0, 0), 0.8)
        pictures.append((seen + random.normal(0, 2, seen.shape)).clip(0, 255).astype(np.uint8))
    return pictures


def apart(deck: DeckPictures, pictures: list[Picture]) -> Floats:
    """How far each straight one is from the next, as light (root of the mean square)."""
    straight = [
        cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[10:-10, 10:-10].astype(float)
        for picture, face in zip(pictures, deck.deck.faces, strict=True)
        if face.shape == "straight" and face.id.startswith("track")
    ]
    return np.array([np.sqrt(np.mean((one - following) ** 2)) for one, following in pairwise(straight)])


def test_faces_with_the_same_rails_are_laid_over_one_another(deck: DeckPictures) -> None:
    straight = [index for index, face in enumerate(deck.deck.faces) if Edge.N in {port.edge for port in face.ports}]
    askew, exact = cut_out_wrongly(deck, 0.6), cut_out_wrongly(deck, 0.0)
    laid = laid_together(askew, [straight], deck.deck.card_mm)
    assert apart(deck, askew).min() > 2 * apart(deck, exact).max()
    assert apart(deck, laid).max() < 1.3 * apart(deck, exact).max()
    others = [index for index in range(len(askew)) if index not in straight]
    assert all(laid[index] is askew[index] for index in others)


def test_values_are_told_though_faces_were_cut_out_wrongly(deck: DeckPictures) -> None:
    """Rails that do not lie on each other differed more than small numerals: of 24 faces 11 had their values."""
    read = read_faces(cut_out_wrongly(deck, 0.6), deck.deck.card_mm)
    pairs = {(one.face.value, face.value) for one, face in zip(read, deck.deck.faces, strict=True)}
    assert len(pairs) == 4
    assert sum(Doubt.VALUE in one.doubts for one in read) <= 2


def test_faces_alone_with_their_rails_stay_as_they_are(deck: DeckPictures) -> None:
    pictures = cut_out_wrongly(deck, 0.6)[:2]
    laid = laid_together(pictures, [[0], [1]], deck.deck.card_mm)
    assert all(one is other for one, other in zip(laid, pictures, strict=True))
