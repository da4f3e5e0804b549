"""Which of two faces that are alike lies at a known place, told by a small network from where they differ.

Over a whole card a small numeral counts for little. So a network (``difference_network``) is shown windows of the card
about what differs, finer than whole cards are compared, beside the same windows of both faces, and tells by each how
much likelier one face is than the other. It has learnt that from cards of decks that were drawn at random, off by as
much as places are known, beside faces of their decks as cameras would have taught them
(``tests/vision/outlines/card_training``). What the print itself tells there is added: the marks that a deck has for its
values where faces differ by these alone (``mark_comparer``), else all print (``print_comparer``).

What stands on a card is laid over both faces as well, just as it is seen there: then what shows right beside it tells
them apart, and what is hidden tells nothing (``covering``). By single pixels that is told as well (``print_beside``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, reduce
from itertools import permutations
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Flags, Floats32, Homography, Picture
from vision.cards import Face
from vision.faces.hidden_map import HiddenMap
from vision.faces.matching.card_light import in_light_of
from vision.faces.matching.covering import Covering, covering
from vision.faces.matching.difference_network import WINDOW_PX, likelier_in, maps_of, window_at
from vision.faces.matching.mark_comparer import MARKS_PER_MM, MARKS_TELL, Part, SeenMarks, mark_parts, unmarked
from vision.faces.matching.print_beside import BESIDE_MM, HiddenPart, hidden_part, likelier_beside
from vision.faces.matching.print_comparer import TELLS, CardPrint, PrintWindow, apart, print_of, print_windows
from vision.faces.matching.value_marks import ValueMarks, find_value_marks
from vision.faces.upright_cards import UprightCards

_SEEN_PER_MM: Final = 2.5
"""How finely cards are cut out: no camera above a table shows more, and the rest would be noise."""
LARGER: Final = 1.6
PX_PER_MM: Final = LARGER * _SEEN_PER_MM
"""How large cards are shown to the network."""
_SEEN_MARGIN_PX: Final = 20
MARGIN_PX: Final = round(LARGER * _SEEN_MARGIN_PX)
"""A window about what is printed at a card's border shows so much of what is beside it."""
_MOST_WINDOWS: Final = 6
"""With three, 21 % of 120 tables of 40 decks for building were asked about, with six 19 %."""
_TOGETHER_MM: Final = 5.0
"""What differs so near together is one thing; the next window is about what lies farther off."""
_LEAST_SHARE: Final = 0.1
"""What differs so much less than what differs most may be how the faces were cut out."""
_COARSE_PER_MM: Final = 2.0
"""Where they differ is seen in pixels so large: the same spot of two faces may be off by one, as they were cut out."""
_RIM_MM: Final = 2.0
"""So near to the border of a card neighbours and shadows show, also where its face was taught."""
_BESIDE: Final = 0.75
"""So much counts what single pixels tell right beside what hides a card: the network sees a part of that as well.

Of 617 pictures of her card with 57 decks for building, broken or not, 474 were so told rightly and 8 wrongly, by 24 to
1; with 0.5 it was 459 and 5. Where Emma was not laid over the faces, and this counted in full, it was 441 and 6.
"""
_DECIDED: Final = 6.0
"""As a logarithm: from these odds on the windows that are left are not looked at. Of 1,065 pairs on 60 tables of 20
decks for building all windows told the same, and with 10 all 1,055 cards of 165 tables were named the same."""
_KEPT: Final = 400
"""Of so many pairs of faces it is kept where they differ, and of so many windows what is printed there (44 kB)."""
_AT_HAND: Final = 4
"""So many pairs of faces lie ready side by side: of one after the other several windows are looked at."""
_PRINTS_AT_HAND: Final = 16
"""So many faces' prints lie ready (half a megabyte each), twice as many as are compared of a card."""


class Way(NamedTuple):
    """A face (its index) that may lie at some corners, and whether it does so the other way up."""

    face: int
    turned: bool


