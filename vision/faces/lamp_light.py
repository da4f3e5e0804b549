"""What a lamp does to a card's looks: it adds something that changes smoothly over the card, and nothing else.

Print may vary smoothly, too. So faces are compared without all that a lamp could have added to them (``without_lamp``),
and what a lamp has added to a card is told by what no print explains (``LampLight``).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Floats32, Indices
from vision.faces.looks import by_channel, upper_median

_STRENGTHS: Final = (0.35, 1.4)
"""How strong print appears, from faint in dim light to stronger than it was taught."""
_ROUNDS: Final = 4


def smooth_terms(size: tuple[int, int]) -> Floats32:
    """What lamps can do over a card of this width and height: rows × columns × 6 terms."""
    y, x = np.meshgrid(np.linspace(-1, 1, size[1]), np.linspace(-1, 1, size[0]), indexing="ij")
    return np.asarray(np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=2), np.float32)


def without_lamp(looks: Floats32, terms: Floats32) -> Floats32:
    """The looks (rows × columns × 3) without all that a lamp may have added."""
    flat_terms = terms.reshape(-1, terms.shape[2])
    parts, *_ = np.linalg.lstsq(flat_terms, looks.reshape(-1, 3), rcond=None)
    return np.asarray(looks - (flat_terms @ parts).reshape(looks.shape), dtype=np.float32)


def bounded_strength(strength: Floats32) -> Floats32:
    """How strong print appears, as far as that is possible: beyond it, something else is seen than this print."""
    return strength.clip(*_STRENGTHS)


class LampLight:
    """Tells for each face what the lamp adds to a card, and how strongly the face is printed, if it is that face.

    Both have to be told at once, and for each face anew: light told from the card alone would take large dark print for
    a shadow, and explain away the very spots in which faces differ. Looked at are a few spots, as light is smooth.
    """

    def __init__(self, prints: Floats32, terms: Floats32, spots: Indices) -> None:
        """Of ``prints`` (faces × 3 × all spots) and ``terms`` (``smooth_terms``) only these ``spots`` are looked at."""
        self._spots = spots
        self._prints = prints.take(spots, axis=2)
        self._terms = by_channel(terms).take(spots, axis=1)
        products = self._terms[:, None] * self._terms
        self._products = np.ascontiguousarray(products.reshape(-1, len(spots)).T)

    def told(self, looks: Floats32, faces: list[int], inner: Floats32) -> tuple[Floats32, Floats32]:
        """What the lamp adds smoothly to these looks (faces × channels × terms), and how strong each print is (faces).

        ``looks`` are faces × channels × all spots, ``inner`` (1 or faces × all spots) is how much each spot counts.
        """
        some, inner = looks.take(self._spots, axis=2), inner.take(self._spots, axis=1)
        prints, terms = self._prints[faces], self._terms
        count, spots = len(faces), len(self._spots)
        weight = np.broadcast_to(inner, (count, spots)).copy()
        strength = np.full(count, 0.8, dtype=np.float32)
        energy = (prints * prints).sum(axis=1)
        parts = np.zeros((count, 3, len(terms)), dtype=np.float32)
        # Light and strength in turns, each by least squares while the other stands. What a spot counts for goes down
        # with how badly it fits: in plain least squares Emma, black on white paper, would bend the light of the whole
        # card, and the right face would fit as badly as the wrong ones.
        for _ in range(_ROUNDS):
            square = (weight @ self._products).reshape(count, len(terms), len(terms))
            # Where hardly a spot counts any more there is nothing to solve: then no light rather than any light.
            square += 1e-3 * np.eye(len(terms), dtype=np.float32)
            goal = (some - strength[:, None, None] * prints) * weight[:, None]
            right = (goal.reshape(-1, spots) @ terms.T).reshape(count, 3, -1)
            parts = np.linalg.solve(square, right.swapaxes(1, 2)).swapaxes(1, 2)
            rest = some - (parts.reshape(-1, len(terms)) @ terms).reshape(some.shape)
            common = ((rest * prints).sum(axis=1) * weight).sum(axis=1)
            strength = bounded_strength(common / ((energy * weight).sum(axis=1) + 1e-6))
            rest -= strength[:, None, None] * prints
            off = (rest * rest).sum(axis=1)
            # Measured by the median of this very face: so half of the card always counts, however dark the picture is
            # and however badly a wrong face fits.
            weight = inner / (1 + off / (2.0 * upper_median(off[:, ::2], 1)[:, None] + 0.01)) ** 2
        return parts, strength
