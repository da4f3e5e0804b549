"""Taking back: free until the roll; across a roll, a card shown, or another's turn with a held button."""

from __future__ import annotations

from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.rules import Draw, EndTurn, Phase, Put

_FREE = (Phase.BUILDING, Phase.DISCARDING, Phase.SETTING_UP)


def take_back(desk: Desk, *, held: bool) -> None:
    """Takes back the last thing that people did, if that is free or the button is held."""
    count = free_steps(desk) or (steps_back(desk) if held else 0)
    if count:
        desk.take_back(count)
        desk.remark(desk.word("taken-back"))
        desk.sound("turn")
    elif desk.game.steps:
        desk.remark(desk.word("hold-back"))


def free_steps(desk: Desk) -> int:
    """How many steps can be taken back without a second thought."""
    steps = desk.game.steps
    if desk.state.phase is Phase.PUTTING:
        return _trailing_puts(desk)
    is_just_drawn = desk.state.drawn is not None
    return 1 if steps and (is_just_drawn or desk.state.phase in _FREE) else 0


def _trailing_puts(desk: Desk) -> int:
    steps = desk.game.steps
    count = 0
    while count < len(steps) and isinstance(steps[-1 - count], Put):
        count += 1
    return count


def steps_back(desk: Desk) -> int:
    """How many steps lead back to before the last thing that people decided or dice did."""
    steps = desk.game.steps
    # What follows by itself would follow again at once: taking back only that would change nothing.
    for count, step in enumerate(reversed(steps), start=1):
        is_hidden_draw = isinstance(step, Draw) and step.face is None
        if not is_hidden_draw and not isinstance(step, (Put, EndTurn)):
            return count
    return 0
