"""Where a camera looks beside where it should: over the middle of the cards, so high that a table is in sight.

Which cards they are does not matter, nor whether they can be read as yet: only that they are cards.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Outlines, Picture, Points
from vision.cards import LEAST_PX_PER_MM
from vision.outlines.place_finder import LIKELY
from vision.outlines.viewpoint import USUAL_FOCAL, Viewpoint, estimate_viewpoint
from vision.reading.found_cards import SURE_OF_THE_TABLE
from vision.reading.place_search import EDGES, SEARCHED_PX
from vision.reading.searched_picture import SearchedPicture
from vision.reading.seen_places import SeenPlaces, edged, of_one_size, places_at

_LARGER: Final = 1.6
"""A tilted camera sees cards so many times as large in front as behind; what differs by more is none."""
_ROOM: Final = 0.9
"""The share of what a picture could show at the most that is asked for: so exactly nobody bends an arm."""
_TILTED: Final = 1.25
"""So many times smaller than elsewhere a camera that nobody would call tilted may see cards at the picture's rim."""
_MARGIN: Final = 0.05
"""By so much a size has to be wrong to be spoken of, once it was right."""
_AROUND: Final = np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)])


class Aim(NamedTuple):
    """What is wrong with where a camera looks; nothing, where all is false or 0.

    ``beside`` is which way it should look further, in the picture: (1, 0) to the right, (0, 1) down. ``is_low``: more
    of the table should be seen. ``is_high``: cards are too small to be read for sure. ``tilted`` is on which side,
    likewise, they are so only because the camera looks at them from aslant. ``cards`` are the outlines of those seen,
    ``middle`` is that of them all; ``card_px`` how long a card's shorter side is in the middle. ``table`` is what
    should be in sight, corners in px, and ``table_mm`` how wide and deep that is in the picture.
    """

    cards: tuple[Corners, ...] = ()
    middle: tuple[float, float] = (0.0, 0.0)
    card_px: float = 0.0
    table: Corners | None = None
    table_mm: tuple[float, float] = (0.0, 0.0)
    beside: tuple[int, int] = (0, 0)
    is_low: bool = False
    is_high: bool = False
    tilted: tuple[int, int] = (0, 0)

    @property
    def is_right(self) -> bool:
        """Whether there are cards, and nothing is wrong."""
        return bool(self.cards) and not (any(self.beside) or any(self.tilted) or self.is_low or self.is_high)


def aim_of(picture: Picture, card_mm: tuple[float, float], table_mm: tuple[float, float], *, was_right: bool) -> Aim:
    """How a camera is aimed whose picture (h × w × 3, B, G, R) this is.

    ``table_mm`` is how much of the table should be seen, the longer side first; of that as much as the picture has
    pixels for. What ``was_right`` before may be a little wrong now.
    """
    seen = of_one_size(_seen_cards(picture), _LARGER)
    if not seen:
        return Aim()
    size = (picture.shape[1], picture.shape[0])
    cards = np.array(seen)
    viewpoint = _viewpoint(cards, card_mm, size)
    on_table = viewpoint.on_table(cards.reshape(-1, 2))
    first, last = on_table.min(axis=0), on_table.max(axis=0)
    middle = viewpoint.in_picture((first + last)[None] / 2)[0]
    scale = float(np.sqrt(_areas(cards).mean() / (card_mm[0] * card_mm[1])))
    half = np.maximum(_wanted(size, table_mm) / 2, (last - first) / 2)
    needed = viewpoint.in_picture((first + last) / 2 + _AROUND * half)
    card_px = scale * min(card_mm)
    aim = Aim(tuple(seen), _point(middle), card_px, needed[[0, 6, 8, 2]], _point(np.asarray(2 * half, np.float64)))
    margin = _MARGIN if was_right else 0.0
    if any(beside := _beside(needed, size, card_px / 2 * (2 if was_right else 1))):
        return aim._replace(beside=beside)
    # Higher than that, what more is seen would be too small.
    if (np.ptp(needed, axis=0) > np.array(size) * (1 + margin)).any() and scale > LEAST_PX_PER_MM / _ROOM:
        return aim._replace(is_low=True)
    if scale < LEAST_PX_PER_MM * (1 - margin):
        return aim._replace(is_high=True)
    if len(cards) >= SURE_OF_THE_TABLE:
        return aim._replace(tilted=_tilted(viewpoint, needed))
    return aim