class FaceComparer:
    """A deck's faces, of which each two can be told apart."""

    def __init__(
        self, pictures: Sequence[Picture], card_mm: tuple[float, float], faces: Sequence[Face] | None = None
    ) -> None:
        """``pictures`` (B, G, R) are those of the upright ``faces``, of which rails, kinds and values are known.

        Without these all are taken for alike but for what is printed on the card.
        """
        self._cards = cards_of(card_mm)
        # As large as cards are cut out: those of a whole deck as it was taught would take six times as much memory.
        self._pictures = [
            np.asarray(cv2.resize(picture, self._cards.size, interpolation=cv2.INTER_AREA), np.uint8)
            for picture in pictures
        ]
        self._rails = [face.ports for face in faces] if faces else [()] * len(pictures)
        self._marks: ValueMarks | None = None
        self._mark_parts: list[Part] = []
        if faces is not None:
            prints = [_coarse_print(padded(self._cards, picture)) for picture in self._pictures]
            self._marks = find_value_marks(prints, faces, _COARSE_PER_MM)
        self.unmarked: Flags | None = None
        """What of a face (h × w) is no mark of its value, if values have such."""
        self.alike: list[tuple[int, int]] = []
        """The pairs of faces that differ by these alone."""
        if self._marks is not None:
            self.alike = [pair for pair in permutations(range(len(pictures)), 2) if self._marks.tell(*pair)]
            self.unmarked = unmarked(self._marks.differ, _COARSE_PER_MM)
            self._mark_parts = mark_parts(self._with_margin(self._marks.differ), _SEEN_PER_MM)
        self._sides = lru_cache(_AT_HAND)(self._side_by_side)
        self._windows = lru_cache(_KEPT)(self._differing)
        self._maps = lru_cache(_KEPT)(self._mapped)
        self._print = lru_cache(_PRINTS_AT_HAND)(self._printed)
        self._print_windows = lru_cache(_KEPT)(self._differing_print)

    def compared(
        self, picture: Picture, corners: Corners, ways: Sequence[Way], hidden_by: HiddenMap | None = None
    ) -> dict[Way, float]:
        """How far each of these ways is behind the likeliest of them, as a card lies at these corners (4 × 2, px).

        Those are logarithms of odds, and corners may be off by a millimetre. What is ``hidden_by`` something
        tells nothing.
        """
        seen = cut_out(self._cards, picture, corners)
        card = larger(seen)
        to_card = np.asarray(
            cv2.getPerspectiveTransform(corners.astype(np.float32), outline_of(self._cards)), np.float64
        )
        size = card.shape[1], card.shape[0]
        in_picture = _part_in_picture(picture, corners, to_card, size)
        shown = bare = inner_part(self._cards) * in_picture
        hidden, covered = None, None
        if hidden_by is not None:
            there = hidden_by.moved(to_card)
            hidden, covered = hidden_part(there, bare, PX_PER_MM), covering(there, *size)
            shown = bare * _far_from(hidden, size)
        is_shown = np.asarray(cv2.resize(shown, seen.shape[1::-1], interpolation=cv2.INTER_NEAREST) > 0)
        width, height = self._cards.card_mm
        seen_per_mm = float(np.sqrt(cv2.contourArea(corners.astype(np.float32)) / (width * height)))
        seen_print = cache(lambda: CardPrint(seen, is_shown, [self._print(way) for way in ways], _SEEN_PER_MM))
        by_print = self._by_print(seen, is_shown, seen_print, seen_per_mm)

        @cache
        def lit(way: Way) -> Picture:
            return in_light_of(card, self._padded(way), shown)

        windows = self._windows_of(lit, in_picture, covered)

        @cache
        def ahead(one: Way, other: Way) -> float:
            printed = by_print(one, other)
            told = _told_by(lit(one), bare, windows(one, other), printed)
            if not self._are_alike(one, other):
                is_plain = abs(told) >= _DECIDED
                return told if is_plain else told + seen_print().likelier_by_all((self._print(one), self._print(other)))
            if hidden is None:
                return told
            # Beside what hides a card its shade may look like print: the less is told by what shows farther off, the
            # more that counts.
            counts = _BESIDE * (1 - min(abs(printed) / TELLS, 1))
            return told + counts * likelier_beside(card, self._sides(one, other), hidden)

        def odds(one: Way, other: Way) -> float:
            # Each pair is kept once. What asked itself would hold all these pictures until rubbish is collected.
            return ahead(one, other) if one <= other else -ahead(other, one)

        return _behind(ways, odds)

    def _windows_of(
        self, lit: Callable[[Way], Picture], in_picture: Floats32, covered: Covering | None
    ) -> Callable[[Way, Way], Iterator[tuple[tuple[int, int], Floats32]]]:
        """The windows in which two ways differ, each with the maps of both faces as they would be seen there.

        ``lit`` is the card in the light of a way. Only what is ``in_picture`` (1) and not ``covered`` may differ.
        """
        if covered is None and in_picture.all():
            return lambda one, other: ((place, self._maps(one, other, place)) for place in self._windows(one, other))
        # Other windows count where what differs most is not shown, and these hardly ever again: they are not kept.
        shown = in_picture if covered is None else in_picture * covered.shown

        def windows(one: Way, other: Way) -> Iterator[tuple[tuple[int, int], Floats32]]:
            for place in self._differing(one, other, shown):
                where = window_at(place)
                sides: list[Picture | Floats32] = [face[where] for face in self._sides(one, other)]
                if covered is not None:
                    sides = [covered.laid_over(side, lit(one)[where], where) for side in sides]
                yield place, maps_of(sides)

        return windows

    def _by_print(
        self, seen: Picture, is_shown: Flags, seen_print: Callable[[], CardPrint], seen_per_mm: float
    ) -> Callable[[Way, Way], float]:
        """What tells how much likelier the first of two ways is by what a card shows that is cut out."""

        @cache
        def seen_marks(turned: bool) -> SeenMarks:
            parts = [part.turned(is_shown.shape) for part in self._mark_parts] if turned else self._mark_parts
            return SeenMarks(seen, parts, is_shown, _SEEN_PER_MM, seen_per_mm)

        @cache
        def as_marked(way: Way) -> float:
            face = padded_small(self._cards, self._pictures[way.face], turned=way.turned)
            return seen_marks(way.turned).likelihood(face)

        def likelier(one: Way, other: Way) -> float:
            if seen_per_mm >= MARKS_PER_MM and self._differ_by_marks(one, other):
                return float(np.clip(as_marked(one) - as_marked(other), -MARKS_TELL, MARKS_TELL))
            faces = self._print(one), self._print(other)
            return seen_print().likelier(faces, self._print_windows(one, other))

        return likelier

    def _are_alike(self, one: Way, other: Way) -> bool:
        return one.turned == other.turned and self._rails[one.face] == self._rails[other.face]

    def _differ_by_marks(self, one: Way, other: Way) -> bool:
        """Whether two ways differ by the marks of their values alone."""
        return self._marks is not None and one.turned == other.turned and self._marks.tell(one.face, other.face)

    def _with_margin(self, differ: Floats32) -> Floats32:
        """What differs on faces, but for their rims, as cards are cut out."""
        rim, margin = round(_RIM_MM * _SEEN_PER_MM), _SEEN_MARGIN_PX
        inside = cv2.resize(differ, self._cards.size, interpolation=cv2.INTER_LINEAR)[rim:-rim, rim:-rim]
        return np.pad(inside, rim + margin)

    def _padded(self, way: Way) -> Picture:
        return padded(self._cards, self._pictures[way.face], turned=way.turned)

    def _side_by_side(self, one: Way, other: Way) -> tuple[Picture, Picture]:
        """Both faces as cards are shown, in the light of the first."""
        first = self._padded(one)
        return first, in_light_of(self._padded(other), first, inner_part(self._cards))

    def _differing(self, one: Way, other: Way, shown: Floats32 | None = None) -> list[tuple[int, int]]:
        """The windows in which two ways differ, as far as that is shown."""
        tells = None
        if self._marks is not None and self._differ_by_marks(one, other):
            tells = np.asarray(self._marks.differ > 0, np.float32)
            tells = tells[::-1, ::-1] if one.turned else tells
        return differing_windows(*self._sides(one, other), shown, tells)

    def _printed(self, way: Way) -> Floats32:
        return print_of(padded_small(self._cards, self._pictures[way.face], turned=way.turned), _SEEN_PER_MM)

    def _differing_print(self, one: Way, other: Way) -> list[PrintWindow]:
        """The pixels in which two ways differ plainly."""
        half = WINDOW_PX / 2
        middles = [
            (round((row + half) / LARGER), round((column + half) / LARGER)) for row, column in self._windows(one, other)
        ]
        return print_windows((self._print(one), self._print(other)), middles, _SEEN_PER_MM)

    def _mapped(self, one: Way, other: Way, place: tuple[int, int]) -> Floats32:
        """Maps of both faces in a window."""
        return maps_of(face[window_at(place)] for face in self._sides(one, other))


