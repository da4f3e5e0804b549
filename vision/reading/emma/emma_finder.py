"""Where Emma stands: the small locomotive, found as what hides a card's face where her outline would.

She may be of any colour that the card under her has not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, Protocol

import cv2
import numpy as np

from vision.arrays import Corners, Floats32, Indices, Picture, Points
from vision.cards import CARD_MM
from vision.reading.emma.hidden_spots import hidden_spots
from vision.viewpoint import Viewpoint, estimate_viewpoint

EMMA_MM: Final = (15.0, 36.0)
"""Her width and length."""
OUTLINE_HEIGHT_MM: Final = 17.0
"""Of her 22 mm, what leans visibly: cab and boiler; the chimney is thin."""
REACH_MM: Final = (18.0, 22.0)
"""How far from a card's centre her foot may be, across and down the upright face."""
LEAST_CONFIDENCE: Final = 0.2
"""Of 110 cards of 50 decks for building on which she stands the least had 0.32; without her two tables of 190 had more,
0.22 and 0.29."""

_RIM_MM: Final = 4.0
_RIM_WEIGHT: Final = -0.5
_STEP_MM: Final = 2.0
_ANGLES_DEG: Final = tuple(range(0, 180, 15))
_TRIED_CLOSELY: Final = 3
"""How many cards are compared with her outline; the others have too little that is dark."""


class CardOnTable(Protocol):
    """A card that has been read: its face's id and its corners (4 × 2, px) from the upright top left, clockwise."""

    @property
    def face(self) -> str:
        """The id of its face."""

    @property
    def corners_px(self) -> Corners:
        """Its corners, 4 × 2."""


class EmmaSighting(NamedTuple):
    """Emma: the index of the reading on which she stands, where she touches it (2,), and from 0 to 1 how surely.

    ``outline_px`` (n × 2) is what she hides of the picture.
    """

    card: int
    foot_px: Points
    confidence: float
    outline_px: Points


class _CoveredCard(NamedTuple):
    """A card (its index), how much each mm of it looks hidden (-1 to 1), and what that promises."""

    card: int
    hidden: Floats32
    promise: float


class EmmaFinder:
    """Finds Emma on the cards of a deck."""

    def __init__(self, faces: Mapping[str, Picture], card_mm: tuple[float, float] = CARD_MM) -> None:
        """``faces``: upright pictures (h × w × 3, B, G, R) of any size and light by their ids."""
        self._faces = faces
        self._card_mm = card_mm
        self._size = (round(card_mm[0]), round(card_mm[1]))
        self._expected: dict[str, Picture] = {}

    def find(self, picture: Picture, readings: Sequence[CardOnTable]) -> EmmaSighting | None:
        """Emma in a picture (h × w × 3, B, G, R) in which these cards lie; None if she is not on any of them."""
        known = [index for index, reading in enumerate(readings) if reading.face in self._faces]
        if not known:
            return None
        seen = [self._rectified(picture, readings[index].corners_px) for index in known]
        faces = [self._face(readings[index].face) for index in known]
        # She is high enough to be seen leaning: how far is told by where the camera is, and that by the cards.
        corners = np.array([readings[index].corners_px for index in known], dtype=float)
        height, width = picture.shape[:2]
        viewpoint = estimate_viewpoint(corners, self._card_mm, (width, height))
        covered = [_covered(index, hidden_spots(*both)) for index, *both in zip(known, seen, faces, strict=True)]
        best = self._best_of(covered, readings, viewpoint)
        return None if best is None or best.confidence < LEAST_CONFIDENCE else best

    def on_card(self, picture: Picture, reading: CardOnTable, viewpoint: Viewpoint) -> EmmaSighting:
        """Where on this card, and how surely, she stands if she stands on it; the table is seen from there."""
        hidden = hidden_spots(self._rectified(picture, reading.corners_px), self._face(reading.face))
        return self._stand(_covered(0, hidden), reading, viewpoint)

    def _best_of(
        self, covered: Sequence[_CoveredCard], readings: Sequence[CardOnTable], viewpoint: Viewpoint
    ) -> EmmaSighting | None:
        """Where her outline hides one of these cards best."""
        best: EmmaSighting | None = None
        for one in sorted(covered, key=lambda one: -one.promise)[:_TRIED_CLOSELY]:
            found = self._stand(one, readings[one.card], viewpoint)
            if best is None or found.confidence > best.confidence:
                best = found
        return best

    def _stand(self, covered: _CoveredCard, reading: CardOnTable, viewpoint: Viewpoint) -> EmmaSighting:
        """Where her outline hides a card best."""
        card_px = np.asarray(reading.corners_px, dtype=float)
        towards = viewpoint.lean(card_px.mean(axis=0, keepdims=True))[0]
        lean = _seen_from_card(towards, viewpoint.on_table(card_px), self._card_mm)
        score, foot_mm, outline_mm = _best_stand(covered.hidden, lean)
        foot_px, outline_px = (self._in_picture(points, card_px) for points in (foot_mm, outline_mm))
        return EmmaSighting(covered.card, foot_px, score, outline_px)

    def _face(self, face: str) -> Picture:
        """What a card of this face shows, 1 mm each pixel."""
        if face not in self._expected:
            self._expected[face] = _scaled(self._faces[face], self._size)
        return self._expected[face]

    def _rectified(self, picture: Picture, corners_px: Corners) -> Picture:
        """The card upright, 1 mm each pixel; its pixel centres lie at half millimetres."""
        width, height = self._size
        upright = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32) - np.float32(0.5)
        to_card = cv2.getPerspectiveTransform(np.asarray(corners_px, dtype=np.float32), upright)
        # White beyond the picture's border: what cannot be seen is not taken for Emma.
        white = (255, 255, 255)
        card = cv2.warpPerspective(picture, to_card, self._size, flags=cv2.INTER_LINEAR, borderValue=white)
        return np.asarray(card, dtype=np.uint8)

    def _in_picture(self, points_mm: Points, corners_px: Corners) -> Points:
        width, height = self._size
        upright = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32)
        to_picture = cv2.getPerspectiveTransform(upright, np.asarray(corners_px, dtype=np.float32))
        seen = cv2.perspectiveTransform(points_mm.reshape(1, -1, 2), to_picture)
        return np.asarray(seen, dtype=np.float64).reshape(points_mm.shape)


