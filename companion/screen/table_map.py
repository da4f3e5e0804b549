"""The railway from above: cards as outlines to scale, Emma's filled, the one to lay hatched and blinking."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from companion.screen.fonts import SMALL_BOLD, tiny_digits
from companion.screen.screen import MapCard, RailwayMap

XY = tuple[float, float]
_LEAST_CARD_PX: Final = 8.0
"""Where the short side of a card would be smaller, only a part of the railway is shown."""
_MOST_PX_PER_MM: Final = 0.36
_MARGIN: Final = 2


class _View(NamedTuple):
    """From millimetres on the table to pixels of the map."""

    scale: float
    left: float
    top: float
    turned_deg: float

    def __call__(self, point: XY) -> XY:
        x, y = _turned(point, self.turned_deg)
        return x * self.scale - self.left, y * self.scale - self.top


def map_image(railway: RailwayMap, width: int, height: int, frame: int = 0) -> Image.Image:
    """The map in this size, in 0 and 255. What is new is hatched on even frames and empty on odd ones."""
    image = Image.new("L", (width, height))
    shown = [*railway.cards, *([railway.new] if railway.new else [])]
    if not shown:
        return image
    view = _view(railway, shown, width, height)
    pen = ImageDraw.Draw(image)
    for index, card in enumerate(railway.cards):
        is_marked, is_emma = index in railway.marked, index == railway.emma
        _draw_card(image, view, card, filled=is_emma, heavy=is_marked and frame % 2 == 0)
    if railway.new:
        if frame % 2 == 0:
            _hatch(image, view, railway.new)
        _draw_card(image, view, railway.new, filled=False, heavy=frame % 2 == 0)
    if len(railway.arrow) > 1:
        draw_arrow(pen, [view(point) for point in railway.arrow])
    if railway.new:
        _write_label(image, view, railway.new, ink=255)
    return image


def _turned(point: XY, angle_deg: float) -> XY:
    cos, sin = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    return cos * point[0] - sin * point[1], sin * point[0] + cos * point[1]


def _corners(card: MapCard) -> list[XY]:
    """A card's corners on the table."""
    half_width, half_height = card.size_mm[0] / 2, card.size_mm[1] / 2
    around = (
        (-half_width, -half_height),
        (half_width, -half_height),
        (half_width, half_height),
        (-half_width, half_height),
    )
    turned = (_turned(corner, card.pose.rotation_deg) for corner in around)
    return [(card.pose.x_mm + x, card.pose.y_mm + y) for x, y in turned]


def _bounds(points: Iterable[XY]) -> tuple[float, float, float, float]:
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _view(railway: RailwayMap, shown: list[MapCard], width: int, height: int) -> _View:
    """All cards as large as they fit, or as much as fits around what matters."""

    def bounds(cards: list[MapCard]) -> tuple[float, float, float, float]:
        return _bounds(_turned(corner, railway.turned_deg) for card in cards for corner in _corners(card))

    left, top, right, bottom = bounds(shown)
    fitting = min((width - 2 * _MARGIN) / (right - left), (height - 2 * _MARGIN) / (bottom - top), _MOST_PX_PER_MM)
    # A long railway would become too small to be read: then only the part around what matters is shown.
    scale = max(fitting, _LEAST_CARD_PX / min(shown[-1].size_mm))
    focus = bounds(_focus(railway, shown))
    return _View(
        scale,
        _first_pixel(left * scale, right * scale, (focus[0] + focus[2]) / 2 * scale, width),
        _first_pixel(top * scale, bottom * scale, (focus[1] + focus[3]) / 2 * scale, height),
        railway.turned_deg,
    )


def _focus(railway: RailwayMap, shown: list[MapCard]) -> list[MapCard]:
    if railway.new:
        return [railway.new]
    indices = [index for index in (*railway.marked, railway.emma) if index is not None]
    return [railway.cards[index] for index in indices[:1]] or [shown[-1]]


