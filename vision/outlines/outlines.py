"""Places in a picture where a card may lie free on the table, told by its outline alone.

What lies within a card's edges differs from what lies around them in brightness or in tint, or is at least parted
from it by a line. Both are looked for in a small copy of the picture; no pattern on the cards is needed. Cards that
touch have no outline of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np

from vision.arrays import Corners, Floats, GreyPicture, Outlines, Picture
from vision.outlines.card_candidates import is_plausible, patch_outlines

SEARCHED_PX: Final = 640
"""The longer side of the reduced picture that is searched."""
_LEVELS: Final = (0.15, 0.3, 0.45, 0.6, 0.75, 0.9)
_STEPS: Final = 24
"""Levels are at least this part of all differences apart."""
_EDGE_LEVELS: Final = (0.8, 0.93)
_MOST: Final = 20
"""So many outlines are told."""
_LEAST_SOLID: Final = 0.75
"""Of the area of the rectangle around a patch, what its hull must fill."""
_ALONG: Final = np.linspace(0.1, 0.9, 17)
"""Where a side is looked at, in parts of its length; corners are round."""
_REACH_PX: Final = 3
_PADDING_PX: Final = 8
"""Of what is laid around the small picture."""
_MOST_SETTLED: Final = 4000
_FAINT: Final = 6.0
"""How steep a flat place may be, in Sobel's units of eighths of a grey value a pixel."""
_LEAST_SEEN: Final = 0.35
"""The part of the samples of the faintest side at which there must be an edge."""
_SAME: Final = 0.12
"""Outlines nearer to each other than this part of the shorter side are one."""


def card_outlines(picture: Picture, card_mm: tuple[float, float]) -> list[Corners]:
    """Where cards may lie free in a picture (B, G, R): the likeliest outlines, in px of the whole picture, best first.

    The corners are those of the card if it were not rounded, to about half a millimetre; of a card with a clear frame
    printed on it they may be the frame's. Which way up the card is does not show: either of its shorter sides may be
    the first. Many are wrong, as a sheet of paper or a square of the cloth has an outline, too: what is on them has to
    tell (``vision.faces.naming``).
    """
    scale = min(1.0, SEARCHED_PX / max(picture.shape[:2]))
    small = _padded(np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8))
    lab = np.asarray(cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 0.8), cv2.COLOR_BGR2LAB), dtype=np.uint8)
    channels = [np.ascontiguousarray(lab[..., index]) for index in range(3)]
    proportion = max(card_mm) / min(card_mm)
    found = np.array([*_from_levels(channels), *_from_edges(channels)]).reshape(-1, 4, 2)
    found = _each_once(found[is_plausible(found, proportion, (small.shape[1], small.shape[0]))])
    if not len(found):
        return []
    slopes = [(cv2.Sobel(one, cv2.CV_32F, 1, 0), cv2.Sobel(one, cv2.CV_32F, 0, 1)) for one in channels]
    settled, seen = _settled(found, slopes)
    # Settled on other edges, many have no card's shape any more.
    good = is_plausible(settled, proportion, (small.shape[1], small.shape[0])) & (seen.min(axis=1) >= _LEAST_SEEN)
    chosen = _different(settled[good], seen[good].min(axis=1) + seen[good].mean(axis=1), _MOST)
    return [_from_short_side((outline - _PADDING_PX + 0.5) / scale - 0.5, card_mm) for outline in chosen]


def _padded(picture: Picture) -> Picture:
    """The picture with a border like the table: a card that touches the picture's border has an edge there, too."""
    ring = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    table = [float(value) for value in np.median(ring, axis=0)]
    side = _PADDING_PX
    return np.asarray(cv2.copyMakeBorder(picture, side, side, side, side, cv2.BORDER_CONSTANT, value=table), np.uint8)


