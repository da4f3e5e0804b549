"""The search for cards where one is seen to lie, whatever is printed on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import numpy as np

from vision.arrays import Corners
from vision.faces.alignment import Fit
from vision.outlines.corner_finder import card_about
from vision.outlines.place_finder import CARD_PX, LIKELY, Place, seen_in
from vision.reading.found_cards import SURE_OF_THE_TABLE, is_one_of
from vision.reading.learnt_deck import LearntDeck
from vision.reading.rail_search import follow_rails
from vision.reading.recognition import is_card_shaped
from vision.reading.trials import SIZE_SPREAD, Trials
from vision.viewpoint import estimate_viewpoint

_SEARCHED_PX: Final = (512, 256, 1024)
"""How wide or high, whichever is more, the picture is made in which cards are looked for, until one is seen."""
_EDGES: Final = 0.7
"""How probable it has to be by its edges that a card lies there: of 460 of decks for building one in fifty had less
than 0.97, and the least 0.55."""
_SURELY: Final = 0.9
"""How probable it has to be by what is printed there that it is a card of the deck: of 460 cards of decks for building
13 had less, all but one of them on one table in the dark; of 71 other places two had more, one of them such edges."""
_PLAIN_EDGES: Final = 0.9
_PLAIN_PRINT: Final = 0.99
"""The same for a card that is read before all else: of 1,565 cards on 220 tables of 80 decks for building 1,512 had as
much, and no other place."""
_SOME_EDGES: Final = 0.3
"""Where a card of the right size has so much of edges, and none was read, it is looked for in every way."""
_PLACE_SPREAD: Final = 0.5
"""How much larger or smaller than a card, as a logarithm, a place may be told to be: of 242 at which cards lay one in
twenty was by 0.27, one in a hundred by 0.48."""
_LOOKS: Final = 2
_LIKE_A_BACK: Final = 4.6
"""As a logarithm: what is no more probable than this beside the back may be that as well."""
_ROUNDS: Final = 3
"""Each card that is read tells better how the table lies, and so where exactly the others do."""
_SEVERAL: Final = 3
"""So many places tell how large the others are."""
_LARGER: Final = 1.25
"""A tilted camera sees cards so many times as large in front as behind; what differs by more was seen wrongly."""
_LEEWAY: Final = 1.5
"""Where cards are so many times larger or smaller than the network knows them best, it looks again."""
_SAME: Final = 0.5
"""What lies nearer than this to a place, in shorter sides of a card, lies there."""
_AROUND: Final = 1.5
"""How much of what is around a changed part is looked at as well, in sides of a card."""


class PlaceSearch:
    """Finds the cards of one picture where a network sees that some lie."""

    def __init__(self, deck: LearntDeck, trials: Trials) -> None:
        self._deck = deck
        self._trials = trials
        self._cards = trials.cards
        self._likely: list[Corners] = []
        """Places where a card probably lies, the most probable first."""
        self._perhaps: list[Corners] = []
        """All at which one may lie, the most probable first."""

    def read_plain(self) -> bool:
        """Reads what the networks are sure of; whether a card was read wherever one probably lies."""
        for _ in range(_LOOKS):
            self._look()  # the second time it is known how large cards are
            if not self._deck.has_rails:  # the networks have seen no other cards
                return False
            for places in (self._likely, self._perhaps):  # the first tell how large cards are
                self._read_edged(self._edged(places))
            if self._cards.all:
                self._read_along_rails()
            if not self._cards.all or not self._unread():
                break
        return bool(self._cards.all) and not self._is_one_left()

    def _read_edged(self, left: list[Corners]) -> None:
        """Reads those of the cards of which the edges were seen that are plain."""
        for _ in range(_ROUNDS):
            read = [self._plainly(*both) for both in zip(left, self._straightened(left), strict=True)]
            for fit in read:
                if fit is not None:
                    self._trials.add_read(fit)
            left = [card for card, fit in zip(left, read, strict=True) if fit is None]
            if not left or all(fit is None for fit in read):
                break

    def _read_along_rails(self) -> None:
        """Reads the plain cards to which the rails of others lead: among cards that touch, places are told badly."""
        followed: list[Fit] = []
        while fits := [fit for fit in self._cards.all if not is_one_of(fit, followed)]:
            followed.append(fits[0])
            if ways := self._deck.ways_on[fits[0].face]:
                beside = self._cards.places_beside(fits[0], [way.corners_mm for way in ways])
                self._read_edged(self._edged(beside))

    def _is_one_left(self) -> bool:
        """Whether a card of the right size seems to lie where one probably does but none was read."""
        for place in self._unread():
            card = card_about(self._trials.picture.half, (place + 0.5) / 2 - 0.5)
            corners = (card.corners + 0.5) * 2 - 0.5
            if card.probability >= _SOME_EDGES and self._are_as_large(corners, SIZE_SPREAD):
                return True
        return False

    def find(self) -> None:
        """Finds cards at places where one is seen to lie but none has been read, and then where rails lead.

        What is read surely comes first: it tells how the table lies. At last little of what is printed is enough.
        """
        if not self._perhaps:  # it may be known better now how large cards are
            self._look()
        self._try_in_turn()
        if self._deck.has_rails:  # the networks have seen no other cards
            self._read_all()

    def _look(self) -> None:
        """Sees where cards may lie."""
        places = self._places()
        self._likely = [place.corners for place in places if place.probability >= LIKELY]
        self._perhaps = [place.corners for place in places]

    def _edged(self, places: Iterable[Corners]) -> list[Corners]:
        """The corners of the cards of the right size that lie about there, as far as their edges show plainly."""
        found = []
        for place in places:
            if not self._trials.is_free(place, sure=0.0) or not self._are_as_large(place, _PLACE_SPREAD):
                continue
            card = card_about(self._trials.picture.half, (place + 0.5) / 2 - 0.5)
            corners = (card.corners + 0.5) * 2 - 0.5
            is_free = self._trials.is_free(corners, sure=0.0)
            if card.probability >= _PLAIN_EDGES and is_free and self._are_as_large(corners, SIZE_SPREAD):
                found.append(corners)
        return found

    def _are_as_large(self, corners: Corners, spread: float) -> bool:
        """Whether it may be a card, whichever sides are the longer ones, as far as it is known how large they are."""
        return any(self._cards.are_as_large(way, spread) for way in (corners, np.roll(corners, 1, axis=0)))

    def _straightened(self, cards: list[Corners]) -> list[Corners]:
        """These places as those of flat cards of the right size, if enough are seen to tell how the table lies."""
        shape, size = self._deck.shape, self._trials.picture.size
        if len(self._cards.wholly_seen()) >= SURE_OF_THE_TABLE:
            return [self._cards.straight(card) for card in cards]
        alike = _of_one_size(cards)
        if len(alike) < SURE_OF_THE_TABLE:
            return cards
        viewpoint = estimate_viewpoint(np.array(alike), shape.card_mm, size)
        return [viewpoint.in_picture(shape.rigid(viewpoint.on_table(card))) for card in cards]

    def _plainly(self, corners: Corners, straight: Corners) -> Fit | None:
        """The card at these corners, or where a flat one would lie, if it is plain to see which face it has."""
        # Which sides are the longer ones does not always show.
        turned, width, height = np.roll(straight, 1, axis=0), *self._deck.shape.card_mm
        as_seen = (corners,), (np.roll(corners, 1, axis=0),)
        ways = ((straight, turned), *as_seen) if height < _LARGER * width else ((straight,), (turned,), *as_seen)
        for some in ways:
            matches = [
                (self._deck.matcher.match(self._trials.picture.whole, given), given)
                for given in some
                if is_card_shaped(given, self._deck.shape.card_mm)
            ]
            match, given = min(matches, key=lambda one: one[0].none, default=(None, corners))
            if match is not None and match.none <= np.log(1 - _PLAIN_PRINT):
                face, is_turned = divmod(int(match.faces.argmax()), 2)
                way = np.roll(given, 2 * is_turned, axis=0)
                backs = match.faces[len(self._deck.ids) :]
                is_doubtful = backs.size and match.faces.max() > backs.max() > match.faces.max() - _LIKE_A_BACK
                if is_doubtful and self._deck.is_back((named := self._trials.recognizer.at(way)).face):
                    return named
                return self._trials.recognizer.as_face(way, face, is_flat=given is straight or given is turned)
        return None

    def _try_in_turn(self) -> None:
        """Tries where one probably lies, each way as long as any is left unread."""
        for try_at in (self._trials.try_surely, self._trials.try_about, self._trials.try_seen):
            if not self._unread():
                return
            self._try_all(try_at)
            if self._cards.all:
                self._trials.straighten()
                follow_rails(self._trials, self._deck.ways_on)

    def _read_all(self) -> None:
        """Finds cards where a network sees the edges of one, and another reads a face of the deck."""
        found = len(self._cards.all)
        for place in self._perhaps:
            if self._trials.is_free(place, sure=0.0) and (fit := self._read(place)) is not None:
                self._trials.add_read(fit)
        if len(self._cards.all) > found:
            follow_rails(self._trials, self._deck.ways_on)

    def _read(self, place: Corners) -> Fit | None:
        """The card that lies about there, if its edges and its print say so."""
        picture = self._trials.picture
        card = card_about(picture.half, (place + 0.5) / 2 - 0.5)
        corners = (card.corners + 0.5) * 2 - 0.5
        if card.probability < _EDGES or not self._trials.is_free(corners, sure=0.0):
            return None
        # Of a card that is nearly square, or of which part is hidden, it does not show which sides are the longer ones.
        for given in (corners, np.roll(corners, 1, axis=0)):
            way = self._cards.straight(given) if self._cards.tell_size() else given
            match = self._deck.matcher.match(picture.whole, way)
            if match.none <= np.log(1 - _SURELY):
                face, turned = divmod(int(match.faces.argmax()), 2)
                is_flat = self._cards.tell_size()
                return self._trials.recognizer.as_face(np.roll(way, 2 * turned, axis=0), face, is_flat=is_flat)
        return None

    def _unread(self) -> list[Corners]:
        """Where a card probably lies but none was read."""
        explained = np.array([fit.corners.mean(axis=0) for fit in (*self._cards.all, *self._trials.face_down)])
        return [
            corners
            for corners in self._likely
            if self._trials.is_free(corners, sure=0.0)
            and np.all(
                np.linalg.norm(explained.reshape(-1, 2) - corners.mean(axis=0), axis=1)
                > _SAME * np.linalg.norm(corners[1] - corners[0])
            )
        ]

    def _try_all(self, try_at: Callable[[Corners, bool], bool]) -> None:
        """Tries the places at which no card was found, the most probable first."""
        for place in self._likely:
            if self._trials.is_free(place):
                corners, is_size_known = self._straight(place)
                # Among cards that touch it does not always show which of their sides are the longer ones.
                if not try_at(corners, is_size_known):
                    try_at(self._deck.shape.turned(corners, 90), is_size_known)

    def _straight(self, corners: Corners) -> tuple[Corners, bool]:
        """The place as that of a flat card of the right size, if it is known how the table lies, and whether it is."""
        if self._cards.tell_size():
            return self._cards.straight(corners), True
        alike = _of_one_size(self._likely)
        if len(alike) < _SEVERAL:
            return corners, False
        viewpoint = estimate_viewpoint(np.array(alike), self._deck.shape.card_mm, self._trials.picture.size)
        return viewpoint.in_picture(self._deck.shape.rigid(viewpoint.on_table(corners))), False

    def _places(self) -> list[Place]:
        """Where cards may lie, the most probable first."""
        if self._cards.all:
            px_per_mm = float(np.mean(self._cards.viewpoint().px_per_mm()))
            return self._seen_at(CARD_PX / (px_per_mm * float(np.mean(self._deck.shape.card_mm))))
        for searched_px in _SEARCHED_PX:
            scale = searched_px / max(self._trials.picture.size)
            places = self._seen_at(scale)
            if sizes := [_mean_side(place.corners) for place in places if place.probability >= LIKELY]:
                larger = scale * float(np.median(sizes)) / CARD_PX
                return places if 1 / _LEEWAY < larger < _LEEWAY else self._seen_at(scale / larger)
        return []

    def _seen_at(self, scale: float) -> list[Place]:
        """The same, in the picture made so many times as large."""
        scale = min(1.0, scale)
        picture = self._trials.picture
        places = [
            place._replace(corners=(place.corners + part.corner + 0.5) / part.scale - 0.5)
            for part in picture.parts(scale, max(picture.size), round(_AROUND * CARD_PX / scale))
            for place in seen_in(part.picture).places
        ]
        return sorted(places, key=lambda place: -place.probability)


def _mean_side(corners: Corners) -> float:
    return float(np.linalg.norm(np.roll(corners, 1, axis=0) - corners, axis=1).mean())


def _of_one_size(places: list[Corners]) -> list[Corners]:
    """Those that are about as large as most of them are."""
    sizes = np.array([np.linalg.norm(corners[2] - corners[0]) for corners in places])
    usual = float(np.median(sizes)) if places else 0.0
    return [corners for corners, size in zip(places, sizes, strict=True) if usual / _LARGER < size < usual * _LARGER]
