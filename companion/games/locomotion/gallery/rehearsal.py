"""A controller at any moment of a game, with a table of readings and somebody at the buttons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from companion.dice.box import Listed
from companion.games.events import Event, Pressed, Seen, Show, Tick
from companion.games.locomotion.networks import draw_network
from companion.games.locomotion.play.controller import Controller
from companion.games.locomotion.play.desk.preparation import Preparation
from companion.games.locomotion.play.offering import wish_of
from companion.games.locomotion.record.agreement import Agreement
from companion.games.locomotion.rules import (
    AnyStep,
    Couple,
    DrawLots,
    Game,
    Knobs,
    Mode,
    Phase,
    PlacedPiece,
    Roll,
    RollOff,
    Run,
    State,
    after,
    lay,
    load_piece,
    set_up,
)
from companion.games.locomotion.settings import own
from companion.games.locomotion.strategy.dealing import drawn_start, play
from companion.games.locomotion.strategy.players.players import PLAYERS
from companion.games.locomotion.table.seen import Seen as SeenOnDots
from companion.games.locomotion.table.seen import kinds_in
from companion.games.locomotion.table.ways import Way, ways
from companion.games.locomotion.wording import Paints
from companion.games.settings import Settings
from companion.screen.screen import Screen
from hardware.buttons import Button
from vision.watching.network_reading import NetworkReading, SeenPaint, SeenPiece, SeenVehicle
from vision.watching.table_reading import TableReading

NAMES: Final = ("Anna", "Ben", "Carla", "David")
TICK_SECONDS: Final = 0.3
_PIECES: Final = 12
_COLOURS: Final = 3
_WHO: Final = "random"
"""Their games have everything in them but an end."""
_MOST_TURNS: Final = 40
_SEEDS: Final = 20


class Moment(NamedTuple):
    """A turn of a dealt game: the game as its steps were known, and the ways to what stood there after it."""

    start: State
    done: tuple[AnyStep, ...]
    before: State
    ways: tuple[Way, ...]

    def game(self, without: int = 0) -> Game:
        """The game at this moment, or some steps earlier."""
        game = Game(self.start)
        for step in self.done[: len(self.done) - without]:
            game.do(step)
        return game

    @property
    def first(self) -> Way:
        """The likeliest way."""
        return self.ways[0]


@cache
def dealt(mode: Mode, seed: int, players: int) -> Game:
    """A game of automatic players."""
    random = Random(seed)
    network = draw_network(random, load_piece("T"), _PIECES).network
    game = Game(drawn_start(random, network, NAMES[:players], _COLOURS, mode=mode, knobs=Knobs()))
    for _ in play(game, [PLAYERS[_WHO]() for _ in range(players)], random, _MOST_TURNS):
        pass
    return game


@cache
def turns_of(mode: Mode, seed: int, players: int) -> tuple[Moment, ...]:
    """All turns of a dealt game."""
    game, found = dealt(mode, seed, players), []
    begun = 0
    for at, (before, following) in enumerate(zip(game.states, game.states[1:], strict=False)):
        if following.phase is Phase.MOVING and before.phase is not Phase.MOVING:
            begun = at + 1
        is_over = before.phase is Phase.MOVING and (
            following.phase is not Phase.MOVING or following.turns != before.turns
        )
        if is_over:
            start = game.states[begun]
            seen = ways(start, on_dots(following))
            if seen:
                found.append(Moment(game.states[0], game.steps[:begun], start, tuple(seen)))
    return tuple(found)


def on_a_line(locomotives: Sequence[int], *wagons: Sequence[int], knobs: Knobs | None = None, **more: Any) -> Game:
    """A game on nine dots in a row, in which the first player begins; the wagons' order is that of their colours."""
    line = lay(load_piece("T"), [PlacedPiece((3 * number, 0), "E") for number in range(3)])
    players = len(locomotives)
    places = [[(at, 0) for at in dots] for dots in wagons]
    start = set_up(line, NAMES[:players], [(at, 0) for at in locomotives], places, knobs=knobs or Knobs(), **more)
    game = Game(start)
    game.do(DrawLots(tuple(range(1, players + 1)), tuple(range(1, len(wagons) + 1))))
    if players > 1:
        game.do(RollOff((6, *[1] * (players - 1))))
    return game


