"""How much the pattern of a face is like what lies at a place."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.deck_pictures import DeckPictures
from vision.faces.card_shape import CardShape
from vision.faces.face_patterns import FacePatterns

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

PX_PER_MM = 1.5
CENTRE_PX = (150.0, 160.0)
EMMA_MM = np.array([(-8.0, -18.0), (8.0, -18.0), (8.0, 18.0), (-8.0, 18.0)])
BLACK = (12, 10, 10)
ALIKE = ("track-1-straight", "track-2-straight", "track-3-straight", "track-4-straight", "broken-3")
"""Faces with the same rails: they differ by numerals and the break."""


@pytest.fixture(scope="module")
def patterns(second: DeckPictures) -> FacePatterns:
    random = np.random.default_rng(1)
    faces = [badly_cut_out(second.faces[face], random.normal(0, 0.4, 2), second.deck.card_mm) for face in ALIKE]
    return FacePatterns(faces, CardShape(second.deck.card_mm))


def outline_mm(pictures: DeckPictures) -> Floats:
    width, height = pictures.deck.card_mm
    return np.array([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2


def corners_at(pictures: DeckPictures, off_mm: tuple[float, float] = (0, 0), degrees: float = 0.0) -> Floats:
    """A card's corners in the picture, so far off from where it lies."""
    angle = np.radians(degrees)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray((outline_mm(pictures) @ turn.T + off_mm) * PX_PER_MM + CENTRE_PX)


def photograph(pictures: DeckPictures, face: str, emma_mm: tuple[float, float] | None = None) -> Image:
    """The card on a grey table, Emma on it with her centre so far from the card's."""
    picture = np.full((320, 300, 3), 150, np.uint8)
    card = pictures.faces[face]
    height, width = card.shape[:2]
    outline = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(outline, corners_at(pictures).astype(np.float32))
    cv2.warpPerspective(card, matrix, picture.shape[1::-1], picture, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    if emma_mm is not None:
        cv2.fillConvexPoly(picture, ((EMMA_MM + emma_mm) * PX_PER_MM + CENTRE_PX).round().astype(np.int32), BLACK)
    noise = np.random.default_rng(3).normal(0, 4, picture.shape)
    return np.asarray(np.clip(cv2.GaussianBlur(picture, (0, 0), 0.7) + noise, 0, 255), dtype=np.uint8)


def badly_cut_out(face: Image, off_mm: Floats, card_mm: tuple[float, float]) -> Image:
    """A face as cut out of a photograph in which its edges were not found to a part of a millimetre."""
    px = face.shape[1] / card_mm[0]
    shift = np.array([[1, 0, off_mm[0] * px], [0, 1, off_mm[1] * px]])
    moved = cv2.warpAffine(face, shift, face.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, dtype=np.uint8)


@pytest.mark.parametrize("emma_mm", [None, (11.0, 0.0), (9.0, -6.0)])
@pytest.mark.parametrize("face", ALIKE)
def test_a_face_is_alike_just_where_it_lies_though_emma_hides_a_part(
    second: DeckPictures, patterns: FacePatterns, face: str, emma_mm: tuple[float, float] | None
) -> None:
    picture = photograph(second, face, emma_mm)
    half = np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    there, turned, beside, askew = (
        patterns.likeness(half, corners, ALIKE.index(face))
        for corners in (
            corners_at(second),
            np.roll(corners_at(second), 2, axis=0),
            corners_at(second, (6.0, 4.0)),
            corners_at(second, degrees=15.0),
        )
    )
    assert there > 0.6
    assert max(beside, askew) < 0.5 * there
    assert turned < 0.9 * there  # straight tracks are much like themselves turned


@pytest.mark.parametrize("gains", [(0.45, 0.8, 1.0), (0.4, 0.4, 0.4)], ids=["warm", "dim"])
def test_a_lamp_changes_no_pattern(
    second: DeckPictures, patterns: FacePatterns, gains: tuple[float, float, float]
) -> None:
    picture = photograph(second, ALIKE[0])
    lit = np.asarray(picture * np.array(gains), np.uint8)
    one, other = (
        patterns.likeness(np.asarray(cv2.resize(seen, None, fx=0.5, fy=0.5)), corners_at(second), 0)
        for seen in (picture, lit)
    )
    assert other == pytest.approx(one, abs=0.1)
