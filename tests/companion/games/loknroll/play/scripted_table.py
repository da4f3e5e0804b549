"""People at a table who play a game that is known beforehand: cards and Emma as readings, presses on buttons.

Knows nothing of the controller but its events and its screens.
"""

from __future__ import annotations

from collections import deque
from itertools import takewhile
from random import Random

from companion.games.events import Effect, Event, Pressed, Seen, Show, Tick
from companion.games.loknroll.play.controller import Controller
from companion.games.loknroll.play.phases.piles import options
from companion.games.loknroll.rules import (
    AnyStep,
    Begin,
    Discard,
    Draw,
    EndTurn,
    Game,
    Lay,
    LayOpen,
    Mode,
    Pass,
    Phase,
    Put,
    Roll,
    SetAside,
    StartCard,
    State,
    load_edition,
    set_up,
)
from companion.games.loknroll.rules.railway.railway import LaidCard
from companion.games.loknroll.strategy.dealer import Dealer
from companion.games.loknroll.strategy.players import RandomPlayer
from companion.games.settings import Settings
from companion.screen.screen import Screen
from hardware.buttons import Button
from vision.cards import Motion, Pose, standard_deck
from vision.watching.table_reading import SeenCard, TableReading

TICK_SECONDS = 0.1


class Fate:
    """Chance that falls as it is told to; asks for nothing that was not told."""

    def __init__(self) -> None:
        self.coming: deque[int] = deque()

    def randrange(self, stop: int) -> int:
        number = self.coming.popleft()
        assert 0 <= number < stop
        return number


class TableTop:
    """Cards and Emma as they lie, seen by a camera whose axes are its own."""

    def __init__(self, random: Random, noise: float = 0.4) -> None:
        self.random = random
        self.noise = noise
        turn_deg = random.uniform(-20, 20)
        self.shift = Motion(random.uniform(-300, 300), random.uniform(-300, 300), turn_deg)
        """From the axes of the table to those of the picture."""
        self.cards: dict[int, tuple[str, Pose]] = {}
        self.unclear: dict[int, tuple[str, ...]] = {}
        """As what else the camera may read cards, by their numbers."""
        self.emma: int | None = None
        self.hand = False
        self.sight: tuple[float, float, float, float] | None = None
        """What the camera sees: left, top, right and bottom where the game began; all of it where it is None."""
        self.pushed = Motion()
        """How the railway has been pushed since."""
        self._numbers: dict[LaidCard, int] = {}
        self._next = 0
        self._shown = 0

    def put(self, face: str, pose: Pose) -> int:
        """Lays a card; returns its number."""
        self._next += 1
        self.cards[self._next] = (face, pose)
        return self._next

    def show(self, face: str) -> int:
        """Shows a card apart from the railway, in place of the one shown before."""
        self.clear()
        right = max((pose.x_mm for _, pose in self.cards.values()), default=0.0)
        x, y = right + 300 + self.random.gauss(0, 5), self.random.gauss(0, 5)
        self._shown = self.put(face, Pose(x, y, self.random.choice((0.0, 180.0)) + self.random.gauss(0, 4)))
        return self._shown

    def push(self, right_mm: float, down_mm: float, turn_deg: float = 0.0) -> None:
        """Pushes the whole railway, with Emma and what is laid to it; a shown card stays where it lies."""
        self.pushed = Motion(right_mm, down_mm, turn_deg).after(self.pushed)

    def clear(self) -> None:
        """Takes the shown card away."""
        self.cards.pop(self._shown, None)

    def as_in(self, state: State) -> None:
        """The railway and Emma as a game has them; nothing else lies there."""
        for card in state.railway.cards:
            if card not in self._numbers:
                same = [
                    number for number, (face, pose) in self.cards.items() if (face, pose) == (card.face.id, card.pose)
                ]
                assert card.pose is not None
                self._numbers[card] = same[0] if same else self.put(card.face.id, card.pose)
        self.cards = {
            self._numbers[card]: (card.face.id, card.pose) for card in state.railway.cards if card.pose is not None
        }
        if state.emma is not None:
            self.emma = self._numbers[state.railway.cards[state.emma]]

    def number_of(self, card: LaidCard) -> int:
        return self._numbers[card]

    def reading(self) -> TableReading:
        cards = []
        for number, (face, pose) in sorted(self.cards.items()):
            x, y, degrees = (self.random.gauss(0, self.noise) for _ in range(3))
            there = pose if number == self._shown else self.pushed(pose)
            if self._sees(there):
                cards.append(
                    SeenCard(face, self.shift(there.moved(x, y, degrees)), number, self.unclear.get(number, ()))
                )
        emma = self.emma if self.emma in {card.serial for card in cards} else None
        return TableReading(tuple(cards), emma, hand=self.hand, outline=self._outline())

    def _sees(self, pose: Pose) -> bool:
        """Whether the camera sees all of a card."""
        if self.sight is None:
            return True
        motion = Motion.onto(Pose(0, 0), pose)
        corners = [motion.point((x, y)) for x in (-31.5, 31.5) for y in (-44, 44)]
        left, top, right, bottom = self.sight
        return all(left < x < right and top < y < bottom for x, y in corners)

    def _outline(self) -> tuple[tuple[float, float], ...]:
        if self.sight is None:
            return ()
        left, top, right, bottom = self.sight
        return tuple(map(self.shift.point, ((left, top), (right, top), (right, bottom), (left, bottom))))


