"""Where a picture of a table shows something else than an earlier one, whatever the light has done in between."""

from __future__ import annotations

from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import FloatPicture, Floats32, Indices, Mask, Picture, Points, Region
from vision.faces.looks import upper_median
from vision.outlines.outline_masks import SHRINK, WINDOW_PX

_SHADE: Final = (0.45, 1.25)
"""How much of its light a shadow leaves, and a reflection adds."""
_LEAST_CONTRAST: Final = 9.0
_NOISES: Final = 5.0
_MOST_NOISE: Final = 6.0
_SUM: Final = np.ones((1, 3), np.float32)
_PART_PX: Final = 7
"""About how wide parts of cards are in which even faint differences tell more than noise."""
_LEAST_LIGHT: Final = 1.5
"""By how many levels light differs in them: less is rounding, and what cameras and JPEG files do."""
_OF_A_THING_PX: Final = 5
"""About how wide the parts are in which it is seen whether a small thing has gone: a third of Emma."""
_LEAST_NOISE: Final = 0.6
"""Of such parts, in levels: JPEG files and rounding do as much where there is no other noise. Of 141 pairs of pictures
in which nothing had moved one in a hundred stands out by 4.1 and more, and with 0.15 by 6.1."""
_BLURRED: Final = 0.6
_BLUR_PX: Final = 9


class Changes(NamedTuple):
    """Where (h × w, 1) a picture shows something else, and by how many levels most of it differs at least a little.

    ``light`` is where it differs at all, by a shadow too: where cards are nearly of the table's colours, or in the
    dark, only that shows that one has come or gone.
    """

    places: Mask
    light: Mask
    noise: float

    @property
    def is_everywhere(self) -> bool:
        """Whether more differs than noise explains, as when the camera was shaken: then much goes unnoticed."""
        return self.noise > _MOST_NOISE

    @property
    def may_go_unseen(self) -> bool:
        """Whether noise is more than the least that shows: a dark card may have come to a dark table, or gone."""
        return _NOISES * self.noise > _LEAST_CONTRAST


class Spot:
    """A small place in a picture, and what is around it: whether something has gone from there tells a later one.

    Noise and light are told by what is just around it, so a dark thing that has left a dark place shows here where
    among all of a picture it would not.
    """

    def __init__(self, picture: Picture, outline_px: Points) -> None:
        """The ``picture`` is h × w × 3, at a quarter of its size, the outline (n × 2) in px of the whole."""
        outline = np.asarray(outline_px) / SHRINK
        low, high = np.floor(outline.min(axis=0)).astype(int), np.ceil(outline.max(axis=0)).astype(int) + 1
        around = np.maximum(high - low, 2 * _OF_A_THING_PX)
        corner = np.maximum(low - around, 0)
        (left, top), (right, bottom) = corner, np.maximum(high + around, 0)
        self._part = slice(top, bottom), slice(left, right)
        self._before = picture[self._part].copy()
        is_thing, is_near = np.zeros((2, *self._before.shape[:2]), bool)
        is_thing[_rectangle(low - corner, high - corner)] = True
        is_near[_rectangle(low - corner - _OF_A_THING_PX, high - corner + _OF_A_THING_PX)] = True
        # Parts so wide overlap: a few of them tell as much as all.
        is_third, is_second = np.zeros((2, *is_thing.shape), bool)
        is_third[::3, ::3] = is_second[::2, ::2] = True
        self._beside, self._inside = np.flatnonzero(is_third & ~is_near), np.flatnonzero(is_second & is_thing)

    def stands_out(self, picture: Picture) -> float:
        """By how many times the noise around it the place has changed most; 0 where it does not show."""
        if not self._beside.size or not self._inside.size:
            return 0.0
        by = cv2.subtract(picture[self._part], self._before, dtype=cv2.CV_32F)
        by = np.asarray(cv2.blur(by, (_OF_A_THING_PX, _OF_A_THING_PX)), np.float32).reshape(-1, 3)
        # Medians: a card that has come beside it is no noise.
        beside = by.take(self._beside, axis=0)
        light = upper_median(beside, 0)
        # 1.48: of a normal distribution from the median of how far off its values are.
        noise = np.maximum(1.48 * upper_median(np.abs(beside - light), 0), _LEAST_NOISE)
        return float((np.abs(by.take(self._inside, axis=0) - light) / noise).max())


