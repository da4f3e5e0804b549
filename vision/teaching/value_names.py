"""Which value each group of faces has: the marks that they share are read as numerals, strokes, pips or words.

All four are read together, in one hand and size: that "III" has three strokes is said most clearly by the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import FloatPicture, Floats, Floats32, GreyPicture, Picture
from vision.teaching.even_faces import PX_PER_MM, even_face
from vision.teaching.face_blocks import block_places

CLEAR: Final = 0.25
"""Values are clear where the next way to name the groups is so much less like (sum of four likenesses, 0 to 1 each)."""

_FINE: Final = 3
"""Marks are compared at so many times the faces' own pixels."""
_ROOM_MM: Final = 2.0
_MARKED: Final = 0.5
"""Where the marks of values lie: blocks that tell values at least so well, in parts of the best."""
_LARGEST_MM: Final = 32.0
_HEIGHTS_MM: Final = tuple(3.5 * 1.19**step for step in range(12))
_SMOOTH_PX: Final = 2.0
_DRAWN_PX: Final = 96
"""The height in which letters are drawn, before they are made smaller."""
_FONTS: Final = (
    (cv2.FONT_HERSHEY_SIMPLEX, 6),
    (cv2.FONT_HERSHEY_SIMPLEX, 16),
    (cv2.FONT_HERSHEY_DUPLEX, 10),
    (cv2.FONT_HERSHEY_COMPLEX, 8),
    (cv2.FONT_HERSHEY_TRIPLEX, 14),
)
_WRITTEN: Final = (
    ("1", "2", "3", "4"),
    ("I", "II", "III", "IV"),
    ("I", "II", "III", "IIII"),
    ("one", "two", "three", "four"),
    ("ONE", "TWO", "THREE", "FOUR"),
    ("eins", "zwei", "drei", "vier"),
    ("un", "deux", "trois", "quatre"),
    ("uno", "due", "tre", "quattro"),
    ("uno", "dos", "tres", "cuatro"),
)
_PIPS: Final = (
    (((0, 0),), ((-1, 1), (1, -1)), ((-1, 1), (0, 0), (1, -1)), ((-1, -1), (1, -1), (-1, 1), (1, 1))),
    (((0, 0),), ((-1, 0), (1, 0)), ((-2, 0), (0, 0), (2, 0)), ((-3, 0), (-1, 0), (1, 0), (3, 0))),
    (((0, 0),), ((0, -1), (0, 1)), ((0, -2), (0, 0), (0, 2)), ((0, -3), (0, -1), (0, 1), (0, 3))),
)
"""As on dice, in a row, and in a column."""


class ValueNames(NamedTuple):
    """The value (1 to 4) of each group, and by how much that is likelier than the next way."""

    values: tuple[int, ...]
    margin: float

    @property
    def is_clear(self) -> bool:
        """Whether the values are beyond doubt."""
        return self.margin >= CLEAR


def name_values(
    cut_outs: Sequence[Picture], groups: Sequence[int], gains: Floats, card_mm: tuple[float, float]
) -> ValueNames:
    """The values of the groups (0 to 3) of a deck's faces (upright BGR cut-outs).

    ``gains`` tells how well each block of the faces tells values, as ``ValueGroups`` has it.
    """
    faces = np.stack([even_face(cut_out, card_mm) for cut_out in cut_outs])
    numbers = np.array(groups)
    left, top, right, bottom = _marked(gains, faces.shape[1:3])
    marks = []
    for group in range(4):
        some = faces[numbers == group]
        if not len(some):
            return ValueNames((1, 2, 3, 4), 0.0)
        marks.append(_ink(np.asarray(np.median(some, axis=0)[top:bottom, left:right], np.float32)))
    likenesses = [_likenesses(marks, letters, turned) for letters in _alphabets() for turned in (False, True)]
    best: dict[tuple[int, ...], float] = {}
    for likeness in likenesses:
        for order in permutations(range(4)):
            total = float(likeness[:, range(4), order].sum(axis=1).max())
            best[order] = max(best.get(order, 0.0), total)
    first, second = sorted(best, key=lambda order: -best[order])[:2]
    return ValueNames(tuple(value + 1 for value in first), best[first] - best[second])


