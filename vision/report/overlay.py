"""Draws into a picture what was read in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Picture
from vision.reading.emma import EmmaSighting
from vision.reading.reader import CardReading
from vision.report.labels import Label, laid_out

DOUBTFUL: Final = 0.65
"""Below this likeness a card is drawn as a doubt."""
_RAILWAY: Final = (60, 220, 60)
_APART: Final = (230, 160, 30)
_DOUBT: Final = (40, 60, 240)
_FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
_LINE_PX: Final = 34
"""From line to line at size 1."""
_EDGE_PX: Final = 4
_SMALLEST: Final = 0.4


def overlay(
    picture: Picture, cards: Sequence[CardReading], railway: Sequence[int], emma: EmmaSighting | None
) -> Picture:
    """The picture with each card's outline, its top edge thicker, its place in the railway and name, and Emma's foot.

    Cards of the railway are green and numbered from the start, others blue; a card that fits badly is red and has a
    question mark.
    """
    drawn = picture.copy()
    names = []
    for index, card in enumerate(cards):
        is_doubt = card.likeness < DOUBTFUL
        colour = _DOUBT if is_doubt else _RAILWAY if index in railway else _APART
        corners = card.corners_px.round().astype(np.int32)
        cv2.polylines(drawn, [corners], isClosed=True, color=colour, thickness=2, lineType=cv2.LINE_AA)
        cv2.line(drawn, corners[0].tolist(), corners[1].tolist(), colour, 5, cv2.LINE_AA)
        number = f"{railway.index(index) + 1} " if index in railway else ""
        largest = drawn.shape[1] / 2200
        names.append(_name(f"{number}{card.face}{' ?' if is_doubt else ''}", card.corners_px, largest, colour))
    feet = [] if emma is None else [Label((20, 20), (float(emma.foot_px[0]), float(emma.foot_px[1])))]
    middles = laid_out([*feet, *(name.label for name in names)], (drawn.shape[1], drawn.shape[0]))[len(feet) :]
    for name, middle in zip(names, middles, strict=True):
        _lead(drawn, name, middle)
    for name, middle in zip(names, middles, strict=True):
        _write(drawn, name, middle)
    if emma is not None:
        x, y = (round(float(part)) for part in emma.foot_px)
        cv2.circle(drawn, (x, y), 9, (255, 255, 255), -1, cv2.LINE_AA)
        cv2.circle(drawn, (x, y), 6, (200, 0, 200), -1, cv2.LINE_AA)
    return drawn


class _Name(NamedTuple):
    lines: list[str]
    size: float
    label: Label
    colour: tuple[int, int, int]


def _name(text: str, corners: Corners, largest: float, colour: tuple[int, int, int]) -> _Name:
    """A name as large as its card has room for, if it can be read then."""
    room, middle = np.ptp(corners, axis=0), corners.mean(axis=0)
    size = max(_SMALLEST, largest)
    while True:
        lines = _lines(text, float(room[0]), size)
        wide = max(_width(line, size) for line in lines) + 2 * _EDGE_PX
        label = Label((wide, len(lines) * _LINE_PX * size + _EDGE_PX), (float(middle[0]), float(middle[1])))
        if size == _SMALLEST or np.all(label.size <= room):
            return _Name(lines, size, label, colour)
        size = max(_SMALLEST, 0.9 * size)


def _width(text: str, size: float) -> int:
    (width, _), _ = cv2.getTextSize(text, _FONT, size, 1)
    return int(width)


def _lines(text: str, width_px: float, size: float) -> list[str]:
    """A name in lines no wider than its card, as far as it can be divided at hyphens and spaces."""
    lines = [""]
    for part in re.findall(r"[^- ]+[- ]*|[- ]+", text):
        if lines[-1] and _width((lines[-1] + part).rstrip(), size) + 2 * _EDGE_PX > width_px:
            lines.append("")
        lines[-1] += part
    return [line.rstrip() for line in lines]


def _lead(drawn: Picture, name: _Name, middle: tuple[float, float]) -> None:
    """A line from a card to its name, if that stands elsewhere."""
    sides = zip(middle, name.label.middle, name.label.size, strict=True)
    if any(abs(here - own) > side / 2 for here, own, side in sides):
        (x, y), (to_x, to_y) = name.label.middle, middle
        ends = (round(x), round(y)), (round(to_x), round(to_y))
        cv2.line(drawn, *ends, (0, 0, 0), 4, cv2.LINE_AA)
        cv2.line(drawn, *ends, name.colour, 2, cv2.LINE_AA)


def _write(drawn: Picture, name: _Name, middle: tuple[float, float]) -> None:
    """Writes a name around a point, legible on any ground."""
    thick = 2 if name.size > 0.6 else 1
    for number, line in enumerate(name.lines):
        below = (number + 0.8 - len(name.lines) / 2) * _LINE_PX * name.size
        place = (round(middle[0] - _width(line, name.size) / 2), round(middle[1] + below))
        cv2.putText(drawn, line, place, _FONT, name.size, (0, 0, 0), thick + 3, cv2.LINE_AA)
        cv2.putText(drawn, line, place, _FONT, name.size, name.colour, thick, cv2.LINE_AA)
