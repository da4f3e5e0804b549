"""Whether a hand is in the picture: what is new, reaches in from the border, and is no card."""

from __future__ import annotations

from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import FloatPicture, Floats32, GreyPicture, Mask, Numbers, Picture
from vision.outlines.place_finder import seen_in

COMPARED_PX: Final = 200
"""About how wide the picture is that is compared with the table, once something has changed."""
PATIENCE: Final = 250
"""After so many pictures without any change, whatever lies there is no hand but part of the table."""

_SHADE: Final = (0.5, 1.2)
"""How much of its light a shadow leaves, and a reflection adds."""
_PROVEN: Final = 3
"""So many times a place must have looked the same to be taken for table."""
_PROOF: Final = -0.25
"""By how much less than before a thing must stand out, for a table known well to have been a thing there."""
_LEAST_CONTRAST: Final = 7.0
_NOISES: Final = 5.0
_LEAST_CHANGE: Final = 8.0
_FLICKER: Final = 5.0
_FEWEST_PLACES: Final = 12
_PART_PX: Final = 8
"""So wide are the parts whose means are compared in much noise, in px of the shrunk picture: half of Emma."""
_LEAST_SHARE: Final = 0.003
_LEAST_REACH: Final = 0.03
_SHRINKAGE: Final = 0.8
_GROWTH: Final = 1.5
_CARD_SHARE: Final = 0.025
_CARD_FILLS: Final = 0.9
_MARGIN_PX: Final = 3
_SQUARE: Final = np.ones((3, 3), np.uint8)


_SEARCHED_PX: Final = 512
"""The longer side of the picture in which a hand is looked for that was there from the first."""
_LEAST_HAND: Final = 0.008
"""The share of a picture that a hand fills at least: of 59 pictures with one 47 showed more, of 387 without one two."""


class Shrunk(NamedTuple):
    """A picture at half and at a quarter of its size."""

    half: Picture
    quarter: Picture


class _Thing(NamedTuple):
    """Something new at the picture's border: where (h × w, 1), and what it may be."""

    mask: Mask
    area: int
    is_large: bool
    is_card_like: bool


def shows_hand(picture: Picture) -> bool:
    """Whether a hand is to be seen in a single picture (h × w × 3, B, G, R), by the shape and light of it."""
    scale = min(1.0, _SEARCHED_PX / max(picture.shape[:2]))
    small = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    return seen_in(small).hand_px >= _LEAST_HAND * float(np.prod(small.shape[:2]))


