"""The backs of random decks: each the same either way up, as backs of playing cards are."""

from __future__ import annotations

import math
from random import Random

from companion.games.drawing.svg import (
    around,
    circle,
    document,
    group,
    path,
    placed,
    polygon,
    rectangle,
    stroke,
    turned,
)
from tests.vision.random_decks.colours import clearer, mixed
from tests.vision.random_decks.style import Style


def back_drawing(style: Style, random: Random) -> str:
    """The back as vectors."""
    width, height = style.card_mm
    middle = width / 2, height / 2
    base = random.choice((style.line, style.alarm, style.fills[0], style.inks[1], style.ground(1).base))
    ink = clearer(random.choice((style.ground(2).base, style.fills[2], "#d8b45a")), base, 2.2)
    pattern = _pattern(style, base, ink, random)
    inset = random.uniform(1.5, 5)
    frame = rectangle(inset, inset, width - 2 * inset, height - 2 * inset, "none", stroke=ink, stroke_width=0.8, rx=2)
    half = group(pattern)
    return document(
        width, height, rectangle(-1, -1, width + 2, height + 2, base), half, turned(half, 180, *middle), frame,
        placed(_emblem(base, ink, random), *middle),
    )  # fmt: skip


def _pattern(style: Style, base: str, ink: str, random: Random) -> str:
    width, height = style.card_mm
    pale, step = mixed(base, ink, random.uniform(0.25, 0.8)), random.uniform(3, 9)
    match style.back:
        case "lattice":
            lean = random.uniform(0.6, 1.8) * height
            ends = [index * step - lean for index in range(int((width + 2 * lean) / step) + 1)]
            drawn = "".join(
                f"M{x:.2f} 0L{x + lean:.2f} {height:.2f}M{x + lean:.2f} 0L{x:.2f} {height:.2f}" for x in ends
            )
            drawn = path(drawn, stroke=pale, stroke_width=0.6)
        case "rays":
            middle, reach = (width / 2, height / 2), width + height
            rim = around(*middle, [reach] * 48)
            drawn = "".join(polygon([middle, *rim[2 * index : 2 * index + 2]], pale) for index in range(24))
        case "rings":
            radii = (index * step for index in range(1, int((width + height) / 2 / step)))
            drawn = "".join(
                circle(width / 2, height / 2, radius, "none", stroke=pale, stroke_width=1.1) for radius in radii
            )
        case "dots":
            drawn = "".join(
                circle((column + 0.5 * (row % 2)) * step, row * step, 0.22 * step, pale)
                for row in range(int(height / step) + 2)
                for column in range(int(width / step) + 2)
            )
        case "waves":
            drawn = "".join(
                stroke([(x, y * step + 1.6 * math.sin(x / 4)) for x in range(-1, round(width) + 2)], pale, 0.7)
                for y in range(int(height / step) + 2)
            )
        case "checks":
            squares = "".join(
                f"M{column * step:.2f} {row * step:.2f}h{step:.2f}v{step:.2f}h{-step:.2f}Z"
                for row in range(int(height / step) + 1)
                for column in range(row % 2, int(width / step) + 1, 2)
            )
            drawn = path(squares, pale)
        case _:  # the emblem alone
            drawn = ""
    return drawn


def _emblem(base: str, ink: str, random: Random) -> str:
    """A wheel, a star or a plain disc."""
    reach = random.uniform(7, 14)
    inside = random.choice(
        (
            group(*(turned(stroke([(0, -reach), (0, reach)], base, 0.1 * reach), 30 * index) for index in range(6))),
            polygon(around(0, 0, [0.9 * reach, 0.4 * reach] * 8), base),
            circle(0, 0, 0.6 * reach, base),
        )
    )
    return circle(0, 0, reach + 1.5, base) + circle(0, 0, reach, ink) + inside + circle(0, 0, 0.25 * reach, ink)
