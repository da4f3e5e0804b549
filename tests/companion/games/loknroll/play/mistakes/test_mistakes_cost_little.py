"""Whole games in which a clumsy person makes each mistake once: each is put right by what the screen says."""

from __future__ import annotations

import pytest

from companion.games.loknroll.rules import Mode
from tests.companion.games.loknroll.play.mistakes.clumsy_person import MISTAKES, ClumsyPerson
from tests.tools.play_clumsily import MOST_PRESSES, played


def test_no_mistake_ends_in_a_wrong_record_or_needs_many_presses() -> None:
    costs = [cost for mode in Mode for seed in range(2) for cost in played(mode, seed, MISTAKES)]
    assert {cost.mistake for cost in costs} == {name for name, mistake in MISTAKES.items() if not mistake.ends}
    assert max(cost.presses for cost in costs) <= MOST_PRESSES


@pytest.mark.parametrize("name", [name for name, mistake in MISTAKES.items() if mistake.ends])
def test_a_mistake_after_which_the_same_dice_fall_is_taken_back(name: str) -> None:
    (cost,) = ClumsyPerson(Mode.TWO, 0).play({name: MISTAKES[name]})
    assert cost.presses <= MOST_PRESSES