def _rectangle(low: Indices, high: Indices) -> tuple[slice, slice]:
    """The rows and columns from the one corner (x, y) to the other, as far as there are any."""
    (left, top), (right, bottom) = np.maximum(low, 0), np.maximum(high, 0)
    return slice(top, bottom), slice(left, right)


def changed_places(seen: Picture, before: Picture) -> Changes:
    """Where two pictures show different things: more than noise, shadow and reflection.

    Both are h × w × 3, at a quarter of their size (``vision.watching.hands.shrunk``).
    """
    now, then = seen.astype(np.float32), before.astype(np.float32)
    # First what the lamp has done to all of the table, its colours included: what is left to be explained at a place
    # is then no more than shadows and reflections do, and a card of the table's tint is not taken for one.
    then *= _light(now, then)
    shaded = np.asarray(cv2.multiply(then, cv2.merge([_shade(now, then)] * 3)), np.float32)
    difference, noise = _difference(now, shaded, 3)
    places = (difference > max(_LEAST_CONTRAST, _NOISES * min(noise, _MOST_NOISE))).astype(np.uint8)
    # What is one pixel wide is an outline that noise has touched.
    opened = cv2.morphologyEx(places, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    by_light, noise_of_parts = _difference(now, then, _PART_PX)
    light = (by_light > max(_LEAST_LIGHT, _NOISES * noise_of_parts)).astype(np.uint8)
    return Changes(np.asarray(opened, dtype=np.uint8), light, noise)


def _difference(now: FloatPicture, then: FloatPicture, part_px: int) -> tuple[Floats32, float]:
    """By how much parts so wide differ in one channel at least (h × w), and about how much they do by noise alone."""
    blue, green, red = cv2.split(np.abs(cv2.blur(now - then, (part_px, part_px))))
    difference = np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)
    return difference, 1.5 * float(np.median(difference[::4, ::4]))


def without_small(places: Mask, least: float) -> Mask:
    """The places that hang together with at least that many others."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(places, connectivity=8)
    kept = np.asarray(stats[:, cv2.CC_STAT_AREA] >= least, np.uint8)
    kept[0] = 0  # what is no place hangs together as well
    return np.asarray(kept.take(np.asarray(labels, np.int32)), np.uint8)


def regions_around(places: Mask, margin_px: float) -> list[Region]:
    """Rectangles of the whole picture that hold all places, with a margin; near ones become one."""
    reach = 2 * round(margin_px / SHRINK) + 1
    grown = cv2.dilate(places, np.ones((reach, reach), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(grown, connectivity=8)
    return [Region(*(int(part) * SHRINK for part in stats[label][:4])) for label in range(1, count)]


def is_blurred(seen: Picture, before: Picture) -> bool:
    """Whether a shrunk picture (h × w × 3) shows the same as one before, only much less sharply."""
    if _sharpness(seen) > _BLURRED * _sharpness(before):
        return False
    smooth = [np.asarray(cv2.blur(picture, (_BLUR_PX, _BLUR_PX)), dtype=np.uint8) for picture in (seen, before)]
    return 4 * int(changed_places(*smooth).places.sum()) < int(changed_places(seen, before).places.sum())


def _sharpness(picture: Picture) -> float:
    """How strongly a picture's neighbouring pixels differ at its outlines."""
    steep = np.abs(cv2.Laplacian(cv2.extractChannel(picture, 1), cv2.CV_16S))[::2, ::2].ravel()
    place = len(steep) * 99 // 100
    return float(np.partition(steep, place)[place])


def _shade(now: FloatPicture, then: FloatPicture) -> Floats32:
    """By how much each place (h × w) is lighter or darker around it, as far as shadows and reflections go."""
    near, known = (cv2.blur(picture, (WINDOW_PX, WINDOW_PX)) for picture in (now, then))
    alike, own = (cv2.transform(cv2.multiply(picture, known), _SUM) for picture in (near, known))
    return np.asarray(np.clip(alike / np.maximum(own, 1), *_SHADE), dtype=np.float32)


def _light(now: FloatPicture, then: FloatPicture) -> Floats32:
    """By how much the table has become lighter, in each channel (3,)."""
    ratios = (now[::4, ::4] + 1) / (then[::4, ::4] + 1)
    return np.asarray(np.median(ratios.reshape(-1, 3), axis=0), dtype=np.float32)
