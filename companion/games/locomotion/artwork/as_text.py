"""A network in a terminal: tracks as box characters, a dot on each cell, vehicles as signs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.games.locomotion.networks.shape import shape_of
from companion.games.locomotion.rules import Network, Passage, Side, State
from companion.texts.language import Texts

WIDE, HIGH = 5, 3
"""Characters of a cell."""
_BOX: Final = " ╶╷╭╴─╮┬╵╰│├╯┴┤┼"
"""By the sides on which a line leaves: E 1, S 2, W 4, N 8."""
LOCOMOTIVES: Final = "ABCD"
"""Their signs by colour."""
_COLOURS: Final = {1: "\x1b[97;41m", 2: "\x1b[30;43m", 3: "\x1b[97;42m", 4: "\x1b[97;44m"}
_PLAIN: Final = "\x1b[0m"


def network_as_text(network: Network, state: State | None = None, *, is_coloured: bool = False) -> list[str]:
    """Lines of text. Locomotives are A to D, wagons their colours' numbers; ``is_coloured`` adds colours by ANSI."""
    left, top = (min(dot[axis] for dot in network.dots) for axis in (0, 1))
    right, bottom = (max(dot[axis] for dot in network.dots) for axis in (0, 1))
    lines = [[0] * ((right - left + 1) * WIDE) for _ in range((bottom - top + 1) * HIGH)]
    signs: dict[tuple[int, int], str] = {}
    for number, dot in enumerate(network.dots):
        x, y = (dot[0] - left) * WIDE, (dot[1] - top) * HIGH
        for passage in network.passages[number]:
            for across, down, ways in _strokes(passage):
                lines[y + down][x + across] |= ways
        signs[y + 1, x + 2] = "●"
        if state is not None and (vehicle := state.stock.on(number)) is not None:
            signs[y + 1, x + 2] = _sign(state, vehicle, is_coloured=is_coloured)
    return [
        "".join(signs.get((row, column), _BOX[ways]) for column, ways in enumerate(line)).rstrip()
        for row, line in enumerate(lines)
    ]


def shape_in_words(network: Network, say: Texts) -> str:
    """How many pieces, loops and dead ends there are."""
    shape = shape_of(network)
    counts = (
        say.counted("network.pieces", count=len(network.pieces), piece=network.piece.name),
        say.counted("network.loops", count=shape.loops),
        say.counted("network.spurs", count=shape.spurs),
    )
    return ", ".join(counts)


def with_axes(lines: Sequence[str], network: Network) -> list[str]:
    """The same drawing with the numbers of the dots beside it: x above, y on the left."""
    left, top = (min(dot[axis] for dot in network.dots) for axis in (0, 1))
    right = max(dot[0] for dot in network.dots)
    margin = max(len(str(dot[1])) for dot in network.dots) + 1
    head = "".join(f"{x:^{WIDE}}" for x in range(left, right + 1))
    rows = (f"{top + row // HIGH if row % HIGH == 1 else '':>{margin - 1}} {line}" for row, line in enumerate(lines))
    return [f"{'':{margin}}{head}".rstrip(), *(row.rstrip() for row in rows)]


def _sign(state: State, vehicle: int, *, is_coloured: bool) -> str:
    colour = state.setup.colours[vehicle]
    sign = LOCOMOTIVES[colour - 1] if state.setup.is_locomotive(vehicle) else str(colour)
    return f"{_COLOURS[colour]}{sign}{_PLAIN}" if is_coloured else sign


def _strokes(passage: Passage) -> list[tuple[int, int, int]]:
    """The characters of a track through a cell: column, row, and where lines leave it."""
    first, last = passage
    if {first, last} == {Side.E, Side.W}:
        return [(column, 1, 5) for column in range(WIDE)]
    if {first, last} == {Side.S, Side.N}:
        return [(2, row, 10) for row in range(HIGH)]
    across, down = (first, last) if first % 2 == 0 else (last, first)
    # From the left or right edge to beside the middle, then down or up, then to the middle of that edge.
    edge, turn = (4, 3) if across is Side.E else (0, 1)
    row = 2 if down is Side.S else 0
    bit, back, away = 1 << across, 1 << across.opposite, 1 << down
    return [(edge, 1, bit | back), (turn, 1, bit | away), (turn, row, 1 << down.opposite | back), (2, row, bit | away)]
