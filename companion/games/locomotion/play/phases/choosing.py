"""A person's speed card."""

from __future__ import annotations

from typing import Final

from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.play.phases.between import played_otherwise
from companion.games.locomotion.play.sentences import news, order_line, others_speeds, with_locomotive
from companion.games.locomotion.rules import ChooseSpeed
from companion.games.locomotion.rules.state import FASTEST
from companion.games.locomotion.rules.turn import speeds_allowed
from companion.screen.screen import Screen
from hardware.buttons import Button

_FIRST: Final = FASTEST
"""Where nobody has chosen a speed yet: whoever keeps the highest one never needs more turns than with another."""


class Choosing:
    """CHOOSING of a person: the speed lies on, unless another one is chosen."""

    def watch(self, desk: Desk) -> bool:
        """Who has just moved may still think again."""
        return played_otherwise(desk)

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - held or not, it is the same
        """UP and DOWN choose, ROLL lays the card open."""
        allowed, now = speeds_allowed(desk.state), chosen_speed(desk)
        match button:
            case Button.UP | Button.DOWN:
                desk.turn.speed = min(max(now + (1 if button is Button.UP else -1), allowed[0]), allowed[-1])
            case Button.ROLL if not desk.clock.has_just_passed:
                desk.do(ChooseSpeed(now))
                desk.clock.pass_on()
            case _:
                pass

    def screen(self, desk: Desk) -> Screen:
        """The speed, and which ones can be chosen."""
        allowed, now = speeds_allowed(desk.state), chosen_speed(desk)
        arrows = ("+" if now < allowed[-1] else "", "\N{MINUS SIGN}" if now > allowed[0] else "")
        keys = (desk.word("key-ok"), "", *arrows, desk.word("key-back"))
        # A full brake is told before all cards: the last one lies open as 0 then.
        lines = (*(news(desk)[1:] or others_speeds(desk) or news(desk)), order_line(desk))
        heading = with_locomotive(desk, desk.name)
        return Screen(heading=heading, main=desk.word("speed", speed=now), lines=lines, keys=keys)


def chosen_speed(desk: Desk) -> int:
    """The card that is laid open with the next press of ROLL."""
    speed = desk.state.speeds[desk.state.active]
    return next(card for card in (desk.turn.speed, speed, _FIRST) if card is not None)
