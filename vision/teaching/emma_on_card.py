"""Emma on a card that is known: what differs from the card's face is she."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Flags, Floats32, Mask, Picture
from vision.cards.deck import EMMA_MM
from vision.deck_pictures import EmmaPicture
from vision.reading.emma.card_light import CardLight, card_light

_PX_PER_MM: Final = 3
_RIM_MM: Final = 2
"""So much of a card along its edges is not looked at: there its corners are never known well enough."""
_DARKEST: Final = 0.6
"""What is only darker than the face, all colours alike, is her shadow down to this: the room has light as well."""
_BRIGHTEST: Final = 1.05
_NOISES: Final = 9.0
"""From so many variances of the noise on (three standard deviations) it is not the face that is seen."""
_FLOOR: Final = 9.0
_MOST: Final = 4.0
_LEAST_SHARE: Final = 0.015
"""What is smaller, in parts of the card, is no figure but a crumb."""
_LARGEST_SHARE: Final = 0.6
_KNOWN: Final = 30.0
"""A standard deviation: a card that is farther off all faces has none of them."""
_AROUND_MM: Final = 1


class EmmaNotFoundError(LookupError):
    """Nothing stands on the card, or no card that is known lies there; ``is_card_known`` tells which."""

    def __init__(self, *, is_card_known: bool) -> None:
        super().__init__("nothing stands on the card" if is_card_known else "the card is not known")
        self.is_card_known = is_card_known


class _Beside(NamedTuple):
    """The card, its face in the light of the card, and that light."""

    seen: Floats32
    face: Floats32
    light: CardLight


def emma_on_card(
    picture: Picture, places: Sequence[Corners], faces: Sequence[Picture], card_mm: tuple[float, float]
) -> EmmaPicture:
    """What stands on a card with one of these faces (upright), which lies at one of these places (px).

    Raises EmmaNotFoundError.
    """
    size = (round(_PX_PER_MM * card_mm[0]), round(_PX_PER_MM * card_mm[1]))
    known = [np.asarray(cv2.resize(face, size, interpolation=cv2.INTER_AREA), np.uint8) for face in faces]
    beside = [_beside(_shown(picture, corners, size), face) for corners in places for face in _both_ways(known)]
    best = min(beside, key=lambda one: one.light.noise, default=None)
    if best is None or best.light.noise > _KNOWN**2:
        raise EmmaNotFoundError(is_card_known=False)
    mask = _mask(best)
    share = float(mask.mean())
    if not _LEAST_SHARE < share < _LARGEST_SHARE:
        raise EmmaNotFoundError(is_card_known=True)
    return _cut(best, mask)


def _both_ways(faces: Sequence[Picture]) -> list[Picture]:
    return [way for face in faces for way in (face, np.ascontiguousarray(face[::-1, ::-1]))]


def _shown(picture: Picture, corners: Corners, size: tuple[int, int]) -> Picture:
    target = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    return np.asarray(cv2.warpPerspective(picture, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _beside(seen: Picture, face: Picture) -> _Beside:
    light = card_light(seen, face)
    return _Beside(seen.astype(np.float32), light.on(face.astype(np.float32)), light)


def _mask(card: _Beside) -> Flags:
    """What of a card (h × w) is neither its face nor a shadow on it: the largest part of that, without holes."""
    power = np.maximum((card.face**2).sum(axis=2), 1)
    shade = np.clip((card.seen * card.face).sum(axis=2) / power, _DARKEST, _BRIGHTEST)
    off = ((card.seen - shade[..., None] * card.face) ** 2).sum(axis=2)
    # A print that is taken to lie a little off where it lies differs along its edges.
    slope = cv2.GaussianBlur(_slope(card.face), (0, 0), _PX_PER_MM)
    times = np.minimum(off / (_NOISES * card.light.noise + _FLOOR + (_PX_PER_MM * 0.7) ** 2 * slope), _MOST)
    differs = (cv2.GaussianBlur(times.astype(np.float32), (0, 0), 0.8 * _PX_PER_MM) > 1).astype(np.uint8)
    rim = _RIM_MM * _PX_PER_MM
    inside = np.zeros_like(differs)
    inside[rim:-rim, rim:-rim] = differs[rim:-rim, rim:-rim]
    closed = cv2.morphologyEx(inside, cv2.MORPH_CLOSE, _round(5))
    return _largest(np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, _round(7)), np.uint8))


def _slope(picture: Floats32) -> Floats32:
    """The square of how steeply it changes (h × w), over all colours."""
    across, down = (cv2.Sobel(picture, cv2.CV_32F, *axis, ksize=3, scale=1 / 8) for axis in ((1, 0), (0, 1)))
    return np.asarray((across**2 + down**2).sum(axis=2), np.float32)


def _round(diameter_mm: int) -> Mask:
    side = diameter_mm * _PX_PER_MM | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)


def _largest(parts: Mask) -> Flags:
    outlines, _ = cv2.findContours(parts, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros_like(parts)
    if outlines:
        cv2.drawContours(filled, [max(outlines, key=cv2.contourArea)], -1, (1,), cv2.FILLED)
    return filled > 0


def _cut(card: _Beside, mask: Flags) -> EmmaPicture:
    """She alone, in the light of the faces; what is black of her is less black than what is not she."""
    rows, columns = np.nonzero(mask)
    room = _AROUND_MM * _PX_PER_MM
    part = tuple(slice(max(0, int(each.min()) - room), int(each.max()) + 1 + room) for each in (rows, columns))
    colours = card.light.off(card.seen)[part].clip(1, 255).astype(np.uint8)
    picture = np.where(mask[part][..., None], colours, np.uint8(0))
    height, width = picture.shape[:2]
    least, largest = EMMA_MM
    size_mm = tuple(min(max(side / _PX_PER_MM, least), largest) for side in (width, height))
    return EmmaPicture(picture, (round(size_mm[0], 2), round(size_mm[1], 2)))
