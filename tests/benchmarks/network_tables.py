"""How well networks and what stands on them are read, on rendered tables, and how long that takes.

    python -m tests.benchmarks.network_tables --tables 500 --seed 1000

Each table is a random network of T, X or D, 9 to 45 pieces, seen first without and then with random vehicles; a third
of the tables each is easy, normal and hard. Half of them are printed pieces with printed vehicles, of which the eye is
told nothing; the others are of wood with dots, of which it knows the cells alone and is told how they should lie, as a
game tells it. ``--untold`` tells nothing of these either. With ``--colours other`` vehicles have any four
colours, and with ``--print other`` printed T any print. Of those the eye knows what it has learned from one
picture of another table in normal light on which all is told, as at the beginning of a game. Milliseconds are those of
the processor; what has changed is one vehicle that comes.
"""

from __future__ import annotations

import argparse
import multiprocessing
import signal
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Collection
from functools import partial
from random import Random
from typing import Final, NamedTuple

from msgspec.structs import replace

from tests.vision.networks.rendered_networks import (
    RenderedNetwork,
    drawn_print,
    other_paints,
    painted,
    rendered_network,
    with_face,
)
from vision.arrays import Picture
from vision.networks.network_eye import NetworkEye
from vision.networks.pieces.piece_look import PieceLook
from vision.networks.vehicles.paints import Colour, learnt
from vision.networks.vehicles.vehicle_shapes import Kind
from vision.rendering.conditions import Difficulty
from vision.watching.network_reading import Cell, NetworkReading
from vision.watching.steady_view import no_still
from vision.watching.table_reading import TableReading

DIFFICULTIES: Final[tuple[Difficulty, ...]] = ("easy", "normal", "hard")
PIECES: Final = (9, 13, 20, 30, 45)
_LESSON: Final = 20
"""Pieces of the table from which the eye learns."""
_OTHER: Final = 100_000
"""Its seed is so much higher."""
PATIENCE: Final = 20
"""So many pictures more of the same table, two seconds of a camera's, are looked at where the first leaves doubts."""


class Result(NamedTuple):
    """What was read of a table."""

    network: str
    dots: int
    wrong_dots: int
    unasked_dots: int
    first_ms: float
    still_ms: float
    changed_ms: float


class _Timed:
    """An eye whose looks are timed, in ms of the processor."""

    def __init__(self, eye: NetworkEye, told: set[str]) -> None:
        self.eye, self.told, self.ms = eye, told, 0.0

    def look(self, picture: Picture) -> TableReading:
        start = time.process_time()
        reading = self.eye.look(picture, self.told, no_still)
        self.ms = 1000 * (time.process_time() - start)
        return reading


def measured(
    table: RenderedNetwork, *, is_told: bool, has_print: bool, random: Random, taught: Collection[str] = ()
) -> Result:
    """What the eye makes of a table, with what it has been ``taught``, in its words."""
    piece = table.network.piece
    eye = NetworkEye(table.pictures, piece.cells, has_print=has_print, is_same_turned=piece.name != "T")
    timed = _Timed(eye, {*(table.told() if is_told else ()), *taught})
    reading = timed.look(table.photograph(0, vehicles=False)).network
    first_ms = timed.ms
    for seed in range(PATIENCE):
        if seed > 4 and reading is not None and all(seen.is_sure for seen in reading.pieces):
            break
        reading = timed.look(table.photograph(seed + 1, vehicles=False)).network
    timed.look(table.photograph(50))
    timed.look(_before_one_came(table, random).photograph(51))
    timed.look(table.photograph(51))
    changed_ms = timed.ms
    stills = []
    for seed in range(52, 52 + PATIENCE):
        if seed > 57 and reading is not None and not any(seen.others for seen in reading.vehicles):
            break
        reading = timed.look(table.photograph(seed)).network
        stills.append(timed.ms)
    return _judged(table, eye, reading, (first_ms, statistics.median(stills), changed_ms))


