"""A controller at any moment of a game, with a table of readings and somebody at the buttons."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from random import Random
from typing import Final, NamedTuple

from msgspec.structs import replace

from companion.dice.box import Listed
from companion.games.at_table.tape import Tape
from companion.games.events import Event, Pressed, Seen, Show, Tick
from companion.games.loknroll.play.controller import Controller
from companion.games.loknroll.rules import AnyStep, Begin, Game, Lay, Mode, Roll, StartCard, State, load_edition, set_up
from companion.games.loknroll.rules.railway.railway import LaidCard
from companion.games.loknroll.rules.setting_up import starters
from companion.games.loknroll.strategy.dealer import Dealer
from companion.games.loknroll.strategy.players import RandomPlayer
from companion.games.settings import Settings
from companion.screen.screen import Screen
from hardware.buttons import Button
from vision.cards import Pose, standard_deck
from vision.watching.table_reading import SeenCard, TableReading

NAMES: Final = ("Anna", "Ben", "Carla", "David")
TICK_SECONDS: Final = 0.1
SHOWN: Final = 1000
"""The number of a card that lies apart."""
_SEEDS: Final = 400


class Moment(NamedTuple):
    """A moment of a dealt game: the steps before, the one that comes, and how the game stands before and after."""

    done: tuple[AnyStep, ...]
    step: AnyStep
    start: State
    before: State
    after: State

    def game(self) -> Game:
        """The game at this moment."""
        game = Game(self.start)
        for step in self.done:
            game.do(step)
        return game


Wanted = Callable[[State, AnyStep, State], bool]


@cache
def dealt(mode: Mode, seed: int, edition: str = "german", rails: bool = True) -> Game:
    """A whole game of random players."""
    rules = load_edition(edition)
    names = NAMES[: mode.persons]
    game = Game(set_up(rules, standard_deck(rules.deck), mode, names, rails=rails))
    for _ in Dealer(game, [RandomPlayer()] * len(names), Random(seed)).play():
        pass
    return game


def moment(mode: Mode, wanted: Wanted, edition: str = "german", *, rails: bool = True) -> Moment:
    """The first moment of its kind in the dealt games; raises LookupError where there is none."""
    for seed in range(_SEEDS):
        game = dealt(mode, seed, edition, rails)
        for index, step in enumerate(game.steps):
            if wanted(game.states[index], step, game.states[index + 1]):
                return Moment(game.steps[:index], step, game.states[0], game.states[index], game.states[index + 1])
    raise LookupError(f"no dealt game of mode {mode} has such a moment")


class Rehearsal:
    """People at a table who do as they are told."""

    def __init__(
        self, game: Game, settings: Settings, coming: Iterable[AnyStep] = (), curve: tuple[int, ...] = ()
    ) -> None:
        """``coming`` are the steps whose dice and lots are to fall."""
        fallen = Tape(face for step in game.steps if isinstance(step, Roll) for face in step.dice)
        chance = Listed(_numbers(game, coming), Random(1))
        self.controller = Controller(game, settings, source=chance, tape=fallen, curve=curve)
        self.screen = Screen()
        self._now = 0.0
        self._numbers: dict[LaidCard, int] = {}
        self._outline: tuple[tuple[float, float], ...] = ()
        self.wait(0.1)

    @classmethod
    def at(cls, told: Moment, settings: Settings, curve: tuple[int, ...] = ()) -> Rehearsal:
        """At a moment, with the table as it should be."""
        people = cls(told.game(), settings, (told.step,), curve)
        people.lie()
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
        """Buttons are pressed, one after the other."""
        for button in buttons:
            self.tell(Pressed(button, held))

    def wait(self, seconds: float) -> None:
        """Time passes."""
        for _ in range(round(seconds / TICK_SECONDS)):
            self._now += TICK_SECONDS
            self.tell(Tick(self._now))

    def lie(
        self,
        *apart: SeenCard,
        state: State | None = None,
        without: int | None = None,
        emma: int | None = None,
        has_emma: bool = True,
        hand: bool = False,
        seconds: float = 0.6,
    ) -> None:
        """The table comes to lie as in a state, with other cards beside it, and is looked at for so long.

        ``without`` is the index of a card that is missing, ``emma`` of the one that Emma stands on instead of hers.
        """
        reading = self.reading(state or self.state, apart, without, emma, has_emma)
        self.tell(Seen(replace(reading, hand=hand)))
        self.wait(seconds)

    def come_near_the_border(self) -> None:
        """The camera sees the railway, but hardly anything beyond it."""
        poses = [card.pose for card in self.state.railway.cards if card.pose is not None]
        left, right = (limit(pose.x_mm for pose in poses) for limit in (min, max))
        top, bottom = (limit(pose.y_mm for pose in poses) for limit in (min, max))
        room = 50.0
        left, top, right, bottom = left - room, top - room, right + room, bottom + room
        self._outline = ((left, top), (right, top), (right, bottom), (left, bottom))
        self.lie()

    def reading(
        self, state: State, apart: Iterable[SeenCard], without: int | None, emma: int | None, has_emma: bool
    ) -> TableReading:
        """What a perfect eye says."""
        cards = []
        for index, card in enumerate(state.railway.cards):
            number = self._numbers.setdefault(card, len(self._numbers))
            if card.pose is not None and index != without:
                cards.append(SeenCard(card.face.id, card.pose, number))
        at = state.emma if emma is None else emma
        stands = None if at is None or not has_emma else self._numbers[state.railway.cards[at]]
        return TableReading((*cards, *apart), stands, outline=self._outline)

    def show(self, face: str, seconds: float = 0.6) -> None:
        """A card is shown apart from the railway."""
        right = max((card.pose.x_mm for card in self.state.railway.cards if card.pose), default=0.0)
        self.lie(SeenCard(face, Pose(right + 400, 0), SHOWN), seconds=seconds)


def _numbers(game: Game, coming: Iterable[AnyStep]) -> list[int]:
    """What chance says so that these steps come about."""
    numbers: list[int] = []
    die = game.state.setup.edition.die
    for step in coming:
        if isinstance(step, Roll):
            numbers += [die.index(face) for face in step.dice]
        elif isinstance(step, Begin) and len(starters(game.state)) > 1:
            numbers.append(starters(game.state).index(step.starter))
    return numbers


def seen(step: AnyStep) -> SeenCard:
    """The card that is laid with a step, as the eye sees it."""
    if not isinstance(step, (Lay, StartCard)):
        raise TypeError(f"no card is laid with {step}")
    return SeenCard(step.face, step.pose or Pose(0, 0), SHOWN)
