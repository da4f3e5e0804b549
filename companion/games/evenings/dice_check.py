"""Whether the dice of games fell as chance has it."""

from __future__ import annotations

from collections import Counter
from typing import Final

import msgspec

from companion.dice.box import Die
from companion.dice.fairness import FaceCount, fairness, least_throws, percent, verdict
from companion.texts.language import Texts

FEW: Final = "few"


class DieCheck(msgspec.Struct, frozen=True):
    """The throws of a kind of die. ``verdict`` is ``few``, ``fair``, ``rare`` or ``unfair``.

    ``p_value`` is the chance that fair dice are off as far or further; None with too few throws to say so.
    """

    die: str
    sides: tuple[int, ...]
    throws: int
    faces: tuple[FaceCount, ...]
    p_value: float | None
    verdict: str

    def in_words(self, language: str) -> str:
        """What that means, in a sentence."""
        share = "" if self.p_value is None else percent(self.p_value)
        least = least_throws(Die(self.die, self.sides))
        return Texts(language)(f"evenings.dice-{self.verdict}", throws=self.throws, least=least, share=share)


def checked(die: Die, counts: Counter[int]) -> DieCheck:
    """The check of these counts."""
    done = fairness(die, counts)
    told = done.p_value if done.throws >= least_throws(die) else None
    return DieCheck(die.name, die.faces, done.throws, done.faces, told, FEW if told is None else verdict(told))
