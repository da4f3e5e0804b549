"""Which value each group of faces has: the marks that they share are read as numerals, strokes, pips or words.

All four are read together, in one hand and size: that "III" has three strokes is said most clearly by the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations, product
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import FloatPicture, Floats, Floats32, GreyPicture, Picture
from vision.teaching.even_faces import PX_PER_MM, even_face
from vision.teaching.values.face_blocks import block_places

CLEAR: Final = 0.06
"""Values are clear where the next way to name the groups is so much less like their marks (a correlation): of 16 decks
those named wrongly reached 0.04, half of those named rightly more than 0.06."""

_FINE: Final = 1.5
"""Marks are compared at so many times the faces' own pixels."""
_ROOM_MM: Final = 2.0
_MARKED: Final = 0.5
"""Where the marks of values lie: blocks that tell values at least so well, in parts of the best."""
_LARGEST_MM: Final = 32.0
_HEIGHTS_MM: Final = tuple(3.2 * 1.24**step for step in range(11))
_STRETCHES: Final = (0.85, 1.15)
_SMOOTH_PX: Final = 1.2
_DRAWN_PX: Final = 96
"""The height in which letters are drawn, before they are made smaller."""
_SIMPLE: Final = ((cv2.FONT_HERSHEY_SIMPLEX, 8), (cv2.FONT_HERSHEY_SIMPLEX, 20))
_FOOTED: Final = ((cv2.FONT_HERSHEY_COMPLEX, 8), (cv2.FONT_HERSHEY_TRIPLEX, 14))
_WRITTEN: Final = (
    (("1", "2", "3", "4"), (*_SIMPLE, *_FOOTED)),
    (("I", "II", "III", "IV"), (*_SIMPLE, *_FOOTED)),
    (("I", "II", "III", "IIII"), _SIMPLE),
    (("one", "two", "three", "four"), _SIMPLE[1:]),
    (("ONE", "TWO", "THREE", "FOUR"), _SIMPLE[1:]),
    (("eins", "zwei", "drei", "vier"), _SIMPLE[1:]),
    (("un", "deux", "trois", "quatre"), _SIMPLE[1:]),
    (("uno", "due", "tre", "quattro"), _SIMPLE[1:]),
    (("uno", "dos", "tres", "cuatro"), _SIMPLE[1:]),
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
    contrasts = _contrasts(_of_one_sign(marks))
    best: dict[tuple[int, ...], float] = {}
    for letters in _alphabets():
        for height_mm, stretch in product(_HEIGHTS_MM, _STRETCHES):
            drawn = _drawn_at(letters, height_mm, stretch, contrasts[0].shape)
            for some_letters in () if drawn is None else (drawn, [one[::-1, ::-1] for one in drawn]):
                for order, likeness in _likenesses(contrasts, some_letters):
                    best[order] = max(best.get(order, 0.0), likeness)
    if not best:
        return ValueNames((1, 2, 3, 4), 0.0)
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
    """A mark in the one colour in which it differs most, finely, of unit strength."""
    pixels = mark.reshape(-1, 3) - mark.reshape(-1, 3).mean(axis=0)
    _, directions = np.linalg.eigh(pixels.T @ pixels)
    one = (pixels @ directions[:, -1]).reshape(mark.shape[:2]).astype(np.float32)
    fine = cv2.resize(one, None, fx=_FINE, fy=_FINE, interpolation=cv2.INTER_CUBIC)
    return np.asarray(fine / max(float(fine.std()), 1e-3), np.float32)


def _of_one_sign(marks: Sequence[Floats32]) -> list[Floats32]:
    """The marks, dark or light as most alike: values may be printed in ink of another colour each."""
    signs = max(
        ((1, *rest) for rest in product((1, -1), repeat=len(marks) - 1)),
        key=lambda signs: float(np.square(sum(sign * mark for sign, mark in zip(signs, marks, strict=True))).sum()),
    )
    return [sign * mark for sign, mark in zip(signs, marks, strict=True)]


def _contrasts(marks: Sequence[Floats32]) -> list[Floats32]:
    """What each has that not all have, all together of unit strength."""
    mean = np.mean(np.stack(marks), axis=0)
    norm = float(np.sqrt(sum(np.square(mark - mean).sum() for mark in marks)))
    return [np.asarray((mark - mean) / max(norm, 1e-6), np.float32) for mark in marks]


def _drawn_at(
    letters: Sequence[GreyPicture], height_mm: float, stretch: float, room: tuple[int, ...]
) -> list[Floats32] | None:
    """What each of four letters has that not all have, in a size; None where there is no room for it."""
    scale = height_mm * PX_PER_MM * _FINE / _DRAWN_PX
    height = max(round(letter.shape[0] * scale) for letter in letters)
    width = max(round(letter.shape[1] * scale * stretch) for letter in letters)
    if height > room[0] or width > room[1] or min(height, width) < 2:
        return None
    margin = round(2 * _SMOOTH_PX)
    canvases = []
    for letter in letters:
        size = max(1, round(letter.shape[1] * scale * stretch)), max(1, round(letter.shape[0] * scale))
        small = cv2.resize(letter, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        top, left = margin + (height - size[1]) // 2, margin + (width - size[0]) // 2
        canvas = np.zeros((height + 2 * margin, width + 2 * margin), np.float32)
        canvas[top : top + size[1], left : left + size[0]] = small
        canvases.append(np.asarray(cv2.GaussianBlur(canvas, (0, 0), _SMOOTH_PX), np.float32))
    return _contrasts(canvases)


def _likenesses(contrasts: Sequence[Floats32], letters: Sequence[Floats32]) -> Iterator[tuple[tuple[int, ...], float]]:
    """How like the marks are to the letters in each order, where they are most."""
    margin = letters[0].shape[0] // 4 + 2, letters[0].shape[1] // 4 + 2
    fits = []
    for contrast in contrasts:
        padded = cv2.copyMakeBorder(
            contrast, margin[0], margin[0], margin[1], margin[1], cv2.BORDER_CONSTANT, value=(0.0,)
        )
        if any(one < other for one, other in zip(padded.shape, letters[0].shape, strict=True)):
            return
        fits.append([cv2.matchTemplate(padded, letter, cv2.TM_CCORR) for letter in letters])
    for order in permutations(range(4)):
        total = sum(fits[group][letter] for group, letter in enumerate(order))
        yield order, float(np.abs(total).max())


@cache
def _alphabets() -> tuple[tuple[GreyPicture, ...], ...]:
    """The four values in each way to write them, all four in one size."""
    return tuple(_drawn())


def _drawn() -> Iterator[tuple[GreyPicture, ...]]:
    for words, fonts in _WRITTEN:
        for font, thick in fonts:
            yield tuple(_word(word, font, thick) for word in words)
    for places in _PIPS:
        for radius in (14, 22):
            yield tuple(_pips(some, radius) for some in places)


def _word(word: str, font: int, thick: int) -> GreyPicture:
    scale = cv2.getFontScaleFromHeight(font, _DRAWN_PX, thick)
    (width, height), under = cv2.getTextSize(word, font, scale, thick)
    drawn = np.zeros((height + under + 2 * thick, width + 2 * thick), np.uint8)
    cv2.putText(drawn, word, (thick, height + thick), font, scale, (255,), thick, cv2.LINE_AA)
    rows, columns = np.nonzero(drawn)
    return drawn[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]


def _pips(places: Sequence[tuple[int, int]], radius: int) -> GreyPicture:
    step, middle = 32, 4 * 32
    drawn = np.zeros((2 * middle, 2 * middle), np.uint8)
    for x, y in places:
        cv2.circle(drawn, (middle + step * x, middle + step * y), radius, (255,), -1, cv2.LINE_AA)
    rows, columns = np.nonzero(drawn)
    return drawn[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
