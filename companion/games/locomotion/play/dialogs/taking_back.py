"""Taking back: what was done last, across a turn too; what dice have shown they will show again."""

from __future__ import annotations

from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.rules import ChooseSpeed, DrawLots, Motion, Phase, Roll, RollOff


def take_back(desk: Desk, *, held: bool) -> None:
    """Takes back the last turn as far as nobody has rolled since; across a roll the button has to be held."""
    if not desk.has_begun:
        return
    count = free_steps(desk) or (steps_back(desk) if held else 0)
    if count:
        desk.take_back(count)
        desk.turn.hold()
        desk.remark(desk.word("taken-back"))
        desk.sound("turn")
    elif steps_back(desk):
        desk.remark(desk.word("hold-back"))


def free_steps(desk: Desk) -> int:
    """How many steps can be taken back without a second thought: a step that was entered, or a turn just ended."""
    steps = desk.game.steps
    if not steps or isinstance(steps[-1], DrawLots | RollOff | Roll):
        return 0
    if isinstance(steps[-1], ChooseSpeed):
        return 1
    if desk.state.phase is Phase.MOVING:
        return 1
    return _turn_steps(desk)


def _turn_steps(desk: Desk) -> int:
    """The steps since the last roll or speed: without a camera each was entered by itself."""
    steps = desk.game.steps
    if desk.is_blind:
        return 1
    count = 0
    while count < len(steps) and not isinstance(steps[-1 - count], Roll | ChooseSpeed | RollOff | DrawLots):
        count += 1
    return count


def steps_back(desk: Desk) -> int:
    """How many steps lead back into the turn before this one; none where this is the first."""
    steps = desk.game.steps
    count = 0
    while count < len(steps) and not isinstance(steps[-1 - count], DrawLots | RollOff):
        count += 1
        if isinstance(steps[-count], Motion) or len(steps) == count:
            return count
    return 0
