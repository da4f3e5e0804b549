"""Networks and starts that are drawn by lot. The chance is handed in: the same generator gives the same network."""

from __future__ import annotations

import math
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.games.locomotion.networks.ground import Ground
from companion.games.locomotion.networks.puzzle import Puzzle
from companion.games.locomotion.networks.shape import NetworkShape, shape_of
from companion.games.locomotion.rules import BadNetwork, Dot, Network, Piece, PlacedPiece, Side, lay

if TYPE_CHECKING:
    from random import Random

SYMMETRIES: Final = (1, 2, 4)
"""How often a network can look the same while it is turned round once."""
_SPAN: Final = 4
"""How far from the middle of the turning the first pieces lie, in cells."""
_ATTEMPTS: Final = 3
_TRIALS: Final = 40
"""How often, in an attempt, pieces are taken away and laid elsewhere."""
_CHOICE: Final = 24
"""So many places, chosen by lot, are looked at for each piece."""
_LONGEST_BRIDGE: Final = 4
"""The most pieces that are laid at once to close a loop."""
_PATIENCE: Final = 400
"""So many pieces are laid on trial until a loop is given up for this time."""

Unit = tuple[PlacedPiece, ...]
"""Pieces that are laid and taken together: one, or in a symmetric network one with its likenesses."""


class NoRoom(ValueError):
    """So many ``vehicles`` do not find room on so many ``dots``."""

    def __init__(self, vehicles: int, dots: int) -> None:
        super().__init__(vehicles, dots)
        self.vehicles = vehicles
        self.dots = dots

    def __str__(self) -> str:
        return f"{self.vehicles} vehicles do not find room on {self.dots} dots."


class Wish(NamedTuple):
    """The shape wished for; None where any will do."""

    loops: int | None = None
    spurs: int | None = None

    def missed_by(self, shape: NetworkShape) -> int:
        """How many loops and spurs there are too many or too few."""
        pairs = zip(self, shape, strict=True)
        return sum(abs(wished - given) for wished, given in pairs if wished is not None)


class DrawnNetwork(NamedTuple):
    """A network, its shape, and by how much that misses the wish: 0 where it does not."""

    network: Network
    shape: NetworkShape
    missed_by: int


def draw_network(
    random: Random, piece: Piece, pieces: int, wish: Wish | None = None, *, symmetry: int = 1
) -> DrawnNetwork:
    """A network of so many pieces that comes as near to the wish as a short search does.

    No two parallel pieces touch along their long sides, even where no track joins them. It looks the same
    ``symmetry`` times in a turn (one of SYMMETRIES), but for pieces that are left over. Raises BadNetwork where the
    search has found no such network at all: some shapes and numbers of pieces have none.
    """
    wish = wish or Wish()
    best: DrawnNetwork | None = None
    for _ in range(_ATTEMPTS):
        drawn = _attempt(random, piece, pieces, wish, symmetry)
        if drawn is not None and (best is None or drawn.missed_by < best.missed_by):
            best = drawn
        if best is not None and not best.missed_by:
            break
    if best is None:
        raise BadNetwork("LSET1", "none-found", count=pieces)
    return best


def draw_start(random: Random, network: Network, wagons: int, *, room: int | None = None) -> Puzzle:
    """A locomotive and wagons spread over the network (LSET4), and an order; raises NoRoom.

    With ``room`` they stand on so many dots that lie together.
    """
    places = spread(random, network, wagons + 1, room=room)
    order = random.sample(range(1, wagons + 1), wagons)
    return Puzzle(network, places[0], tuple(places[1:]), tuple(order))


