"""From a camera's pictures to readings of the table: what the eye sees in pixels, in mm."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.cards import Deck, Pose
from vision.cards.area import Area
from vision.outlines.viewpoint import Viewpoint, estimate_viewpoint
from vision.watching.table_reading import SeenCard, TableReading

if TYPE_CHECKING:
    from vision.arrays import Corners, Picture
    from vision.watching.steady_view import Sight, SteadyView, Still

_MOST_OUTLINES: Final = 24
"""So many cards tell the viewpoint; more would only take longer."""
_BUMPED: Final = 0.06
"""When most cards have sides that are off by this share, the camera has been moved."""
_BORDER: Final = 0.03
"""The share of the picture along its borders in which no card is laid."""
_RIM: Final = 0.008
"""The share of the picture along its borders in which a card is not read for sure."""
_OUTLINE: Final = ((0, 0), (0.5, 0), (1, 0), (1, 0.5), (1, 1), (0.5, 1), (0, 1), (0, 0.5))
"""Points along the picture's border, in shares of its size: a bent lens makes its sides bows."""


class TableEye:
    """From a camera's pictures to readings of the table."""

    def __init__(self, deck: Deck, view: SteadyView) -> None:
        """``view`` reads that deck."""
        self._deck = deck
        self._view = view
        self._reader = TableReader(deck)
        self.last: tuple[Picture, Sight] | None = None
        """The last picture, and what was seen in it."""

    def look(self, picture: Picture, expected: Collection[str], still: Still) -> TableReading:
        """What lies there after this picture (h × w × 3, B, G, R); ``expected`` are the faces the rules allow.

        ``still`` is asked for a larger picture where a card's face is not clear.
        """
        sight = self._view.look(picture, expected, still)
        self.last = (picture, sight)
        return self._reader.read(sight, (picture.shape[1], picture.shape[0]))

    def forget(self) -> None:
        """Another table comes: nothing of what was seen counts any more."""
        self._view.forget()
        self._reader = TableReader(self._deck)
        self.last = None


class TableReader:
    """Turns sights of one camera into readings; keeps the camera's viewpoint, which gets better with every card."""

    def __init__(self, deck: Deck) -> None:
        """For the cards of this deck."""
        self._deck = deck
        self._outlines: dict[tuple[int, str], Corners] = {}
        self._viewpoint: Viewpoint | None = None
        self._size = (0, 0)

    def read(self, sight: Sight, size: tuple[int, int]) -> TableReading:
        """The reading of a sight; ``size`` is the picture's width and height in px."""
        if not sight.cards:
            known = self._viewpoint if size == self._size else None
            return _reading_of(sight, (), known, size)
        viewpoint = self._viewpoint_for(sight, size)
        cards = tuple(
            SeenCard(card.face, _pose(viewpoint, card.corners_px), serial, card.others)
            for card, serial in zip(sight.cards, sight.serials, strict=True)
        )
        return _reading_of(sight, cards, viewpoint, size)

    def _viewpoint_for(self, sight: Sight, size: tuple[int, int]) -> Viewpoint:
        if size != self._size or (self._viewpoint is not None and self._is_bumped(self._viewpoint, sight)):
            self._outlines, self._viewpoint, self._size = {}, None, size
        # Each card tells once, as it was read first: telling again it would move the table a little with each picture,
        # and cards that lie still would seem to be pushed.
        known = len(self._outlines)
        for card, serial in zip(sight.cards, sight.serials, strict=True):
            if len(self._outlines) < _MOST_OUTLINES:
                self._outlines.setdefault((serial, card.face), card.corners_px)
        if self._viewpoint is None or len(self._outlines) > known:
            self._viewpoint = self._estimated(size)
        return self._viewpoint

    def _estimated(self, size: tuple[int, int]) -> Viewpoint:
        return estimate_viewpoint(np.array(list(self._outlines.values())), self._deck.card_mm, size)

    def _is_bumped(self, viewpoint: Viewpoint, sight: Sight) -> bool:
        """Whether most cards are no rectangles of their size any more."""
        width, height = self._deck.card_mm
        off = 0
        for card in sight.cards:
            corners = viewpoint.on_table(card.corners_px)
            sides = [math.dist(corners[side], corners[(side + 1) % 4]) for side in range(4)]
            wanted = (width, height, width, height)
            error = max(abs(side / want - 1) for side, want in zip(sides, wanted, strict=True))
            off += error > _BUMPED
        return 2 * off > len(sight.cards)


def _reading_of(
    sight: Sight, cards: tuple[SeenCard, ...], viewpoint: Viewpoint | None, size: tuple[int, int]
) -> TableReading:
    emma = None if sight.emma is None else sight.serials[sight.emma.card]
    area, outline = (None, ()) if viewpoint is None else (_area(viewpoint, size), _outline(viewpoint, size))
    return TableReading(cards, emma, sight.hand, sight.is_still, area, outline, sight.is_dark, sight.strange)


def _pose(viewpoint: Viewpoint, corners_px: Corners) -> Pose:
    """Where a card lies whose corners are given from the upright top left, clockwise."""
    top_left, top_right, bottom_right, bottom_left = viewpoint.on_table(corners_px)
    x, y = ((top_left + top_right + bottom_right + bottom_left) / 4).tolist()
    up_x, up_y = (top_left + top_right - bottom_left - bottom_right).tolist()
    return Pose(x, y, math.degrees(math.atan2(up_x, -up_y)) % 360).rounded()


def _area(viewpoint: Viewpoint, size: tuple[int, int]) -> Area:
    """The largest upright rectangle of the table that the picture shows for sure."""
    width, height = size
    left, right = width * _BORDER, width * (1 - _BORDER)
    top, bottom = height * _BORDER, height * (1 - _BORDER)
    corners = viewpoint.on_table(np.array([(left, top), (right, top), (right, bottom), (left, bottom)]))
    x_low, x_high = max(corners[0][0], corners[3][0]), min(corners[1][0], corners[2][0])
    y_low, y_high = max(corners[0][1], corners[1][1]), min(corners[2][1], corners[3][1])
    return Area(float(x_low), float(y_low), float(x_high - x_low), float(y_high - y_low))


def _outline(viewpoint: Viewpoint, size: tuple[int, int]) -> tuple[tuple[float, float], ...]:
    """What the picture shows of the table, but for its rim."""
    shares = np.array(_OUTLINE) * (1 - 2 * _RIM) + _RIM
    return tuple((round(x, 1), round(y, 1)) for x, y in viewpoint.on_table(shares * size).tolist())
