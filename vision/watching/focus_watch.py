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
_COARSER: Final = 4
"""Far from the focus only a smaller copy shows a difference, near to it only the picture itself."""
_SMOOTH_PX: Final = 0.8
"""Noise would look like sharp outlines."""
_SURE: Final = 4.0
"""So many standard deviations are no chance: several pictures a second are compared."""
_NEAR_BEST: Final = 0.05
"""The share of all the change in sharpness so far within which a picture is as sharp as the best one: hands turn a lens
no finer, and edges are a quarter wider at most."""
_REMEMBERED: Final = 12
"""So many steps from picture to picture tell how much the measure varies."""


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
    """For each place of a picture: how fine what is to be seen is (a logarithm), and how much stands out there."""

    fine: Floats
    contrast: Floats


class _Change(NamedTuple):
    """By how much a picture is sharper than another one, and the standard deviation of that."""

    by: float
    spread: float


class FocusWatch:
    """Compares the pictures of one view, in order; another view has to be told."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._best: _Detail | None = None
        self._last: _Detail | None = None
        self._turned: _Detail | None = None
        """The picture that was surely sharper or less sharp than the one before that."""
        self._turn = Turn.UNKNOWN
        self._range = 0.0
        self._sides = 0
        """So many sides of the sharpest picture have been seen."""
        self._is_near = True
        self._steps: deque[float] = deque(maxlen=_REMEMBERED)
        self._step = 0.0

    def forget(self) -> None:
        """Another view comes."""
        self._begin()

    def look(self, picture: Picture) -> Focus:
        """What the next picture (h × w × 3, B, G, R) of the view tells."""
        now = _detail(picture)
        if self._best is None or self._last is None or self._turned is None:
            self._best = self._last = self._turned = now
            return Focus(Turn.UNKNOWN, 1.0, is_known=False)
        step = _change(now, self._last)
        # A lens that is turned evenly takes even steps: only their differences are chance.
        self._steps.append(abs(step.by - self._step))
        self._step, self._last = step.by, now
        chance = 1.5 * float(np.median(self._steps)) if len(self._steps) == _REMEMBERED else 0.0
        beside_best = self._beside_best(now, chance)
        self._follow(now, chance)
        is_known = self._sides >= 2
        turn = Turn.SHARPEST if is_known and self._is_near else self._turn
        return Focus(turn, float(np.exp(min(beside_best, 0.0) / 4)), is_known)

    def _beside_best(self, now: _Detail, chance: float) -> float:
        """How much sharper a picture is than the best so far; counts the sides of that which have been seen."""
        assert self._best is not None  # noqa: S101
        change = _change(now, self._best)
        sure = _SURE * float(np.hypot(change.spread, chance))
        near = max(sure, _NEAR_BEST * self._range)
        if change.by > sure:
            # What is hardly better is the same focus, of which both sides may be known.
            if change.by > near:
                self._sides = 1
            self._best = now
            self._range += change.by
            self._is_near = True
        elif change.by < -near:
            # It is left only once for each side.
            if self._is_near and change.by < -2 * near:
                self._is_near = False
                self._sides += 1
            self._range = max(self._range, -change.by)
        else:
            self._is_near = True
        return change.by

    def _follow(self, now: _Detail, chance: float) -> None:
        """Notices which way sharpness goes."""
        assert self._turned is not None  # noqa: S101
        change = _change(now, self._turned)
        sure = max(_SURE * float(np.hypot(change.spread, chance)), _NEAR_BEST * self._range)
        is_on = change.by > 0 if self._turn is Turn.SHARPER else change.by < 0
        if abs(change.by) > sure:
            self._turn = Turn.SHARPER if change.by > 0 else Turn.LESS_SHARP
        elif not (self._turn is not Turn.UNKNOWN and is_on):
            return
        self._turned = now


def _detail(picture: Picture) -> _Detail:
    """How fine and how plain the places of a picture are."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)
    shrunk = cv2.resize(grey, None, fx=1 / _COARSER, fy=1 / _COARSER, interpolation=cv2.INTER_AREA)
    smaller = np.asarray(shrunk, np.float32)
    size = (_COLUMNS, max(1, round(_COLUMNS * grey.shape[0] / grey.shape[1])))
    means, squares = (_of_places(one, size) for one in (smaller, smaller * smaller))
    contrast = np.maximum(squares - means**2, 1e-3)
    steep = _steepness(grey, size) * _steepness(smaller, size)
    return _Detail(np.asarray(np.log(steep) - 2 * np.log(contrast)), np.asarray(contrast))


def _steepness(grey: Floats32, size: tuple[int, int]) -> Floats:
    """The mean squares of how much neighbours differ, but for what noise does to the flattest of the places."""
    smooth = cv2.GaussianBlur(grey, (0, 0), _SMOOTH_PX)
    across, down = smooth[1:, 1:] - smooth[1:, :-1], smooth[1:, 1:] - smooth[:-1, 1:]
    steepness = _of_places(np.asarray(across * across + down * down), size)
    return np.asarray(steepness - 0.9 * steepness.min() + 1e-3)


def _of_places(values: Floats32, size: tuple[int, int]) -> Floats:
    """The mean in each place, in a row."""
    return np.asarray(cv2.resize(values, size, interpolation=cv2.INTER_AREA), np.float64).ravel()


def _change(now: _Detail, before: _Detail) -> _Change:
    """The weighted median over the places: what stands out counts."""
    weights = np.minimum(now.contrast, before.contrast)
    by = now.fine - before.fine
    middle = _median(by, weights)
    apart = 1.5 * _median(np.abs(by - middle), weights)
    places = weights.sum() ** 2 / (weights**2).sum()
    return _Change(middle, 1.25 * apart / float(np.sqrt(places)))


def _median(values: Floats, weights: Floats) -> float:
    order = np.argsort(values)
    reached = np.cumsum(weights[order])
    return float(values[order[int(np.searchsorted(reached, reached[-1] / 2))]])
