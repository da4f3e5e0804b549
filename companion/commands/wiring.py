"""``companion wiring``: how buttons, screen and camera are connected and mounted, drawn from the settings."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from companion.commands.shared.arguments import add_language, add_page
from companion.commands.shared.errors import CommandError
from companion.commands.shared.whole import appearing, check_is_free
from companion.texts.harmless import harmless
from companion.texts.language import Texts
from companion.wiring.page import WiringPage
from companion.wiring.sheet import rendered
from hardware.settings import SettingsError, load_settings
from vision.cards import CARD_MM

_LONGEST_CM: Final = 400


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "examples:\n  companion wiring --out wiring.html\n"
        "  companion wiring --devices devices.toml --table 120x80 --language de --out wiring.png"
    )
    parser.add_argument(
        "--out", metavar="FILE", type=Path, required=True, help="an .html page, or the drawing as .svg or .png"
    )
    parser.add_argument(
        "--devices", metavar="FILE", type=Path, help="pins, screen and camera (default: the usual ones)"
    )
    parser.add_argument(
        "--table", metavar="WxD", type=_table, default=(800.0, 600.0), help="the table in cm (default: 80x60)"
    )
    add_page(parser, "with a code for phones")
    add_language(parser)


def run(options: argparse.Namespace) -> int:
    """Writes the page or the drawing."""
    out: Path = options.out
    if out.suffix.lower() not in {".html", ".svg", ".png"}:
        raise CommandError(f"{out}: is it to be a page or a drawing? Name it .html, .svg or .png.")
    try:
        settings = load_settings(options.devices)
    except SettingsError as error:
        raise CommandError(str(error)) from error
    check_is_free(out)
    page = WiringPage(settings, options.table, CARD_MM[0], Texts(options.language))
    with appearing(out) as file:
        if out.suffix.lower() == ".html":
            file.write_text(page.html(options.page or ""), encoding="utf-8")
        else:
            svg = page.drawing().svg()
            file.write_bytes(rendered(svg) if out.suffix.lower() == ".png" else svg.encode())
    print(harmless(out))
    return 0


def _table(text: str) -> tuple[float, float]:
    width, times, depth = text.lower().partition("x")
    if not (times and width.isdecimal() and depth.isdecimal() and 0 < int(depth) <= int(width) <= _LONGEST_CM):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no table; write width and depth in cm, the longer first, as 80x60"
        )
    return 10.0 * int(width), 10.0 * int(depth)