def _part_in_picture(picture: Picture, corners: Corners, to_card: Homography, size: tuple[int, int]) -> Floats32:
    """What of a card at these corners, that is shown so large, lies in the picture, with what is around it (1)."""
    if (corners >= 0).all() and (corners < picture.shape[1::-1]).all():
        return np.ones(size[::-1], np.float32)
    inside = np.ones(picture.shape[:2], np.float32)
    return np.asarray(cv2.warpPerspective(inside, to_card, size, flags=cv2.INTER_NEAREST), np.float32)


def _behind(ways: Sequence[Way], odds: Callable[[Way, Way], float]) -> dict[Way, float]:
    """How far each way is behind the likeliest one, if the odds on the first of each two are these."""
    # Mostly one is ahead of each other one, and then hardly any have to be compared among themselves.
    best = reduce(lambda one, other: other if odds(one, other) < 0 else one, ways)

    def least_ahead(one: Way) -> float:
        return min((odds(one, other) for other in ways if other != one), default=0.0)

    if least_ahead(best) < 0:
        best = max(ways, key=least_ahead)
    return {way: 0.0 if way == best else odds(best, way) for way in ways}


def _told_by(card: Picture, bare: Floats32, windows: Iterable[tuple[tuple[int, int], Floats32]], told: float) -> float:
    """How much likelier the first of two faces is by windows of a card in its light as well, until that is plain.

    Each window comes with the maps of both faces, made when it is asked for: those that are left are never made.
    """
    for place, faces in windows:
        told += likelier_in(card[window_at(place)], bare[window_at(place)], faces)
        if abs(told) >= _DECIDED:
            break
    return told


