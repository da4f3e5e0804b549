"""The parts of a screen beside its text: the keys' labels, dice in rows, a list, a curve."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from companion.screen.dice import die_image, held_image
from companion.screen.fonts import SMALL, SMALL_BOLD, Font, outline
from companion.screen.screen import Screen
from companion.screen.wrapping import Block, wrapped

_BUTTONS: Final = 5
_TAB: Final = 11
"""Height of a key's label in one row."""
_MOST_ROWS: Final = 3


def key_span(slot: int, width: int) -> tuple[int, int]:
    """The fifth of the bottom edge that is a button's: its first column, and the one behind its last."""
    return round(slot * width / _BUTTONS), round((slot + 1) * width / _BUTTONS)


def draw_keys(target: Image.Image, keys: Sequence[str]) -> int:
    """The labels at the bottom edge, each in the fifth of its button; returns the height that they take, in px."""
    shown = [(key_span(slot, target.width), label) for slot, label in enumerate(keys) if label]
    if not shown:
        return 0
    font = SMALL_BOLD if all(SMALL_BOLD.width(label) <= _room(span) for span, label in shown) else SMALL
    # Our own labels need one row; the names that somebody gave to the shapes of a deck may need more.
    blocks = [wrapped(label, _room(span), font, break_words=True) for span, label in shown]
    rows = min(_MOST_ROWS, max(len(block.lines) for block in blocks if block))
    height = _TAB + font.pitch * (rows - 1)
    for (span, _), block in zip(shown, blocks, strict=True):
        if block is not None:
            _draw_tab(target, span, height, block._replace(lines=block.lines[:rows]))
    return height


def _room(span: tuple[int, int]) -> int:
    """How wide a label can be: a column is left between two tabs, and one at each side of the letters."""
    return span[1] - span[0] - 3


def _draw_tab(target: Image.Image, span: tuple[int, int], height: int, block: Block) -> None:
    pen = ImageDraw.Draw(target)
    left, right, top = span[0], span[1] - 2, target.height - height
    pen.rectangle((left, top, right, target.height - 1), fill=255)
    pen.point([(left, top), (right, top)], fill=0)
    first = top + 2 + (height - _TAB - block.font.pitch * (len(block.lines) - 1)) // 2
    for number, line in enumerate(block.lines):
        start = left + (right - left + 2 - block.font.width(line)) // 2
        block.font.write(target, start, first + 7 + block.font.pitch * number, line, 0)


class DiceGrid(NamedTuple):
    """Where dice lie: their size, how many side by side, and the part of the screen, in px."""

    size: int
    columns: int
    x: int
    y: int
    width: int
    height: int


def dice_gap(screen: Screen) -> int:
    """The room that each die needs beside its size: more where one of them is pointed at."""
    return 6 if screen.pointed is not None else 3


def draw_dice(target: Image.Image, screen: Screen, grid: DiceGrid) -> None:
    """The dice, in rows, in the middle of their place."""
    count = len(screen.dice)
    rows = math.ceil(count / grid.columns)
    step_x = min(grid.width / grid.columns, grid.size + 12)
    step_y = min(grid.height / rows, grid.size + 8)
    for index in range(count):
        row, column = divmod(index, grid.columns)
        in_row = min(grid.columns, count - row * grid.columns)
        x = grid.x + grid.width / 2 + step_x * (column - (in_row - 1) / 2)
        y = grid.y + grid.height / 2 + step_y * (row - (rows - 1) / 2)
        _draw_die(target, screen, index, (round(x), round(y)), grid.size)


def _draw_die(target: Image.Image, screen: Screen, index: int, centre: tuple[int, int], size: int) -> None:
    x, y = centre
    sides = screen.sides[index] if index < len(screen.sides) else 0
    face, angle = screen.dice[index], 0
    if screen.tumbling and index not in screen.held:
        step = 3 * screen.tumbling + 5 * index
        angle, face = 15 * (step * (1 + index % 2) % 24), _passing_face(step, sides)
        size = round(size * 0.9)
        y -= round(3 * abs(math.sin(1.3 * step)))
    image, mask = die_image(face, sides, size, angle)
    if index in screen.held:
        image = held_image(image, mask)
    left, top = x - image.width // 2, y - image.height // 2
    target.paste(image, (left, top), mask)
    if index == screen.pointed:
        frame = (left - 3, top - 3, left + image.width + 2, top + image.height + 2)
        ImageDraw.Draw(target).rounded_rectangle(frame, 5, outline=255)


