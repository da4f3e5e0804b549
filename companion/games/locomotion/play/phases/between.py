"""Between two turns: who has just moved may have thought again."""

from __future__ import annotations

from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.play.dialogs.taking_back import free_steps, steps_back
from companion.games.locomotion.play.sentences import tell_turn
from companion.games.locomotion.play.trouble import stands_as
from companion.games.locomotion.rules import EndTurn, Phase


def played_otherwise(desk: Desk) -> bool:
    """Whether the turn that has just ended was played in another way, as the table shows now; then that one counts."""
    seen, ended_at = desk.seen, desk.clock.stepped_at
    # What has not been touched since is no news: the turn may have been told otherwise than it is seen.
    if not 0.0 <= ended_at < desk.watch.rest.changed_at:
        return False
    if seen is None or stands_as(seen, desk.state):
        return False
    # An automatic player that has begun rolls the same number again, or thinks again about its speed.
    count = free_steps(desk) or (steps_back(desk) if desk.is_automatic else 0)
    begun = desk.game.states[-1 - count]
    if not count or begun.phase is not Phase.MOVING:
        return False
    desk.last_turn.look(begun, seen)
    way, train = desk.last_turn.way, begun.locomotive
    if way is None or (desk.is_automatic and way.state.stock.dots[train] == desk.state.stock.dots[train]):
        return False
    is_left = way.state.phase is Phase.MOVING and way.state.turns == begun.turns
    desk.replace(count, (*way.motions, *([EndTurn()] if is_left else [])))
    # What people have said is so only of what stood there then.
    (desk.certain.add if desk.last_turn.is_told else desk.certain.discard)(begun.turns)
    tell_turn(desk, begun)
    return True
