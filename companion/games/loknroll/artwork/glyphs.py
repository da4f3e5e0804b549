"""Numerals as outlines, so that no renderer needs the font."""

from functools import cache
from importlib.resources import as_file, files
from typing import NamedTuple

from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.ttLib import TTFont

from companion.games.drawing.svg import group, number, path


class Glyph(NamedTuple):
    """A character's outline in the font's own units: y upwards, the baseline at 0."""

    outline: str
    left: float
    bottom: float
    right: float
    top: float


@cache
def _glyph(character: str) -> Glyph:
    with as_file(files("companion.screen") / "typefaces" / "OpenSans-ExtraBold.ttf") as file, TTFont(file) as font:
        glyphs = font.getGlyphSet()
        name = font.getBestCmap()[ord(character)]
        pen, bounds = SVGPathPen(glyphs), BoundsPen(glyphs)
        glyphs[name].draw(pen)
        glyphs[name].draw(bounds)
    return Glyph(pen.getCommands(), *bounds.bounds)


def glyph(character: str, x: float, y: float, height: float, fill: str) -> str:
    """A character's outline with its middle at this place; ``height`` is the height of its ink."""
    drawn = _glyph(character)
    scale = height / (drawn.top - drawn.bottom)
    right = x - scale * (drawn.left + drawn.right) / 2
    down = y + scale * (drawn.bottom + drawn.top) / 2
    moved = f"translate({number(right)} {number(down)}) scale({scale:.6f} {-scale:.6f})"
    return group(path(drawn.outline, fill), transform=moved)
