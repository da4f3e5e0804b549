"""The search for the cards of a picture: where keypoints, outlines and rails say that one may lie.

The first cards that are found tell how the table lies, and so where and how large the others are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.arrays import Picture, Region
from vision.faces.alignment import Fit
from vision.faces.alike.like_faces import Rival
from vision.faces.naming import WHOLLY
from vision.outlines.outlines import SEARCHED_PX, card_outlines
from vision.reading.doubtful_cards import DoubtfulCards
from vision.reading.emmas_card import Stand
from vision.reading.found_cards import SURE_OF_THE_TABLE, is_one_of
from vision.reading.keypoint_search import KeypointSearch
from vision.reading.learnt_deck import LearntDeck
from vision.reading.place_search import PlaceSearch
from vision.reading.recognition import FAINTLY_PROMISING
from vision.reading.searched_picture import Part, SearchedPicture
from vision.reading.trials import Trials

_KEYPOINTS_WIDTH: Final = 460
"""How many px wide the picture is made in which keypoints are looked for."""
_CLOSER_WIDTH: Final = 656
"""The same where few cards were found, or only a part has to be looked at."""
_CLOSEST_SCALE: Final = 0.6
"""The scale at which they are looked for where hardly any card was found even then: pale print shows no sooner."""
_KEYPOINTS_SCALE: Final = 0.4
"""The largest at which keypoints are looked for at first, and the smallest at which they are a second time."""
_FEW: Final = 2
_LESS_LIKELY: Final = 0.1
"""So much less a card may look like itself where a flat one would lie; else it is bent, or the table badly known."""
_OUTLINED_PX: Final = 27
"""So many px a card's shorter side has at least where outlines are looked for, if the table is known."""
_OUTLINE_SPREAD: Final = 0.3
_CLEARLY_AHEAD: Final = 0.03
"""So much more than the looks of the whole card have to say for a face the spots in which another one differs do."""
_PLAINLY_NAMED: Final = 0.12
"""No other face comes near.

Where a numeral alone tells faces apart, the wrong one led by 0.05 at most on plain cards; on our own deck nine plain
cards in ten lead by 0.17 and more.
"""
_CLEAR_ODDS: Final = 2.0
"""As a logarithm: what is less likely by this is not asked."""
_WRONG_TINT: Final = 8.0
"""From these odds against it, as a logarithm, the tint of a ground is another face's; lamps and gleams make 4."""
_MISREAD: Final = 0.1
"""How many cards are left of a face of which all seem to lie there: one of them may be another card."""
_MOST_LEAD: Final = 0.5
_LEAD: Final = 0.05
"""How much more alike a face counts, for each unit of the logarithm of its odds."""
_QUITE_SURE: Final = 1.75
"""From this evidence on nothing better is looked for at a place that is told by its outline."""


