"""Where the faces of a deck show their values: what all faces of one value have in common, whatever their rails.

Two faces that differ by their value alone differ where it is printed, but also by how each was photographed: a frame
that was cut out a little askew may differ far more than a small numeral. But that is another way with each face, and
numerals are not. So the analysis of variance tells, for each place of a card, how much of what differs there between
faces with the same rails is said by their values.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Floats32
from vision.cards import Face

_LEAST_SERIES: Final = 3
"""What fewer have in common may be chance."""
_SMOOTH_MM: Final = 0.5
"""So far off is what is printed on one face and on another one, as they were cut out."""
_PLACE_MM: Final = 4.0
"""The side of a place: about a small numeral."""
_LEAST_SHARE: Final = 0.25
"""From this share on it is the value that tells what differs. On 20 decks for building that show it by one numeral of 4
to 10 mm the share was .82 and more at the numeral; on the 16 of which grounds do not follow the value as well, nine
tenths of the card had at most .12. Values explain less than half where photographs are mixed up, with 3 of 26, and
where a numeral is so near to the edge that how faces were cut out differs by more: of one of deck 408 a fringe was left
with .5."""
_MOSTLY: Final = 0.5
"""Faces with some rails that show less than such a part of the marks show their values elsewhere."""


class ValueMarks(NamedTuple):
    """The marks by which a deck's faces show their values.

    ``differ`` tells how much they differ in each pixel of a face (h × w), 0 where something else differs more;
    ``series`` are equal for the faces that differ by the marks of their ``values`` alone.
    """

    differ: Floats32
    series: Sequence[Hashable]
    values: Sequence[int]

    def tell(self, one: int, other: int) -> bool:
        """Whether two faces, by their numbers, differ by these marks alone."""
        return self.series[one] == self.series[other] and self.values[one] != self.values[other]


def find_value_marks(prints: Sequence[Floats32], faces: Sequence[Face], px_per_mm: float) -> ValueMarks | None:
    """The marks of these faces, of which ``prints`` are what is printed on them (h × w × 3).

    Marks are where values explain a good share of the variance. None where few have the same rails, or those with other
    rails show their values elsewhere. That share is epsilon squared (Kelley, An unbiased correlation ratio measure,
    1935).
    """
    series: list[Hashable] = [(face.ports, face.kind) for face in faces]
    values = [face.value for face in faces]
    together = [[face for face, other in enumerate(series) if one == other] for one in dict.fromkeys(series)]
    together = [some for some in together if len(some) > 1]
    if len(together) < _LEAST_SERIES:
        return None
    left = np.concatenate([_apart([prints[face] for face in some], px_per_mm) for some in together])
    value_of = np.array(values)[np.concatenate(together)]
    marks = np.zeros_like(left)
    for value in np.unique(value_of):
        marks[value_of == value] = left[value_of == value].mean(axis=0)
    left -= marks
    said = _energy(marks)
    side = 2 * round(_PLACE_MM * px_per_mm / 2) + 1
    near, unsaid = (np.asarray(cv2.boxFilter(part, -1, (side, side)), np.float32) for part in (said, _energy(left)))
    free = len(np.unique(value_of)) - 1
    by_chance = unsaid * free / max(len(left) - len(together) - free, 1)
    share = (near - by_chance) / np.maximum(near + unsaid, np.finfo(np.float32).tiny)
    differ = np.where(share > _LEAST_SHARE, said, np.float32(0))
    if not differ.any():
        return None
    # How much of the marks each face shows: faces with some rails may show their values elsewhere.
    shown = np.einsum("nhwc,nhwc,hw->n", left + marks, marks, differ > 0)
    whole = np.einsum("nhwc,nhwc,hw->n", marks, marks, differ > 0)
    ends = np.cumsum([len(some) for some in together])
    for some, end in zip(together, ends, strict=True):
        those = slice(end - len(some), end)
        if shown[those].sum() < _MOSTLY * whole[those].sum():
            for face in some:
                series[face] = face
    return ValueMarks(np.asarray(differ, np.float32), series, values)


def _apart(prints: Sequence[Floats32], px_per_mm: float) -> Floats32:
    """What faces with the same rails do not have in common."""
    smooth = np.stack([cv2.GaussianBlur(face, (0, 0), _SMOOTH_MM * px_per_mm) for face in prints])
    return np.asarray(smooth - smooth.mean(axis=0), np.float32)


def _energy(faces: Floats32) -> Floats32:
    """The squares of all faces and colours (h × w)."""
    return np.asarray(np.einsum("nhwc,nhwc->hw", faces, faces), np.float32)
