"""A table seen by one fixed camera, picture after picture: only what has changed is read anew, and cards stay cards."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import cv2
import numpy as np

from vision.arrays import Mask, Picture
from vision.reading.emma import EmmaSighting
from vision.reading.reader import CardReading
from vision.watching.camera_motion import halved_grey
from vision.watching.card_memory import CardMemory, CardReader
from vision.watching.darkness import brightness, is_dark
from vision.watching.emma_memory import EmmaMemory, LocomotiveFinder
from vision.watching.hands import HandWatch, shows_hand
from vision.watching.long_exposure import LongExposure
from vision.watching.strange_cards import strange_cards
from vision.watching.table_changes import Changes, changed_places, is_blurred
from vision.watching.table_motion import Glance, table_motion
from vision.watching.unread_places import LOOKS

_STILL_HAND: Final = 3
"""After so many pictures in which nothing moved it is doubted that a hand is a hand."""
_BLUR_PATIENCE: Final = 5
"""After so many blurred pictures in a row, they are read as they are."""
_RESTS: Final = 80
"""After so many pictures on which nothing happens, eight seconds of a camera's, the whole table is read again, once.

A card that was missed would else lie there unread for ever, and nobody knows why nothing happens.
"""
_LAID_OVER: Final = 16
"""So many pictures are laid over one another for that: a quarter of the noise."""

Still: TypeAlias = Callable[[], Picture | None]
"""Takes a larger picture of what a camera sees; None where it cannot."""


def no_still() -> None:
    """None: for pictures of which there are no larger ones."""


class Sight(NamedTuple):
    """What lies on the table, as far as is known after a picture.

    ``cards`` are in the order in which they have come; ``serials`` (as many) number them, and a card keeps its number
    as long as it lies there, also when it has been pushed, or when the camera has been bumped. ``hand``: a hand is in
    the picture, and the rest is as it was before. ``is_still``: nothing moves and nothing waits to be read.
    ``changed``: cards or Emma are not as they were in the sight before. ``is_dark``: the picture shows nothing, and
    all is as it was when there was light. ``strange`` is how many different cards have come of which none is known.
    """

    cards: tuple[CardReading, ...] = ()
    serials: tuple[int, ...] = ()
    emma: EmmaSighting | None = None
    hand: bool = False
    is_still: bool = False
    changed: bool = False
    is_dark: bool = False
    strange: int = 0


class _Difference(NamedTuple):
    """A picture at a quarter of its size, and where it shows something else than the one that was read last."""

    quarter: Picture
    changes: Changes


class _LastRead(NamedTuple):
    """The picture that was read last, and how bright it was."""

    glance: Glance
    brightness: float


@dataclass
class _Waiting:
    """What waits until the table is still and the picture sharp."""

    has_changed: bool = False
    """Something has, since the last picture that was read."""
    has_moved: bool = False
    """All cards have, as far as is known: each is read anew."""
    blurred: int = 0
    """So many pictures in a row were too blurred to be read."""
    looks_left: int = 0
    """So often what is doubtful may be looked at anew although nothing changes."""


class SteadyView:
    """Looks at the pictures of one camera above a table, in order; knows no clock."""

    def __init__(self, reader: CardReader, emma_finder: LocomotiveFinder, *, pictures_to_be_still: int = 1) -> None:
        """A change counts when that many pictures in a row show it: 2 or more for a camera at work, 1 for single shots.

        Raises ValueError for less than 1.
        """
        if pictures_to_be_still < 1:
            raise ValueError("A change shows in one picture at least.")
        self._pictures_to_be_still = pictures_to_be_still
        self._memory = CardMemory(reader)
        self._emma = EmmaMemory(emma_finder)
        self._begin(())

    def look(self, picture: Picture, expected: Collection[str] = (), still: Still = no_still) -> Sight:
        """What lies there after the next picture (h × w × 3, B, G, R, or h × w).

        ``expected`` are the faces that the rules allow: they decide between faces that look nearly alike. ``still`` is
        asked for a larger picture of the same view where a card's face is not clear.
        """
        picture = picture if picture.ndim == 3 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)
        if picture.shape != self._shape:
            self._begin(picture.shape)
        # Before anything else: a dark picture must not become what hands and changes are told by.
        if is_dark(picture, None if self._last is None else self._last.brightness):
            return self._kept(is_still=False)._replace(is_dark=True)
        hand = self._watch.seen(picture)
        difference = None
        if self._watch.still_for == 0:
            self._waiting.has_changed = True
            self._hand_at_first = False
            difference = self._compared()
            # Motion before hands: a table that was bumped or pushed looks like a large hand at the border.
            if self._follow_motion(picture, difference):
                hand = self._watch.seen(picture)
                difference = self._compared()
        if hand and self._watch.still_for == _STILL_HAND and self._is_no_hand(picture):
            self._begin_watch(picture)
            self._waiting.has_changed = self._waiting.has_moved = True
            hand = False
        if hand or self._watch.still_for < self._pictures_to_be_still - 1:
            return self._kept(hand=hand, is_still=False)
        self._waiting.has_changed |= self._emma.watch(picture, self._watch.shrunk.quarter, self._memory)
        if not self._waiting.has_changed and not self._is_worth_a_look():
            return self._rested(picture, expected)
        self._rests = 0
        if self._exposure is not None and not self._waiting.has_changed:
            self._exposure.add(picture)
            if not self._exposure.is_due:
                return self._kept(is_still=False)
        return self._look_closely(picture, difference or self._compared(), expected, still)

    def forget(self) -> None:
        """Forgets all cards: the next picture is read as if it were the first."""
        self._begin(())

    def _begin(self, shape: tuple[int, ...]) -> None:
        self._shape = shape
        self._memory.forget(shape[1] if shape else 0)
        self._emma.forget()
        self._watch = HandWatch()
        self._hand_at_first = False
        self._last: _LastRead | None = None
        self._waiting: _Waiting = _Waiting()
        self._exposure: LongExposure | None = None
        """Begins with a picture that leaves something in doubt."""
        self._rests = 0
        self._sight = Sight()
        self._counted: Mask | None = None
        """Where strange cards have been counted."""

    def _kept(self, *, hand: bool = False, is_still: bool) -> Sight:
        self._sight = self._sight._replace(hand=hand, is_still=is_still, changed=False)
        return self._sight

    def _compared(self) -> _Difference:
        """The picture that was watched for hands last beside the one that was read last."""
        quarter = self._watch.shrunk.quarter
        if self._last is None:
            everywhere = np.ones(quarter.shape[:2], dtype=np.uint8)
            return _Difference(quarter, Changes(everywhere, everywhere, 0.0))
        return _Difference(quarter, changed_places(quarter, self._last.glance.quarter))

    def _follow_motion(self, picture: Picture, difference: _Difference) -> bool:
        """Moves all that is known where the camera was bumped or the cards were pushed; says whether it did."""
        cards = self._memory.cards
        if self._last is None or not cards:
            return False
        have_moved = self._memory.have_moved(picture, difference.changes.places)
        if not have_moved and not difference.changes.is_everywhere:
            return False
        now = Glance(difference.quarter, halved_grey(self._watch.shrunk.half))
        outlines = [card.reading.corners_px for card in cards]
        found = table_motion(self._last.glance, now, difference.changes, outlines, have_moved=have_moved)
        if found is None:
            return False
        self._last = self._last._replace(glance=found.expected)
        self._memory.move(found.motion)
        self._emma.move(found.motion)
        # Not this picture: a hand that pushes the cards is in it, and would be taken for the table.
        self._begin_watch(np.asarray(cv2.resize(found.expected.quarter, picture.shape[1::-1]), dtype=np.uint8))
        self._waiting.has_moved = True
        return True

    def _begin_watch(self, table: Picture) -> None:
        """What is in this picture is no hand."""
        self._watch = HandWatch()
        self._watch.seen(table)

    def _is_no_hand(self, picture: Picture) -> bool:
        """Whether what looks like a hand are cards that reached out of the picture and were taken, or came to do so.

        A hand that rests is asked about often, so what costs a reading of the whole picture is asked last.
        """
        gone = self._memory.gone(picture)
        if not gone:
            return False
        if not self._memory.are_beside(self._compared().changes.places):
            return True
        return 2 * len(gone) > len(self._memory.cards) and self._memory.are_most_read(picture)

    def _rested(self, picture: Picture, expected: Collection[str]) -> Sight:
        """The sight of a table on which nothing happens: it is looked over once more, for what was missed."""
        self._rests += 1
        is_time = _RESTS - _LAID_OVER < self._rests <= _RESTS
        if not is_time or self._last is None or self._hand_at_first:
            return self._kept(hand=self._hand_at_first, is_still=True)
        # Anew: in those from before what has come unnoticed would be seen through.
        if self._exposure is None or self._rests == _RESTS - _LAID_OVER + 1:
            self._exposure = LongExposure(picture)
        else:
            self._exposure.add(picture)
        if self._rests < _RESTS:
            return self._kept(is_still=True)
        self._memory.read_besides(self._exposure.look(), expected)
        self._keep_exposing(picture)
        # Nothing has moved: what people have been told must not be taken back as if somebody were at work.
        sight = self._told(picture)
        return sight if sight.changed else self._kept(is_still=True)

    def _is_worth_a_look(self) -> bool:
        """Whether a picture in which nothing has changed may tell more than those before."""
        return self._waiting.looks_left > 0 and self._memory.is_worth_a_look()

    def _look_closely(
        self, picture: Picture, difference: _Difference, expected: Collection[str], still: Still
    ) -> Sight:
        quarter, places = difference.quarter, difference.changes.places
        is_first, has_moved, seen = self._last is None, self._waiting.has_moved, picture
        if self._last is None:
            self._memory.read_all(picture, expected)
        elif places.any() and self._waiting.blurred < _BLUR_PATIENCE and is_blurred(quarter, self._last.glance.quarter):
            self._waiting.blurred += 1
            return self._kept(is_still=False)
        else:
            hers = None if has_moved else self._emma.stays_on(places | difference.changes.light)
            seen, exposure = self._exposed(picture), self._exposure
            places = self._memory.read_changes(
                seen, difference.changes, expected, hers, exposure, has_moved=has_moved, is_longer=seen is not picture
            )
        light = difference.changes.light
        self._emma.look(seen, self._memory, places | light, expected, is_first=is_first, has_moved=has_moved)
        if self._memory.has_unclear and (larger := still()) is not None:
            self._name_by_still(larger, quarter)
        sight = self._told(picture)
        looks_left = self._waiting.looks_left - 1
        if places.any():
            self._last = _LastRead(Glance(quarter, halved_grey(self._watch.shrunk.half)), brightness(picture))
            looks_left = LOOKS
        self._waiting = _Waiting(looks_left=looks_left)
        self._keep_exposing(picture)
        return sight

    def _keep_exposing(self, picture: Picture) -> None:
        """Keeps a picture that leaves doubts, and those that are laid over it, as long as more may tell.

        That may be when something has changed, after which what is doubtful is read anew.
        """
        if not self._memory.is_worth_a_look():
            self._exposure = None
        elif self._exposure is None:
            self._exposure = LongExposure(picture)

    def _exposed(self, picture: Picture) -> Picture:
        """What can be seen in a picture together with those before, if nothing has changed since they were read.

        If something has what comes or goes is told by the picture alone: where little has changed, as where a dark card
        was taken from a dark table, it would be seen still.
        """
        if self._exposure is None:
            return picture
        if not (self._waiting.has_changed or self._waiting.has_moved):
            return self._exposure.look()
        if self._waiting.has_moved or self._emma.has_left or self._exposure.is_long:
            self._exposure = None
        return picture

    def _name_by_still(self, still: Picture, quarter: Picture) -> None:
        """Names unclear cards by a still, as far as it shows what the picture does of which this is a quarter."""
        # It was taken a moment later: somebody may have reached over the table meanwhile.
        same_size = np.asarray(cv2.resize(still, quarter.shape[1::-1], interpolation=cv2.INTER_AREA), np.uint8)
        emma = self._emma.told([card.serial for card in self._memory.cards])
        self._memory.name_by_still(still, changed_places(same_size, quarter).places, emma)

    def _told(self, picture: Picture) -> Sight:
        """The sight of all that is known now."""
        cards = tuple(card.reading for card in self._memory.cards)
        serials = tuple(card.serial for card in self._memory.cards)
        if self._last is None:
            self._hand_at_first = shows_hand(picture)
        before, strange = self._sight, self._sight.strange
        unread = None if cards else self._memory.unread
        if unread is not self._counted:
            self._counted, strange = unread, 0 if unread is None else strange_cards(picture, unread)
        emma = self._emma.told(serials)
        self._sight = Sight(cards, serials, emma, self._hand_at_first, is_still=False, strange=strange)
        self._sight = self._sight._replace(changed=_what(self._sight) != _what(before))
        return self._sight


def _what(sight: Sight) -> tuple[object, ...]:
    """Which cards lie there, and on which of them Emma stands."""
    faces = tuple(card.face for card in sight.cards)
    return sight.serials, faces, None if sight.emma is None else sight.serials[sight.emma.card]
