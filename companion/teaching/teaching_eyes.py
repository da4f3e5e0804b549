"""The camera's side of teaching: finds and reads card after card, and at last makes the deck.

All of it is slow, so it is done in the camera's thread; what comes of it is fetched from there.
"""

from __future__ import annotations

import logging
import queue
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

import cv2
import numpy as np

from companion.teaching.card_watch import CardWatch
from companion.teaching.lesson import Lesson, Photographed
from companion.teaching.taught_deck import TaughtDeck, make_deck
from vision.teaching.emma_on_card import EmmaNotFoundError, emma_on_card
from vision.teaching.lone_card import CardNotFound, LoneCard, Reason, find_lone_card
from vision.teaching.taught_faces import cut_out, unlikeness
from vision.teaching.told_faces import FaceGuess, guess_face
from vision.watching.table_reading import TableReading

if TYPE_CHECKING:
    from vision.arrays import Corners, Picture
    from vision.deck_pictures import EmmaPicture
    from vision.watching.steady_view import Still

_log = logging.getLogger(__name__)
_QUALITY: Final = 95
"""Of the JPEG files, 1 to 100."""


_STAYS_MM: Final = 1.5
"""A card that lies there still is found again so near: corners are .25 mm off, one in twenty .7. A hand lays no card so
exactly upon the place of another."""


class Looking(NamedTuple):
    """A picture is being searched."""

    @property
    def hint(self) -> str:
        """What is said meanwhile, by its name."""
        return "looking"


class NoCard(NamedTuple):
    """No card was found, and why."""

    reason: Reason

    @property
    def hint(self) -> str:
        """What is said of it, by its name."""
        return self.reason.value


class StillThere(NamedTuple):
    """The card that was told of last lies where it was."""


class CardShown(NamedTuple):
    """A card was found, and what it seems to be."""

    photographed: Photographed
    guess: FaceGuess


class Making(NamedTuple):
    """The deck is being made: so many of so many steps are done."""

    done: int
    of: int


class Made(NamedTuple):
    """The deck has been made."""

    taught: TaughtDeck


class NotMade(NamedTuple):
    """No deck can be made of the lesson; why stands in the log."""


class EmmaFound(NamedTuple):
    """This stands on a card that is taught."""

    emma: EmmaPicture


class NoEmma(NamedTuple):
    """Nothing was found on a card, or no card that is taught; ``hint`` is what is said of it, by its name."""

    hint: str


News = Looking | NoCard | EmmaFound | NoEmma | StillThere | CardShown | Making | Made | NotMade


