"""The search for cards by what is printed on them: where keypoints agree on a card."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.faces.alignment import Fit
from vision.faces.features import Matches, Proposal, joined, likely_scales, propose
from vision.reading.found_cards import ENOUGH_FOR_SIZE, SURE_OF_THE_TABLE
from vision.reading.learnt_deck import LearntDeck
from vision.reading.rail_search import follow_rails
from vision.reading.recognition import SURE, evidence
from vision.reading.trials import Trials
from vision.viewpoint import Viewpoint, from_above

_TILE_PX: Final = 264
_MASK_STEP: Final = 8
_ENOUGH_FIRST: Final = 2
_LIKELY_SIZES: Final = 3
_MOST_FIRST_TRIES: Final = 12
_FIRST_SIZES: Final = 3
_OTHER_GUESSES: Final = ((10.0, 1.0), (-10.0, 1.0), (0.0, 0.88), (0.0, 1.14))
"""By how many degrees, and how many times, a first proposal may be off."""
_MOST_PROPOSALS: Final = 40
_ENOUGH_FAILED: Final = 12
_FEW_VOTES: Final = 0.08
"""Where keypoints agree so much less than on most cards that were found, there is none."""
_ENOUGH_IN_A_PART: Final = 5
_NEW_IN_A_PART: Final = 1
"""After so many new cards in a part what is left there is judged anew: mostly nothing, as cards are laid one by one."""


class _Guess(NamedTuple):
    """A viewpoint that the table may be seen from, and where cards would then lie."""

    viewpoint: Viewpoint
    proposals: list[Proposal]


class KeypointSearch:
    """Finds the cards of one picture by their keypoints."""

    def __init__(self, deck: LearntDeck, trials: Trials) -> None:
        self._deck = deck
        self._trials = trials
        self._cards = trials.cards
        self._matches = joined([])
        self._guesses: list[_Guess] = []
        self._votes: list[float] = []

    def find_at(self, scale: float) -> None:
        """Finds cards by what keypoints tell in the picture at this scale."""
        parts = self._trials.picture.parts(scale, _TILE_PX)
        features = self._deck.features
        self._matches = joined([features.matches(part.picture, scale, part.corner) for part in parts])
        if not self._cards.all:
            self._find_first()
        if self._cards.all:
            self.find_others()

    def find_by_other_guesses(self) -> None:
        """Finds cards where the first guesses were right but for a turn or a size."""
        for turn_deg, size in _OTHER_GUESSES:
            for guess in self._guesses:
                if self._try_guess(guess, turn_deg, size):
                    self.find_others()
                    return

    def find_others(self) -> None:
        """Finds the other cards, now that some tell how the table lies."""
        found, is_part = 0, self._trials.picture.is_part
        while found < len(self._cards.all):
            if len(self._cards.all) >= ENOUGH_FOR_SIZE:
                self._trials.straighten()
            found = len(self._cards.all)
            # After the first cards it is known far better how the table lies, and so where keypoints say that others
            # do: to follow them all with the first guess would be to look beside most of them.
            few = _NEW_IN_A_PART if is_part else _ENOUGH_FIRST if found < SURE_OF_THE_TABLE else None
            self._follow_keypoints(until=None if few is None else found + few)
        follow_rails(self._trials, self._deck.ways_on)

    def _find_first(self) -> None:
        """Finds a few cards when nothing is known of the table but how large most things look."""
        self._guesses.clear()
        begun: list[list[Fit]] = []
        for number, px_per_mm in enumerate(likely_scales(self._matches), start=1):
            self._guesses.append(self._guess(px_per_mm))
            if self._try_guess(self._guesses[-1], 0.0, 1.0):
                begun.append(list(self._cards.all))
            if begun and (number >= _LIKELY_SIZES or _total_evidence(begun[-1]) >= SURE):
                break
            # A striped cloth can be like the rails of very large cards: what is more like cards may be smaller.
            self._cards.all.clear()
        self._cards.all[:] = max(begun, key=_total_evidence, default=[])

    def _guess(self, px_per_mm: float) -> _Guess:
        """Where cards might lie if this is how large things look, and the camera looks straight down."""
        size = self._trials.picture.size
        sizes = [proposal.size for proposal in propose(self._matches, from_above(size, px_per_mm), _FIRST_SIZES)]
        viewpoint = from_above(size, px_per_mm * float(np.median(sizes or [1.0])))
        return _Guess(viewpoint, list(propose(self._matches, viewpoint, _MOST_FIRST_TRIES)))

    def _try_guess(self, guess: _Guess, turn_deg: float, size: float) -> bool:
        """Tries what was guessed, turned and made larger by this much; whether a card was found."""
        for proposal in guess.proposals:
            rotation_deg = proposal.rotation_deg + turn_deg
            corners = self._deck.shape.corners_at(proposal.centre_mm, rotation_deg, proposal.size * size)
            seen = guess.viewpoint.in_picture(corners)
            if self._trials.is_free(seen):
                self._trials.try_at(seen, is_size_known=False)
            if len(self._cards.wholly_seen()) == _ENOUGH_FIRST:
                break
        return bool(self._cards.all)

    def _follow_keypoints(self, until: int | None) -> None:
        """Looks where keypoints agree on a card, until there are so many cards."""
        viewpoint, failed = self._cards.viewpoint(), 0
        enough_failed = _ENOUGH_IN_A_PART if self._trials.picture.is_part else _ENOUGH_FAILED
        for proposal in propose(self._unexplained(), viewpoint, _MOST_PROPOSALS):
            if len(self._votes) >= SURE_OF_THE_TABLE and proposal.weight < _FEW_VOTES * np.median(self._votes):
                return
            is_size_known = self._cards.tell_size()
            size = 1.0 if is_size_known else proposal.size
            corners = self._deck.shape.corners_at(proposal.centre_mm, proposal.rotation_deg, size)
            seen = viewpoint.in_picture(corners)
            if not self._trials.is_free(seen):
                continue
            # Each card that is found tells better how the table lies, and so where on it this place is.
            place = self._cards.straight(seen) if is_size_known else seen
            is_plain = is_size_known and self._trials.try_plainly_at(place)
            if is_plain or self._trials.try_at(place, is_size_known=is_size_known, size=proposal.size / size):
                failed = 0
                self._votes.append(proposal.weight)
            else:
                failed += 1
            if failed == enough_failed or len(self._cards.all) == until:
                return

    def _unexplained(self) -> Matches:
        """The keypoints that lie on no card of which it is sure that it lies there."""
        width, height = self._trials.picture.size
        explained = np.zeros((height // _MASK_STEP + 1, width // _MASK_STEP + 1), dtype=np.uint8)
        for fit in self._cards.all:
            if evidence(fit) >= SURE:
                cv2.fillConvexPoly(explained, (fit.corners / _MASK_STEP).round().astype(np.int32), (1,))
        last = np.array(explained.shape[::-1]) - 1
        column, row = (self._matches.seen[:, :2] / _MASK_STEP).astype(np.intp).clip(0, last).T
        return self._matches.only(explained[row, column] == 0)


def _total_evidence(fits: Iterable[Fit]) -> float:
    return sum(evidence(fit) for fit in fits)
