"""Outlines that look like a card's in a picture of a table, measured; of which deck it is need not be known."""

from __future__ import annotations

from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, FloatPicture, Floats, Floats32, Outlines, Picture
from vision.outlines.card_candidates import is_plausible
from vision.outlines.card_sides import OutlineFit, outline_fit, refined_outline, shorter_side

SEARCHED_PX: Final = 900
"""The longer side of the reduced picture that is searched."""
_EXACT_PX: Final = 420
"""Of the card's shorter side, where its edges are measured; more would only cost time."""
_REFINED: Final = 12
_SEEN: Final = 0.66
"""The least score of a card; empty tables have up to 0.64."""
_SIDE_SEEN: Final = 0.5
"""The least that must be seen of each side."""
_WHOLE: Final = 0.8
"""How well an outline must fit, compared to one within it, for that to be a part of what is printed on the card."""


class OutlinedCard(NamedTuple):
    """Something that looks like a card: its outline (4 × 2, px, clockwise), and how well edges fit it."""

    outline: Corners
    fit: OutlineFit

    @property
    def clearness(self) -> float:
        """What tells an edge from its shadow, mainly by the faintest side."""
        return float(self.fit.strength.min() * self.fit.score)


def reduced(picture: Picture, longest_px: int) -> tuple[Picture, float]:
    """The picture with its longer side at most so long, and how much smaller it is (1 or less)."""
    scale = longest_px / max(picture.shape[:2])
    if scale >= 1:
        return picture, 1.0
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8), scale


def most_of_colours(values: FloatPicture) -> Floats32:
    """The largest of the three values (… × 3) of each pixel: ``max`` along so short an axis takes 20 times as long."""
    return np.asarray(np.maximum(np.maximum(values[..., 0], values[..., 1]), values[..., 2]), np.float32)


def outlined_cards(
    picture: Picture, zoomed: ZoomedPicture, outlines: Outlines, scale: float, proportion: float
) -> list[OutlinedCard]:
    """The most promising of the outlines (in the reduced picture, smaller by ``scale``), moved onto edges and measured.

    Several may be of one card, or of none.
    """
    found = [measured(zoomed, scaled(outline, 1 / scale)) for outline in _promising(picture, outlines)]
    size = zoomed.size
    return [one for one in found if is_plausible(one.outline[None], proportion, size)[0]]


def card_like(found: list[OutlinedCard]) -> list[OutlinedCard]:
    """Those whose four sides are seen as a card's would be, and which are not printed on another one."""
    seen = [one for one in found if one.fit.seen.min() >= _SIDE_SEEN and one.fit.score >= _SEEN]
    # What is printed on a card may have a clearer outline than its edge, on a table of nearly its colour.
    return [one for one in seen if not any(_is_part(one, other) for other in seen)]


def _promising(small: Picture, outlines: Outlines) -> list[Corners]:
    """The outlines that fit best, roughly, each place and size once."""
    scores = _rough_scores(small, outlines)
    chosen: list[Corners] = []
    for index in np.argsort(-scores):
        outline = outlines[index]
        if all(distance(outline, other) > 0.06 * shorter_side(outline) for other in chosen):
            chosen.append(outline)
        if len(chosen) == _REFINED:
            break
    return chosen


