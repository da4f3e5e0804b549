"""How alike a face is to what shows faintly, in much noise, at the exact place of a card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Floats32, Picture
from vision.faces.upright_cards import UprightCards

_PX_PER_MM: Final = 0.6
_FINER: Final = 2
"""So many times finer a card is cut out: the mean of what falls into one px has less noise."""
_WIDE_MM: Final = 4.0
"""What is lighter or darker than its surroundings so far around counts (a deviation): light changes more slowly."""
_BORDER_MM: Final = 3.0
"""So near to its edges a card is not looked at: what lies beside it is often more in contrast than all its print."""
_MOST: Final = 2.5
"""What stands out more counts so much, in deviations: a gleam, or what lies on the card, tells of no face."""


class FaintPrint(NamedTuple):
    """How alike (a correlation, -1 to 1) a face is to what shows at a place, and how strongly it shows there.

    Its ``strength`` is 1 where it shows as the light there lets it, and about 0 where it is not printed at all.
    """

    likeness: float
    strength: float


class FaintPrints:
    """A deck's faces, to be compared as a whole: the sum of all spots tells where each alone is lost in noise."""

    def __init__(self, faces: Sequence[Picture], card_mm: tuple[float, float]) -> None:
        """``faces`` are pictures (B, G, R) of the upright faces."""
        self._cards = UprightCards(card_mm, _PX_PER_MM * _FINER)
        shrunk = [cv2.resize(face, self._cards.size, interpolation=cv2.INTER_AREA) for face in faces]
        self._faces = [self._contrast(np.asarray(face, np.uint8)) for face in shrunk]
        self._light = [face.mean(axis=(0, 1)) for face in shrunk]

    def compared(self, picture: Picture, corners: Corners, face: int) -> FaintPrint:
        """A face compared with what lies just there (4 × 2, px)."""
        card, printed = self._cards.cut(picture, corners, 0), self._faces[face]
        seen = self._contrast(card)
        deviations = np.median(np.abs(seen), axis=(0, 1)) / 0.6745 + 1e-3
        seen, printed = np.clip(seen / deviations, -_MOST, _MOST), printed / deviations
        common, of_face = float((seen * printed).sum()), float((printed * printed).sum())
        light = float(np.median((card.mean(axis=(0, 1)) + 1) / (self._light[face] + 1)))
        return FaintPrint(
            common / max(float(np.linalg.norm(seen)) * of_face**0.5, 1e-6), common / max(of_face, 1e-6) / light
        )

    def _contrast(self, card: Picture) -> Floats32:
        """What is lighter or darker than its surroundings in each colour, but for the card's border."""
        size = (self._cards.size[0] // _FINER, self._cards.size[1] // _FINER)
        values = np.asarray(cv2.resize(card, size, interpolation=cv2.INTER_AREA), np.float32)
        contrast = values - cv2.GaussianBlur(values, (0, 0), _WIDE_MM * _PX_PER_MM)
        border = round(_BORDER_MM * _PX_PER_MM)
        inner = contrast[border:-border, border:-border]
        return np.asarray(inner - inner.mean(axis=(0, 1)), np.float32)
