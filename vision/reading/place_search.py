"""The search for the cards of a picture: where one is seen to lie, and where the rails of others lead.

What is printed there makes it a card, and the first ones tell how the table lies, and so where exactly the others do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from vision.arrays import Corners
from vision.faces.fit import Fit
from vision.outlines.corner_finder import NO_EDGES
from vision.outlines.place_finder import LIKELY, Place
from vision.outlines.viewpoint import estimate_viewpoint
from vision.reading.found_cards import LEAST_SURPRISE, SURE, SURE_OF_THE_TABLE, FoundCards, is_one_of
from vision.reading.learnt_deck import LearntDeck
from vision.reading.recognition import Print, Recognizer
from vision.reading.searched_picture import SearchedPicture
from vision.reading.seen_places import SeenPlaces, edge_probability, edged, of_one_size, places_at, places_of

SEARCHED_PX: Final = (512, 362, 724, 256, 1024)
"""How wide or high, whichever is more, the picture is made in which cards are looked for, until one is read."""
EDGES: Final = 0.9
"""How probable it has to be by its edges that a card lies there; others are read where rails lead, or about."""
_UNSEEN: Final = 0.1
"""How probable they have to be where rails lead to though no card seems to lie there: of 2,182 bare ones of such places
on 282 tables of 94 decks for building 1,897 had less, and none of 29 where a card lay."""
_FAINT_TOGETHER: Final = 2 * LEAST_SURPRISE
"""So improbable it has to be that the first cards of which hardly more than the edges show are none."""
_ROUNDS: Final = 3
"""Each card that is read tells better how the table lies, and so where exactly the others do."""
_LARGER: Final = 1.25
"""A tilted camera sees cards so many times as large in front as behind; what differs by more was seen wrongly."""
_SAME: Final = 0.5
"""What lies nearer than this to a place, in shorter sides of a card, lies there."""
_MOST_PLACES: Final = 60
"""So many are looked at, the most probable first: no deck has more cards, but a pattern may have."""
_MOST: Final = 8
"""So many places are looked at from all around."""
_STEP_MM: Final = 3.0
"""How far apart the places are at which a card is looked for that lies about there: off by half as much it is read."""


class PlaceSearch:
    """Finds the cards of one picture."""

    def __init__(self, picture: SearchedPicture, deck: LearntDeck, cards: FoundCards, recognizer: Recognizer) -> None:
        """``cards`` are those that are found already; the others are added to them."""
        self._picture = picture
        self._deck = deck
        self._cards = cards
        self._recognizer = recognizer
        self._seen: SeenPlaces | None = None
        self._places: list[Place] = []
        self._looked_at_again: list[Fit] = []
        self._hardly_read: list[Corners] = []
        """Where rails lead and the edges of a card may be seen, but none was read."""

    def find(self, before: Sequence[Corners]) -> None:
        """Adds all cards that can be read; those first that lie still where (px) some lay ``before``."""
        # A card that was read badly may lie a little beside: its edges tell.
        self._add_best(
            [
                self._recognizer.read(filter(self._cards.leave_free, [corners, *self._edged([corners])]))
                for corners in before
            ]
        )
        if self._cards.all:
            self._add_best([self._best_of([corners]) for corners in before])
        if not self._cards.all:
            self._find_first()
        while self._cards.all:
            found = len(self._cards.all)
            card_px = self._card_px()
            # Where something was not read the least difference may tell.
            if self._seen is None or self.unread() or not self._seen.suit(card_px):
                self._look(places_of(self._picture, card_px))
            self._read_edged()
            followed: list[Fit] = []
            self._follow_rails(followed)
            self._read_about()
            self._read_again()
            self._follow_rails(followed)
            if len(self._cards.all) == found or not self.unread():
                found = len(self._cards.all)
                self._read_faint()
                if len(self._cards.all) == found:
                    break

    def _find_first(self) -> None:
        """Adds the first cards, of which it is not known how large they are in the picture.

        Where none can be read, what is left unread is what was seen at the size at which most showed.
        """
        looks = []
        for searched_px in SEARCHED_PX:
            looks.append(places_at(self._picture, searched_px))
            self._look(looks[-1])
            self._read_edged()
            if not self._cards.all:
                self._read_faint()
            if self._cards.all:
                return
        self._look(max(looks, key=lambda seen: max((place.probability for place in seen.places), default=0.0)))

    def _look(self, seen: SeenPlaces) -> None:
        self._seen, self._places = seen, seen.places[:_MOST_PLACES]

    def unread(self) -> list[Corners]:
        """Where a card probably lies but none was read."""
        explained = [fit.corners for fit in (*self._cards.all, *self._cards.face_down)]
        return [
            corners
            for corners, probability in self._places
            if probability >= LIKELY and self._cards.leave_free(corners) and not _lie_together(corners, explained)
        ]

    def _card_px(self) -> float:
        """How long the sides of a card are in the picture, on average."""
        return float(np.mean(self._cards.viewpoint().px_per_mm()) * np.mean(self._deck.shape.card_mm))

    def _read_edged(self) -> None:
        """Reads the cards of which the edges are seen."""
        for least in (LIKELY, 0.0):  # the first tell how large cards are
            # As long as none is known, what is unlikely is worth little time: most tables are empty at first.
            most = len(self._places) if self._cards.all else _MOST
            left = self._edged(
                [
                    place.corners
                    for rank, place in enumerate(self._places)
                    if place.probability >= least and (rank < most or place.probability >= LIKELY)
                ]
            )
            for _ in range(_ROUNDS):
                read = [self._read(*both) for both in zip(left, self._straightened(left), strict=True)]
                for fit in read:
                    if fit is not None:
                        self._cards.add(fit)
                left = [card for card, fit in zip(left, read, strict=True) if fit is None]
                if not left or all(fit is None for fit in read):
                    break

    def _edged(self, places: Iterable[Corners]) -> list[Corners]:
        """The corners of the cards of the right size that lie about there, as far as their edges show."""
        found = []
        for place in places:
            if self._cards.leave_free(place):
                # How large a place is told to be is wrong now and then, above all where cards are square.
                card = edged(self._picture, self._cards.straight(place) if self._cards.tell_size() else place)
                is_one = card.probability >= EDGES and self._cards.leave_free(card.corners)
                if is_one and self._are_as_large(card.corners):
                    found.append(card.corners)
        return found

    def _are_as_large(self, corners: Corners) -> bool:
        """Whether it may be a card, whichever sides are the longer ones, as far as it is known how large they are."""
        return any(self._cards.are_as_large(way) for way in (corners, np.roll(corners, 1, axis=0)))

    def _straightened(self, cards: list[Corners]) -> list[Corners]:
        """These places as those of flat cards of the right size, if enough are seen to tell how the table lies."""
        shape = self._deck.shape
        if len(self._cards.wholly_seen()) >= SURE_OF_THE_TABLE:
            return [self._cards.straight(card) for card in cards]
        alike = of_one_size(cards, _LARGER)
        if len(alike) < SURE_OF_THE_TABLE:
            return cards
        viewpoint = estimate_viewpoint(np.array(alike), shape.card_mm, self._picture.size)
        return [viewpoint.in_picture(shape.rigid(viewpoint.on_table(card))) for card in cards]

    def _read(self, corners: Corners, straight: Corners) -> Fit | None:
        """The card at these corners, or where a flat one would lie, if it is plain to see which face it has."""
        # Which sides are the longer ones does not always show.
        for is_flat, given in ((True, straight), (False, corners)):
            card = self._recognizer.read([given, np.roll(given, 1, axis=0)])
            if card is not None and card.surprise >= LEAST_SURPRISE:
                return self._laid_on(card, is_flat=is_flat)
        return None

    def _follow_rails(self, followed: list[Fit]) -> None:
        """Reads the cards to which the rails of others lead: among cards that touch, edges are seen badly.

        Those that were ``followed`` already are left out, and those added that are now: one that was read wrongly at
        first may lead elsewhere.
        """
        while fits := [fit for fit in self._cards.all if not is_one_of(fit, followed)]:
            followed.append(fits[0])
            self._add_best([self._led_to(place) for place in self._cards.beside(fits[0])])

    def _led_to(self, place: Corners) -> Print | None:
        """What is read where rails lead to, or about that place if a card may lie there, however little shows of it.

        Most rails lead to nothing.
        """
        if not self._cards.leave_free(place):
            return None
        seems_to_lie = _lie_together(place, [corners for corners, _ in self._places])
        if edge_probability(self._picture, place) < (NO_EDGES if seems_to_lie else _UNSEEN):
            return None
        card = self._recognizer.read([place])
        if card is not None and card.surprise >= LEAST_SURPRISE:
            return card
        self._hardly_read.append(place)
        if not seems_to_lie:
            return None
        around = self._around(place)
        # As many places as are looked at, so much likelier is it that one looks like a card by chance.
        return self._about(place, around, least=LEAST_SURPRISE + math.log(len(around)))

    def _read_about(self) -> None:
        """Reads cards about places where one probably lies, wherever there its edges are."""
        for place in self.unread()[:_MOST]:
            ways = [self._cards.straight(way) for way in (place, np.roll(place, 1, axis=0))]
            self._add_best(
                [self._about(ways[0], [near for way in ways for near in self._around(way)], least=LEAST_SURPRISE)]
            )

    def _about(self, place: Corners, around: Sequence[Corners], least: float) -> Print | None:
        """What is surely read where the edges of a card show about a place, or ``around`` it if ``least`` as surely."""
        framed = [way for corners in self._edged([place]) for way in (corners, np.roll(corners, 1, axis=0))]
        read = ((self._best_of(framed), LEAST_SURPRISE), (self._best_of(around), least))
        sure = [card for card, needed in read if card is not None and card.surprise >= needed]
        return max(sure, key=lambda card: card.surprise, default=None)

    def _read_faint(self) -> None:
        """Reads cards of which hardly more than the edges show.

        Any other thing may have such edges: unless one of the first is sure, only several tell together that there are
        cards.
        """
        places = self.unread()[:_MOST]
        if self._cards.all:
            places = [*map(self._cards.straight, places), *self._hardly_read]
        read = [self._recognizer.read_framed(corners) for corners in self._edged(places)]
        likely = [card for card in read if card is not None and card.surprise >= LEAST_SURPRISE]
        if not self._cards.all:
            if sum(card.surprise for card in likely) < _FAINT_TOGETHER:
                return
            likely = [card for card in likely if card.surprise >= _FAINT_TOGETHER] or likely
        self._add_best(likely)

    def _read_again(self) -> None:
        """Looks once more about each card that is not sure: it may lie beside where it was read."""
        unsure = [fit for fit in self._cards.all if fit.surprise < SURE]
        for fit in [fit for fit in unsure if not is_one_of(fit, self._looked_at_again)]:
            self._looked_at_again.append(fit)
            card = self._recognizer.read(self._around(self._cards.straight(fit.corners)))
            if card is not None and card.surprise > fit.surprise:
                self._cards.add(self._laid_on(card, is_flat=True))

    def _best_of(self, places: Sequence[Corners]) -> Print | None:
        """What is read at the likeliest of these places."""
        return self._recognizer.read(filter(self._cards.leave_free, places))

    def _around(self, place: Corners) -> list[Corners]:
        """The place and those a step from it along and across the table."""
        viewpoint = self._cards.viewpoint()
        on_table, steps = viewpoint.on_table(place), (-_STEP_MM, 0.0, _STEP_MM)
        return [viewpoint.in_picture(on_table + np.array([x, y])) for x in steps for y in steps]

    def _add_best(self, cards: Iterable[Print | None]) -> None:
        """Adds what is sure to be a card, the surest first."""
        sure = [card for card in cards if card is not None and card.surprise >= LEAST_SURPRISE]
        for card in sorted(sure, key=lambda card: -card.surprise):
            if self._cards.leave_free(card.corners):
                self._cards.add(self._laid_on(card, is_flat=True))

    def _laid_on(self, card: Print, *, is_flat: bool) -> Fit:
        """The card where it lies exactly; one that may be face down or not is looked at once more, as a whole."""
        if self._deck.is_back(card.face) and card.may_be_face_up:
            framed = self._recognizer.read_framed(card.corners)
            card = framed if framed is not None and framed.surprise >= LEAST_SURPRISE else card
        return self._recognizer.laid_on(card, is_flat=is_flat)


def _lie_together(place: Corners, others: Sequence[Corners]) -> bool:
    """Whether one of the others lies at this place."""
    middles = np.array([corners.mean(axis=0) for corners in others]).reshape(-1, 2)
    near = _SAME * np.linalg.norm(place[1] - place[0])
    return bool((np.linalg.norm(middles - place.mean(axis=0), axis=1) <= near).any())