def _marked(gains: Floats, size: tuple[int, ...]) -> tuple[int, int, int, int]:
    """The part of the faces around the clearest marks: left, top, right, bottom."""
    height, width = size
    room = round(_ROOM_MM * PX_PER_MM)
    heat = np.full((height, width), -1.0)
    for (top, left, side), gain in zip(block_places(height, width), gains, strict=False):
        heat[top : top + side, left : left + side] = np.maximum(heat[top : top + side, left : left + side], gain)
    row, column = np.unravel_index(int(heat.argmax()), heat.shape)
    _, parts = cv2.connectedComponents((heat >= _MARKED * heat.max()).astype(np.uint8))
    rows, columns = np.nonzero(parts == parts[row, column])
    reach = _LARGEST_MM * PX_PER_MM / 2
    top, bottom = max(rows.min(), row - reach), min(rows.max(), row + reach)
    left, right = max(columns.min(), column - reach), min(columns.max(), column + reach)
    return (
        max(0, int(left) - room),
        max(0, int(top) - room),
        min(width, int(right) + room + 1),
        min(height, int(bottom) + room + 1),
    )


def _ink(mark: FloatPicture) -> Floats32:
    """A mark in the one colour in which it differs most, finely."""
    pixels = mark.reshape(-1, 3) - mark.reshape(-1, 3).mean(axis=0)
    _, directions = np.linalg.eigh(pixels.T @ pixels)
    one = (pixels @ directions[:, -1]).reshape(mark.shape[:2]).astype(np.float32)
    fine = cv2.resize(one, None, fx=_FINE, fy=_FINE, interpolation=cv2.INTER_CUBIC)
    return np.asarray(cv2.GaussianBlur(fine, (0, 0), _SMOOTH_PX), np.float32)


def _likenesses(marks: Sequence[Floats32], letters: Sequence[GreyPicture], turned: bool) -> Floats:
    """How like each mark is to each of four letters, in each size that has room: sizes × marks × letters."""
    sizes = []
    for height_mm in _HEIGHTS_MM:
        scale = height_mm * PX_PER_MM * _FINE / _DRAWN_PX
        small = [_shrunk(letter[::-1, ::-1] if turned else letter, scale) for letter in letters]
        room = marks[0].shape
        if any(one.shape[0] > room[0] or one.shape[1] > room[1] for one in small):
            break
        sizes.append([[_likeness(mark, one) for one in small] for mark in marks])
    return np.array(sizes) if sizes else np.zeros((1, 4, 4))


def _shrunk(letter: GreyPicture, scale: float) -> Floats32:
    small = cv2.resize(letter, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.float32)
    margin = round(2 * _SMOOTH_PX)
    return np.asarray(
        cv2.GaussianBlur(cv2.copyMakeBorder(small, *[margin] * 4, cv2.BORDER_CONSTANT), (0, 0), _SMOOTH_PX), np.float32
    )


def _likeness(mark: Floats32, letter: Floats32) -> float:
    fit = cv2.matchTemplate(mark, letter, cv2.TM_CCOEFF_NORMED)
    return float(np.nan_to_num(np.abs(fit)).max())


@cache
def _alphabets() -> tuple[tuple[GreyPicture, ...], ...]:
    """The four values in each way to write them, all four in one size."""
    return tuple(_drawn())


def _drawn() -> Iterator[tuple[GreyPicture, ...]]:
    for words in _WRITTEN:
        for font, thick in _FONTS:
            yield tuple(_word(word, font, thick) for word in words)
    for places in _PIPS:
        for radius in (14, 22):
            yield tuple(_pips(some, radius) for some in places)


def _word(word: str, font: int, thick: int) -> GreyPicture:
    scale = cv2.getFontScaleFromHeight(font, _DRAWN_PX, thick)
    (width, height), under = cv2.getTextSize(word, font, scale, thick)
    drawn = np.zeros((height + under + 2 * thick, width + 2 * thick), np.uint8)
    cv2.putText(drawn, word, (thick, height + thick), font, scale, 255, thick, cv2.LINE_AA)
    rows, columns = np.nonzero(drawn)
    return drawn[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]


def _pips(places: Sequence[tuple[int, int]], radius: int) -> GreyPicture:
    step, middle = 32, 4 * 32
    drawn = np.zeros((2 * middle, 2 * middle), np.uint8)
    for x, y in places:
        cv2.circle(drawn, (middle + step * x, middle + step * y), radius, 255, -1, cv2.LINE_AA)
    rows, columns = np.nonzero(drawn)
    return drawn[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
