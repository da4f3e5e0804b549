"""The railway on a card: bed, sleepers, one rail or two, whole or broken. All lengths in mm."""

from __future__ import annotations

import math
from random import Random

from companion.games.drawing.svg import (
    XY,
    around,
    circle,
    element,
    group,
    path,
    polygon,
    polyline,
    rectangle,
    smooth,
    stroke,
)
from companion.games.loknroll.artwork.centre_line import CentreLine
from tests.vision.random_decks.style import Bed, Break, Sleepers, Style, Track

_AROUND_MM = 10.0
"""How far beyond a card what hides a part of a drawing reaches."""


def railway(
    line: CentreLine, style: Style, base: str, random: Random, *, is_broken: bool, keeps_track: bool = False
) -> str:
    """The railway of a track card; ``base`` is the ground's colour.

    Of one that ``is_broken`` both ends are laid anew, or it ``keeps_track`` as the whole one lies but for the gap.
    """
    track = style.track
    start, end = track.short_mm, line.length - track.short_mm
    parts = []
    if track.cleared_mm:
        parts.append(stroke(line.beside(0, start, end), base, track.width_mm + 2 * track.cleared_mm))
    if not is_broken or style.breaks == "cross":
        parts.append(_piece(line, track, start, end, random))
        return group(*parts, _broken(line, style, base, random) if is_broken else "")
    gap = _gap(line)
    if keeps_track:
        parts.append(_without(_piece(line, track, start, end, random), line, gap, style))
    else:
        parts.append(_piece(line, track, start, gap[0], random))
        parts.append(_piece(line, track, gap[1], end, random))
    return group(*parts, _broken(line, style, base, random))


def _without(drawing: str, line: CentreLine, gap: tuple[float, float], style: Style) -> str:
    """A drawing but for what of it lies in the gap."""
    reach = style.track.width_mm / 2 + _AROUND_MM
    missing = [*line.beside(-reach, *gap), *reversed(line.beside(reach, *gap))]
    width, height = (side + 2 * _AROUND_MM for side in style.card_mm)
    kept = rectangle(-_AROUND_MM, -_AROUND_MM, width, height, "#ffffff") + polygon(missing, "#000000")
    # Its own bounds would be those of the drawing, and a straight line has none.
    bounds = {"x": -_AROUND_MM, "y": -_AROUND_MM, "width": width, "height": height}
    mask = element("mask", kept, id="gap", maskUnits="userSpaceOnUse", **bounds)
    return mask + group(drawing, mask="url(#gap)")


def _gap(line: CentreLine) -> tuple[float, float]:
    """Where the track is missing; not in the middle, so that the two ends of a card differ."""
    middle, half = 0.42 * line.length, min(6.0, 0.12 * line.length)
    return middle - half, middle + half


def _piece(line: CentreLine, track: Track, start: float, end: float, random: Random) -> str:
    bed = "" if track.bed is None else _bed(line, track.bed, start, end, random)
    sleepers = "" if track.sleepers is None else _sleepers(line, track.sleepers, start, end, random)
    sides = (0.0,) if track.rails == 1 else (-track.gauge_mm / 2, track.gauge_mm / 2)
    return group(bed, sleepers, *(_rail(line.beside(side, start, end), track) for side in sides))


def _bed(line: CentreLine, bed: Bed, start: float, end: float, random: Random) -> str:
    parts = [stroke(line.beside(0, start, end), bed.edge, bed.width_mm)]
    parts.append(stroke(line.beside(0, start, end), bed.colour, bed.width_mm - 1.0))
    if bed.stones:
        for _ in range(round((end - start) * 0.9)):
            spot = line.at(random.uniform(start, end))
            place = spot.beside(random.uniform(-0.45, 0.45) * (bed.width_mm - 1))
            parts.append(circle(*place, random.uniform(0.2, 0.4), bed.edge))
    return group(*parts)


def _sleepers(line: CentreLine, kind: Sleepers, start: float, end: float, random: Random) -> str:
    count = max(1, round((end - start) / kind.step_mm))
    data: list[str] = []
    for index in range(count):
        spot = line.at(start + (index + 0.5) * (end - start) / count)
        lean = random.gauss(0, kind.loose)
        half = kind.length_mm / 2 * (1 + random.gauss(0, 0.4 * kind.loose))
        data.append(polyline([spot.beside(-half, -half * lean), spot.beside(half, half * lean)]))
    return path("".join(data), stroke=kind.colour, stroke_width=kind.width_mm)


