"""What colour the light of a table gives to all cards: so it is seen which of two grounds a card has.

By itself a card's looks do not tell that: a warm lamp makes blue ground grey. Beside the others on the table they do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.arrays import Corners, Floats, Picture
from vision.faces.upright_cards import UprightCards

_PX_PER_MM: Final = 0.5
_RIM_MM: Final = 3.0
_DARK: Final = 8.0
"""Added to grey values: the tint of what is nearly black is noise."""
_ENOUGH: Final = 3
"""So many cards tell the tint of the light."""
_LEAST_SPREAD: Final = 0.05
"""Of logarithms: what lamps from several sides and gleams do to the tint of cards on one table."""
_MOST: Final = 40.0
"""What a tint tells at most: it may be a gleam."""


class TableTint:
    """Tells the faces of a deck by the tint of their ground."""

    def __init__(self, faces: Sequence[Picture], card_mm: tuple[float, float]) -> None:
        """``faces`` are pictures (B, G, R) of the upright faces."""
        self._cards = UprightCards(card_mm, _PX_PER_MM)
        size = self._cards.size
        self._faces = [_tint(np.asarray(cv2.resize(face, size, interpolation=cv2.INTER_AREA))) for face in faces]

    def odds(self, picture: Picture, cards: Sequence[tuple[int, Corners]]) -> list[list[float]]:
        """For each card (face and corners, px) how likely each face is by its tint: the logarithm, 0 for the likeliest.

        All are as likely where there are few cards.
        """
        if len(cards) < _ENOUGH:
            return [[0.0] * len(self._faces) for _ in cards]
        seen = [_tint(self._cards.cut(picture, corners, 0)) for _, corners in cards]
        off = np.stack([tint - self._faces[face] for tint, (face, _) in zip(seen, cards, strict=True)])
        light = np.median(off, axis=0)
        spread = np.maximum(1.4826 * np.median(np.abs(off - light), axis=0), _LEAST_SPREAD)
        told = []
        for tint in seen:
            unlike = np.array([(((tint - face - light) / spread) ** 2).sum() / 2 for face in self._faces])
            told.append([-float(value) for value in np.minimum(unlike - unlike.min(), _MOST)])
        return told


def _tint(card: Picture) -> Floats:
    """How much bluer and redder than green a card is on the whole (2,)."""
    rim = round(_RIM_MM * _PX_PER_MM)
    light = np.log(card[rim:-rim, rim:-rim].reshape(-1, 3).astype(np.float64) + _DARK)
    return np.asarray(np.median(light[:, [0, 2]] - light[:, 1:2], axis=0))