class CardSearch:
    """A search for cards in one picture."""

    def __init__(
        self, picture: Picture, deck: LearntDeck, known: Sequence[Fit], regions: Sequence[Region] | None
    ) -> None:
        """``known`` cards are found already, others are looked for in these regions, or everywhere."""
        self._picture = SearchedPicture(picture, regions)
        self._deck = deck
        self._trials = Trials(self._picture, deck, known)
        self._cards = self._trials.cards
        self._keypoints = KeypointSearch(deck, self._trials)
        self._seen = PlaceSearch(deck, self._trials)
        self._doubtful = DoubtfulCards(deck, self._trials)

    def find_all(self) -> list[Fit]:
        """All cards of the picture, those that are known first."""
        self._find_printed()
        self._seen.find()
        if self._deck.has_rails:  # else there is no Emma
            self._doubtful.judge_faint()
        if self._doubtful.are_blank():
            return []
        hers = self._doubtful.find_hers() if self._deck.has_rails else None
        flat = [self._flat(fit) for fit in self._cards.all]
        tints = self._deck.table_tint.odds(self._picture.whole, [(fit.face, fit.corners) for fit in flat])
        return [
            self._told_apart(fit, tint, hers if hers is not None and card is hers.fit else None)
            for card, fit, tint in zip(self._cards.all, flat, tints, strict=True)
        ]

    def _find_printed(self) -> None:
        """Finds cards by what is printed on them, and by their outlines."""
        widest = max(self._picture.size)
        first = min(_KEYPOINTS_SCALE, _KEYPOINTS_WIDTH / widest)
        closer = min(1.0, max(_KEYPOINTS_SCALE, _CLOSER_WIDTH / widest))
        for scale in (closer,) if self._picture.is_part else dict.fromkeys((first, closer)):
            self._keypoints.find_at(scale)
            if len(self._cards.wholly_seen()) > _FEW:
                break
        if len(self._cards.all) <= _FEW and not self._picture.is_part:
            self._keypoints.find_at(_CLOSEST_SCALE)
        self._find_outlined()
        if not self._cards.all:
            self._keypoints.find_by_other_guesses()

    def _find_outlined(self) -> None:
        """Finds cards that lie by themselves, and show too few keypoints."""
        found = len(self._cards.all)
        px_per_mm = self._cards.viewpoint().px_per_mm() if len(self._cards.wholly_seen()) > _FEW else None
        scale = min(1.0, SEARCHED_PX / max(self._picture.size))
        if px_per_mm is not None:
            scale = min(scale, _OUTLINED_PX / (px_per_mm[0] * min(self._deck.shape.card_mm)))
        for part in self._picture.parts(scale, self._picture.size[0]):
            if not (self._picture.is_part and self._is_explained(part)):
                self._try_outlines(part, px_per_mm)
        if len(self._cards.all) > found:
            self._keypoints.find_others()

    def _try_outlines(self, part: Part, px_per_mm: tuple[float, float] | None) -> None:
        """Tries the outlines in a part of the picture; ``px_per_mm`` are the smallest and the largest, if known."""
        scale = part.scale
        seen_px_per_mm = None if px_per_mm is None else (px_per_mm[0] * scale, px_per_mm[1] * scale)
        for outline in card_outlines(part.picture, self._deck.shape.card_mm, px_per_mm=seen_px_per_mm):
            corners = (outline + part.corner + 0.5) / scale - 0.5
            if not self._trials.is_free(corners, _QUITE_SURE) or not self._cards.are_as_large(corners, _OUTLINE_SPREAD):
                continue
            # An outline is seldom exact: one side may be its neighbour's, or a stripe of the table.
            place = self._cards.straight(corners) if self._cards.all else corners
            if not self._trials.try_at(place, is_size_known=bool(self._cards.all)):
                # In the dark a card that Emma hides promises nothing, and can be read.
                least = FAINTLY_PROMISING if self._cards.are_plain() else -np.inf
                self._trials.add(self._trials.recognizer.from_afar(corners, least=least))

    def _is_explained(self, part: Part) -> bool:
        """Whether a new card was found in this part of the picture."""
        return any(part.holds(fit.corners.mean(axis=0)) for fit in self._cards.new())

    def _told_apart(self, fit: Fit, tint: Sequence[float], stand: Stand | None) -> Fit:
        """The card by the face that it is rather than any that is much alike, and by how much it is.

        ``tint`` is how likely each face is by the tint of its ground, ``stand`` is that of Emma if she stands on this
        card: she stands on rails, and hides a part of it.
        """
        if is_one_of(fit, self._cards.known) or self._deck.is_back(fit.face):
            return fit
        if fit.likeness >= WHOLLY and fit.lead >= _PLAINLY_NAMED and tint[fit.face] > -_WRONG_TINT:
            return fit
        if not self._deck.has_rails:  # colours tell such cards apart, and here only light counts
            return fit
        told = self._deck.like_faces.told(
            self._picture.whole,
            fit.corners,
            fit.face if fit.lead >= _PLAINLY_NAMED else self._suiting(fit, tint),
            None if stand is None else self._deck.railed,
            None if stand is None else stand.hidden_px,
        )
        if told is None:
            return fit
        # As likely as the spots say in which they differ, and their ground; if a part is hidden, as many as are left.
        odds = {rival: tint[rival.face] - rival.behind for rival in (Rival(told.face, told.turned, 0.0), *told.rivals)}
        if stand is not None:
            left = self._left_besides(stand.fit)
            odds = {rival: value + float(np.log(left[rival.face])) for rival, value in odds.items()}
        fit = fit._replace(odds=tuple((rival.face, value) for rival, value in odds.items()))
        first, *others = sorted(odds, key=lambda rival: -odds[rival])
        near = [rival for rival in others if rival.face != first.face and odds[first] - odds[rival] < _CLEAR_ODDS]
        ahead = odds[first] - max((odds[rival] for rival in others if rival.face == fit.face), default=tint[fit.face])
        if stand is None and first.face != fit.face and _LEAD * ahead < max(fit.lead, 0.0) + _CLEARLY_AHEAD:
            return fit._replace(lead=0.0, others=(first.face,))
        next_odds = max((odds[rival] for rival in others if rival.face != first.face), default=-np.inf)
        lead = min(_LEAD * (odds[first] - next_odds), _MOST_LEAD)
        return fit._replace(
            face=first.face,
            corners=np.roll(fit.corners, 2 * first.turned, axis=0),
            lead=max(fit.lead, lead) if first.face == fit.face else lead,
            others=tuple(dict.fromkeys(rival.face for rival in near)),
        )

    def _suiting(self, fit: Fit, tint: Sequence[float]) -> int:
        """The face that a card was taken for, or the likeliest of those whose ground has the right tint."""
        if tint[fit.face] > -_WRONG_TINT:
            return fit.face
        suiting = tuple(face for face, odds in enumerate(tint) if odds > -_CLEAR_ODDS)
        return self._trials.recognizer.likeliest(fit.corners, (suiting, ()), 1)[0].face

    def _left_besides(self, fit: Fit) -> list[float]:
        """How many cards of each face are in the deck but are not seen besides this one."""
        others = [card.face for card in self._cards.all if card is not fit]
        return [max(count - others.count(face), _MISREAD) for face, count in enumerate(self._deck.counts)]

    def _flat(self, fit: Fit) -> Fit:
        """The card as a flat one of the right size lies there, if that looks about as much like it."""
        if len(self._cards.wholly_seen()) < SURE_OF_THE_TABLE or is_one_of(fit, self._cards.known):
            return fit
        flat = self._cards.straight(fit.corners)
        as_flat = self._deck.patterns.likeness(self._picture.half, flat, fit.face)
        return fit._replace(corners=flat) if as_flat > fit.pattern - _LESS_LIKELY else fit
