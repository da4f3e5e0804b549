"""The page with Emma and the dice, to be cut out, folded and glued."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.drawing.marks import ruler
from companion.games.drawing.paper import MARGIN_MM
from companion.games.loknroll.printing import dice, emma
from companion.games.loknroll.rules import Edition
from companion.texts.language import Texts

if TYPE_CHECKING:
    from companion.games.drawing.canvas import Canvas

DICE: Final = 4
"""Clause MAT3."""
RULER_MM: Final = 100.0
RULER_HIGH_MM: Final = 16.0
SIDE_MM: Final = 14.0
POINTS: Final = 10.0


def cut_out_page(canvas: Canvas, edition: Edition, say: Texts) -> None:
    """Emma above, four dice below, and what to do."""
    canvas.add_page()
    width = canvas.paper.width
    top = _instructions(canvas, MARGIN_MM + 3, say)
    (net_wide, net_high), (die_wide, die_high) = emma.SHEET_MM, dice.SHEET_MM
    free = canvas.paper.height - MARGIN_MM - RULER_HIGH_MM - top - net_high - 2 * die_high
    gap, y = free / 4, top + free / 4
    left = (width - net_wide - 30) / 2
    canvas.draw(emma.emma_net(), left, y)
    canvas.draw(emma.chimney_net(), left + net_wide + 6, y + 6)
    y += net_high + gap
    between = (width - 2 * die_wide) / 3
    for index in range(DICE):
        row, column = divmod(index, 2)
        canvas.draw(dice.die_net(edition.die), between + column * (die_wide + between), y + row * (die_high + gap))
    _ruler(canvas, say)


def _instructions(canvas: Canvas, top: float, say: Texts) -> float:
    """What to do; returns where it ends."""
    width = canvas.paper.width - 2 * SIDE_MM
    y = canvas.write(say("cut-outs.title"), SIDE_MM, top, width, points=14, bold=True)
    return canvas.write(say("cut-outs.text"), SIDE_MM, y + 0.8, width, points=POINTS)


def _ruler(canvas: Canvas, say: Texts) -> None:
    left, y = (canvas.paper.width - RULER_MM) / 2, canvas.paper.height - MARGIN_MM - 10
    canvas.draw(ruler(RULER_MM), left, y - 5)
    canvas.write(say("cut-outs.ruler"), SIDE_MM, y, canvas.paper.width - 2 * SIDE_MM, points=POINTS, align="C")
