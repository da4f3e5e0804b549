"""Cut-outs of a deck's faces made alike: one scale, and colours as people see their distances."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import FloatPicture, Picture

PX_PER_MM: Final = 2.0
"""Finer than what most photographs show of a card, coarse enough for a deck to be searched within seconds."""


def even_face(cut_out: Picture, card_mm: tuple[float, float]) -> FloatPicture:
    """An upright cut-out (BGR) at PX_PER_MM, as lightness and two colours (CIE Lab)."""
    resized = even_size(cut_out, card_mm)
    return np.asarray(cv2.cvtColor(resized.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float32)


def even_size(cut_out: Picture, card_mm: tuple[float, float]) -> Picture:
    """An upright cut-out (BGR) at PX_PER_MM."""
    width, height = (round(side * PX_PER_MM) for side in card_mm)
    smaller = cut_out.shape[1] > width
    how = cv2.INTER_AREA if smaller else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(cut_out, (width, height), interpolation=how), np.uint8)


def turned_round(cut_out: Picture) -> Picture:
    """The same cut-out upside down."""
    return np.ascontiguousarray(cut_out[::-1, ::-1])
