"""What people are told about a puzzle that was drawn by lot."""

from __future__ import annotations

from companion.games.locomotion.strategy.puzzles.difficulty import Difficulty
from companion.games.locomotion.strategy.puzzles.drawing_lots import DrawnPuzzle, Tries
from companion.games.locomotion.wording import Wording


def plans_in_words(drawn: DrawnPuzzle, say: Wording) -> str:
    """How many plans have the fewest steps."""
    plans = drawn.shortest.plans
    return (
        say.counted("puzzle.plans", count=plans)
        if drawn.shortest.is_counted
        else say("puzzle.plans-least", count=plans)
    )


def difficulty_in_words(difficulty: Difficulty, say: Wording) -> str:
    """What a plan takes: couplings and uncouplings, and detours."""
    changes = say("puzzle.changes", count=difficulty.changes)
    return f"{changes} {say.counted('puzzle.detour', count=difficulty.detour)}"


def tries_in_words(tries: Tries, say: Wording) -> str:
    """What was drawn before and why it was no puzzle; nothing where the first was one."""
    if not tries.made:
        return ""
    return say.counted("puzzle.tries", count=tries.made, **tries._asdict())
