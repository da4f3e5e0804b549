"""Faces of a deck compared block by block: what two of them share may be a small part of each."""

from __future__ import annotations

from itertools import product
from typing import Final

import cv2
import numpy as np

from vision.arrays import FloatPicture, Floats, Floats32
from vision.teaching.even_faces import PX_PER_MM

_SMOOTH_MM: Final = 0.6
"""Cards are cut out half a millimetre wrongly: finer strokes do not lie on each other."""
_SHADE_MM: Final = 6.0
"""What changes more slowly is light or ground, not a mark."""
_BLOCK_MM: Final = 5.0
"""The size of a small numeral."""
_SHIFT_PX: Final = 1
"""How far a block may be shifted: half a millimetre."""


def without_shade(face: FloatPicture) -> FloatPicture:
    """An even face without light and ground, as sharp as cut-outs can be compared."""
    smooth = cv2.GaussianBlur(face, (0, 0), _SMOOTH_MM * PX_PER_MM)
    return np.asarray(smooth - cv2.GaussianBlur(smooth, (0, 0), _SHADE_MM * PX_PER_MM), np.float32)


def block_places(height: int, width: int) -> list[tuple[int, int, int]]:
    """Where the blocks of faces of this size lie: top, left and side, in px."""
    side = round(_BLOCK_MM * PX_PER_MM)
    steps = product(range(0, height - side + 1, side // 2), range(0, width - side + 1, side // 2))
    return [(top, left, side) for top, left in steps]


def block_distances(faces: Floats32, others: Floats32 | None = None) -> Floats:
    """How different each two faces are in each block, shifted to where they are least: blocks × faces × faces.

    Mean squares of Lab; ``others`` stand in the last place, the faces themselves if none are given.
    """
    height, width = faces.shape[1:3]
    reach = 2 * _SHIFT_PX + 1
    seconds = faces if others is None else others
    padded = np.pad(seconds, ((0, 0), (_SHIFT_PX, _SHIFT_PX), (_SHIFT_PX, _SHIFT_PX), (0, 0)), mode="edge")
    blocks = []
    for top, left, side in block_places(height, width):
        here = faces[:, top : top + side, left : left + side].reshape(len(faces), -1)
        shifted = np.stack(
            [
                padded[:, top + down : top + down + side, left + right : left + right + side]
                for down, right in product(range(reach), repeat=2)
            ]
        ).reshape(reach * reach * len(seconds), -1)
        shared = (here @ shifted.T).reshape(len(faces), reach * reach, len(seconds))
        energy = (here**2).sum(axis=1)
        shifted_energy = (shifted**2).sum(axis=1).reshape(reach * reach, len(seconds))
        blocks.append((energy[:, None, None] + shifted_energy[None] - 2 * shared).min(axis=1) / here.shape[1])
    apart = np.maximum(np.stack(blocks), 0).astype(np.float64)
    if others is None:
        apart = (apart + apart.transpose(0, 2, 1)) / 2
        apart[:, np.arange(len(faces)), np.arange(len(faces))] = 0
    return np.asarray(apart)