def _rough_scores(small: Picture, outlines: Outlines) -> Floats:
    """How much of each outline (n × 4 × 2) lies on edges of its own direction, the weakest side counting most."""
    smooth = cv2.GaussianBlur(small, (0, 0), 1.0).astype(np.float32)
    across, down = cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
    along = np.concatenate([np.linspace(0.08, 0.92, 16), np.linspace(-0.2, -0.06, 4), np.linspace(1.06, 1.2, 4)])
    sides = np.roll(outlines, -1, axis=1) - outlines
    lengths = np.maximum(np.linalg.norm(sides, axis=2, keepdims=True), 1e-6)
    outward = np.stack([sides[..., 1], -sides[..., 0]], axis=-1) / lengths
    places = outlines[:, :, None] + along[:, None] * sides[:, :, None]
    grain = float(np.median(most_of_colours(np.abs(across)) + most_of_colours(np.abs(down)))) + 8.0
    best = np.zeros(places.shape[:3], np.float32)
    # Spots by one number each, not two: so they are taken in half the time.
    slopes = across.reshape(-1, 3), down.reshape(-1, 3)
    for offset in (-1.5, 0.0, 1.5):
        shifted = places + offset * outward[:, :, None]
        columns = np.clip(np.rint(shifted[..., 0]), 0, small.shape[1] - 1).astype(int)
        rows = np.clip(np.rint(shifted[..., 1]), 0, small.shape[0] - 1).astype(int)
        spots = rows * small.shape[1] + columns
        right, below = (each.take(spots, axis=0) for each in slopes)
        slope = right * outward[:, :, None, :1] + below * outward[:, :, None, 1:]
        best = np.maximum(best, most_of_colours(np.abs(slope)))
    clear = best / (best + 1.5 * grain)
    # A line that runs on at both ends is the table's.
    beyond = np.minimum(clear[..., 16:20].mean(axis=2), clear[..., 20:].mean(axis=2))
    seen = clear[..., :16].mean(axis=2) - 0.7 * beyond
    return np.asarray(0.5 * seen.min(axis=1) + 0.5 * seen.mean(axis=1))


class ZoomedPicture:
    """A picture made smaller where a card in it has more pixels than are needed to measure its edges."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture
        self._levels: dict[int, tuple[FloatPicture, float]] = {}

    @property
    def size(self) -> tuple[int, int]:
        """The whole picture's width and height, px."""
        return self._picture.shape[1], self._picture.shape[0]

    def fitting(self, outline: Corners) -> tuple[FloatPicture, float]:
        """The picture and how much smaller it is, for a card of this size."""
        level = max(0, round(np.log2(max(1.0, shorter_side(outline) / _EXACT_PX))))
        if level not in self._levels:
            smaller, zoom = reduced(self._picture, max(1, max(self._picture.shape[:2]) >> level))
            self._levels[level] = (smaller.astype(np.float32), zoom)
        return self._levels[level]


def measured(zoomed: ZoomedPicture, outline: Corners, *, is_near: bool = False) -> OutlinedCard:
    """The outline moved onto edges, and how it fits there."""
    pixels, zoom = zoomed.fitting(outline)
    exact = refined_outline(pixels, scaled(outline, zoom), is_near=is_near)
    return OutlinedCard(scaled(exact, 1 / zoom), outline_fit(pixels, exact, 1.0))


def turned_outlines(outline: Corners) -> list[Corners]:
    """The outline from each of its corners."""
    return [np.roll(outline, turn, axis=0) for turn in range(4)]


def scaled(outline: Corners, factor: float) -> Corners:
    """The same outline in a larger or smaller copy of the picture: a pixel's place is its middle."""
    return (outline + 0.5) * factor - 0.5


def _is_part(one: OutlinedCard, other: OutlinedCard) -> bool:
    """Whether an outline is that of something printed on what the other goes around."""
    if area(one.outline) > 0.8 * area(other.outline) or other.fit.score < _WHOLE * one.fit.score:
        return False
    border = other.outline.astype(np.float32)
    margin = -0.08 * shorter_side(other.outline)
    return all(cv2.pointPolygonTest(border, (float(x), float(y)), measureDist=True) > margin for x, y in one.outline)


def is_elsewhere(one: Corners, other: Corners) -> bool:
    """Whether two outlines go around different places."""
    apart = np.linalg.norm(one.mean(axis=0) - other.mean(axis=0))
    return bool(apart > 0.7 * shorter_side(one))


def distance(one: Corners, other: Corners) -> float:
    """The largest distance between the corners of two outlines, in px, whichever comes first in each."""
    return min(float(np.linalg.norm(turn - other, axis=1).max()) for turn in turned_outlines(one))


def area(outline: Corners) -> float:
    """Of an outline, px²."""
    return float(cv2.contourArea(outline.astype(np.float32)))
