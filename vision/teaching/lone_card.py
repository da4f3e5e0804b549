"""Finds a card that lies alone on a table, in a photograph of it."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, FloatPicture, Floats, GreyPicture, Outlines, Picture
from vision.cards import CARD_MM
from vision.outlines.card_candidates import candidate_outlines, is_plausible
from vision.outlines.card_sides import (
    SMALLEST_CARD_PX,
    OutlineFit,
    is_framed,
    joined_outline,
    outer_outline,
    outline_fit,
    refined_outline,
    shorter_side,
)

_SEARCHED_PX: Final = 900
"""The longer side of the reduced picture that is searched."""
_COMPARED_PX: Final = 450
"""The longer side of the copies that a session keeps."""
_EXACT_PX: Final = 420
"""Of the card's shorter side, where its edges are measured; more would only cost time."""
_REPEATS: Final = 3
_REFINED: Final = 12
_SEEN: Final = 0.66
"""The least score of a card; empty tables have up to 0.64."""
_SIDE_SEEN: Final = 0.5
"""The least that must be seen of each side."""
_WHOLE: Final = 0.8
"""How well an outline must fit, compared to one within it, for that to be a part of what is printed on the card."""
_RIVAL: Final = 0.85
"""A second card is one that fits nearly as well as the first."""


class Reason(StrEnum):
    """Why no card was found."""

    NOTHING = "nothing"
    SEVERAL = "several"
    CUT_OFF = "cut-off"
    TOO_SMALL = "too-small"


_SENTENCES: Final = {
    Reason.NOTHING: "There is nothing like a card in the picture; lay one card alone on a table that it stands out on.",
    Reason.SEVERAL: "There are several things like a card in the picture; leave only one.",
    Reason.CUT_OFF: "The card is cut off by the picture's border; lay it further in.",
    Reason.TOO_SMALL: f"The picture is too small: a card must be {SMALLEST_CARD_PX} pixels wide or more.",
}


class CardNotFound(LookupError):
    """No card, or not just one, lies in the picture; the message is a plain sentence."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(_SENTENCES[reason])
        self.reason = reason


class LoneCard(NamedTuple):
    """Where a card lies in a picture.

    ``corners_px`` (4 × 2, to a part of a pixel) go clockwise around the upright card: top left, top right, bottom
    right, bottom left; where the card is round there, they are where its sides would meet. A blank outline does not
    tell which way up the card is: its top is taken to be the short side nearer to the picture's top. ``score`` (0 to
    1) is how well the sides are seen.
    """

    corners_px: Corners
    score: float

    def px_per_mm(self, card_mm: tuple[float, float] = CARD_MM) -> float:
        """How many pixels the picture has for a millimetre of the card, in the middle of it."""
        return float(np.sqrt(_area(self.corners_px) / (card_mm[0] * card_mm[1])))


class PhotoSession:
    """Photographs by one camera of one table on which only the card changes.

    What never changes is no card, however like one it looks: a pile, a box. Keeps small copies of the photographs.
    """

    def __init__(self) -> None:
        self._pictures: list[FloatPicture] = []

    def add(self, picture: Picture) -> None:
        """One more photograph (height × width × 3, BGR)."""
        self._pictures.append(_evened(_reduced(picture, _COMPARED_PX)[0]))

    def changes(self, picture: Picture) -> tuple[GreyPicture, GreyPicture] | None:
        """Where something changes, and where a picture differs from most others (0 to 255 each), as far as is known.

        None without two other photographs of the size, or where nearly everything has changed, as after a push
        against the camera.
        """
        own = _evened(_reduced(picture, _COMPARED_PX)[0])
        others = [other for other in self._pictures if other.shape == own.shape]
        others = [other for other in others if not np.array_equal(other, own)]  # this very picture may be among them
        away = [np.abs(other - own).max(axis=2) for other in others]
        # Some may be by a camera that stood elsewhere.
        usual = [float(np.median(one)) for one in away]
        kept = [index for index, middle in enumerate(usual) if middle <= 3 * min(usual) + 6]
        if len(kept) < 2:
            return None
        away = [away[index] for index in kept]
        noise = 4.0 * float(np.median(np.stack(away))) + 6.0
        ever = (np.max(np.stack(away), axis=0) > noise).astype(np.uint8) * 255
        if np.count_nonzero(ever) > 0.6 * ever.size:
            return None
        middle = np.median(np.stack([others[index] for index in kept]), axis=0)
        differing = np.clip(np.abs(own - middle).max(axis=2) * 2, 0, 255).astype(np.uint8)
        size = _reduced(picture, _SEARCHED_PX)[0].shape[1::-1]
        return np.asarray(cv2.resize(ever, size), np.uint8), np.asarray(cv2.resize(differing, size), np.uint8)


def find_lone_card(
    picture: Picture, card_mm: tuple[float, float] = CARD_MM, session: PhotoSession | None = None
) -> LoneCard:
    """Where the one card lies in a photograph (height × width × 3, BGR).

    ``session`` holds photographs of the same table with other cards or elsewhere lying ones, and may hold this one.
    Raises CardNotFound.
    """
    proportion = max(card_mm) / min(card_mm)
    small, scale = _reduced(picture, _SEARCHED_PX)
    if min(small.shape[:2]) < SMALLEST_CARD_PX:
        raise CardNotFound(Reason.TOO_SMALL)
    changes = session.changes(picture) if session is not None else None
    outlines = candidate_outlines(small, proportion, None if changes is None else changes[1])
    if changes is not None:
        outlines = outlines[_changed_part(outlines, changes[0]) > 0.2]
    zoomed = _Zoomed(picture)
    found = [_measured(zoomed, _scaled(outline, 1 / scale)) for outline in _promising(small, outlines)]
    size = (picture.shape[1], picture.shape[0])
    found = [one for one in found if is_plausible(one.outline[None], proportion, size)[0]]
    card = _outer(zoomed, _joined(zoomed, _only(found, size), found))
    return LoneCard(_upright(card.outline, card_mm), card.fit.score)


class _Measured(NamedTuple):
    outline: Corners
    fit: OutlineFit

    @property
    def clearness(self) -> float:
        """What tells an edge from its shadow, mainly by the faintest side."""
        return float(self.fit.strength.min() * self.fit.score)


def _reduced(picture: Picture, longest_px: int) -> tuple[Picture, float]:
    """The picture with its longer side at most so long, and how much smaller it is (1 or less)."""
    scale = longest_px / max(picture.shape[:2])
    if scale >= 1:
        return picture, 1.0
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8), scale


def _evened(picture: Picture) -> FloatPicture:
    """The picture with its brightness and tint taken out: cameras adapt to the card."""
    smooth = cv2.GaussianBlur(picture, (0, 0), 1.5).astype(np.float32)
    return np.asarray(smooth * (120.0 / np.maximum(np.median(smooth, axis=(0, 1)), 1.0)), np.float32)


def _changed_part(outlines: Outlines, ever: GreyPicture) -> Floats:
    """The part of each outline's inside that changes, 0 to 1."""
    u, v = _INSIDE[:, 0, None, None], _INSIDE[:, 1, None, None]
    a, b, c, d = (outlines[:, corner] for corner in range(4))
    inner = (1 - u) * (1 - v) * a + u * (1 - v) * b + u * v * c + (1 - u) * v * d
    columns = np.clip(np.rint(inner[..., 0]), 0, ever.shape[1] - 1).astype(int)
    rows = np.clip(np.rint(inner[..., 1]), 0, ever.shape[0] - 1).astype(int)
    return np.asarray((ever[rows, columns] > 0).mean(axis=0))


