"""Faces so tiny that comparing a card with all of them costs next to nothing: they tell where to look closer."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats32
from vision.faces.lamp_light import bounded_strength
from vision.faces.rails_on import FacesEachWay

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
        costs, _ = _unexplained(np.stack([tiny, tiny[::-1]]), self._faces)
        order = np.argsort(costs.ravel())[:most]
        return [(int(index % len(self._faces)), bool(index >= len(self._faces))) for index in order]

    def promise(self, looks: Floats32, faces: FacesEachWay | None) -> float:
        """How much (up to 1) the likeliest of all faces, or of these, is alike a card with these looks."""
        tiny = self._shrunk(looks)
        if faces is None:
            return _promised(np.stack([tiny, tiny[::-1]]), self._faces)
        ways = zip((tiny, tiny[::-1]), faces, strict=True)
        return max(_promised(card[None], self._faces[list(some)]) for card, some in ways if some)

    def _shrunk(self, looks: Floats32) -> Floats32:
        """Looks as a tiny picture's spots × 3."""
        tiny = np.asarray(cv2.resize(looks, self._size, interpolation=cv2.INTER_AREA), dtype=np.float32)
        radius = round(_AROUND_MM * _PX_PER_MM)
        around = cv2.blur(tiny[..., 0].clip(-0.3, 0.3), (2 * radius + 1, 2 * radius + 1))
        tiny[..., 0] -= np.asarray(around, dtype=np.float32)
        return tiny.reshape(-1, 3)


def _promised(cards: Floats32, sought: Floats32) -> float:
    """How much the likeliest of these tiny faces is alike one of these tiny pictures of a card."""
    costs, strength = _unexplained(cards, sought)
    own = strength[..., None] ** 2 * (sought**2 @ _ALL)
    seen = np.minimum(cards[0] ** 2 @ _ALL, _HIDDEN**2).sum()
    both = np.minimum(own, _HIDDEN**2).sum(axis=2) + seen
    return float((1 - costs / np.maximum(both, 1e-6)).max())


def _unexplained(cards: Floats32, faces: Floats32) -> tuple[Floats32, Floats32]:
    """What each face leaves unexplained of each card in tiny pictures (cards × faces), and how strong its print is."""
    flat = faces.reshape(len(faces), -1)
    strength = bounded_strength(cards.reshape(len(cards), -1) @ flat.T / ((flat**2).sum(axis=1) + 1e-6))
    away = cards[:, None] - strength[..., None, None] * faces
    return np.minimum((away * away) @ _ALL, _HIDDEN**2).sum(axis=2), strength
