"""Which of two faces shows right beside what hides a part of a card, told by single pixels.

What the network tells of a place it has from all around it, so it tells nothing right beside Emma: a break in the rails
that she covers all but for a millimetre would go unseen. But where two faces differ plainly each pixel that shows tells
them apart: it is like the one, or like the other, or hers.

On 85 cards of 20 decks for building, each broken or not where Emma stood on it, 53 were told by the network alone (the
odds were 7 to 1 and more), none of them wrongly; with this 64 were, and one wrongly (8 to 1).
"""

from __future__ import annotations

from functools import reduce
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import FloatPicture, Floats, Floats32, Mask, Picture, Points

BESIDE_MM: Final = 1.5
"""So far from what hides a card the pixels are looked at; with 1 or 2 as many cards were told."""
_PX_PER_MM: Final = 2.0
"""No camera above a table shows much more, and the rest would be the same pixel again and again."""
_PLAINLY: Final = 0.3
"""What differs so much less than what differs most tells nothing: it may be how the faces were photographed. With half
of that two of the cards were told wrongly."""
_MOST: Final = 0.998
"""What differs more than so much of a card differs most."""
_CLEARLY: Final = 1.5
"""A pixel tells only where the faces differ by so many standard deviations of what is left unexplained of the card. On
an overexposed card each of many pixels told a little, all of them wrongly; with 3 two more of the cards were not told.
"""
_OFF_PX: Final = 2
"""So far cards may be off."""
_EVERY: Final = 16
"""Of so many pixels one tells the light, and where the card lies, as well; with 4 none of 1,055 cards was named
otherwise."""
_SUM: Final = np.ones((1, 3), np.float32)
_EDGE_MM: Final = 0.35
"""How exactly it is known where that ends which hides a card; with 0.2 or 0.6 as many were told."""
_LEAST_HIDDEN: Final = 0.02
"""So probable it is at least of each pixel that it is hidden, however far off."""
_LEAST_VARIANCE: Final = 16.0
"""Of a colour, of 255 levels: what noise there is at least."""
_NEAREST: Final = 2.0
"""About so many times less than a single one the least unlike of nine neighbours differs by noise."""
_COLOURS: Final = 200.0**3
"""So many what hides a card may have."""
_SURE: Final = 4.6
"""As a logarithm, 100 to 1: it never tells more, as what hides a card may look like what is printed there."""


class _Light(NamedTuple):
    """What light makes of a face, each colour by a factor and an offset, where a card lies, and how far off that is."""

    factor: Floats
    offset: Floats
    off: float


class HiddenPart(NamedTuple):
    """What may be hidden of a card: how far (mm) each pixel is from that, below 0 inside, and what of it is print."""

    far_mm: Floats32
    is_print: Mask


def hidden_part(outline_px: Points, inner: Floats32, px_per_mm: float) -> HiddenPart:
    """What a convex outline (n × 2, px) hides of a card of which the ``inner`` part (h × w, 1) is print."""
    scale = _PX_PER_MM / px_per_mm
    is_print = np.asarray(cv2.resize(inner, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) > 0.5, np.uint8)
    inside = np.zeros(is_print.shape, np.uint8)
    cv2.fillConvexPoly(inside, ((outline_px + 0.5) * scale - 0.5).round().astype(np.int32), (1,))
    outward, inward = (cv2.distanceTransform(part, cv2.DIST_L2, 5) for part in (1 - inside, inside))
    return HiddenPart(np.asarray((outward - inward) / _PX_PER_MM, np.float32), is_print)


def likelier_beside(card: Picture, faces: tuple[Picture, Picture], hidden: HiddenPart) -> float:
    """How much likelier the first of two faces is by what shows of a card within ``BESIDE_MM`` of what hides it.

    All three are of one size, and the faces in one light; a logarithm of odds, 0 where nothing shows of what differs.
    """
    size = hidden.far_mm.shape[::-1]
    seen, one, other = (
        cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float32) for picture in (card, *faces)
    )
    is_print = hidden.is_print > 0
    differs = np.minimum(unlike(one, other), unlike(other, one))
    tells = is_print & (hidden.far_mm < BESIDE_MM)
    tells &= differs > _PLAINLY * np.quantile(differs[is_print], _MOST)
    shows = is_print & (hidden.far_mm >= BESIDE_MM)
    if not tells.any() or not shows.any():
        return 0.0
    rows, columns = (part[::_EVERY] for part in np.nonzero(shows))
    usual = np.asarray((one[rows, columns] + other[rows, columns]) / 2, np.float32)
    off = range(-_OFF_PX, _OFF_PX + 1)
    moved = [np.roll(seen, (down, across), (0, 1)) for down in off for across in off]
    lights = [_light(usual, way[rows, columns]) for way in moved]
    light, seen = min(zip(lights, moved, strict=True), key=lambda way: way[0].off)
    one, other = (np.asarray(light.factor * face + light.offset, np.float32) for face in (one, other))
    by_face = unlike(seen, one), unlike(seen, other)
    variance = max(float(np.median(np.minimum(*by_face)[shows])) * _NEAREST / 3, _LEAST_VARIANCE)
    tells &= np.minimum(unlike(one, other), unlike(other, one)) > _CLEARLY**2 * variance
    is_hidden = np.maximum(1 / (1 + np.exp(np.clip(hidden.far_mm[tells] / _EDGE_MM, -30, 30))), _LEAST_HIDDEN)
    likely = [
        (1 - is_hidden) * np.exp(-each[tells] / (2 * variance)) / (2 * np.pi * variance) ** 1.5 + is_hidden / _COLOURS
        for each in by_face
    ]
    told = float(np.log(likely[0] / likely[1]).sum()) / _PX_PER_MM**2
    return float(np.clip(told, -_SURE, _SURE))


def _light(printed: FloatPicture, seen: FloatPicture) -> _Light:
    """In what light a print (n × 3) is seen so: by least squares."""
    mean, middle = printed.mean(axis=0), seen.mean(axis=0)
    # One level more, lest a plain face divides by nothing.
    factor = ((printed - mean) * (seen - middle)).mean(axis=0) / (printed.var(axis=0) + 1)
    offset = middle - factor * mean
    return _Light(factor, offset, float(np.sqrt(((factor * printed + offset - seen) ** 2).sum(axis=1)).mean()))


def unlike(one: Floats32, other: Floats32) -> Floats32:
    """How unlike each pixel is to what is most like it of another picture, off by one pixel at most: a square."""
    wide = cv2.copyMakeBorder(other, 1, 1, 1, 1, cv2.BORDER_REPLICATE)
    height, width = one.shape[:2]
    near = (wide[down : down + height, across : across + width] for down in range(3) for across in range(3))
    squares = (cv2.transform((one - there) ** 2, _SUM) for there in near)
    return np.asarray(reduce(cv2.min, squares), np.float32)
