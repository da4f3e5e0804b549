"""The dots of a small screen as characters of a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PIL import Image

HALF_BLOCKS: Final = " ▀▄█"
_BRAILLE: Final = 0x2800
_BRAILLE_DOTS: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""By row and column of a character of two by four dots."""


def dots_as_text(image: Image.Image, columns: int, rows: int) -> list[str]:
    """An image of mode "1" as lines that fit into so many columns and rows if at all possible.

    Half blocks show one dot across and two down for each character; where they do not fit, Braille shows two by four.
    """
    width, height = image.size
    if columns >= width and rows >= (height + 1) // 2:
        return half_blocks(image)
    return braille(image)


def half_blocks(image: Image.Image) -> list[str]:
    """As many columns as dots, half as many rows."""
    dots = _rows(image)
    return [
        "".join(HALF_BLOCKS[upper + 2 * lower] for upper, lower in zip(dots[top], dots[top + 1], strict=True))
        for top in range(0, len(dots) - 1, 2)
    ]


def braille(image: Image.Image) -> list[str]:
    """Half as many columns as dots, a quarter as many rows."""
    dots = _rows(image)
    return [
        "".join(
            chr(
                _BRAILLE
                + sum(
                    bit * dots[top + down][left + across]
                    for down, bits in enumerate(_BRAILLE_DOTS)
                    for across, bit in enumerate(bits)
                )
            )
            for left in range(0, len(dots[0]) - 1, 2)
        )
        for top in range(0, len(dots) - 3, 4)
    ]


def _rows(image: Image.Image) -> list[list[int]]:
    """1 for a dot that is on."""
    width, height = image.size
    values = [int(value > 0) for value in image.convert("L").tobytes()]
    return [values[row * width : (row + 1) * width] for row in range(height)]
