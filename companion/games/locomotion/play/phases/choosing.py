"""A person's speed card."""

from __future__ import annotations

from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.play.phases.between import played_otherwise
from companion.games.locomotion.play.sentences import news, order_line
from companion.games.locomotion.rules import ChooseSpeed
from companion.games.locomotion.rules.turn import speeds_allowed
from companion.screen.screen import Screen
from hardware.buttons import Button


class Choosing:
    """CHOOSING of a person: the speed lies on, unless another one is chosen."""

    def __init__(self) -> None:
        self._turn, self._speed = 0, 0

    def watch(self, desk: Desk) -> bool:
        """Who has just moved may still think again."""
        return played_otherwise(desk)

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - held or not, it is the same
        """UP and DOWN choose, ROLL lays the card open."""
        allowed, now = speeds_allowed(desk.state), self._chosen(desk)
        match button:
            case Button.UP | Button.DOWN:
                self._speed = min(max(now + (1 if button is Button.UP else -1), allowed[0]), allowed[-1])
            case Button.ROLL if not desk.clock.has_just_passed:
                desk.do(ChooseSpeed(now))
                desk.clock.pass_on()
            case _:
                pass

    def _chosen(self, desk: Desk) -> int:
        state = desk.state
        if self._turn != state.turns:
            speed = state.speeds[state.active]
            self._turn, self._speed = state.turns, 1 if speed is None else speed
        return self._speed

    def screen(self, desk: Desk) -> Screen:
        """The speed, and which ones can be chosen."""
        allowed, now = speeds_allowed(desk.state), self._chosen(desk)
        arrows = ("+" if now < allowed[-1] else "", "\N{MINUS SIGN}" if now > allowed[0] else "")
        keys = (desk.word("key-ok"), "", *arrows, desk.word("key-back"))
        lines = (*news(desk), order_line(desk))
        return Screen(heading=desk.name, main=desk.word("speed", speed=now), lines=lines, keys=keys)