def _scaled(face: Picture, size: tuple[int, int]) -> Picture:
    return np.asarray(cv2.resize(face, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _covered(card: int, hidden: Floats32) -> _CoveredCard:
    """What is hidden of a card, and how much of it at a spot on which she could stand."""
    spot = cv2.boxFilter(hidden, -1, (15, 15), borderType=cv2.BORDER_REPLICATE)
    (height, width), (across, down) = spot.shape, REACH_MM
    middle = spot[
        round(height / 2 - down) : round(height / 2 + down), round(width / 2 - across) : round(width / 2 + across)
    ]
    return _CoveredCard(card, hidden, float(middle.max()))


def _seen_from_card(towards: Points, corners_mm: Corners, card_mm: tuple[float, float]) -> Points:
    """A direction on the table (2,) as across and down a card whose corners lie there (4 × 2)."""
    rightwards = corners_mm[1] + corners_mm[2] - corners_mm[0] - corners_mm[3]
    downwards = corners_mm[2] + corners_mm[3] - corners_mm[0] - corners_mm[1]
    axes = np.array([rightwards / (2 * card_mm[0]), downwards / (2 * card_mm[1])])
    return np.asarray(axes @ towards)


def _best_stand(hidden: Floats32, lean: Points) -> tuple[float, Points, Points]:
    """How well her outline hides a card at best, from 0 (not at all) to 1, and her foot and outline there (mm)."""
    height, width = hidden.shape
    size = (round(width / _STEP_MM), round(height / _STEP_MM))
    coarse = np.asarray(cv2.resize(hidden, size, interpolation=cv2.INTER_AREA), dtype=np.float32)
    middle = np.array([width, height]) / 2
    best, foot, best_angle = -np.inf, middle, 0
    for angle in _ANGLES_DEG:
        outline, anchor = _outline(angle, lean)
        scores, first = _slid(coarse, outline, anchor)
        _, score, _, (column, row) = cv2.minMaxLoc(scores)
        if score > best:
            best, foot = score, np.asarray((first + (column, row) + 0.5) * _STEP_MM, dtype=np.float64)
            best_angle = angle
    hull = cv2.convexHull(_footprint(best_angle, lean).astype(np.float32))
    return min(best, 1.0), foot, foot + hull[:, 0]


def _slid(coarse: Floats32, outline: Floats32, anchor: tuple[int, int]) -> tuple[Floats32, Indices]:
    """The outline's agreement with each place within reach, and the first place (column, row)."""
    height, width = coarse.shape
    middle = np.array([width // 2, height // 2])
    reach = np.array([round(part / _STEP_MM) for part in REACH_MM])
    first = np.maximum(middle - reach, 0)
    last = np.minimum(middle + reach, (width - 1, height - 1))
    rows, columns = outline.shape
    left, top = anchor[0], anchor[1]
    padded = cv2.copyMakeBorder(coarse, top, rows - top, left, columns - left, cv2.BORDER_CONSTANT, value=(0.0,))
    part = padded[first[1] : last[1] + rows, first[0] : last[0] + columns]
    return np.asarray(cv2.matchTemplate(part, outline, cv2.TM_CCORR), dtype=np.float32), first


def _footprint(angle_deg: float, lean: Points) -> Points:
    """The corners (8 × 2, mm from her foot) of what she hides of the table: where she stands, and where she leans."""
    radians = np.deg2rad(angle_deg)
    along, across = np.array([np.sin(radians), -np.cos(radians)]), np.array([np.cos(radians), np.sin(radians)])
    half_width, half_length = EMMA_MM[0] / 2 * across, EMMA_MM[1] / 2 * along
    base = np.array(
        [half_width + half_length, half_width - half_length, -half_width - half_length, half_length - half_width]
    )
    return np.concatenate([base, base + lean * OUTLINE_HEIGHT_MM])


def _outline(angle_deg: float, lean: Points) -> tuple[Floats32, tuple[int, int]]:
    """Her outline on the table in steps, its inside adding up to 1, its rim negative; and where her foot is in it.

    Without the rim anything large and dark, as a hand's shadow, would hide a card as well as she does.
    """
    points = _footprint(angle_deg, lean)
    rim = int(np.ceil(_RIM_MM / _STEP_MM))
    low = np.floor(points.min(axis=0) / _STEP_MM).astype(int) - rim
    high = np.ceil(points.max(axis=0) / _STEP_MM).astype(int) + rim
    inside = np.zeros((high[1] - low[1] + 1, high[0] - low[0] + 1), dtype=np.uint8)
    hull = cv2.convexHull(((points / _STEP_MM - low) * 16).round().astype(np.int32))
    cv2.fillConvexPoly(inside, hull, (1,), cv2.LINE_8, 4)
    around = cv2.dilate(inside, np.ones((2 * rim + 1, 2 * rim + 1), np.uint8)) - inside
    outline = (inside + np.float32(_RIM_WEIGHT) * around) / np.float32(inside.sum())
    return np.asarray(outline, dtype=np.float32), (int(-low[0]), int(-low[1]))
