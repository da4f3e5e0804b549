"""The table without a card, put together from photographs in which cards lie in different places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Flags, FloatPicture, Floats, Floats32, Picture

_GAMMA: Final = 2.0
"""What cameras raise light to the inverse of, about: light adds up, grey values do not."""
_ROWS: Final = 32
"""Of the table, that are worked out at a time: a Pi has little memory."""
_SPARSE: Final = 4
"""Every so many pixels tell how brightly a picture is exposed."""
_LEAST_SEEN: Final = 2
"""So many photographs must show a place of the table for it to be known: one alone may show anything there."""

_LEAST_AROUND: Final = 0.1
"""Of a place's surroundings, what must be known to tell what the place is like."""


class Part(NamedTuple):
    """A part of a photograph: its pixels, where it begins in the whole (x, y), and where a card may be in it."""

    pixels: Picture
    corner: tuple[int, int]
    covered: Flags


class BareTable(NamedTuple):
    """The table in linear light (0 to 1), and where it begins in the photographs (x, y).

    ``known`` (height × width) is 1 where it was seen, and 0 where it is thought to be as around there.
    """

    light: FloatPicture
    known: Floats32
    corner: tuple[int, int]


def linear(pixels: Picture) -> FloatPicture:
    """Grey values in linear light, 0 to 1."""
    return np.asarray(_LIGHT[pixels])


_LIGHT: Final = ((np.arange(256) / 255) ** _GAMMA).astype(np.float32)


def bare_table(parts: Sequence[Part]) -> BareTable:
    """The table as most photographs show it where no card lies; elsewhere as it is around there."""
    first = np.min([part.corner for part in parts], axis=0)
    last = np.max([np.add(part.corner, part.pixels.shape[1::-1]) for part in parts], axis=0)
    width, height = (int(side) for side in last - first)
    gains = _gains(parts, first, (width, height))
    light = np.zeros((height, width, 3), np.float32)
    known = np.zeros((height, width), np.float32)
    for top in range(0, height, _ROWS):
        rows = slice(top, min(top + _ROWS, height))
        stack = _stack(parts, first, rows, width)
        light[rows], count = _middle(stack / gains[:, None, None])
        known[rows] = count >= _LEAST_SEEN
    return BareTable(_filled(light, known), known, (int(first[0]), int(first[1])))


def _stack(parts: Sequence[Part], first: Floats, rows: slice, width: int, step: int = 1) -> Floats32:
    """Some rows of all photographs (n × rows × width × 3); what is covered or not kept is infinite."""
    stack = np.full((len(parts), rows.stop - rows.start, width, 3), np.inf, np.float32)
    for layer, part in zip(stack, parts, strict=True):
        left, top = (int(at) for at in np.subtract(part.corner, first))
        begin, end = max(rows.start, top), min(rows.stop, top + part.pixels.shape[0])
        if begin >= end:
            continue
        own = slice(begin - top, end - top)
        seen = linear(part.pixels[own])
        seen[part.covered[own]] = np.inf
        layer[begin - rows.start : end - rows.start, left : left + part.pixels.shape[1]] = seen
    return stack[:, ::step, ::step]


def _gains(parts: Sequence[Part], first: Floats, size: tuple[int, int]) -> Floats32:
    """How brightly each photograph is exposed in each colour (n × 3): cameras adapt to the card."""
    width, height = size
    stack = _stack(parts, first, slice(0, height), width, _SPARSE)
    middle, count = _middle(stack)
    gains = np.ones((len(parts), 3), np.float32)
    for gain, layer in zip(gains, stack, strict=True):
        seen = np.isfinite(layer[..., 0]) & (count >= _LEAST_SEEN)
        if seen.any():
            gain[:] = layer[seen].sum(axis=0) / np.maximum(middle[seen].sum(axis=0), 1e-6)
    return np.asarray(np.maximum(gains, 1e-3), np.float32)


def _middle(stack: Floats32) -> tuple[Floats32, Floats]:
    """The median (rows × width × 3) of what is finite, 0 where nothing is, and how many are."""
    ordered = np.sort(stack, axis=0)
    count = np.isfinite(ordered[..., 0]).sum(axis=0)
    places = np.maximum(count - 1, 0)[None, ..., None]
    low, high = (np.take_along_axis(ordered, at, axis=0)[0] for at in (places // 2, (places + 1) // 2))
    middle = np.where(count[..., None] > 0, 0.5 * (low + high), 0.0)
    return np.asarray(middle, np.float32), np.asarray(count, float)


def _filled(light: FloatPicture, known: Floats32) -> FloatPicture:
    """What is not known taken from around, from as near as possible."""
    reach = 1
    while not known.all() and reach < max(known.shape):
        window = (2 * reach + 1,) * 2
        weight = cv2.blur(known, window)
        smooth = cv2.blur(light * known[..., None], window) / np.maximum(weight, 1e-6)[..., None]
        near = (known == 0) & (weight > _LEAST_AROUND)
        light = np.where(near[..., None], smooth, light)
        known = np.where(near, np.float32(1), known)
        reach *= 2
    return np.asarray(light, np.float32)
