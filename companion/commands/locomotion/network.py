"""``companion locomotion network``: a network drawn in the terminal, as SVG, as PNG, or as data."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from companion.commands.locomotion.board import TooWide, print_drawing
from companion.commands.locomotion.network_files import network_or_puzzle_called
from companion.commands.shared.arguments import add_language, seed_of, whole_number
from companion.commands.shared.errors import ArgumentsError, CommandError
from companion.commands.shared.whole import appearing, check_is_free
from companion.games.drawing.png import png_of, size_mm
from companion.games.locomotion.artwork.as_text import shape_in_words
from companion.games.locomotion.artwork.picture import network_svg
from companion.games.locomotion.networks.drawing_lots import SYMMETRIES, Wish, draw_network
from companion.games.locomotion.networks.files import network_as_json, puzzle_as_json
from companion.games.locomotion.networks.named import named_networks
from companion.games.locomotion.networks.puzzle import Puzzle
from companion.games.locomotion.rules import BadNetwork, Network, State, load_piece, piece_names
from companion.games.locomotion.rules.piece import PIECES
from companion.games.locomotion.wording import Wording
from companion.texts.harmless import harmless

_LARGEST_PX: Final = 2400
"""Of a PNG's longer side."""
_PX_PER_MM: Final = 6.0
_PIECES_PER_LOOP: Final = 6
"""Without a wish: a loop for so many pieces."""
_LOT: Final = ("loops", "spurs", "seed", "piece", "symmetry")


class _Shown(NamedTuple):
    """What is drawn; ``title`` says what it is."""

    title: str
    network: Network
    puzzle: Puzzle | None = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "examples:\n  companion locomotion network pinwheel\n"
        "  companion locomotion network --pieces 13 --loops 3 --seed 7 --svg network.svg\n"
        "  companion locomotion network --list"
    )
    parser.add_argument(
        "network", metavar="NAME|FILE", nargs="?", help="one that ships, or a file of JSON; - reads the standard input"
    )
    parser.add_argument("--list", action="store_true", help="the names of those that ship")
    parser.add_argument("--pieces", metavar="N", type=whole_number(1, PIECES), help="find one of so many by lot")
    parser.add_argument(
        "--loops", metavar="N", type=whole_number(0, PIECES), help="as many loops as that, if it can be"
    )
    parser.add_argument("--spurs", metavar="N", type=whole_number(0, 2 * PIECES), help="as many dead ends")
    parser.add_argument("--piece", choices=piece_names(), help="the shape of the pieces (default: T)")
    parser.add_argument("--symmetry", choices=SYMMETRIES, type=int, help="looks the same so often in a turn")
    parser.add_argument("--seed", metavar="N", type=whole_number(0), help="the same number finds the same network")
    parser.add_argument("--svg", metavar="FILE", type=Path, help="write the drawing")
    parser.add_argument("--png", metavar="FILE", type=Path, help="write the drawing as a picture")
    parser.add_argument("--json", action="store_true", help="the network as data, as a FILE holds it")
    add_language(parser)


def run(options: argparse.Namespace) -> int:
    """Draws the network, or lists those that ship."""
    say = Wording(options.language)
    if options.list:
        return _list(options, say)
    for file in (options.svg, options.png):
        if file is not None:
            check_is_free(file)
    shown = _shown(options, say)
    _write_pictures(shown, options)
    if options.json:
        print(json.dumps(network_as_json(shown.network) if shown.puzzle is None else puzzle_as_json(shown.puzzle)))
    elif options.svg is None and options.png is None:
        _show(shown, say)
    else:
        print("\n".join(harmless(file) for file in (options.svg, options.png) if file is not None))
    return 0


def _list(options: argparse.Namespace, say: Wording) -> int:
    listed = [(named, named.network()) for named in named_networks().values()]
    if options.json:
        print(json.dumps([{"name": named.name, **network_as_json(network)} for named, network in listed]))
        return 0
    width = max(len(named.name) for named, _ in listed)
    for named, network in listed:
        print(f"{named.name:{width}}  {named.titles[options.language]}: {shape_in_words(network, say)}")
    return 0


def _shown(options: argparse.Namespace, say: Wording) -> _Shown:
    """The network asked for; raises CommandError."""
    if options.pieces is not None:
        if options.network is not None:
            raise ArgumentsError(say("network.name-or-lot"))
        return _drawn_by_lot(options, say)
    for name in _LOT:
        if getattr(options, name) is not None:
            raise ArgumentsError(say("network.lot-alone", option=f"--{name}"))
    if options.network is None:
        raise ArgumentsError(say("network.which"))
    read = network_or_puzzle_called(options.network, say)
    named = named_networks().get(options.network)
    title = Path(options.network).name if named is None else named.titles[options.language]
    return _Shown(title, read.network, read) if isinstance(read, Puzzle) else _Shown(title, read)


def _drawn_by_lot(options: argparse.Namespace, say: Wording) -> _Shown:
    seed = seed_of(options)
    loops = options.pieces // _PIECES_PER_LOOP if options.loops is None else options.loops
    piece, wish = load_piece(options.piece or "T"), Wish(loops, options.spurs)
    try:
        drawn = draw_network(Random(seed), piece, options.pieces, wish, symmetry=options.symmetry or 1)
    except BadNetwork as error:
        raise CommandError(say.error(error)) from error
    if Wish(options.loops, options.spurs).missed_by(drawn.shape):
        print(say("network.missed", loops=drawn.shape.loops, spurs=drawn.shape.spurs), file=sys.stderr)
    return _Shown(say("network.lot", seed=seed), drawn.network)


def _write_pictures(shown: _Shown, options: argparse.Namespace) -> None:
    if options.svg is None and options.png is None:
        return
    svg = network_svg(shown.network, None if shown.puzzle is None else shown.puzzle.start(), shown.title)
    if options.svg is not None:
        with appearing(options.svg) as file:
            file.write_text(svg, encoding="utf-8")
    if options.png is not None:
        with appearing(options.png) as file:
            file.write_bytes(png_of(svg, min(_PX_PER_MM, _LARGEST_PX / max(size_mm(svg)))))


def _show(shown: _Shown, say: Wording) -> None:
    show_drawing(shown.network, None if shown.puzzle is None else shown.puzzle.start(), say)
    print(harmless(f"{shown.title}: {shape_in_words(shown.network, say)}"))
    if shown.puzzle is not None:
        print(say("network.order", order=list(shown.puzzle.order)))


def show_drawing(network: Network, state: State | None, say: Wording) -> None:
    """Prints a network; says so where it is too wide for the terminal."""
    try:
        print_drawing(network, state)
    except TooWide as error:
        print(say("network.too-wide", columns=error.columns), file=sys.stderr)
