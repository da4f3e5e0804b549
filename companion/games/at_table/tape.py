"""The dice of a game as a tape: what has once been rolled stays rolled, whatever is taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from companion.dice.box import Source
from companion.games.step import Step


class Tape:
    """Dice in the order in which they fall in a game. Taking a roll back winds the tape back, and they fall again.

    Otherwise a bad roll would be taken back until a good one falls. Dice belong to a place on the tape, not to a step:
    with fewer cards laid than before the same dice fall, only not all of them.
    """

    def __init__(self, dice: Iterable[int] = ()) -> None:
        """``dice`` are those that are known to fall."""
        self._dice = list(dice)

    @classmethod
    def of_record(cls, lines: Iterable[dict[str, Any]], dice_in: Callable[[dict[str, Any]], Sequence[int]]) -> Tape:
        """The tape of a recorded game, rolls that were taken back included; ``dice_in`` reads them in a line."""
        tape = cls()
        counts: list[int] = []
        for line in lines:
            if line["step"] == "take-back":
                del counts[-line["count"] :]
                continue
            dice = dice_in(line)
            tape.put(sum(counts), dice)
            counts.append(len(dice))
        return tape

    @property
    def dice(self) -> tuple[int, ...]:
        """All that are known to fall, in their order."""
        return tuple(self._dice)

    def next(self, steps: Iterable[Step], die: Sequence[int], count: int, source: Source) -> tuple[int, ...]:
        """The dice that fall next in a game with these steps; chance is asked only for what is not known yet."""
        used = wound(steps)
        while len(self._dice) < used + count:
            self._dice.append(die[source.randrange(len(die))])
        return tuple(self._dice[used : used + count])

    def copy(self) -> Tape:
        """The same dice, to see what would fall."""
        return Tape(self._dice)

    def knows(self, steps: Iterable[Step], count: int) -> bool:
        """Whether it is known already what falls next."""
        return len(self._dice) >= wound(steps) + count

    def put(self, at: int, dice: Sequence[int]) -> None:
        """These dice have fallen at a place of the tape: those that people enter replace what was known there."""
        self._dice[at : at + len(dice)] = dice


def wound(steps: Iterable[Step]) -> int:
    """How many dice have been rolled in these steps."""
    return sum(len(step.fallen) for step in steps)
