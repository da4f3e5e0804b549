"""A puzzle on a page: network, start and order, how hard it is, and at the foot, upside down, a plan."""

from __future__ import annotations

import math
import re
from typing import Final, NamedTuple

import msgspec

from companion.games.drawing.canvas import INK, LINE_HEIGHT, POINT_MM, Canvas
from companion.games.drawing.paper import Paper
from companion.games.drawing.png import size_mm
from companion.games.drawing.svg import circle, contents, document, path, placed, polyline, stroke
from companion.games.locomotion.artwork.as_text import shape_in_words
from companion.games.locomotion.artwork.picture import MARGIN_MM, network_svg, wanted_train
from companion.games.locomotion.artwork.rails import CELL_MM
from companion.games.locomotion.rules import Network
from companion.games.locomotion.strategy.puzzles import Difficulty, DrawnPuzzle, Grade
from companion.games.locomotion.strategy.puzzles.in_words import difficulty_in_words, plans_in_words
from companion.games.locomotion.wording import Wording

SIDE_MM: Final = 15.0
"""What stays white on every side."""
_GAP_MM: Final = 4.0
_GREY: Final = "#59636b"
_TRAIN_SCALE: Final = 0.75
_LARGEST_SCALE: Final = 1.15
"""Of the network, beside pieces of 20 mm a cell."""
_NUMBERED_MM: Final = 6.0
"""Room that a number at the edge takes: in smaller cells every second one is told, or third..."""
_CIRCLE_MM: Final = 4.6
"""From each to the next of those that show the grade."""
_TRIES: Final = 4
"""Lines on which to note how many steps a try took (LSOLO2)."""
_TRIES_MM: Final = 9.0
_STAYS: Final = "\N{NO-BREAK SPACE}"
_PLACE: Final = re.compile(r"\((-?\d+), ")
_ON_ONE_LINE: Final = rf"(\1,{_STAYS}"


class _Box(NamedTuple):
    """A part of the page, in mm."""

    left: float
    top: float
    width: float
    height: float


def print_puzzle(drawn: DrawnPuzzle, difficulty: Difficulty, title: str, paper: Paper, language: str) -> bytes:
    """A PDF of one page."""
    say = Wording(language)
    canvas = Canvas(paper, title)
    canvas.add_page()
    left, width = SIDE_MM, paper.width - 2 * SIDE_MM
    top = _head(canvas, drawn, difficulty, title, say)
    bottom = _tries(canvas, _foot(canvas, drawn, difficulty, say), say)
    _network(canvas, drawn, _Box(left, top, width, bottom - top))
    return canvas.finished()


def _head(canvas: Canvas, drawn: DrawnPuzzle, difficulty: Difficulty, title: str, say: Wording) -> float:
    """What it is, how hard it is, and what to do; returns where it ends."""
    width = canvas.paper.width - 2 * SIDE_MM
    half = width / 2
    circles, grade = _grade(difficulty.grade), say(f"puzzle.{difficulty.grade}")
    canvas.draw(circles, SIDE_MM + width - size_mm(circles)[0], SIDE_MM + 1)
    canvas.write(grade, SIDE_MM + half, SIDE_MM + 1 + _CIRCLE_MM, half, points=10, bold=True, align="R")
    y = canvas.write(title, SIDE_MM, SIDE_MM - 2, width - 40, points=22, bold=True)
    y = canvas.write(shape_in_words(drawn.puzzle.network, say), SIDE_MM, y, width - 40, points=9.5, colour=_GREY)
    task = say("page.task", steps=difficulty.steps)
    y = canvas.write(task, SIDE_MM, y + _GAP_MM, width, points=10.5) + _GAP_MM / 2
    train = _train(drawn)
    train_wide, train_high = size_mm(train)
    aside = train_wide + _GAP_MM
    rules = say("page.rules")
    high = canvas.height_of(rules, width - aside, points=8.5)
    deep = max(high, train_high)
    canvas.draw(train, SIDE_MM, y + (deep - train_high) / 2)
    canvas.write(rules, SIDE_MM + aside, y + (deep - high) / 2, width - aside, points=8.5, colour=_GREY)
    return y + deep + _GAP_MM


