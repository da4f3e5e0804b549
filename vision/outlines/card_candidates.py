"""Outlines in a picture that might be a card's, many of them wrong.

Each way of looking for them fails on some table: thresholds where the table has a pattern, closed outlines where a
line of the table touches the card, straight lines where the card is small. Together they nearly always have it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import cv2
import numpy as np

from vision.arrays import Corners, Flags, Floats, GreyPicture, Mask, Outlines, Picture

SMALLEST_PX: Final = 22
"""Of a card's shorter side in the picture that is searched."""
LARGEST_PART: Final = 0.96
"""Of the picture's area."""
STRETCH: Final = 1.25
"""How far perspective changes the proportion of a card's sides: a slant of 30 degrees, and what lenses do."""
_LEVELS: Final = 10
_LEAST_SOLID: Final = 0.7
_MOST_SEGMENTS: Final = 220


def candidate_outlines(picture: Picture, proportion: float, other: GreyPicture | None = None) -> Outlines:
    """Outlines (n × 4 × 2, px, clockwise) in a small picture, of the card's proportion (longer by shorter side).

    ``other`` is what differs from the empty table (height × width, 0 to 255), if that is known.
    """
    smooth = cv2.medianBlur(picture, 3)
    lab = np.asarray(cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB), np.uint8)
    channels = [np.ascontiguousarray(lab[..., index]) for index in range(3)] + ([] if other is None else [other])
    edges = _edges(channels)
    found = [*_from_levels(channels), *_from_edges(edges)]
    outlines = np.array(found).reshape(-1, 4, 2)
    outlines = np.concatenate([outlines, _from_segments(edges, proportion)])
    outlines = outlines[is_plausible(outlines, proportion, (picture.shape[1], picture.shape[0]))]
    return _without_copies(outlines)


def is_plausible(outlines: Outlines, proportion: float, size: tuple[int, int]) -> Flags:
    """Which outlines (n × 4 × 2) a card of this proportion can have in a picture of this width and height."""
    sides = np.roll(outlines, -1, axis=1) - outlines
    lengths = np.maximum(np.linalg.norm(sides, axis=2), 1e-6)
    directions = sides / lengths[..., None]
    cosines = np.abs((directions * np.roll(directions, -1, axis=1)).sum(axis=2)).max(axis=1)
    pairs = 0.5 * (lengths[:, :2] + lengths[:, 2:])
    ratio = pairs.max(axis=1) / pairs.min(axis=1)
    opposite = (np.maximum(lengths[:, :2], lengths[:, 2:]) / np.minimum(lengths[:, :2], lengths[:, 2:])).max(axis=1)
    area = pairs.prod(axis=1)
    middle = outlines.mean(axis=1)
    return np.asarray(
        (cosines < 0.42)
        & (ratio < proportion * STRETCH)
        & (ratio > proportion / STRETCH)
        & (opposite < 1.35)
        & (pairs.min(axis=1) >= SMALLEST_PX)
        & (area <= LARGEST_PART * size[0] * size[1])
        & (middle > 0).all(axis=1)
        & (middle < np.array(size)).all(axis=1)
    )


def _without_copies(outlines: Outlines) -> Outlines:
    """One each of those whose corners are within two or three pixels of one another."""
    # From the leftmost corner on: the same outline may have been found from any of its corners.
    first = outlines[:, :, 0].argmin(axis=1)
    turned = outlines[np.arange(len(outlines))[:, None], (first[:, None] + np.arange(4)) % 4]
    _, kept = np.unique(np.rint(turned / 3).reshape(-1, 8), axis=0, return_index=True)
    return np.asarray(turned[kept])


def clockwise(outline: Corners) -> Corners:
    """The same outline with its corners clockwise as seen in the picture."""
    (ax, ay), (bx, by) = outline[2] - outline[0], outline[3] - outline[1]
    return outline if ax * by - ay * bx > 0 else np.ascontiguousarray(outline[::-1])


def _edges(channels: list[GreyPicture]) -> list[Mask]:
    """Pictures of edges, from the strong ones to the faint."""
    gradients = []
    for channel in channels:
        smooth = cv2.GaussianBlur(channel, (0, 0), 1.0)
        gradients.append([cv2.Sobel(smooth, cv2.CV_16S, 1, 0), cv2.Sobel(smooth, cv2.CV_16S, 0, 1)])
    strength = np.array([np.abs(gx).astype(np.int32) + np.abs(gy) for gx, gy in gradients])
    strongest = strength.argmax(axis=0)
    across, down = (np.choose(strongest, [pair[axis] for pair in gradients]).astype(np.int16) for axis in (0, 1))
    steepness = strength.max(axis=0)
    levels = {max(12.0, float(np.quantile(steepness, part))) for part in (0.75, 0.88, 0.96)}
    return [cv2.Canny(across, down, 0.6 * level, 1.4 * level) for level in sorted(levels, reverse=True)]


