"""Which of two faces shows right beside what hides a part of a card, told by single pixels.

What the network tells of a place it has from all around it, so it tells little of the last millimetre beside Emma: a
break in the rails that she covers all but for that would go unseen. But where two faces differ plainly each pixel that
shows tells them apart: it is like the one, or like the other, or hers, or at her edge a blend with hers.

On 773 cards of 131 decks for building, each broken or not where Emma stood on it, this says the right one of 598 and
the wrong one of 29 (2.7 to 1 and more), and of 146 neither.
"""

from __future__ import annotations

from functools import reduce
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Floats, Floats32, Mask, Picture
from vision.faces.hidden_map import HiddenMap

BESIDE_MM: Final = 1.5
"""So far from what may hide a card the pixels are looked at; with 1 two more of the cards were told wrongly,
with 2 one more."""
_PX_PER_MM: Final = 2.0
"""No camera above a table shows much more, and the rest would be the same pixel again and again."""
_PLAINLY: Final = 0.3
"""What differs so much less than what differs most tells nothing: it may be how the faces were photographed. With half
of that as many cards were told."""
_MOST: Final = 0.998
"""What differs more than so much of a card differs most."""
_OFF_PX: Final = 2
"""So far cards may be off."""
_DOUBT_MM: Final = 0.3
"""So far off they usually are (standard deviation): the median of the worst corner of cards."""
_EVERY: Final = 4
"""Of so many pixels one tells the light, and where the card lies, as well; with 16 too few of a plain card."""
_BLACK: Final = 0.003
"""What is black shows as black, as far as a face is too plain to tell its light: it counts as if so many of its pixels
were. With 0.001 a break on a plain ground was told wrongly; with 0.01 of 393 tables one more was wrong."""
_SUM: Final = np.ones((1, 3), np.float32)
_ROUNDED: Final = 3 / 12
"""The variance of three colours that are whole levels: nothing is seen less far off."""
_LEAST_VARIANCE: Final = 16.0
"""Of a colour, of 255 levels: what noise there is at least."""
_NEAREST: Final = 2.0
"""About so many times less than a single one the least unlike of nine neighbours differs by noise."""
_COLOURS: Final = 200.0**3
"""So many what hides a card may have."""
_HERS: Final = 3.0
"""As a logarithm, 20 to 1: what is so likely hidden tells nothing. Else each of many pixels would tell a little, all of
them wrongly where she is not quite as she seems."""
_SOME: Final = 200
"""So many pixels tell her colours."""
_BLENDS: Final = (0.25, 0.5, 0.75)
"""Of so much of her a pixel at her edge may be."""
BLURS_MM: Final = (0.0, 0.4, 0.8)
"""So much softer than a taught face a card may be seen."""
_SHADED: Final = 0.3
_SHADES: Final = (0.6, 0.7, 0.8, 0.9)
"""So much of what shows beside her lies in her own shadow, which leaves so much of its light: light ground looks like
dark rails there. Of 773 cards with Emma where a track is broken or not, 36 were told wrongly without anybody being
asked, and 32 with it; with 0.5 it was 34."""
_SURE: Final = 4.6
"""As a logarithm, 100 to 1: it never tells more, as what hides a card may look like what is printed there."""


class _Lights(NamedTuple):
    """What light makes of a face in some ways to see it: each colour by a factor and an offset (ways × 3 both).

    ``off`` is how far the face is off then (ways, levels).
    """

    factor: Floats
    offset: Floats
    off: Floats


class HiddenPart(NamedTuple):
    """What may be hidden of a card: how far (mm) each pixel is from that, how likely it is, and what of it is print."""

    far_mm: Floats32
    odds: Floats32
    is_print: Mask


def hidden_part(hidden: HiddenMap, inner: Floats32, px_per_mm: float) -> HiddenPart:
    """What is hidden of a card, in px of that, of which the ``inner`` part (h × w, 1) is print."""
    scale = _PX_PER_MM / px_per_mm
    is_print = np.asarray(cv2.resize(inner, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) > 0.5, np.uint8)
    smaller = np.array([[scale, 0, (scale - 1) / 2], [0, scale, (scale - 1) / 2], [0, 0, 1]])
    here = hidden.moved(smaller)
    beyond = np.ones(is_print.shape, np.uint8)
    cv2.fillConvexPoly(beyond, here.outline_px.round().astype(np.int32), (0,))
    far_mm = cv2.distanceTransform(beyond, cv2.DIST_L2, 5) / _PX_PER_MM
    return HiddenPart(np.asarray(far_mm, np.float32), here.seen_in(*is_print.shape[::-1]), is_print)


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
    off = range(-_OFF_PX, _OFF_PX + 1)
    moves = [(down, across) for down in off for across in off]
    some = np.ascontiguousarray([np.roll(seen, move, (0, 1))[rows, columns].T for move in moves])
    soft = [np.stack([blurred(face, blur * _PX_PER_MM) for face in (one, other)]) for blur in BLURS_MM]
    lights = [_lights(both[:, rows, columns].transpose(0, 2, 1), some) for both in soft]
    far_px = np.hypot(*np.array(moves).T)
    unlikely = [len(rows) * np.log(light.off) + (far_px / (_DOUBT_MM * _PX_PER_MM)) ** 2 / 2 for light in lights]
    softness, best = divmod(int(np.argmin(unlikely)), len(moves))
    light, move = lights[softness], moves[best]
    seen, odds = (np.roll(part, move, (0, 1)) for part in (seen, hidden.odds))
    one, other = (np.asarray(light.factor[best] * face + light.offset[best], np.float32) for face in soft[softness])
    by_face = unlike(seen, one), unlike(seen, other)
    variance = max(float(np.median(np.minimum(*by_face)[shows])) * _NEAREST / 3, _LEAST_VARIANCE)
    tells &= odds < _HERS
    hers = _Hers(seen[odds > 0], odds[odds > 0], 2 * variance)
    likely = [_likely(seen[tells], _with_those_near(face)[tells], odds[tells], hers, variance) for face in (one, other)]
    told = float(np.log(likely[0] / likely[1]).sum()) / _PX_PER_MM**2
    return float(np.clip(told, -_SURE, _SURE))


