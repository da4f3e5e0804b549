"""What a page is told of dice: the last roll, and what the next one holds, against every way in which dice can fall."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from companion.games.loknroll.play.recorded_play import begun, last_roll, odds_facts
from companion.games.loknroll.rules import Game, Mode, Phase, Roll, State
from companion.games.loknroll.rules.building import dice_to_roll
from companion.games.loknroll.rules.game import after
from companion.games.settings import Settings
from tests.companion.games.loknroll.play.scripted_table import dealt

MOST_DICE = 4
"""With more of them there are too many ways to try them all."""


@pytest.fixture(scope="module")
def played() -> Game:
    return dealt(Mode.THREE, 1)


def test_the_odds_are_those_of_all_ways_in_which_the_dice_can_fall(played: Game) -> None:
    states = [state for state in played.states if state.phase is Phase.BUILDING and dice_to_roll(state) <= MOST_DICE]
    derailed = [_check(state) for state in states]
    assert any(0 < chance < 1 for chance in derailed)
    assert all(odds_facts(state) is None for state in played.states if state.phase is not Phase.BUILDING)


def _check(state: State) -> float:
    """Compares what is told with what the rules make of each fall; returns the chance of derailing."""
    told = odds_facts(state)
    assert told is not None
    falls = [after(state, Roll(dice)) for dice in product(state.setup.edition.die, repeat=dice_to_roll(state))]
    taken = [fall.outcome.taken for fall in falls]
    assert told["derailing"] == pytest.approx(sum(fall.outcome.missing > 0 for fall in falls) / len(falls))
    assert told["cards"] == pytest.approx(sum(map(len, taken)) / len(falls))
    assert told["points"] == pytest.approx(sum(face.value for faces in taken for face in faces) / len(falls))
    assert sum(each["chance"] for each in told["outcomes"]) == pytest.approx(1)
    assert all(each["pile_change"] <= each["points"] for each in told["outcomes"])
    return float(told["derailing"])


def test_the_last_roll_is_told_until_the_next_one(played: Game) -> None:
    game, expected = Game(played.states[0]), None
    for before, step in zip(played.states, played.steps, strict=False):
        game.do(step)
        if isinstance(step, Roll):
            came = game.state.outcome
            taken = [face.id for face in came.taken]
            told = {"dice": list(step.dice), "moved": came.moved, "missing": came.missing, "taken": taken}
            expected = {"player": before.active, **told}
        assert last_roll(game) == expected
    assert expected is not None


def test_a_page_that_asks_again_and_again_costs_no_odds(
    played: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = begun(tmp_path / "game.jsonl", played.states[0], Settings())
    steps = iter(played.steps)
    while play.controller.game.state.phase is not Phase.BUILDING:
        play.controller.game.do(next(steps))
    facts = play.facts()
    assert facts["odds"]
    monkeypatch.setattr("companion.games.loknroll.play.recorded_play.odds_facts", None)
    assert play.facts() == facts
    play.close()
