"""Which cut-outs of a deck lie upside down among the others: what they share with some of them tells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Flags, Floats, Picture
from vision.teaching.even_faces import even_face, turned_round
from vision.teaching.values.face_blocks import block_distances, without_shade

CLEAR: Final = 6.2
"""A logarithm: from these odds on, 500 to 1, it is beyond doubt which way up a face lies: ten times as probable as
where nothing shared tells. Of 2,160 faces of 30 decks, some of them turned, none was clear and wrong."""
_TURNED: Final = 0.02
"""So few cards are laid the other way up than the one before by somebody who photographs a deck."""
_FREEDOM: Final = 3.0
"""Of the t-distribution of what faces tell: few have a print of their own, as chance cards do, and tell anything."""
_FLOOR: Final = 0.3
"""In parts of the usual distance of two faces: what cannot be told from noise."""
_TOLD: Final = 0.7
"""Of the squares of all agreements, what the likeliest ways up explain if they are begun with. Of 182 decks for
building whose faces all lay one way up three, which had .57 to .68, came apart into two groups that share little; with
8 or 11 of 24 faces turned, four of 184 that came right had less than .7."""
_NOISE: Final = 0.01
"""How far a face agrees with others (-1 to 1) differs by so much at least."""


class WaysUp(NamedTuple):
    """Which faces lie the other way up than most, and how clear that is for each: the logarithm of its odds."""

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
    agree = np.log((opposite + floor) / (same + floor)).mean(axis=0)
    agree = agree + agree.T
    np.fill_diagonal(agree, 0)
    # Lest a few that are nearly the same outweigh all others.
    agree /= np.abs(agree) + np.median(np.abs(agree)) + 1e-9
    strengths, vectors = np.linalg.eigh(agree)
    # What each two faces say of one another fits the signs of the first eigenvector best. If it fits too little, faces
    # share little that tells, and they are taken at first to lie as people lay them.
    is_told = strengths[-1] ** 2 > _TOLD * (agree**2).sum()
    return _turned_one_by_one(agree, vectors[:, -1] < 0 if is_told else np.zeros(len(cut_outs), bool))


def _turned_one_by_one(agree: Floats, is_turned: Flags) -> WaysUp:
    """To what it leads to turn one face after the other as long as one is likely to lie otherwise."""
    is_turned = _fewer(is_turned)
    for _ in is_turned:
        odds = _odds(agree, is_turned)
        best = int(odds.argmax())
        if odds[best] < 0:
            break
        is_turned[best] = not is_turned[best]
    is_turned = _fewer(is_turned)
    return WaysUp(is_turned, -_odds(agree, is_turned))


def _fewer(is_turned: Flags) -> Flags:
    return np.asarray(~is_turned if 2 * np.count_nonzero(is_turned) > len(is_turned) else is_turned, bool)


def _odds(agree: Floats, is_turned: Flags) -> Floats:
    """How likely each face lies the other way up than is believed, by how it agrees with all others: logarithms.

    Those that do disagree as much as the others agree; where these agree little, nothing that they share tells.
    """
    sides = np.where(is_turned, -1.0, 1.0)
    fits = (agree @ sides) * sides / len(sides)
    usual = float(np.median(fits))
    # 1.48: of a normal distribution from the median of how far off its values are.
    spread = max(1.48 * float(np.median(np.abs(fits - usual))), _NOISE)
    upright, turned = (np.log1p(((fits - side) / spread) ** 2 / _FREEDOM) for side in (usual, -usual))
    rarely = np.log(_TURNED)
    return np.asarray((_FREEDOM + 1) / 2 * (upright - turned) + np.where(is_turned, -rarely, rarely))
