"""A robot that plays for everybody, from any moment of a game on: it lays pieces, moves trains and presses buttons.

It sets up what is suggested, or a network of its own, and moves the trains of automatic players as the map wants it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from random import Random
from typing import Final, NamedTuple

from msgspec.structs import replace

from companion.games.game import RobotError
from companion.games.locomotion.play.controller import Controller
from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.play.desk.preparation import Preparation
from companion.games.locomotion.play.desk.suggestion import suggested
from companion.games.locomotion.play.phases.choosing import chosen_speed
from companion.games.locomotion.robot.plan import Plan
from companion.games.locomotion.robot.played import Played
from companion.games.locomotion.robot.table import Table
from companion.games.locomotion.rules import Game, Mode, Phase, RuleError, State
from companion.games.locomotion.rules.state import Stock
from companion.games.locomotion.rules.steps import AnyStep
from companion.games.locomotion.rules.turn import speeds_allowed
from companion.games.locomotion.settings import BY_LOT, own
from companion.games.locomotion.strategy.players.players import PLAYERS, AutomaticPlayer
from companion.virtual.hands import Hands
from companion.virtual.pace import PRESS_SECONDS, Pace
from companion.virtual.things import HandsError
from hardware.buttons import Button

PREPARING: Final = "preparing"
"""What is pressed before there is a phase of the rules."""


class Pressed(NamedTuple):
    """A button that was pressed, in which turn, and the phase of the game."""

    turn: int
    phase: str
    button: Button


class Robot:
    """Plays for all people and moves everything. ``act`` does the next thing if it is time for it.

    ``presses_made`` are the buttons pressed; ``intended`` tells, by the numbers of the turns, how people wanted them to
    end, and ``played`` what was really coupled. ``contradicted`` are the turns in which the record did not allow what
    people know to be so.
    """

    def __init__(
        self,
        controller: Controller,
        hands: Hands,
        seed: int,
        press: Callable[[Button], None] | None = None,
        *,
        pause_seconds: float = 0.5,
        watching_seconds: float = 0.0,
    ) -> None:
        """``seed`` is for what it chooses. Without ``press`` the buttons are left to the person.

        ``pause_seconds`` pass between two things done; ``watching_seconds`` after a roll before a train is moved.
        """
        self.presses_made: list[Pressed] = []
        self.intended: dict[int, Stock] = {}
        self.played = Played()
        self.contradicted: list[int] = []
        self.insists: Collection[int] | None = None
        """The turns in which it says what it has coupled; None: in all of them where the screen says otherwise."""
        self._controller = controller
        self._hands = hands
        self._press_button = press
        # Of its own: what it wants must not depend on how often it looks at the table.
        self._random = Random(seed + 1)
        self._table = Table(hands, Random(seed + 2))
        self._pace = Pace(pause_seconds, watching_seconds)
        self._brains: dict[int, AutomaticPlayer] = {}
        self._game: Game | None = None
        self._changes = -1
        self._progress = (0, 0)
        """The turn that goes on, and how far it has come."""
        self._plan: Plan | None = None
        self._start: State | None = None
        self._asked_back: int | None = None
        self._lost: set[int] = set()
        """The turns that were recorded otherwise when the record did not allow what was so."""

    @property
    def repeats(self) -> int:
        """How much had to be done twice because the companion did not answer."""
        return self._pace.repeats

    @property
    def _desk(self) -> Desk:
        return self._controller.desk

    def wrong(self, game: Game) -> Collection[int]:
        """The numbers of the turns after which the record has another train than who played it really had.

        Those too that it had wrong when it contradicted what was played: then nothing more is known of them.
        """
        return {*self.played.wrong(game), *self._lost}

    def hand_in_words(self) -> Sequence[str]:
        """Nobody has anything in the hand."""
        return ()

    def lay(self, number: int) -> bool:  # noqa: ARG002 - there is no hand
        """Nothing is laid from a hand."""
        return False

    def act(self, now: float) -> None:
        """Does the next thing at a time in seconds, if there is one; raises RobotError."""
        try:
            self._act(now)
        except HandsError as error:
            raise RobotError(f"The robot's hands cannot do what they want: {error.reason}.") from error

    def _act(self, now: float) -> None:
        self._pace.look_at_clock(now)
        if self._hands.world.disturbances.is_in_the_way:
            self._pace.sees_why()
        if self._desk.has_begun:
            self._follow()
        if not self._pace.is_ready:
            return
        if self._does_something():
            self._pace.has_done()
        elif self._press_button is not None and self._pace.is_tired and not self._is_over:
            self._repeat()

    @property
    def _is_over(self) -> bool:
        return self._desk.has_begun and self._desk.state.phase is Phase.OVER

    def _follow(self) -> None:
        """The game has begun, gone on, or back."""
        game = self._desk.game
        if game is not self._game:
            self._game, self._changes = game, game.changes
            self._table.find(game.state)
        if game.changes == self._changes:
            return
        # Where an earlier turn is recorded anew the one that goes on does not begin anew.
        progress = game.state.turns, sum(state.turns == game.state.turns for state in game.states)
        if progress < self._progress:
            self._asked_back = game.state.turns
        if progress != self._progress:
            self._plan = None
        self._changes, self._progress = game.changes, progress
        self._pace.has_been_answered()

    def _does_something(self) -> bool:
        desk = self._desk
        story = desk.story
        if story is not None and story.dice and self._pace.is_watching(story.at_seconds):
            return False
        if desk.dialog is not None:
            return False  # only a person opens one
        if not desk.has_begun:
            return self._set_up()
        state = desk.state
        if desk.is_automatic:
            return self._serves(state)
        if state.phase in {Phase.ROLLING, Phase.CHOOSING}:
            return self._table.show(state.stock) or self._begins_turn(state)
        return state.phase is Phase.MOVING and self._moves(state)

    # Before the game

    def _set_up(self) -> bool:
        preparation, puzzles = self._desk.preparation, self._desk.puzzles
        if preparation is None:
            return False
        if puzzles is not None and self._desk.chooses_puzzle:
            if puzzles.is_looking:
                self._pace.has_been_answered()  # that is no silence
                return False
            return self._press(PREPARING, Button.ROLL)
        if preparation.is_drawing:
            self._pace.has_been_answered()
            return False
        start = preparation.suggestion or self._own_start(preparation)
        if self._start is not start:
            self._start = start
            self._table.lay(start)
            return True
        is_ready = preparation.start is not None or preparation.asks
        return self._table.show(start.stock) or (is_ready and self._press(PREPARING, Button.ROLL))

    def _own_start(self, preparation: Preparation) -> State:
        """Where people lay as they like: a network by lot."""
        if self._start is not None:
            return self._start
        by_lot = replace(own(self._desk.settings), network=BY_LOT, lot=self._random.randrange(1 << 30))
        return suggested(preparation.wish, by_lot, by_lot.lot)

    # A turn

    def _serves(self, state: State) -> bool:
        """Moves the train of an automatic player as the map wants it."""
        goal = self._desk.goal
        if goal is state and state.phase is not Phase.ROLLING:
            self._pace.has_been_answered()  # it thinks: that is no silence
        return self._table.show(goal.stock)

    def _begins_turn(self, state: State) -> bool:
        """Rolls, or chooses a speed, unless whoever has taken something back wants to do it otherwise."""
        if self._asked_back == state.turns:
            return False
        if state.phase is Phase.ROLLING:
            return self._press(state.phase, Button.ROLL)
        allowed = speeds_allowed(state)
        wanted = min(max(self._speed(self._real), allowed[0]), allowed[-1])
        now = chosen_speed(self._desk)
        button = Button.ROLL if now == wanted else Button.UP if now < wanted else Button.DOWN
        return self._press(state.phase, button)

    @property
    def _real(self) -> State:
        """How it really stands; as the record has it where that cannot be so."""
        game = self._desk.game
        try:
            return self.played.state(game)
        except RuleError:
            self.contradicted.append(game.state.turns)
            self._lost.update(self.played.wrong(game))
            self.played = Played()
            return game.state

    def _speed(self, state: State) -> int:
        if self._plan is None:
            self._plan = Plan(state, self._brain(state).turn(state, self._random), self._random)
        return self._plan.speed

    def _turn(self, state: State) -> Sequence[AnyStep]:
        """The next steps of a puzzle's plan as long as it is known, else what a good player does."""
        plan = self._desk.advice.of((state,)).plan
        return plan[: state.left] if plan else self._brain(state).turn(state, self._random)

    def _brain(self, state: State) -> AutomaticPlayer:
        return self._brains.setdefault(state.active, PLAYERS["good"]())

    def _moves(self, state: State) -> bool:
        """Moves the train as the person wants it; then the turn ends as it lies there."""
        if self._asked_back == state.turns:
            return False
        if self._plan is None:
            real = self._real
            # Where nobody can move, as only people know, the turn is over.
            steps = self._turn(real) if (real.turns, real.phase) == (state.turns, state.phase) else ()
            self._plan = Plan(real, steps, self._random)
            self.played.plays(state.turns, steps)
            self.intended[state.turns] = self._plan.end
        if self._plan.goes_on(self._table):
            return True
        turn = self._desk.turn
        way = turn.way
        if way is None or self._desk.seen is None or way.state.stock.dots != self._plan.end.dots:
            return False
        # Who wants to be sure says it even where the screen has it right: a later turn may change what nobody has said.
        is_said = self.insists is None or len(turn.ways) == 1 or turn.is_told
        is_let_be = self.insists is not None and state.turns not in self.insists
        is_so = is_let_be or (is_said and way.state.stock.rows == self._plan.end.rows)
        if is_so and self._ends_by_itself(state):
            return False
        return self._press(state.phase, Button.ROLL if is_so else Button.PASS)

    def _ends_by_itself(self, state: State) -> bool:
        """Whether a turn ends once the train is left where it is: nobody else rolls who would end it."""
        following = (state.active + 1) % state.setup.players
        is_rolled_for = state.setup.mode is Mode.DIE and not self._desk.agreement.is_automatic(following)
        return not is_rolled_for and self._plan is not None and self._plan.end.dots != state.stock.dots

    def _press(self, phase: str, button: Button) -> bool:
        if self._press_button is None:
            return False
        turn = self._desk.state.turns if self._desk.has_begun else 0
        self.presses_made.append(Pressed(turn, str(phase), button))
        self._pace.wait(PRESS_SECONDS)
        self._press_button(button)
        return True

    def _repeat(self) -> None:
        """Puts everything down once more where the companion does not answer; raises RobotError after some times."""
        if not self._pace.repeat():
            phase = self._desk.state.phase if self._desk.has_begun else PREPARING
            raise RobotError(f"The companion does not go on, {phase}.")
        self._table.doubt()
