"""Values as people print them: arabic, roman, counted in strokes or pips, in words, by several hands."""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files
from typing import Final, NamedTuple

from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

from companion.games.drawing.svg import around, circle, group, number, path, polygon
from tests.vision.random_decks.style import Numeral

# Strokes in parts of the height, the middle at (0, 0): their path, and half their width.
_Stroked = tuple[str, float]

_PEN: Final[dict[str, _Stroked]] = {
    "1": ("M-.17 -.3L.07 -.5V.5", 0.17),
    "2": ("M-.29 -.24C-.3 -.6 .3 -.6 .28 -.2C.26 .06 -.2 .24 -.3 .5H.31", 0.3),
    "3": ("M-.27 -.38C-.12 -.58 .26 -.54 .25 -.26Q.24 -.03 -.08 -.03Q.31 -.03 .3 .24C.28 .55 -.14 .57 -.3 .36", 0.3),
    "4": ("M.14 .5V-.5L-.35 .2H.34", 0.35),
    "I": ("M0 -.5V.5", 0.0),
    "V": ("M-.34 -.5L0 .5L.34 -.5", 0.34),
}
_ANGULAR: Final[dict[str, _Stroked]] = {
    **_PEN,
    "1": ("M-.14 -.32L.06 -.5V.5", 0.14),
    "2": ("M-.28 -.3L-.1 -.5H.14L.28 -.32V-.14L-.28 .5H.3", 0.3),
    "3": ("M-.28 -.5H.28L-.04 -.1H.1L.28 .1V.3L.1 .5H-.12L-.28 .34", 0.28),
    "4": ("M-.18 -.5L-.3 .14H.32M.14 -.14V.5", 0.32),
}
_SEGMENTS: Final[dict[str, _Stroked]] = {
    **_PEN,
    "1": ("M0 -.5V.5", 0.0),
    "2": ("M-.26 -.5H.26V0H-.26V.5H.26", 0.26),
    "3": ("M-.26 -.5H.26V.5H-.26M-.14 0H.26", 0.26),
    "4": ("M-.26 -.5V0H.26M.26 -.5V.5", 0.26),
}
_FOOTED: Final[dict[str, _Stroked]] = {
    "1": ("M-.2 -.36L.02 -.5V.5M-.2 .5H.22", 0.22),
    "2": ("M-.28 -.2V-.3C-.26 -.58 .3 -.6 .28 -.22C.26 .06 -.2 .26 -.3 .5H.3V.34", 0.3),
    "3": ("M-.28 -.34V-.5H.26L-.02 -.1C.16 -.12 .32 .02 .3 .22C.28 .54 -.18 .58 -.3 .36V.28", 0.3),
    "4": ("M.14 .5V-.5L-.35 .2H.36M-.02 .5H.3", 0.36),
    "I": ("M0 -.5V.5M-.13 -.5H.13M-.13 .5H.13", 0.13),
    "V": ("M-.34 -.5L0 .5L.34 -.5M-.46 -.5H-.22M.22 -.5H.46", 0.46),
}
_BRUSH: Final[dict[str, _Stroked]] = {
    "1": ("M-.12 -.34Q.02 -.4 .06 -.5Q.0 .1 .03 .5", 0.12),
    "2": ("M-.27 -.3C-.2 -.62 .34 -.52 .22 -.16C.12 .12 -.18 .3 -.28 .46C-.12 .38 .06 .52 .34 .44", 0.34),
    "3": (
        "M-.24 -.44C0 -.56 .3 -.46 .2 -.22Q.12 -.06 -.08 -.02C.16 -.06 .32 .1 .24 .3C.16 .52 -.14 .54 -.28 .42",
        0.28,
    ),
    "4": ("M-.14 -.5C-.2 -.2 -.28 .02 -.32 .14C-.1 .1 .1 .12 .34 .08M.14 -.24C.1 .1 .12 .3 .08 .5", 0.34),
    "I": ("M.02 -.5Q-.03 0 .02 .5", 0.03),
    "V": ("M-.34 -.5Q-.1 .1 0 .5Q.12 -.05 .36 -.46", 0.36),
}
_STROKED: Final = {"pen": _PEN, "angular": _ANGULAR, "segments": _SEGMENTS, "footed": _FOOTED, "brush": _BRUSH}
_TYPEFACES: Final = {
    "regular": "OpenSans-Regular.ttf",
    "bold": "OpenSans-Bold.ttf",
    "extra-bold": "OpenSans-ExtraBold.ttf",
}
_ROMAN: Final = ("I", "II", "III", "IV")
WORDS: Final = {
    "english": ("one", "two", "three", "four"),
    "german": ("eins", "zwei", "drei", "vier"),
    "french": ("un", "deux", "trois", "quatre"),
    "italian": ("uno", "due", "tre", "quattro"),
    "shouted": ("ONE", "TWO", "THREE", "FOUR"),
}
_PIPS: Final = {
    1: ((0.0, 0.0),),
    2: ((-0.3, 0.3), (0.3, -0.3)),
    3: ((-0.34, 0.34), (0.0, 0.0), (0.34, -0.34)),
    4: ((-0.3, -0.3), (0.3, -0.3), (-0.3, 0.3), (0.3, 0.3)),
}


class Written(NamedTuple):
    """A value drawn around (0, 0), and how wide and high it is, in mm."""

    drawing: str
    width_mm: float
    height_mm: float


def written(value: int, numeral: Numeral, ink: str, under: str, *, halo: str | None = None) -> Written:
    """A value in an ink; ``under`` is what it stands on, ``halo`` a colour that keeps what is around it away."""
    if numeral.script == "pips":
        return _pips(value, numeral, ink, halo)
    text = _text(value, numeral)
    if numeral.hand in _TYPEFACES or numeral.script == "words":
        return _printed(text, numeral, ink, under, halo)
    return _stroked(text, numeral, ink, under, halo)


