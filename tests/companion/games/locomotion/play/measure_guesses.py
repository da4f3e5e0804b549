"""How far a game gets on guesses alone: nobody looks at the screen, and nobody ever says that a turn went otherwise.

    python -m tests.companion.games.locomotion.play.measure_guesses greedy 20

The people play as that automatic player does, each turn moved in one go. Counted are turns in which the table had to be
put right by hand, and wins that were missed or told too early.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

from companion.games.locomotion.rules import EndTurn, Phase, RuleError, State, after
from companion.games.locomotion.rules.steps import AnyStep
from hardware.buttons import Button
from tests.companion.games.locomotion.play.people_at_table import settings_of
from tests.companion.games.locomotion.play.whole_game import WholeGame

TURNS = 50
"""Of a game at most."""


class CarelessGame(WholeGame):
    """A game of people who know what they have coupled, and do not ask what the companion thinks."""

    def __init__(self, folder: Path, seed: int, player: str) -> None:
        players = 2 + seed % 3 % 2
        network, colours = ("windmill", 3) if players == 2 else ("three-windows", 2)
        settings = settings_of(network=network, colours=colours, people=players)
        super().__init__(folder, ("die", "speed")[seed % 2], settings, seed, player=player)
        self.told: Counter[str] = Counter()
        self.people.set_up()
        self.truth = self.people.game_state

    def run(self) -> Counter[str]:
        """Plays it, and says what came of it."""
        people = self.people
        while Phase.OVER not in {self.truth.phase, people.game_state.phase} and self.truth.turns < TURNS:
            if people.game_state.phase is Phase.ROLLING:
                people.press(Button.ROLL)
            elif people.game_state.phase is Phase.CHOOSING:
                self._chooses(self._turn(self.truth))
            self._begin()
            if self.truth.phase is Phase.MOVING:
                self._move()
        ends = self.truth.phase is Phase.OVER, people.game_state.phase is Phase.OVER
        self.told["missed" if ends == (True, False) else "too early" if ends == (False, True) else "right"] += 1
        people.play.close()
        return self.told

    def _begin(self) -> None:
        """The same roll or speed for what really stands there."""
        state = self.people.game_state
        try:
            if state.turns == self.truth.turns and state.phase is Phase.MOVING:
                self.truth = after(self.truth, self.people.play.controller.game.steps[-1])
        except RuleError:
            pass
        if (self.truth.turns, self.truth.phase) != (state.turns, state.phase):
            self._agree()

    def _agree(self) -> None:
        self.truth = self.people.game_state
        self.people.puts(self.truth)

    def _move(self) -> None:
        people, begun = self.people, self.truth
        steps: list[AnyStep] = [step for step in self._turn(begun) if not isinstance(step, EndTurn)]
        for step in steps:
            self.truth = after(self.truth, step)
        people.puts(self.truth)
        if self.truth.phase is Phase.MOVING and self.truth.turns == begun.turns:
            self.truth = after(self.truth, EndTurn())
        self.told["turns"] += 1
        for _ in range(2):
            if self._is_going_on(begun):
                people.waits(4)
                people.press(Button.ROLL)
        if self._is_going_on(begun):
            self.told["put right"] += 1
            self._agree()

    def _is_going_on(self, begun: State) -> bool:
        state = self.people.game_state
        return state.phase is Phase.MOVING and state.turns == begun.turns


def main(player: str, games: int) -> None:
    told: Counter[str] = Counter()
    for seed in range(games):
        with tempfile.TemporaryDirectory() as folder:
            told += CarelessGame(Path(folder), seed, player).run()
    print(", ".join(f"{what}: {count}" for what, count in sorted(told.items())))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
