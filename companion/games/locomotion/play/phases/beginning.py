"""The beginning: locomotives and the order are drawn by lot, and who begins is rolled for."""

from __future__ import annotations

from companion.dice.box import Source
from companion.games.at_table.told import Story
from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.rules import DrawLots, Phase, RollOff
from companion.screen.screen import Screen
from hardware.buttons import Button


class Beginning:
    """DRAWING_LOTS and ROLLING_OFF: the companion does both by itself."""

    def watch(self, desk: Desk) -> bool:
        """Draws, and rolls until somebody begins."""
        state = desk.state
        if state.phase is Phase.DRAWING_LOTS:
            setup = state.setup
            locomotives = _shuffled(setup.players, desk.source)
            order = _shuffled(setup.wagon_colours, desk.source)
            # Of a puzzle the order belongs to the start.
            agreed = desk.agreement.order
            desk.do(DrawLots(locomotives, agreed if sorted(agreed) == sorted(order) else order))
            return True
        rolls = desk.dice(len(state.contenders))
        desk.do(RollOff(rolls))
        lines = (desk.word("begins", player=desk.name),) if desk.state.phase is not Phase.ROLLING_OFF else ()
        desk.told.tell(Story(desk.word("who-begins"), lines, rolls, desk.now))
        desk.sound("dice")
        return True

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:
        """Nobody has to do anything."""

    def screen(self, desk: Desk) -> Screen:  # noqa: ARG002 - it is over before anything is seen
        """Nothing of it is seen."""
        return Screen()


def _shuffled(count: int, source: Source) -> tuple[int, ...]:
    """The numbers from 1 to ``count`` in the order of a lot."""
    left = list(range(1, count + 1))
    return tuple(left.pop(source.randrange(len(left))) for _ in range(count))
