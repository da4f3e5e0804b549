"""People move the train of an automatic player: they have time to read, and are told what stands wrong."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.games.locomotion.rules import Phase, State
from hardware.buttons import Button
from tests.companion.games.locomotion.play.people_at_table import People, settings_of


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    """An automatic player wants its train moved."""
    settings = settings_of(network="snowflake", people=1, automatic=("greedy",))
    people = People(tmp_path, "die", settings, seed=2)
    people.set_up()
    for _ in range(60):
        state, desk = people.game_state, people.play.controller.desk
        if desk.is_automatic and state.phase is Phase.MOVING and desk.goal.stock.dots != state.stock.dots:
            break
        if not desk.is_automatic:
            people.press(Button.ROLL)
        people.waits(1)
    yield people
    people.play.close()


def goal(people: People) -> State:
    return people.play.controller.desk.goal


def test_the_screen_says_where_the_train_goes_as_long_as_nobody_has_begun(people: People) -> None:
    people.waits(3)
    shown = people.screen
    assert shown.map is not None
    assert not shown.alert
    people.waits(60)
    assert people.screen == shown


def test_the_turn_ends_without_a_press_once_the_train_stands_there(people: People) -> None:
    end = goal(people)
    turns = people.game_state.turns
    people.puts(end)
    assert people.game_state.turns == turns + 1
    assert people.game_state.stock.dots == end.stock.dots


def test_a_train_that_was_left_elsewhere_is_told_after_a_while(people: People) -> None:
    end, state = goal(people), people.game_state
    free = next(dot for dot in range(len(state.setup.network.dots)) if dot not in {*end.stock.dots, *state.stock.dots})
    there = list(end.stock.dots)
    there[state.locomotive] = free
    people.puts(replace(end, stock=replace(end.stock, dots=tuple(there))))
    people.waits(5)
    assert not people.screen.alert
    people.waits(10)
    assert people.screen.alert
    people.puts(end)
    assert people.game_state.turns == state.turns + 1
