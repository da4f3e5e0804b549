"""How well the outline of a card fits a picture, side by side, and where exactly its sides run.

An outline is a quadrangle (4 × 2, px), its sides running from each corner to the next, clockwise in the picture.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Flags, FloatPicture, Floats, Floats32, Indices, Outlines
from vision.outlines.edge_profile import OFFSETS, outermost_edge

SMALLEST_CARD_PX: Final = 40
"""Of the card's shorter side: with fewer pixels a numeral cannot be read."""
_WINDOWS: Final = 9
_IN_WINDOW: Final = 6
SAMPLES: Final = _WINDOWS * _IN_WINDOW
"""Along a side; each is averaged with its neighbours in a window, which takes the noise and leaves the edge."""
_ENDS: Final = 0.08
"""Of a side that is left out at both of its ends, where corners are round."""
_BEYOND: Final = 0.25
"""How far a side is followed beyond its ends, in parts of its length, to see whether it is a line of the table."""
_FAINT: Final = 2.0
"""A step in grey values that nobody would see."""
_OUTERMOST: Final = 0.75
"""How well a line must be seen, compared to the clearest, to be the card's edge because it lies further out."""
_AROUND: Final = 0.08
"""How far around a side its grain is judged, in parts of the card's shorter side."""
_SHADOW: Final = 0.035
"""How wide the dark line of contact around a card can be, in parts of its shorter side."""
_INWARDS_PX: Final = 2.0
_SAME_PX: Final = 0.3
"""What two ways of measuring one edge differ by at most."""
_SLANT_PX: Final = 2.5
"""By how much the two halves of a side may be off differently."""
_GAMMA: Final = 2.0
"""What cameras raise light to the inverse of: blurred as light is, an edge is where half of the light is."""
_THICKNESS: Final = 0.02
"""How far apart two lines are that can both be the card's edge."""


class OutlineFit(NamedTuple):
    """How an outline fits: for each side the part of it that is seen (0 to 1), and how clearly it runs on beyond."""

    seen: Floats
    beyond: Floats
    strength: Floats
    """How large the step at each side is: the mean of the roots of grey values."""
    brightening: Floats
    """How much brighter it gets outwards at each side, in grey values."""

    @property
    def score(self) -> float:
        """From below 0 to 1: the mean of the sides, mainly of the weakest."""
        sides = self.seen - 0.5 * self.beyond
        return float(0.5 * sides.min() + 0.5 * sides.mean())


class _Band(NamedTuple):
    """The picture along a side: how steep it is at each sample (rows) and offset outwards (columns)."""

    length: float
    along: Floats
    """Where the samples lie, in parts of the side."""
    offsets: Floats
    """In px."""
    slope: Floats32
    """How the colour changes outwards: samples × offsets × 3."""


