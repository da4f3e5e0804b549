"""A network of dots from above: its tracks as lines, what stands on it in digits, a way as an arrow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from companion.screen.fonts import tiny_digits
from companion.screen.screen import NetworkMap
from companion.screen.table_map import XY, draw_arrow

_PITCHES: Final = (9, 8, 7, 6, 5, 4)
"""Pixels from a dot to the next one: whole numbers, so that equal tracks look equal."""
_LABELLED_PX: Final = 6
"""From so much on digits on neighbouring dots can be told apart; below only those are shown that matter."""
_LABEL_HALF_PX: Final = 3
"""How far a digit and its ground reach from the dot."""
_MARGIN_PX: Final = _LABEL_HALF_PX
"""Around a network of which a part is shown, for what stands at its edge."""
_DOTTED_PX: Final = 5
"""From so much on a dot is wider than its track."""
_SKETCH_EDGE_PX: Final = 3
"""Around a sketch of the whole beside a part of it."""
_SKETCH_PITCHES: Final = (3, 2, 1)
"""As small as that only a whole network is shown of which nothing is spoken."""


class _View(NamedTuple):
    """From cells of the network to pixels of the map."""

    pitch: int
    left: int
    top: int

    def __call__(self, point: XY) -> tuple[int, int]:
        across, down = (math.floor((length + 0.5) * self.pitch) for length in point)
        return across - self.left, down - self.top


def network_image(network: NetworkMap, width: int, height: int, frame: int = 0) -> Image.Image:
    """The map in this size, in 0 and 255.

    All of it where that can be read, else the part around what is moved or marked, and where that is in a sketch of the
    whole. On odd frames what is to be moved is gone, and what is marked has no frame.
    """
    image = Image.new("L", (width, height))
    if not network.dots:
        return image
    whole, view = _bounds(network.dots), _view(network, width, height)
    pen = ImageDraw.Draw(image)
    places = [view(dot) for dot in network.dots]
    for track in network.tracks:
        pen.line([view(point) for point in track], fill=255)
    if view.pitch >= _DOTTED_PX:
        for x, y in places:
            pen.rectangle((x - 1, y - 1, x + 1, y + 1), fill=255)
    for one, other in network.couplings:
        pen.line([places[one], places[other]], fill=255, width=3)
    if len(network.way) > 1:
        draw_arrow(pen, [places[dot] for dot in network.way])
    _draw_figures(image, network, view, places, is_even=frame % 2 == 0)
    for dot in network.marked if frame % 2 == 0 else ():
        _frame(pen, places[dot], view.pitch)
    if _fitting(whole, width, height, [view.pitch]) is None:
        _draw_sketch(image, network, [places[dot] for dot in _spoken_of(network)], is_even=frame % 2 == 0)
    return image


def _view(network: NetworkMap, width: int, height: int) -> _View:
    """The whole network as large as it fits, or a part of it around what matters."""
    whole = _bounds(network.dots)
    spoken_of = _spoken_of(network)
    pitch = _fitting(whole, width, height, _PITCHES if spoken_of else (*_PITCHES, *_SKETCH_PITCHES))
    focus, aside = whole, 0
    if pitch is None:
        focus = _bounds([network.dots[dot] for dot in spoken_of] or network.dots)
        pitch = _fitting(focus, width, height, _PITCHES[2:]) or _PITCHES[-1]
        # What matters comes to lie in the middle of what a sketch of the whole leaves free.
        sketched = _sketch_size(whole)[0]
        aside = sketched // 2 if sketched + (focus[2] - focus[0]) * pitch < width else 0
    left, top, right, bottom = (length * pitch for length in whole)
    middle = (focus[0] + focus[2]) * pitch / 2, (focus[1] + focus[3]) * pitch / 2
    first = _first_pixel(left, right, middle[0] + aside, width), _first_pixel(top, bottom, middle[1], height)
    return _View(pitch, *first)


def _sketch_size(whole: tuple[int, int, int, int]) -> tuple[int, int]:
    """Width and height of a sketch of so many cells, with its edge."""
    left, top, right, bottom = whole
    return right - left + 2 * _SKETCH_EDGE_PX, bottom - top + 2 * _SKETCH_EDGE_PX


def _spoken_of(network: NetworkMap) -> list[int]:
    """The dots that matter."""
    return [*network.way, *(network.figures[index].dot for index in network.moved), *network.marked]


def _bounds(dots: Sequence[XY]) -> tuple[int, int, int, int]:
    """The cells of these dots: the first column and row, and those behind the last."""
    xs, ys = ([round(length) for length in lengths] for lengths in zip(*dots, strict=True))
    return min(xs), min(ys), max(xs) + 1, max(ys) + 1


def _fitting(bounds: tuple[int, int, int, int], width: int, height: int, pitches: Sequence[int]) -> int | None:
    """The largest pitch at which so many cells fit, with the last pixel of their tracks."""
    columns, rows = bounds[2] - bounds[0], bounds[3] - bounds[1]
    return next((pitch for pitch in pitches if columns * pitch < width and rows * pitch < height), None)


def _first_pixel(low: int, high: int, middle: float, room: int) -> int:
    """Where the visible part begins: all of it in the middle, or a part around what matters."""
    if high - low < room:
        return low - (room - (high - low)) // 2
    return min(max(round(middle - room / 2), low - _MARGIN_PX), high + 1 + _MARGIN_PX - room)


def _draw_figures(
    image: Image.Image, network: NetworkMap, view: _View, places: Sequence[tuple[int, int]], *, is_even: bool
) -> None:
    spoken_of = {*network.marked, *(network.figures[index].dot for index in network.moved)}
    # What is spoken of comes last: it may cover its neighbours.
    order = sorted(range(len(network.figures)), key=lambda index: network.figures[index].dot in spoken_of)
    for index in order:
        figure = network.figures[index]
        if index in network.moved and not is_even:
            continue
        if view.pitch >= _LABELLED_PX or figure.dot in spoken_of:
            _write(image, places[figure.dot], figure.label, is_inverted=figure.leads)
        else:
            _block(ImageDraw.Draw(image), places[figure.dot], view.pitch, is_filled=figure.leads)


def _write(image: Image.Image, place: tuple[int, int], label: str, *, is_inverted: bool) -> None:
    """Digits on a ground of their own, which is bright for what leads."""
    digits = [tiny_digits()[letter] for letter in label if letter in tiny_digits()]
    width = max(1, 4 * len(digits) - 1)
    left, top = place[0] - width // 2, place[1] - 2
    pen, ink = ImageDraw.Draw(image), 0 if is_inverted else 255
    pen.rectangle((left - 1, top - 1, left + width, top + 5), fill=255 - ink)
    lit = [
        (left + 4 * index + column, top + row)
        for index, rows in enumerate(digits)
        for row, line in enumerate(rows)
        for column, dot in enumerate(line)
        if dot == "#"
    ]
    pen.point(lit, fill=ink)


def _block(pen: ImageDraw.ImageDraw, place: tuple[int, int], pitch: int, *, is_filled: bool) -> None:
    """A figure that is too small for digits."""
    half = 1 if pitch > 2 else 0
    x, y = place
    pen.rectangle((x - half, y - half, x + half, y + half), fill=255)
    if not is_filled and half:
        pen.point((x, y), fill=0)


def _frame(pen: ImageDraw.ImageDraw, place: tuple[int, int], pitch: int) -> None:
    """A square around a dot and what stands on it, on a dark edge."""
    half = max(_LABEL_HALF_PX + 2, pitch // 2 + 1)
    x, y = place
    pen.rectangle((x - half, y - half, x + half, y + half), outline=255)
    pen.rectangle((x - half + 1, y - half + 1, x + half - 1, y + half - 1), outline=0)


def _draw_sketch(image: Image.Image, network: NetworkMap, matters: Sequence[tuple[int, int]], *, is_even: bool) -> None:
    """The whole network in a corner, a pixel a cell, with a blinking dot where the middle is of what matters."""
    whole = _bounds(network.dots)
    (left, top, *_), size = whole, _sketch_size(whole)
    corner = _free_corner(image, size, matters)
    spoken_of = [network.dots[dot] for dot in _spoken_of(network)]
    if corner is None or not spoken_of:
        return
    pen = ImageDraw.Draw(image)
    pen.rectangle((*corner, corner[0] + size[0] - 1, corner[1] + size[1] - 1), fill=0, outline=255)

    def at(x: float, y: float) -> tuple[int, int]:
        return corner[0] + round(x) - left + _SKETCH_EDGE_PX, corner[1] + round(y) - top + _SKETCH_EDGE_PX

    pen.point([at(*dot) for dot in network.dots], fill=255)
    if is_even:
        (x, y), reach = at(*(sum(lengths) / len(spoken_of) for lengths in zip(*spoken_of, strict=True))), 2
        pen.rectangle((x - reach, y - reach, x + reach, y + reach), fill=0)
        pen.rectangle((x - 1, y - 1, x + 1, y + 1), fill=255)


def _free_corner(
    image: Image.Image, size: tuple[int, int], matters: Sequence[tuple[int, int]]
) -> tuple[int, int] | None:
    """The corner of the map where a sketch covers least, and nothing that matters; None where there is none."""
    right, bottom = image.width - size[0], image.height - size[1]
    reach = _LABEL_HALF_PX + 2
    corners = [
        (x, y)
        for x in (0, right)
        for y in (0, bottom)
        if x >= 0
        and y >= 0
        and not any(
            x - reach <= across < x + size[0] + reach and y - reach <= down < y + size[1] + reach
            for across, down in matters
        )
    ]

    def covered(corner: tuple[int, int]) -> int:
        return image.crop((*corner, corner[0] + size[0], corner[1] + size[1])).histogram()[255]

    return min(corners, key=covered, default=None)
