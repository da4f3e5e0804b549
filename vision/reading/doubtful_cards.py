"""What is doubtful in a picture once its plain cards are known: what is faint, what Emma hides, what may be blank."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Corners
from vision.faces.alignment import Fit
from vision.faces.rails_on import FacesEachWay
from vision.reading.emmas_card import EmmaInPicture, Stand
from vision.reading.faint_cards import (
    as_plain_as,
    could_be_blank,
    could_be_hers,
    doubtful_among,
    usual_evidence,
)
from vision.reading.found_cards import ENOUGH_FOR_SIZE, is_one_of
from vision.reading.learnt_deck import LearntDeck
from vision.reading.rail_search import follow_rails
from vision.reading.recognition import evidence, is_card_shaped
from vision.reading.trials import ANYWHERE, SIZE_SPREAD, Trials

_MOST_JUDGED: Final = 4
_STANDS_PLAINLY: Final = 0.25
"""How surely Emma stands on a card at least: on 645 cards without her 0.12 was the most, and 0.28 on those of 25 other
decks; on cards with her one in twenty has less."""
_HERS: Final = 0.05
"""How surely she stands on a card that was not found, times how alike its looks and its pattern are beside what is
usual here: each by itself is fooled.

Of 1,051 false places on 194 tables of 50 decks the best had 0.048, and the next where it mattered 0.023; 16 of 18 true
ones had more than 0.05.
"""
_MOST_PLACES: Final = 8
"""So many are looked at: each is compared with several faces."""


class DoubtfulCards:
    """Judges the doubtful cards of one picture by the others, and by where Emma stands."""

    def __init__(self, deck: LearntDeck, trials: Trials) -> None:
        self._deck = deck
        self._trials = trials
        self._cards = trials.cards
        self._emma = EmmaInPicture(trials.picture.whole, deck.emma, deck.ids)

    def are_blank(self) -> bool:
        """Whether the few that were found in a whole picture may be blank sheets: on those Emma does not stand."""
        is_part = self._trials.picture.is_part
        is_table = is_part or bool(self._cards.known) or not could_be_blank(self._cards.all)
        return not is_table and self._emma.stand_among(self._cards.all) is None

    def judge_faint(self) -> None:
        """Adds faint cards that are as plain as the others here, and the one under Emma; takes away what is none."""
        # Each card that comes or goes changes what is usual here, and where rails lead: so all is judged anew.
        for _ in range(_MOST_JUDGED if self._cards.all else 0):
            found = list(self._cards.all)
            usual = usual_evidence(self._cards.new(), self._cards.known)
            for fit in as_plain_as(usual, self._trials.faint) if len(found) >= ENOUGH_FOR_SIZE else []:
                # It may have been seen when the table was taken for a nearer or farther one.
                if self._trials.is_free(fit.corners, sure=0.0) and self._cards.are_as_large(fit.corners, SIZE_SPREAD):
                    self._cards.settle(fit)
            self._judge_by_emma(usual)
            if all(is_one_of(fit, found) for fit in self._cards.all):
                return
            follow_rails(self._trials, self._deck.ways_on)

    def find_hers(self) -> Stand | None:
        """The card on which Emma stands; None if there is none.

        She may be of any colour. Where she stands plainly on none of the cards that were found, places are looked at
        to which rails lead, and where a card promised a little: what she leaves to be seen tells which lies there.
        """
        if not self._cards.all:
            return None
        stand = self._emma.stand_among(self._cards.all, is_black=False)
        if stand is not None and stand.confidence >= _STANDS_PLAINLY:
            return stand
        recognizer, viewpoint = self._trials.recognizer, self._cards.viewpoint()
        usual = float(np.median([_alike(fit) for fit in self._cards.all]))
        stands = [self._emma.under(*place, viewpoint, recognizer) for place in self._where_she_may_hide_one()]
        plainly = [
            one
            for one in stands
            if one.confidence * _alike(one.fit) >= _HERS * usual
            and self._cards.are_as_large(one.fit.corners, SIZE_SPREAD)
            and is_card_shaped(one.fit.corners, self._deck.shape.card_mm)
        ]
        hers = max(plainly, key=lambda one: one.confidence * _alike(one.fit), default=None)
        if hers is None or not self._cards.settle(hers.fit):
            return stand
        follow_rails(self._trials, self._deck.ways_on)
        return hers

    def _where_she_may_hide_one(self) -> list[tuple[Corners, FacesEachWay]]:
        """Places at which no card was found so far, and the faces that may lie there, each way."""
        railed = tuple(self._deck.railed)
        faint = sorted(self._trials.faint, key=evidence, reverse=True)
        places = [*((fit.corners, (railed, railed)) for fit in faint), *self._trials.failed_on_rails()]
        return [place for place in places if self._trials.is_free(place[0], sure=0.0)][:_MOST_PLACES]

    def _judge_by_emma(self, usual: float) -> None:
        """Takes away doubtful cards that do not carry Emma, and adds a faint one that does."""
        new = self._cards.new()
        doubtful = doubtful_among(usual, new, clear=ANYWHERE.evidence)
        hers_perhaps = could_be_hers(usual, self._trials.faint)
        faint = [fit for fit in hers_perhaps if self._trials.is_free(fit.corners, sure=0.0)]
        if not doubtful and not faint:
            return
        stand = self._emma.stand_among([*self._cards.all, *faint])
        hers = None if stand is None else stand.fit
        gone = [fit for fit in doubtful if fit is not hers and not is_one_of(fit, self._trials.read)]
        self._cards.all[:] = [fit for fit in self._cards.all if not is_one_of(fit, gone)]
        # She may be of another colour.
        self._trials.faint += gone
        if hers is not None and not is_one_of(hers, self._cards.all):
            self._cards.settle(hers)


def _alike(fit: Fit) -> float:
    """How alike a card is in its looks and in its pattern."""
    return max(fit.likeness, 0.0) * max(fit.pattern, 0.0)