class HandWatch:
    """Watches the pictures of one fixed camera for hands.

    It keeps the table as it was last seen without a hand. What differs from it beyond light, shade and noise and
    reaches in from the picture's border is a hand; cards and Emma lie free of the border.
    """

    def __init__(self, patience: int = PATIENCE) -> None:
        """``patience``: after so many pictures without change a thing at the border is part of the table."""
        self._patience = patience
        self._reference: Picture | None = None
        nothing = np.zeros((0, 0, 3), np.uint8)
        self.shrunk = Shrunk(nothing, nothing)
        """The last picture that was seen."""
        self._table: FloatPicture = np.zeros((0, 0, 3), np.float32)
        self._agreed: GreyPicture = np.zeros((0, 0), np.uint8)
        self._hand = False
        self._hand_px = 0
        self._still = 0

    def seen(self, picture: Picture) -> bool:
        """Whether a hand is in this picture (h × w × 3, B, G, R), the next of the same camera and size."""
        self.shrunk = shrunk(picture)
        small = self.shrunk.quarter
        if self._reference is None or small.shape != self._reference.shape:
            self._begin(small)
            return False
        if not _has_changed(small, self._reference):
            self._still += 1
            if self._hand and self._still >= self._patience:
                self._begin(small)
            return self._hand
        self._reference = small
        self._hand = self._compare(_coarse(small).astype(np.float32))
        self._still = 0
        return self._hand

    @property
    def still_for(self) -> int:
        """For how many pictures nothing has changed; 0: the last one brought something new."""
        return self._still

    def _begin(self, small: Picture) -> None:
        self._reference, self._table = small, _coarse(small).astype(np.float32)
        self._agreed = np.zeros(self._table.shape[:2], dtype=np.uint8)
        self._hand, self._hand_px, self._still = False, 0, 0

    def _compare(self, seen: FloatPicture) -> bool:
        """Whether a hand hides a part of the table; renews what is known of the rest of it."""
        table = self._table * _light(seen, self._table)
        new = _differs(seen, table)
        # Pictures that passed without any change prove the table, too; not with a hand, which would prove itself.
        if not self._hand:
            self._agreed = _counted_on(self._agreed, self._still)
        hand = False
        kept = np.zeros_like(new)
        before = self._hand_px
        for thing in _things_at_border(new):
            # A sleeve can look like a card, but a hand does not become a card by reaching in further.
            if thing.is_card_like and not _SHRINKAGE * before <= thing.area <= _GROWTH * before:
                continue
            is_proven = float(np.median(self._agreed[thing.mask > 0])) >= _PROVEN
            if _stands_out(thing.mask, seen, table) <= (_PROOF if is_proven else 0.0):
                continue
            hand |= thing.is_large
            # What is too small as yet must not become a part of a table known well: it may be creeping in.
            if thing.is_large or is_proven:
                kept |= thing.mask
        self._hand_px = int(np.count_nonzero(kept)) if hand else 0
        around = cv2.dilate(kept, np.ones((9, 9), np.uint8)) > 0
        changed = cv2.dilate(new, _SQUARE) > 0
        # What is kept stays as it was; what has changed is taken over at once, as a card that was laid; the rest
        # slowly, so that noise is averaged while the light of the day may go on changing.
        pace = np.where(around, 0.0, np.where(changed, 1.0, 0.3)).astype(np.float32)[..., None]
        self._table = np.asarray(table + pace * (seen - table), dtype=np.float32)
        agreed = _counted_on(self._agreed, 1)
        self._agreed = np.asarray(np.where(around, self._agreed, np.where(changed, 0, agreed)), dtype=np.uint8)
        return hand


def _counted_on(counts: GreyPicture, more: int) -> GreyPicture:
    return np.asarray(np.minimum(counts, 255 - min(more, 255)) + min(more, 255), dtype=np.uint8)


def shrunk(picture: Picture) -> Shrunk:
    """A picture (h × w × 3) made smaller, as fast as can be."""
    # Two halvings have a fast way in OpenCV, a quartering has none.
    half = _halved(picture)
    return Shrunk(half, _halved(half))


