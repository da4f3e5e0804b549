"""``companion gallery``: every screen as a picture, in every language."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.commands.whole import appearing, check_is_free
from companion.language import LANGUAGES, Texts
from companion.screen import MapCard, RailwayMap, Screen
from vision.cards import Pose

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
    """What the command takes."""
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
            screens = [shown for source in SOURCES for shown in source(Texts(language, "companion"))]
            count += _write(folder, language, screens, large=options.large)
    print(f"{options.folder}: {count} pictures of screens, and a sheet with all of them for each language.")
    return 0


def _write(folder: Path, language: str, screens: NamedScreens, *, large: bool) -> int:
    """A picture for each page of each screen, and a sheet of all; returns how many pictures."""
    from msgspec.structs import replace

    from companion.drawing import FRAMES_A_PAGE, count_pages, draw

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
    _sheet(drawn).save(folder / f"{language}.png")
    return len(drawn)


def _framed(image: Image, scale: int, bezel: int) -> Image:
    """The screen enlarged, in a bezel."""
    from PIL import Image as Pillow

    enlarged = image.convert("L").resize((image.width * scale, image.height * scale), Pillow.Resampling.NEAREST)
    framed = Pillow.new("L", (enlarged.width + 2 * bezel, enlarged.height + 2 * bezel), _CASE)
    framed.paste(0, (bezel // 2, bezel // 2, framed.width - bezel // 2, framed.height - bezel // 2))
    framed.paste(enlarged, (bezel, bezel))
    return framed


def _sheet(drawn: Sequence[tuple[str, Image]]) -> Image:
    """All screens with their names."""
    from PIL import Image as Pillow

    from companion.drawing.fonts import PixelFont

    font = PixelFont(scale=2)
    cells = [(title, _framed(image, _SHEET_SCALE, 8)) for title, image in drawn]
    width, height = cells[0][1].width, cells[0][1].height + _CAPTION
    rows = -(-len(cells) // _COLUMNS)
    sheet = Pillow.new("L", (width * _COLUMNS, height * rows), _CASE)
    for index, (title, cell) in enumerate(cells):
        x, y = index % _COLUMNS * width, index // _COLUMNS * height
        sheet.paste(cell, (x, y + _CAPTION))
        font.write(sheet, x + 8, y + _CAPTION - 4, title, 200)
    return sheet


def example_screens(say: Texts) -> NamedScreens:
    """A screen of every kind."""
    return [*_turn_screens(say), *_table_screens(say), *_menu_screens(say), *_dice_screens(say)]


SOURCES: Final[tuple[Callable[[Texts], NamedScreens], ...]] = (example_screens,)
"""Where the screens come from: each lists its own in the language of the texts of ``companion``."""


def _turn_screens(say: Texts) -> NamedScreens:
    turn, roll, back, okay = (say(f"screens.{key}") for key in ("turn", "roll", "back", "ok"))
    laid = ("2 + 2 → 4", (say("screens.derailing", chance="12 %"),))
    wrong = (say("screens.wrong", value=3, front=1), (say("screens.fits", front=1, allowed="1, 2, 4"),))
    after = (say("screens.penalty", cards="3, 1"),)
    four = (1, 0, 1, 1)
    return [
        (
            "turn",
            Screen(
                turn, say("screens.lay"), (say("screens.or-pass"),), keys=("", say("screens.passing"), "", "", back)
            ),
        ),
        ("laid", Screen(turn, *laid, keys=(roll, "", "", "", back))),
        ("wrong", Screen(turn, *wrong, keys=("", "", "", "", back), alert=True)),
        ("rails", Screen(turn, lines=(say("screens.apart"),), alert=True)),
        ("tumbling-1", Screen(turn, dice=four, tumbling=1)),
        ("tumbling-2", Screen(turn, dice=four, tumbling=2)),
        ("dice", Screen(turn, dice=four)),
        ("rolled", Screen(turn, say("screens.result", steps=3), dice=four, keys=(okay, "", "", "", ""))),
        ("derailed", Screen(turn, say("screens.derailed"), after, four, keys=(okay, "", "", "", back))),
        (
            "broken",
            Screen(
                turn,
                say("screens.result", steps=2),
                (say("screens.broken"),),
                dice=(1, 1),
                keys=(okay, "", "", "", back),
            ),
        ),
        ("combine", Screen(turn, say("screens.order"), ("3 + 3",), keys=(okay, say("screens.other"), "▲", "▼", back))),
    ]


def _table_screens(say: Texts) -> NamedScreens:
    keys = (say("screens.ok"), say("screens.other"), "", "", say("screens.back"))
    lay, how, betsy = say("screens.show", card=3), (say("screens.how"),), say("screens.betsy")
    short, long = _railway(4), _railway(11)
    wrong = RailwayMap(cards=short.cards, emma=short.emma, marked=(3,))
    return [
        ("betsy", Screen(betsy, lay, how, map=short, keys=keys)),
        ("betsy-blink", Screen(betsy, lay, how, map=short, keys=keys, frame=1)),
        ("betsy-long", Screen(betsy, lay, map=long, keys=keys)),
        ("map", Screen(betsy, map=long)),
        ("misplaced", Screen(betsy, say("screens.wrong", value=3, front=1), map=wrong, alert=True)),
        ("camera", Screen(say("screens.turn"), say("screens.camera"), (say("screens.unplugged"),), alert=True)),
    ]


def _railway(count: int) -> RailwayMap:
    """Cards that run to the right and then down, and one that is to be laid across below the last."""
    right = [(63.0 * index, 0.0) for index in range(min(count, 6))]
    down = [(right[-1][0], 88.0 * (index + 1)) for index in range(count - len(right))]
    values = "2341322314213"
    cards = tuple(MapCard(Pose(x, y), label=value) for (x, y), value in zip([*right, *down], values, strict=False))
    x, y = [*right, *down][-1]
    new = MapCard(Pose(x, y + 75.5, 90), label="3")
    arrow = ((x, y + 30), (x, y + 75.5), (x + 50, y + 75.5))
    return RailwayMap(cards=cards, emma=2 if count < 6 else count - 3, new=new, arrow=arrow)


def _menu_screens(say: Texts) -> NamedScreens:
    keys = (say("screens.ok"), "", "▲", "▼", say("screens.back"))
    choices = tuple(say(f"screens.{key}") for key in ("new", "piles", "dice", "language", "large", "off"))
    languages = ("English", "Deutsch", "Español")
    best, past = (say("screens.best", points=24),), (45, 38, 50, 24, 33, 41, 29, 31)
    return [
        ("menu", Screen(say("screens.menu"), choices=choices, chosen=1, keys=keys)),
        ("menu-end", Screen(say("screens.menu"), choices=choices, chosen=5, keys=keys)),
        ("language", Screen(say("screens.language"), say("screens.which"), choices=languages, chosen=1, keys=keys)),
        ("two", Screen(say("screens.menu"), choices=(say("screens.new"), say("screens.off")), keys=keys)),
        ("solo", Screen(say("screens.solo"), "31", best, curve=past, keys=(say("screens.ok"), "", "", "", ""))),
    ]


def _dice_screens(say: Texts) -> NamedScreens:
    title = say("screens.dice")
    keys = (say("screens.roll"), say("screens.hold"), "◀", "▶", say("screens.back"))
    mixed = (4, 20, 3, 6, 8, 12, 7)
    sides = (4, 20, 6, 6, 8, 12, 10)
    return [
        ("box-wheels", Screen(title, "5", dice=(1, 2, 0, 2), keys=keys)),
        ("box-pips", Screen(title, "19", dice=(1, 3, 4, 5, 6), sides=(6,) * 5, held=(3, 4), pointed=1, keys=keys)),
        ("box-mixed", Screen(title, dice=mixed, sides=sides, held=(1, 2), pointed=3, keys=keys)),
        ("box-d20", Screen(title, dice=(20, 17), sides=(20, 20), keys=keys)),
        ("box-tumbling", Screen(title, dice=mixed, sides=sides, held=(1, 2), tumbling=4)),
    ]
