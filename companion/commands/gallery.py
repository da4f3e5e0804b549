"""``companion gallery``: every screen as a picture, in every language."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from companion.commands.shared.whole import appearing, check_is_free
from companion.device.gallery import all_screens
from companion.games.registry import games
from companion.screen.screen import Screen
from companion.texts.harmless import harmless
from companion.texts.language import LANGUAGES

if TYPE_CHECKING:
    from PIL.Image import Image

NamedScreens = list[tuple[str, Screen]]

SCALE: Final = 6
_BEZEL: Final = 24
_COLUMNS: Final = 4
_SHEET_SCALE: Final = 3
_CAPTION: Final = 24
_CASE: Final = 40
"""Grey of the case around the glass."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "example:\n  companion gallery screens"
    parser.add_argument("folder", metavar="DIR", type=Path, help="a folder that is not there yet")
    parser.add_argument("--language", choices=LANGUAGES, help="only this one (default: all)")
    parser.add_argument("--large", action="store_true", help="as they are in large type")


def run(options: argparse.Namespace) -> int:
    """Writes the folder."""
    check_is_free(options.folder)
    languages = [options.language] if options.language else LANGUAGES
    count = 0
    with appearing(options.folder) as folder:
        for language in languages:
            count += _write(folder, language, all_screens(language, games()), large=options.large)
    print(f"{harmless(options.folder)}: {count} pictures of screens, and a sheet with all of them for each language.")
    return 0


def _write(folder: Path, language: str, screens: NamedScreens, *, large: bool) -> int:
    """A picture for each page of each screen, and a sheet of all; returns how many pictures."""
    from companion.screen import FRAMES_A_PAGE, count_pages, draw

    (folder / language).mkdir(parents=True)
    drawn: list[tuple[str, Image]] = []
    for name, screen in screens:
        count = count_pages(screen, large)
        for page in range(count):
            title = f"{name}-{page + 1}" if count > 1 else name
            shown = replace(screen, frame=page * FRAMES_A_PAGE) if page else screen
            drawn.append((title, draw(shown, large)))
    for title, image in drawn:
        _framed(image, SCALE, _BEZEL).save(folder / language / f"{title}.png")
    sheet_of(drawn, _COLUMNS).save(folder / f"{language}.png")
    return len(drawn)


def _framed(image: Image, scale: int, bezel: int) -> Image:
    """The screen enlarged, in a bezel."""
    from PIL import Image as Pillow

    enlarged = image.convert("L").resize((image.width * scale, image.height * scale), Pillow.Resampling.NEAREST)
    framed = Pillow.new("L", (enlarged.width + 2 * bezel, enlarged.height + 2 * bezel), _CASE)
    framed.paste(0, (bezel // 2, bezel // 2, framed.width - bezel // 2, framed.height - bezel // 2))
    framed.paste(enlarged, (bezel, bezel))
    return framed


def sheet_of(drawn: Sequence[tuple[str, Image]], columns: int) -> Image:
    """Screens with their names, so many in a row."""
    from PIL import Image as Pillow

    from companion.screen.fonts import PixelFont

    font = PixelFont(scale=2)
    cells = [(title, _framed(image, _SHEET_SCALE, 8)) for title, image in drawn]
    width, height = cells[0][1].width, cells[0][1].height + _CAPTION
    rows = -(-len(cells) // columns)
    sheet = Pillow.new("L", (width * columns, height * rows), _CASE)
    for index, (title, cell) in enumerate(cells):
        x, y = index % columns * width, index // columns * height
        sheet.paste(cell, (x, y + _CAPTION))
        font.write(sheet, x + 8, y + _CAPTION - 4, title, 200)
    return sheet
