"""Colours as SVG writes them, drawn at random, and how well one is seen on another."""

from __future__ import annotations

import colorsys
from random import Random


def of_hls(hue: float, lightness: float, saturation: float) -> str:
    """A colour from its hue (0 to 1, around the circle), lightness and saturation (0 to 1)."""
    parts = colorsys.hls_to_rgb(hue % 1.0, min(1.0, max(0.0, lightness)), min(1.0, max(0.0, saturation)))
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


def channels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue, 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mixed(one: str, other: str, share: float) -> str:
    """A colour between two, at 0 the one, at 1 the other."""
    pairs = zip(channels(one), channels(other), strict=True)
    return "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in pairs)


def luminance(colour: str) -> float:
    """How bright it looks, 0 to 1, in linear light."""
    red, green, blue = ((part / 255) ** 2.2 for part in channels(colour))
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


def contrast(one: str, other: str) -> float:
    """How clearly one is seen on the other, from 1 (not at all) to 21 (black on white), as for web pages."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def is_dark(colour: str) -> bool:
    """Whether white is seen better on it than black."""
    return contrast(colour, "#ffffff") > contrast(colour, "#000000")


def ink_on(ground: str, least: float, random: Random, *, hue: float | None = None, saturation: float = 0.6) -> str:
    """An ink that is seen on a ground with at least this contrast, of a hue if one is given."""
    hue = random.random() if hue is None else hue
    towards = "#ffffff" if is_dark(ground) else "#000000"
    ink = of_hls(hue, random.uniform(0.25, 0.75), saturation * random.uniform(0.6, 1.0))
    return clearer(ink, ground, least, towards)


def clearer(ink: str, ground: str, least: float, towards: str | None = None) -> str:
    """The ink, moved as little towards white or black as makes it seen on the ground with this contrast."""
    towards = towards or ("#ffffff" if is_dark(ground) else "#000000")
    steps = (mixed(ink, towards, step / 20) for step in range(21))
    return next((colour for colour in steps if contrast(colour, ground) >= least), towards)


def apart(count: int, random: Random, lightness: float, saturation: float) -> tuple[str, ...]:
    """So many colours around the circle, far from one another, in a random order."""
    first = random.random()
    hues = [first + (index + random.uniform(-0.2, 0.2)) / count for index in range(count)]
    random.shuffle(hues)
    return tuple(of_hls(hue, lightness + random.uniform(-0.06, 0.06), saturation) for hue in hues)
