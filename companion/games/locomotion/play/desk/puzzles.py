"""What a game for one can begin with: a puzzle that is drawn by lot, or the same start as last time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from companion.games.locomotion.play.desk.suggestion import Wish
from companion.games.locomotion.play.thinking import Thought
from companion.games.locomotion.record.solo_starts import SoloStart
from companion.games.locomotion.rules import BadNetwork
from companion.games.locomotion.strategy.outlook import Outlook

if TYPE_CHECKING:
    from companion.games.locomotion.strategy.puzzles import DrawnPuzzle


class Chosen(NamedTuple):
    """How a game for one is to begin, and what is known of it.

    ``outlook`` tells of the way on from there, ``grade`` in a word how hard it is; None and "" where nobody knows.
    """

    start: SoloStart
    outlook: Outlook | None = None
    grade: str = ""


class _Found(NamedTuple):
    """A puzzle that was drawn, and how hard it is."""

    drawn: DrawnPuzzle
    grade: str


class Puzzles:
    """Which of them it is to be, as long as it is not begun. One is drawn in a thread: that takes seconds."""

    def __init__(self, wish: Wish, pieces: int, *, today: int | None = None, again: SoloStart | None = None) -> None:
        """Of ``pieces`` pieces; ``today`` is the number of the day's puzzle, ``again`` how the last game began."""
        self.today, self.again = today, again
        self.chosen: Chosen | None = None
        """The one that people are setting up."""
        self.lays_own = False
        """Whether people lay a network of their own instead."""
        self._wish, self._pieces = wish, pieces
        self._thought: Thought[_Found | None] | None = None

    @property
    def is_looking(self) -> bool:
        """Whether one is looked for."""
        return self._thought is not None

    def look_for(self, number: int) -> None:
        """Draws the puzzle of this number."""
        self.stop()
        self._thought = Thought(self._drawing(number))

    def _drawing(self, number: int) -> Callable[[Callable[[], bool]], _Found | None]:
        wish, pieces = self._wish, self._pieces

        def drawn(is_wanted: Callable[[], bool]) -> _Found | None:
            from companion.games.locomotion.strategy.puzzles import NoPuzzle, difficulty_of, draw_puzzle

            try:
                puzzle = draw_puzzle(number, wish.piece, pieces, wish.colours, has_time=is_wanted)
            except (NoPuzzle, BadNetwork):
                return None
            return _Found(puzzle, difficulty_of(puzzle).grade.value)

        return drawn

    @property
    def is_found(self) -> bool:
        """Whether there is nothing more to wait for: it was found, or there is none."""
        return self._thought is not None and self._thought.is_over

    def take(self) -> Chosen | None:
        """What was found, with a plan that is proven; None where there is no such puzzle. It is looked for no more."""
        found = None if self._thought is None else self._thought.answer
        self._thought = None
        if found is None:
            return None
        drawn = found.drawn
        puzzle, steps = drawn.puzzle, len(drawn.plan)
        # It was proven by the puzzle's knobs, whatever is set.
        start = self._wish._replace(knobs=puzzle.knobs).start(puzzle.network, [puzzle.locomotive, *puzzle.wagons])
        agreement = msgspec.structs.replace(self._wish.agreement, puzzle=drawn.number, order=puzzle.order, least=steps)
        return Chosen(SoloStart(start, agreement), Outlook(steps, drawn.plan), found.grade)

    def wait(self, seconds: float) -> None:
        """Waits for the one that is looked for, no longer than that."""
        if self._thought is not None:
            self._thought.wait(seconds)

    def stop(self) -> None:
        """None is looked for any more; nobody waits until the search has ended."""
        if self._thought is not None:
            self._thought.stop()
            self._thought = None

    def close(self) -> None:
        """The same, and waits for that."""
        if self._thought is not None:
            self._thought.close()
            self._thought = None
