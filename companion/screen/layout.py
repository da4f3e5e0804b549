"""Where the parts of a screen go: heading on top, keys at the bottom, in between the main words and one picture."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final, NamedTuple

from PIL import Image, ImageChops, ImageDraw

from companion.screen.fonts import SMALL, SMALL_BOLD
from companion.screen.network_map import network_image
from companion.screen.parts import DiceGrid, dice_gap, draw_curve, draw_dice, draw_dots, draw_keys, draw_list
from companion.screen.screen import NetworkMap, Screen
from companion.screen.table_map import map_image
from companion.screen.text import Page, one_page, pages
from companion.screen.wrapping import wrapped

WIDTH: Final = 128
HEIGHT: Final = 64
FRAMES_A_PAGE: Final = 12
"""A text that needs several pages is turned over after so many frames."""

_DICE_PX: Final = (40, 36, 32, 30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8)
_MAP_PX: Final = (76, 70, 64, 58, 52)
_MAIN_PITCHES: Final = (21, 14, 0)
"""How far apart lines of the main words are at least, beside dice: better first."""
_MOST_PAGES_BESIDE_MAP: Final = 2
"""A sentence in large type must not fall apart into many of them: then it is shown in small type."""
_LEAST_CURVE_PX: Final = 14
_DRAWING_GAP: Final = 4
_LEAST_TEXT_PX: Final = 10
"""A line of the smallest type."""


class _Body(NamedTuple):
    """Where the text stands, and the pages of it; the picture has the rest."""

    x: int
    y: int
    width: int
    height: int
    pages: list[Page]
    picture_px: int = 0
    """The width of a map or a drawing, the height of a list or a curve."""
    dice: DiceGrid | None = None
    is_beside_heading: bool = False
    """Whether the heading is no wider than the text, and the map has its height as well."""


def draw(screen: Screen, large: bool = False) -> Image.Image:
    """The screen as an image of mode "1", WIDTH x HEIGHT.

    ``large`` keeps small type to the heading and the keys, where no picture needs the room. A text that has no room on
    one page is shown on several, chosen by ``screen.frame``, FRAMES_A_PAGE each; nothing is ever cut off. Of several
    pictures the first is drawn of choices, map, dice, curve and drawing.
    """
    image = Image.new("L", (WIDTH, HEIGHT))
    inner = Image.new("L", _room(screen, draw_keys(image, screen.keys)))
    body = _body(screen, inner.width, inner.height, large=large)
    page = screen.frame // FRAMES_A_PAGE % max(1, len(body.pages))
    heading_px = body.width if body.is_beside_heading else inner.width
    _draw_heading(inner, heading_px, screen.heading, f"{page + 1}/{len(body.pages)}" if len(body.pages) > 1 else "")
    _draw_picture(inner, screen, body, large=large)
    if body.pages:
        body.pages[page].draw(inner, body.x, body.y, body.width, body.height, centred=screen.map is None)
    rim = _rim(screen)
    image.paste(inner, (rim, rim))
    if screen.alert:
        image = ImageChops.invert(image)
    # Everything is drawn in black and white already: a dither would only scatter dots along the edges.
    return image.convert("1", dither=Image.Dither.NONE)


def count_pages(screen: Screen, large: bool = False) -> int:
    """On how many pages its text is shown."""
    width, bottom = _room(screen, draw_keys(Image.new("L", (WIDTH, HEIGHT)), screen.keys))
    return max(1, len(_body(screen, width, bottom, large=large).pages))


def _rim(screen: Screen) -> int:
    """Dark letters on a bright screen are hard to read where they touch the case."""
    return 2 if screen.alert else 0


def _room(screen: Screen, keys_px: int) -> tuple[int, int]:
    """Width and height of what is within the rim and above the keys."""
    gap = 2 if keys_px else _rim(screen)
    return WIDTH - 2 * _rim(screen), HEIGHT - keys_px - gap - _rim(screen)


def _body(screen: Screen, width: int, bottom: int, *, large: bool) -> _Body:
    top = _draw_heading(None, width, screen.heading, "")
    height = bottom - top
    if screen.choices:
        return _beside_list(screen, top, width, height, large=large)
    if screen.map is not None:
        body = _beside_map(screen, top, width, height, large=large)
        # Of a network there is never too much to be seen: where the heading is short its line is given to the map.
        is_short = SMALL.width(screen.heading) + _mark_px() <= body.width
        return body._replace(is_beside_heading=is_short and isinstance(screen.map, NetworkMap))
    if screen.dice:
        return _with_dice(screen, top, width, height, large=large)
    if screen.curve:
        room = height - _LEAST_CURVE_PX
        # The main words are large here as it is; lines of large type would leave them no room.
        text = pages(screen.main, screen.lines, width, room, large=False)
        used = min(room, max((page.height for page in text), default=0) + 2)
        return _Body(0, top, width, used, text, height - used)
    room = max(_LEAST_TEXT_PX, height)
    if screen.drawing:
        drawn = len(screen.drawing[0])
        text_px = width - drawn - _DRAWING_GAP
        return _Body(0, top, text_px, room, pages(screen.main, screen.lines, text_px, room, large=large), drawn)
    return _Body(0, top, width, room, pages(screen.main, screen.lines, width, room, large=large))


def _beside_list(screen: Screen, top: int, width: int, height: int, *, large: bool) -> _Body:
    """The text above a list of which at least two rows are seen."""
    if not screen.main and not screen.lines:
        return _Body(0, top, width, 0, [], height)
    row = 15 if large else 11
    room = max(_LEAST_TEXT_PX, height - row * min(len(screen.choices), 2 if large else 3))
    text = pages(screen.main, screen.lines, width, room, large=False)
    used = min(room, max(page.height for page in text))
    return _Body(0, top, width, used, text, height - used - 1)


def _beside_map(screen: Screen, top: int, width: int, height: int, *, large: bool) -> _Body:
    """The text to the left of the map, which is as wide as the text allows."""
    gap = 3
    if not screen.main and not any(screen.lines):
        return _Body(0, top, 0, height, [], width)
    # Smaller lines are better than large ones that must be turned over while the map is looked at.
    for is_large, least_pitch, map_px in product((True, False) if large else (False,), _MAIN_PITCHES[1:], _MAP_PX):
        text = one_page(screen.main, screen.lines, width - map_px - gap, height, large=is_large)
        if text is not None and (not text.blocks or text.blocks[0].font.pitch >= least_pitch):
            return _Body(0, top, width - map_px - gap, height, [text], map_px)
    map_px = _MAP_PX[-1]
    text_px = width - map_px - gap
    whole = pages(screen.main, screen.lines, text_px, height, large=large)
    if len(whole) > _MOST_PAGES_BESIDE_MAP:
        whole = pages(screen.main, screen.lines, text_px, height, large=False)
    return _Body(0, top, text_px, height, whole, map_px)


def _with_dice(screen: Screen, top: int, full: int, height: int, *, large: bool) -> _Body:
    """The text below the dice or to their right, whichever leaves both larger; the dice as large as it allows."""
    ways = list(_dice_places(screen, top, full, height))
    # Larger words go before larger dice.
    for is_large, least_pitch in product((True, False) if large else (False,), _MAIN_PITCHES):
        for grid, x, y, width, room in ways:
            text = one_page(screen.main, screen.lines, width, room, large=is_large)
            if text is not None and (not text.blocks or text.blocks[0].font.pitch >= least_pitch):
                return _Body(x, y, width, room, [text], dice=grid)
    # With more text than one page holds, dice beside it leave every page its whole height.
    grid, x, y, width, room = next((way for way in ways if way[3] < full), ways[-1])
    return _Body(x, y, width, room, pages(screen.main, screen.lines, width, room, large=large), dice=grid)


def _dice_places(screen: Screen, top: int, full: int, height: int) -> Iterator[tuple[DiceGrid, int, int, int, int]]:
    """The ways to place dice and text, the largest dice first: the grid, and left, top, width and height of the text.

    The text is below one row of dice, two where they are many, or to the right of two columns.
    """
    count, gap = len(screen.dice), dice_gap(screen)
    has_text = bool(screen.main or any(screen.lines))
    in_a_row = count if count <= 5 else -(-count // 2)
    for size in _DICE_PX:
        cell = size + gap
        used = cell * -(-count // in_a_row)
        room = height - (_LEAST_TEXT_PX if has_text else 0)
        if in_a_row * cell <= full and (used <= room or size == _DICE_PX[-1]):
            place = DiceGrid(size, in_a_row, 0, top, full, used if has_text else height)
            yield place, 0, top + used, full, max(_LEAST_TEXT_PX, height - used)
        columns = min(2, count)
        if has_text and size >= 16 and -(-count // columns) * cell <= height and columns * cell <= full // 2:
            width = columns * cell
            yield DiceGrid(size, columns, 0, top, width, height), width + 3, top, full - width - 3, height


def _draw_picture(image: Image.Image, screen: Screen, body: _Body, *, large: bool) -> None:
    if screen.choices:
        draw_list(image, screen, body.y + body.height + (1 if body.height else 0), body.picture_px, large=large)
    elif screen.map is not None:
        top = 0 if body.is_beside_heading else body.y
        size = body.picture_px, body.y + body.height - top
        if isinstance(screen.map, NetworkMap):
            picture = network_image(screen.map, *size, screen.frame)
        else:
            picture = map_image(screen.map, *size, screen.frame)
        image.paste(picture, (image.width - body.picture_px, top))
    elif body.dice is not None:
        draw_dice(image, screen, body.dice)
    elif screen.curve:
        draw_curve(image, screen.curve, body.y + body.height, body.picture_px)
    elif screen.drawing:
        draw_dots(image, screen.drawing, body.width + _DRAWING_GAP, body.y + (body.height - len(screen.drawing)) // 2)


def _mark_px() -> int:
    """The room for the number of a page at the right end of the heading."""
    return SMALL.width("9/9") + 4


def _draw_heading(image: Image.Image | None, width: int, heading: str, mark: str) -> int:
    """The top line, with a mark at its right end; returns where the rest begins. With no image it only measures."""
    # How many pages there are is not known yet when the heading is measured: the mark's room is always kept.
    room = width - _mark_px()
    block = next(
        (
            block
            for font in (SMALL_BOLD, SMALL)
            if (block := wrapped(heading, room, font)) is not None and len(block.lines) <= 1
        ),
        wrapped(heading, room, SMALL, break_words=True),
    )
    if block is None or not (heading or mark):
        return 0
    baseline = 8
    for line in block.lines:
        if image is not None:
            block.font.write(image, 0, baseline, line)
        baseline += block.font.pitch
    if image is not None:
        start = (block.font.width(block.lines[-1]) + 4) if block.lines else 0
        end = width - (SMALL.width(mark) + 4 if mark else 1)
        last = baseline - block.font.pitch
        if end - start >= 5:
            ImageDraw.Draw(image).line((start, last - 3, end, last - 3), fill=255)
        SMALL.write(image, end + 3, last, mark)
    below = block.font.extent(block.lines[-1])[1] if block.lines else 0
    return (baseline - block.font.pitch if block.lines else 8) + below + 2