def _far_from(hidden: HiddenPart, size: tuple[int, int]) -> Floats32:
    """What of a card that is shown so large is not near what may be hidden (1)."""
    far_mm = cv2.resize(hidden.far_mm, size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(far_mm >= BESIDE_MM, np.float32)


def cards_of(card_mm: tuple[float, float]) -> UprightCards:
    """Cards as they are cut out."""
    return UprightCards(card_mm, _SEEN_PER_MM)


def cut_out(cards: UprightCards, picture: Picture, corners: Corners) -> Picture:
    """The card at these corners (4 × 2, px) with its margin, not yet as large as it is shown."""
    return cards.cut(picture, corners, _SEEN_MARGIN_PX)


def outline_of(cards: UprightCards) -> Floats32:
    """Where the corners of a card are that is shown to the network (4 × 2, px)."""
    return np.asarray((cards.outline + _SEEN_MARGIN_PX + 0.5) * LARGER - 0.5, np.float32)


def padded(cards: UprightCards, face: Picture, *, turned: bool = False) -> Picture:
    """A whole face as cards are shown, its border drawn out to all sides."""
    return larger(padded_small(cards, face, turned=turned))


def padded_small(cards: UprightCards, face: Picture, *, turned: bool) -> Picture:
    """The same as cards are cut out."""
    small, far = cv2.resize(face, cards.size, interpolation=cv2.INTER_AREA), _SEEN_MARGIN_PX
    upright = np.asarray(cv2.copyMakeBorder(small, far, far, far, far, cv2.BORDER_REPLICATE), np.uint8)
    return np.ascontiguousarray(upright[::-1, ::-1]) if turned else upright


def larger(card: Picture) -> Picture:
    """A card that was cut out as it is shown to the network."""
    return np.asarray(cv2.resize(card, None, fx=LARGER, fy=LARGER, interpolation=cv2.INTER_CUBIC), np.uint8)


def inner_part(cards: UprightCards) -> Floats32:
    """What of a padded face is no rim (1, else 0)."""
    width, height = (round(LARGER * (side + 2 * _SEEN_MARGIN_PX)) for side in cards.size)
    edge = MARGIN_PX + round(_RIM_MM * PX_PER_MM)
    inner = np.zeros((height, width), np.float32)
    inner[edge:-edge, edge:-edge] = 1
    return inner


def differing_windows(
    one: Picture, other: Picture, shown: Floats32 | None = None, tells: Floats32 | None = None
) -> list[tuple[int, int]]:
    """The windows (row and column of their top left) about what differs most in two faces, padded, the plainest first.

    None where nothing does; only what is ``shown`` counts (1, else 0), if that is told, and what ``tells`` (likewise,
    h × w of the faces without their margin, ``_COARSE_PER_MM``).
    """
    differs = apart(_coarse_print(one), _coarse_print(other), _COARSE_PER_MM)
    rim, near = round(_RIM_MM * _COARSE_PER_MM), round(_TOGETHER_MM * _COARSE_PER_MM) // 2
    differs[:rim] = differs[-rim:] = 0
    differs[:, :rim] = differs[:, -rim:] = 0
    if tells is not None:
        differs *= tells
    if shown is not None:
        inside = shown[MARGIN_PX:-MARGIN_PX, MARGIN_PX:-MARGIN_PX]
        differs *= cv2.resize(inside, differs.shape[::-1], interpolation=cv2.INTER_AREA)
    places: list[tuple[int, int]] = []
    most = 0.0
    while len(places) < _MOST_WINDOWS:
        ones = (2 * near + 1, 2 * near + 1)
        much = cv2.boxFilter(differs, -1, ones, normalize=False, borderType=cv2.BORDER_CONSTANT)
        row, column = divmod(int(much.argmax()), much.shape[1])
        most = most or float(much[row, column])
        if much[row, column] <= _LEAST_SHARE * most:
            break
        top, left = max(row - near, 0), max(column - near, 0)
        part = differs[top : row + near + 1, left : column + near + 1]
        # About the middle of what differs there.
        total = float(part.sum())
        down, across = (float(part.sum(axis=1 - way) @ np.arange(part.shape[way])) / total for way in (0, 1))
        part[:] = 0
        middle = np.array([top + down + 0.5, left + across + 0.5]) * (PX_PER_MM / _COARSE_PER_MM)
        row, column = (middle + MARGIN_PX - WINDOW_PX / 2).round().astype(int).tolist()
        places.append((row, column))
    return places


def _coarse_print(face: Picture) -> Floats32:
    """What is printed on a face, coarser, without its margin."""
    inside = face[MARGIN_PX:-MARGIN_PX, MARGIN_PX:-MARGIN_PX]
    height, width = (round(side * _COARSE_PER_MM / PX_PER_MM) for side in inside.shape[:2])
    coarse = cv2.resize(inside, (width, height), interpolation=cv2.INTER_AREA)
    return print_of(np.asarray(coarse, np.uint8), _COARSE_PER_MM)
