"""Which of two faces a card shows, told by its print itself: pixel by pixel where the two differ.

The network of ``face_comparer`` knows what numerals look like on any deck; it is unsure of thin or pale ones that any
person reads. But both faces are known, so what is looked for is known to the pixel: where they differ, is the picture
like the one or like the other? That is a matched filter, the best there is for a known signal in noise. What it does
not know is how the card's light, sharpness and place differ from the face's. The light and the sharpness are taken from
what both faces have in common, and each window may be off by a little; what remains is told by how far the picture lies
from the one face to the other, and by no more than ``TELLS``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Flags, Floats32, Picture
from vision.faces.matching.print_beside import BLURS_MM, blurred, unlike

_WIDE_MM: Final = 4.0
"""What is printed is finer than this, what lamps do is wider."""
_HALF_MM: Final = 4.0
"""So far about the middle of a window pixels are compared."""
_OFF_MM: Final = 0.8
"""So far a window may be off."""
_BENT_MM: Final = 0.3
"""So far what is printed may be off besides, as faces were cut out: near steep edges pixels say less, or the frames of
two faces would differ more than their numerals. With 0.2 or 0.4 a few more of 1,055 cards were wrong or asked."""
_EVERY: Final = 3
"""Of so many pixels, each way, one tells the light as well, which is seen in pixels so large."""
_EVERY_OTHER: Final = 2
"""Of a whole card one pixel of so many counts, each way: the camera saw no more of it."""
_LEAST_VARIANCE: Final = 4.0
"""Of a colour, of 255 levels: what noise there is at least."""
_GRAIN: Final = 30.0
"""Of what two faces differ by in most pixels, which is how they were photographed, so many times counts as noise."""
_PLAINLY: Final = 0.5
_PLAINEST_MM2: Final = 9.0
"""Pixels count that differ at least half as much as so much of a card which differs most."""
_MOST_UNLIKE: Final = 60.0
"""In variances: a pixel that is like neither face counts no more."""
_LEAST_APART: Final = 50.0
"""In variances: faces that are less apart in all, as far as they are seen, are not told apart."""
TELLS: Final = 3.0
"""As a logarithm, 20 to 1: what a card tells that is as like the one face, and as unlike the other one, as it may be.

