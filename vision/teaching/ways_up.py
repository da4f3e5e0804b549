"""Which cut-outs of a deck lie upside down among the others: what they share with some of them tells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Flags, Floats, Picture
from vision.teaching.even_faces import even_face, turned_round
from vision.teaching.values.face_blocks import block_distances, without_shade

CLEAR: Final = 0.04
"""A face lies clearly one way up where its blocks are so much nearer to others then (mean of natural logarithms)."""
_FLOOR: Final = 0.3
"""In parts of the usual distance of two faces: what cannot be told from noise."""


class WaysUp(NamedTuple):
    """Which faces lie the other way up than most, and how clear that is for each."""

    is_turned: Flags
    margins: Floats

    def is_clear(self, face: int) -> bool:
        """Whether it is beyond doubt which way up a face lies, compared to the others."""
        return bool(self.margins[face] >= CLEAR)


def find_ways_up(cut_outs: Sequence[Picture], card_mm: tuple[float, float]) -> WaysUp:
    """Which of a deck's faces (BGR cut-outs, their tops on top or at the bottom) lie otherwise than most."""
    faces = np.stack([without_shade(even_face(cut_out, card_mm)) for cut_out in cut_outs])
    turned = np.stack([without_shade(even_face(turned_round(cut_out), card_mm)) for cut_out in cut_outs])
    same, opposite = block_distances(faces), block_distances(turned, faces)
    floor = _FLOOR * float(np.median(same.mean(axis=(1, 2)))) + 1e-9
    is_turned = np.zeros(len(cut_outs), bool)
    for _ in range(len(cut_outs)):
        gains = _gains(same, opposite, is_turned, floor)
        best = int(gains.argmax())
        if gains[best] < CLEAR:
            break
        is_turned[best] = not is_turned[best]
    if np.count_nonzero(is_turned) > len(cut_outs) / 2:
        is_turned = ~is_turned
    return WaysUp(is_turned, -_gains(same, opposite, is_turned, floor))


def _gains(same: Floats, opposite: Floats, is_turned: Flags, floor: float) -> Floats:
    """How much nearer each face would be to others if it alone were turned round."""
    differ = is_turned[:, None] != is_turned[None]
    now = np.where(differ, opposite, same)
    then = np.where(differ, same, opposite)
    nearness = []
    for distances in (now, then):
        distances[:, np.arange(len(is_turned)), np.arange(len(is_turned))] = np.inf
        nearness.append(np.log(distances.min(axis=2) + floor).mean(axis=0))
    return np.asarray(nearness[0] - nearness[1])
