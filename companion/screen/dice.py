"""Dice: a wheel, pips or a number on a white body, lying or tumbling."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from companion.screen.fonts import SMALL, SMALL_BOLD, Font, outline

_FINE: Final = 6
"""Dice are drawn so many times as large, then made small."""
_PIPS: Final[dict[int, tuple[tuple[int, int], ...]]] = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (2, 0), (0, 2), (2, 2)),
    5: ((0, 0), (2, 0), (1, 1), (0, 2), (2, 2)),
    6: ((0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)),
}
_MOST_WHEELS: Final = 3
"""More wheels on a face are shown as a number."""
_CORNERS: Final = {4: (3, -90.0), 8: (6, 0.0), 10: (8, 22.5), 12: (5, -90.0), 20: (6, -90.0)}
"""How many corners the outline of a die with so many sides has, and the direction of the first."""


@lru_cache(maxsize=256)
def die_image(face: int, sides: int, size: int, turned_deg: int = 0) -> tuple[Image.Image, Image.Image]:
    """A die of this size in px, in 0 and 255, and the mask of its body.

    ``sides`` is 0 for a wheel die. A turned die is a little larger than the size.
    """
    body, signs = _fine(size), _fine(size)
    _draw_body(ImageDraw.Draw(body), sides, size * _FINE)
    ImageDraw.Draw(signs).bitmap((0, 0), body, fill=255)
    has_signs = (sides == 0 and face <= _MOST_WHEELS) or (sides == 6 and face in _PIPS)
    if has_signs:
        (_draw_wheels if sides == 0 else _draw_pips)(ImageDraw.Draw(signs), face, size * _FINE)
    image, mask = (_made_small(fine, size, turned_deg) for fine in (signs, body))
    if not has_signs:
        _write_number(image, str(face), sides)
    return image, mask


def held_image(die: Image.Image, body: Image.Image) -> Image.Image:
    """A die the other way round: dark, with a bright edge."""
    edged = Image.new("L", (body.width + 2, body.height + 2))
    edged.paste(body, (1, 1))
    inner = edged.filter(ImageFilter.MinFilter(3)).crop((1, 1, body.width + 1, body.height + 1))
    return Image.composite(ImageChops.invert(die), body, inner)


def _fine(size: int) -> Image.Image:
    return Image.new("L", (size * _FINE, size * _FINE))


def _made_small(fine: Image.Image, size: int, turned_deg: int) -> Image.Image:
    if turned_deg:
        side = math.ceil(size * 1.42)
        large = Image.new("L", (side * _FINE, side * _FINE))
        large.paste(fine, ((side - size) * _FINE // 2,) * 2)
        fine = large.rotate(turned_deg, Image.Resampling.NEAREST)
    return fine.reduce(_FINE).point([0] * 120 + [255] * 136)


def _draw_body(pen: ImageDraw.ImageDraw, sides: int, side: int) -> None:
    if sides in {0, 6}:
        pen.rounded_rectangle((0, 0, side - 1, side - 1), side // 6, fill=255)
        return
    if sides not in _CORNERS:
        pen.ellipse((0, 0, side - 1, side - 1), fill=255)
        return
    corners, first = _CORNERS[sides]
    directions = [math.radians(first + 360 * index / corners) for index in range(corners)]
    points = [(math.cos(direction), math.sin(direction)) for direction in directions]
    xs, ys = zip(*points, strict=True)
    scale = min((side - 1) / (max(xs) - min(xs)), (side - 1) / (max(ys) - min(ys)))
    left, top = (side - scale * (max(xs) + min(xs))) / 2, (side - scale * (max(ys) + min(ys))) / 2
    pen.polygon([(left + scale * x, top + scale * y) for x, y in points], fill=255)


def _draw_wheels(pen: ImageDraw.ImageDraw, count: int, side: int) -> None:
    """So many rail wheels, from corner to corner."""
    if count == 1:
        _draw_wheel(pen, side / 2, side / 2, 0.4 * side)
        return
    if count < 1:
        return
    radius = 0.44 * side / count
    reach = side / 2 - radius - 0.06 * side
    for index in range(count):
        shift = reach * (2 * index / (count - 1) - 1)
        _draw_wheel(pen, side / 2 + shift, side / 2 - shift, radius)


def _draw_wheel(pen: ImageDraw.ImageDraw, x: float, y: float, radius: float) -> None:
    """A spoked wheel: its rim, four spokes across and its hub."""
    rim = max(1.45 * _FINE, 0.17 * radius)
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=0)
    inner = radius - rim
    pen.ellipse((x - inner, y - inner, x + inner, y + inner), fill=255)
    spoke = round(max(1.1 * _FINE, 0.1 * radius))
    for turn in range(4 if radius > 7 * _FINE else 2):
        direction = turn * math.pi / (4 if radius > 7 * _FINE else 2)
        across, down = inner * math.cos(direction), inner * math.sin(direction)
        pen.line((x - across, y - down, x + across, y + down), fill=0, width=spoke)
    hub = 0.26 * radius
    pen.ellipse((x - hub, y - hub, x + hub, y + hub), fill=0)


def _draw_pips(pen: ImageDraw.ImageDraw, face: int, side: int) -> None:
    radius, first, step = 0.1 * side, 0.23 * side, 0.27 * side
    for column, row in _PIPS.get(face, ()):
        x, y = first + step * column, first + step * row
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=0)


def _write_number(image: Image.Image, number: str, sides: int) -> None:
    """The number in the middle of the body, as large as it has room."""
    side = image.width
    room = side * (0.5 if sides == 4 else 0.7)
    fonts: list[Font] = [*(outline(size) for size in (24, 22, 20, 18, 16, 15, 14, 13)), SMALL_BOLD]
    font = next(
        (font for font in fonts if font.width(number) <= room and font.extent(number)[0] <= 0.66 * room + 2), SMALL
    )
    above, _ = font.extent(number)
    middle = side * (0.64 if sides == 4 else 0.54 if sides == 12 else 0.5)
    font.write(image, (side - font.width(number) + 1) // 2, round(middle + above / 2), number, 0)