def _from_levels(channels: list[GreyPicture]) -> Iterator[Corners]:
    """Patches lighter or darker than a level, in each channel."""
    for channel in channels:
        smooth = cv2.medianBlur(channel, 5)  # specks would take long
        low, high = np.quantile(channel[::4, ::4], (0.01, 0.99))
        quantiles = np.quantile(channel[::4, ::4], _LEVELS)
        even = low + (high - low) * np.array(_LEVELS)
        for level in _apart(np.concatenate([quantiles, even]), (high - low) / _STEPS):
            _, above = cv2.threshold(smooth, level, 255, cv2.THRESH_BINARY)
            yield from patch_outlines(above, _LEAST_SOLID)


def _apart(levels: Floats, least: float) -> list[float]:
    """Of these levels, rounded and in order, those that are so far apart: nearer ones part the same patches."""
    chosen: list[float] = []
    for level in np.sort(levels).round():
        if not chosen or level - chosen[-1] >= max(least, 1.0):
            chosen.append(float(level))
    return chosen


def _from_edges(channels: list[GreyPicture]) -> Iterator[Corners]:
    """What edges enclose."""
    slopes = [(cv2.Sobel(one, cv2.CV_16S, 1, 0), cv2.Sobel(one, cv2.CV_16S, 0, 1)) for one in channels]
    steepness = [np.abs(across[::4, ::4]) + np.abs(down[::4, ::4]) for across, down in slopes]
    for part in _EDGE_LEVELS:
        edges = np.zeros(channels[0].shape, dtype=np.uint8)
        for (across, down), steep in zip(slopes, steepness, strict=True):
            level = max(16.0, float(np.quantile(steep, part)))
            edges |= np.asarray(cv2.Canny(across, down, 0.5 * level, level), dtype=np.uint8)
        yield from patch_outlines(cv2.dilate(edges, np.ones((2, 2), np.uint8)), _LEAST_SOLID)


def _each_once(outlines: Outlines) -> Outlines:
    """One each of those whose corners are within a few pixels of one another: many levels show the same."""
    first = outlines.sum(axis=2).argmin(axis=1)
    turned = outlines[np.arange(len(outlines))[:, None], (first[:, None] + np.arange(4)) % 4]
    _, kept = np.unique(np.rint(turned / _REACH_PX).reshape(-1, 8), axis=0, return_index=True)
    return np.asarray(turned[kept[:_MOST_SETTLED]])


def _settled(
    outlines: Outlines, slopes: list[tuple[cv2.typing.MatLike, cv2.typing.MatLike]]
) -> tuple[Outlines, Floats]:
    """The outlines (n × 4 × 2) moved onto the edges near by, and the part of each side that is seen (n × 4)."""
    seen = np.zeros(outlines.shape[:2])
    # Twice: only from where the first round has moved them do the samples run along the edges.
    for _ in range(2):
        sides = np.roll(outlines, -1, axis=1) - outlines
        lengths = np.maximum(np.linalg.norm(sides, axis=2, keepdims=True), 1e-6)
        outward = np.stack([sides[..., 1], -sides[..., 0]], axis=-1) / lengths
        steepness, offsets = _along_sides(outlines, sides, outward, slopes)
        peak = steepness.argmax(axis=3)
        height = np.take_along_axis(steepness, peak[..., None], axis=3)[..., 0]
        grain = np.quantile(steepness, 0.25, axis=3).mean(axis=2, keepdims=True) + _FAINT
        trust = height / (height + 2.0 * grain)
        places = offsets[peak]
        lines = _fitted(places, trust)
        away = np.abs(places - (lines[..., :1] * _ALONG + lines[..., 1:]))
        lines = _fitted(places, trust / (1 + (away / 0.7) ** 2))
        away = np.abs(places - (lines[..., :1] * _ALONG + lines[..., 1:]))
        seen = ((away < 1.2) & (trust > 0.5)).mean(axis=2)
        outlines = _crossed(outlines, sides, outward, lines)
    return outlines, seen


