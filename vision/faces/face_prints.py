"""What is printed on a deck's faces, at one size, and how much of a card's looks each of them leaves unexplained.

No spot counts for more than a few times the picture's own noise: what hides a part of the card (a locomotive, a hand,
gloss) weighs the same against all faces, and the spots in which they differ decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.arrays import Flags, Floats32, Indices
from vision.faces.lamp_light import LampLight, smooth_terms, without_lamp
from vision.faces.looks import TRUST, by_channel, upper_median
from vision.faces.upright_cards import UprightCards

_HIDDEN: Final = 0.5
"""From such a difference on a spot is hidden, and it does not matter by what."""
_SATURATED: Final = 0.99
_CLUMP_MM: Final = 5.0
"""Across; no print that lies off by a millimetre leaves so much unexplained in one piece."""
MOST_HIDDEN: Final = 0.3
"""Of a card: a locomotive of 15 × 36 mm that leans away hides up to a sixth, and her shadow lies beside her."""
_BORDER_MM: Final = 1.2
"""At a card's border its neighbours may show, and what is round."""
_RIM_MM: Final = 3.0
_MOST_OF_SIDE: Final = 0.5
"""She stands in the middle, and leans over a part of one side at most."""
_STRENGTH_DOUBT: Final = 0.2
_PLACE_DOUBT_PX: Final = 1.2
_NOISE: Final = 0.05
_NOISES: Final = 4.0
_SPOTS_MM: Final = 2.6
"""How far apart spots lie that are enough to tell the lamp's light."""


class FacePrints:
    """The prints of all faces at the size of ``cards``.

    What is compared is kept as faces × 3 channels × spots: that is how the sums over channels and spots are fast.
    """

    def __init__(self, looks: Floats32, cards: UprightCards, most_hidden: float) -> None:
        """``looks`` are those of the faces (``vision.faces.looks``), larger.

        A locomotive may hide so much of a card (0 to 1) without its being less alike.
        """
        self._most_hidden = most_hidden
        size = cards.size
        self._shape = size[::-1]
        self._rim = round(cards.px_per_mm * _RIM_MM)
        self._clump = np.ones((round(cards.px_per_mm * _CLUMP_MM),) * 2, np.uint8)
        terms = smooth_terms(size)
        shrunk = [cv2.resize(face, size, interpolation=cv2.INTER_AREA) for face in looks]
        even = [without_lamp(np.asarray(face, dtype=np.float32), terms) for face in shrunk]
        self._prints = np.stack([by_channel(face) for face in even])
        self._doubts = np.stack([_place_doubt(face).ravel() for face in even])
        self._terms = by_channel(terms)
        self._inner = cards.inner(_BORDER_MM)
        self._every_other = _spots(size, 0, 2)
        step = max(1, round(cards.px_per_mm * _SPOTS_MM))
        self._lamp = LampLight(self._prints, terms, _spots(size, step // 2, step))

    def compared(
        self, cards: Sequence[Floats32], faces: Sequence[int], shown: Floats32 | None = None
    ) -> tuple[Floats32, Floats32]:
        """How much each face leaves unexplained of a card's looks (one for each), and how alike it is, -1 to 1.

        ``shown`` (one for each × spots, 0 or 1) tells which spots nothing hides; the others do not count.
        """
        looks = np.stack([by_channel(card) for card in cards])
        which = list(faces)
        inner = self._inner[None] if shown is None else self._inner * shown
        parts, strength = self._lamp.told(looks, which, inner)
        own = self._prints[which] * strength[:, None, None]
        seen = looks - (parts.reshape(-1, len(self._terms)) @ self._terms).reshape(looks.shape)
        squares = (seen - own) ** 2
        # One noise and one doubt about each spot for all faces. The noise is the picture's, and least is left of it
        # where the face is right: by its own measure a wrong face would be forgiven what it does not explain.
        noise = 2.2 * upper_median(squares.take(self._every_other, axis=2), 2).min(axis=0) + _NOISE**2
        own *= own
        doubt = self._doubts[which].max(axis=0) * TRUST[:, None] ** 2 + _STRENGTH_DOUBT**2 * own.max(axis=0)
        unexplained = np.minimum((squares / (noise[:, None] + doubt)).sum(axis=1), _NOISES**2)
        most = (_HIDDEN * strength[:, None]) ** 2
        rest = np.minimum(squares.sum(axis=1), most)
        both = np.minimum(own.sum(axis=1), most) + np.minimum((seen * seen).sum(axis=1), most)
        bare = inner * self._bare(rest >= _SATURATED * most)
        cost = np.einsum("fs,fs->f", unexplained, np.broadcast_to(inner, unexplained.shape))
        apart, whole = (np.einsum("fs,fs->f", part, bare) for part in (rest, both))
        return cost / np.maximum(inner.sum(axis=1), 1e-6), 1 - apart / np.maximum(whole, 1e-6)

    def _bare(self, unexplained: Flags) -> Floats32:
        """Which spots (faces × spots, 0 or 1) no locomotive stands on, as far as some lie unexplained in one clump.

        On a card of thin lines she would outweigh all that is printed. More than she can hide counts nevertheless: then
        it is no such card.
        """
        bare = np.ones(unexplained.shape, np.float32)
        for face, spots in enumerate(unexplained.astype(np.uint8)):
            clumps = cv2.dilate(cv2.morphologyEx(spots.reshape(self._shape), cv2.MORPH_OPEN, self._clump), self._clump)
            # What covers a side is no locomotive, but the table beside a card that lies elsewhere.
            sides = (clumps[self._rim], clumps[-1 - self._rim], clumps[:, self._rim], clumps[:, -1 - self._rim])
            covers_side = any(np.count_nonzero(side) > _MOST_OF_SIDE * side.size for side in sides)
            if 0 < np.count_nonzero(clumps) <= self._most_hidden * clumps.size and not covers_side:
                bare[face] -= clumps.ravel()
        return bare


def _spots(size: tuple[int, int], start: int, step: int) -> Indices:
    """The spots of each so many rows and columns."""
    spots = np.arange(size[0] * size[1]).reshape(size[::-1])
    return spots[start::step, start::step].ravel()


def _place_doubt(looks: Floats32) -> Floats32:
    """The square by which a spot's looks may be off because edges lie off a little (rows × columns)."""
    down, across = np.gradient(looks, axis=(0, 1))
    return np.asarray((_PLACE_DOUBT_PX**2 * (down**2 + across**2)).mean(axis=2), dtype=np.float32)
