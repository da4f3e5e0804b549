"""What the reader weighs while it reads a table, and whether it was true: what parts true from false is seen by that.

The reader does not tell it by itself: it is watched from outside, where it decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple
from unittest.mock import patch

import numpy as np

from vision.arrays import Corners, Floats, Picture
from vision.faces.fit import Fit
from vision.faces.matching.face_matcher import FaceMatcher, Match
from vision.reading import place_search
from vision.reading.card_names import CardNames
from vision.reading.emma import EmmaFinder
from vision.reading.emmas_card import EmmasCard, Stand
from vision.reading.reader import CardReading
from vision.reading.searched_picture import SearchedPicture
from vision.reading.seen_places import Edged

EDGES: Final = "edges, to be read"
"""A card that lies face down is one, and yet none to be read: it is a false case."""
PRINT: Final = "print, to be read"
"""The logarithm of how improbable it is that no card of the deck lies there."""
EMMA: Final = "Emma, on a card that was found"
UNDER_EMMA: Final = "Emma, on a card not found before"
ODDS: Final = "odds, not to ask"

_SAME_MM: Final = 5.0
"""A card is there if its corners are off by no more than this, all in all."""


class Weighed(NamedTuple):
    """One thing that was decided about: ``value`` is what was compared with a threshold."""

    decision: str
    value: float
    is_true: bool


class Told(NamedTuple):
    """A card before and after its face was told apart from others."""

    before: Fit
    after: Fit


class Watched(NamedTuple):
    """All that was weighed while pictures were read."""

    edges: list[Edged]
    """Cards about places."""
    matches: list[tuple[Corners, Match]]
    stands: list[Stand | None]
    """On which of the cards that were found Emma seemed to stand, for each picture."""
    under: list[Stand]
    told: list[Told]


@contextmanager
def watched() -> Iterator[Watched]:
    """Watches every reader of this process until it ends."""
    seen = Watched([], [], [], [], [])
    edged, match, as_told = place_search.edged, FaceMatcher.match, CardNames._as_told
    stand_among, under = EmmasCard.stand_among, EmmasCard.under

    def looking(picture: SearchedPicture, place: Corners) -> Edged:
        seen.edges.append(edged(picture, place))
        return seen.edges[-1]

    def matching(self: FaceMatcher, picture: Picture, corners: Corners) -> Match:
        found = match(self, picture, corners)
        seen.matches.append((corners, found))
        return found

    def standing(self: EmmasCard, fits: Sequence[Fit]) -> Stand | None:
        seen.stands.append(stand_among(self, fits))
        return seen.stands[-1]

    def hiding(self: EmmasCard, corners: Corners) -> Stand:
        seen.under.append(under(self, corners))
        return seen.under[-1]

    def telling(card: Fit, by_picture: Floats, by_deck: Floats) -> Fit:
        seen.told.append(Told(card, as_told(card, by_picture, by_deck)))
        return seen.told[-1].after

    with (
        patch.object(place_search, "edged", looking),
        patch.object(FaceMatcher, "match", matching),
        patch.object(EmmasCard, "stand_among", standing),
        patch.object(EmmasCard, "under", hiding),
        patch.object(CardNames, "_as_told", staticmethod(telling)),
    ):
        yield seen


class TrueTable:
    """What truly lies on a table, by places in the picture."""

    def __init__(self, truth: Mapping[str, Any]) -> None:
        self.cards = truth["cards"]
        self._corners = np.array([card["corners_px"] for card in self.cards], float).reshape(-1, 4, 2)
        self._card_mm = truth["card_mm"]
        emma = truth["emma"]
        homes = [
            index
            for index, card in enumerate(self.cards)
            if emma is not None and card["serial"] == emma["serial"] and not card["show"]
        ]
        self._hers = homes[0] if homes else None

    @property
    def carries_emma(self) -> bool:
        """Whether she stands on one of the cards."""
        return self._hers is not None

    def is_hers(self, corners: Corners) -> bool:
        """Whether the card that is about there carries her."""
        return self._hers is not None and self.near(corners) == self._hers

    def near(self, corners: Corners) -> int | None:
        """The card whose middle is within a quarter of its diagonal; None if there is none."""
        off = np.linalg.norm(self._corners.mean(axis=1) - corners.mean(axis=0), axis=1)
        reach = np.linalg.norm(self._corners[:, 2] - self._corners[:, 0], axis=1) / 4
        index = int(np.argmin(off / reach))
        return index if off[index] < reach[index] else None

    def just_at(self, corners: Corners) -> int | None:
        """The card that lies there to some millimetres, whichever way up."""
        index = self.near(corners)
        if index is None:
            return None
        card = self._corners[index]
        off_px = min(
            float(np.sqrt(((np.roll(corners, turn, axis=0) - card) ** 2).sum(axis=1).mean())) for turn in (0, 2)
        )
        return index if off_px * self._card_mm[1] / float(np.linalg.norm(card[3] - card[0])) <= _SAME_MM else None


def weighed(seen: Watched, table: TrueTable, ids: Sequence[str]) -> Iterator[Weighed]:
    """What was decided about while one picture was read, true and false.

    Of the tries for one card, or at one place where there is none, the best one counts. A try that has found half a
    card is neither.
    """
    for decision, value, is_true in _all_weighed(seen, table, ids):
        yield Weighed(decision, float(value), bool(is_true))  # numpy's own numbers cannot be kept in a file


def _all_weighed(seen: Watched, table: TrueTable, ids: Sequence[str]) -> Iterator[Weighed]:
    yield from _best(EDGES, seen.edges, table)
    faces = [(corners, match) for corners, match in seen.matches if match.faces.argmax() < 2 * len(ids)]
    yield from _best(PRINT, [(corners, -match.none) for corners, match in faces], table)
    yield from _of_emma(seen, table)
    for told in seen.told:
        if told.before.face < len(ids):  # else it is a back
            yield from _of_faces(told, table, ids)


def _of_emma(seen: Watched, table: TrueTable) -> Iterator[Weighed]:
    """How surely she seemed to stand on a card."""
    for stand in seen.stands:
        if stand is None and table.carries_emma:
            yield Weighed(EMMA, 0.0, is_true=True)
        elif stand is not None:
            yield Weighed(EMMA, stand.confidence, table.is_hers(stand.fit.corners))
    for stand in seen.under:
        is_just_there = table.just_at(stand.fit.corners) is not None
        if is_just_there or table.near(stand.fit.corners) is None:
            yield Weighed(UNDER_EMMA, stand.confidence, is_just_there and table.is_hers(stand.fit.corners))


def without_emma(picture: Picture, read: Sequence[CardReading], table: TrueTable, finder: EmmaFinder) -> Weighed:
    """How surely she seems to stand on one of the cards that do not carry her."""
    others = [reading for reading in read if not table.is_hers(reading.corners_px)]
    emma = finder.find(picture, others)
    return Weighed(EMMA, 0.0 if emma is None else emma.confidence, is_true=False)


def _of_faces(told: Told, table: TrueTable, ids: Sequence[str]) -> Iterator[Weighed]:
    """By how much its face led."""
    index = table.near(told.after.corners)
    face = None if index is None else table.cards[index]["face"]
    best: dict[int, float] = {}
    for one, by_picture, by_deck in told.after.odds:
        best[one] = by_picture + by_deck
    if len(best) > 1:
        first, second, *_ = sorted(best, key=lambda one: -best[one])
        yield Weighed(ODDS, best[first] - best[second], ids[first] == face)


def _best(decision: str, tries: Sequence[tuple[Corners, float]], table: TrueTable) -> Iterator[Weighed]:
    true: dict[int, float] = {}
    false: list[tuple[Corners, float]] = []
    for corners, value in sorted(tries, key=lambda one: -one[1]):
        index = table.just_at(corners)
        if index is not None:
            true.setdefault(index, value)
        elif table.near(corners) is None:
            middle = corners.mean(axis=0)
            reach = float(np.linalg.norm(corners[2] - corners[0])) / 4
            if all(np.linalg.norm(other.mean(axis=0) - middle) > reach for other, _ in false):
                false.append((corners, value))
    yield from (Weighed(decision, value, is_true=True) for value in true.values())
    yield from (Weighed(decision, value, is_true=False) for _, value in false)
