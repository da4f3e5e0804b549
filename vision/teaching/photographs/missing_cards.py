"""A card in a photograph in which its outline alone was not found, as what differs from the bare table."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Corners, Flags, Floats, Floats32, Picture
from vision.outlines.viewpoint import Viewpoint
from vision.teaching.photographs.bare_table import BareTable, linear
from vision.teaching.photographs.kept_photographs import CardOnTable, Zoomed

_STEP_MM: Final = 1.0
_TURNS: Final = np.radians(np.arange(-36.0, 36.5, 3.0))
"""How differently cards are laid; a turn of half a step moves a corner by a millimetre or two."""
_SHADOW_MM: Final = 3.0
"""How far around a card its shadow is seen."""
_AROUND_MM: Final = 8.0
"""So far around it, but for its shadow, there is bare table."""
_DIFFERS: Final = 4.0
"""What differs so many times more from the table than usual is none."""
_LEAST_GREY: Final = 1.0
"""What differs less than this, in grey values, may be anything."""
_LEAST_FIT: Final = 1.0
"""Of 2, where all of a card differs from the table, and nothing around it: half of each."""
_LEAST_KNOWN: Final = 0.25
"""Of a place for a card, at which the table must have been seen."""
_MOST_ELSE: Final = 0.2
"""What else may differ from the table, in areas of a card; a second card is more."""


def missing_card(card: CardOnTable, view: Viewpoint, whole: Zoomed, table: BareTable, turn: float) -> Corners | None:
    """The outline of the only card, to some mm, in a photograph of a table that other photographs show bare.

    ``turn`` is how cards are usually turned on the table, in radians. None where there is no card, or more than one.
    """
    size = table.known.shape[::-1]
    rows, columns = (slice(start, start + count) for start, count in zip(table.corner[::-1], size[::-1], strict=True))
    differs = _differing(whole.pixels[rows, columns], table)
    left, top, width, height = _extent(view, whole, table)
    across, down = np.meshgrid(left + _STEP_MM * np.arange(width), top + _STEP_MM * np.arange(height))
    places = view.in_picture(np.stack([across.ravel(), down.ravel()], axis=1))
    seen = (whole.inside(places) - np.array(table.corner)).astype(np.float32).reshape(height, width, 2)
    known = _taken(table.known, seen)
    other = _taken(differs.astype(np.float32), seen) * known
    best, pose, inside = -np.inf, np.zeros(3), np.zeros(known.shape, bool)
    for own in turn + _TURNS:
        card_part, around = _kernels(card, own)
        shares = [_share(other, known, kernel) for kernel in (card_part, around)]
        fits = 2 * (shares[0][0] - shares[1][0])
        fits[(shares[0][1] < _LEAST_KNOWN) | (shares[1][1] < _LEAST_KNOWN)] = -np.inf
        row, column = np.unravel_index(int(fits.argmax()), fits.shape)
        if fits[row, column] > best:
            best = float(fits[row, column])
            pose = np.array([left + _STEP_MM * column, top + _STEP_MM * row, own])
            inside = _near(card, pose, across, down)
    elsewhere = float(other[~inside].sum()) * _STEP_MM**2
    if best < _LEAST_FIT or elsewhere > _MOST_ELSE * card.card_mm[0] * card.card_mm[1]:
        return None
    return card.outline(view, pose)


def _differing(pixels: Picture, table: BareTable) -> Flags:
    """Where a photograph is not that of the bare table."""
    light = linear(pixels)
    seen = table.known > 0
    gain = np.median(light[seen] / np.maximum(table.light[seen], 1e-4), axis=0)
    apart = np.sqrt(light) - np.sqrt(np.maximum(table.light * gain, 0))
    grey = 255 * np.abs(cv2.GaussianBlur(apart, (0, 0), 1.5)).max(axis=2)
    return np.asarray(grey > _DIFFERS * float(np.median(grey[seen])) + _LEAST_GREY)


def _extent(view: Viewpoint, whole: Zoomed, table: BareTable) -> tuple[float, float, int, int]:
    """Left and top (mm) of what of the table is kept, and its width and height in steps."""
    height, width = table.known.shape
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], float) + np.array(table.corner)
    placed = view.on_table(whole.outside(corners))
    first, last = placed.min(axis=0), placed.max(axis=0)
    steps = np.ceil((last - first) / _STEP_MM).astype(int) + 1
    return float(first[0]), float(first[1]), int(steps[0]), int(steps[1])


def _kernels(card: CardOnTable, turn: float) -> tuple[Floats32, Floats32]:
    """Of a card that is turned so, and of what is around it: 1 there, and 0 elsewhere."""
    reach = int(np.ceil((np.hypot(*card.card_mm) / 2 + _AROUND_MM) / _STEP_MM))
    steps = _STEP_MM * np.arange(-reach, reach + 1)
    across, down = np.meshgrid(steps, steps)
    outside = _outside(card, np.array([0.0, 0.0, turn]), across, down)
    around = (outside > _SHADOW_MM) & (outside <= _AROUND_MM)
    return (outside <= 0).astype(np.float32), around.astype(np.float32)


def _outside(card: CardOnTable, pose: Floats, across: Floats, down: Floats) -> Floats:
    """How far outside of a card that lies so places of the table are, mm."""
    own = (across + 1j * down - complex(pose[0], pose[1])) * np.exp(-1j * pose[2])
    return np.asarray(np.maximum(np.abs(own.real) - card.card_mm[0] / 2, np.abs(own.imag) - card.card_mm[1] / 2))


def _near(card: CardOnTable, pose: Floats, across: Floats, down: Floats) -> Flags:
    return np.asarray(_outside(card, pose, across, down) <= _SHADOW_MM)


def _share(other: Floats32, known: Floats32, kernel: Floats32) -> tuple[Floats, Floats]:
    """Around each place the part of what is known under a kernel that differs, and how much is known."""
    sums = [
        np.asarray(cv2.filter2D(values, cv2.CV_32F, kernel, borderType=cv2.BORDER_CONSTANT), float)
        for values in (other, known)
    ]
    return sums[0] / np.maximum(sums[1], 1e-6), sums[1] / float(kernel.sum())


def _taken(values: Floats32, places: Floats32) -> Floats32:
    taken = cv2.remap(values, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(taken, np.float32)