def ending(players: int) -> Moment:
    """A turn in which the first player wins."""
    others = range(9 - 3 * (players - 1), 9)
    game = on_a_line([0, *others[::3]], [2, *others[1::3]], [3, *others[2::3]])
    game.do(Roll(6))
    run, couple = Run((1, 0)), Couple(players)
    last = after(after(after(game.state, run), couple), Couple(2 * players))
    return Moment(game.states[0], game.steps, game.state, tuple(ways(game.state, on_dots(last))))


def on_dots(state: State) -> SeenOnDots:
    """All that stands there, read without a doubt."""
    return SeenOnDots({dot: [kind] for dot, kind in zip(state.stock.dots, kinds_in(state.setup), strict=True)})


def moment(wanted: Callable[[Moment], bool], mode: Mode = Mode.DIE, players: int = 2) -> Moment:
    """The first turn of its kind in the dealt games; raises LookupError where there is none."""
    for seed in range(_SEEDS):
        for told in turns_of(mode, seed, players):
            if wanted(told):
                return told
    raise LookupError(f"no dealt game of mode {mode} has such a moment")


class Rehearsal:
    """People at a table who do as they are told."""

    def __init__(self, begun: Game | Preparation, settings: Settings, dice: Iterable[int] = (), **more: Any) -> None:
        """``dice`` fall next, numbers from 1; ``more`` as for a ``Controller``."""
        source = Listed([number - 1 for number in dice], Random(1))
        self.controller = Controller(begun, settings, source=source, opens=_opened, **more)
        self.screen = Screen()
        self._now = 0.0
        self.wait(TICK_SECONDS)

    @classmethod
    def preparing(cls, kind: str, settings: Settings, **more: Any) -> Rehearsal:
        """Before a game of this kind."""
        return cls(Preparation(wish_of(kind, settings), own(settings), is_seen=settings.has_camera), settings, **more)

    @classmethod
    def at(cls, told: Moment, settings: Settings, without: int = 0, **more: Any) -> Rehearsal:
        """At a moment, or some steps before it, with the table as it should be."""
        people = cls(told.game(without), settings, **more)
        if settings.has_camera:
            people.put(people.state)
        return people

    @property
    def state(self) -> State:
        return self.controller.game.state

    def tell(self, event: Event) -> None:
        """Something happens."""
        for effect in self.controller.handle(event):
            if isinstance(effect, Show):
                self.screen = effect.screen

    def press(self, *buttons: Button, held: bool = False) -> None:
        """Buttons are pressed, one after the other, none in a hurry."""
        for button in buttons:
            self.wait(1.5)
            self.tell(Pressed(button, held))

    def wait(self, seconds: float) -> None:
        """Time passes."""
        for _ in range(round(seconds / TICK_SECONDS)):
            self._now += TICK_SECONDS
            self.tell(Tick(self._now))

    def put(self, state: State, moved: Mapping[int, int | None] | None = None, seconds: float = 0.6) -> None:
        """Everything is put as in a state, but for some vehicles: onto other dots, or away; and is looked at."""
        self.look(reading_of(state, moved), seconds)

    def look(self, network: NetworkReading | None, seconds: float = 0.6) -> None:
        """The camera sees this for so long."""
        self.tell(Seen(TableReading(network=network)))
        self.wait(seconds)


def reading_of(state: State, moved: Mapping[int, int | None] | None = None) -> NetworkReading:
    """What a perfect eye says of a table that is as in a state, but for some vehicles."""
    setup, dots = state.setup, dict(enumerate(state.stock.dots)) | dict(moved or {})
    pieces = tuple(SeenPiece(placed.cell, placed.heading) for placed in setup.network.pieces)
    vehicles = tuple(
        SeenVehicle(setup.network.dots[dot], setup.colours[vehicle], setup.is_locomotive(vehicle))
        for vehicle, dot in dots.items()
        if dot is not None
    )
    return NetworkReading(pieces, vehicles)


def in_other_paints(whole: NetworkReading, paints: Paints, without: int = 0) -> NetworkReading:
    """The same where all vehicles but some have these paints, of which the eye knows none."""
    standing = whole.vehicles[: len(whole.vehicles) - without]
    seen = tuple(SeenPaint(each.dot, paints[each.colour - 1] or (0, 0, 0), is_known=False) for each in standing)
    return replace(whole, vehicles=(), paints=seen)


def _opened(start: State, agreement: Agreement) -> Game:  # noqa: ARG001 - nobody keeps a record
    return Game(start)
