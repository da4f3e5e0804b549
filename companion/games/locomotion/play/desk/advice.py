"""What is known of the way on in a game for one, and the search for more of it."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.locomotion.play.thinking import Thought
from companion.games.locomotion.rules import State
from companion.games.locomotion.rules.state import Stock
from companion.games.locomotion.strategy.outlook import Outlook, Outlooks, looked_ahead

_NOTHING = Outlook(0)
Standing = tuple[State, ...]
"""How all may stand: as in the first state, or as in others, which differ in lies alone (LRUN2)."""
Looks = Callable[[Standing, Callable[[], bool], Callable[[Outlook], None]], Outlook]
"""As ``looked_ahead``."""
_Key = tuple[Stock, ...]


class Advice:
    """Asked for where a game for one stands. It searches in a thread; ``look`` takes in what was found."""

    def __init__(self, looks: Looks = looked_ahead) -> None:
        """``looks`` does the searching."""
        self._looks = looks
        self._outlooks = Outlooks()
        self._of_several: dict[_Key, Outlook] = {}
        self._thought: Thought[Outlook] | None = None
        self._about: Standing = ()
        self._progress: list[Outlook] = []
        self._searched: set[_Key] = set()

    def learn(self, state: State, outlook: Outlook) -> None:
        """Something is known of a state."""
        self._outlooks.learn(state, outlook)

    def of(self, standing: Standing) -> Outlook:
        """What is known so far."""
        if len(standing) == 1:
            return self._outlooks.of(standing[0]) or _NOTHING
        return self._of_several.get(_key(standing), _NOTHING)

    def is_searching(self, standing: Standing) -> bool:
        """Whether more will be known."""
        return self._thought is not None and _key(self._about) == _key(standing)

    def search(self, standing: Standing) -> None:
        """Begins to search, in place of any other search, unless there is nothing more to find out."""
        if self.is_searching(standing) or self.of(standing).is_proven or _key(standing) in self._searched:
            return
        if self._thought is not None:
            self._thought.stop()
        progress: list[Outlook] = []
        self._about, self._progress = standing, progress
        self._thought = Thought(lambda is_wanted: self._looks(standing, is_wanted, progress.append))

    def look(self) -> None:
        """Takes in what was found by now."""
        if self._thought is None:
            return
        is_over = self._thought.is_over
        for outlook in (*self._progress[-1:], *filter(None, [self._thought.answer])):
            if len(self._about) == 1:
                self._outlooks.learn(self._about[0], outlook)
            else:
                self._of_several[_key(self._about)] = outlook
        if is_over:
            self._searched.add(_key(self._about))
            self._thought = None

    def wait(self, seconds: float) -> None:
        """Waits for what is searched, no longer than that."""
        if self._thought is not None:
            self._thought.wait(seconds)

    def close(self) -> None:
        """Nothing is searched any more."""
        if self._thought is not None:
            self._thought.close()
            self._thought = None


def _key(standing: Standing) -> _Key:
    return tuple(state.stock for state in standing)
