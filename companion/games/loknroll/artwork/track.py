"""The railway on a card: ballast, sleepers and two rails, the same width and colours on every card."""

from random import Random
from typing import Final

from companion.games.drawing.svg import circle, group, polygon, stroke
from companion.games.loknroll.artwork.centre_line import CentreLine
from companion.games.loknroll.artwork.palette import (
    BALLAST,
    BALLAST_EDGE,
    RAIL,
    RAIL_SHINE,
    SLEEPER,
    SLEEPER_SHADE,
    STONE_DARK,
    STONE_LIGHT,
)

BAND_MM: Final = 17.0
"""Width of the ballast."""
GAUGE_MM: Final = 9.0
"""From the middle of one rail to the middle of the other."""
RAIL_MM: Final = 1.5
SLEEPER_MM: Final = (13.4, 2.3)
SPACING_MM: Final = 4.86
"""About from sleeper to sleeper; a whole number of spacings fits on each card, half of one at each edge."""


def sleepers_at(line: CentreLine) -> list[float]:
    """How far along the line each sleeper lies."""
    count = max(2, round(line.length / SPACING_MM))
    return [(index + 0.5) * line.length / count for index in range(count)]


def track(line: CentreLine, rng: Random) -> str:
    """The whole railway of an unbroken card."""
    sleepers = (sleeper(line, distance) for distance in sleepers_at(line))
    return group(ballast(line, rng), *sleepers, rails(line, 0, line.length))


def ballast(line: CentreLine, rng: Random) -> str:
    """The bed of stones, from edge to edge."""
    half = BAND_MM / 2
    return group(_band(line, half, BALLAST_EDGE), _band(line, half - 0.6, BALLAST), _stones(line, rng))


def sleeper(line: CentreLine, distance: float) -> str:
    """A sleeper across the line."""
    spot, half, deep = line.at(distance), SLEEPER_MM[0] / 2, SLEEPER_MM[1] / 2
    wood = [spot.beside(side, ahead) for side, ahead in ((-half, -deep), (half, -deep), (half, deep), (-half, deep))]
    grain = [spot.beside(side, 0.55 * deep) for side in (0.1 - half, half - 0.1)]
    return polygon(wood, SLEEPER) + stroke(grain, SLEEPER_SHADE, 0.45 * deep)


def rails(line: CentreLine, start: float, end: float) -> str:
    """Both rails between two distances along the line."""
    return group(*(rail for side in (-GAUGE_MM / 2, GAUGE_MM / 2) for rail in _rail(line, side, start, end)))


def _rail(line: CentreLine, side: float, start: float, end: float) -> tuple[str, str]:
    inner, outer = (line.beside(side + shift, start, end) for shift in (-RAIL_MM / 2, RAIL_MM / 2))
    return polygon(inner + outer[::-1], RAIL), stroke(line.beside(side, start, end), RAIL_SHINE, 0.3)


def _band(line: CentreLine, half: float, fill: str) -> str:
    return polygon(line.beside(-half) + line.beside(half)[::-1], fill)


def _stones(line: CentreLine, rng: Random) -> str:
    """Some lighter and darker stones, none so near to an edge that it would be cut."""
    stones = []
    for _ in range(round(line.length * 1.1)):
        spot = line.at(rng.uniform(1, line.length - 1))
        x, y = spot.beside(rng.choice((-1, 1)) * rng.uniform(0, BAND_MM / 2 - 1.1))
        stones.append(circle(x, y, rng.uniform(0.22, 0.42), rng.choice((STONE_LIGHT, STONE_DARK, STONE_DARK))))
    return group(*stones)
