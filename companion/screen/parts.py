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

_TAB: Final = 11
"""Height of a key's label."""


def draw_keys(target: Image.Image, keys: Sequence[str]) -> int:
    """The labels above the five buttons, at the bottom edge; returns the height that they take, in px."""
    shown = [(slot, label) for slot, label in enumerate(keys) if label]
    if not shown:
        return 0
    for font, padding in ((SMALL_BOLD, 7), (SMALL_BOLD, 4), (SMALL, 5), (SMALL, 3)):
        tabs = _tabs(shown, target.width, font, padding)
        if tabs:
            _draw_tabs(target, tabs, target.height - _TAB, font, padding)
            return _TAB
    # Labels that have no room side by side stand in several rows.
    for count in range(2, len(shown) + 1):
        rows = [_tabs(shown[row::count], target.width, SMALL, 3) for row in range(count)]
        if all(rows) or count == len(shown):
            for row, tabs in enumerate(rows):
                _draw_tabs(target, tabs or [], target.height - _TAB * (count - row), SMALL, 3)
            return _TAB * count
    return 0


def _tabs(shown: Sequence[tuple[int, str]], room: int, font: Font, padding: int) -> list[tuple[int, str]] | None:
    """Left edges and labels, each as near to its button as the others allow; None where they have no room."""
    widths = [font.width(label) + padding for _, label in shown]
    if sum(widths) + len(widths) - 1 > room:
        return None
    lefts: list[int] = []
    for (slot, _), width in zip(shown, widths, strict=True):
        wanted = round(room * (2 * slot + 1) / 10 - width / 2)
        # From the left each stands above its button, or behind the label before; then all are pushed back into sight.
        lefts.append(max(wanted, 0 if not lefts else lefts[-1] + widths[len(lefts) - 1] + 1))
    end = room
    for index in range(len(lefts) - 1, -1, -1):
        lefts[index] = min(lefts[index], end - widths[index])
        end = lefts[index] - 1
    return [(left, label) for left, (_, label) in zip(lefts, shown, strict=True)]


def _draw_tabs(target: Image.Image, tabs: Sequence[tuple[int, str]], top: int, font: Font, padding: int) -> None:
    pen = ImageDraw.Draw(target)
    for left, label in tabs:
        right = left + font.width(label) + padding - 1
        pen.rectangle((left, top, right, top + _TAB - 1), fill=255)
        pen.point([(left, top), (right, top)], fill=0)
        font.write(target, left + (padding + 1) // 2, top + 9, label, 0)


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
