"""What the eye would say of a table, for tests."""

from collections.abc import Mapping

from companion.games.locomotion.rules import Dot, State
from companion.games.locomotion.table.seen import Seen, kinds_in, seen_by
from companion.games.locomotion.wording import Kind
from vision.watching.network_reading import NetworkReading, SeenPiece, SeenVehicle


def reading_of(state: State, moved: Mapping[Dot, Dot] | None = None) -> NetworkReading:
    """All as it lies and stands in a state, but what was ``moved`` from one dot to another."""
    network = state.setup.network
    pieces = (SeenPiece(placed.cell, placed.heading) for placed in network.pieces)
    dots = (network.dots[dot] for dot in state.stock.dots)
    where = [(moved or {}).get(dot, dot) for dot in dots]
    vehicles = (SeenVehicle(dot, *kind) for dot, kind in zip(where, kinds_in(state.setup), strict=True))
    return NetworkReading(tuple(pieces), tuple(vehicles))


def seen_in(state: State, moved: Mapping[Dot, Dot] | None = None) -> Seen:
    return seen_by(reading_of(state, moved), state.setup)


def with_others(seen: Seen, state: State, dot: Dot, *kinds: Kind) -> Seen:
    """The same, but on a dot there may be any of these."""
    number = state.setup.network.number(dot)
    assert number is not None
    return seen._replace(kinds={**seen.kinds, number: kinds})
