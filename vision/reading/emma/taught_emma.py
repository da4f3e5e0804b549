"""How likely what is seen on a card is Emma as she was taught: by her look, and by what is seen of any locomotive."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, Picture
from vision.deck_pictures import EmmaPicture
from vision.reading.emma.emma_network import SeenEmma, inner_part, seen_on
from vision.reading.emma.taught_look import TaughtLook

_LIKE_ONE: Final = -2.2
"""Logarithm of the odds, 1 to 9, from which on the network takes what was taught for a locomotive."""
_TRIED: Final = 5
"""Faces onto which her picture is laid to be asked that."""
_BY_LOOK: Final = np.array([-3.47, 1.88, 1.69, -1.11, -0.19])
_BY_BOTH: Final = np.array([-8.06, 2.64, 2.46, -0.65, -0.19, 0.47])
"""Logarithms of odds: a constant; how much less than her something is like the face; how much less than noise
explains it is like the face, the card around it is, and it is like her; and what the network says.

Fitted by maximum likelihood to 944 cards of decks 600 to 605 with figures of six sorts and other things on them
(``tests/tools/measure_taught_emma.py``): once where the network takes her for a locomotive, once where not.
"""
_MOST: Final = 12.0
"""What the network says counts no more than this: it was never asked to tell odds of a million."""
_LEAST_CONFIDENCE: Final = (0.5, 0.1)
"""From which confidence on she is seen, without the network's help and with it."""


class TaughtEmma:
    """Judges cards by a picture of Emma."""

    def __init__(self, emma: EmmaPicture, faces: Sequence[Picture], card_mm: tuple[float, float]) -> None:
        """``faces`` are some of the deck's as they are shown (``shown_as``)."""
        self._emma, self._faces, self._card_mm = emma, faces, card_mm
        self._look = TaughtLook(emma, card_mm)

    @property
    def least_confidence(self) -> float:
        """How surely she has to be seen."""
        return _LEAST_CONFIDENCE[self.is_like_locomotives]

    @cached_property
    def is_like_locomotives(self) -> bool:
        """Whether the network sees her where her picture is laid onto a face."""
        shown = self._faces[:: max(1, len(self._faces) // _TRIED)][:_TRIED]
        odds = [seen_on(self._laid_on(face), face, self._card_mm).odds for face in shown]
        return bool(odds) and float(np.median(odds)) > _LIKE_ONE

    def judged(self, seen: SeenEmma, card: Picture, face: Picture) -> SeenEmma:
        """What is seen of her on a card that is shown beside its face, with what the network has ``seen`` there."""
        look = self._look.seen_on(card, face)
        weights = _BY_BOTH if self.is_like_locomotives else _BY_LOOK
        evidence = told(look.evidence)
        if not self.is_like_locomotives:
            return SeenEmma(float(weights @ evidence), look.foot_mm, look.hidden)
        odds = float(weights @ [*evidence, np.clip(seen.odds, -_MOST, _MOST)])
        # Where the network sees her it knows her shape better than one picture from elsewhere tells it.
        return seen._replace(odds=odds) if seen.odds > _LIKE_ONE else SeenEmma(odds, look.foot_mm, look.hidden)

    def _laid_on(self, face: Picture) -> Picture:
        """A face with her picture in the middle of the card."""
        rows, columns = inner_part(self._card_mm)
        sides = zip(self._emma.size_mm, (columns, rows), strict=True)
        width, height = (min(max(1, round(side)), part.stop - part.start) for side, part in sides)
        picture = cv2.resize(self._emma.picture, (width, height), interpolation=cv2.INTER_AREA)
        part = cv2.resize(self._emma.mask.astype(np.float32), (width, height), interpolation=cv2.INTER_AREA)
        laid = face.copy()
        top, left = (rows.start + rows.stop - height) // 2, (columns.start + columns.stop - width) // 2
        under = laid[top : top + height, left : left + width]
        # What is not she is black, and so adds nothing.
        under[:] = (under * (1 - part[..., None]) + picture).clip(0, 255)
        return laid


def told(evidence: Floats) -> list[float]:
    """What counts of the evidence (``LookSeen``): it is weighed by likelihood."""
    off_her, unlike, around, noise = (float(each) for each in evidence)
    return [1.0, unlike - off_her, unlike - noise, around - noise, off_her - noise]
