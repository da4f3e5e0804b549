"""``companion locomotion print``: a PDF with pieces of rail, vehicles and cards, to be cut out and folded."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.commands.shared.arguments import add_language, whole_number
from companion.commands.shared.errors import CommandError
from companion.commands.shared.progress import progress_bar
from companion.commands.shared.whole import appearing, check_is_free
from companion.games.drawing.paper import PAPERS
from companion.games.locomotion.networks.files import LARGEST_BYTES
from companion.games.locomotion.rules import BadPiece, Piece, load_piece, piece_names, read_piece
from companion.games.locomotion.rules.piece import PIECES
from companion.record.whole_file import read_whole
from companion.texts.harmless import harmless, shortened
from companion.texts.language import Texts


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Print at 100 %, on both sides, turned over the long edge.\n\n"
        "examples:\n  companion locomotion print --paper a4 --language de --out game.pdf\n"
        "  companion locomotion print --piece X --pieces 24 --paper letter --out crossings.pdf\n"
        "  companion locomotion print --piece mine.json --out mine.pdf"
    )
    names = ", ".join(piece_names())
    parser.add_argument(
        "--piece", metavar="NAME|FILE", default="T", help=f"{names}, or a piece's own file (default: %(default)s)"
    )
    parser.add_argument(
        "--pieces", metavar="N", type=whole_number(1, PIECES), default=PIECES, help="so many (default: %(default)s)"
    )
    parser.add_argument("--paper", choices=list(PAPERS), default="a4", help="(default: %(default)s)")
    parser.add_argument("--out", metavar="FILE.pdf", type=Path, required=True, help="a file that is not there yet")
    add_language(parser)


def run(options: argparse.Namespace) -> int:
    """Writes the PDF."""
    say = Texts(options.language, "companion.games.locomotion.printing")
    piece = _piece(options.piece, say)
    check_is_free(options.out)
    from companion.games.locomotion.printing.book import CannotBeCut, print_game

    with appearing(options.out) as file:
        try:
            with progress_bar(say("print.drawing")) as told:
                data = print_game(piece, options.pieces, PAPERS[options.paper], options.language, told)
        except CannotBeCut as error:
            raise CommandError(say(error.reason, name=shortened(piece.name), paper=options.paper)) from error
        file.write_bytes(data)
    print(say.counted("print.done", file=harmless(options.out), count=options.pieces))
    return 0


def _piece(name: str, say: Texts) -> Piece:
    """The piece that ships under this name, or that of a file; raises CommandError."""
    if name in piece_names():
        return load_piece(name)
    path = Path(name)
    if not path.suffix and not path.exists():
        raise CommandError(say("print.no-such-piece", name=name, names=piece_names()))
    try:
        content = read_whole(path)
        if len(content) > LARGEST_BYTES:
            raise CommandError(say("print.file-too-large", file=path, bytes=LARGEST_BYTES))
        return read_piece(content, str(path))
    except BadPiece as error:
        raise CommandError(str(error)) from error
    except (OSError, ValueError) as error:
        raise CommandError(f"{path}: {(error.strerror if isinstance(error, OSError) else None) or error}") from error
