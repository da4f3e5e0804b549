"""Type for a one-bit screen: our pixel font where letters are small, outlines without grey where they are large."""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.resources import as_file, files
from typing import Final, NamedTuple, Protocol

from PIL import Image, ImageDraw, ImageFont

from companion.screen.glyphs import BANDS, CAPITAL_ROWS, MARKS, TILDE, TINY_DIGITS, UMLAUT, WIDENED

_ABOVE: Final = 1
"""Rows that marks on capitals need above these."""
_SMALL_TOP: Final = 2
"""The first row of a small letter without ascender."""
_SYMBOLS: Final = frozenset("→←↑↓▲▼▶◀✓✗↻♪≥≤↩⌫↰↱↔↕∴⌒")
"""What the outlines lack: taken from the pixel font, enlarged."""

Rows = tuple[str, ...]


class Font(Protocol):
    """A size of type. All lengths in px."""

    pitch: int
    """From one baseline to the next."""
    small: bool
    """Whether it is meant for small print."""

    def __hash__(self) -> int: ...

    def width(self, text: str) -> int:
        """How wide a line is."""

    def extent(self, text: str) -> tuple[int, int]:
        """How far a line's ink reaches above its baseline, and below it."""

    def write(self, target: Image.Image, x: int, baseline: int, text: str, ink: int = 255) -> None:
        """Draws a line that begins at x."""


class PixelFont:
    """The small type, in whole multiples of its pixels; bold letters are struck twice, a pixel apart."""

    def __init__(self, *, bold: bool = False, scale: int = 1) -> None:
        self.bold, self.scale = bold, scale
        self.pitch = 9 * scale
        self.small = True

    def width(self, text: str) -> int:
        return self.scale * (sum(_advance(letter, self.bold) for letter in text) - 1) if text else 0

    def extent(self, text: str) -> tuple[int, int]:
        above = max((_extent(letter)[0] for letter in text), default=0)
        return self.scale * above, self.scale * max((_extent(letter)[1] for letter in text), default=0)

    def write(self, target: Image.Image, x: int, baseline: int, text: str, ink: int = 255) -> None:
        for letter in text:
            mask = _mask(letter, bold=self.bold, scale=self.scale)
            target.paste(ink, (x, baseline - self.scale * (CAPITAL_ROWS + _ABOVE)), mask)
            x += self.scale * _advance(letter, self.bold)


class _Glyph(NamedTuple):
    """A letter ready to be stamped: where its ink begins beside the pen and above the baseline."""

    advance: int
    left: int
    above: int
    below: int
    mask: Image.Image | None


class OutlineFont:
    """Open Sans Bold, drawn without grey; each letter is drawn once and stamped from then on."""

    def __init__(self, size: int) -> None:
        """A size of it, in px to the em."""
        with as_file(files("companion.screen") / "typefaces" / "OpenSans-Bold.ttf") as path:
            # BASIC counts whole pixels; Raqm, which not every Pillow has, gives fractions.
            self._font = ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)
        self.pitch = round(1.14 * size)
        self.small = False
        self._drawn: dict[str, _Glyph] = {}
        self._scale = max(1, round(0.72 * size / CAPITAL_ROWS))

    def width(self, text: str) -> int:
        return sum(self._glyph(letter).advance for letter in text)

    def extent(self, text: str) -> tuple[int, int]:
        glyphs = [self._glyph(letter) for letter in text]
        return max((glyph.above for glyph in glyphs), default=0), max((glyph.below for glyph in glyphs), default=0)

    def write(self, target: Image.Image, x: int, baseline: int, text: str, ink: int = 255) -> None:
        for letter in text:
            glyph = self._glyph(letter)
            if glyph.mask is not None:
                target.paste(ink, (x + glyph.left, baseline - glyph.above), glyph.mask)
            x += glyph.advance

    def _glyph(self, letter: str) -> _Glyph:
        glyph = self._drawn.get(letter)
        if glyph is None:
            glyph = self._drawn[letter] = self._symbol(letter) if letter in _SYMBOLS else self._letter(letter)
        return glyph

    def _letter(self, letter: str) -> _Glyph:
        left, top, right, bottom = map(int, self._font.getbbox(letter, mode="1", anchor="ls"))
        advance = round(self._font.getlength(letter, mode="1"))
        if right <= left or bottom <= top:
            return _Glyph(advance, 0, 0, 0, None)
        # Without grey from the start: then the type itself fits its strokes to whole pixels.
        mask = Image.new("1", (right - left, bottom - top))
        pen = ImageDraw.Draw(mask)
        pen.fontmode = "1"
        pen.text((-left, -top), letter, font=self._font, fill=1, anchor="ls")
        # A letter that would begin before the pen is moved: the first one of a line must not be cut off.
        return _Glyph(max(advance, right - min(0, left)), max(0, left), -top, max(0, bottom), mask)

    def _symbol(self, letter: str) -> _Glyph:
        above, below = (self._scale * rows for rows in _extent(letter))
        mask = _mask(letter, bold=False, scale=self._scale)
        left, top, right, bottom = mask.getbbox() or (0, 0, 1, 1)
        return _Glyph(mask.width + self._scale, left, above, below, mask.crop((left, top, right, bottom)))