def _seen_cards(picture: Picture) -> list[Corners]:
    """Where cards lie whose edges show.

    Half of a card has its proportion and may look like one: what lies within another one that is seen in a smaller
    picture is a part of that.
    """
    searched = SearchedPicture(picture, None)
    seen: dict[int, list[Corners]] = {}
    for searched_px in SEARCHED_PX:
        seen[searched_px] = _edged(searched, places_at(searched, searched_px))
        if seen[searched_px]:
            break
    found = seen[searched_px]
    for smaller_px in sorted(size for size in SEARCHED_PX if found and size < searched_px):
        for card in seen[smaller_px] if smaller_px in seen else _edged(searched, places_at(searched, smaller_px)):
            if any(_area(card) > _area(other) and _holds(card, other) for other in found):
                found = [other for other in found if not _holds(card, other)] + [card]
    return found


def _edged(searched: SearchedPicture, seen: SeenPlaces) -> list[Corners]:
    cards = [edged(searched, place.corners) for place in seen.places if place.probability >= LIKELY]
    return [card.corners for card in cards if card.probability >= EDGES]


def _area(card: Corners) -> float:
    return float(_areas(card[None])[0])


def _holds(card: Corners, other: Corners) -> bool:
    """Whether the middle of another one lies on a card."""
    x, y = other.mean(axis=0).tolist()
    return cv2.pointPolygonTest(card.astype(np.float32), (x, y), measureDist=False) >= 0


def _viewpoint(cards: Outlines, card_mm: tuple[float, float], size: tuple[int, int]) -> Viewpoint:
    """From where the cards are seen; with a few of them it is taken to be straight above."""
    if len(cards) >= SURE_OF_THE_TABLE:
        return estimate_viewpoint(cards, card_mm, size)
    focal = USUAL_FOCAL * max(size)
    height = focal / float(np.sqrt(_areas(cards).mean() / (card_mm[0] * card_mm[1])))
    return Viewpoint(np.eye(3), focal, 0.0, np.array(size, dtype=float) / 2, height)


def _areas(cards: Outlines) -> Points:
    """Of outlines (n × 4 × 2), px²."""
    (x, y), (other_x, other_y) = cards.transpose(2, 0, 1), np.roll(cards, -1, axis=1).transpose(2, 0, 1)
    return np.asarray(np.abs((x * other_y - y * other_x).sum(axis=1)) / 2)


def _wanted(size: tuple[int, int], table_mm: tuple[float, float]) -> Points:
    """How much of the table should be seen along the picture's width and height, in mm."""
    longer, shorter = max(table_mm), min(table_mm)
    table = np.array((longer, shorter) if size[0] >= size[1] else (shorter, longer), dtype=float)
    return np.asarray(np.minimum(table, _ROOM * np.array(size) / LEAST_PX_PER_MM))


def _beside(needed: Points, size: tuple[int, int], leeway_px: float) -> tuple[int, int]:
    """Which way the camera should look further so that these points come into the picture; (0, 0) if no way."""
    picture = np.array(size, dtype=float)
    low, high = needed.min(axis=0), needed.max(axis=0)
    off = (low + high - picture) / 2
    allowed = np.maximum((picture - (high - low)) / 2, 0.0) + leeway_px
    excess = np.abs(off) - allowed
    axis = int(excess.argmax())
    if excess[axis] <= 0:
        return 0, 0
    way = 1 if off[axis] > 0 else -1
    return (way, 0) if axis == 0 else (0, way)


def _tilted(viewpoint: Viewpoint, needed: Points) -> tuple[int, int]:
    """On which side of the picture a part of what is needed is seen too small; (0, 0) if on none."""
    on_table = viewpoint.on_table(needed)
    steps = [viewpoint.in_picture(on_table + side) - needed for side in np.eye(2)]
    sizes = np.sqrt(np.abs(steps[0][:, 0] * steps[1][:, 1] - steps[0][:, 1] * steps[1][:, 0]))
    if float(sizes.min()) >= LEAST_PX_PER_MM / _TILTED:
        return 0, 0
    x, y = (sizes[:, None] * (needed - needed.mean(axis=0))).sum(axis=0).tolist()
    return (0, -1 if y > 0 else 1) if abs(y) > abs(x) else (-1 if x > 0 else 1, 0)


def _point(point: Points) -> tuple[float, float]:
    return float(point[0]), float(point[1])