class Player:
    """Plays a known game through a controller; counts what was pressed."""

    def __init__(
        self, controller: Controller, fate: Fate, random: Random, *, has_camera: bool = True, noise: float = 0.4
    ) -> None:
        self.controller = controller
        self.fate = fate
        self.table = TableTop(random, noise)
        self.has_camera = has_camera
        self.now = controller.desk.now
        self.before = controller.game.state
        self.screen = Screen()
        self.screens: list[Screen] = []
        self.effects: list[Effect] = []
        self.pressed: list[tuple[str, Button]] = []
        self.wait(0.1)

    @property
    def game(self) -> Game:
        return self.controller.game

    def handle(self, event: Event) -> None:
        effects = self.controller.handle(event)
        self.effects += effects
        for effect in effects:
            if isinstance(effect, Show):
                self.screen = effect.screen
                self.screens.append(effect.screen)

    def wait(self, seconds: float) -> None:
        for _ in range(max(1, round(seconds / TICK_SECONDS))):
            self.now += TICK_SECONDS
            self.handle(Tick(self.now))

    def look(self, seconds: float = 0.5) -> None:
        """The camera looks, and goes on looking at the same."""
        if self.has_camera:
            self.handle(Seen(self.table.reading()))
            self.wait(seconds / 2)
            self.handle(Seen(self.table.reading()))
        self.wait(seconds / 2)

    def press(self, button: Button, *, held: bool = False, why: str = "") -> None:
        self.pressed.append((why, button))
        self.handle(Pressed(button, held))

    def play(self, source: Game, until: int | None = None) -> None:
        """Goes on with a known game from where the controller stands; ``until`` so many steps have been done."""
        steps, after = list(source.steps), list(source.states[1:])
        idle = 0
        while (at := len(self.game.steps)) < (len(steps) if until is None else until):
            self.before = source.states[at]
            self.step(steps[at:], after[at:])
            idle = idle + 1 if len(self.game.steps) == at else 0
            assert idle < 3, (at, steps[at], self.screen)

    def step(self, steps: list[AnyStep], after: list[State]) -> int:
        """Plays the first of these steps; returns how many have been done by it."""
        step, state = steps[0], after[0]
        return self._step(step, state, steps)

    def _step(self, step: AnyStep, state: State, steps: list[AnyStep]) -> int:
        """What people do for a step; for penalty cards perhaps several at once."""
        match step:
            case StartCard() | SetAside() | Begin():
                self._set_up(step, state)
            case Put():
                return self._put(steps)
            case Roll(dice=dice):
                self.roll(dice)
                self._move(state)
            case Pass():
                self._pass(state)
            case _:
                self._lay_or_show(step, state)
        return 1

    def _set_up(self, step: StartCard | SetAside | Begin, state: State) -> None:
        match step:
            case StartCard(face=face, pose=pose):
                assert pose is not None
                self.table.put(face, pose)
                self.table.as_in(state)
                self.look()
            case SetAside(face=face):
                self._show(face)
                self._clear()
            case Begin():
                self._begin(step, state)

    def _lay_or_show(self, step: AnyStep, state: State) -> None:
        match step:
            case Draw(face=str(face)):
                self._show(face)
                if state.phase is not Phase.ACTING:
                    self._clear()
            case Lay():
                self._lay(step, state)
            case Discard(face=face, combine=combine):
                self._discard(face, combine=combine)
            case EndTurn():
                self._clear()
                self.wait(3.5)
            case LayOpen(faces=faces):
                for face in faces[len(self.controller.desk.hand) :]:
                    self._show(face)
                self._clear()
            case _:
                # A card drawn in secret: the turn before is brought to its end.
                self._move(self.before)

    def roll(self, dice: tuple[int, ...]) -> None:
        die = list(self.game.state.setup.edition.die)
        self.fate.coming.extend(die.index(face) for face in dice)
        self.press(Button.ROLL, why="roll")
        self.wait(1.0)

    def _pass(self, state: State) -> None:
        if not self.before.is_automatons_turn:
            self.press(Button.PASS, why="pass")
            self.wait(0.5)
        self._move(state)

    def _show(self, face: str) -> None:
        self.table.show(face)
        self.look()

    def _clear(self) -> None:
        self.table.clear()
        self.look()

    def _begin(self, step: Begin, state: State) -> None:
        self.table.as_in(state)
        self.look()
        if state.setup.automaton is None and state.setup.mode.persons > 1:
            self.fate.coming.append(step.starter)
            self.press(Button.ROLL, why="lot")
        if step.reverse:
            self.press(Button.PASS, why="direction")
        self.press(Button.ROLL, why="begin")
        self.look()

    def _lay(self, step: Lay, state: State) -> None:
        # The automaton has driven already in the state after.
        assert step.pose is not None
        self.table.clear()
        self.table.put(step.face, step.pose)
        self.look()
        if self.game.state.phase is not Phase.BUILDING:
            self._move(state)

    def _move(self, state: State) -> None:
        self.table.as_in(state)
        self.look()

    def _put(self, steps: list[AnyStep]) -> int:
        """Puts the cards of this turn down as it is told: all at once where that is what is proposed."""
        told = tuple(takewhile(lambda step: isinstance(step, Put), steps))
        self.table.as_in(self.before)
        self.look(0.3)
        if self.game.state.phase is not Phase.PUTTING:
            return 1
        ways = [option.puts for option in options(self.game.state)]
        fitting = [index for index, puts in enumerate(ways) if told[: len(puts)] == puts]
        best = max(fitting, key=lambda index: len(ways[index]))
        for _ in range(best):
            self.press(Button.DOWN, why="put")
        self.press(Button.ROLL, why="put")
        self.wait(0.3)
        return len(ways[best])

    def _discard(self, face: str, *, combine: bool) -> None:
        # The one before is taken away first: two that look alike are one card pushed about.
        self._clear()
        self._show(face)
        if self.controller.desk.dialog is not None:
            self.press(Button.ROLL if combine else Button.PASS, why="combine")
            self.wait(0.2)


def fresh(mode: Mode, edition_name: str = "german", *, rails: bool = True) -> State:
    edition = load_edition(edition_name)
    names = ["Ann", "Ben", "Cleo", "Dan"][: mode.persons]
    return set_up(edition, standard_deck(edition.deck), mode, names, rails=rails)


def dealt(mode: Mode, seed: int, *, imprecision: float = 0.6, edition: str = "german", rails: bool = True) -> Game:
    """A whole game of random players, laid out by hand."""
    game = Game(fresh(mode, edition, rails=rails))
    for _ in Dealer(game, [RandomPlayer()] * 4, Random(seed), imprecision=imprecision).play():
        pass
    return game


def seat(
    mode: Mode, seed: int = 0, *, settings: Settings | None = None, noise: float = 0.2, fate: Fate | None = None
) -> Player:
    """People at a new game."""
    fate = fate or Fate()
    controller = Controller(Game(fresh(mode)), settings or Settings(), source=fate)
    return Player(controller, fate, Random(seed), noise=noise)
