"""A person's die."""

from __future__ import annotations

from companion.games.at_table.told import Story
from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.play.dialogs.hint import can_hint, open_hint
from companion.games.locomotion.play.phases.between import played_otherwise
from companion.games.locomotion.play.sentences import news, order_line, with_locomotive
from companion.games.locomotion.rules import Roll
from companion.screen.screen import Screen
from hardware.buttons import Button


class Rolling:
    """ROLLING of a person."""

    def watch(self, desk: Desk) -> bool:
        """Who has just moved may still think again."""
        return played_otherwise(desk)

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - held or not, it is the same
        """ROLL: the die falls. DOWN: alone there are hints."""
        if button is Button.ROLL:
            roll(desk)
        elif button is Button.DOWN and can_hint(desk):
            open_hint(desk)

    def screen(self, desk: Desk) -> Screen:
        """Whose turn it is, what happened last, and the order."""
        hint = desk.word("key-hint") if can_hint(desk) else ""
        keys = (desk.word("key-roll"), "", desk.word("key-look"), hint, desk.word("key-back"))
        heading = with_locomotive(desk, desk.word("turn"))
        if desk.state.setup.players == 1:
            main, done = desk.word("solo-turn", turn=desk.state.turns), desk.word("solo-done", count=desk.state.steps)
            return Screen(heading=heading, main=main, lines=(done, order_line(desk)), keys=keys)
        lines = (*news(desk), order_line(desk))
        return Screen(heading=heading, main=desk.name, lines=lines, keys=keys)


def roll(desk: Desk) -> None:
    """The die falls; who cannot move waits (LRUN7)."""
    name, told = desk.name, news(desk)
    number = desk.dice(1)[0]
    desk.do(Roll(number))
    lines = (desk.word("waits", player=name),) if desk.state.waited is not None else told
    desk.told.tell(Story(name, lines, (number,), desk.now))
    desk.clock.pass_on()
    desk.sound("dice")
