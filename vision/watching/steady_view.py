"""A table seen by one fixed camera, picture after picture: only what has changed is read anew, and cards stay cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple, Protocol

import cv2
import numpy as np

from vision.arrays import Mask, Picture, Region
from vision.reading.emma import EmmaSighting
from vision.reading.reader import CardReading
from vision.reading.recognition import LEAST_LIKENESS
from vision.watching.camera_motion import halved_grey, moved_points
from vision.watching.hands import SHRINK, HandWatch, guess_hand, shrunk
from vision.watching.table_changes import (
    Changes,
    changed_places,
    is_blurred,
    parts_touched,
    regions_around,
    share_changed,
    without_cards,
    without_small,
)
from vision.watching.table_motion import Glance, table_motion
from vision.watching.tracked_cards import SURE_LIKENESS, Suspect, TrackedCard, overlap, settled

_TOUCHED: Final = 0.02
"""The share of a card that has to look different for it to be looked at again."""
_GONE: Final = 0.6
"""With less of its likeness than this a card does not lie there any more."""
_SAME: Final = 0.9
"""So much of its likeness a card has when only Emma or a shadow has come or gone."""
_LOOKS: Final = 3
"""So many pictures a doubtful card, an unread thing, or a table without Emma is looked at anew."""
_STILL_HAND: Final = 3
"""After so many pictures in which nothing moved it is doubted that a hand is a hand."""
_BLUR_PATIENCE: Final = 5
"""After so many blurred pictures in a row, they are read as they are."""
_DARK: Final = 0.25
"""The part of its light with which a picture shows nothing any more."""
_ROOM: Final = 0.6
"""How much room, in sides of a card, is given to what is looked for around a change."""
_PARTLY: Final = 0.4
"""Where more of a card's place than this looks different, it is read anew even if it looks like before."""
_NEW: Final = 0.3
"""The share of a new card's place that looks different at least, if it is not plain to read."""
_OVERLAP: Final = 0.3
"""How much of two readings may lie over each other without their being of one card."""
_CLEARLY_EMMA: Final = 0.4
"""How sure it is at least that she stands where she was seen."""
_THING: Final = 0.1
"""Changes smaller than this part of a card are no card."""


class CardReader(Protocol):
    """Reads the cards of a picture (``vision.reading.reader.Reader``)."""

    def read(
        self, picture: Picture, known: Sequence[CardReading] = (), changed: Sequence[Region] | None = None
    ) -> list[CardReading]:
        """The cards in a picture, or in its changed regions."""

    def still_there(self, picture: Picture, card: CardReading) -> float:
        """How alike (-1 to 1) a card's place is to the card."""


class LocomotiveFinder(Protocol):
    """Finds Emma on cards (``vision.reading.emma.EmmaFinder``)."""

    def find(self, picture: Picture, readings: Sequence[CardReading]) -> EmmaSighting | None:
        """Emma, if she stands on one of these cards."""


class Sight(NamedTuple):
    """What lies on the table, as far as is known after a picture.

    ``cards`` are in the order in which they have come; ``serials`` (as many) number them, and a card keeps its number
    as long as it lies there, also when it has been pushed, or when the camera has been bumped. ``hand``: a hand is in
    the picture, and the rest is as it was before. ``is_still``: nothing moves and nothing waits to be read.
    ``changed``: cards or Emma are not as they were in the sight before.
    """

    cards: tuple[CardReading, ...] = ()
    serials: tuple[int, ...] = ()
    emma: EmmaSighting | None = None
    hand: bool = False
    is_still: bool = False
    changed: bool = False


class _Difference(NamedTuple):
    """A picture at a quarter of its size, and where it shows something else than the one that was read last."""

    quarter: Picture
    changes: Changes


class _Unread(NamedTuple):
    """Where (1) something has come that was not read yet, and where anything had changed when it came.

    ``looks`` counts how often each place has been read apart since it changed.
    """

    places: Mask
    changed: Mask
    looks: Mask

    @property
    def untried(self) -> Mask:
        """The places that may be read apart once more."""
        return self.places & (self.looks < _LOOKS)


class _EmmaOnCard(NamedTuple):
    """Emma, and the number of the card on which she stands."""

    serial: int
    sighting: EmmaSighting


