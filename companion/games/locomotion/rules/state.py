"""The state of a game: all that stands on the network, whose turn it is, and what may happen next. States never change.

Vehicles are numbers: first the locomotives, then the wagons, in the order in which ``set_up`` was given them.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import msgspec

from companion.games.locomotion.rules.errors import NotAllowed
from companion.games.locomotion.rules.network import Network
from companion.games.locomotion.rules.sides import Dot, Passage

MOST_PLAYERS = 4
COLOURS = (2, 4)
"""The fewest and the most colours of wagons that are played with (LSET7)."""
SIDES_OF_A_DIE = 6
FASTEST = 6
"""The highest speed (LSPD1)."""


class Mode(StrEnum):
    """What gives the steps of a turn: the die (LDIE2) or speed cards (LSPD1)."""

    DIE = "die"
    SPEED = "speed"


class Gap(StrEnum):
    """How the gap is made in uncoupling (LCPL3)."""

    ON_THE_DOTS = "on_the_dots"
    A_DOT = "a_dot"


class Behind(StrEnum):
    """At which ends of a locomotive wagons may hang (LCPL7)."""

    EITHER_END = "either_end"
    BACK_ONLY = "back_only"


class Knobs(msgspec.Struct, frozen=True):
    """How the rules are read where the rulebook is silent."""

    reverse_in_turn: bool = True
    gap: Gap = Gap.ON_THE_DOTS
    behind: Behind = Behind.EITHER_END


class Phase(StrEnum):
    """What the game waits for."""

    DRAWING_LOTS = "drawing-lots"
    ROLLING_OFF = "rolling-off"
    ROLLING = "rolling"
    CHOOSING = "choosing"
    MOVING = "moving"
    OVER = "over"


class Setup(msgspec.Struct, frozen=True):
    """What is agreed before a game. ``colours`` holds each vehicle's colour, from 1; the players sit clockwise."""

    network: Network
    names: tuple[str, ...]
    mode: Mode
    knobs: Knobs
    colours: tuple[int, ...]

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.names)

    @property
    def wagon_colours(self) -> int:
        """How many wagons belong behind each locomotive (LSET6, LSET7)."""
        return (len(self.colours) - self.players) // self.players

    def is_locomotive(self, vehicle: int) -> bool:
        """Whether a vehicle is a locomotive."""
        return vehicle < self.players

    def lies_on(self, vehicle: int, dot: int) -> Lie:
        """Every way in which a vehicle can stand on a dot."""
        passages = self.network.passages[dot]
        if self.is_locomotive(vehicle) and self.knobs.behind is Behind.BACK_ONLY:
            return tuple(sorted((*passages, *((second, first) for first, second in passages))))
        return passages


Lie = tuple[Passage, ...]
"""The ways in which a vehicle may stand on its dot, in their order (LRUN2).

With the knob ``back_only`` a locomotive's are directed: the side of its front, then that of its back.
"""
Row = tuple[int, ...]
"""Vehicles that are coupled, in order: a train from its locomotive on, a cut from the end with the lower number."""


class Stock(msgspec.Struct, frozen=True):
    """What stands on the network: each vehicle's dot and lie, and the rows; one that is not coupled is a row alone."""

    dots: tuple[int, ...]
    lies: tuple[Lie, ...]
    rows: tuple[Row, ...]

    def row_of(self, vehicle: int) -> Row:
        """The row that a vehicle is part of."""
        return next(row for row in self.rows if vehicle in row)

    def on(self, dot: int) -> int | None:
        """The vehicle on a dot; None where it is empty."""
        return self.dots.index(dot) if dot in self.dots else None


class State(msgspec.Struct, frozen=True):
    """A game at one moment.

    ``drawn`` says which locomotive each player has, ``order`` the colours from the locomotive on. ``contenders`` still
    roll for the beginning (LDIE1). ``left`` are the steps left of the turn, ``turns`` counts those begun, and
    ``speeds`` are the players' cards, None before the first. ``entered`` is the side of its dot by which the active
    locomotive came in this turn, None if it has not moved or may reverse. ``must_win``: what was run at a speed is too
    short but for what wins before. ``braked`` is who had to brake fully in the
    step that led here (LSPD4), ``waited`` who could not move at all (LRUN7).
    """

    setup: Setup
    stock: Stock
    phase: Phase = Phase.DRAWING_LOTS
    drawn: tuple[int, ...] = ()
    order: tuple[int, ...] = ()
    contenders: tuple[int, ...] = ()
    active: int = 0
    turns: int = 0
    left: int = 0
    steps: int = 0
    speeds: tuple[int | None, ...] = ()
    entered: int | None = None
    must_win: bool = False
    braked: int | None = None
    waited: int | None = None
    winner: int | None = None

    @property
    def locomotive(self) -> int:
        """The active player's."""
        return self.drawn[self.active]

    @property
    def train(self) -> Row:
        """The active player's train."""
        return self.stock.row_of(self.locomotive)


def set_up(
    network: Network,
    names: Sequence[str],
    locomotives: Sequence[Dot],
    wagons: Sequence[Sequence[Dot]],
    *,
    mode: Mode = Mode.DIE,
    knobs: Knobs | None = None,
) -> State:
    """The state before lots are drawn; raises NotAllowed.

    ``locomotives`` are their dots by colour, ``wagons`` for each colour the dots of its wagons, one for each player.
    """
    players = len(names)
    if not 1 <= players <= MOST_PLAYERS:
        raise NotAllowed("LMAT1", "players", count=players, fewest=1, most=MOST_PLAYERS)
    if not COLOURS[0] <= len(wagons) <= COLOURS[1]:
        raise NotAllowed("LSET7", "colours", count=len(wagons), fewest=COLOURS[0], most=COLOURS[1])
    if len(locomotives) != players:
        raise NotAllowed("LSET4", "locomotives", count=len(locomotives), needed=players)
    for colour, dots in enumerate(wagons, 1):
        if len(dots) != players:
            raise NotAllowed("LSET4", "wagons", colour=colour, count=len(dots), needed=players)
    colours = (*range(1, players + 1), *(colour for colour, dots in enumerate(wagons, 1) for _ in dots))
    setup = Setup(network, tuple(names), mode, knobs or Knobs(), colours)
    return State(setup, _stock(setup, [*locomotives, *(dot for dots in wagons for dot in dots)]))


def _stock(setup: Setup, places: Sequence[Dot]) -> Stock:
    dots: list[int] = []
    for place in places:
        dot = setup.network.number(place)
        if dot is None:
            raise NotAllowed("LSET4", "no-dot", dot=place)
        if dot in dots:
            raise NotAllowed("LSET4", "dot-taken", dot=place)
        if all(other is None for other in setup.network.neighbours[dot]):
            raise NotAllowed("LSET4", "cut-off", dot=place)
        dots.append(dot)
    lies = tuple(setup.lies_on(vehicle, dot) for vehicle, dot in enumerate(dots))
    return Stock(tuple(dots), lies, tuple((vehicle,) for vehicle in range(len(dots))))