def _from_levels(channels: list[GreyPicture]) -> Iterator[Corners]:
    """Patches lighter or darker than a level, in each channel."""
    kernel = np.ones((3, 3), np.uint8)
    for channel in channels:
        usual = np.quantile(channel, np.linspace(0.01, 0.99, _LEVELS))
        widest = np.linspace(float(channel.min()), float(channel.max()), _LEVELS // 2 + 2)[1:-1]
        for level in np.unique(np.concatenate([usual, widest]).round()):
            _, above = cv2.threshold(channel, float(level), 255, cv2.THRESH_BINARY)
            yield from patch_outlines(cv2.morphologyEx(above, cv2.MORPH_OPEN, kernel), _LEAST_SOLID)
            yield from patch_outlines(cv2.morphologyEx(255 - above, cv2.MORPH_OPEN, kernel), _LEAST_SOLID)


def _from_edges(edges: list[Mask]) -> Iterator[Corners]:
    """What edges enclose, with gaps closed more and more."""
    for edge in edges:
        for width in (2, 4):
            yield from patch_outlines(cv2.dilate(edge, np.ones((width, width), np.uint8)), _LEAST_SOLID)


def patch_outlines(patches: cv2.typing.MatLike, least_solid: float) -> Iterator[Corners]:
    """Quadrangles around the patches of a black and white picture and around the holes in them.

    ``least_solid`` is the part of the area of the rectangle around a patch that the patch's hull must fill.
    """
    contours, _ = cv2.findContours(patches, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    for contour in _of_size(contours):
        hull = cv2.convexHull(contour)
        rectangle = cv2.minAreaRect(hull)
        if cv2.contourArea(hull) < max(SMALLEST_PX**2, least_solid * rectangle[1][0] * rectangle[1][1]):
            continue
        yield clockwise(cv2.boxPoints(rectangle).astype(float))
        length = cv2.arcLength(hull, closed=True)
        for part in (0.02, 0.04, 0.07):
            quadrangle = cv2.approxPolyDP(hull, part * length, closed=True)
            if len(quadrangle) == 4:
                yield clockwise(quadrangle.reshape(4, 2).astype(float))
                break


def _of_size(contours: Sequence[cv2.typing.MatLike]) -> list[cv2.typing.MatLike]:
    """The contours whose upright rectangles are as large as the smallest card; most are specks."""
    if not contours:
        return []
    lengths = np.array([len(contour) for contour in contours])
    points, starts = np.concatenate(contours)[:, 0], np.cumsum(lengths) - lengths
    sides = np.maximum.reduceat(points, starts) - np.minimum.reduceat(points, starts) + 1
    is_chosen = (lengths >= 4) & (sides.min(axis=1) >= SMALLEST_PX)
    return [contour for contour, chosen in zip(contours, is_chosen, strict=True) if chosen]


def _from_segments(edges: list[Mask], proportion: float) -> Outlines:
    """Rectangles with a straight piece of an edge as a whole side."""
    found = [np.empty((0, 4, 2))]
    for edge in edges:
        segments = _segments(edge)
        if not len(segments):
            continue
        start, reach = segments[:, :2], segments[:, 2:] - segments[:, :2]
        outward = np.stack([-reach[:, 1], reach[:, 0]], axis=1)
        for ratio in (proportion, 1 / proportion):
            for stretch in (0.88, 1.0, 1.12):
                for way in (-1, 1):
                    over = outward * (way * ratio * stretch)
                    corners = np.stack([start, start + reach, start + reach + over, start + over], axis=1)
                    found.append(corners if way > 0 else corners[:, ::-1])
    return np.concatenate(found)


def _segments(edge: Mask) -> Floats:
    """The longest straight pieces, n × (x, y, x, y)."""
    lines = cv2.HoughLinesP(edge, 1, np.pi / 240, 18, minLineLength=SMALLEST_PX, maxLineGap=7)
    if lines is None:
        return np.empty((0, 4))
    segments = lines.reshape(-1, 4).astype(float)
    lengths = np.hypot(segments[:, 2] - segments[:, 0], segments[:, 3] - segments[:, 1])
    return np.asarray(segments[np.argsort(-lengths)[:_MOST_SEGMENTS]])