def taught_by(table: RenderedNetwork, *, colours: bool, own_print: bool, has_print: bool) -> set[str] | None:
    """What the eye learns from a picture of a table, of which it is told all; None where it cannot."""
    piece = table.network.piece
    eye = NetworkEye(table.pictures, piece.cells, has_print=has_print, is_same_turned=piece.name != "T")
    eye.look(table.photograph(0, vehicles=False), table.told(), no_still)
    asked = {"paints"} | ({"print"} if own_print else set())
    reading = eye.look(table.photograph(1), table.told() | asked, no_still).network
    if reading is None or eye.grid is None or bool(reading.own_print) != own_print:
        return None
    lines = {f"print {reading.own_print}"} if own_print else set()
    if not colours:
        return lines
    _, standing = table.seen_as(eye.grid.view.on_grid(table.dots_px()))
    seen = {paint.dot: paint.colour for paint in reading.paints}
    if set(seen) != set(standing):
        return None
    own = learnt(seen, {dot: Kind(*kind) for dot, kind in standing.items()})
    if own.alike is not None or own.odd:
        return None
    return lines | {f"colour {number} {red} {green} {blue}" for number, (red, green, blue) in own.colours.items()}


def _before_one_came(table: RenderedNetwork, random: Random) -> RenderedNetwork:
    """The same table before one of its vehicles came to where it stands."""
    away = random.randrange(len(table.scene.vehicles))
    kept = tuple(vehicle for number, vehicle in enumerate(table.scene.vehicles) if number != away)
    return table._replace(scene=replace(table.scene, vehicles=kept))


def _judged(
    table: RenderedNetwork, eye: NetworkEye, reading: NetworkReading | None, ms: tuple[float, float, float]
) -> Result:
    dots = len(table.network.dots)
    if reading is None or eye.grid is None:
        return Result("not found", dots, dots, 0, *ms)
    wanted, standing = table.seen_as(eye.grid.view.on_grid(table.dots_px()))
    seen = _cells_of(reading, table)
    is_right = seen == wanted and (table.network.piece.name != "T" or _headings_right(table, eye, reading))
    is_sure = all(piece.is_sure for piece in reading.pieces)
    network = "right" if is_right and is_sure else "asked" if not is_sure else "wrong"
    there = {vehicle.dot: vehicle for vehicle in reading.vehicles}
    wrong = unasked = 0
    for dot in {dot for cells in wanted for dot in cells}:
        vehicle, kind = there.get(dot), standing.get(dot)
        told = None if vehicle is None else (vehicle.colour, vehicle.is_locomotive)
        wrong += told != kind
        unasked += told != kind and (vehicle is None or kind not in vehicle.others)
    return Result(network, dots, wrong, unasked, *ms)


def _cells_of(reading: NetworkReading, table: RenderedNetwork) -> set[frozenset[Cell]]:
    look = PieceLook(table.network.piece.cells, None)
    return {
        frozenset((piece.cell[0] + x, piece.cell[1] + y) for x, y in look.turned("ESWN".index(piece.heading)))
        for piece in reading.pieces
    }


def _headings_right(table: RenderedNetwork, eye: NetworkEye, reading: NetworkReading) -> bool:
    """Whether each piece's first cell is where it truly is: so it heads as it does."""
    assert eye.grid is not None
    cells = eye.grid.view.on_grid(table.dots_px())[:: len(table.network.piece.cells)]
    return {piece.cell for piece in reading.pieces} == {(round(x), round(y)) for x, y in cells.tolist()}


class _Measured(NamedTuple):
    """What came of the table of a seed."""

    seed: int
    make: str
    difficulty: Difficulty
    piece: str
    pieces: int
    result: Result


