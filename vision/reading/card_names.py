"""Which face each card has that was found in a picture, and which others it may have as well.

One network tells it at a glance, another one tells faces that are alike by the parts in which they differ, and the deck
has only so many cards of each. What each of the three says is the logarithm of odds, so they are added up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Floats, Picture
from vision.faces.fit import Fit, is_just_there
from vision.faces.matching.face_comparer import Way
from vision.reading.emmas_card import Stand
from vision.reading.learnt_deck import LearntDeck

_SURE: Final = 4.6
"""As a logarithm: from these odds on against anything else the network's word is enough, 100 to 1."""
_PLAIN: Final = 9.0
"""As a logarithm: what was told with such odds when a card was found is not asked anew if it lies just there."""
_OUT_OF_THE_QUESTION: Final = 9.0
"""As a logarithm: what is less likely by the network, one in 8,000, is not compared by what differs."""
_MOST_WAYS: Final = 8
"""So many are compared, the likeliest first."""
_AT_MOST: Final = 0.999
"""All 1,099 cards of 60 decks for building of which the odds said 99 % and more were right: of what may be wrong in
one of a thousand they know nothing."""
_INDEPENDENT: Final = 5.0
"""As a logarithm: a face that is ahead of all others together by less is so by that much squared over this. All that
tells faces apart sees them in the same noise and at the same place, so where it tells little it errs together.

Of 2,994 cards on 393 tables of 131 decks for building 38 of 72 were right whose face was up to 2 ahead of the next (48
were to be expected if odds were added up as independent), 139 of 152 of those up to 5 (146), and all of 2,770 others.
"""
_CLEAR: Final = (2 * _INDEPENDENT) ** 0.5
"""As a logarithm: what is less likely by this is not asked. By ``_INDEPENDENT`` it counts as 2, about 7 to 1."""
_ELSE: Final = -20.0
"""Of a face that is out of the question."""
_MISREAD: Final = 0.1
"""How many cards are left of a face of which all seem to lie there: one of them may be another card."""
_MOST_LEAD: Final = 0.5
LEAD: Final = 0.05
"""How much more alike a face counts, for each unit of the logarithm of its odds."""


class CardNames:
    """Names the cards of one picture."""

    def __init__(self, picture: Picture, deck: LearntDeck) -> None:
        self._picture = picture
        self._deck = deck

    def named(self, cards: Sequence[Fit], asked: Sequence[bool], stands: Sequence[Stand | None]) -> list[Fit]:
        """The cards, of which those that are asked are named anew; with the stand of Emma on whichever carries her."""
        odds = [
            self._odds(card, stand) if is_asked else None
            for card, is_asked, stand in zip(cards, asked, stands, strict=True)
        ]
        shares = np.array([self._shares(card, told) for card, told in zip(cards, odds, strict=True)])
        shares = shares.reshape(len(cards), len(self._deck.ids))
        left = np.maximum(self._deck.counts - shares.sum(axis=0) + shares, _MISREAD)
        return [
            card if told is None else self._as_told(card, told, np.log(there))
            for card, told, there in zip(cards, odds, left, strict=True)
        ]

    def _odds(self, card: Fit, stand: Stand | None) -> Floats:
        """How likely each face is by what is printed there (faces × 2: as the corners say, and turned): logarithms."""
        odds = self._seen(card)
        if _ahead(odds) >= _SURE:
            return odds
        ways = self._likely(odds, stand)
        hidden = None if stand is None else stand.hidden
        told = odds + _ELSE
        for way, behind in self._deck.comparer.compared(self._picture, card.corners, ways, hidden).items():
            place = way.face, int(way.turned)
            told[place] = odds[place] - behind
        return np.asarray(told)

    def _seen(self, card: Fit) -> Floats:
        """What a network sees there; where it was plain at first, and the card lies just there, it stays so."""
        seen, width_mm = card.seen, self._deck.shape.card_mm[0]
        if seen is not None and _ahead(seen.faces) >= _PLAIN and is_just_there(card.corners, seen.corners, width_mm):
            return seen.faces
        return self._deck.matcher.match(self._picture, card.corners).faces[: len(self._deck.ids)]

    def _likely(self, odds: Floats, stand: Stand | None) -> list[Way]:
        """The ways in which a card may lie that are not out of the question, the likeliest first."""
        faces = odds if stand is None else odds[self._deck.tracks]
        indices = range(len(odds)) if stand is None else self._deck.tracks
        order = np.argsort(-faces, axis=None)[:_MOST_WAYS]
        likely = order[faces.ravel()[order] > faces.max() - _OUT_OF_THE_QUESTION]
        return [Way(indices[int(way) // 2], bool(way % 2)) for way in likely]

    def _shares(self, card: Fit, told: Floats | None) -> Floats:
        """How probable each face is of a card: of one that may be either of two, half of a card of each is left."""
        if told is None:
            return np.asarray(np.arange(len(self._deck.ids)) == card.face, np.float64)
        odds = np.logaddexp.reduce(told, axis=1) + np.log(self._deck.counts)
        return np.asarray(np.exp(odds - np.logaddexp.reduce(odds)))

    @staticmethod
    def _as_told(card: Fit, told: Floats, left: Floats) -> Fit:
        """The card by its likeliest face."""
        faces = np.logaddexp.reduce(told, axis=1)
        names = verdict(faces + left)
        return card._replace(
            face=names.first,
            corners=np.roll(card.corners, 2 * int(told[names.first].argmax()), axis=0),
            probability=names.probability,
            lead=names.lead,
            others=names.others,
            odds=tuple((face, float(faces[face]), float(left[face])) for face in range(len(faces))),
        )


class Verdict(NamedTuple):
    """What odds come to: the likeliest one (an index), how probable it is, by how much it leads, and what else may be.

    ``lead`` is from 0 to 0.5, ``others`` go from the likeliest one on.
    """

    first: int
    probability: float
    lead: float
    others: tuple[int, ...]


def verdict(odds: Floats) -> Verdict:
    """What these odds (logarithms) come to."""
    order = np.argsort(-odds)
    behind = odds[order[0]] - odds[order]
    lead = min(LEAD * float(behind[1]), _MOST_LEAD) if len(behind) > 1 else _MOST_LEAD
    others = tuple(int(one) for one in order[1:][behind[1:] < _CLEAR])
    return Verdict(int(order[0]), probability(behind), lead, others)


def probability(behind: Floats) -> float:
    """That of the likeliest face (0 to 1), of which each face is so far behind (as a logarithm of odds added up).

    Where it is little ahead it is called less probable than that (``_INDEPENDENT``).
    """
    ahead = -float(np.logaddexp.reduce(-np.sort(behind)[1:])) if len(behind) > 1 else np.inf
    if 0 < ahead < _INDEPENDENT:
        ahead *= ahead / _INDEPENDENT
    return _AT_MOST / (1 + float(np.exp(-ahead)))


def _ahead(odds: Floats) -> float:
    """How much likelier the likeliest face is, the way up that it is, than any other, or that the other way up."""
    second, first = np.sort(odds, axis=None)[-2:]
    return float(first - second)