def _grade(grade: Grade) -> str:
    """A circle for each grade, filled as far as this one goes."""
    grades = list(Grade)
    filled = grades.index(grade) + 1
    middle = _CIRCLE_MM / 2
    circles = (
        circle((index + 0.5) * _CIRCLE_MM, middle, 1.6, INK if index < filled else "none", stroke=INK, stroke_width=0.4)
        for index in range(len(grades))
    )
    return document(len(grades) * _CIRCLE_MM, _CIRCLE_MM, *circles)


def _train(drawn: DrawnPuzzle) -> str:
    """The train that is wanted."""
    state = drawn.puzzle.start()
    length = len(state.order) + 1
    size = length * CELL_MM * _TRAIN_SCALE, CELL_MM * _TRAIN_SCALE
    return document(*size, placed(wanted_train(state), 0, 0, scale=_TRAIN_SCALE))


def _network(canvas: Canvas, drawn: DrawnPuzzle, box: _Box) -> None:
    """The network with its vehicles, as large as the box lets it be, with numbers for the dots at its edges."""
    network = drawn.puzzle.network
    drawing = network_svg(network, msgspec.structs.replace(drawn.puzzle.start(), order=()))
    wide, high = size_mm(drawing)
    scale = min(box.width / wide, box.height / high, _LARGEST_SCALE)
    left, top = box.left + (box.width - scale * wide) / 2, box.top + (box.height - scale * high) / 2
    canvas.draw(document(scale * wide, scale * high, placed(contents(drawing), 0, 0, scale=scale)), left, top)
    _number_dots(canvas, network, scale, left, top)


def _number_dots(canvas: Canvas, network: Network, scale: float, left: float, top: float) -> None:
    """The columns' and the rows' numbers, in the margin of the drawing."""
    cell, margin = scale * CELL_MM, scale * MARGIN_MM
    points = min(8.0, 0.6 * margin / POINT_MM)
    line = points * POINT_MM * LINE_HEIGHT
    each = math.ceil(_NUMBERED_MM / cell)
    for axis in (0, 1):
        numbers = {dot[axis] for dot in network.dots}
        for number in sorted(numbers):
            if number % each:
                continue
            along = margin + (number - min(numbers) + 0.5) * cell
            x, y = (left + along, top + margin / 2) if axis == 0 else (left + margin / 2, top + along)
            canvas.write(
                str(number), x - _NUMBERED_MM, y - line / 2, 2 * _NUMBERED_MM, points=points, colour=_GREY, align="C"
            )


def _tries(canvas: Canvas, bottom: float, say: Wording) -> float:
    """Lines to write on, above this height; returns where they begin."""
    width = canvas.paper.width - 2 * SIDE_MM
    top = bottom - _TRIES_MM
    canvas.write(say("page.tries"), SIDE_MM, top, width / 3, points=9, colour=_GREY)
    wide = width / (_TRIES + 2)
    line = document(wide - _GAP_MM, 0.4, stroke([(0, 0.2), (wide - _GAP_MM, 0.2)], _GREY, 0.3))
    for index in range(_TRIES):
        canvas.draw(line, SIDE_MM + width - (index + 1) * wide + _GAP_MM, top + _TRIES_MM / 2)
    return top - _GAP_MM


def _foot(canvas: Canvas, drawn: DrawnPuzzle, difficulty: Difficulty, say: Wording) -> float:
    """A plan, upside down; returns where it begins."""
    width = canvas.paper.width - 2 * SIDE_MM
    title = say("page.solution", count=difficulty.steps)
    plan = "  ·  ".join(f"{steps}{_STAYS}{_PLACE.sub(_ON_ONE_LINE, told)}" for steps, told in say.plan(drawn.plan))
    about = f"{plans_in_words(drawn, say)} {difficulty_in_words(difficulty, say)}"
    parts = [(title, 8.0, True), (plan, 7.0, False), (about, 7.0, False)]
    heights = [canvas.height_of(text, width, points=points, bold=bold) for text, points, bold in parts]
    top = canvas.paper.height - SIDE_MM - sum(heights)
    fold = path(polyline([(0, 0.2), (width, 0.2)]), stroke=_GREY, stroke_width=0.25, stroke_dasharray="1.6 1.4")
    canvas.draw(document(width, 0.4, fold), SIDE_MM, top - _GAP_MM / 2)
    with canvas.upside_down(canvas.paper.width / 2, top + sum(heights) / 2):
        y = top
        for text, points, bold in parts:
            y = canvas.write(text, SIDE_MM, y, width, points=points, bold=bold, colour=_GREY)
    return top - _GAP_MM
