"""A card laid onto the faces that it may have: how likely each is beside another, by the spots in which they differ."""

from __future__ import annotations

from itertools import product
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Flags, Floats32

REACH_PX: Final = 1
"""So far a face may lie beside where the card was found: it was aligned by all that they have in common, and a numeral
that may lie farther off finds others that are like it."""
_STRENGTHS: Final = (0.2, 1.6)
"""How strong print appears, from faint in haze to stronger than it was taught."""
_FAINTEST: Final = 0.6
"""Of the strength of all print, what a camera leaves of a numeral whose strokes are finer than it sees."""
_STRONGEST: Final = 1.6
"""Of the same, what is small may be seen to be where all print is blurred and rails suffer most."""
_ROUNDS: Final = 3
_LEAST_NOISE: Final = 1e-3
_TOGETHER_PX: Final = 8
"""How far spots are alike by noise at most: it is seen in the means of squares of so many spots a side. It comes out as
about 13 spots for light and 25 for tints, which a camera sees more coarsely."""
_FEW_SPOTS: Final = 50
_AS_NOISE: Final = 15.0
"""How many spots are taken to have a noise in common where too few are seen to tell."""
_ELSE: Final = 3.0
"""In standard deviations: what is farther off than this is something else, on either face, and tells nothing more."""
_DOUBT_PX: Final = 0.3
"""How far off print lies where it fits best: places are tried a pixel apart, so that this much is left."""
_LITTLE: Final = 0.1
"""A part that tells less than this beside the plainest that is seen is noise, or where faces were cut out otherwise."""
_PARTLY: Final = 0.2
"""A part of which less than this is seen tells nothing."""


class DifferingPart(NamedTuple):
    """A part of a face, from this row and column on, in which another one differs: where (rows × columns) and how much.

    That is the sum of the squares over its spots.
    """

    row: int
    column: int
    differs: Flags
    much: float


class LaidCard:
    """A card as seen on the spots of a face, and how each of the faces that it may have would look there."""

    def __init__(self, card: Floats32, shown: Flags, face: Floats32, counted: Flags) -> None:
        """``card`` has REACH_PX more spots than a face at each side; it was taken for ``face``.

        Spots are ``shown`` that nothing hides; the ``counted`` tell how strong the print appears.
        """
        self._shown = shown
        told = (shown & counted).astype(np.float32)
        weight = np.asarray(told, np.float32)
        seen = card[REACH_PX:-REACH_PX, REACH_PX:-REACH_PX]
        strength, noise, off = 1.0, 1.0, seen
        for _ in range(_ROUNDS):
            common = float((weight * seen * face).sum() / max(float((weight * face * face).sum()), 1e-6))
            strength = min(max(common, _STRENGTHS[0]), _STRENGTHS[1])
            off = seen - strength * face
            noise = 1.4826 * float(np.median(np.abs(off[told > 0]))) if told.any() else 1.0
            weight = np.asarray(told / (1 + (off / (2 * noise + _LEAST_NOISE)) ** 2), np.float32)
        self._strength, self._variance = strength, (noise + _LEAST_NOISE) ** 2
        self._together = _spots_together(off, told, noise)
        height, width = face.shape
        shifts = product(range(2 * REACH_PX + 1), repeat=2)
        self._moved = np.stack([card[y : y + height, x : x + width] for y, x in shifts])
        self._faces: dict[int, Floats32] = {}
        self._slopes: dict[int, Floats32] = {}

    def add(self, key: int, face: Floats32) -> None:
        """A face (rows × columns) that may lie there."""
        self._faces[key] = face
        self._slopes[key] = squared_doubt(face)

    def odds(self, one: int, other: int, parts: list[DifferingPart]) -> float:
        """How much likelier one of two faces that were added is than the other: the logarithm of the odds."""
        odds, plainest = 0.0, 0.0
        for row, column, differs, much in parts:
            height, width = differs.shape
            rows, columns = slice(row, row + height), slice(column, column + width)
            bare = differs & self._shown[rows, columns]
            count = np.count_nonzero(bare)
            if count <= _PARTLY * np.count_nonzero(differs):
                continue
            plainest = max(plainest, much)
            if much < _LITTLE * plainest:
                break
            moved = self._moved[:, rows, columns][:, bare]
            sides = [self._faces[key][rows, columns][bare] for key in (one, other)]
            slopes = [self._slopes[key][rows, columns][bare] for key in (one, other)]
            weight = np.asarray(1 / (self._variance + np.maximum(*slopes)), np.float32)
            least = [_bounded(self._fitted(moved, side, weight) * weight) for side in sides]
            odds += (least[1] - least[0]) / (2 * max(1.0, min(least) / count) * self._together)
        return odds

    def _fitted(self, moved: Floats32, face: Floats32, weight: Floats32) -> Floats32:
        """What a face leaves unexplained of some spots (shifts × spots), squared, as strong as it fits best there.

        What is small is seen fainter than what is large, and would be taken for missing otherwise.
        """
        energy = max(float(weight @ face**2), 1e-6)
        strength = moved @ (weight * face) / energy
        strength = np.clip(strength, _FAINTEST * self._strength, _STRONGEST * self._strength)
        return np.asarray((moved - strength[:, None] * face) ** 2, np.float32)


def _bounded(variances: Floats32) -> float:
    """What is left of some spots (shifts × spots, in variances) where that is least, and no spot counts for much."""
    return float((variances / (1 + variances / _ELSE**2)).sum(axis=1).min())


def _spots_together(off: Floats32, counted: Floats32, noise: float) -> float:
    """How many spots tell as much as one that had a noise of its own: noise is coarser than they are.

    ``off`` is what a face leaves unexplained (rows × columns), of which spots are ``counted`` (1) or not (0), and
    ``noise`` its deviation. What a numeral or a locomotive makes counts only so much as noise may.
    """
    side = (_TOGETHER_PX, _TOGETHER_PX)
    wholly = cv2.erode(counted, np.ones(side, np.uint8)) > 0
    if np.count_nonzero(wholly) < _FEW_SPOTS:
        return _AS_NOISE
    bounded = np.asarray(np.clip(off, -_ELSE * noise, _ELSE * noise) * counted, np.float32)
    means = cv2.blur(bounded, side)[wholly]
    alone = float((bounded**2).sum() / counted.sum())
    return max(1.0, _TOGETHER_PX**2 * float((means**2).mean()) / max(alone, _LEAST_NOISE**2))


def squared_doubt(face: Floats32) -> Floats32:
    """What a doubt of place makes of print, squared: much where it becomes lighter or darker at once."""
    across, down = (cv2.Sobel(face, cv2.CV_32F, 1 - way, way, scale=0.125) for way in (0, 1))
    return np.asarray(_DOUBT_PX**2 * (across**2 + down**2), np.float32)