def main() -> None:
    """Prints what came of all tables; interrupted or ended by a signal, what came of those that it has looked at."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--untold", action="store_true")
    parser.add_argument("--width", type=int, default=1640)
    parser.add_argument("--colours", choices=("known", "other"), default="known")
    parser.add_argument("--print", choices=("known", "other"), default="known")
    parser.add_argument("--processes", type=int, default=1)
    arguments = parser.parse_args()
    seeds = range(arguments.seed, arguments.seed + arguments.tables)
    look = partial(
        looked_at,
        size=_size(arguments.width),
        is_untold=arguments.untold,
        other_colours=arguments.colours == "other",
        other_print=arguments.print == "other",
    )
    results = defaultdict[tuple[str, str], list[Result]](list)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with multiprocessing.Pool(arguments.processes, _leave_signals_to_main) as pool:
            for one in pool.imap_unordered(look, seeds):
                results[one.make, one.difficulty].append(one.result)
                if one.result.network != "right" or one.result.wrong_dots:
                    print(*one[:-1], *one.result[:4], flush=True)
    except KeyboardInterrupt:
        print("Interrupted.")
    _print_all(results)


def _leave_signals_to_main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _size(width: int) -> tuple[int, int]:
    return width, round(width * 3 / 4 / 2) * 2


def looked_at(
    seed: int,
    size: tuple[int, int] = (1640, 1230),
    *,
    is_untold: bool = False,
    other_colours: bool = False,
    other_print: bool = False,
) -> _Measured:
    """What the eye makes of the table of a seed."""
    difficulty, make = DIFFICULTIES[seed % 3], ("folded", "wood")[seed // 3 % 2]
    piece, pieces = "TXD"[seed // 6 % 3], PIECES[seed // 18 % 5]
    table = rendered_network(piece, pieces, seed, difficulty, make, size)
    # Of others nobody has to tell how they lie: turned by half they are the same.
    is_wood, is_own = make == "wood", other_print and make == "folded" and piece == "T"
    face = drawn_print(table.network.piece, seed) if is_own else table.pictures.faces[piece]
    paints = other_paints(Random(seed)) if other_colours else None
    taught: set[str] | None = set()
    if is_own or paints is not None:
        lesson = _as_own(rendered_network(piece, _LESSON, seed + _OTHER, "normal", make, size), face, paints)
        taught = taught_by(lesson, colours=other_colours, own_print=is_own, has_print=not is_wood and not is_own)
        table = _as_own(table, face, paints)
    if taught is None:
        dots = len(table.network.dots)
        return _Measured(seed, make, difficulty, piece, pieces, Result("not taught", dots, 0, 0, 0.0, 0.0, 0.0))
    is_told, has_print = is_wood and not is_untold, not is_wood and not is_own
    result = measured(table, is_told=is_told, has_print=has_print, random=Random(seed), taught=taught)
    return _Measured(seed, make, difficulty, piece, pieces, result)


def _as_own(table: RenderedNetwork, face: Picture, paints: dict[int, Colour] | None) -> RenderedNetwork:
    table = with_face(table, face)
    return table if paints is None else painted(table, paints)


def _print_all(results: dict[tuple[str, str], list[Result]]) -> None:
    everything = [result for some in results.values() for result in some]
    if not everything:
        return
    heads = f"{'tables':>7}{'right':>7}{'asked':>7}{'wrong':>7}{'dots wrong':>17}{'whole':>7}"
    print(f"{'':16}{heads}  ms first, still, changed")
    for name, some in [*((" ".join(key), some) for key, some in sorted(results.items())), ("all", everything)]:
        print(_line(name, some))


def _line(name: str, results: list[Result]) -> str:
    counts = Counter(result.network for result in results)
    found = [result for result in results if result.network != "not found"]
    wrong, dots = sum(result.wrong_dots for result in found), sum(result.dots for result in found)
    whole = sum(result.network == "right" and not result.wrong_dots for result in results)
    ms = ", ".join(f"{statistics.median(part):.1f}" for part in zip(*(result[4:] for result in results), strict=True))
    asked = counts["asked"] + counts["not found"] + counts["not taught"]
    return (
        f"{name:16}{len(results):7}{counts['right']:7}{asked:7}{counts['wrong']:7}{wrong:8} of {dots:5}{whole:7}  {ms}"
    )


if __name__ == "__main__":
    main()
