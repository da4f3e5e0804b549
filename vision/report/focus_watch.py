"""Whether pictures get sharper or less sharp while somebody turns the lens.

Nothing says how sharp a picture can be: each is compared with others of the same view, place by place. What has moved,
as a hand, differs in a few places; the median of all does not mind. How much the places disagree, and how much the
measure varies from picture to picture while the lens rests, tells what is a change.
"""

from __future__ import annotations

from collections import deque
from enum import StrEnum
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Floats, Floats32, Picture

_COLUMNS: Final = 16
"""So many places a picture has across, and as many down as make them squares."""
_SMOOTH_PX: Final = 0.8
_LEAST_STEEP: Final = 0.01
"""What is less steep than that is nothing but the steps of a picture's values."""
_SURE: Final = 4.0
"""So many standard deviations are no chance: several pictures a second are compared."""
_NEAR_BEST: Final = 0.05
"""The share of all the change in sharpness so far within which a picture is as sharp as the best one: hands turn a lens
no finer, and edges are a quarter wider at most."""
_STILL: Final = 4
"""So many steps from picture to picture, one after the other, tell how much the measure varies."""
_REMEMBERED: Final = 64
"""The least of so many such times is when the lens rested."""


class Turn(StrEnum):
    """What comes of turning the lens."""

    UNKNOWN = "unknown"
    SHARPER = "sharper"
    LESS_SHARP = "less-sharp"
    SHARPEST = "sharpest"


class Focus(NamedTuple):
    """How sharp a picture is beside the others of its view: what to tell, and the share (0 to 1) of the sharpest one.

    ``is_known`` once pictures on both sides of the sharpest one were less sharp.
    """

    turn: Turn
    share: float
    is_known: bool


class _Detail(NamedTuple):
    """Of each place of a picture: how steep it is in both copies of it, how bright, and how much stands out there."""

    steep: Floats
    mean: Floats
    contrast: Floats


class _Change(NamedTuple):
    """By how much a picture is sharper than another one, and the standard deviation of that."""

    by: float
    spread: float


class FocusWatch:
    """Compares the pictures of one view, in order; another view has to be told."""

    def __init__(self) -> None:
        self._range = 0.0
        self._steps: deque[float] = deque(maxlen=_STILL)
        self._chances: deque[float] = deque(maxlen=_REMEMBERED)
        self._copies: _Copies | None = None
        self._noises: deque[tuple[float, float]] = deque(maxlen=_REMEMBERED)
        self.forget()

    def forget(self) -> None:
        """Another view comes, of the same lens and in the same light."""
        self._best: _Detail | None = None
        self._last: _Detail | None = None
        self._turned: _Detail | None = None
        """The picture that was surely sharper or less sharp than the one before that."""
        self._turn = Turn.UNKNOWN
        self._sides = 0
        """So many sides of the sharpest picture have been seen."""
        self._is_near = True

    def look(self, picture: Picture) -> Focus:
        """What the next picture (h × w × 3, B, G, R) of the view tells."""
        copies, before = _copies(picture), self._copies
        self._copies = copies
        # A picture that comes again to the last bit tells nothing of noise.
        if before is not None and before.fine.shape == copies.fine.shape:
            if not np.array_equal(copies.fine, before.fine):
                self._noises.append(_noise_between(copies, before))
        elif before is not None:
            self.forget()
        now = _detail(copies)
        if self._best is None or self._last is None or self._turned is None:
            self._best = self._last = self._turned = now
            return Focus(Turn.UNKNOWN, 1.0, is_known=False)
        self._steps.append(abs(self._change(now, self._last).by))
        self._last = now
        if len(self._steps) == _STILL:
            self._chances.append(2 * float(np.median(self._steps)))
        if not self._chances:
            return Focus(Turn.UNKNOWN, 1.0, is_known=False)
        # While the lens is turned all differs: the steadiest moments tell what is chance.
        chance = min(self._chances)
        from_best = self._from_best(now, chance)
        self._follow(now, chance)
        is_known = self._sides >= 2
        turn = Turn.SHARPEST if is_known and self._is_near else self._turn
        return Focus(turn, float(np.exp(min(from_best, 0.0) / 4)), is_known)

    def _change(self, now: _Detail, before: _Detail) -> _Change:
        """By how much a picture is sharper: the weighted median over the places, as what stands out counts."""
        # What differs more than the least has been turned or moved. It is the same for both, so that it cancels.
        noise = np.min(self._noises, axis=0)[:, None] if self._noises else 0.0
        weights = np.minimum(now.contrast, before.contrast)
        by = _sharpness(now, noise) - _sharpness(before, noise)
        middle = _median(by, weights)
        apart = 1.5 * _median(np.abs(by - middle), weights)
        places = weights.sum() ** 2 / (weights**2).sum()
        return _Change(middle, 1.25 * apart / float(np.sqrt(places)))

    def _from_best(self, now: _Detail, chance: float) -> float:
        """By how much a picture is sharper than the best so far."""
        assert self._best is not None  # noqa: S101
        change = self._change(now, self._best)
        spread = float(np.hypot(change.spread, chance))
        if change.by > _SURE * spread:
            # What is hardly better is the same focus, of which both sides may be known.
            if change.by > self._near():
                self._sides = 1
            self._best = now
        self._range = max(self._range, abs(change.by)) + (change.by if change.by > _SURE * spread else 0.0)
        self._is_near = change.by > -max(spread, self._near())
        return change.by

    def _near(self) -> float:
        """So much less sharp than the best is as good."""
        return _NEAR_BEST * self._range

    def _follow(self, now: _Detail, chance: float) -> None:
        """Notices which way sharpness goes, and when the sharpest picture has been passed."""
        assert self._best is not None  # noqa: S101
        assert self._turned is not None  # noqa: S101
        change = self._change(now, self._turned)
        sure = max(_SURE * float(np.hypot(change.spread, chance)), self._near())
        if abs(change.by) > sure:
            turn = Turn.SHARPER if change.by > 0 else Turn.LESS_SHARP
            # From the top it goes down on one side, and the next time on the other.
            if turn is Turn.LESS_SHARP and self._turn is not turn:
                self._sides += self._change(self._turned, self._best).by >= -self._near()
            self._turn, self._turned = turn, now
        elif change.by > 0 if self._turn is Turn.SHARPER else change.by < 0 and self._turn is Turn.LESS_SHARP:
            self._turned = now