def _along_sides(
    outlines: Outlines,
    sides: Floats,
    outward: Floats,
    slopes: list[tuple[cv2.typing.MatLike, cv2.typing.MatLike]],
) -> tuple[Floats, Floats]:
    """How steep the picture is across each side: outlines × sides × samples × offsets, and the offsets in px."""
    offsets = np.arange(-_REACH_PX, _REACH_PX + 0.25, 0.5)
    places = outlines[:, :, None, None] + _ALONG[:, None, None] * sides[:, :, None, None]
    places = (places + offsets[:, None] * outward[:, :, None, None]).astype(np.float32)
    flat = places.reshape(len(outlines) * 4, -1, 2)  # a picture for remap, whose sides must be short
    steepness = np.zeros(places.shape[:4])
    for across, down in slopes:
        parts = [
            cv2.remap(slope, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR).reshape(places.shape[:4])
            for slope in (across, down)
        ]
        slope = parts[0] * outward[:, :, None, None, 0] + parts[1] * outward[:, :, None, None, 1]
        slope[:, :, 1:-1] = (
            slope[:, :, :-2] + slope[:, :, 1:-1] + slope[:, :, 2:]
        ) / 3  # noise is not alike, edges are
        steepness += slope**2
    return np.sqrt(steepness), offsets


def _fitted(places: Floats, weight: Floats) -> Floats:
    """Straight lines through offsets along sides: the offset's growth over the side, and its beginning (n × 4 × 2)."""
    total = weight.sum(axis=2) + 1e-9
    middle = (weight * _ALONG).sum(axis=2) / total
    mean = (weight * places).sum(axis=2) / total
    apart = _ALONG - middle[..., None]
    growth = (weight * apart * (places - mean[..., None])).sum(axis=2) / ((weight * apart**2).sum(axis=2) + 1e-3)
    return np.stack([growth, mean - growth * middle], axis=-1)


def _crossed(outlines: Outlines, sides: Floats, outward: Floats, lines: Floats) -> Outlines:
    """The corners at which neighbouring lines cross."""
    points = outlines + lines[..., 1:] * outward
    reach = sides + lines[..., :1] * outward
    before, after = np.roll(points, 1, axis=1), points
    along_before, along_after = np.roll(reach, 1, axis=1), reach
    across = along_before[..., 0] * along_after[..., 1] - along_before[..., 1] * along_after[..., 0]
    gap = after - before
    part = (gap[..., 0] * along_after[..., 1] - gap[..., 1] * along_after[..., 0]) / np.where(across == 0, 1e-9, across)
    return np.asarray(before + part[..., None] * along_before)


def _different(outlines: Outlines, scores: Floats, most: int) -> list[Corners]:
    """The best outlines, each place and size once."""
    chosen: list[Corners] = []
    for index in np.argsort(-scores):
        outline = outlines[index]
        nearest = _SAME * np.sqrt(cv2.contourArea(outline.astype(np.float32)))
        middle = outline.mean(axis=0)
        near = [other for other in chosen if np.abs(other.mean(axis=0) - middle).max() < nearest]
        if all(_distance(outline, other) > nearest for other in near):
            chosen.append(outline)
        if len(chosen) == most:
            break
    return chosen


def _distance(one: Corners, other: Corners) -> float:
    """The largest distance between the corners of two outlines, whichever comes first in each."""
    return min(float(np.linalg.norm(np.roll(one, turn, axis=0) - other, axis=1).max()) for turn in range(4))


def _from_short_side(outline: Corners, card_mm: tuple[float, float]) -> Corners:
    """The outline from the corner that is the top left one if the card is upright or stands on its head."""
    lengths = np.linalg.norm(np.roll(outline, -1, axis=0) - outline, axis=1)
    starts_short = lengths[0] + lengths[2] < lengths[1] + lengths[3]
    return outline if starts_short == (card_mm[0] <= card_mm[1]) else np.roll(outline, -1, axis=0)
