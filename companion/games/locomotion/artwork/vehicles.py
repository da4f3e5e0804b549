"""Locomotives and wagons from above: their colours, and signs for who does not tell colours apart. Lengths in mm."""

from __future__ import annotations

from typing import Final

from companion.games.drawing.svg import circle, group, rectangle

COLOURS: Final = {1: "#d55e00", 2: "#f0c419", 3: "#009e73", 4: "#0072b2"}
"""Red, yellow, green, blue, in such shades that also people who mix up red and green tell them apart."""
INK: Final = "#1c2126"
LIGHT: Final = "#fffdf4"
BOILER: Final = "#4a535c"
BRASS: Final = "#ffc81e"
_SPOTS: Final = {
    1: ((0.0, 0.0),),
    2: ((-2.4, 0.0), (2.4, 0.0)),
    3: ((-3.4, 0.0), (0.0, 0.0), (3.4, 0.0)),
    4: ((-2.4, -1.9), (2.4, -1.9), (-2.4, 1.9), (2.4, 1.9)),
}
"""A wagon has as many as its number says, as dice have."""


def wagon_svg(colour: int, paint: str = "") -> str:
    """A wagon around (0, 0) along x, with another ``paint`` than the printed one's."""
    return group(
        rectangle(-8.2, -5.2, 16.4, 10.4, INK, rx=1.8),
        rectangle(-7.3, -4.3, 14.6, 8.6, paint or COLOURS[colour], rx=1.1),
        wagon_sign(colour),
    )


def wagon_sign(colour: int) -> str:
    """The spots of a wagon around (0, 0)."""
    return group(*(circle(x, y, 1.45, LIGHT, stroke=INK, stroke_width=0.5) for x, y in _SPOTS[colour]))


def locomotive_svg(colour: int, paint: str = "") -> str:
    """A locomotive around (0, 0) along x: boiler, chimney, cab; its number as bars on the roof of the cab.

    ``paint`` is that of the cab, if it is another one than the printed one's.
    """
    return group(
        rectangle(-8.6, -5.4, 17.2, 10.8, INK, rx=2.2),
        rectangle(-1, -3.4, 9, 6.8, BOILER, rx=3.2),
        rectangle(-7.6, -4.6, 7.6, 9.2, paint or COLOURS[colour], rx=1.1),
        group(locomotive_sign(colour), transform="translate(-3.8 0)"),
        circle(5.2, 0, 1.9, INK),
        circle(5.2, 0, 1.1, LIGHT),
        circle(1.8, 0, 1.0, BRASS),
    )


def locomotive_sign(colour: int) -> str:
    """The bars of a locomotive around (0, 0), across it."""
    at = (1.65 * (bar - (colour - 1) / 2) for bar in range(colour))
    return group(*(rectangle(x - 0.5, -3, 1.0, 6, LIGHT, stroke=INK, stroke_width=0.35) for x in at))