def _halved(picture: Picture) -> Picture:
    height, width = picture.shape[:2]
    return np.asarray(cv2.resize(picture, (width // 2, height // 2), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _coarse(small: Picture) -> Picture:
    height, width = small.shape[:2]
    less = max(1, width // COMPARED_PX)
    return np.asarray(cv2.resize(small, (width // less, height // less), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _has_changed(small: Picture, before: Picture) -> bool:
    """Whether anything but noise is new in a picture (h × w × 3)."""
    change = np.asarray(cv2.absdiff(small, before), dtype=np.uint8)
    # Every frame of a table at rest comes this far: the norm is had sixteen times as fast as the mean.
    noise = cv2.norm(change, cv2.NORM_L1) / change.size
    if noise > _FLICKER:
        return _has_changed_in_noise(small, before)
    # Noise is alone in its pixel, what moves is not.
    _, places = cv2.threshold(cv2.blur(change, (3, 3)), max(_LEAST_CHANGE, _NOISES * noise), 1, cv2.THRESH_BINARY)
    return cv2.countNonZero(places.reshape(len(places), -1)) >= _FEWEST_PLACES


def _has_changed_in_noise(small: Picture, before: Picture) -> bool:
    """The same where pixels differ so much that all of the table may look different, or it is dark: by wide parts.

    Noise is lost in their means, and the light of all the table or a thing that has come is not.
    """
    size = (max(1, small.shape[1] // _PART_PX), max(1, small.shape[0] // _PART_PX))
    now, then = (cv2.resize(picture, size, interpolation=cv2.INTER_AREA) for picture in (small, before))
    change = cv2.absdiff(now, then)
    noise = float(np.mean(change))
    return noise > _FLICKER or float(np.max(change)) > max(_LEAST_CHANGE, _NOISES * noise)


def _light(small: FloatPicture, table: FloatPicture) -> Floats32:
    """By how much the table has become lighter, for each channel (3,)."""
    ratios = (small[::4, ::4] + 1) / (table[::4, ::4] + 1)
    return np.asarray(np.median(ratios.reshape(-1, 3), axis=0), dtype=np.float32)


def _differs(small: FloatPicture, table: FloatPicture) -> Mask:
    """Where something else is than the table (1), in whatever light and shade."""
    seen, known = cv2.blur(small, (3, 3)), cv2.blur(table, (3, 3))
    shade = np.einsum("ijk,ijk->ij", seen, known) / np.maximum(np.einsum("ijk,ijk->ij", known, known), 1)
    blue, green, red = cv2.split(np.abs(seen - np.clip(shade, *_SHADE)[..., None] * known))
    difference = cv2.max(cv2.max(blue, green), red)
    noise = 1.5 * float(np.median(difference[::4, ::4]))
    new = (difference > max(_LEAST_CONTRAST, _NOISES * noise)).astype(np.uint8)
    opened = cv2.morphologyEx(new, cv2.MORPH_OPEN, _SQUARE)
    return np.asarray(cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8)), dtype=np.uint8)


def _things_at_border(new: Mask) -> list[_Thing]:
    """The regions that reach in from the border."""
    height, width = new.shape
    count, labels, stats, _ = cv2.connectedComponentsWithStats(new, connectivity=8)
    things = []
    for label in range(1, count):
        left, top, across, down, area = (int(part) for part in stats[label])
        right, bottom = left + across, top + down
        reach = max(
            right if left < _MARGIN_PX else 0,
            bottom if top < _MARGIN_PX else 0,
            width - left if right > width - _MARGIN_PX else 0,
            height - top if bottom > height - _MARGIN_PX else 0,
        )
        mask = (labels == label).astype(np.uint8)
        if reach > 0:
            is_large = reach >= _LEAST_REACH * width and area >= _LEAST_SHARE * width * height
            things.append(_Thing(mask, area, is_large, is_large and _is_card_like(mask, area)))
    return things


def _is_card_like(thing: Mask, area: int) -> bool:
    (_, _), (one, other), _ = cv2.minAreaRect(cv2.findNonZero(thing))
    longer, shorter = max(one, other) + 1, min(one, other) + 1
    return area > _CARD_FILLS * longer * shorter and longer < 1.7 * shorter and area < _CARD_SHARE * thing.size


def _stands_out(thing: Mask, seen: FloatPicture, table: FloatPicture) -> float:
    """By how much more a thing's colours differ from those around it than the table's there do, from -1 to 1.

    Below 0 where the thing lay on what was taken for the table, and is gone.
    """
    # Holes are where the table looks like the thing.
    contours, _ = cv2.findContours(thing, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    inside = np.asarray(cv2.drawContours(np.zeros_like(thing), contours, -1, (1,), -1), dtype=np.uint8)
    around = cv2.dilate(inside, np.ones((25, 25), np.uint8)) - cv2.dilate(inside, np.ones((5, 5), np.uint8))
    before, now = (
        cv2.compareHist(_colours(picture, inside), _colours(picture, around), cv2.HISTCMP_BHATTACHARYYA)
        for picture in (table, seen)
    )
    return now - before


def _colours(picture: FloatPicture, mask: Numbers) -> Floats32:
    bins, ranges = [6, 6, 6], [0.0, 256.0] * 3
    return np.asarray(cv2.calcHist([picture], [0, 1, 2], np.asarray(mask, np.uint8), bins, ranges), dtype=np.float32)
