"""Taking back: what was done last, across a turn too; what dice have shown they will show again."""

from __future__ import annotations

from companion.games.events import TakenBack
from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.rules import ChooseSpeed, DrawLots, Phase, Roll, RollOff


def take_back(desk: Desk, *, held: bool) -> None:
    """Takes back what was entered last, or the turn that has just ended; across a roll the button has to be held."""
    if not desk.has_begun:
        return
    count = free_steps(desk) or (steps_back(desk) if held else 0)
    if count:
        has_rolled = any(isinstance(step, Roll) for step in desk.game.steps[-count:])
        desk.take_back(count)
        desk.turn.hold()
        desk.remark(desk.word("taken-back") if has_rolled else desk.word("undone"))
        desk.sound("turn")
    elif steps_back(desk):
        desk.remark(desk.word("hold-back"))


def go_back(desk: Desk, told: TakenBack) -> None:
    """Takes back as BACK does when it is held; refuses it where the game has gone on or back since it was asked."""
    if told.moment != desk.moment:
        desk.remark(desk.word("meanwhile"))
        desk.sound("wrong")
        return
    # It was meant for the table as it was.
    desk.early.drop()
    take_back(desk, held=True)


def free_steps(desk: Desk) -> int:
    """How many steps can be taken back without a second thought: those of a person, after which nobody has rolled."""
    steps, states = desk.game.steps, desk.game.states
    if not steps or isinstance(steps[-1], DrawLots | RollOff | Roll):
        return 0
    if desk.agreement.is_automatic(states[-2].active):
        return 0
    is_by_itself = desk.is_blind or isinstance(steps[-1], ChooseSpeed) or desk.state.phase is Phase.MOVING
    return 1 if is_by_itself else steps_back(desk)


def steps_back(desk: Desk) -> int:
    """How many steps lead back to where a person was to move last; 0 where nobody was.

    What automatic players have done since they would do again.
    """
    count, is_a_persons = 0, False
    for step, before in zip(reversed(desk.game.steps), reversed(desk.game.states[:-1]), strict=True):
        if isinstance(step, DrawLots | RollOff) or (is_a_persons and isinstance(step, Roll | ChooseSpeed)):
            break
        count += 1
        if not isinstance(step, Roll | ChooseSpeed):
            is_a_persons = is_a_persons or not desk.agreement.is_automatic(before.active)
    return count if is_a_persons else 0