def _likely(seen: Floats32, faces: Floats32, odds: Floats32, hers: _Hers, variance: float) -> Floats:
    """How probable some pixels' colours (n × 3) are if a face lies there: one of these (n × 9 × 3), itself the last.

    They are the face's, in her shadow or not, or hers who hides it, or at her edge something of both.
    """
    is_hidden = 1 / (1 + np.exp(-odds.astype(np.float64)))
    is_edge, face = is_hidden * (1 - is_hidden), faces[:, -1]
    lit, *shaded = (
        _normal(((seen[:, None] - share * faces) ** 2).sum(axis=-1), variance).mean(axis=1) for share in (1, *_SHADES)
    )
    shown = (1 - _SHADED) * lit + _SHADED * sum(shaded) / len(_SHADES)
    edge = sum(hers.likely(seen, face, share) for share in _BLENDS) / len(_BLENDS)
    apart = (1 - is_hidden) * shown + is_hidden * hers.likely(seen)
    return np.asarray((1 - is_edge) * apart + is_edge * edge)


class _Hers:
    """The colours of what hides a card, by pixels (n × 3) that show her with these odds (n, logarithms)."""

    def __init__(self, pixels: Floats32, odds: Floats32, variance: float) -> None:
        every = max(1, len(pixels) // _SOME)
        self._some, weights = pixels[::every], 1 / (1 + np.exp(-odds[::every]))
        self._weights = weights / max(float(weights.sum()), 1.0)
        self._variance = variance

    def likely(self, seen: Floats32, face: Floats32 | None = None, share: float = 1.0) -> Floats:
        """How probable these colours (n × 3) are of her; else of a blend with the face, of which so much is hers."""
        blend = self._some if face is None else share * self._some + (1 - share) * face[:, None]
        alike = _normal(((seen[:, None] - blend) ** 2).sum(axis=-1), self._variance) @ self._weights
        return np.asarray(alike if face is not None else (alike + 1 / _COLOURS) / 2)


def _normal(squares: Floats32 | Floats, variance: float) -> Floats:
    """How probable colours are that differ by noise of this variance: by the sums of the squares of all three."""
    return np.asarray(np.exp(-squares / (2 * variance)) / (2 * np.pi * variance) ** 1.5)


def blurred(face: Floats32, sigma_px: float) -> Floats32:
    """A face as it is seen so much softer."""
    return np.asarray(cv2.GaussianBlur(face, (0, 0), sigma_px), np.float32) if sigma_px else face


def _lights(faces: Floats32, seen: Floats32) -> _Lights:
    """In what light two faces that are alike there (2 × 3 × n) are seen so (ways × 3 × n): by least squares."""
    printed = faces.mean(axis=0)
    mean, spread, middle = printed.mean(axis=1), printed.var(axis=1), seen.mean(axis=2)
    # What the two differ by is a grain that they were taught with, and nobody sees: the print is not paler for it.
    # 1.48: of a normal distribution from the median of how far off its values are.
    grain = (1.48 * np.median(np.abs(faces[0] - faces[1]), axis=1)) ** 2 / 4
    together = np.einsum("cn,wcn->wc", printed - mean[:, None], seen) / printed.shape[1]
    black = _BLACK * mean
    # One level more, lest what is black divides by nothing.
    factor = (together + black * middle) / (np.maximum(spread - grain, 0) + black * mean + 1)
    left = (seen.var(axis=2) - 2 * factor * together + factor**2 * spread).sum(axis=1)
    return _Lights(factor, middle - factor * mean, np.sqrt(np.maximum(left, _ROUNDED)))


def _with_those_near(face: Floats32) -> Floats32:
    """The colours of the eight pixels around each, and of itself (height × width × 9 × 3)."""
    ways = [(down, across) for down in (-1, 0, 1) for across in (-1, 0, 1) if (down, across) != (0, 0)]
    return np.stack([*(np.roll(face, way, (0, 1)) for way in ways), face], axis=2)


def unlike(one: Floats32, other: Floats32) -> Floats32:
    """How unlike each pixel is to what is most like it of another picture, off by one pixel at most: a square."""
    wide = cv2.copyMakeBorder(other, 1, 1, 1, 1, cv2.BORDER_REPLICATE)
    height, width = one.shape[:2]
    near = (wide[down : down + height, across : across + width] for down in range(3) for across in range(3))
    squares = (cv2.transform((one - there) ** 2, _SUM) for there in near)
    return np.asarray(reduce(cv2.min, squares), np.float32)
