"""A turn at the table: rolled, moved in one go, and over without another press."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from companion.games.locomotion.rules import EndTurn, Phase, State, after, legal_motions
from companion.games.locomotion.rules.steps import AnyStep
from hardware.buttons import Button
from tests.companion.games.locomotion.play.people_at_table import People, settings_of


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    """Two people, and all is set up."""
    people = People(tmp_path, "die", settings_of())
    people.set_up()
    yield people
    people.play.close()


def moved(state: State, random: Random) -> tuple[list[AnyStep], State]:
    """A turn at random, and what it comes to."""
    done: list[AnyStep] = []
    turn = state.turns
    while state.phase is Phase.MOVING and state.turns == turn:
        motions: list[AnyStep] = [*legal_motions(state)]
        step = random.choice(motions) if motions else EndTurn()
        done.append(step)
        state = after(state, step)
    return done, state


def test_one_press_begins_the_game(people: People) -> None:
    state = people.game_state
    assert state.phase is Phase.ROLLING
    assert sorted(state.order) == [1, 2]
    assert people.keep.record.exists()


def test_a_turn_takes_one_press(people: People) -> None:
    presses = 0
    while people.game_state.phase is not Phase.OVER and presses < 40:
        people.press(Button.ROLL)
        presses += 1
        if people.game_state.phase is Phase.MOVING:
            _, state = moved(people.game_state, people.random)
            people.puts(state)
            assert people.game_state.phase is not Phase.MOVING or people.play.controller.desk.turn.way is not None
    assert people.game_state.turns >= presses
    assert people.game_state.steps >= presses
