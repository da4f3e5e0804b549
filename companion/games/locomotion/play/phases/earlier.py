"""What an earlier turn must have been, as only the turn that goes on shows.

If what lies there now is only possible after another past, that was it. Nobody has to say so.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.play.pasts import Past, all_pasts
from companion.games.locomotion.play.trouble import has_rested
from companion.games.locomotion.rules import Phase, State
from companion.games.locomotion.table.search import hanging
from companion.games.locomotion.table.seen import Seen
from companion.games.locomotion.table.unseen import may_have_won
from companion.games.locomotion.table.ways import Way, ways
from hardware.buttons import Button

_SEARCHES_AT_ONCE: Final = 2
"""So many of some hundredths of a second each, of a tenth or more on a small computer, at each look at the table."""
_SEARCHES_A_SECOND: Final = 30
"""And so many more for each second that has passed since the last one."""
_SEARCHES_WHEN_PRESSED: Final = 40
"""So many at once where somebody has pressed a button, and waits."""


class Earlier:
    """Thinks earlier turns over again where nothing leads to what lies there, or a win that seems to be there."""

    def __init__(self) -> None:
        self._about: State | None = None
        self._pasts: list[Past] = []
        self._more: Iterator[Past | None] = iter(())
        self._seen: Seen | None = None
        self._tried = 0
        """So many of the pasts that have been found do not explain what was seen."""
        self._is_thinking = False
        self._now = 0.0
        self._in_time = _SEARCHES_AT_ONCE

    def look_at_clock(self, now: float) -> None:
        """It is so late, in seconds: there is not more time to think than has passed."""
        self._in_time = _SEARCHES_AT_ONCE + int(_SEARCHES_A_SECOND * (now - self._now))
        self._now = now

    def was_otherwise(self, desk: Desk, seen: Seen) -> bool:
        """Whether earlier turns are now other ones, so that a way leads to what lies there."""
        may_wait = not has_rested(desk) and desk.early.button is not Button.ROLL
        return not may_wait and self._is_otherwise(desk, seen, is_won=False)

    def thinks_about(self, desk: Desk, seen: Seen) -> bool:
        """Whether it may be found yet that an earlier turn was another one, if what lies there stays so."""
        return self._is_thinking and self._about is desk.state and self._seen == seen

    def was_coupled_otherwise(self, desk: Desk, way: Way, seen: Seen) -> bool:
        """Whether earlier turns are now other ones, so that something else is coupled than on the only way so far.

        To be asked when people say that it was another way: then that is the one that they have gone.
        """
        hung = hanging(way.state.setup, way.state.stock)
        for past in islice(all_pasts(desk.game, desk.certain), _SEARCHES_WHEN_PRESSED):
            others = () if past is None or past.contradicts else ways(past.state, seen)
            hangs = [hanging(other.state.setup, other.state.stock) for other in others]
            number = next((number for number, other in enumerate(hangs) if other != hung), None)
            if number is not None and self._goes_on_from(desk, past):
                desk.turn.look(desk.state, seen)
                desk.turn.say(number, desk.now)
                return True
        return False

    def has_won(self, desk: Desk, seen: Seen) -> bool:
        """Whether earlier turns are now other ones, so that who is to play has won.

        Who has all wagons in order behind the locomotive has coupled them on the way, if that can have been.
        """
        return may_have_won(desk.state, seen) and self._is_otherwise(desk, seen, is_won=True)

    def _is_otherwise(self, desk: Desk, seen: Seen, *, is_won: bool) -> bool:
        if self._about is not desk.state:
            self._about, self._pasts, self._more, self._seen = desk.state, [], all_pasts(desk.game, desk.certain), None
        if seen != self._seen:
            self._seen, self._tried, self._is_thinking = seen, 0, True
        searches = self._in_time if desk.early.button is None else _SEARCHES_WHEN_PRESSED
        past = next((past for past in self._some(searches) if _explains(past, seen, is_won=is_won)), None)
        self._is_thinking = self._is_thinking and past is None
        return self._goes_on_from(desk, past)

    @staticmethod
    def _goes_on_from(desk: Desk, past: Past | None) -> bool:
        if past is not None:
            desk.replace(len(desk.game.steps) - past.moment, past.steps)
        return past is not None

    def _some(self, searches: int) -> Iterator[Past]:
        """Those that have been found and not been tried, and then some more: the loop must not stand still for all."""
        if not self._is_thinking:
            return
        for _ in range(searches):
            while self._tried < len(self._pasts):
                self._tried += 1
                yield self._pasts[self._tried - 1]
            try:
                past = next(self._more)
            except StopIteration:
                self._is_thinking = False
                return
            if past is not None:
                self._pasts.append(past)


def _explains(past: Past, seen: Seen, *, is_won: bool) -> bool:
    if is_won and past.contradicts:
        return False
    found = ways(past.state, seen)
    return bool(found) and (not is_won or found[0].state.phase is Phase.OVER)