class TeachingEyes:
    """Looks for cards to be taught (``companion.games.game.Eyes``); what else is public may be called by any thread."""

    def __init__(self, lesson: Lesson, deck_name: str) -> None:
        self._lesson, self._deck_name = lesson, deck_name
        self._news: queue.SimpleQueue[News] = queue.SimpleQueue()
        self._watch = CardWatch(lesson.card_mm, lambda: self.tell(Looking()))
        self._last: Photographed | None = None
        self._is_wanted = True
        self._looks_again = False
        self._wants_emma = False
        self._place: Corners | None = None
        """Where the camera has seen the last card."""
        self._makes = False
        self._photograph: Picture | None = None
        self._orders = 0
        """So often a deck was to be made, or no more: what comes of an older order counts no more."""

    def wait_for_card(self, *, again: bool = False) -> None:
        """From now on cards are looked for; ``again``: the one that lies there is told of as if it had just come."""
        self._makes = False
        self._orders += 1
        self._looks_again |= again
        self._is_wanted, self._wants_emma = True, False

    def wait_for_emma(self) -> None:
        """From now on Emma is looked for on a card, also on one that has lain there before."""
        self.wait_for_card(again=True)
        self._wants_emma = True

    def rest(self) -> None:
        """No card is looked for until the next ``wait_for_card``."""
        self._is_wanted = False

    def make(self) -> None:
        """The deck is to be made with the next picture, unless cards are waited for before it is done."""
        self._orders += 1
        self._makes = True

    def photograph(self, picture: Picture) -> bool:
        """A photograph is looked at in place of the next picture; False while another one waits for that."""
        if self._photograph is not None:
            return False
        self._photograph = picture
        return True

    def tell(self, news: News) -> None:
        """Something has come of looking."""
        self._news.put(news)

    def news(self) -> Iterator[News]:
        """What has come of looking since it was asked for last."""
        while True:
            try:
                yield self._news.get_nowait()
            except queue.Empty:
                return

    def look(self, picture: Picture, expected: Collection[str], still: Still) -> TableReading:  # noqa: ARG002
        """Looks at the next picture; what comes of it is in ``news``."""
        if self._makes:
            self._makes = False
            self._make()
        # While another card is asked about it waits: who has sent it was told that it is looked at.
        if self._photograph is not None and self._is_wanted and not self._wants_emma:
            photograph, self._photograph = self._photograph, None
            self._look_at_photograph(photograph)
            return TableReading()
        if self._looks_again:
            self._looks_again = False
            if not self._wants_emma:
                self._last = None
            self._watch.look_again()
        seen = self._watch.look(picture, is_awaited=self._is_wanted)
        if self._wants_emma:
            if seen.reason is not None or seen.card is not None:
                self._tell_emma(picture, seen.card)
        elif seen.reason is not None:
            self._last = None
            self.tell(NoCard(seen.reason))
        elif seen.card is not None:
            self._tell(picture, seen.card)
        return TableReading(is_still=seen.is_still)

    def _tell_emma(self, picture: Picture, card: LoneCard | None) -> None:
        """Tells what stands on the card that was found, or else on the last one, where she hides its edges."""
        faces = [taught.cut_out for taught in self._lesson.cards]
        places = [] if card is None else [card.corners_px]
        places += [] if self._place is None else [self._place]
        try:
            emma = emma_on_card(picture, places, faces, self._lesson.card_mm)
        except EmmaNotFoundError as error:
            self.tell(NoEmma("no-emma" if error.is_card_known else "unknown-card"))
            return
        self._is_wanted = self._looks_again = False
        self.tell(EmmaFound(emma))

    def _look_at_photograph(self, picture: Picture) -> None:
        """A picture of another camera: nothing is known of what lies around the card."""
        self.tell(Looking())
        try:
            card = find_lone_card(picture, self._lesson.card_mm)
        except CardNotFound as error:
            self.tell(NoCard(error.reason))
            return
        self._show(picture, card, cut_out(picture, card, self._lesson.card_mm))
        # It lies nowhere on this table.
        self._last = None

    def forget(self) -> None:
        """Another table comes."""
        self._watch = CardWatch(self._lesson.card_mm, lambda: self.tell(Looking()))
        self._place = None

    def drawn(self) -> Picture | None:
        """Nothing is drawn."""
        return None

    def _tell(self, picture: Picture, card: LoneCard) -> None:
        """Tells of a card that was found, read beside those that are taught."""
        card_mm = self._lesson.card_mm
        cut = cut_out(picture, card, card_mm)
        if self._last is not None and _is_there_still(self._last, card, cut, card_mm):
            self.tell(StillThere())
            return
        self._watch.remember(picture)
        self._place = card.corners_px
        self._show(picture, card, cut)

    def _show(self, picture: Picture, card: LoneCard, cut: Picture) -> None:
        """Tells what a card seems to be."""
        jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes()
        self._last = Photographed(jpeg, card, cut)
        guess = guess_face(cut, [taught.told() for taught in self._lesson.cards], self._lesson.card_mm)
        # Only now: where reading it has gone wrong, it is looked for again. Who has asked meanwhile gets this answer.
        self._is_wanted = self._looks_again = False
        self.tell(CardShown(self._last, guess))

    def _make(self) -> None:
        order = self._orders

        def tell(news: News) -> None:
            # The lesson may be another one meanwhile: what is told of its cards would be told of others.
            if order == self._orders:
                self.tell(news)

        try:
            taught = make_deck(self._lesson, self._deck_name, lambda done, of: tell(Making(done, of)))
        except Exception:  # noqa: BLE001 - whatever it is, people wait for an answer
            _log.exception("no deck comes of the lesson in %s", self._lesson.folder)
            tell(NotMade())
            return
        tell(Made(taught))


def _is_there_still(last: Photographed, card: LoneCard, cut: Picture, card_mm: tuple[float, float]) -> bool:
    """Whether a card is the last one, which has not been moved: another may be laid on its place, and look like it."""
    moved_px = np.linalg.norm(last.card.corners_px - card.corners_px, axis=1).max()
    return bool(moved_px < _STAYS_MM * card.px_per_mm(card_mm)) and not unlikeness(last.cut_out, cut).is_enough
