"""What is known of the way on in a game for one, and the search for more of it."""

from __future__ import annotations

from companion.games.locomotion.play.thinking import Thought
from companion.games.locomotion.rules import State
from companion.games.locomotion.rules.state import Stock
from companion.games.locomotion.strategy.outlook import Outlook, Outlooks, looked_ahead

_NOTHING = Outlook(0)


class Advice:
    """Asked for where a game for one stands. It searches in a thread; ``look`` takes in what was found."""

    def __init__(self) -> None:
        self._outlooks = Outlooks()
        self._thought: Thought[Outlook] | None = None
        self._about: State | None = None
        self._progress: list[Outlook] = []
        self._searched: set[Stock] = set()

    def learn(self, state: State, outlook: Outlook) -> None:
        """Something is known of a state."""
        self._outlooks.learn(state, outlook)

    def of(self, state: State) -> Outlook:
        """What is known of a state so far."""
        return self._outlooks.of(state) or _NOTHING

    def is_searching(self, state: State) -> bool:
        """Whether more will be known of a state."""
        return self._thought is not None and self._about is not None and self._about.stock == state.stock

    def search(self, state: State) -> None:
        """Begins to search from a state, in place of any other, unless there is nothing more to find out."""
        if self.is_searching(state) or self.of(state).is_proven or state.stock in self._searched:
            return
        self.close()
        progress: list[Outlook] = []
        self._about, self._progress = state, progress
        self._thought = Thought(lambda is_wanted: looked_ahead(state, is_wanted, progress.append))

    def look(self) -> None:
        """Takes in what was found by now."""
        if self._thought is None or self._about is None:
            return
        for outlook in (*self._progress[-1:], *filter(None, [self._thought.answer])):
            self._outlooks.learn(self._about, outlook)
        if self._thought.is_over:
            self._searched.add(self._about.stock)
            self._thought = None

    def close(self) -> None:
        """Nothing is searched any more."""
        if self._thought is not None:
            self._thought.close()
            self._thought = None
