"""``companion deck scene``: rendered pictures of tables and whole games, with the truth beside them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.commands.shared.arguments import whole_number
from companion.commands.shared.errors import CommandError
from companion.commands.shared.progress import progress_bar
from companion.commands.shared.whole import appearing, check_is_free
from companion.games.loknroll.rules import Mode, RuleError, load_edition, set_up
from companion.texts.harmless import harmless
from vision.cards import DeckError

if TYPE_CHECKING:
    from vision.rendering.conditions import Difficulty

DIFFICULTIES: Final[tuple[Difficulty, ...]] = ("easy", "normal", "hard")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "The folder holds pictures and a truth.json that says what lies where.\n\n"
        "examples:\n  companion deck scene --out tables --tables 20 --difficulty mixed\n"
        "  companion deck scene --out game --mode betsy --difficulty hard --seed 7"
    )
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="a new folder")
    parser.add_argument(
        "--tables", metavar="N", type=whole_number(1, 100_000), help="so many single pictures instead of a game"
    )
    parser.add_argument("--mode", choices=[mode.value for mode in Mode], default="betsy", help="of the game played")
    parser.add_argument(
        "--difficulty", choices=(*DIFFICULTIES, "mixed"), default="normal", help="light and view (default: %(default)s)"
    )
    parser.add_argument(
        "--deck", metavar="DECK", type=Path, help="with its pictures: folder, deck.json or ZIP (default: our own)"
    )
    parser.add_argument("--seed", metavar="N", type=whole_number(0), default=0, help="the same number, the same bytes")
    parser.add_argument("--size", metavar="WxH", type=_size, default=(1640, 1232), help="in px (default: 1640x1232)")


def run(options: argparse.Namespace) -> int:
    """Writes the pictures."""
    check_is_free(options.out)
    with appearing(options.out) as folder, progress_bar("rendering pictures") as told:
        folder.mkdir()
        for done, of in _written(options, folder):
            told(done, of)
    print(f"{len(list(options.out.glob('*.jpg')))} pictures in {harmless(options.out)}")
    return 0


def _written(options: argparse.Namespace, folder: Path) -> Iterator[tuple[int, int]]:
    """Writes the pictures; yields how much is done, and of how much."""
    from companion.games.loknroll.artwork.drawn_deck import drawn_deck, read_with_our_back
    from companion.games.loknroll.robot.pictures import write_game, write_tables

    edition, mode = load_edition(), Mode(options.mode)
    names = [f"player {number + 1}" for number in range(mode.persons)]
    try:
        pictures = read_with_our_back(options.deck) if options.deck else drawn_deck(edition.deck)
        start = set_up(edition, pictures.deck, mode, names, rails=True)
    except (DeckError, RuleError) as error:
        raise CommandError(str(error)) from error
    chosen = [kind for kind in DIFFICULTIES if options.difficulty in {kind, "mixed"}]
    if options.tables:
        difficulties = list(islice(cycle(chosen), options.tables))
        return write_tables(folder, pictures, start, difficulties, seed=options.seed, size=options.size)
    difficulty = chosen[options.seed % len(chosen)]
    return write_game(folder, pictures, start, difficulty, seed=options.seed, size=options.size)


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal() and 64 <= int(width) <= 8192 and 64 <= int(height) <= 8192):
        raise argparse.ArgumentTypeError(f"{text!r} is no size; write WIDTHxHEIGHT in px, 64 to 8192, as 1640x1232")
    return int(width), int(height)
