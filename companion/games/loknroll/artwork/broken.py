"""A broken track: a crater that the rails bend out of, splintered sleepers, barriers and a warning sign."""

import math
from random import Random
from typing import Final

from companion.games.drawing.svg import (
    XY,
    around,
    circle,
    group,
    number,
    path,
    polygon,
    rectangle,
    smooth,
    stroke,
    turned,
)
from companion.games.loknroll.artwork.centre_line import CentreLine, Spot
from companion.games.loknroll.artwork.glyphs import glyph
from companion.games.loknroll.artwork.palette import (
    DANGER,
    INK,
    PAPER,
    RAIL,
    RAIL_SHINE,
    SLEEPER,
    SLEEPER_SHADE,
    WARNING,
)
from companion.games.loknroll.artwork.track import BAND_MM, GAUGE_MM, RAIL_MM, ballast, rails, sleeper, sleepers_at

GAP_MM: Final = 17.0
SIGN_MM: Final = 13.0
_SOIL: Final = ("#57463a", "#3b2f28")


def broken_track(line: CentreLine, rng: Random) -> str:
    """The railway of a broken track card, whole at both edges."""
    middle, half = line.length / 2, min(GAP_MM / 2, line.length / 6)
    start, end = middle - half, middle + half
    whole = [distance for distance in sleepers_at(line) if not start - 0.5 < distance < end + 0.5]
    return group(
        ballast(line, rng),
        *(sleeper(line, distance) for distance in whole),
        _crater(line, middle, half, rng),
        *(_splinter(line, rng.uniform(start + 2, end - 2), rng) for _ in range(7)),
        rails(line, 0, start),
        rails(line, end, line.length),
        *(_bent_rail(line.at(start), side, 1, rng) for side in (-1, 1)),
        *(_bent_rail(line.at(end), side, -1, rng) for side in (-1, 1)),
        _barrier(line.at(start - 4.2)),
        _barrier(line.at(end + 4.2)),
    )


def warning_sign(size: float = SIGN_MM) -> str:
    """A warning triangle around (0, 0), this wide."""
    corners = [(0.0, -0.52), (0.5, 0.42), (-0.5, 0.42)]
    layers = [(1.0, PAPER), (0.92, DANGER), (0.6, WARNING)]
    drawn = []
    for share, fill in layers:
        points = [(size * share * x, size * (share * (y - 0.1) + 0.1)) for x, y in corners]
        drawn.append(polygon(points, fill, stroke=fill, stroke_width=0.09 * size * share, stroke_linejoin="round"))
    return group(*drawn, glyph("!", 0, 0.09 * size, 0.46 * size, INK))


def _crater(line: CentreLine, middle: float, half: float, rng: Random) -> str:
    """A dark hole across the whole bed, with clods around it."""
    spot = line.at(middle)
    tilt = math.radians(spot.heading_degrees)

    def outline(across: float, along: float) -> list[XY]:
        shape = around(0, 0, [rng.uniform(0.86, 1.08) for _ in range(13)])
        return [_turned((across * x, along * y), tilt, spot) for x, y in shape]

    clods = []
    for _ in range(16):
        x, y = spot.beside(rng.choice((-1, 1)) * rng.uniform(5, BAND_MM / 2 + 1), rng.uniform(-half, half))
        clods.append(circle(x, y, rng.uniform(0.4, 1.0), rng.choice(_SOIL)))
    hole = path(smooth(outline(BAND_MM / 2 + 1.2, half)), _SOIL[0])
    return group(hole, path(smooth(outline(BAND_MM / 2 - 1.4, half - 2.6)), _SOIL[1]), *clods)


def _turned(point: XY, radians: float, spot: Spot) -> XY:
    sine, cosine = math.sin(radians), math.cos(radians)
    return spot.x + cosine * point[0] - sine * point[1], spot.y + sine * point[0] + cosine * point[1]


def _bent_rail(spot: Spot, side: int, forward: int, rng: Random) -> str:
    """The end of a torn rail, bent outwards or inwards."""
    rail, bend, reach = side * GAUGE_MM / 2, rng.choice((-0.55, 0.7, 1.1)), rng.uniform(0.8, 1.25)
    points = [
        spot.beside(rail + side * bend * right, forward * reach * ahead)
        for right, ahead in ((0, -0.4), (0.1, 1.4), (0.9, 3.0), (2.6, 4.2), (4.6, 4.7))
    ]
    return stroke(points, RAIL, RAIL_MM) + stroke(points, RAIL_SHINE, 0.3)


def _splinter(line: CentreLine, distance: float, rng: Random) -> str:
    """A piece of a sleeper with a jagged end, lying anyhow."""
    x, y = line.at(distance).beside(rng.uniform(-6.5, 6.5))
    long, wide = rng.uniform(2.2, 4.2), rng.uniform(0.6, 0.95)
    outline = [
        (-long, -wide),
        (long * 0.7, -wide),
        (long * 0.5, -0.3 * wide),
        (long, 0.1 * wide),
        (long * 0.6, wide),
        (-long * 0.8, wide),
        (-long * 1.1, 0.0),
    ]
    shade = stroke([(-long * 0.7, 0.4 * wide), (long * 0.4, 0.4 * wide)], SLEEPER_SHADE, 0.5 * wide)
    drawing = turned(polygon(outline, rng.choice((SLEEPER, "#c79b73"))) + shade, rng.uniform(0, 180))
    return group(drawing, transform=f"translate({number(x)} {number(y)})")


def _barrier(spot: Spot) -> str:
    """A plank with red and white stripes across the track."""
    long, wide, lean, stripes = 15.6, 3.2, 1.2, 6
    plank = [
        rectangle(-long / 2 - 0.45, -wide / 2 - 0.45, long + 0.9, wide + 0.9, INK, rx=0.5),
        rectangle(-long / 2, -wide / 2, long, wide, PAPER),
    ]
    step = long / stripes
    for index in range(stripes):
        left = index * step - long / 2
        corners = [
            (left + lean / 2, -wide / 2),
            (left + step / 2 + lean / 2, -wide / 2),
            (left + step / 2 - lean / 2, wide / 2),
            (left - lean / 2 + (0 if index else lean / 2), wide / 2),
        ]
        plank.append(polygon(corners, DANGER))
    feet = (rectangle(x - 0.7, -wide / 2 - 1.3, 1.4, wide + 2.6, INK, rx=0.5) for x in (-5.4, 5.4))
    return group(
        *feet, *plank, transform=f"translate({number(spot.x)} {number(spot.y)}) rotate({number(spot.heading_degrees)})"
    )