def spread(random: Random, network: Network, vehicles: int, *, room: int | None = None) -> list[Dot]:
    """Dots for so many vehicles (LSET4); raises NoRoom.

    Each is as far from the others as the best of some dots that are drawn for it. With ``room`` all are among so many
    dots that lie together.
    """
    dots = list(range(len(network.dots)))
    dots = [dot for dot in dots if any(other is not None for other in network.neighbours[dot])]
    if room is not None and room < len(dots):
        dots = list(islice(_steps_from(network, random.choice(dots)), room))
    if len(dots) < vehicles:
        raise NoRoom(vehicles, len(dots))
    taken: list[int] = []
    away = dict.fromkeys(dots, len(dots))
    for _ in range(vehicles):
        free = [dot for dot in dots if dot not in taken]
        chosen = max(random.sample(free, min(3, len(free))), key=away.__getitem__)
        taken.append(chosen)
        steps = _steps_from(network, chosen)
        away = {dot: min(away[dot], steps.get(dot, len(dots))) for dot in dots}
    return [network.dots[dot] for dot in taken]


def _steps_from(network: Network, start: int) -> dict[int, int]:
    """How many joints lie between a dot and the others."""
    steps = {start: 0}
    for dot in (waiting := [start]):
        for other in network.neighbours[dot]:
            if other is not None and other not in steps:
                steps[other] = steps[dot] + 1
                waiting.append(other)
    return steps


def _attempt(random: Random, piece: Piece, pieces: int, wish: Wish, symmetry: int) -> DrawnNetwork | None:
    ground, units = Ground(piece), list[Unit]()
    while symmetry > pieces:
        symmetry //= 2
    begun = _beginning(random, ground, symmetry)
    if begun is None:
        return None
    middle, first = begun
    _lay(ground, units, first)
    while len(ground.pieces) < pieces:
        share = (len(ground.pieces) + symmetry) / pieces
        aim = Wish(*(None if wished is None else math.ceil(wished * share) for wished in wish))
        if not _grow(
            random, ground, units, middle=middle, aim=aim, symmetry=symmetry, room=pieces - len(ground.pieces)
        ):
            return None
    if wish.missed_by(ground.shape):
        _mend(random, ground, units, middle, wish)
    try:
        network = lay(piece, ground.pieces)
    except BadNetwork:  # a piece of somebody's own may have dots that cannot be reached from everywhere
        return None
    shape = shape_of(network)
    return DrawnNetwork(network, shape, wish.missed_by(shape))


def _beginning(random: Random, ground: Ground, symmetry: int) -> tuple[Dot, Unit] | None:
    """The middle of the turning, twice its place, and a piece that is joined to its likenesses; None if none is."""
    if symmetry == 1:
        return (0, 0), (PlacedPiece((0, 0), random.choice(list(Side.__members__))),)
    # Twice a place: a middle may be that of a cell, of its corner, and for half turns of its side.
    middles = [(0, 0), (1, 1)] if symmetry == 4 else [(0, 0), (1, 1), (1, 0)]
    around = range(-_SPAN, _SPAN + 1)
    cells = [(x, y) for x in around for y in around]
    places = [(middle, PlacedPiece(cell, "E")) for middle in middles for cell in cells]
    random.shuffle(places)
    for middle, placed in places:
        unit = _likenesses(placed, middle, symmetry)
        if _lay(ground, [], unit):
            is_whole = ground.hangs_together()
            _take(ground, [], unit)
            if is_whole:
                return middle, unit
    return None


