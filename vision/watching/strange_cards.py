"""Cards that lie there and are none of the deck that is known."""

from __future__ import annotations

import itertools
from typing import Final

import cv2
import numpy as np

from vision.arrays import FloatPicture, Mask, Picture
from vision.cards.face import CARD_MM
from vision.outlines.card_candidates import candidate_outlines
from vision.outlines.card_sides import shorter_side
from vision.outlines.outline_masks import share_changed
from vision.outlines.outlined_cards import (
    SEARCHED_PX,
    OutlinedCard,
    ZoomedPicture,
    card_like,
    outlined_cards,
    reduced,
)

_CHANGED: Final = 0.82
"""How much of its place has changed at least: of a square around something round it is no more than .79."""
_PLAIN: Final = 0.85
"""The least score of an outline: the plainest of each strange card had that on building tables, mugs had up to 0.83."""
_APART: Final = 0.9
"""How many of their shorter sides the middles of two cards lie apart that do not cover one another."""
_ALIKE_SIZE: Final = 1.25
"""How much larger than another a card may look that lies nearer to the camera."""
_ALIKE: Final = 0.8
"""From this correlation on two things look the same: backs of cards face down, side by side, have .9 and more."""
_LOOK_PX: Final = (32, 44)
_MARGIN: Final = 0.08


def strange_cards(picture: Picture, places: Mask, card_mm: tuple[float, float] = CARD_MM) -> int:
    """How many things that look different have come there, all of one size and with a card's outline.

    ``places`` (1, h/4 × w/4) are those of a picture (h × w × 3, B, G, R) in which something has come that is no card
    of the deck that is known. What has always lain there may be a box or a pattern of the table. Cards face down look
    the same and count once. Takes about as long as a first look.
    """
    small, scale = reduced(picture, SEARCHED_PX)
    proportion = max(card_mm) / min(card_mm)
    zoomed = ZoomedPicture(picture)
    outlines = candidate_outlines(small, proportion)
    outlines = outlines[[share_changed(places, outline / scale) >= _CHANGED for outline in outlines]]
    found = card_like(outlined_cards(small, zoomed, outlines, scale, proportion))
    found = [one for one in found if one.fit.score >= _PLAIN]
    return max((_kinds(small, scale, _of_size(found, one)) for one in found), default=0)


def _of_size(found: list[OutlinedCard], smallest: OutlinedCard) -> list[OutlinedCard]:
    """Those of about its size or a little larger, each place once, the plainest first."""
    least = shorter_side(smallest.outline)
    chosen: list[OutlinedCard] = []
    for one in sorted(found, key=lambda one: -one.fit.score):
        if least <= shorter_side(one.outline) <= _ALIKE_SIZE * least and all(_are_apart(one, it) for it in chosen):
            chosen.append(one)
    return chosen


def _are_apart(one: OutlinedCard, other: OutlinedCard) -> bool:
    between = float(np.linalg.norm(one.outline.mean(axis=0) - other.outline.mean(axis=0)))
    return between > _APART * min(shorter_side(one.outline), shorter_side(other.outline))


def _kinds(small: Picture, scale: float, cards: list[OutlinedCard]) -> int:
    """How many of these look different."""
    kinds: list[FloatPicture] = []
    for card in cards:
        look = _look(small, card, scale)
        if all(max(_likeness(look, known), _likeness(look[::-1, ::-1], known)) < _ALIKE for known in kinds):
            kinds.append(look)
    return len(kinds)


def _look(small: Picture, card: OutlinedCard, scale: float) -> FloatPicture:
    """What is printed there, upright or upside down, without its border."""
    corners = card.outline * scale
    lengths = [float(np.linalg.norm(two - one)) for one, two in itertools.pairwise(corners)]
    width, height = _LOOK_PX
    corners = corners if lengths[0] < lengths[1] else np.roll(corners, -1, axis=0)
    inner = corners + _MARGIN * (corners.mean(axis=0) - corners) * 2
    target = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(inner.astype(np.float32), target)
    grey = cv2.cvtColor(cv2.warpPerspective(small, matrix, _LOOK_PX, flags=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 1.0), np.float32)


def _likeness(one: FloatPicture, other: FloatPicture) -> float:
    """Their correlation, -1 to 1."""
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])
