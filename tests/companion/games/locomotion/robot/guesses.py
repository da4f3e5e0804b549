"""How often the companion takes for coupled what was coupled, while a robot plays that knows it."""

from __future__ import annotations

from collections import Counter

from companion.games.locomotion.robot.robot import Robot
from companion.games.locomotion.rules import Game, Phase


class Guesses:
    """Asked to ``look`` while a game goes on; then it can be told how its turns were guessed.

    Told are the turns of people: those that were right ``at_once``, and for those that were not after how many further
    turns of that player they were; those that are ``never`` right, and those that were and are not any more.
    """

    def __init__(self) -> None:
        self.at_once: set[int] = set()
        self.later: dict[int, int] = {}
        self.never: set[int] = set()
        self.spoiled: set[int] = set()
        self._changes = -1

    def look(self, game: Game, robot: Robot) -> None:
        """How the game stands now."""
        if game.changes == self._changes:
            return
        self._changes = game.changes
        now, players = game.state.turns, game.state.setup.players
        ended = {turn for turn in robot.intended if turn < now or game.state.phase is Phase.OVER}
        wrong = set(robot.wrong(game)) & ended
        known = self.at_once | self.never | set(self.later)
        self.at_once |= ended - known - wrong
        self.later |= {turn: -(-(now - turn) // players) for turn in self.never - wrong}
        self.spoiled = (self.spoiled | (self.at_once & wrong)) - (ended - wrong)
        self.later = {turn: turns for turn, turns in self.later.items() if turn not in wrong}
        self.never = wrong - self.at_once

    @property
    def figures(self) -> dict[str, int]:
        """All of it as numbers."""
        after = Counter(self.later.values())
        told = {f"right after {turns} more": count for turns, count in sorted(after.items())}
        return {"right at once": len(self.at_once), **told, "never right": len(self.never | self.spoiled)}
