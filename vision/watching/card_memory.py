"""The cards of a table as they have been read so far: where something changes they are read anew, and only there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final, Protocol

import cv2
import numpy as np

from vision.arrays import Corners, Homography, Mask, Picture, Region
from vision.faces.fit import LEAST_LIKENESS
from vision.outlines.outline_masks import SHRINK, WINDOW_PX, fill_outline, share_changed, without_cards
from vision.outlines.place_finder import LIKELY, Place
from vision.reading.emma import EmmaSighting
from vision.reading.reader import CardReading
from vision.reading.searched_picture import Changed
from vision.watching.camera_motion import moved_points
from vision.watching.long_exposure import LongExposure
from vision.watching.table_changes import Changes, regions_around, without_small
from vision.watching.tracked_cards import SURE_LEAD, Suspect, TrackedCard, overlap, settled
from vision.watching.unread_places import UnreadPlaces, nowhere

_TOUCHED: Final = 0.02
"""The share of a card that has to look different for it to be looked at again."""
_GONE: Final = 0.6
"""With less of its likeness than this a card does not lie there any more."""
_SAME: Final = 0.9
"""So much of its likeness a card has when only a shadow has come or gone, and no more than it had by as much."""
_ROOM: Final = 0.6
"""How much room, in sides of a card, is given to what is looked for around a change."""
_PARTLY: Final = 0.4
"""Where more of a card's place than this looks different, it is read anew even if it looks like before."""
_BY_LIGHT: Final = 0.3
"""The share of a card's place, or of the square of its shorter side, in which only light has changed at least if one
may have gone or come there."""
_LARGER: Final = 3.0
"""In squares of a card's shorter side: shadows of people and lamps are larger than that, and Emma's is smaller than a
card. One that is laid changes 1.5 to 1.9 of them, and a little more where it is small in the picture."""
_OVERLAP: Final = 0.3
"""How much of two readings may lie over each other without their being of one card."""
_THING: Final = 0.1
"""Changes smaller than this part of the square of a card's shorter side are no card."""


class CardReader(Protocol):
    """Reads the cards of a picture (``vision.reading.reader.Reader``)."""

    def read(
        self,
        picture: Picture,
        known: Sequence[CardReading] = (),
        changed: Changed | None = None,
        before: Sequence[CardReading] = (),
        *,
        is_emma_known: bool = False,
    ) -> list[CardReading]:
        """The cards in a picture, or in what of it has ``changed``, looked for first where some lay ``before``.

        Where it ``is_emma_known`` that she stands on a known card she is not looked for.
        """

    def places(
        self, picture: Picture, known: Sequence[CardReading], regions: Sequence[Region] | None = None
    ) -> list[Place]:
        """Where cards as large as those that are known seem to lie, in all of a picture or in these regions."""

    def still_there(self, picture: Picture, card: CardReading) -> float:
        """How alike (-1 to 1) a card's place is to the card."""

    def named_anew(
        self, picture: Picture, cards: Sequence[CardReading], which: Collection[int], emma: EmmaSighting | None
    ) -> list[CardReading]:
        """The cards, of which some (their indices) are named by this picture."""