Of 5,220 cards of 20 decks for building, each beside a face that is like it, the network alone said the other face of 23
and was less sure than 7 to 1 of 72; with this it is 13 and 36, and the loss 41.2 instead of 57.1. With 2 or 4 that was
41.9 and 43.6.
"""


class PrintWindow(NamedTuple):
    """A window of a card in which two faces differ: its top left (px), and which of its pixels count (h × w)."""

    top: int
    left: int
    counts: Flags


class CardPrint:
    """What is printed on a card as it is seen, in what light and how softly."""

    def __init__(self, card: Picture, shown: Flags, faces: Sequence[Floats32], px_per_mm: float) -> None:
        """``shown`` (h × w) is what of the card is to be seen, ``faces`` what is printed on those that it may have."""
        self._print = print_of(card, px_per_mm)
        self._shown = shown
        self._px_per_mm = px_per_mm
        some = np.zeros_like(shown)
        some[::_EVERY, ::_EVERY] = shown[::_EVERY, ::_EVERY]
        nearest = min(faces, key=lambda face: _as_soft(self._print, face, some, 0).left)
        lights = [_as_soft(self._print, nearest, some, blur * px_per_mm) for blur in BLURS_MM]
        self._blur, self._gain, self._variance, _ = min(lights, key=lambda light: light.left)

    def likelier(self, faces: tuple[Floats32, Floats32], windows: Sequence[PrintWindow]) -> float:
        """How much likelier the first of two faces is (``print_of`` both): a logarithm of odds, ``TELLS`` at most.

        The windows are those in which the two differ (``print_windows``). What of these is hidden says as much for the
        one as for the other.
        """
        parts = [self._told_by(faces, window) for window in windows]
        told, between = (sum(values) for values in zip(*parts, strict=True)) if parts else (0.0, 0.0)
        return TELLS * float(np.clip(told / between, -1, 1)) if between > _LEAST_APART else 0.0

    def likelier_by_all(self, faces: tuple[Floats32, Floats32]) -> float:
        """The same by all that is shown of the card, wherever it is most like either of both.

        Rails that are elsewhere differ far and wide, so that each window has but a little of them. On 803 tables of
        116 decks for building 2,983 cards were compared with a face of other rails. Of 66 that were like their own by
        .1 to .2 of what the two differ by 49 were, of 113 up to .3 90, of 365 up to .5 338, and of 2,439 others 2,414.
        """
        (one, other), scale = self._as_seen(faces, np.s_[:, :])
        shift = _shift_px(self._px_per_mm)
        counts = np.zeros_like(self._shown)
        some = np.s_[shift:-shift:_EVERY_OTHER, shift:-shift:_EVERY_OTHER]
        counts[some] = self._shown[some]
        rows, columns = np.nonzero(counts)
        scale = scale[counts]
        both = [face[counts] * scale for face in (one, other)]
        off = range(-shift, shift + 1)
        moved = (self._print[rows + down, columns + across] * scale for down in off for across in off)
        unlike_by = ([_unlike(seen, face) for face in both] for seen in moved)
        by_one, by_other = min(unlike_by, key=min)
        between = _unlike(*both)
        return TELLS * float(np.clip((by_other - by_one) / between, -1, 1)) if between > _LEAST_APART else 0.0

    def _as_seen(
        self, faces: tuple[Floats32, Floats32], where: tuple[slice, slice]
    ) -> tuple[tuple[Floats32, Floats32], Floats32]:
        """A part of two faces as softly and plainly as the card is seen, and what to multiply by (h × w × 3).

        By that all becomes as noisy: noise, and what is printed otherwise, has a variance of 1.
        """
        one, other = (blurred(face[where], self._blur) * self._gain for face in faces)
        bent = (_BENT_MM * self._px_per_mm) ** 2 * (_steepness(one) + _steepness(other)) / 2
        return (one, other), np.asarray(1 / np.sqrt(self._variance + bent), np.float32)

    def _told_by(self, faces: tuple[Floats32, Floats32], window: PrintWindow) -> tuple[float, float]:
        """How much more unlike the second face a window is than the first, and how unlike they are to one another."""
        where = np.argwhere(window.counts)
        margin, shift = _margin_px(self._px_per_mm), _shift_px(self._px_per_mm)
        around = _around(window, margin)
        (one, other), scales = self._as_seen(faces, around)
        here = where[:, 0] + margin, where[:, 1] + margin
        scale = scales[here]
        off = np.arange(-shift, shift + 1)
        near = tuple(at + by.reshape(-1, 1) for at, by in zip(here, np.meshgrid(off, off), strict=True))
        seen, *both = (part[near] for part in (self._print[around], one, other))  # shifts × pixels × 3

        shown = self._shown[around][here]

        def least_unlike(shifted: Floats32, face: Floats32, counts: Flags | None = None) -> float:
            unlike_by = np.minimum((((shifted - face[here]) * scale) ** 2).sum(axis=2), _MOST_UNLIKE)
            return float((unlike_by if counts is None else unlike_by[:, counts]).sum(axis=1).min())

        told = least_unlike(seen, other, shown) - least_unlike(seen, one, shown)
        return told, min(least_unlike(both[0], other), least_unlike(both[1], one))


class _Light(NamedTuple):
    """How softly a card is seen beside a face (px), by how much plainer, and with what noise (both of each colour).

    ``left`` is how much is left that the face does not explain: the logarithm of the variances.
    """

    blur_px: float
    gain: Floats32
    variance: Floats32
    left: float


def _as_soft(card: Floats32, face: Floats32, some: Flags, blur_px: float) -> _Light:
    """In what light some pixels of a card are seen, if it is so much softer than the face: by least squares."""
    seen, printed = card[some], blurred(face, blur_px)[some]
    # One level more, lest a plain face divides by nothing.
    gain = np.maximum((printed * seen).sum(axis=0) / (printed**2 + 1).sum(axis=0), 0) if len(seen) else np.zeros(3)
    variance = ((seen - gain * printed) ** 2).sum(axis=0) / max(len(seen), 1) + _LEAST_VARIANCE
    left = float(np.log(variance).sum())
    return _Light(blur_px, np.asarray(gain, np.float32), np.asarray(variance, np.float32), left)


def print_windows(
    faces: tuple[Floats32, Floats32], middles: Sequence[tuple[int, int]], px_per_mm: float
) -> list[PrintWindow]:
    """The windows about these middles (row, column) of which something counts, as two faces differ plainly there.

    ``faces`` are what is printed on them (``print_of``), with a margin of 8 mm.
    """
    half, margin = round(_HALF_MM * px_per_mm), _margin_px(px_per_mm)
    is_free = np.ones(faces[0].shape[:2], bool)
    windows, differing = [], []
    for row, column in middles:
        window = PrintWindow(row - half, column - half, np.ones((2 * half + 1, 2 * half + 1), bool))
        one, other = (face[_around(window, margin)] for face in faces)
        free = is_free[_around(window, 0)]
        differing.append(apart(one, other, px_per_mm)[margin:-margin, margin:-margin] * free)
        windows.append(window._replace(counts=free.copy()))
        free[:] = False
    if not windows:
        return []
    every = np.sort(np.concatenate([part.ravel() for part in differing]))
    least = _PLAINLY * every[-min(len(every), round(_PLAINEST_MM2 * px_per_mm**2))]
    plain = [cv2.dilate(np.asarray(part > least, np.uint8), np.ones((3, 3), np.uint8)) > 0 for part in differing]
    counted = [window._replace(counts=window.counts & counts) for window, counts in zip(windows, plain, strict=True)]
    return [window for window in counted if window.counts.any()]


def print_of(card: Picture, px_per_mm: float) -> Floats32:
    """How much each pixel differs from what is around it, where lamps make wider differences (h × w × 3)."""
    light = card.astype(np.float32)
    small = cv2.resize(light, None, fx=1 / _EVERY, fy=1 / _EVERY, interpolation=cv2.INTER_AREA)
    wide = cv2.GaussianBlur(small, (0, 0), _WIDE_MM * px_per_mm / _EVERY)
    return np.asarray(light - cv2.resize(wide, light.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def apart(one: Floats32, other: Floats32, px_per_mm: float) -> Floats32:
    """How far apart two faces are in each pixel, beside what may be how they were taught: squares (h × w)."""
    differs = (unlike(one, other) + unlike(other, one)) / 2
    bent = (_BENT_MM * px_per_mm) ** 2 * (_steepness(one) + _steepness(other)).sum(axis=2) / 2
    return np.asarray(differs / (bent + 3 * _LEAST_VARIANCE + _GRAIN * np.median(differs)), np.float32)


def _steepness(face: Floats32) -> Floats32:
    """How much each colour changes from pixel to pixel (h × w × 3): the square, smoothed."""
    slopes = [cv2.Sobel(face, cv2.CV_32F, *way, ksize=3, scale=1 / 8) ** 2 for way in ((1, 0), (0, 1))]
    return np.asarray(cv2.boxFilter(slopes[0] + slopes[1], -1, (3, 3)), np.float32)


def _unlike(one: Floats32, other: Floats32) -> float:
    """How unlike pixels (n × 3, with a variance of 1) are to others."""
    return float(np.minimum(((one - other) ** 2).sum(axis=1), _MOST_UNLIKE).sum())


def _around(window: PrintWindow, margin: int) -> tuple[slice, slice]:
    """The window and so many pixels more to each side."""
    rows, columns = window.counts.shape
    top, left = window.top - margin, window.left - margin
    return slice(top, top + rows + 2 * margin), slice(left, left + columns + 2 * margin)


def _margin_px(px_per_mm: float) -> int:
    """So far beyond a window pixels are looked at."""
    return _shift_px(px_per_mm) + round(2 * max(BLURS_MM) * px_per_mm)


def _shift_px(px_per_mm: float) -> int:
    return round(_OFF_MM * px_per_mm)
