"""The end: who has won."""

from __future__ import annotations

from companion.games.events import Leave
from companion.games.locomotion.play.desk import Desk
from companion.screen.screen import Screen
from hardware.buttons import Button


class Over:
    """OVER."""

    def watch(self, desk: Desk) -> bool:  # noqa: ARG002 - nothing more happens
        """Nothing more happens."""
        return False

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - held or not, it is the same
        """ROLL: a new game."""
        if button is Button.ROLL:
            desk.send(Leave("new-game"))

    def screen(self, desk: Desk) -> Screen:
        """Who has won, in how many turns and steps."""
        state = desk.state
        winner = "" if state.winner is None else state.setup.names[state.winner]
        keys = (desk.word("key-new"), "", desk.word("key-look"), "", desk.word("key-back"))
        lines = (desk.word("in-turns", turns=state.turns, steps=state.steps),)
        return Screen(heading=desk.word("result"), main=desk.word("wins", player=winner), lines=lines, keys=keys)
