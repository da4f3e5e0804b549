"""Values that grow, drawn on logarithmic axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from companion.wiring.sheet import FAINT, INK, Sheet

_WIDTH: Final = 760
_PANEL: Final = 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 90, 30, 40, 30
_HEAD, _FOOT = 96, 40
_GRID: Final = "#e8eff5"


class Point(NamedTuple):
    """A value at a size of network; not ``is_done`` if it would have gone on."""

    size: int
    value: float
    is_done: bool


class Series(NamedTuple):
    """What is drawn in one colour."""

    name: str
    colour: str
    points: Sequence[Point]


def plot(panels: Sequence[tuple[str, Sequence[Series]]]) -> Sheet:
    """A panel for each title, below each other, over the same sizes."""
    sheet = Sheet(_WIDTH, _HEAD + _PANEL * len(panels) + _FOOT)
    sheet.text(_LEFT, 32, "How the search for the fewest steps grows with the network", size=18, bold=True)
    across = _LEFT
    for one in panels[0][1]:
        sheet.circle(across + 6, 57, 5, fill=one.colour)
        sheet.text(across + 18, 62, one.name, size=14)
        across += 40 + 8 * len(one.name)
    sheet.text(
        _LEFT, 84, "A ring: it was ended before it had a shortest plan. Lines join the medians.", size=13, fill=FAINT
    )
    sizes = sorted({point.size for _, some in panels for one in some for point in one.points})
    for number, (title, some) in enumerate(panels):
        sheet.place(_panel(title, some, sizes), _HEAD + _PANEL * number)
    bottom = _HEAD + _PANEL * len(panels)
    sheet.text(_LEFT + (_WIDTH - _LEFT - _RIGHT) / 2, bottom + 20, "pieces of rail", size=14, anchor="middle")
    return sheet


def _panel(title: str, some: Sequence[Series], sizes: Sequence[int]) -> Sheet:
    sheet = Sheet(_WIDTH, _PANEL)
    right, bottom = _WIDTH - _RIGHT, _PANEL - _BOTTOM
    values = [max(point.value, 1e-2) for one in some for point in one.points]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)) + 1e-9)

    def over(size: int) -> float:
        # Sizes by their logarithm too: small networks lie close together.
        span = math.log(sizes[-1] / sizes[0]) or 1
        return _LEFT + 20 + math.log(size / sizes[0]) / span * (right - _LEFT - 40)

    def up(value: float) -> float:
        share = (math.log10(max(value, 1e-2)) - low) / max(high - low, 1)
        return bottom - share * (bottom - _TOP)

    sheet.text(_LEFT, _TOP - 12, title, size=15, bold=True)
    for power in range(low, high + 1):
        y = up(10.0**power)
        sheet.path([(_LEFT, y), (right, y)], stroke=_GRID, line=1.5)
        sheet.text(_LEFT - 10, y + 5, f"{10.0**power:,.{max(0, -power)}f}", size=13, anchor="end")
    for size in sizes:
        sheet.path([(over(size), _TOP), (over(size), bottom)], stroke=_GRID, line=1.5)
        sheet.text(over(size), bottom + 20, str(size), size=13, anchor="middle")
    sheet.rectangle(_LEFT, _TOP, right - _LEFT, bottom - _TOP, stroke=INK, line=1.5)
    for one in some:
        by_size = {size: sorted(point.value for point in one.points if point.size == size) for size in sizes}
        medians = [(over(size), up(found[len(found) // 2])) for size, found in by_size.items() if found]
        sheet.path(medians, stroke=one.colour, line=2)
        for point in one.points:
            fill = one.colour if point.is_done else "#fff"
            sheet.circle(over(point.size), up(point.value), 5, fill=fill, stroke=one.colour)
    return sheet
