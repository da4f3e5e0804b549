"""Main words and lines beside them: how large each becomes, and on how many pages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from PIL import Image

from companion.screen.fonts import SMALL, SMALL_BOLD, Font, outline
from companion.screen.wrapping import Block, largest, wrapped

_SIZES: Final = (46, 42, 38, 34, 30, 28, 26, 24, 22, 20, 18, 17, 16, 15, 14, 13)
_GAP: Final = 4


class Page(NamedTuple):
    """Blocks that are to stand below each other, with the height they need in px."""

    blocks: tuple[Block, ...] = ()

    @property
    def height(self) -> int:
        """What the blocks need, with the least gaps between them."""
        return sum(block.height for block in self.blocks) + _GAP * max(0, len(self.blocks) - 1)

    def draw(self, target: Image.Image, x: int, y: int, width: int, height: int, *, centred: bool = True) -> None:
        """Draws the blocks, with what is left of the height around and between them."""
        spare = max(0, height - sum(block.height for block in self.blocks))
        gap = min(spare // (len(self.blocks) + 1), 9) if self.blocks else 0
        gap = max(gap, _GAP) if len(self.blocks) > 1 and spare >= _GAP * (len(self.blocks) - 1) else gap
        used = sum(block.height for block in self.blocks) + gap * (len(self.blocks) - 1)
        y += max(0, (height - used) // 2)
        for block in self.blocks:
            block.draw(target, x, y, width, centred=centred)
            y += block.height + gap


def fonts_from(largest_size: int, *, smallest: Sequence[Font] = (SMALL_BOLD, SMALL)) -> tuple[Font, ...]:
    """Types for the main words, the largest first."""
    return (*(outline(size) for size in _SIZES if size <= largest_size), *smallest)


@lru_cache(maxsize=1024)
def one_page(main: str, lines: tuple[str, ...], width: int, height: int, *, large: bool) -> Page | None:
    """All of the text on one page, the main words as large as possible; None where it does not fit."""
    lines = tuple(line for line in lines if line)
    if not main and not lines:
        return Page()
    if not main or not lines:
        text = main or "\n".join(lines)
        most = (46 if main else 18) if not large else 46
        block = largest(text, width, height, fonts_from(most, smallest=() if large else (SMALL_BOLD, SMALL)))
        return block and Page((block,))
    chosen: Page | None = None
    for font in (outline(13), outline(14), outline(16)) if large else (SMALL, outline(13), outline(14)):
        small = wrapped("\n".join(lines), width, font)
        if small is None or small.height > height:
            continue
        smallest = () if large else (SMALL_BOLD,)
        big = largest(main, width, height - small.height - _GAP, fonts_from(46, smallest=smallest))
        # Larger lines only where the main words lose nothing by it.
        if big is None or big.font is font:
            continue
        is_clear = chosen is None or big.font.pitch >= 1.35 * font.pitch
        if is_clear and (chosen is None or big.font is chosen.blocks[0].font):
            chosen = Page((big, small))
    return chosen


def pages(main: str, lines: tuple[str, ...], width: int, height: int, *, large: bool) -> list[Page]:
    """The text on as few pages as it needs, the main words first."""
    together = one_page(main, lines, width, height, large=large)
    if together is not None:
        return [together]
    texts = [text for text in (main, *lines) if text]
    whole: list[Page] = []
    for text in texts:
        alone = one_page(text, (), width, height, large=large)
        joined = whole and _joined(whole[-1], text, width, height, large=large)
        if joined:
            whole[-1] = joined
        elif alone is not None:
            whole.append(alone)
        else:
            whole += _pieces(text, width, height, outline(13) if large else SMALL)
    return whole


def _joined(page: Page, text: str, width: int, height: int, *, large: bool) -> Page | None:
    """The page with a line more below it."""
    block = wrapped(text, width, outline(13) if large else SMALL)
    if block is None:
        return None
    together = Page((*page.blocks, block))
    return together if together.height <= height else None


def _pieces(text: str, width: int, height: int, font: Font) -> list[Page]:
    """A text that is too long for a page, in pieces; words too wide for a line are broken with a hyphen."""
    if wrapped(text, width, font) is None:
        font = SMALL
    block = wrapped(text, width, font, break_words=True)
    lines = block.lines if block else ()
    count = max(1, (height - sum(font.extent("Äg"))) // font.pitch + 1)
    number = -(-len(lines) // count)
    # As even as they can be: no page has a single word left over.
    bounds = [round(index * len(lines) / number) for index in range(number + 1)] if number else [0]
    return [
        Page((Block(font, lines[start:end], (end - start - 1) * font.pitch + sum(font.extent("Äg"))),))
        for start, end in pairwise(bounds)
    ]
