"""Games that are played to their end at a table that an eye reads, in any mode, with any knobs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from companion.games.locomotion.rules import ChooseSpeed, EndTurn, Phase, State, after
from companion.games.locomotion.rules.steps import AnyStep
from companion.games.locomotion.strategy.players.players import PLAYERS
from companion.games.settings import Settings
from hardware.buttons import Button
from tests.companion.games.locomotion.play.people_at_table import People

MOST_TURNS: Final = 400


class Counted(NamedTuple):
    """How a game went: its turns, the presses for them, and those with which people had to correct what was taken."""

    turns: int
    presses: int
    corrections: int
    is_over: bool


class WholeGame:
    """People who play by themselves: each turn is an automatic player's, done with hands."""

    def __init__(
        self, folder: Path, kind: str, settings: Settings, seed: int, *, player: str = "greedy", kills: float = 0.0
    ) -> None:
        """``player`` is how people think, ``kills`` the chance of a power cut before each thing that they do."""
        self._kills = kills
        self.people = People(folder, kind, settings, seed)
        self.random = self.people.random
        self._player = player
        self.presses = self.corrections = 0
        self._players = [PLAYERS[player]() for _ in range(4)]

    def play(self, most_turns: int = MOST_TURNS) -> Counted:
        people = self.people
        people.set_up()
        while people.game_state.phase is not Phase.OVER and people.game_state.turns < most_turns:
            if self.random.random() < self._kills:
                before = people.play.facts()
                people.comes_back()
                assert people.play.facts() == before
                people.waits()
            self.goes_on()
        state = people.game_state
        return Counted(state.turns, self.presses, self.corrections, state.phase is Phase.OVER)

    def goes_on(self) -> None:
        """Whoever is to do something does it."""
        people, state = self.people, self.people.game_state
        desk = people.play.controller.desk
        if desk.is_automatic:
            self._helps()
        elif state.phase is Phase.ROLLING:
            self._presses(Button.ROLL)
        elif state.phase is Phase.CHOOSING:
            self._chooses(self._turn(state))
        elif state.phase is Phase.MOVING:
            self._moves(state, self._turn(state))

    def _turn(self, state: State) -> Sequence[AnyStep]:
        return self._players[state.active].turn(state, self.random)

    def _presses(self, button: Button) -> None:
        self.presses += 1
        self.people.press(button)

    def _chooses(self, turn: Sequence[AnyStep]) -> None:
        speed = next(step.speed for step in turn if isinstance(step, ChooseSpeed))
        for _ in range(10):
            shown = self.people.screen.main
            now = int("".join(letter for letter in shown if letter.isdigit()))
            if now == speed:
                break
            self._presses(Button.UP if now < speed else Button.DOWN)
        self._presses(Button.ROLL)

    def _moves(self, begun: State, turn: Sequence[AnyStep]) -> None:
        """Moves its train in one go, or dot by dot; what is taken for it otherwise is corrected."""
        people, state = self.people, begun
        is_by_steps = self.random.random() < 0.3
        for step in turn:
            if isinstance(step, EndTurn):
                break
            state = after(state, step)
            if is_by_steps and self._goes_on(begun):
                people.puts(state)
        people.puts(state)
        desk = people.play.controller.desk
        if self._goes_on(begun):
            ways = desk.turn.ways
            assert ways, [begun.stock, state.stock]
            for _ in ways:
                if desk.turn.way is not None and desk.turn.way.state.stock.rows == state.stock.rows:
                    break
                self.corrections += 1
                self._presses(Button.PASS)
            self._presses(Button.ROLL)
        self.stands(state)

    def _goes_on(self, begun: State) -> bool:
        """Whether a turn has not ended yet, though what was before it may be recorded anew."""
        state = self.people.game_state
        return (state.turns, state.phase) == (begun.turns, begun.phase)

    def stands(self, state: State) -> None:
        """The record has all as it stands on the table, coupled as it was meant."""
        states = self.people.play.controller.game.states
        stocks = [(each.stock.dots, each.stock.rows) for each in states]
        assert (state.stock.dots, state.stock.rows) in stocks, (state.stock, states[-1].stock)

    def _helps(self) -> None:
        """Moves the train of an automatic player as the map says."""
        people = self.people
        people.waits(2.5)
        thought = people.play.controller._phase._automatic._thought
        if thought is not None:
            thought.wait(20)
            people.waits()
        desk = people.play.controller.desk
        if desk.wanted is not None and desk.wanted[0] is desk.state:
            people.puts(desk.goal)
