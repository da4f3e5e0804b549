"""What lies on the table before a game: as its beginning, and beside the beginning that is wanted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from companion.games.locomotion.rules import Dot, Knobs, Mode, Network, Piece, PlacedPiece, State, lay, set_up
from companion.games.locomotion.table.errors import UNSURE, Mismatch
from companion.games.locomotion.table.looks import Axes, looks_in, looks_of, other_headings
from companion.games.locomotion.table.moves import Move, moves_to
from companion.games.locomotion.table.seen import kinds_of, seen_by
from companion.games.locomotion.wording import Kind
from vision.watching.network_reading import NetworkReading


def lying_network(reading: NetworkReading | None, piece: Piece) -> Network:
    """The network that lies there, in the axes of the eye.

    Raises Mismatch where none is seen or not how it lies, and BadNetwork where it is against the rules.
    """
    if reading is None or not reading.pieces:
        raise Mismatch("LSET1", "no-network")
    placed = [PlacedPiece(lying.cell, lying.heading) for lying in reading.pieces]
    doubtful = [where for lying, where in zip(reading.pieces, placed, strict=True) if not lying.is_sure]
    unsure = [where.cell for where in doubtful if other_headings(piece, where)]
    if unsure:
        raise Mismatch("LMAT2", UNSURE, count=len(unsure), cells=unsure)
    return lay(piece, placed)


def beginning(
    reading: NetworkReading, network: Network, names: Sequence[str], colours: int, *, mode: Mode, knobs: Knobs
) -> State:
    """The state before lots are drawn in which all begins as it stands there, on a network in the same axes.

    ``colours`` is how many colours of wagons are played with. Raises Mismatch where a vehicle is missing or too many,
    and NotAllowed where one cannot stand so.
    """
    players = len(names)
    locomotives = [Kind(number, is_locomotive=True) for number in range(1, players + 1)]
    wagons = [Kind(colour, is_locomotive=False) for colour in range(1, colours + 1)]
    needed = Counter({**dict.fromkeys(locomotives, 1), **dict.fromkeys(wagons, players)})
    standing = _standing(reading, network, needed)
    _check_counts(standing, needed)
    dots = {kind: [dot for dot, other in standing.items() if other == kind] for kind in needed}
    return set_up(
        network, names, [dots[kind][0] for kind in locomotives], [dots[kind] for kind in wagons], mode=mode, knobs=knobs
    )


def _standing(reading: NetworkReading, network: Network, needed: Counter[Kind]) -> Mapping[Dot, Kind]:
    """What stands on each dot: what may be several things is what is missing else.

    What is one too many, while the locomotive of that colour is missing, or a wagon, was mistaken for it by its shape.
    """
    told = {seen.dot: list(kinds_of(seen)) for seen in reading.vehicles if network.number(seen.dot) is not None}
    stray = reading.stray + len(reading.vehicles) - len(told)
    if stray:
        raise Mismatch("LRUN1", "stray", count=stray)
    standing = {dot: kinds[0] for dot, kinds in sorted(told.items())}
    for dot, kinds in sorted(told.items()):
        counts = Counter(standing.values())
        if counts[standing[dot]] > needed[standing[dot]]:
            alike = (kind for kind in needed if kind.colour == kinds[0].colour)
            standing[dot] = next((kind for kind in (*kinds, *alike) if counts[kind] < needed[kind]), standing[dot])
    return standing


def _check_counts(standing: Mapping[Dot, Kind], needed: Counter[Kind]) -> None:
    surplus = Counter(standing.values()) - needed
    for dot, kind in standing.items():
        if kind in surplus:
            raise Mismatch("LSET4", "too-many", vehicle=kind, dot=dot)
    for kind in needed - Counter(standing.values()):
        raise Mismatch("LSET4", "not-there-yet", vehicle=kind)


def differences(reading: NetworkReading, axes: Axes | None, state: State) -> Iterator[Mismatch]:
    """What has to be done until all lies and stands as in a state: first with pieces of rail, then with vehicles.

    ``axes`` are those in which the network lies there, None where it does not.
    """
    network = state.setup.network
    if axes is None:
        missing = len(network.pieces) - len(reading.pieces)
        yield Mismatch("LSET1", "piece-missing", count=missing) if missing > 0 else Mismatch("LSET1", "other-network")
        return
    reading = axes.reading(reading)
    yield from _pieces(reading, network)
    seen = seen_by(reading, state.setup)
    if seen.stray:
        yield Mismatch("LRUN1", "stray", count=seen.stray)
    yield from (to_put_right(move) for move in moves_to(state.setup, state.stock, seen))


def _pieces(reading: NetworkReading, network: Network) -> Iterator[Mismatch]:
    wanted = looks_of(network)
    seen = {look.cells: look for look in looks_in(reading, network.piece)}
    turned = [look for cells, look in seen.items() if cells in wanted and not look.is_like(wanted[cells])]
    codes = {
        "piece-turned": turned,
        "piece-too-many": [look for cells, look in seen.items() if cells not in wanted],
        "piece-missing": [look for cells, look in wanted.items() if cells not in seen],
    }
    for code, looks in codes.items():
        yield from (Mismatch("LSET1", code, count=len(looks), cells=sorted(look.cells)) for look in looks)


def to_put_right(move: Move) -> Mismatch:
    """A move that is wanted, as what is wrong with the table."""
    if move.to is None:
        return Mismatch("LSET4", "too-many", vehicle=move.kind, dot=move.start)
    if move.start is None:
        return Mismatch("LSET4", "missing", vehicle=move.kind, to=move.to)
    return Mismatch("LSET4", "misplaced", vehicle=move.kind, dot=move.start, to=move.to, shift=move.shift)
