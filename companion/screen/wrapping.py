"""Text in lines: broken at words, in the largest type in which it fits."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from companion.screen.fonts import Font


class Block(NamedTuple):
    """Lines of text in a type, with the height of their ink in px."""

    font: Font
    lines: tuple[str, ...]
    height: int

    def draw(self, target: Image.Image, x: int, y: int, width: int, *, centred: bool = False, ink: int = 255) -> None:
        """Draws the block with its topmost ink at y."""
        baseline = y + (self.font.extent(self.lines[0])[0] if self.lines else 0)
        for line in self.lines:
            left = x + (width - self.font.width(line)) // 2 if centred else x
            self.font.write(target, left, baseline, line, ink)
            baseline += self.font.pitch


@lru_cache(maxsize=1024)
def wrapped(text: str, width: int, font: Font, *, break_words: bool = False) -> Block | None:
    """The text in lines of this width, as even as they can be; None where a word is wider and may not be broken."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        words = paragraph.split()
        if break_words:
            words = [part for word in words for part in _parts(word, width, font)]
        if any(font.width(word) > width for word in words):
            return None
        lines += _even_lines(words, width, font)
    return Block(font, tuple(lines), _height(font, lines))


def largest(text: str, width: int, height: int, fonts: Iterable[Font]) -> Block | None:
    """The text in the first of these types, largest first, in which it fits."""
    paragraphs = [paragraph.split() for paragraph in text.split("\n")]
    # Most types are too large, and that is seen sooner by one word and by lines that are not even yet.
    longest = max((word for words in paragraphs for word in words), key=len, default="")
    for font in fonts:
        if font.width(longest) > width:
            continue
        lines = [line for words in paragraphs for line in _lines(words, width, font)]
        # Half a line of tolerance: even lines end in other letters, which may hang lower or not at all.
        if _height(font, lines) > height + font.pitch // 2:
            continue
        block = wrapped(text, width, font)
        if block is not None and block.height <= height:
            return block
    return None


def _even_lines(words: list[str], width: int, font: Font) -> list[str]:
    """As few lines as possible, the longest of them as short as possible."""
    lines = _lines(words, width, font)
    if not 1 < len(lines) <= 4:
        return lines
    # The narrowest width that needs no more lines, by halving; a pixel or two cannot be seen.
    narrow, wide = max(width // 2, *map(font.width, words)) - 1, width
    while wide - narrow > 2:
        middle = (narrow + wide) // 2
        if len(_lines(words, middle, font)) == len(lines):
            wide = middle
        else:
            narrow = middle
    return _lines(words, wide, font)


def _lines(words: list[str], width: int, font: Font) -> list[str]:
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and font.width(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _parts(word: str, width: int, font: Font) -> list[str]:
    """A word in pieces that are no wider, with hyphens."""
    parts: list[str] = []
    while font.width(word) > width:
        # At least a letter for each line: in a column that is narrower than that it would never end.
        end = max(1, next(end for end in range(len(word) - 1, -1, -1) if font.width(f"{word[:end]}-") <= width))
        parts.append(f"{word[:end]}-")
        word = word[end:]
    return [*parts, word]


def _height(font: Font, lines: list[str]) -> int:
    """From the first ink to the last."""
    if not lines:
        return 0
    return font.extent(lines[0])[0] + (len(lines) - 1) * font.pitch + max(0, font.extent(lines[-1])[1])
