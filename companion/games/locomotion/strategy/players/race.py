"""Who is likely to be first, where each needs about so many steps and all roll dice in turn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import count

from companion.games.locomotion.rules.state import FASTEST, SIDES_OF_A_DIE

MEAN_OF_A_DIE = (SIDES_OF_A_DIE + 1) / 2
LONGEST = 60
"""More steps than that count as so many."""


@cache
def chances_not_yet(steps: int) -> tuple[float, ...]:
    """The chances that 0, 1, 2... rolls add up to less, until they are below a thousandth."""
    at = {0: 1.0}
    chances = [1.0 if steps > 0 else 0.0]
    while chances[-1] >= 0.001:
        after: dict[int, float] = {}
        for done, chance in at.items():
            for roll in range(1, SIDES_OF_A_DIE + 1):
                if done + roll < steps:
                    after[done + roll] = after.get(done + roll, 0.0) + chance / SIDES_OF_A_DIE
        at = after
        chances.append(sum(at.values()))
    return tuple(chances)


def chances_to_be_first(steps: Sequence[int]) -> tuple[float, ...]:
    """Of each player, in the order in which they roll; ``steps`` are those that each still needs."""
    not_yet = [chances_not_yet(min(needed, LONGEST)) for needed in steps]
    first = [0.0] * len(steps)
    for turn in range(1, max(map(len, not_yet))):
        for player, own in enumerate(not_yet):
            chance = _at(own, turn - 1) - _at(own, turn)
            for other, others in enumerate(not_yet):
                if other != player:
                    chance *= _at(others, turn if other < player else turn - 1)
            first[player] += chance
    return tuple(first)


def _at(chances: Sequence[float], turn: int) -> float:
    return chances[turn] if turn < len(chances) else 0.0


def turns_at_speed(steps: int, speed: int) -> float:
    """How many turns so many steps take at least from a speed card on: faster by one in each, a part of the last."""
    done = 0
    for turn in count():
        speed = min(speed + 1, FASTEST)
        if done + speed >= steps:
            return turn + (steps - done) / speed
        done += speed
    raise AssertionError("count does not end")
