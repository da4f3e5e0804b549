"""Finds a card that lies alone on a table, in a photograph of it."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, FloatPicture, Floats, GreyPicture, Indices, Outlines, Picture
from vision.cards import CARD_MM
from vision.outlines.card_candidates import candidate_outlines
from vision.outlines.card_sides import (
    SMALLEST_CARD_PX,
    is_framed,
    joined_outline,
    outer_outline,
    outline_fit,
    shorter_side,
)
from vision.outlines.outlined_cards import (
    SEARCHED_PX,
    OutlinedCard,
    ZoomedPicture,
    area,
    card_like,
    distance,
    is_elsewhere,
    measured,
    most_of_colours,
    outlined_cards,
    reduced,
    scaled,
    turned_outlines,
)
from vision.outlines.place_finder import LIKELY
from vision.reading import place_search
from vision.reading.searched_picture import SearchedPicture
from vision.reading.seen_places import edged, places_at

_COMPARED_PX: Final = 450
"""The longer side of the copies that a session keeps."""
_REPEATS: Final = 3
_SQUARE: Final = 1.1
"""Of cards of less unequal sides, seen from aslant, any side may look the shorter."""
_RIVAL: Final = 0.85
"""A second card is one that fits nearly as well as the first."""


_NEAR: Final = 0.25
"""Networks see a card's corners so nearly, in parts of its shorter side: on a chequered cloth they were 0.02 off, and
half a side where they took a part of a card for all of it (eight photographs of one deck for building)."""
_EVERYWHERE: Final = 0.6
"""Where so much of a picture has changed, it is not a card that has come."""
_ROOM: Final = 0.3
"""Around what has changed, in parts of its width and height: a part of a card may look like the table."""
_CHANGES: Final = 0.2
"""The part of a card's place that changes at least from one photograph to another."""


class Reason(StrEnum):
    """Why no card was found."""

    NOTHING = "nothing"
    SEVERAL = "several"
    CUT_OFF = "cut-off"
    TOO_SMALL = "too-small"


_SENTENCES: Final = {
    Reason.NOTHING: "There is nothing like a card in the picture; lay one card alone on a table that it stands out on.",
    Reason.SEVERAL: "There are several things like a card in the picture; leave only one.",
    Reason.CUT_OFF: "The card is cut off by the picture's border; lay it further in.",
    Reason.TOO_SMALL: f"The picture is too small: a card must be {SMALLEST_CARD_PX} pixels wide or more.",
}


