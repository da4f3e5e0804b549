"""Whether what was read is as bright as a card would be: in deep noise a black thing looks a little like any face.

Light differs over a table. But where so little falls on a card that it is dark beside all others, and it looks little
like its face as well, it may be anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.arrays import Picture
from vision.faces.fit import LEAST_LIKENESS, Fit
from vision.faces.upright_cards import UprightCards

_PX_PER_MM: Final = 0.6
_BORDER_PX: Final = 2
"""So near to a card's edges what lies beside it may show: 3 mm."""
_DARK: Final = 0.5
"""Of 1,472 cards on 189 tables of 94 decks for building the 29 that looked so little like their faces were 0.88 times
as bright as the others and more, and all others 0.64 times; a black telephone that was read as a card was 0.32."""


class CardBrightness:
    """How bright a deck's faces are, and so how bright cards are beside them that were read in a picture."""

    def __init__(self, faces: Sequence[Picture], card_mm: tuple[float, float]) -> None:
        """``faces`` are pictures (B, G, R) of the upright faces."""
        self._cards = UprightCards(card_mm, _PX_PER_MM)
        shrunk = (cv2.resize(face, self._cards.size, interpolation=cv2.INTER_AREA) for face in faces)
        self._levels = [_level(np.asarray(face, np.uint8)) for face in shrunk]

    def without_dark(self, picture: Picture, cards: Sequence[Fit], known: Sequence[Fit]) -> list[Fit]:
        """The cards but for those that look little like their faces and are dark beside the others.

        Those that are ``known``, the first of all, stay.
        """
        faint = [fit.likeness < LEAST_LIKENESS for fit in cards]
        if all(faint) or not any(faint[len(known) :]):
            return list(cards)
        bright = [_level(self._cards.cut(picture, fit.corners, 0)) / self._levels[fit.face] for fit in cards]
        least = _DARK * float(np.median([one for one, is_faint in zip(bright, faint, strict=True) if not is_faint]))
        return [
            fit for index, fit in enumerate(cards) if index < len(known) or not faint[index] or bright[index] >= least
        ]


def _level(card: Picture) -> float:
    """How bright a card is that is cut out, on average, from 1 to 256."""
    return 1 + float(card[_BORDER_PX:-_BORDER_PX, _BORDER_PX:-_BORDER_PX].mean())