def _text(value: int, numeral: Numeral) -> str:
    match numeral.script:
        case "roman":
            return _ROMAN[value - 1]
        case "counted":
            return "I" * value
        case "words":
            return WORDS[numeral.language][value - 1]
        case _:
            return str(value)


def _stroked(text: str, numeral: Numeral, ink: str, under: str, halo: str | None) -> Written:
    """Letters of strokes that are all of one width."""
    letters = _STROKED[numeral.hand]
    height, weight = numeral.height_mm, numeral.weight
    reach = height * (1 - weight)  # the strokes' own width belongs to the ink's height
    room = max(0.24, 1.9 * weight)
    parts, x = [], 0.0
    for index, letter in enumerate(text):
        data, half = letters[letter]
        x += half if index == 0 else half + room
        parts.append((data, x))
        x += half
    cap = "butt" if numeral.hand == "angular" else "round"
    shape = {"stroke_linecap": cap, "stroke_linejoin": "miter" if cap == "butt" else "round"}

    def moved_to(x: float) -> str:
        return f"translate({number(x)} 0)"

    def drawn(colour: str, thick: float, **more: str) -> str:
        moved = (
            path(
                data, stroke=colour, stroke_width=thick, transform=f"translate({number(at - x / 2)} 0)", **shape, **more
            )
            for data, at in parts
        )
        # Slanted and stretched: to the right by the slant times the height.
        across = reach * numeral.stretch
        return group(*moved, transform=f"matrix({across:.4f} 0 {-numeral.slant * reach:.4f} {reach:.4f} 0 0)")

    thick = weight * height / reach
    layers = [] if halo is None else [drawn(halo, thick + 1.6 / reach)]
    match numeral.look:
        case "hollow":
            layers += [drawn(ink, thick), drawn(under, 0.42 * thick)]
        case "stencilled":
            layers.append(drawn(ink, thick, stroke_dasharray=".42 .09"))
        case "filled":
            layers.append(drawn(ink, thick))
    width = (x + thick) * reach * numeral.stretch + abs(numeral.slant) * height
    return Written("".join(layers), width, height)


def _printed(text: str, numeral: Numeral, ink: str, under: str, halo: str | None) -> Written:
    """Letters of a typeface."""
    outline, left, bottom, right, top = _outline(text, _TYPEFACES.get(numeral.hand, _TYPEFACES["bold"]))
    scale = numeral.height_mm / (top - bottom)
    across = scale * numeral.stretch
    middle_x, middle_y = (left + right) / 2, (bottom + top) / 2
    place = (
        f"matrix({across:.6f} 0 {numeral.slant * scale:.6f} {-scale:.6f}"
        f" {-across * middle_x - numeral.slant * scale * middle_y:.3f} {scale * middle_y:.3f})"
    )
    layers = []
    if halo is not None:
        layers.append(
            path(outline, halo, stroke=halo, stroke_width=1.6 / scale, stroke_linejoin="round", transform=place)
        )
    if numeral.look == "hollow" and numeral.hand != "regular" and numeral.height_mm > 7:
        line = 0.07 * numeral.height_mm / scale
        layers.append(path(outline, under, stroke=ink, stroke_width=line, stroke_linejoin="round", transform=place))
    else:
        layers.append(path(outline, ink, transform=place))
    return Written("".join(layers), across * (right - left) + abs(numeral.slant) * numeral.height_mm, numeral.height_mm)


@cache
def _outline(text: str, typeface: str) -> tuple[str, float, float, float, float]:
    """A text's outline in the font's own units, y upwards, and its left, bottom, right and top."""
    with as_file(files("companion.screen") / "typefaces" / typeface) as file, TTFont(file) as font:
        glyphs, names = font.getGlyphSet(), font.getBestCmap()
        pen, bounds = SVGPathPen(glyphs), BoundsPen(glyphs)
        x = 0
        for letter in text:
            name = names[ord(letter)]
            for one in (pen, bounds):
                glyphs[name].draw(TransformPen(one, (1, 0, 0, 1, x, 0)))
            x += glyphs[name].width
    return pen.getCommands(), *bounds.bounds


def _pips(value: int, numeral: Numeral, ink: str, halo: str | None) -> Written:
    """As on dice, in a row or in a column: the hand says which, and what a pip looks like."""
    size = numeral.height_mm
    radius = size * (0.13 + 0.35 * numeral.weight)
    if numeral.hand in {"pen", "segments", "angular"}:
        step = 0.42 * size
        row = [((index - (value - 1) / 2) * step, 0.0) for index in range(value)]
        places = [(y, x) for x, y in row] if numeral.hand == "segments" else row
        radius = min(radius, 0.42 * step)
    else:
        places = [(x * size, y * size) for x, y in _PIPS[value]]
        radius = min(radius, 0.2 * size)
    width, height = (2 * (max(abs(place[axis]) for place in places) + radius) for axis in (0, 1))

    def pip(x: float, y: float, reach: float, colour: str) -> str:
        if numeral.hand in {"angular", "extra-bold"}:
            return polygon(around(x, y, [1.2 * reach] * 4), colour)
        if numeral.hand in {"footed", "brush"}:
            return polygon(around(x, y, [1.25 * reach, 0.55 * reach] * 5, start_degrees=-90), colour)
        return circle(x, y, reach, colour)

    layers = [] if halo is None else [pip(x, y, radius + 0.8, halo) for x, y in places]
    return Written("".join([*layers, *(pip(x, y, radius, ink) for x, y in places)]), width, height)
