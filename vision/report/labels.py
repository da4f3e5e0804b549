"""Where names are written in a picture, so that none covers another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from math import cos, pi, sin
from typing import Final, NamedTuple

XY = tuple[float, float]

_STEP_PX: Final = 8
_DIRECTIONS: Final = 24


class Label(NamedTuple):
    """What needs so many px (width, height), at best around a point."""

    size: XY
    middle: XY


def laid_out(labels: Sequence[Label], picture_px: tuple[int, int]) -> list[XY]:
    """A middle for each label, as near to its own as is free; where the picture is full, its own."""
    placed: list[Label] = []
    for label in labels:
        ways = (label._replace(middle=middle) for middle in _around(label.middle, max(picture_px)))
        free = (way for way in ways if _is_inside(way, picture_px) and not any(_overlap(way, one) for one in placed))
        placed.append(next(free, label))
    return [label.middle for label in placed]


def _around(middle: XY, furthest: int) -> Iterator[XY]:
    """Points further and further away; first those below and above."""
    yield middle
    for radius in count(_STEP_PX, _STEP_PX):
        if radius > furthest:
            return
        for turn in range(_DIRECTIONS):
            # To both sides by turns: 0, 1, -1, 2, -2, ... of the way round, from below.
            angle = 2 * pi / _DIRECTIONS * ((turn + 1) // 2) * (-1 if turn % 2 else 1)
            yield middle[0] + radius * sin(angle), middle[1] + radius * cos(angle)


def _is_inside(label: Label, picture_px: tuple[int, int]) -> bool:
    return all(
        side / 2 <= place <= whole - side / 2
        for side, place, whole in zip(label.size, label.middle, picture_px, strict=True)
    )


def _overlap(one: Label, other: Label) -> bool:
    return all(abs(one.middle[axis] - other.middle[axis]) < (one.size[axis] + other.size[axis]) / 2 for axis in (0, 1))