class CardNotFound(LookupError):
    """No card, or not just one, lies in the picture; the message is a plain sentence."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(_SENTENCES[reason])
        self.reason = reason


class LoneCard(NamedTuple):
    """Where a card lies in a picture.

    ``corners_px`` (4 × 2, to a part of a pixel) go clockwise around the upright card: top left, top right, bottom
    right, bottom left; where the card is round there, they are where its sides would meet. A blank outline does not
    tell which way up the card is: its top is taken to be the short side nearer to the picture's top, of a square card
    the side that is nearest to it. ``score`` (0 to 1) is how well the sides are seen.
    """

    corners_px: Corners
    score: float

    def px_per_mm(self, card_mm: tuple[float, float] = CARD_MM) -> float:
        """How many pixels the picture has for a millimetre of the card, in the middle of it."""
        return float(np.sqrt(area(self.corners_px) / (card_mm[0] * card_mm[1])))


class _Compared(NamedTuple):
    """How far a picture is off the farthest of others, and off most of them (height × width), and what noise makes."""

    ever: FloatPicture
    now: FloatPicture
    noise: float


class PhotoSession:
    """Photographs by one camera of one table on which only the card changes.

    What never changes is no card, however like one it looks: a pile, a box. Keeps small copies of the photographs.
    """

    def __init__(self) -> None:
        self._pictures: list[FloatPicture] = []

    def add(self, picture: Picture) -> None:
        """One more photograph (height × width × 3, BGR)."""
        self._pictures.append(_evened(reduced(picture, _COMPARED_PX)[0]))

    def changes(self, picture: Picture, size: tuple[int, int]) -> tuple[GreyPicture, GreyPicture] | None:
        """Where something changes, and where a picture differs from most others (0 to 255 each), as far as is known.

        Both are of this ``size`` (width, height). None without two other photographs of the picture's size, or where
        nearly everything has changed, as after a push against the camera.
        """
        compared = self._compared(picture)
        if compared is None:
            return None
        ever = (compared.ever > compared.noise).astype(np.uint8) * 255
        if np.count_nonzero(ever) > _EVERYWHERE * ever.size:
            return None
        differing = np.clip(compared.now * 2, 0, 255).astype(np.uint8)
        return np.asarray(cv2.resize(ever, size), np.uint8), np.asarray(cv2.resize(differing, size), np.uint8)

    def changed_area(self, picture: Picture) -> tuple[slice, slice] | None:
        """The rows and columns of a picture in which it differs from most others, with some room around them.

        None where that is not known, as in ``changes``, and where it differs nowhere or nearly everywhere.
        """
        compared = self._compared(picture)
        if compared is None:
            return None
        differs = cv2.morphologyEx((compared.now > compared.noise).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3)))
        rows, columns = np.nonzero(differs)
        if not len(rows) or np.count_nonzero(differs) > _EVERYWHERE * differs.size:
            return None
        scale = picture.shape[0] / differs.shape[0]
        height, width = picture.shape[:2]
        return _with_room(rows, scale, height), _with_room(columns, scale, width)

    def _compared(self, picture: Picture) -> _Compared | None:
        """How a picture differs from the others; None with fewer than two of its size that show the same place."""
        own = _evened(reduced(picture, _COMPARED_PX)[0])
        others = [other for other in self._pictures if other.shape == own.shape]
        others = [other for other in others if not np.array_equal(other, own)]  # this very picture may be among them
        away = [most_of_colours(np.abs(other - own)) for other in others]
        # Some may be by a camera that stood elsewhere.
        usual = [float(np.median(one)) for one in away]
        kept = [index for index, middle in enumerate(usual) if middle <= 3 * min(usual) + 6]
        if len(kept) < 2:
            return None
        away = [away[index] for index in kept]
        noise = 4.0 * float(np.median(np.stack(away))) + 6.0
        middle = np.median(np.stack([others[index] for index in kept]), axis=0)
        return _Compared(np.max(np.stack(away), axis=0), most_of_colours(np.abs(own - middle)), noise)


def _with_room(places: Indices, scale: float, size: int) -> slice:
    """From the first to the last of places in a smaller copy, and as far again as _ROOM says."""
    room = _ROOM * (places.max() - places.min() + 1)
    first, last = (places.min() - room) * scale, (places.max() + 1 + room) * scale
    return slice(max(0, int(first)), min(size, int(last) + 1))


def find_lone_card(
    picture: Picture, card_mm: tuple[float, float] = CARD_MM, session: PhotoSession | None = None
) -> LoneCard:
    """Where the one card lies in a photograph (height × width × 3, BGR).

    ``session`` holds photographs of the same table with other cards or elsewhere lying ones, and may hold this one.
    Raises CardNotFound.
    """
    proportion = max(card_mm) / min(card_mm)
    small, scale = reduced(picture, SEARCHED_PX)
    if min(small.shape[:2]) < SMALLEST_CARD_PX:
        raise CardNotFound(Reason.TOO_SMALL)
    changes = session.changes(picture, (small.shape[1], small.shape[0])) if session is not None else None
    outlines = candidate_outlines(small, proportion, None if changes is None else changes[1])
    outlines = _changing(outlines, changes)
    zoomed = ZoomedPicture(picture)
    found = outlined_cards(small, zoomed, outlines, scale, proportion)
    if _are_several(found):
        seen = np.array([scaled(outline, scale) for outline in _seen(picture)]).reshape(-1, 4, 2)
        about_one = _about_one_place(outlines, _changing(seen, changes))
        about = outlined_cards(small, zoomed, about_one, scale, proportion)
        found = about if card_like(about) else found
    card = _outer(zoomed, _joined(zoomed, _only(found, zoomed.size), found))
    return LoneCard(_upright(card.outline, card_mm), card.fit.score)


def glimpse_lone_card(
    picture: Picture, card_mm: tuple[float, float] = CARD_MM, session: PhotoSession | None = None
) -> LoneCard | None:
    """Where networks see the one card, to a millimetre or two; None where they see none, or several.

    What is printed on a card may be plainer than its edges, so that ``find_lone_card`` finds several things or nothing;
    networks have learnt what cards are. The ``score`` is 0: how well the sides are seen was not measured.
    """
    small, scale = reduced(picture, SEARCHED_PX)
    changes = session.changes(picture, (small.shape[1], small.shape[0])) if session is not None else None
    outlines = np.array([scaled(outline, scale) for outline in _seen(picture)]).reshape(-1, 4, 2)
    seen = np.array([scaled(outline, 1 / scale) for outline in _changing(outlines, changes)])
    if not len(seen) or any(is_elsewhere(seen[0], other) for other in seen):
        return None
    return None if _sticks_out(seen[0], ZoomedPicture(picture).size) else LoneCard(_upright(seen[0], card_mm), 0.0)


def _seen(picture: Picture) -> list[Corners]:
    """Where networks see cards whose edges show, to a few mm.

    They have learnt what only looks like one: squares of a cloth that lie together are of any proportion.
    """
    searched = SearchedPicture(picture, None)
    for searched_px in place_search.SEARCHED_PX:
        places = (place for place in places_at(searched, searched_px).places if place.probability >= LIKELY)
        cards = [edged(searched, place.corners) for place in places]
        seen = [card.corners for card in cards if card.probability >= place_search.EDGES]
        if seen:
            return seen
    return []


def _about_one_place(outlines: Outlines, seen: Outlines) -> Outlines:
    """What is seen of the one card, and the outlines that may be its own; none if several are seen."""
    if not len(seen) or any(is_elsewhere(seen[0], other) for other in seen):
        return seen[:0]
    nearest = _NEAR * shorter_side(seen[0])
    return np.array([seen[0], *(outline for outline in outlines if distance(outline, seen[0]) < nearest)])


def _evened(picture: Picture) -> FloatPicture:
    """The picture with its brightness and tint taken out: cameras adapt to the card."""
    smooth = cv2.GaussianBlur(picture, (0, 0), 1.5).astype(np.float32)
    return np.asarray(smooth * (120.0 / np.maximum(np.median(smooth, axis=(0, 1)), 1.0)), np.float32)


def _changing(outlines: Outlines, changes: tuple[GreyPicture, GreyPicture] | None) -> Outlines:
    """The outlines within which something changes in a session, as far as that is known."""
    return outlines if changes is None else outlines[_changed_part(outlines, changes[0]) > _CHANGES]


def _changed_part(outlines: Outlines, ever: GreyPicture) -> Floats:
    """The part of each outline's inside that changes, 0 to 1."""
    u, v = _INSIDE[:, 0, None, None], _INSIDE[:, 1, None, None]
    a, b, c, d = (outlines[:, corner] for corner in range(4))
    inner = (1 - u) * (1 - v) * a + u * (1 - v) * b + u * v * c + (1 - u) * v * d
    columns = np.clip(np.rint(inner[..., 0]), 0, ever.shape[1] - 1).astype(int)
    rows = np.clip(np.rint(inner[..., 1]), 0, ever.shape[0] - 1).astype(int)
    return np.asarray((ever > 0).take(rows * ever.shape[1] + columns).mean(axis=0))