def _rail(points: list[XY], track: Track) -> str:
    wide, colour, second = track.rail_mm, track.colour, track.second
    match track.look:
        case "lit":
            return stroke(points, colour, wide) + stroke(points, second, 0.35 * wide)
        case "cased":
            return stroke(points, second, wide) + stroke(points, colour, 0.55 * wide)
        case "hairlines":
            # Two lines with the bare ground between them would need the ground again; a paler core does it.
            return stroke(points, colour, wide) + stroke(points, second, max(0.25, wide - 0.7))
        case "dashed":
            # A dash at both ends: else rails would seem to end before the edge.
            length = sum(map(math.dist, points, points[1:]))
            dash = length / (4 * max(1, round(length / 4.3)) + 3)
            return path(
                polyline(points), stroke=colour, stroke_width=wide, stroke_dasharray=f"{3 * dash:.3f} {dash:.3f}"
            )
        case "candy":
            dashes = path(polyline(points), stroke=second, stroke_width=0.6 * wide, stroke_dasharray="4 4")
            return stroke(points, colour, wide) + dashes
        case "plain":
            return stroke(points, colour, wide)


def _broken(line: CentreLine, style: Style, base: str, random: Random) -> str:
    """What has happened to the track, over it."""
    middle = sum(_gap(line)) / 2
    half = style.track.width_mm / 2 + 1.5
    draw = {"gap": _jags, "cross": _cross, "crater": _crater, "barrier": _barriers, "burst": _burst}
    return draw[style.breaks](line, middle, half, style, base, random)


def _jags(line: CentreLine, middle: float, half: float, style: Style, base: str, random: Random) -> str:
    """A jagged line at each end, as draughtsmen draw a break."""
    jags = []
    for end in _gap(line):
        spot = line.at(end)
        steps = [-1 + 2 * index / 6 for index in range(7)]
        points = [
            spot.beside(step * half, random.uniform(0.6, 2.0) * (-1) ** index) for index, step in enumerate(steps)
        ]
        jags.append(stroke(points, style.alarm, 0.7))
    return group(*jags)


def _cross(line: CentreLine, middle: float, half: float, style: Style, base: str, random: Random) -> str:
    spot, reach = line.at(middle), max(half, 6.0)
    arms = ([spot.beside(-reach, -reach * lean), spot.beside(reach, reach * lean)] for lean in (-1, 1))
    lines = list(arms)
    return group(*(stroke(arm, base, 3.4) for arm in lines), *(stroke(arm, style.alarm, 2.0) for arm in lines))


def _crater(line: CentreLine, middle: float, half: float, style: Style, base: str, random: Random) -> str:
    spot = line.at(middle)

    def blob(reach: float) -> str:
        return smooth(around(spot.x, spot.y, [reach * random.uniform(0.8, 1.1) for _ in range(11)]))

    clods = (
        circle(spot.x + random.gauss(0, half), spot.y + random.gauss(0, half), random.uniform(0.4, 1.1), style.line)
        for _ in range(10)
    )
    return group(*clods, path(blob(half), style.line), path(blob(0.62 * half), style.alarm))


def _barriers(line: CentreLine, middle: float, half: float, style: Style, base: str, random: Random) -> str:
    """A striped plank at each end of the gap."""
    planks = []
    for end in _gap(line):
        spot = line.at(end)
        ends = [spot.beside(-half), spot.beside(half)]
        planks += [stroke(ends, style.line, 2.6), stroke(ends, style.alarm, 1.8)]
        data = polyline([spot.beside(-half + 1), spot.beside(half - 1)])
        planks.append(path(data, stroke=base, stroke_width=1.8, stroke_dasharray="2 2"))
    return group(*planks)


def _burst(line: CentreLine, middle: float, half: float, style: Style, base: str, random: Random) -> str:
    spot = line.at(middle)
    outer = [half * random.uniform(0.95, 1.3) if index % 2 else 0.5 * half for index in range(20)]
    star = around(spot.x, spot.y, outer)
    inner = around(spot.x, spot.y, [0.6 * radius for radius in outer])
    return polygon(star, style.alarm, stroke=style.line, stroke_width=0.4) + polygon(inner, base)


BREAKS: tuple[Break, ...] = ("gap", "cross", "crater", "barrier", "burst")
