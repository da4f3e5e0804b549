"""Where values stand on a card, what is under them, and what tells which way up it is. All lengths in mm."""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

from companion.games.drawing.svg import (
    XY,
    circle,
    ellipse,
    group,
    path,
    placed,
    polygon,
    rectangle,
    stroke,
    turned,
)
from tests.vision.random_decks.grounds import signature
from tests.vision.random_decks.numerals import Written, written
from tests.vision.random_decks.scenery import Disc
from tests.vision.random_decks.style import Mark, Place, Style

APART: Final = {1: 3, 2: 4, 3: 1, 4: 2}
"""The value that may not lie beside this one (clause LAY4)."""
_SHARES: Final[dict[Place, XY]] = {
    "nw": (0, 0), "ne": (1, 0), "sw": (0, 1), "se": (1, 1), "w": (0, 0.27), "e": (1, 0.73),
    "n": (0.5, 0), "s": (0.5, 1), "middle": (0.5, 0.5),
}  # fmt: skip
_ROUND: Final = ("disc", "ring", "diamond", "oval")


class Placed(NamedTuple):
    """A mark on the card: what is drawn there, and the room that it takes."""

    drawing: str
    disc: Disc


def placed_mark(style: Style, mark: Mark, value: int, base: str) -> Placed:
    """A value at one of its places; ``base`` is the colour of the ground."""
    numeral = style.numeral._replace(height_mm=style.numeral.height_mm * mark.scale)
    ink = style.inks[value - 1]
    fill = style.fills[value - 1] if style.shield not in {"none", "patch", "halo", "ring"} else base
    text = written(value, numeral, ink, fill, halo=base if style.shield == "halo" else None)
    drawing, half_width, half_height = _shielded(style, text, fill, ink)
    near = 2.2 if style.frame is None else style.frame.inset_mm + style.frame.width_mm + 1.2
    x, y = (
        near + half + share * (side - 2 * (near + half))
        for share, side, half in zip(_SHARES[mark.place], style.card_mm, (half_width, half_height), strict=True)
    )
    if mark.is_turned:
        drawing = turned(drawing, 180)
    return Placed(placed(drawing, x, y), (x, y, max(half_width, half_height)))


def _shielded(style: Style, text: Written, fill: str, ink: str) -> tuple[str, float, float]:
    """A numeral on its shield, and half the width and height of both."""
    half_width, half_height = text.width_mm / 2, text.height_mm / 2
    room = max(0.7, 0.16 * text.height_mm)
    if style.shield in {"none", "halo"}:
        return text.drawing, half_width, half_height
    draw = _round_shield if style.shield in _ROUND else _square_shield
    under, wide, high = draw(style, half_width, half_height, room, fill, ink)
    return under + text.drawing, wide, high


def _round_shield(
    style: Style, half_width: float, half_height: float, room: float, fill: str, ink: str
) -> tuple[str, float, float]:
    radius = (half_width**2 + half_height**2) ** 0.5 + 0.5 * room
    match style.shield:
        case "disc":
            under = circle(0, 0, radius, fill, stroke=style.line, stroke_width=0.3)
        case "ring":
            under = circle(0, 0, radius, fill, stroke=ink, stroke_width=0.45)
        case "oval":
            return ellipse(0, 0, 0.95 * radius + room, 0.95 * radius, fill), 0.95 * radius + room, 0.95 * radius
        case _:
            radius = half_width + half_height + 0.3 * room
            under = polygon([(0, -radius), (radius, 0), (0, radius), (-radius, 0)], fill)
    return under, radius, radius


def _square_shield(
    style: Style, half_width: float, half_height: float, room: float, fill: str, ink: str
) -> tuple[str, float, float]:
    wide, high = half_width + room, half_height + room
    match style.shield:
        case "shield":
            wide = max(wide, 0.75 * high)
            points = [(-wide, -high), (wide, -high), (wide, 0.4 * high), (0, 1.6 * high), (-wide, 0.4 * high)]
            return polygon(points, fill, stroke=style.line, stroke_width=0.3), wide, 1.6 * high
        case "flag":
            points = [(-wide, -high), (wide, -high), (wide, 1.5 * high), (0, 1.1 * high), (-wide, 1.5 * high)]
            return polygon(points, fill), wide, 1.5 * high
        case "square":
            return rectangle(-wide, -high, 2 * wide, 2 * high, fill, rx=0.3 * room), wide, high
        case _:  # a patch of the bare ground
            return rectangle(-wide, -high, 2 * wide, 2 * high, fill), wide, high


def reminder(style: Style, value: int, base: str) -> Placed:
    """The value that may not lie beside this one, small and crossed out, in the corner that is freest."""
    taken = {mark.place for mark in style.marks}
    corners: tuple[Place, ...] = ("sw", "ne", "se", "nw")
    place = next((corner for corner in corners if corner not in taken), corners[0])
    numeral = style.numeral._replace(height_mm=3.6, script="arabic", look="filled", weight=0.13)
    text = written(APART[value], numeral, style.line, base)
    strike = stroke([(-2, 2), (2, -2)], style.alarm, 0.5)
    drawing = circle(0, 0, 3.0, base, stroke=style.alarm, stroke_width=0.5) + text.drawing + strike
    near = 5.2 if style.frame is None else style.frame.inset_mm + style.frame.width_mm + 4.2
    x, y = (near + share * (side - 2 * near) for share, side in zip(_SHARES[place], style.card_mm, strict=True))
    return Placed(placed(drawing, x, y), (x, y, 3.2))


def up_mark(style: Style, base: str, random: Random) -> str:
    """What tells up from down on a card whose marks do not."""
    width, height = style.card_mm
    low = 3.4 if style.frame is None else style.frame.inset_mm + style.frame.width_mm + 2.2
    at = (0.72 * width if any(mark.place == "sw" for mark in style.marks) else 0.27 * width, height - low)
    match style.up_mark:
        case "caption":
            words = "".join(
                f"M{x:.2f} 0h{wide:.2f}" for x, wide in ((-6.5, 3.8), (-2.0, 2.2), (0.9, 5.0))
            )  # a line of print too small to be read
            return placed(
                rectangle(-7.2, -1.1, 14.2, 2.2, base) + path(words, stroke=style.line, stroke_width=1.1), *at
            )
        case "emblem":
            wheel = circle(0, 0, 1.7, base, stroke=style.line, stroke_width=0.8) + circle(0, 0, 0.6, style.line)
            return placed(wheel, *at)
        case "signature":
            return placed(signature(random, style.line, 9.0), *at)
        case "footer":
            return rectangle(0.12 * width, height - low - 0.9, 0.2 * width, 1.3, style.line) + group(
                rectangle(0.68 * width, height - low - 0.9, 0.2 * width, 1.3, style.line)
            )
        case "none":
            return ""
