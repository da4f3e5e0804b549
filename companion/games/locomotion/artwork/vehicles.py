"""Locomotives and wagons from above: their colours, and signs for who does not tell colours apart. Lengths in mm."""

from __future__ import annotations

from typing import Final

from companion.games.drawing.svg import circle, group, rectangle

COLOURS: Final = {1: "#d55e00", 2: "#f0c419", 3: "#009e73", 4: "#0072b2"}
"""Red, yellow, green, blue, in such shades that also people who mix up red and green tell them apart."""
INK: Final = "#1c2126"
_LIGHT: Final = "#fffdf4"
_SPOTS: Final = {
    1: ((0.0, 0.0),),
    2: ((-2.4, 0.0), (2.4, 0.0)),
    3: ((-3.4, 0.0), (0.0, 0.0), (3.4, 0.0)),
    4: ((-2.4, -1.9), (2.4, -1.9), (-2.4, 1.9), (2.4, 1.9)),
}
"""A wagon has as many as its number says, as dice have."""


def wagon_svg(colour: int) -> str:
    """A wagon around (0, 0) along x."""
    return group(
        rectangle(-8.2, -5.2, 16.4, 10.4, INK, rx=1.8),
        rectangle(-7.3, -4.3, 14.6, 8.6, COLOURS[colour], rx=1.1),
        *(circle(x, y, 1.45, _LIGHT, stroke=INK, stroke_width=0.5) for x, y in _SPOTS[colour]),
    )


def locomotive_svg(colour: int) -> str:
    """A locomotive around (0, 0) along x: boiler, chimney, cab; its number as bars on the roof of the cab."""
    bars = [rectangle(-5.9 + 1.3 * bar, -3, 0.7, 6, _LIGHT) for bar in range(colour)]
    return group(
        rectangle(-8.6, -5.4, 17.2, 10.8, INK, rx=2.2),
        rectangle(-1, -3.4, 9, 6.8, "#4a535c", rx=3.2),
        rectangle(-7.6, -4.6, 7.6, 9.2, COLOURS[colour], rx=1.1),
        *bars,
        circle(5.2, 0, 1.9, INK),
        circle(5.2, 0, 1.1, _LIGHT),
        circle(1.8, 0, 1.0, "#ffc81e"),
    )