def _first_pixel(low: float, high: float, middle: float, room: int) -> float:
    """Where the visible part begins: all of it in the middle, or a part around the focus."""
    if high - low <= room - 2 * _MARGIN + 0.01:
        return (low + high) / 2 - (room - 1) / 2
    return min(max(middle - room / 2, low - _MARGIN), high + _MARGIN - room)


def _draw_card(image: Image.Image, view: _View, card: MapCard, *, filled: bool, heavy: bool) -> None:
    points = [tuple(map(round, view(corner))) for corner in _inset(card)]
    pen = ImageDraw.Draw(image)
    if filled:
        pen.polygon(points, fill=255)
    pen.line([*points, points[0]], fill=255, width=2 if heavy else 1)
    _write_label(image, view, card, ink=0 if filled else 255)


def _inset(card: MapCard) -> list[XY]:
    """The corners, a little inwards, so that neighbours keep a gap."""
    return [
        (card.pose.x_mm + 0.94 * (x - card.pose.x_mm), card.pose.y_mm + 0.94 * (y - card.pose.y_mm))
        for x, y in _corners(card)
    ]


def _write_label(image: Image.Image, view: _View, card: MapCard, ink: int) -> None:
    x, y = view((card.pose.x_mm, card.pose.y_mm))
    short = min(card.size_mm) * view.scale
    if not card.label:
        return
    if short >= 12 and SMALL_BOLD.width(card.label) <= short - 4:
        width, height = SMALL_BOLD.width(card.label), SMALL_BOLD.extent(card.label)[0]
        left, baseline = round(x - width / 2 + 0.5), round(y + height / 2 + 0.5)
        # On a ground of its own: hatching and the card's edge may run below the digits.
        ImageDraw.Draw(image).rectangle((left - 1, baseline - height - 1, left + width, baseline), fill=255 - ink)
        SMALL_BOLD.write(image, left, baseline, card.label, ink)
        return
    digits = [tiny_digits()[letter] for letter in card.label if letter in tiny_digits()]
    width = 4 * len(digits) - 1
    if not digits or width > short - 2:
        return
    left, top = round(x - width / 2 + 0.5), round(y - 2)
    ImageDraw.Draw(image).rectangle((left - 1, top - 1, left + width, top + 5), fill=255 - ink)
    dots = [
        (left + 4 * place + column, top + row)
        for place, rows in enumerate(digits)
        for row, line in enumerate(rows)
        for column, dot in enumerate(line)
        if dot == "#"
    ]
    ImageDraw.Draw(image).point(dots, fill=ink)


def _hatch(image: Image.Image, view: _View, card: MapCard) -> None:
    """Fills a card with slanting lines."""
    body, lines = Image.new("1", image.size), Image.new("1", image.size)
    ImageDraw.Draw(body).polygon([view(corner) for corner in _inset(card)], fill=1)
    pen = ImageDraw.Draw(lines)
    for shift in range(-image.height, image.width, 4):
        pen.line((shift, image.height, shift + image.height, 0), fill=1)
    hatched = Image.new("1", image.size)
    hatched.paste(lines, (0, 0), body)
    image.paste(255, (0, 0), hatched)


def draw_arrow(pen: ImageDraw.ImageDraw, points: list[XY]) -> None:
    """A line with a head at its end, on a dark edge."""
    (x, y), (from_x, from_y) = points[-1], points[-2]
    direction = math.atan2(y - from_y, x - from_x)
    head = [(x + 2 * math.cos(direction), y + 2 * math.sin(direction))]
    head += [(x + 5 * math.cos(direction + turn), y + 5 * math.sin(direction + turn)) for turn in (2.35, -2.35)]
    pen.line(points, fill=0, width=5, joint="curve")
    pen.polygon(head, fill=0, outline=0, width=3)
    pen.line(points, fill=255, width=2, joint="curve")
    pen.polygon(head, fill=255)
