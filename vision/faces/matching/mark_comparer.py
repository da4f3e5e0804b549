"""How well a card shows the marks that a face has, whatever the light is that it lies in, and how softly it is seen.

Each colour of each part may be brighter or darker than on the face, softer, and off by a little; about how plain all
of it is tells the rest of the card. What is left then is noise, of which nothing is known beforehand but that it is as
much for any face: so the likelihood follows from how much is left, and from how many pixels of the camera saw it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Flags, Floats, Floats32, Indices, Picture
from vision.faces.matching.print_beside import BLURS_MM, blurred

MARKS_TELL: Final = 5.0
"""As a logarithm, 150 to 1: they never tell more, as what lies on a card, or shines there, may look like a mark. With 3
one more of 120 tables of 40 decks for building was asked, and of 60 tables with small numerals; with 8 none less."""
MARKS_PER_MM: Final = 1.0
"""So many pixels a camera has to see of a mm: of numerals 4 mm high in half as many it was sure, and wrong. All tables
that were tried otherwise had 1.2 and more."""
_OFF_MM: Final = 0.8
"""So far off marks are looked for."""
_DOUBT_MM: Final = 0.3
"""So far off they usually are (standard deviation): the median of the worst corner of cards."""
_AS_PLAIN: Final = 0.3
"""Marks are as plain as the rest of their card, but for such a part of that (a standard deviation): of 1,410 cards in
easy or normal light two thirds showed theirs 0.97 to 1.3 times as plainly, 24 of 25 0.8 to 1.7 times (the green)."""
_LEAST_PLAIN: Final = 0.02
"""No card is looked at that shows less of its face's contrast."""
_COARSER: Final = 4
"""How plain a card is is told in pixels so many times as large: where it lies is known about as well."""
_NOISE: Final = 4.0
"""The variance of a colour, of 255 levels, that there is at least."""
_PLAINEST_MM2: Final = 60.0
"""Of large marks only so much is looked at, where they differ most."""
_PLAINLY: Final = 0.1
_MOST: Final = 0.98
"""What differs so much less than most of what differs tells nothing."""


class Part(NamedTuple):
    """Some pixels of a card (rows and columns) that lie together."""

    rows: Indices
    columns: Indices

    def turned(self, shape: tuple[int, ...]) -> Part:
        """The same part of a card of this height and width that lies the other way up."""
        return Part(shape[0] - 1 - self.rows, shape[1] - 1 - self.columns)


def mark_parts(differ: Floats32, px_per_mm: float) -> list[Part]:
    """The parts of a card (h × w) in which marks ``differ`` plainly (squares), and what is right about them."""
    by_much = np.sort(differ[differ > 0])
    if not by_much.size:
        return []
    plainest = min(len(by_much), round(_PLAINEST_MM2 * px_per_mm**2))
    near = _near(differ >= max(_plainly(differ), by_much[-plainest]), px_per_mm)
    count, labels = cv2.connectedComponents(near.astype(np.uint8))
    return [Part(*np.nonzero(labels == label)) for label in range(1, count)]


def unmarked(differ: Floats32, px_per_mm: float) -> Flags:
    """What of a card (h × w) is not near where marks ``differ`` plainly (squares), as far as they may be off."""
    return ~_near(differ >= _plainly(differ), px_per_mm)


def _plainly(differ: Floats32) -> float:
    """From here on marks differ plainly that differ somewhere."""
    return float(_PLAINLY * np.quantile(differ[differ > 0], _MOST))


def _near(there: Flags, px_per_mm: float) -> Flags:
    side = 2 * round(_OFF_MM * px_per_mm) + 1
    return np.asarray(cv2.dilate(there.astype(np.uint8), np.ones((side, side), np.uint8)) > 0)


class SeenMarks:
    """What a card shows in some parts."""

    def __init__(
        self, card: Picture, parts: Sequence[Part], shown: Flags, px_per_mm: float, seen_per_mm: float
    ) -> None:
        """The ``card`` is cut out at ``px_per_mm``, of which a camera saw ``seen_per_mm``.

        Only what is ``shown`` of it counts (h × w); around the parts 0.8 mm more have to be there.
        """
        parts = [Part(*(side[shown[part]] for side in part)) for part in parts]
        self._parts = [part for part in parts if part.rows.size]
        self._px_per_mm = px_per_mm
        far = round(_OFF_MM * px_per_mm)
        off = range(-far, far + 1)
        shifts = np.array([(down, across) for down in off for across in off])
        self._doubt = (shifts**2).sum(axis=1) / (2 * (_DOUBT_MM * px_per_mm) ** 2)
        # Of each pixel a camera sees one colour, the others it guesses.
        self._samples = min(seen_per_mm / px_per_mm, 1) ** 2 / 3
        light = card.astype(np.float32)
        self._seen = np.stack([self._flat(light, down, across) for down, across in shifts.tolist()])
        self._power = (self._seen**2).sum(axis=1) + _NOISE * self._seen.shape[1]
        self._wholly_shown = _coarser(shown.astype(np.float32)) == 1
        self._card = _centred(_coarser(light)[self._wholly_shown])

    def likelihood(self, face: Picture) -> float:
        """How likely what is seen would be (a logarithm) if the card had this face, of the same size as the card.

        Only what two faces differ by means anything; 0 where nothing is shown.
        """
        if not self._parts or not len(self._card):
            return 0.0
        light = face.astype(np.float32)
        whole = _centred(_coarser(light)[self._wholly_shown])
        plain = np.maximum((self._card * whole).sum(axis=0) / ((whole**2).sum(axis=0) + 1), _LEAST_PLAIN)
        soft = [self._if_as_soft(blurred(light, blur * self._px_per_mm), plain) for blur in BLURS_MM]
        return float(np.logaddexp.reduce(np.concatenate(soft)))

    def _if_as_soft(self, face: Floats32, plain: Floats32) -> Floats:
        """The same for each shift, if the card is seen as softly as that, and its colours about as plainly (3)."""
        mark = self._flat(face)
        number = len(mark)
        along = np.einsum("spc,pc->sc", self._seen, mark)  # shifts × colours
        power = (mark**2).sum(axis=0) + 1
        # Ridge regression: how much what is known beforehand of how plain the marks are weighs against what is seen.
        known = self._power / number / (self._samples * (_AS_PLAIN * plain) ** 2)
        shown = np.maximum((along + known * plain) / (power + known), 0)
        left = self._power - 2 * shown * along + shown**2 * power + known * (shown - plain) ** 2
        return np.asarray(-self._samples * number / 2 * np.log(left).sum(axis=1) - self._doubt, np.float64)

    def _flat(self, picture: Floats32, down: int = 0, across: int = 0) -> Floats32:
        """The pixels of all parts (n × 3), so far below and to the right, each part without its mean."""
        flat = [picture[part.rows + down, part.columns + across] for part in self._parts]
        return np.concatenate([np.empty((0, 3), np.float32), *(pixels - pixels.mean(axis=0) for pixels in flat)])


def _coarser(picture: Floats32) -> Floats32:
    size = 1 / _COARSER
    return np.asarray(cv2.resize(picture, None, fx=size, fy=size, interpolation=cv2.INTER_AREA), np.float32)


def _centred(pixels: Floats32) -> Floats32:
    return np.asarray(pixels - pixels.mean(axis=0) if len(pixels) else pixels, np.float32)
