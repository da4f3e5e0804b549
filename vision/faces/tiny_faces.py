"""Faces so tiny that comparing a card with all of them costs next to nothing: they tell where to look closer."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats32
from vision.faces.lamp_light import bounded_strength

_PX_PER_MM: Final = 0.3
_AROUND_MM: Final = 8.0
"""How far a spot's surroundings reach."""
_HIDDEN: Final = 0.6
"""From such a difference on a spot is hidden, and it does not matter by what."""
_ALL: Final = np.ones(3, dtype=np.float32)


class TinyFaces:
    """A deck's faces, tiny."""

    def __init__(self, looks: Floats32, card_mm: tuple[float, float]) -> None:
        """``looks`` are those of the faces, larger (``vision.faces.looks``)."""
        self._size = (round(card_mm[0] * _PX_PER_MM), round(card_mm[1] * _PX_PER_MM))
        self._faces = np.stack([self._shrunk(face) for face in looks])

    def likeliest(self, looks: Floats32, most: int) -> list[tuple[int, bool]]:
        """The faces, and which way up, that a card's looks leave, the likeliest first."""
        tiny = self._shrunk(looks)
        costs = _unexplained(np.stack([tiny, tiny[::-1]]), self._faces)
        order = np.argsort(costs.ravel())[:most]
        return [(int(index % len(self._faces)), bool(index >= len(self._faces))) for index in order]

    def _shrunk(self, looks: Floats32) -> Floats32:
        """Looks as a tiny picture's spots × 3."""
        tiny = np.asarray(cv2.resize(looks, self._size, interpolation=cv2.INTER_AREA), dtype=np.float32)
        radius = round(_AROUND_MM * _PX_PER_MM)
        around = cv2.blur(tiny[..., 0].clip(-0.3, 0.3), (2 * radius + 1, 2 * radius + 1))
        tiny[..., 0] -= np.asarray(around, dtype=np.float32)
        return tiny.reshape(-1, 3)


def _unexplained(cards: Floats32, faces: Floats32) -> Floats32:
    """What each face leaves unexplained of each card in tiny pictures (cards × faces)."""
    flat = faces.reshape(len(faces), -1)
    strength = bounded_strength(cards.reshape(len(cards), -1) @ flat.T / ((flat**2).sum(axis=1) + 1e-6))
    away = cards[:, None] - strength[..., None, None] * faces
    return np.asarray(np.minimum((away * away) @ _ALL, _HIDDEN**2).sum(axis=2), np.float32)
