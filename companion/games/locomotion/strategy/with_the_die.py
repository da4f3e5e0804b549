"""How many turns a plan of so many steps takes with the die, while a train may turn back within a turn."""

from __future__ import annotations

import math

from companion.games.locomotion.rules.state import SIDES_OF_A_DIE
from companion.games.locomotion.wording import Wording


def fewest_turns(steps: int) -> int:
    """With sixes only."""
    return math.ceil(steps / SIDES_OF_A_DIE)


def expected_turns(steps: int) -> float:
    """On average, with a fair die whose steps are all used."""
    means = [0.0]
    for left in range(1, steps + 1):
        following = (means[max(0, left - roll)] for roll in range(1, SIDES_OF_A_DIE + 1))
        means.append(1 + sum(following) / SIDES_OF_A_DIE)
    return means[steps]


def turns_in_words(steps: int, say: Wording) -> str:
    """Both in a sentence."""
    return say("solve.turns", turns=fewest_turns(steps), mean=f"{expected_turns(steps):.1f}")
