"""How the turn that goes on may have been played, as far as it is seen."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.games.locomotion.rules import Mode, Phase, RuleError, State
from companion.games.locomotion.table.errors import STEPS_TO_GO
from companion.games.locomotion.table.explanation import explained
from companion.games.locomotion.table.seen import Seen
from companion.games.locomotion.table.ways import Way, ways


class Turn:
    """The ways from the state of the record to what lies there; nothing of it is recorded yet."""

    def __init__(self) -> None:
        self.ways: Sequence[Way] = ()
        self._chosen = 0
        self._at: tuple[State, Seen] | None = None
        self._refusal: RuleError | None = None
        self._fewest: int | None = None
        """The steps that it takes at least to what is seen, once somebody has asked."""
        self.speed: int | None = None
        """The card that is about to be laid open; None as long as nobody has chosen."""
        self.is_held = False
        """Whether it has been taken back: it does not end by itself before the table has changed."""
        self.is_thought_over = False
        """Whether it may still be found that an earlier turn was another one: nothing is told to be wrong then."""
        self.is_told = False
        """Whether people have said which way it was."""
        self._told: tuple[State, Seen, int] | None = None
        """What stood there when they said so, and which way it was: if it is seen again they need not say so again."""
        self.told_at = float("-inf")
        """When they did so last, in seconds."""

    @property
    def way(self) -> Way | None:
        """The way that people have gone, as far as is known; None where none leads to what lies there."""
        return self.ways[self._chosen] if self.ways else None

    def look(self, state: State, seen: Seen) -> None:
        """What stands there now."""
        if self._at is not None and self._at[0] is state and self._at[1] == seen:
            return
        if self._at is not None and self._at[0] is state:
            self.is_held = False
        self._at, self._refusal, self._fewest = (state, seen), None, None
        self.ways, self._chosen, self.is_told = ways(state, seen), 0, False
        if self._told is not None and self._told[0] is state and self._told[1] == seen:
            self._chosen, self.is_told = self._told[2], True

    def refusal(self, state: State, seen: Seen) -> RuleError | None:
        """What speaks against what stands there; None where there is a way."""
        self.look(state, seen)
        if not self.ways and self._refusal is None:
            self._refusal = explained(state, seen)
        return self._refusal

    def on_its_way(self, state: State, seen: Seen) -> int:
        """How many steps of a speed have been made as far as the train stands there now; 0 where it is no such turn."""
        error = None if self.ways else self.refusal(state, seen)
        steps = error.details["steps"] if error is not None and error.code == STEPS_TO_GO else 0
        return steps if isinstance(steps, int) else 0

    def other(self, now: float) -> None:
        """It was another way: the next one. It is so late, in seconds."""
        self._chosen = (self._chosen + 1) % max(1, len(self.ways))
        self.is_told, self.told_at = True, now
        self._told = None if self._at is None else (*self._at, self._chosen)

    def hold(self) -> None:
        """It has been taken back."""
        self.is_held = True

    @property
    def is_plain(self) -> bool:
        """Whether it has come to its end so without doubt: it is won, or all steps are used in one way only."""
        if self._at is None or self.way is None or self.is_held:
            return False
        if self.way.state.phase is Phase.OVER:
            return True
        if len(self.ways) != 1:
            return False
        state, seen = self._at
        if self._fewest is None:
            self._fewest = _fewest(state, seen)
        return self._fewest == state.left


def _fewest(state: State, seen: Seen) -> int | None:
    """How many steps it takes at least to what is seen: a speed could be used up to and fro."""
    with_die = replace(state, setup=replace(state.setup, mode=Mode.DIE))
    return min((len(way.motions) for way in ways(with_die, seen)), default=None)