def _grow(
    random: Random, ground: Ground, units: list[Unit], *, middle: Dot, aim: Wish, symmetry: int, room: int
) -> bool:
    """Lays a unit, or some that close a loop, towards the aim; returns whether anything fitted."""
    while symmetry > room:
        symmetry //= 2
    if aim.loops is not None and aim.loops > ground.shape.loops:
        ends = ground.open_ends()
        random.shuffle(ends)
        bridge = _Bridge(random, ground, units, middle, symmetry)
        for pieces in range(1, min(_LONGEST_BRIDGE, room // symmetry) + 1):
            if any(bridge.is_built(end, pieces) for end in ends):
                return True
    unit = _best_unit(random, ground, middle, aim, symmetry)
    return unit is not None and _lay(ground, units, unit)


class _Bridge:
    """Looks for pieces that lead from an end of the network to another end and so close a loop."""

    def __init__(self, random: Random, ground: Ground, units: list[Unit], middle: Dot, symmetry: int) -> None:
        self._random, self._ground, self._units = random, ground, units
        self._middle, self._symmetry = middle, symmetry
        self._patience = _PATIENCE

    def is_built(self, end: tuple[Dot, Side], pieces: int) -> bool:
        """Lays so many pieces at most, with their likenesses, from this end on; nothing where no loop comes of it."""
        places = self._ground.places_at(*end)
        self._random.shuffle(places)
        for placed in places:
            if not self._patience:
                return False
            self._patience -= 1
            loops = self._ground.shape.loops
            unit = _likenesses(placed, self._middle, self._symmetry)
            if not _lay(self._ground, self._units, unit):
                continue
            if self._ground.shape.loops > loops or (pieces > 1 and self._goes_on(placed, pieces - 1)):
                return True
            _take(self._ground, self._units, unit)
        return False

    def _goes_on(self, placed: PlacedPiece, pieces: int) -> bool:
        ends = self._ground.open_ends_of(placed)
        self._random.shuffle(ends)
        return any(self.is_built(end, pieces) for end in ends)


def _best_unit(random: Random, ground: Ground, middle: Dot, aim: Wish, symmetry: int) -> Unit | None:
    """The one, of some drawn by lot, after which the network is nearest to the aim."""
    places = ground.places_beside()
    random.shuffle(places)
    best: tuple[float, Unit] | None = None
    looked = 0
    for placed in places:
        unit = _likenesses(placed, middle, symmetry)
        if not _lay(ground, [], unit):
            continue
        missed = aim.missed_by(ground.shape) + random.random()
        _take(ground, [], unit)
        if best is None or missed < best[0]:
            best = missed, unit
        looked += 1
        if looked == _CHOICE:
            break
    return None if best is None else best[1]


def _mend(random: Random, ground: Ground, units: list[Unit], middle: Dot, wish: Wish) -> None:
    """Takes units away and lays them elsewhere as long as the network comes no farther from the wish."""
    for _ in range(_TRIALS):
        missed = wish.missed_by(ground.shape)
        if not missed or len(units) < 2:
            return
        unit = random.choice(units)
        _take(ground, units, unit)
        if ground.hangs_together():
            other = _best_unit(random, ground, middle, wish, len(unit))
            if other is not None and _lay(ground, units, other):
                if wish.missed_by(ground.shape) <= missed:
                    continue
                _take(ground, units, other)
        _lay(ground, units, unit)


def _likenesses(placed: PlacedPiece, middle: Dot, symmetry: int) -> Unit:
    """A piece, and what it becomes by turning about the middle."""
    turns = {1: (0,), 2: (0, 2), 4: (0, 1, 2, 3)}[symmetry]
    # A piece that turns into itself is one. Pieces are told apart by their cells, which Ground compares.
    return tuple(_turned(placed, middle, turn) for turn in turns)


def _turned(placed: PlacedPiece, middle: Dot, turn: int) -> PlacedPiece:
    x, y = 2 * placed.cell[0] - middle[0], 2 * placed.cell[1] - middle[1]
    for _ in range(turn):
        x, y = -y, x
    heading = Side[placed.heading].turned(Side(turn))
    return PlacedPiece(((x + middle[0]) // 2, (y + middle[1]) // 2), heading.name)


def _lay(ground: Ground, units: list[Unit], unit: Unit) -> bool:
    """Lays the pieces of a unit, or none of them where one does not fit."""
    for count, placed in enumerate(unit):
        if not ground.fits(placed):
            _take(ground, [], unit[:count])
            return False
        ground.lay(placed)
    units.append(unit)
    return True


def _take(ground: Ground, units: list[Unit], unit: Unit) -> None:
    for placed in reversed(unit):
        ground.take(placed)
    if unit in units:
        units.remove(unit)