@cache
def _glyphs() -> dict[str, Rows]:
    glyphs: dict[str, Rows] = {}
    for band in BANDS.strip().split("\n\n"):
        names, *rows = (line.split() for line in band.split("\n"))
        glyphs |= dict(zip(names, zip(*rows, strict=True), strict=True))
    return glyphs


@cache
def tiny_digits() -> dict[str, Rows]:
    """Digits of three by five pixels, row by row."""
    names, *rows = (line.split() for line in TINY_DIGITS.strip().split("\n"))
    return dict(zip(names, zip(*rows, strict=True), strict=True))


def is_drawn(letter: str) -> bool:
    """Whether the small type has this character; what it lacks is shown as a box."""
    return letter == " " or _rows(letter) != _BOX


_BOX: Final = ("....", "####", "#..#", "#..#", "#..#", "#..#", "#..#", "####")


@cache
def _rows(letter: str) -> Rows:
    """The rows of a character, the first of them above the capitals."""
    # A space at which no line is broken looks like any other.
    if letter == "\u00a0":
        letter = " "
    if letter == " ":
        return ("...",)
    glyphs = _glyphs()
    if letter in glyphs:
        rows = glyphs[letter]
        return ("." * len(rows[0]), *rows)
    base, *marks = tuple(unicodedata.normalize("NFD", letter))
    if len(marks) == 1 and marks[0] in MARKS and base in glyphs:
        return _marked(base, marks[0])
    return _BOX


def _marked(base: str, mark: str) -> Rows:
    """A letter with a mark. A capital gives rows away for it."""
    glyph = _glyphs()[base]
    if base == "i":
        # Its own dot makes room for the mark.
        glyph = (".", ".", *glyph[2:])
    width = len(glyph[0])
    if base.isupper():
        # Some capitals stand in a band with letters that hang below the baseline.
        glyph = glyph[:CAPITAL_ROWS]
        kept = glyph[1:6] if mark == TILDE else (glyph[0], *glyph[2:])
        rows, first = ["." * width] * (8 - len(kept)) + list(kept), 0
    else:
        rows, first = ["." * width, *glyph], _SMALL_TOP - len(MARKS[mark])
    # Two dots as far apart as the letter is wide: side by side they would look like a bar.
    lines = ("#" + "." * max(1, width - 2) + "#",) if mark == UMLAUT else MARKS[mark]
    for row, line in enumerate(lines, first):
        left = max(0, (width - len(line) + 1) // 2)
        rows[row] = ("." * left + line).ljust(width, ".")
    width = max(map(len, rows))
    return tuple(row.ljust(width, ".") for row in rows)


@cache
def _drawn_rows(letter: str, bold: bool) -> Rows:
    rows = _rows(letter)
    if not bold:
        return rows
    if letter in WIDENED:
        # Struck twice, their inner strokes would run together.
        rows = tuple(row[0] + "".join(dot * 2 for dot in row[1:-1]) + row[-1] for row in rows)
    return tuple(
        "".join("#" if "#" in row[max(0, x - 1) : x + 1] else "." for x in range(len(row) + 1)) for row in rows
    )


@cache
def _advance(letter: str, bold: bool) -> int:
    return len(_rows(letter)[0]) + 1 if letter in " \u00a0" else len(_drawn_rows(letter, bold)[0]) + 1


@cache
def _extent(letter: str) -> tuple[int, int]:
    """How far a character reaches above and below the baseline."""
    inked = [index for index, row in enumerate(_rows(letter)) if "#" in row]
    if not inked:
        return 0, 0
    return CAPITAL_ROWS + _ABOVE - inked[0], max(0, inked[-1] + 1 - CAPITAL_ROWS - _ABOVE)


@cache
def _mask(letter: str, *, bold: bool, scale: int) -> Image.Image:
    rows = _drawn_rows(letter, bold)
    mask = Image.new("1", (len(rows[0]), len(rows)))
    mask.putdata([dot == "#" for row in rows for dot in row])
    return mask.resize((mask.width * scale, mask.height * scale), Image.Resampling.NEAREST)


SMALL: Final = PixelFont()
SMALL_BOLD: Final = PixelFont(bold=True)


@cache
def outline(size: int) -> OutlineFont:
    """Open Sans Bold of this size."""
    return OutlineFont(size)