class SteadyView:
    """Looks at the pictures of one camera above a table, in order; knows no clock."""

    def __init__(self, reader: CardReader, emma_finder: LocomotiveFinder, *, pictures_to_be_still: int = 1) -> None:
        """A change counts when that many pictures in a row show it: 2 or more for a camera at work, 1 for single shots.

        Raises ValueError for less than 1.
        """
        if pictures_to_be_still < 1:
            raise ValueError("A change shows in one picture at least.")
        self._reader = reader
        self._emma_finder = emma_finder
        self._pictures_to_be_still = pictures_to_be_still
        self._next_serial = 0
        self._begin(())

    def look(self, picture: Picture, expected: Collection[str] = ()) -> Sight:
        """What lies there after the next picture (h × w × 3, B, G, R, or h × w).

        ``expected`` are the faces that the rules allow: they decide between faces that look nearly alike.
        """
        picture = picture if picture.ndim == 3 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)
        if picture.shape != self._shape:
            self._begin(picture.shape)
        if self._is_dark(picture):
            return self._kept(is_still=False)
        hand = self._watch.seen(picture)
        difference = None
        if self._watch.still_for == 0:
            self._waits = True
            self._hand_at_first = False
            difference = self._compared(picture)
            if self._follow_motion(picture, difference):
                hand = self._watch.seen(picture)
                difference = self._compared(picture)
        if hand and self._watch.still_for == _STILL_HAND and self._is_no_hand(picture):
            self._begin_watch(picture)
            self._waits = self._has_moved = True
            hand = False
        if hand or self._watch.still_for < self._pictures_to_be_still - 1:
            return self._kept(hand=hand, is_still=False)
        if not self._waits and not self._is_worth_a_look():
            return self._kept(hand=self._hand_at_first, is_still=True)
        return self._look_closely(picture, difference or self._compared(picture), expected)

    def forget(self) -> None:
        """Forgets all cards: the next picture is read as if it were the first."""
        self._begin(())

    def _begin(self, shape: tuple[int, ...]) -> None:
        self._shape = shape
        self._watch = HandWatch()
        self._cards: list[TrackedCard] = []
        self._glance: Glance | None = None
        self._unread: _Unread | None = None
        self._emma: _EmmaOnCard | None = None
        self._has_seen_emma = False
        self._waits = False
        self._has_moved = False
        self._looks_left = 0
        self._searches = 0
        self._blurred = 0
        self._hand_at_first = False
        self._brightness = 0.0
        self._sight = Sight()

    def _kept(self, *, hand: bool = False, is_still: bool) -> Sight:
        self._sight = self._sight._replace(hand=hand, is_still=is_still, changed=False)
        return self._sight

    def _is_dark(self, picture: Picture) -> bool:
        """Whether the lamp or the camera has gone out."""
        return float(picture[::64, ::64].mean()) < _DARK * self._brightness

    def _compared(self, picture: Picture) -> _Difference:
        quarter = shrunk(picture)
        if self._glance is None:
            return _Difference(quarter, Changes(np.ones(quarter.shape[:2], dtype=np.uint8), 0.0))
        return _Difference(quarter, changed_places(quarter, self._glance.quarter))

    def _follow_motion(self, picture: Picture, difference: _Difference) -> bool:
        """Moves all that is known where the camera was bumped or the cards were pushed; says whether it did."""
        if self._glance is None or not self._cards:
            return False
        outlines = [card.reading.corners_px for card in self._cards]
        places = difference.changes.places
        touched = [card for card in self._cards if share_changed(places, card.reading.corners_px) >= _TOUCHED]
        have_moved = 2 * len(touched) > len(self._cards) and self._are_gone(picture, touched)
        if not have_moved and not difference.changes.is_everywhere:
            return False
        now = Glance(difference.quarter, halved_grey(picture))
        found = table_motion(self._glance, now, difference.changes, outlines, have_moved=have_moved)
        if found is None:
            return False
        self._glance = found.expected
        self._cards = [card.moved(moved_points(card.reading.corners_px, found.motion)) for card in self._cards]
        if self._emma is not None:
            sighting = self._emma.sighting
            foot_px = moved_points(sighting.foot_px[None], found.motion)[0]
            outline_px = moved_points(sighting.outline_px, found.motion)
            self._emma = self._emma._replace(sighting=sighting._replace(foot_px=foot_px, outline_px=outline_px))
        self._begin_watch(np.asarray(cv2.resize(found.expected.quarter, picture.shape[1::-1]), dtype=np.uint8))
        self._has_moved = True
        return True

    def _begin_watch(self, table: Picture) -> None:
        """What is in this picture is no hand."""
        self._watch = HandWatch()
        self._watch.seen(table)

    def _is_no_hand(self, picture: Picture) -> bool:
        """Whether what looks like a hand are cards that reached out of the picture and were taken, or came to do so."""
        gone = [card for card in self._cards if self._are_gone(picture, [card])]
        if not gone:
            return False
        if not self._others(self._compared(picture).changes.places, self._cards).any():
            return True
        if 2 * len(gone) <= len(self._cards):
            return False
        known = Counter(card.reading.face for card in self._cards)
        found = Counter(reading.face for reading in self._reader.read(picture))
        return 2 * (known & found).total() > known.total()

    def _is_worth_a_look(self) -> bool:
        """Whether a picture in which nothing has changed may tell more than those before."""
        is_unread = self._unread is not None and bool(self._unread.untried.any())
        return self._looks_left > 0 and (is_unread or any(card.is_doubtful for card in self._cards))

    def _are_gone(self, picture: Picture, cards: Sequence[TrackedCard]) -> bool:
        """Whether most of these cards do not lie any more where they lay."""
        alike = [self._reader.still_there(picture, card.reading) / card.reading.likeness for card in cards]
        return float(np.median(alike)) < _GONE

    def _look_closely(self, picture: Picture, difference: _Difference, expected: Collection[str]) -> Sight:
        quarter, places = difference.quarter, difference.changes.places
        if self._glance is None:
            self._put([], settled([], self._reader.read(picture), expected, self._next_serial))
        elif places.any() and self._blurred < _BLUR_PATIENCE and is_blurred(quarter, self._glance.quarter):
            self._blurred += 1
            return self._kept(is_still=False)
        else:
            self._read_changes(picture, places, expected)
        self._look_for_emma(picture, places, expected)
        sight = self._told(picture)
        if places.any():
            self._glance = Glance(quarter, halved_grey(picture))
            self._brightness = float(picture[::64, ::64].mean())
        self._looks_left = _LOOKS if places.any() else self._looks_left - 1
        self._blurred, self._waits, self._has_moved = 0, False, False
        return sight

    def _read_changes(self, picture: Picture, places: Mask, expected: Collection[str]) -> None:
        """Reads anew what has changed, and what was doubtful."""
        suspects = self._suspects(picture, places)
        dubious = {suspect.card.serial for suspect in suspects}
        kept = [card for card in self._cards if card.serial not in dubious]
        others = self._others(places if self._unread is None else places | self._unread.places, kept)
        changed = places if self._unread is None else places | self._unread.changed
        looks = np.zeros_like(places) if self._unread is None else self._unread.looks
        self._unread = None
        if self._has_moved:
            self._put(kept, settled(suspects, self._read(picture, kept), expected, self._next_serial))
        elif suspects or others.any():
            for suspect in suspects:
                cv2.fillConvexPoly(others, (suspect.card.reading.corners_px / SHRINK).round().astype(np.int32), (1,))
            found = self._read_regions(picture, kept, others, changed | others)
            self._put(kept, settled(suspects, found, expected, self._next_serial))
            left = self._others(others, [*self._cards, *(suspect.card for suspect in suspects)])
            self._unread = _Unread(left, changed, np.where(parts_touched(left, places), 0, looks).astype(np.uint8))
            self._read_apart(picture, self._unread, expected)

    def _read_regions(
        self, picture: Picture, kept: Sequence[TrackedCard], places: Mask, changed: Mask
    ) -> list[CardReading]:
        """What lies in places that are not read yet (h/4 × w/4), besides the cards that are kept."""
        found = self._read(picture, kept, regions_around(places, _ROOM * self._side()))
        # Where nothing has changed no card has come; a pale one on a pale table changes little, and is plain to read.
        return [
            reading
            for reading in found
            if reading.likeness >= SURE_LIKENESS or share_changed(changed, reading.corners_px) > _NEW
        ]

    def _read_apart(self, picture: Picture, unread: _Unread, expected: Collection[str]) -> None:
        """Reads what lies so far from the known cards that they tell badly how it should look.

        What is no card, as a pile or a mug, would else be read anew whenever something happens at the table.
        """
        if not unread.untried.any():
            return
        found = self._free(self._read_regions(picture, (), unread.untried, unread.changed), self._cards)
        self._put(self._cards, settled([], found, expected, self._next_serial))
        left = self._others(unread.places, self._cards)
        self._unread = unread._replace(places=left, looks=unread.looks + unread.untried)

    def _suspects(self, picture: Picture, places: Mask) -> list[Suspect]:
        """The cards that may not lie there any more as they did, or may be others."""
        shares = [share_changed(places, card.reading.corners_px) for card in self._cards]
        suspects = [
            Suspect(card, share, self._reader.still_there(picture, card.reading))
            for card, share in zip(self._cards, shares, strict=True)
            if share >= _TOUCHED or card.is_doubtful or self._has_moved
        ]
        return [suspect for suspect in suspects if not self._is_plainly_there(suspect)]

    def _is_plainly_there(self, suspect: Suspect) -> bool:
        card = suspect.card
        is_alike = suspect.likeness >= max(LEAST_LIKENESS, _SAME * card.reading.likeness)
        return is_alike and suspect.share < _PARTLY and not card.is_doubtful and not self._has_moved

    def _others(self, places: Mask, cards: Sequence[TrackedCard]) -> Mask:
        """The changed places that are large enough for a card and lie on none of these."""
        outlines = [card.reading.corners_px for card in cards]
        return without_small(without_cards(places, outlines), _THING * (self._side() / SHRINK) ** 2)

    def _side(self) -> float:
        """About how many px a card's shorter side has."""
        if not self._cards:
            return self._shape[1] / 16
        sides = [np.linalg.norm(card.reading.corners_px[1] - card.reading.corners_px[0]) for card in self._cards]
        return float(np.median(sides))

    def _read(
        self, picture: Picture, kept: Sequence[TrackedCard], regions: Sequence[Region] | None = None
    ) -> list[CardReading]:
        """What lies there, or in these regions, besides the cards that are kept."""
        return self._free(self._reader.read(picture, [card.reading for card in kept], regions), kept)

    @staticmethod
    def _free(found: Sequence[CardReading], cards: Sequence[TrackedCard]) -> list[CardReading]:
        """The readings that lie on none of these cards."""
        return [
            reading
            for reading in found
            if all(overlap(reading.corners_px, card.reading.corners_px) < _OVERLAP for card in cards)
        ]

    def _put(self, kept: Sequence[TrackedCard], others: Sequence[TrackedCard]) -> None:
        self._cards = sorted([*kept, *others], key=lambda card: card.serial)
        self._next_serial = max([self._next_serial, *(card.serial + 1 for card in self._cards)])

    def _look_for_emma(self, picture: Picture, places: Mask, expected: Collection[str]) -> None:
        """Finds Emma if something has changed on a card; where none carries her any more, one may have been missed."""
        if self._emma is not None and all(card.serial != self._emma.serial for card in self._cards):
            self._emma = None
        is_touched = any(share_changed(places, card.reading.corners_px) > 0 for card in self._cards)
        if not self._cards or not (is_touched or self._has_moved) or self._emma_has_stayed(places):
            return
        found = self._emma_on_cards(picture)
        may_be_there = self._has_seen_emma or (self._glance is None and len(self._cards) > 1)
        if found is None and may_be_there and self._searches < _LOOKS:
            self._searches += 1
            kept = self._cards
            self._put(kept, settled([], self._read(picture, kept), expected, self._next_serial))
            found = self._emma_on_cards(picture)
        if found is not None:
            self._searches, self._has_seen_emma = 0, True
        self._emma = found

    def _emma_has_stayed(self, places: Mask) -> bool:
        """Whether she was seen clearly, and nothing has changed where she stands."""
        if self._emma is None or self._has_moved or self._emma.sighting.confidence < _CLEARLY_EMMA:
            return False
        return share_changed(places, self._emma.sighting.outline_px) == 0

    def _emma_on_cards(self, picture: Picture) -> _EmmaOnCard | None:
        sighting = self._emma_finder.find(picture, [card.reading for card in self._cards])
        return None if sighting is None else _EmmaOnCard(self._cards[sighting.card].serial, sighting)

    def _told(self, picture: Picture) -> Sight:
        """The sight of all that is known now."""
        cards = tuple(card.reading for card in self._cards)
        serials = tuple(card.serial for card in self._cards)
        emma = None
        if self._emma is not None:
            emma = self._emma.sighting._replace(card=serials.index(self._emma.serial))
        if self._glance is None:
            self._hand_at_first = guess_hand(picture, [card.corners_px for card in cards])
        before = self._sight
        self._sight = Sight(cards, serials, emma, self._hand_at_first, is_still=False)
        self._sight = self._sight._replace(changed=_what(self._sight) != _what(before))
        return self._sight


def _what(sight: Sight) -> tuple[object, ...]:
    """Which cards lie there, and on which of them Emma stands."""
    faces = tuple(card.face for card in sight.cards)
    return sight.serials, faces, None if sight.emma is None else sight.serials[sight.emma.card]