def _passing_face(step: int, sides: int) -> int:
    """What a tumbling die shows for a moment; it says nothing of the result."""
    return (step * 7 // 3) % 2 if sides == 0 else (step * 7 // 3) % sides + 1


def list_fonts(choices: Sequence[str], width: int, height: int, *, large: bool) -> tuple[Font, bool]:
    """The type for a list, and whether all of it is seen at once."""
    fonts: list[Font] = [outline(18), outline(16), outline(15), outline(14), outline(13)]
    fonts += [] if large else [SMALL_BOLD, SMALL]
    for font in fonts:
        blocks = [wrapped(choice, width - 8, font) for choice in choices]
        if all(blocks) and sum(_row_height(block) for block in blocks if block) <= height:
            return font, True
    in_one_line = all(SMALL_BOLD.width(choice) <= width - 8 for choice in choices)
    return fonts[-1] if large or not in_one_line else SMALL_BOLD, False


def _row_height(block: Block) -> int:
    above, below = block.font.extent("Äg")
    return above + max(0, len(block.lines) - 1) * block.font.pitch + below


def draw_list(target: Image.Image, screen: Screen, top: int, height: int, *, large: bool) -> None:
    """The choices below each other, the chosen one inverted and always in sight, a bar where there are more."""
    font, whole = list_fonts(screen.choices, target.width, height, large=large)
    width = target.width - (0 if whole else 4)
    blocks = [_row(choice, width - 6, font) for choice in screen.choices]
    heights = [_row_height(block) for block in blocks]
    chosen = min(max(0, screen.chosen), len(blocks) - 1)
    first, last = _window(heights, chosen, height)
    y = top if not whole else top + max(0, (height - sum(heights)) // 2)
    pen = ImageDraw.Draw(target)
    for index in range(first, last):
        block, is_chosen = blocks[index], index == chosen
        if is_chosen:
            pen.rounded_rectangle((0, y, width - 1, y + heights[index] - 1), 2, fill=255)
        # All rows keep the same distance, whatever their letters.
        baseline = y + block.font.extent("Äg")[0]
        for line in block.lines:
            block.font.write(target, 4, baseline, line, 0 if is_chosen else 255)
            baseline += block.font.pitch
        y += heights[index]
    if not whole:
        total, right = sum(heights), target.width - 1
        begin = top + round(height * sum(heights[:first]) / total)
        end = top + round(height * sum(heights[:last]) / total) - 1
        pen.line((right - 1, top, right - 1, top + height - 1), fill=255)
        pen.rectangle((right - 2, begin, right, max(begin, end)), fill=255)


def _row(choice: str, width: int, font: Font) -> Block:
    block = wrapped(choice, width, font) or wrapped(choice, width, SMALL, break_words=True)
    return block or Block(font, (choice,), 0)


def _window(heights: Sequence[int], chosen: int, room: int) -> tuple[int, int]:
    """The rows from the first to before the last that are seen: around the chosen one."""
    first, last = chosen, chosen + 1
    used = heights[chosen]
    while True:
        before = heights[first - 1] if first > 0 else room + 1
        after = heights[last] if last < len(heights) else room + 1
        if used + before <= room and (chosen - first <= last - 1 - chosen or used + after > room):
            first, used = first - 1, used + before
        elif used + after <= room:
            last, used = last + 1, used + after
        else:
            return first, last


def draw_curve(target: Image.Image, curve: Sequence[int], top: int, height: int) -> None:
    """Past results from left to right: the last one as a dot with its number, the best as a dotted line."""
    pen = ImageDraw.Draw(target)
    best, worst, last = min(curve), max(curve), curve[-1]
    left, right = SMALL.width(str(best)) + 3, target.width - SMALL_BOLD.width(str(last)) - 7
    low, high = top + height - 4, top + 3
    step = (right - left) / max(1, len(curve) - 1)

    def place(index: int, result: int) -> tuple[int, int]:
        x = left + step * index if len(curve) > 1 else (left + right) / 2
        return round(x), round(low - (low - high) * (result - best) / max(1, worst - best))

    pen.point([(x, low) for x in range(left, right, 4)], fill=255)
    SMALL.write(target, 0, low + 3, str(best))
    points = [place(index, result) for index, result in enumerate(curve)]
    pen.line(points, fill=255)
    for x, y in points[:-1]:
        pen.rectangle((x - 1, y - 1, x + 1, y + 1), fill=255)
    x, y = points[-1]
    pen.ellipse((x - 3, y - 3, x + 3, y + 3), fill=255)
    if last != best or len(curve) > 1:
        SMALL_BOLD.write(target, x + 6, min(max(y + 4, top + 8), top + height - 1), str(last))


def draw_dots(target: Image.Image, rows: Sequence[str], left: int, top: int) -> None:
    """A small picture, dot by dot."""
    pen = ImageDraw.Draw(target)
    pen.point([(left + x, top + y) for y, row in enumerate(rows) for x, dot in enumerate(row) if dot == "#"], fill=255)
