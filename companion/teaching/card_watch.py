"""Watches a table for cards that are laid there alone, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Picture
from vision.teaching.lone_card import CardNotFound, LoneCard, PhotoSession, Reason, find_lone_card, glimpse_lone_card
from vision.watching.hands import HandWatch, shows_hand

MOST_REMEMBERED: Final = 12
"""So many pictures show what lies on the table all the time."""
_DOUBTED: Final = 5
"""After so many pictures in which nothing moved, and again after as many, it is doubted that a hand is one."""
_BARE: Final = 2
"""So many of them are taken at the beginning: with fewer nothing is known."""


class Look(NamedTuple):
    """What a picture shows: a card, or why there is none; neither while nothing has changed since it was told.

    ``is_still``: no hand is in the picture, and nothing moves.
    """

    card: LoneCard | None = None
    reason: Reason | None = None
    is_still: bool = True


class CardWatch:
    """Looks at the pictures of one camera, in order. What lay on the table at first is no card, however like one."""

    def __init__(self, card_mm: tuple[float, float], begins: Callable[[], None] = lambda: None) -> None:
        """``begins`` is called before a picture is searched: on a slow machine that takes seconds."""
        self._card_mm, self._begins = card_mm, begins
        self._hands = HandWatch()
        self._bare, self._session = PhotoSession(), PhotoSession()
        self._remembered = 0
        self._bare_left = _BARE
        self._has_changed = False
        self._is_anything = False
        """Whether also what has lain there from the first may be a card."""

    def look(self, picture: Picture, *, is_awaited: bool = True) -> Look:
        """What the next picture (h × w × 3, B, G, R) shows.

        While no card ``is_awaited`` nothing is searched; what has changed meanwhile is searched afterwards.
        """
        hand = self._hands.seen(picture)
        if self._bare_left and not hand:
            self._bare_left -= 1
            self._bare.add(picture)
            self.remember(picture)
            return Look()
        if hand and self._hands.still_for % _DOUBTED == _DOUBTED - 1 and not shows_hand(picture):
            # What was taken away may look like a hand that has come.
            self._hands = HandWatch()
            hand = self._hands.seen(picture)
        if hand or self._hands.still_for == 0:
            self._has_changed = True
            return Look(is_still=False)
        if not self._has_changed or not is_awaited:
            return Look()
        self._has_changed = False
        self._begins()
        is_anything, self._is_anything = self._is_anything, False
        if is_anything:
            return self._found_anywhere(picture, None)
        # Not told by its place whether it is another card: people lay all of them on the same spot.
        return self._found_where_it_changed(picture) or self._found_anywhere(picture, self._session)

    def _found_where_it_changed(self, picture: Picture) -> Look | None:
        """The card where the table looks otherwise than at first: to search there alone takes half the time."""
        # Not as most pictures show it: where all cards are laid on one spot, these show a card there.
        area = self._bare.changed_area(picture)
        if area is None:
            return None
        try:
            card = find_lone_card(np.ascontiguousarray(picture[area]), self._card_mm)
        except CardNotFound:
            return None
        rows, columns = area
        return Look(card._replace(corners_px=card.corners_px + np.array([columns.start, rows.start])))

    def _found_anywhere(self, picture: Picture, session: PhotoSession | None) -> Look:
        try:
            return Look(find_lone_card(picture, self._card_mm, session))
        except CardNotFound as error:
            card = None
            if error.reason in {Reason.NOTHING, Reason.SEVERAL}:
                card = glimpse_lone_card(picture, self._card_mm, session)
            return Look(card) if card is not None else Look(reason=error.reason)

    def remember(self, picture: Picture) -> None:
        """Keeps how the table looked with a card that was found: what is the same on all such pictures is no card."""
        if self._remembered < MOST_REMEMBERED:
            self._session.add(picture)
            self._remembered += 1

    def look_again(self) -> None:
        """Searches the next picture although nothing may have changed, also for what has lain there from the first."""
        self._has_changed = self._is_anything = True
        self._bare_left = 0