_INSIDE: Final = np.stack(np.meshgrid(np.linspace(0.06, 0.94, 9), np.linspace(0.06, 0.94, 12)), axis=-1).reshape(-1, 2)


def _joined(zoomed: ZoomedPicture, best: OutlinedCard, found: list[OutlinedCard]) -> OutlinedCard:
    """The best outline with those sides that others around the same card have better."""
    nearest = 0.12 * shorter_side(best.outline)
    alike = [one for one in found if distance(one.outline, best.outline) < nearest]
    alike.sort(key=lambda one: one is not best)
    outlines = [
        min(turned_outlines(one.outline), key=lambda turn: np.linalg.norm(turn - best.outline)) for one in alike
    ]
    fits = [outline_fit(*_at(zoomed, outline), 1.0) for outline in outlines]
    joined = measured(zoomed, joined_outline(outlines, fits), is_near=True)
    for _ in range(_REPEATS):  # from so near, a new search may find a side that none of the others had
        again = measured(zoomed, joined.outline)
        # Clearer, but smaller: that is the frame printed on the card.
        if again.clearness <= joined.clearness or area(again.outline) < 0.97 * area(joined.outline):
            break
        joined = again
    return joined


def _outer(zoomed: ZoomedPicture, card: OutlinedCard) -> OutlinedCard:
    """The card with its sides where its paper ends, if they are on a frame printed on it."""
    pixels, outline = _at(zoomed, card.outline)
    outer = outer_outline(pixels, outline)
    if not is_framed(outline, outer):
        return card
    zoom = zoomed.fitting(card.outline)[1]
    return OutlinedCard(scaled(outer, 1 / zoom), outline_fit(pixels, outer, 1.0))


def _at(zoomed: ZoomedPicture, outline: Corners) -> tuple[FloatPicture, Corners]:
    pixels, zoom = zoomed.fitting(outline)
    return pixels, scaled(outline, zoom)


def _only(found: list[OutlinedCard], size: tuple[int, int]) -> OutlinedCard:
    """The one that is a card; raises CardNotFound."""
    cards = card_like(found)
    if not cards:
        raise CardNotFound(Reason.NOTHING)
    if _are_several(found):
        raise CardNotFound(Reason.SEVERAL)
    best = max(cards, key=lambda one: one.fit.score)
    if _sticks_out(best.outline, size):
        raise CardNotFound(Reason.CUT_OFF)
    if shorter_side(best.outline) < SMALLEST_CARD_PX:
        raise CardNotFound(Reason.TOO_SMALL)
    return best


def _are_several(found: list[OutlinedCard]) -> bool:
    """Whether something elsewhere looks nearly as much like a card as what does so most."""
    cards = card_like(found)
    best = max(cards, key=lambda one: one.fit.score, default=None)
    return best is not None and any(
        is_elsewhere(best.outline, other.outline) and other.fit.score > _RIVAL * best.fit.score for other in cards
    )


def _sticks_out(outline: Corners, size: tuple[int, int]) -> bool:
    return bool((outline < 0.5).any() or (outline > np.array(size) - 1.5).any())


def _upright(outline: Corners, card_mm: tuple[float, float]) -> Corners:
    """The outline from its top left corner, clockwise."""
    turns = [np.roll(outline, turn, axis=0) for turn in range(4)]
    if max(card_mm) > _SQUARE * min(card_mm):
        lengths = np.linalg.norm(np.roll(outline, -1, axis=0) - outline, axis=1)
        starts_short = lengths[0] + lengths[2] < lengths[1] + lengths[3]
        is_portrait = card_mm[0] <= card_mm[1]
        turns = turns[0 if starts_short == is_portrait else 1 :: 2]
    return min(turns, key=lambda turn: turn[:2, 1].mean())
