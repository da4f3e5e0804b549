"""A person's speed card."""

from __future__ import annotations

from typing import Final

from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.play.sentences import order_line
from companion.games.locomotion.rules import ChooseSpeed
from companion.games.locomotion.rules.turn import speeds_allowed
from companion.screen.screen import Screen
from hardware.buttons import Button

_FIRST: Final = 1
"""Where nobody has chosen a speed yet."""


class Choosing:
    """CHOOSING of a person: the speed lies on, unless another one is chosen."""

    def watch(self, desk: Desk) -> bool:  # noqa: ARG002 - it waits for a press
        """Nothing happens by itself."""
        return False

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - held or not, it is the same
        """UP and DOWN choose, ROLL lays the card open."""
        allowed, now = speeds_allowed(desk.state), chosen_speed(desk)
        match button:
            case Button.UP | Button.DOWN:
                desk.turn.speed = min(max(now + (1 if button is Button.UP else -1), allowed[0]), allowed[-1])
            case Button.ROLL:
                desk.do(ChooseSpeed(now))
            case _:
                pass

    def screen(self, desk: Desk) -> Screen:
        """The speed, and which ones can be chosen."""
        keys = (desk.word("key-ok"), "", "+", "\N{MINUS SIGN}", desk.word("key-back"))
        story = desk.story
        news = story.lines[:1] if story is not None else ()
        main = desk.word("speed", speed=chosen_speed(desk))
        return Screen(heading=desk.name, main=main, lines=(*news, order_line(desk)), keys=keys)


def chosen_speed(desk: Desk) -> int:
    """The card that is laid open with the next press of ROLL."""
    speed = desk.state.speeds[desk.state.active]
    return next(card for card in (desk.turn.speed, speed, _FIRST) if card is not None)