class _Copies(NamedTuple):
    """A picture in grey, and a much smaller copy: far from the focus only that shows a difference."""

    fine: Floats32
    coarse: Floats32

    @property
    def size(self) -> tuple[int, int]:
        """How many places there are across and down."""
        height, width = self.fine.shape
        return _COLUMNS, max(1, round(_COLUMNS * height / width))


def _copies(picture: Picture) -> _Copies:
    # Smoothed first: noise would look like sharp outlines, and what is printed finely like what is printed coarsely.
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)
    coarse = cv2.pyrDown(cv2.pyrDown(grey))
    return _Copies(*(np.asarray(cv2.GaussianBlur(one, (0, 0), _SMOOTH_PX), np.float32) for one in (grey, coarse)))


def _noise_between(now: _Copies, before: _Copies) -> tuple[float, float]:
    """What noise makes of the steepness in both copies, as two pictures tell: where they differ least nothing moved."""
    fine, coarse = (_steepness(one - other, now.size).min() / 2 for one, other in zip(now, before, strict=True))
    return float(fine), float(coarse)


def _detail(copies: _Copies) -> _Detail:
    """How steep and how plain the places of a picture are."""
    size = copies.size
    mean, square = (_of_places(one, size) for one in (copies.coarse, copies.coarse**2))
    steep = np.stack([_steepness(one, size) for one in copies])
    return _Detail(steep, mean, np.maximum(square - mean**2, 1e-3))


def _sharpness(detail: _Detail, noise: Floats | float) -> Floats:
    """How steep each place is beside its brightness (a logarithm), but for what noise makes of it.

    Not beside the contrast: that of a cloth's pattern is lost as soon as its sharpness is.
    """
    steep = np.maximum(detail.steep - noise, _LEAST_STEEP)
    return np.asarray(np.log(steep).sum(axis=0) - 4 * np.log(detail.mean + 1))


def _steepness(grey: Floats32, size: tuple[int, int]) -> Floats:
    """The mean squares of how much neighbours differ, in each place."""
    across, down = grey[1:, 1:] - grey[1:, :-1], grey[1:, 1:] - grey[:-1, 1:]
    return _of_places(np.asarray(across * across + down * down, np.float32), size)


def _of_places(values: Floats32, size: tuple[int, int]) -> Floats:
    """The mean in each place, in a row."""
    return np.asarray(cv2.resize(values, size, interpolation=cv2.INTER_AREA), np.float64).ravel()


def _median(values: Floats, weights: Floats) -> float:
    order = np.argsort(values)
    reached = np.cumsum(weights[order])
    return float(values[order[int(np.searchsorted(reached, reached[-1] / 2))]])
