"""A person's die."""

from __future__ import annotations

from companion.games.at_table.told import Story
from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.play.dialogs.hint import can_hint, open_hint
from companion.games.locomotion.play.sentences import order_line
from companion.games.locomotion.rules import Roll
from companion.screen.screen import Screen
from hardware.buttons import Button


class Rolling:
    """ROLLING of a person."""

    def watch(self, desk: Desk) -> bool:  # noqa: ARG002 - it waits for a press
        """Nothing happens by itself."""
        return False

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - held or not, it is the same
        """ROLL: the die falls. PASS: alone there are hints."""
        if button is Button.ROLL:
            roll(desk)
        elif button is Button.PASS and can_hint(desk):
            open_hint(desk)

    def screen(self, desk: Desk) -> Screen:
        """Whose turn it is, what happened last, and the order."""
        story = desk.story
        news = story.lines[:1] if story is not None else ()
        hint = desk.word("key-hint") if can_hint(desk) else ""
        keys = (desk.word("key-roll"), hint, desk.word("key-look"), "", desk.word("key-back"))
        return Screen(heading=desk.word("turn"), main=desk.name, lines=(*news, order_line(desk)), keys=keys)


def roll(desk: Desk) -> None:
    """The die falls; who cannot move waits (LRUN7)."""
    name, number = desk.name, desk.dice(1)[0]
    desk.do(Roll(number))
    lines = (desk.word("waits", player=name),) if desk.state.waited is not None else ()
    desk.told.tell(Story(name, lines, (number,), desk.now))
    desk.sound("dice")
