"""Where Emma stands: the small locomotive, on one of the cards that were read.

She may be of any colour. Where people have taught what stands for Emma in their deck, which need not be like a
locomotive at all, what looks like that counts as well.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

import cv2
import numpy as np

from vision.arrays import Corners, Floats32, Homography, Picture, Points
from vision.cards import CARD_MM
from vision.deck_pictures import EmmaPicture
from vision.faces.fit import is_just_there
from vision.faces.hidden_map import HiddenMap
from vision.reading.emma.emma_network import CELL_PX, SeenEmma, outline_px, seen_on, shown_as, size_px
from vision.reading.emma.taught_emma import TaughtEmma

LEAST_CONFIDENCE: Final = 0.1
"""Of 387 tables, 267 of them photographed or drawn by others, with her the least had 0.25, and the next 0.64; without
her 363 had 0.011 at most."""

_MAY_HIDE: Final = -3.0
"""As a logarithm of odds, 1 to 20: from this on she may hide a spot. Beside what she surely hides (0) her own edge is
taken for a broken track: of 181 tables of 40 decks for building and of two sets of others 6 had something wrong that
nobody was asked about rightly, and 4 with this; with -2 or -4 it was 4 and 3."""


class CardOnTable(Protocol):
    """A card that has been read: its face's id and its corners (4 × 2, px) from the upright top left, clockwise."""

    @property
    def face(self) -> str:
        """The id of its face."""

    @property
    def corners_px(self) -> Corners:
        """Its corners, 4 × 2."""


class EmmaSighting(NamedTuple):
    """Emma: the index of the reading on which she stands, where she touches it (2,), and from 0 to 1 how surely.

    ``hidden`` is what she hides of the picture.
    """

    card: int
    foot_px: Points
    confidence: float
    hidden: HiddenMap

    def moved(self, motion: Homography) -> EmmaSighting:
        """The same elsewhere in the picture, or in another one."""
        foot_px = cv2.perspectiveTransform(self.foot_px[None, None].astype(np.float64), motion)[0, 0]
        return self._replace(foot_px=np.asarray(foot_px, np.float64), hidden=self.hidden.moved(motion))


class _SeenOn(NamedTuple):
    """What is seen of Emma on a card with this face at these corners (4 × 2, px)."""

    face: str
    corners: Corners
    emma: SeenEmma


class EmmaFinder:
    """Finds Emma on the cards of a deck."""

    def __init__(
        self,
        faces: Mapping[str, Picture],
        card_mm: tuple[float, float] = CARD_MM,
        emma: EmmaPicture | None = None,
    ) -> None:
        """``faces``: upright pictures (h × w × 3, B, G, R) of any size and light by their ids.

        With a picture of ``emma`` other things count less, and she counts however little she is like a locomotive.
        """
        self._card_mm = card_mm
        self._faces = {face: _shown_face(picture, card_mm) for face, picture in faces.items()}
        self._taught = None if emma is None else TaughtEmma(emma, list(self._faces.values()), card_mm)
        self._least = LEAST_CONFIDENCE if self._taught is None else self._taught.least_confidence
        self._last: Callable[[], Picture | None] = lambda: None
        self._last_seen: list[_SeenOn] = []

    @property
    def shown_faces(self) -> Mapping[str, Picture]:
        """The faces as cards are shown beside them."""
        return self._faces

    def find(self, picture: Picture, readings: Sequence[CardOnTable]) -> EmmaSighting | None:
        """Emma in a picture (h × w × 3, B, G, R) in which these cards lie; None if she is not on any of them.

        A picture must not be changed between two calls: what was seen in the last one is not looked for anew.
        """
        known = [index for index, reading in enumerate(readings) if reading.face in self._faces]
        if not known:
            return None
        seen = {index: self._seen(picture, readings[index]) for index in known}
        best = max(known, key=lambda index: seen[index].emma.odds)
        # She stands on one of them at most.
        others = np.logaddexp.reduce([0.0, *(seen[index].emma.odds for index in known if index != best)])
        found = self._sighting(seen[best], float(seen[best].emma.odds - others))
        return None if found.confidence < self._least else found._replace(card=best)

    def on_card(self, picture: Picture, reading: CardOnTable) -> EmmaSighting:
        """Where on this card, and how surely, she stands if she stands on it."""
        seen = self._seen(picture, reading)
        return self._sighting(seen, seen.emma.odds)

    def _seen(self, picture: Picture, reading: CardOnTable) -> _SeenOn:
        """What is seen of her on a card; in the same picture it is not looked at anew where it lies all but there."""
        if self._last() is not picture:
            self._last, self._last_seen = weakref.ref(picture), []
        corners = np.asarray(reading.corners_px, np.float64)
        for seen in self._last_seen:
            if seen.face == reading.face and is_just_there(corners, seen.corners, self._card_mm[0]):
                return seen
        shown = shown_as(picture, corners, self._card_mm)
        emma = seen_on(shown, self._faces[reading.face], self._card_mm)
        if self._taught is not None:
            emma = self._taught.judged(emma, shown, self._faces[reading.face])
        seen = _SeenOn(reading.face, corners, emma)
        self._last_seen.append(seen)
        return seen

    def _sighting(self, on_card: _SeenOn, odds: float) -> EmmaSighting:
        seen, corners = on_card.emma, on_card.corners.astype(np.float32)
        width, height = self._card_mm
        card = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
        foot = _moved(seen.foot_mm[None], card, corners)[0]
        wide, high = size_px(self._card_mm)
        shown = np.array([(0, 0), (wide, 0), (wide, high), (0, high)]) - 0.5
        to_picture = cv2.getPerspectiveTransform(outline_px(self._card_mm).astype(np.float32), corners)
        hidden = HiddenMap(seen.hidden, shown, _outline_px(seen.hidden)).moved(np.asarray(to_picture, np.float64))
        if not len(hidden.outline_px):
            hidden = hidden._replace(outline_px=foot[None])
        return EmmaSighting(0, foot, float(1 / (1 + np.exp(-odds))), hidden)


def _shown_face(face: Picture, card_mm: tuple[float, float]) -> Picture:
    """A face as cards are shown, its border drawn out to all sides."""
    height, width = (round(2 * side) for side in card_mm[::-1])
    small = np.asarray(cv2.resize(face, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)]) - 0.5
    return shown_as(small, corners, card_mm)


def _outline_px(hidden: Floats32) -> Points:
    """The convex outline of the largest part that may be hidden, in px of what is shown."""
    fine = cv2.resize(hidden, None, fx=2 * CELL_PX, fy=2 * CELL_PX, interpolation=cv2.INTER_LINEAR)
    parts, _ = cv2.findContours((fine > _MAY_HIDE).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not parts:
        return np.zeros((0, 2))
    return (cv2.convexHull(max(parts, key=cv2.contourArea))[:, 0] + 0.5) / 2 - 0.5


def _moved(points: Points, source: Floats32, goal: Floats32) -> Points:
    to_goal = cv2.getPerspectiveTransform(source, goal)
    return np.asarray(cv2.perspectiveTransform(points[None].astype(np.float64), to_goal)[0], np.float64)