_INSIDE: Final = np.stack(np.meshgrid(np.linspace(0.06, 0.94, 9), np.linspace(0.06, 0.94, 12)), axis=-1).reshape(-1, 2)


def _promising(small: Picture, outlines: Outlines) -> list[Corners]:
    """The outlines that fit best, roughly, each place and size once."""
    scores = _rough_scores(small, outlines)
    chosen: list[Corners] = []
    for index in np.argsort(-scores):
        outline = outlines[index]
        if all(_distance(outline, other) > 0.06 * shorter_side(outline) for other in chosen):
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
    grain = float(np.median(np.abs(across).max(axis=2) + np.abs(down).max(axis=2))) + 8.0
    best = np.zeros(places.shape[:3], np.float32)
    for offset in (-1.5, 0.0, 1.5):
        shifted = places + offset * outward[:, :, None]
        columns = np.clip(np.rint(shifted[..., 0]), 0, small.shape[1] - 1).astype(int)
        rows = np.clip(np.rint(shifted[..., 1]), 0, small.shape[0] - 1).astype(int)
        slope = across[rows, columns] * outward[:, :, None, :1] + down[rows, columns] * outward[:, :, None, 1:]
        best = np.maximum(best, np.abs(slope).max(axis=3))
    clear = best / (best + 1.5 * grain)
    # A line that runs on at both ends is the table's.
    beyond = np.minimum(clear[..., 16:20].mean(axis=2), clear[..., 20:].mean(axis=2))
    seen = clear[..., :16].mean(axis=2) - 0.7 * beyond
    return np.asarray(0.5 * seen.min(axis=1) + 0.5 * seen.mean(axis=1))