class CardMemory:
    """The cards that lie there, as far as is known. A number that a card has had is never given to another one."""

    def __init__(self, reader: CardReader) -> None:
        self.cards: list[TrackedCard] = []
        """In the order in which they have come."""
        self._reader = reader
        self._next_serial = 0
        self._unread: UnreadPlaces | None = None
        self._seen: list[Corners] = []
        """Where cards seem to lie, whether they could be read or not: piles are among them."""
        self._named_by_still: set[int] = set()
        """The numbers of the cards that one has tried to name, and that have not changed since."""
        self._width_px = 0
        self._hers: int | None = None
        """The number of the card on which Emma still stands, if that is known."""

    def forget(self, width_px: int) -> None:
        """Forgets all cards: pictures, of this width, begin anew."""
        self.cards, self._seen, self._unread, self._width_px = [], [], None, width_px
        self._named_by_still.clear()

    def read_all(self, picture: Picture, expected: Collection[str]) -> None:
        """Reads the first picture; ``expected`` are the faces that the rules allow."""
        self._put([], settled([], self._reader.read(picture), expected, self._next_serial))
        self._seen = self._places(picture)

    def read_besides(self, picture: Picture, expected: Collection[str]) -> None:
        """Looks all over a picture for cards that were missed."""
        self._hers = None
        self._put(self.cards, settled([], self._read(picture, self.cards), expected, self._next_serial))

    def read_changes(
        self,
        picture: Picture,
        changes: Changes,
        expected: Collection[str],
        hers: int | None,
        exposure: LongExposure | None = None,
        *,
        has_moved: bool,
        is_longer: bool = False,
    ) -> Mask:
        """Reads anew what has changed, what was doubtful, and after a motion everything.

        ``hers`` is the number of the card on which Emma still stands, if that is known: then she is on no other one.
        ``is_longer``: the picture is the last that was read, exposed longer, in which nothing has changed. Else it is
        laid over those of an ``exposure``, if there is one, but where it has changed: what has not is seen in less
        noise. Returns where (1, h/4 × w/4) something else lies than before, which shadows do not tell.
        """
        self._hers = hers
        places = changes.places if has_moved else changes.places | self._lying_otherwise(picture, changes)
        suspects = self._suspects(picture, places, changes.light, has_moved=has_moved, is_longer=is_longer)
        if exposure is not None and not is_longer:
            anew = self._seen_anew(places | changes.light, suspects)
            exposure.add_changed(picture, anew)
            picture = exposure.look()
            suspects = [
                suspect._replace(is_longer=share_changed(anew, suspect.card.reading.corners_px) < _TOUCHED)
                for suspect in suspects
            ]
        self._named_by_still -= {suspect.card.serial for suspect in suspects if suspect.share >= _TOUCHED}
        kept = self._cards_besides(suspects)
        if has_moved:  # then no place can be told from another
            self._unread = None
            found = self._read(picture, kept, before=suspects)
            self._put(kept, settled(suspects, found, expected, self._next_serial))
            self._seen = self._places(picture)
        else:
            come, strongly = self._others(places, kept), self._others(changes.places, kept)
            unread = (self._unread or nowhere(places.shape)).with_come(come, come & ~strongly)
            self._unread = unread
            # Beside cards that are known what has come may be one that tells of what was tried in vain.
            parts = unread.places if kept and (come & unread.untried).any() else unread.untried
            self._read_parts(picture, unread, self._others(parts, kept), suspects, expected)
        return places

    def _cards_besides(self, suspects: Sequence[Suspect]) -> list[TrackedCard]:
        dubious = {suspect.card.serial for suspect in suspects}
        return [card for card in self.cards if card.serial not in dubious]

    def _read_parts(
        self,
        picture: Picture,
        unread: UnreadPlaces,
        parts: Mask,
        suspects: Sequence[Suspect],
        expected: Collection[str],
    ) -> None:
        """Reads these parts (1, h/4 × w/4) of what is not read yet, and the suspects."""
        if not (suspects or parts.any()):
            return
        for suspect in suspects:
            fill_outline(parts, suspect.card.reading.corners_px)
        kept, was_bare = self._cards_besides(suspects), not self.cards
        found = self._read_regions(picture, kept, parts, suspects)
        self._put(kept, settled(suspects, found, expected, self._next_serial))
        if was_bare and found:  # the first cards tell how all others should look
            self._read_more(picture, self._others(unread.places, self.cards), self.cards, expected)
        left = self._others(parts | unread.places, [*self.cards, *(suspect.card for suspect in suspects)])
        unread = unread._replace(places=left)
        # What lies far from the known cards they tell badly; where none is known all has been read by itself just now.
        if self.cards:
            self._read_more(picture, unread.untried, (), expected)
        self._unread = unread.left(self._others(left, self.cards))

    def _read_more(
        self, picture: Picture, places: Mask, known: Sequence[TrackedCard], expected: Collection[str]
    ) -> None:
        """Reads what lies in these places besides all cards, by how these that are ``known`` lie."""
        if places.any():
            found = _free(self._read_regions(picture, known, places), self.cards)
            self._put(self.cards, settled([], found, expected, self._next_serial))

    def _seen_anew(self, places: Mask, suspects: Sequence[Suspect]) -> Mask:
        """Where (1, h/4 × w/4) what was seen before tells nothing: about what has changed, and under lost cards."""
        anew = np.asarray(cv2.dilate(places, np.ones((WINDOW_PX, WINDOW_PX), np.uint8)), np.uint8)
        for card, _, likeness, _ in suspects:
            if likeness < _GONE * card.reading.likeness:
                fill_outline(anew, card.reading.corners_px)
        return anew

    def _lying_otherwise(self, picture: Picture, changes: Changes) -> Mask:
        """Where (1, h/4 × w/4) cards seem to have come or gone, of the places in which light has changed.

        What is as large as a card may be one. Else a shadow has only come over them, if cards are seen to lie just
        where they did. In noise in which light may change unseen they may have come or gone anywhere.
        """
        light = changes.light
        if not self.cards or not (light.any() or changes.may_go_unseen):
            return without_small(light, _THING * self._square())
        known = [card.reading.corners_px for card in self.cards]
        beside = self._others(light, self.cards)
        little = beside & ~without_small(beside, _LARGER * self._square())
        found = without_small(little, _BY_LIGHT * self._square())
        less_light = [card.reading.corners_px for card in self.cards if self._may_be_gone(picture, card, changes)]
        if not less_light and (found == beside).all() and not changes.may_go_unseen:
            return found
        anywhere = np.ones_like(light) if changes.may_go_unseen else light
        seen = self._reader.places(
            picture, [card.reading for card in self.cards], regions_around(anywhere, _ROOM * self._side())
        )
        likely = [place.corners for place in seen if place.probability >= LIKELY]
        # What shadows fall on may look a little like a card; where no shadow does it may be one of which little shows.
        come = [
            corners
            for corners, probability in seen
            if share_changed(anywhere if probability >= LIKELY else little, corners) >= _TOUCHED
            and _lie_apart(corners, [*known, *self._seen])
        ]
        gone = [corners for corners in less_light if _lie_apart(corners, [place.corners for place in seen])]
        left = [corners for corners in self._seen if share_changed(anywhere, corners) < _TOUCHED]
        self._seen = [*likely, *(corners for corners in left if _lie_apart(corners, likely))]
        for corners in [*come, *gone]:
            fill_outline(found, corners)
        return found

    def _may_be_gone(self, picture: Picture, card: TrackedCard, changes: Changes) -> bool:
        """Whether light has changed over much of a card, or it does not look like itself where some may have."""
        share = share_changed(changes.light, card.reading.corners_px)
        if share > _BY_LIGHT:
            return True
        return (share >= _TOUCHED or changes.may_go_unseen) and self._are_gone(picture, [card])

    def _places(self, picture: Picture) -> list[Corners]:
        """Where cards seem to lie in a picture, if it is known how large they are."""
        if not self.cards:
            return []
        places = self._reader.places(picture, [card.reading for card in self.cards])
        return [place.corners for place in places if place.probability >= LIKELY]

    @property
    def has_unclear(self) -> bool:
        """Whether there is a card that may have another face as well, and no still has named it yet."""
        return any(card.reading.others and self._may_be_told(card) for card in self.cards)

    def name_by_still(self, still: Picture, places: Mask, emma: EmmaSighting | None) -> None:
        """Names doubtful cards by a larger picture of the same view, but for those that it does not show as they were.

        In these ``places`` (h/4 × w/4 of a usual picture) it shows something else; ``emma`` is as seen in a usual one.
        """
        scale = still.shape[1] / self._width_px
        # All that is doubtful: what was just clear in one picture is often not in the next, and a still takes long.
        doubtful = [index for index, card in enumerate(self.cards) if self._may_be_told(card)]
        self._named_by_still |= {self.cards[index].serial for index in doubtful}
        same = [index for index in doubtful if share_changed(places, self.cards[index].reading.corners_px) < _TOUCHED]
        if emma is not None:
            emma = emma.moved(np.diag([scale, scale, 1.0]))
        larger = [card.reading._replace(corners_px=card.reading.corners_px * scale) for card in self.cards]
        named = self._reader.named_anew(still, larger, same, emma)
        for index in same:
            reading = named[index]._replace(corners_px=named[index].corners_px / scale)
            self.cards[index] = self.cards[index].named_by_still(reading)

    def _may_be_told(self, card: TrackedCard) -> bool:
        """Whether a still may name a card that is doubtful: none has yet."""
        return card.reading.lead < SURE_LEAD and card.serial not in self._named_by_still

    def move(self, motion: Homography) -> None:
        """Moves all cards in the picture, as the camera was bumped or they were pushed."""
        self.cards = [card.moved(moved_points(card.reading.corners_px, motion)) for card in self.cards]

    def is_worth_a_look(self) -> bool:
        """Whether a picture in which nothing has changed may tell more than those before."""
        is_unread = self._unread is not None and bool(self._unread.untried.any())
        return is_unread or any(card.is_doubtful for card in self.cards)

    def have_moved(self, picture: Picture, places: Mask) -> bool:
        """Whether most cards do not lie any more where they lay, as far as they were touched by these changes."""
        touched = [card for card in self.cards if share_changed(places, card.reading.corners_px) >= _TOUCHED]
        return 2 * len(touched) > len(self.cards) and self._are_gone(picture, touched)

    def gone(self, picture: Picture) -> list[TrackedCard]:
        """The cards that do not lie any more where they lay."""
        return [card for card in self.cards if self._are_gone(picture, [card])]

    def are_most_read(self, picture: Picture) -> bool:
        """Whether most of the cards are read in a picture, wherever they lie now."""
        known = Counter(card.reading.face for card in self.cards)
        found = Counter(reading.face for reading in self._reader.read(picture))
        return 2 * (known & found).total() > known.total()

    @property
    def unread(self) -> Mask | None:
        """Where (1, h/4 × w/4) something has come that was tried to be read in vain; None where nothing is."""
        if self._unread is None or not self._unread.places.any():
            return None
        return None if self._unread.untried.any() else self._unread.places

    def are_beside(self, places: Mask) -> bool:
        """Whether something as large as a card has changed beside the cards."""
        return bool(self._others(places, self.cards).any())

    def _are_gone(self, picture: Picture, cards: Sequence[TrackedCard]) -> bool:
        """Whether most of these cards do not lie any more where they lay."""
        gone = [self._reader.still_there(picture, card.reading) < _GONE * card.reading.likeness for card in cards]
        return 2 * sum(gone) > len(cards)

    def _read_regions(
        self, picture: Picture, kept: Sequence[TrackedCard], places: Mask, before: Sequence[Suspect] = ()
    ) -> list[CardReading]:
        """What lies in places that are not read yet (h/4 × w/4), besides the cards that are kept."""
        changed = Changed(regions_around(places, _ROOM * self._side()), places)
        return self._read(picture, kept, changed, before)

    def _suspects(
        self, picture: Picture, places: Mask, light: Mask, *, has_moved: bool, is_longer: bool
    ) -> list[Suspect]:
        """The cards that may not lie there any more as they did, may be others, or may be told now.

        A hand, Emma or a shadow has come or gone where only light has changed.
        """
        shares = [share_changed(places, card.reading.corners_px) for card in self.cards]
        suspects = [
            Suspect(card, share, self._reader.still_there(picture, card.reading), is_longer)
            for card, share in zip(self.cards, shares, strict=True)
            if has_moved or card.is_doubtful or share_changed(places | light, card.reading.corners_px) >= _TOUCHED
        ]
        return suspects if has_moved else [suspect for suspect in suspects if not _is_plainly_as_before(suspect)]

    def _others(self, places: Mask, cards: Sequence[TrackedCard]) -> Mask:
        """The changed places that are large enough for a card and lie on none of these."""
        outlines = [card.reading.corners_px for card in cards]
        return without_small(without_cards(places, outlines), _THING * self._square())

    def _square(self) -> float:
        """How many px the square of a card's shorter side has at a quarter of the size: two thirds of a card."""
        return (self._side() / SHRINK) ** 2

    def _side(self) -> float:
        """About how many px a card's shorter side has."""
        if not self.cards:
            return self._width_px / 16
        sides = [np.linalg.norm(card.reading.corners_px[1] - card.reading.corners_px[0]) for card in self.cards]
        return float(np.median(sides))

    def _read(
        self,
        picture: Picture,
        kept: Sequence[TrackedCard],
        changed: Changed | None = None,
        before: Sequence[Suspect] = (),
    ) -> list[CardReading]:
        """What lies there, or has come where it has ``changed``, besides the cards that are kept."""
        known, lay = [card.reading for card in kept], [suspect.card.reading for suspect in before]
        is_emma_known = self._hers is not None and any(card.serial == self._hers for card in kept)
        return _free(self._reader.read(picture, known, changed, lay, is_emma_known=is_emma_known), kept)

    def _put(self, kept: Sequence[TrackedCard], others: Sequence[TrackedCard]) -> None:
        self.cards = sorted([*kept, *others], key=lambda card: card.serial)
        self._next_serial = max([self._next_serial, *(card.serial + 1 for card in self.cards)])


def _free(found: Sequence[CardReading], cards: Sequence[TrackedCard]) -> list[CardReading]:
    """The readings that lie on none of these cards."""
    outlines = [card.reading.corners_px for card in cards]
    return [reading for reading in found if _lie_apart(reading.corners_px, outlines)]


def _lie_apart(corners: Corners, others: Sequence[Corners]) -> bool:
    """Whether none of the others is of the same card."""
    return all(overlap(corners, other) < _OVERLAP for other in others)


def _is_plainly_as_before(suspect: Suspect) -> bool:
    card, likeness = suspect.card, suspect.likeness
    # Where it is more alike now, something may have hidden a part of it before.
    before = card.reading.likeness
    is_alike = likeness >= max(LEAST_LIKENESS, _SAME * before) and _SAME * likeness <= before
    # What is open may be told now: a hand, Emma or a shadow has come or gone.
    return is_alike and suspect.share < _PARTLY and not (card.is_doubtful or card.reading.others)