def outline_fit(picture: FloatPicture, outline: Corners, tolerance_px: float) -> OutlineFit:
    """How well an outline fits a picture whose sides may be off by the tolerance."""
    seen, beyond, strength, brightening = [], [], [], []
    for side in range(4):
        band = _band(picture, outline, side, max(tolerance_px + 4, _AROUND * shorter_side(outline)))
        steepness = _windowed(band.slope)
        near = np.abs(band.offsets) <= tolerance_px + 1e-9
        clear = _clearness(steepness)[:, near].max(axis=1)
        seen.append(clear[1:-1].mean())
        beyond.append(_running_on(clear[0], clear[-1]))
        strength.append(np.sqrt(steepness[1:-1, near].max(axis=1)).mean())
        brightening.append(band.slope[_IN_WINDOW:-_IN_WINDOW, len(band.offsets) // 2].mean())
    return OutlineFit(np.array(seen), np.array(beyond), np.array(strength), np.array(brightening))


def refined_outline(picture: FloatPicture, outline: Corners, *, is_near: bool = False) -> Corners:
    """The outline moved onto the card's edges: from up to 7 % of its shorter side away, to a part of a pixel.

    ``is_near`` says that it is on the right edges already, and need only become exact.
    """
    for reach, outermost in () if is_near else ((0.07, True), (0.035, True), (0.02, False)):
        reach_px = max(3.0, reach * shorter_side(outline))
        lines = [_clear_line(picture, outline, side, reach_px, outermost=outermost) for side in range(4)]
        outline = _corners(lines, outline)
    for _ in range(2):
        outline = _corners([_exact_curve(picture, outline, side) for side in range(4)], outline)
    return outline


class SideVotes(NamedTuple):
    """How well straight lines along a side are seen: ``votes[i, j]`` is that of the line from an offset to another."""

    offsets: Floats
    """In px outwards, evenly spaced."""
    votes: Floats


def side_votes(picture: FloatPicture, outline: Corners, side: int, reach_px: float) -> SideVotes:
    """How well the lines near a side are seen, up to 1; those that run on beyond the card count less."""
    band = _band(picture, outline, side, reach_px)
    starts, ends, _, votes = _line_votes(band)
    square = np.zeros((len(band.offsets),) * 2)
    square[starts, ends] = votes
    return SideVotes(band.offsets, square)


def outer_outline(picture: FloatPicture, outline: Corners) -> Corners:
    """The outline with those sides moved out to the paper's edge that are on a line printed a few pixels within."""
    return _corners([_outer_line(picture, outline, side) for side in range(4)], outline)


def mixed_outlines(one: Corners, other: Corners) -> Outlines:
    """The outlines (16 × 4 × 2) with each side from one or the other, which begin at the same corner."""
    first, last = _outwards(one, other)
    lines = np.stack([last - first, first], axis=1)
    chosen = [[bool(mix >> side & 1) for side in range(4)] for mix in range(16)]
    return np.array([_corners([line * taken for line, taken in zip(lines, mix, strict=True)], one) for mix in chosen])


def is_framed(one: Corners, outer: Corners) -> bool:
    """Whether an outline is that of a frame printed within the outer one: as far from it at all sides."""
    first, last = _outwards(one, outer)
    return bool(min(first.min(), last.min()) > max(1.0, 0.6 * max(first.max(), last.max())))


def moved_outwards(one: Corners, other: Corners) -> Floats:
    """How far (4, px) the middles of the sides of one outline must be moved outwards to be those of another."""
    first, last = _outwards(one, other)
    return np.asarray(0.5 * (first + last))


def joined_outline(outlines: list[Corners], fits: list[OutlineFit]) -> Corners:
    """The best side each of several outlines of one card, some of which have its frame or its shadow for a side.

    The outlines begin at the same corner. As for a single one, the outermost of the sides that are clearly seen counts.
    """
    seen = np.array([fit.seen for fit in fits])
    weight = seen * np.array([fit.strength for fit in fits])
    brightening = np.array([fit.brightening for fit in fits])
    base = outlines[0]
    lines = []
    for side in range(4):
        reach = base[(side + 1) % 4] - base[side]
        direction = reach / np.linalg.norm(reach)
        outward = np.array([direction[1], -direction[0]])
        ends = np.array([[(one[(side + at) % 4] - base[side]) @ outward for at in (0, 1)] for one in outlines])
        good = seen[:, side] >= _OUTERMOST * seen[:, side].max()
        near = np.flatnonzero(good)[_along_outermost(ends[good], brightening[good, side], shorter_side(base))]
        first, last = ends[near[np.argmax(weight[near, side])]]
        lines.append(np.array([last - first, first]))
    return _corners(lines, base)


def shorter_side(outline: Corners) -> float:
    """The mean length of the two opposite sides that are shorter, in px."""
    lengths = np.linalg.norm(np.roll(outline, -1, axis=0) - outline, axis=1)
    return float(min(lengths[0] + lengths[2], lengths[1] + lengths[3]) / 2)


def _along() -> Floats:
    """Where the samples lie, in parts of the side: a window before it, those on it, a window behind it."""
    before = np.linspace(-_BEYOND, -0.05, _IN_WINDOW)
    return np.concatenate([before, np.linspace(_ENDS, 1 - _ENDS, SAMPLES), 1 - before[::-1]])


def _windowed(slope: Floats32) -> Floats:
    """The mean steepness in each window along the first axis: edges add up there, noise does not."""
    mean = slope.reshape(_WINDOWS + 2, _IN_WINDOW, *slope.shape[1:]).mean(axis=1)
    return np.asarray(np.sqrt((mean.astype(np.float64) ** 2).sum(axis=-1)))


def _running_on(before: Floats, after: Floats) -> Floats:
    """A line of the table runs on at both ends; at one end only it may be chance."""
    return np.asarray(np.maximum(0.0, np.minimum(before, after) - 0.3))


def _band(picture: FloatPicture, outline: Corners, side: int, reach_px: float, gamma: float = 1.0) -> _Band:
    """Takes what lies along a side out of the picture, its values raised to the power ``gamma``."""
    start, end = outline[side], outline[(side + 1) % 4]
    length = float(np.linalg.norm(end - start))
    direction = (end - start) / max(length, 1e-9)
    outward = np.array([direction[1], -direction[0]])
    step = max(0.5, reach_px / 20)
    offsets = np.arange(-round(reach_px / step), round(reach_px / step) + 1) * step
    along = _along()
    places = start + along[:, None, None] * length * direction + offsets[:, None] * outward
    colours = _colours_at(picture, places)
    if gamma != 1:
        colours = _raised(colours, gamma)
    reach = max(1, round(1.0 / step))
    slope = np.zeros_like(colours)
    slope[:, reach:-reach] = colours[:, 2 * reach :] - colours[:, : -2 * reach]
    return _Band(length, along, offsets.astype(np.float64), np.asarray(slope, np.float32))


def _colours_at(picture: FloatPicture, places: Floats) -> Floats32:
    across, down = (places[..., axis].astype(np.float32) for axis in (0, 1))
    colours = cv2.remap(picture, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(colours, np.float32)


def _raised(colours: Floats32, gamma: float) -> Floats32:
    return np.asarray(255 * (np.maximum(colours, 0) / 255) ** gamma, np.float32)


def _clearness(steepness: Floats) -> Floats:
    """How clearly each place lies on an edge, 0 to 1, compared to the grain around."""
    grain = np.median(steepness)
    squared = steepness**2
    return np.asarray(squared / (squared + (1.5 * grain + _FAINT) ** 2))


def _clear_line(picture: FloatPicture, outline: Corners, side: int, reach_px: float, *, outermost: bool) -> Floats:
    """The straight line that is the card's edge, as the coefficients of its offset outwards.

    A printed frame is as straight as the edge and often clearer: if asked for, the outermost of the clear lines is
    taken instead of the clearest. Lines that run on beyond the card are the table's.
    """
    band = _band(picture, outline, side, reach_px)
    count = len(band.offsets)
    starts, ends, slope, votes = _line_votes(band)
    steepness = _windowed(slope)
    square = np.zeros((count, count))
    square[starts, ends] = votes
    reach = max(1, round(1.2 / (band.offsets[1] - band.offsets[0])))
    peaks = cv2.dilate(square, np.ones((2 * reach + 1, 2 * reach + 1)))[starts, ends]
    good = np.flatnonzero((votes >= _OUTERMOST * votes.max()) & (votes >= peaks))
    if outermost:
        ends_px = np.stack([band.offsets[starts[good]], band.offsets[ends[good]]], axis=1)
        brightening = slope[_IN_WINDOW:-_IN_WINDOW, good].mean(axis=(0, 2))
        good = good[_along_outermost(ends_px, brightening, shorter_side(outline))]
    chosen = good[np.argmax(np.sqrt(steepness[1:-1, good]).mean(axis=0) * votes[good])]
    first, last = band.offsets[starts[chosen]], band.offsets[ends[chosen]]
    return np.array([last - first, first])


def _line_votes(band: _Band) -> tuple[Indices, Indices, Floats32, Floats]:
    """All lines through a band that are not too slanted: the places of their ends, how colours change, how clear."""
    starts, ends, places = _lines(len(band.offsets))
    slope = band.slope.reshape(-1, band.slope.shape[2])[places]
    clear = _clearness(_windowed(slope))
    return starts, ends, slope, np.asarray(clear[1:-1].mean(axis=0) - 0.5 * _running_on(clear[0], clear[-1]))


@lru_cache(16)
def _lines(count: int) -> tuple[Indices, Indices, Indices]:
    """The ends of all lines through a band of so many offsets (n each), and their places in it (samples × n)."""
    starts, ends = np.divmod(np.arange(count * count), count)
    level = np.abs(starts - ends) <= count // 4
    starts, ends = starts[level], ends[level]
    along = _along()[:, None]
    columns = np.rint(starts * (1 - along) + ends * along).astype(int).clip(0, count - 1)
    return starts, ends, np.arange(len(along))[:, None] * count + columns


def _along_outermost(ends: Floats, brightening: Floats, card_px: float) -> Indices:
    """Of lines (n × 2, how far out each end lies) those that can be the edge, given the outermost of them.

    A card's own shadow runs along its edge, a little further out and not quite parallel. It gets brighter outwards
    where it ends; the edge inside of it gets darker, which a frame in white paper does not.
    """
    outermost = ends.sum(axis=1).argmax()
    inwards = ends[outermost] - ends

    def within(width: float) -> Flags:
        return np.asarray((inwards.mean(axis=1) <= width) & (inwards <= 1.5 * width).all(axis=1))

    darker = within(max(3.0, _SHADOW * card_px)) & (brightening < 0)
    if brightening[outermost] > 0 and darker.any():
        return np.flatnonzero(darker)
    return np.flatnonzero(within(max(2.0, _THICKNESS * card_px)))


def _exact_curve(picture: FloatPicture, outline: Corners, side: int) -> Floats:
    """The side to a part of a pixel, as the coefficients of its offset outwards over its length (0 to 1).

    A long side may be a parabola: lenses bend lines.
    """
    band = _band(picture, outline, side, 4.0, _GAMMA)
    on_side = slice(_IN_WINDOW, -_IN_WINDOW)
    smooth = cv2.blur(band.slope[on_side], (1, _IN_WINDOW), borderType=cv2.BORDER_REPLICATE)
    steepness = np.sqrt((smooth.astype(np.float64) ** 2).sum(axis=2))
    along = band.along[on_side]
    near = np.abs(band.offsets) <= 2.0
    # Weighted by how clear and how near: the strongest place may be a neighbour's.
    weight = steepness * np.exp(-0.5 * (band.offsets / 1.2) ** 2) * near
    peak = np.argmax(weight, axis=1)
    rows = np.arange(SAMPLES)
    left, middle, right = (steepness[rows, np.clip(peak + shift, 0, weight.shape[1] - 1)] for shift in (-1, 0, 1))
    bend = left - 2 * middle + right
    shift = np.where(bend < -1e-9, 0.5 * (left - right) / np.where(bend < -1e-9, bend, -1.0), 0.0)
    places = band.offsets[peak] + np.clip(shift, -1, 1) * (band.offsets[1] - band.offsets[0])
    trust = _clearness(steepness)[rows, peak]
    degree = 2 if band.length > 250 else 1
    curve = np.polyfit(along, places, degree, w=trust + 1e-3)
    for _ in range(4):
        away = places - np.polyval(curve, along)
        spread = max(0.15, 1.5 * float(np.median(np.abs(away))))
        curve = np.polyfit(along, places, degree, w=trust / (1 + (away / spread) ** 2) + 1e-3)
    return np.asarray(curve)


def _outer_line(picture: FloatPicture, outline: Corners, side: int) -> Floats:
    """A side on the outermost edge near it, as the coefficients of its offset; zeros where it is there already."""
    start, reach = outline[side], outline[(side + 1) % 4] - outline[side]
    outward = np.array([reach[1], -reach[0]]) / max(float(np.linalg.norm(reach)), 1e-9)
    halves = np.linspace(_ENDS, 1 - _ENDS, SAMPLES).reshape(2, -1)
    line = np.zeros(2)
    for inwards in (0.0, _INWARDS_PX):  # seen from a little within, what is printed there counts less
        moved: list[float] = []
        for along in halves:
            middle = np.polyval(line, along)[:, None, None] - inwards + OFFSETS[:, None]
            places = start + along[:, None, None] * reach + middle * outward
            edge = outermost_edge(_raised(_colours_at(picture, places), _GAMMA).mean(axis=0))
            if edge is None:
                return np.zeros(2)
            moved.append(edge - inwards)
        if abs(moved[1] - moved[0]) > _SLANT_PX:
            return np.zeros(2)
        line = line + np.polyfit(halves.mean(axis=1), moved, 1)
    is_there = np.abs(np.polyval(line, [0.0, 1.0])).max() < _SAME_PX
    return np.zeros(2) if is_there else line


def _outwards(one: Corners, other: Corners) -> tuple[Floats, Floats]:
    """How far outside the first outline's sides the second one's begin and end, in px."""
    reach, apart = np.roll(one, -1, axis=0) - one, other - one
    outward = np.stack([reach[:, 1], -reach[:, 0]], axis=1) / np.linalg.norm(reach, axis=1, keepdims=True)
    first, last = ((move * outward).sum(axis=1) for move in (apart, np.roll(apart, -1, axis=0)))
    return first, last


def _corners(sides: list[Floats], outline: Corners) -> Corners:
    """Where neighbouring sides meet; each is given by the coefficients of its offset outwards over its length."""
    curves = [_as_curve(side, outline, number) for number, side in enumerate(sides)]
    corners = np.empty((4, 2))
    for corner in range(4):
        before, after = curves[corner - 1], curves[corner]
        before_at, after_at = 1.0, 0.0
        for _ in range(3):
            (p, along_p), (q, along_q) = _tangent(before, before_at), _tangent(after, after_at)
            # Written out, as numpy takes thirty times as long for two equations.
            (px, py), (qx, qy), (x, y) = along_p.tolist(), along_q.tolist(), (q - p).tolist()
            determinant = py * qx - px * qy
            if abs(determinant) < 1e-6:
                break
            before_at += (y * qx - x * qy) / determinant
            after_at += (y * px - x * py) / determinant
        corners[corner] = 0.5 * (_tangent(before, before_at)[0] + _tangent(after, after_at)[0])
    return corners


class _Curve(NamedTuple):
    start: Floats
    reach: Floats
    """From the side's start to its end."""
    outward: Floats
    offsets: Floats
    """Coefficients, the highest power first."""


def _as_curve(side: Floats, outline: Corners, number: int) -> _Curve:
    start, reach = outline[number], outline[(number + 1) % 4] - outline[number]
    direction = reach / max(float(np.linalg.norm(reach)), 1e-9)
    return _Curve(start, reach, np.array([direction[1], -direction[0]]), side)


def _tangent(curve: _Curve, at: float) -> tuple[Floats, Floats]:
    """The point of a curve and its direction there."""
    offset = slope = 0.0
    for coefficient in curve.offsets.tolist():  # numpy takes ten times as long for two or three numbers
        offset, slope = offset * at + coefficient, slope * at + offset
    return curve.start + at * curve.reach + offset * curve.outward, curve.reach + slope * curve.outward