class _Zoomed:
    """A picture made smaller where a card in it has more pixels than are needed to measure its edges."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture
        self._levels: dict[int, tuple[FloatPicture, float]] = {}

    def fitting(self, outline: Corners) -> tuple[FloatPicture, float]:
        """The picture and how much smaller it is, for a card of this size."""
        level = max(0, round(np.log2(max(1.0, shorter_side(outline) / _EXACT_PX))))
        if level not in self._levels:
            reduced, zoom = _reduced(self._picture, max(1, max(self._picture.shape[:2]) >> level))
            self._levels[level] = (reduced.astype(np.float32), zoom)
        return self._levels[level]


def _measured(zoomed: _Zoomed, outline: Corners, *, is_near: bool = False) -> _Measured:
    """The outline moved onto edges, and how it fits there."""
    pixels, zoom = zoomed.fitting(outline)
    exact = refined_outline(pixels, _scaled(outline, zoom), is_near=is_near)
    return _Measured(_scaled(exact, 1 / zoom), outline_fit(pixels, exact, 1.0))


def _joined(zoomed: _Zoomed, best: _Measured, found: list[_Measured]) -> _Measured:
    """The best outline with those sides that others around the same card have better."""
    nearest = 0.12 * shorter_side(best.outline)
    alike = [one for one in found if _distance(one.outline, best.outline) < nearest]
    alike.sort(key=lambda one: one is not best)
    outlines = [min(_turns(one.outline), key=lambda turn: np.linalg.norm(turn - best.outline)) for one in alike]
    fits = [outline_fit(*_at(zoomed, outline), 1.0) for outline in outlines]
    joined = _measured(zoomed, joined_outline(outlines, fits), is_near=True)
    for _ in range(_REPEATS):  # from so near, a new search may find a side that none of the others had
        again = _measured(zoomed, joined.outline)
        # Clearer, but smaller: that is the frame printed on the card.
        if again.clearness <= joined.clearness or _area(again.outline) < 0.97 * _area(joined.outline):
            break
        joined = again
    return joined


def _outer(zoomed: _Zoomed, card: _Measured) -> _Measured:
    """The card with its sides where its paper ends, if they are on a frame printed on it."""
    pixels, outline = _at(zoomed, card.outline)
    outer = outer_outline(pixels, outline)
    if not is_framed(outline, outer):
        return card
    zoom = zoomed.fitting(card.outline)[1]
    return _Measured(_scaled(outer, 1 / zoom), outline_fit(pixels, outer, 1.0))


def _at(zoomed: _Zoomed, outline: Corners) -> tuple[FloatPicture, Corners]:
    pixels, zoom = zoomed.fitting(outline)
    return pixels, _scaled(outline, zoom)


def _turns(outline: Corners) -> list[Corners]:
    """The outline from each of its corners."""
    return [np.roll(outline, turn, axis=0) for turn in range(4)]


def _scaled(outline: Corners, factor: float) -> Corners:
    """The same outline in a larger or smaller copy of the picture: a pixel's place is its middle."""
    return (outline + 0.5) * factor - 0.5


def _only(found: list[_Measured], size: tuple[int, int]) -> _Measured:
    """The one that is a card; raises CardNotFound."""
    seen = [one for one in found if one.fit.seen.min() >= _SIDE_SEEN and one.fit.score >= _SEEN]
    # What is printed on a card may have a clearer outline than its edge, on a table of nearly its colour.
    cards = [one for one in seen if not any(_is_part(one, other) for other in seen)]
    if not cards:
        raise CardNotFound(Reason.NOTHING)
    best = max(cards, key=lambda one: one.fit.score)
    if any(_is_elsewhere(best, other) and other.fit.score > _RIVAL * best.fit.score for other in cards):
        raise CardNotFound(Reason.SEVERAL)
    if _sticks_out(best.outline, size):
        raise CardNotFound(Reason.CUT_OFF)
    if shorter_side(best.outline) < SMALLEST_CARD_PX:
        raise CardNotFound(Reason.TOO_SMALL)
    return best


def _is_part(one: _Measured, other: _Measured) -> bool:
    """Whether an outline is that of something printed on what the other goes around."""
    if _area(one.outline) > 0.8 * _area(other.outline) or other.fit.score < _WHOLE * one.fit.score:
        return False
    border = other.outline.astype(np.float32)
    margin = -0.08 * shorter_side(other.outline)
    return all(cv2.pointPolygonTest(border, (float(x), float(y)), measureDist=True) > margin for x, y in one.outline)


def _is_elsewhere(one: _Measured, other: _Measured) -> bool:
    apart = np.linalg.norm(one.outline.mean(axis=0) - other.outline.mean(axis=0))
    return bool(apart > 0.7 * shorter_side(one.outline))


def _sticks_out(outline: Corners, size: tuple[int, int]) -> bool:
    return bool((outline < 0.5).any() or (outline > np.array(size) - 1.5).any())


def _distance(one: Corners, other: Corners) -> float:
    """The largest distance between the corners of two outlines, in px, whichever comes first in each."""
    return min(float(np.linalg.norm(turn - other, axis=1).max()) for turn in _turns(one))


def _upright(outline: Corners, card_mm: tuple[float, float]) -> Corners:
    """The outline from its top left corner, clockwise."""
    lengths = np.linalg.norm(np.roll(outline, -1, axis=0) - outline, axis=1)
    starts_short = lengths[0] + lengths[2] < lengths[1] + lengths[3]
    is_portrait = card_mm[0] <= card_mm[1]
    turned = outline if starts_short == is_portrait else np.roll(outline, -1, axis=0)
    top, bottom = turned[:2, 1].mean(), turned[2:, 1].mean()
    return turned if top <= bottom else np.roll(turned, 2, axis=0)


def _area(outline: Corners) -> float:
    return float(cv2.contourArea(outline.astype(np.float32)))
