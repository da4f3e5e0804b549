"""A turn at the table: rolled, moved in one go, and over without another press; an automatic player's is helped."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from companion.games.events import Fault, Restored, Seen, Tick
from companion.games.locomotion.artwork.rails import CELL_MM
from companion.games.locomotion.rules import EndTurn, Phase, Run, State, after, legal_motions
from companion.games.locomotion.rules.steps import AnyStep
from companion.screen.screen import NetworkMap
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


def test_who_has_to_move_is_told_which_train(people: People) -> None:
    for _ in range(2):
        people.press(Button.ROLL)
        people.waits(3)
        state = people.game_state
        colour = {1: "red", 2: "yellow"}[state.setup.colours[state.locomotive]]
        assert people.screen.main == f"Move the {colour} train"


@pytest.mark.parametrize("seed", [1, 5])
def test_a_page_shows_the_network_as_it_lies_and_points_out_what_the_screen_does(tmp_path: Path, seed: int) -> None:
    people = People(tmp_path, "die", settings_of(), seed=seed)
    people.set_up()
    people.press(Button.ROLL)
    people.waits(3)
    present, middle = people.play.present(), CELL_MM / 2
    assert present.turn_deg == 90 * people.turned
    turn = np.radians(present.turn_deg)
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    shown = people.screen.map
    assert isinstance(shown, NetworkMap)
    figures = [figure for figure in people.play.facts()["figures"] if figure["name"] != "coupling"]
    for figure, on_the_map in zip(figures, shown.figures, strict=True):
        place = middle + matrix @ (figure["x"] - middle, figure["y"] - middle)
        # On an arc alone a dot lies beside the middle of its cell.
        assert np.abs(place - (np.array(shown.dots[on_the_map.dot]) + 0.5) * CELL_MM).max() < CELL_MM / 2
    people.play.close()


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


@pytest.fixture
def helpers(tmp_path: Path) -> Iterator[People]:
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


def test_the_screen_says_where_the_train_goes_as_long_as_nobody_has_begun(helpers: People) -> None:
    helpers.waits(3)
    shown = helpers.screen
    assert shown.map is not None
    assert not shown.alert
    state = helpers.game_state
    # Whoever helps has to know which train it is.
    assert ("red" if state.setup.colours[state.locomotive] == 1 else "yellow") in shown.heading
    helpers.waits(60)
    assert helpers.screen == shown


def test_the_turn_ends_without_a_press_once_the_train_stands_there(helpers: People) -> None:
    end = goal(helpers)
    turns = helpers.game_state.turns
    helpers.puts(end)
    assert helpers.game_state.turns == turns + 1
    assert helpers.game_state.stock.dots == end.stock.dots


def test_a_train_that_was_left_elsewhere_is_told_after_a_while(helpers: People) -> None:
    end, state = goal(helpers), helpers.game_state
    free = next(dot for dot in range(len(state.setup.network.dots)) if dot not in {*end.stock.dots, *state.stock.dots})
    there = list(end.stock.dots)
    there[state.locomotive] = free
    helpers.puts(replace(end, stock=replace(end.stock, dots=tuple(there))))
    helpers.waits(5)
    assert not helpers.screen.alert
    helpers.waits(10)
    assert helpers.screen.alert
    helpers.puts(end)
    assert helpers.game_state.turns == state.turns + 1


@pytest.fixture
def against(tmp_path: Path) -> Iterator[People]:
    """A person who plays against an automatic player, and whose train is to be moved."""
    settings = settings_of(network="snowflake", people=1, automatic=("greedy",))
    people = People(tmp_path, "die", settings, seed=2)
    people.set_up()
    for _ in range(60):
        state, desk = people.game_state, people.play.controller.desk
        if not desk.is_automatic and state.phase is Phase.MOVING and state.left > 1:
            break
        if desk.is_automatic and state.phase is Phase.MOVING:
            people.puts(desk.goal)
        if not desk.is_automatic:
            people.press(Button.ROLL)
        people.waits(1)
    yield people
    people.play.close()


def run_on(state: State, count: int) -> State:
    """The train runs on, so many dots and not back."""
    been = [state.stock.dots[state.locomotive]]
    for _ in range(count):
        runs = [motion for motion in legal_motions(state) if isinstance(motion, Run)]
        state = after(state, next(run for run in runs if state.setup.network.number(run.to) not in been))
        been.append(state.stock.dots[state.drawn[0]])
    return state


def test_before_an_automatic_player_a_turn_with_steps_left_ends_without_a_press(against: People) -> None:
    begun = against.game_state
    against.waits(20)
    assert against.game_state == begun
    against.puts(run_on(begun, begun.left - 1))
    against.waits(4)
    assert against.game_state == begun
    against.waits(3)
    assert against.game_state.turns == begun.turns + 1
    assert against.game_state.stock.dots == run_on(begun, begun.left - 1).stock.dots


def test_who_goes_on_after_all_while_an_automatic_player_has_rolled_has_played_that(against: People) -> None:
    begun = against.game_state
    against.puts(run_on(begun, begun.left - 1))
    for _ in range(20):
        against.waits(1)
        if against.game_state.phase is Phase.MOVING and against.game_state.turns > begun.turns:
            break
    rolled = against.game_state
    assert rolled.phase is Phase.MOVING
    against.puts(run_on(begun, begun.left))
    for _ in range(20):
        if against.game_state.phase is Phase.MOVING:
            break
        against.waits(1)
    assert (against.game_state.turns, against.game_state.left) == (rolled.turns, rolled.left)
    assert against.game_state.steps == begun.steps + begun.left
    assert against.game_state.stock.dots == run_on(begun, begun.left).stock.dots


def test_a_speed_that_is_used_to_and_fro_ends_without_a_press(tmp_path: Path) -> None:
    people = People(tmp_path, "speed", settings_of(network="snowflake"))
    people.set_up()
    people.press(Button.ROLL)
    begun = people.game_state
    people.waits(20)
    assert people.game_state == begun
    people.restart()
    people.waits(20)
    assert people.game_state == begun
    people.puts(run_on(begun, begun.left - 2))
    assert people.game_state == begun
    people.waits(7)
    assert people.game_state.turns == begun.turns + 1
    people.play.close()


def test_a_lamp_that_flickers_and_a_camera_that_is_pushed_are_nobody_who_still_thinks(tmp_path: Path) -> None:
    people = People(tmp_path, "speed", settings_of(network="snowflake"))
    people.set_up()
    people.press(Button.ROLL)
    begun = people.game_state
    people.puts(run_on(begun, begun.left - 2))
    for _ in range(3):
        people.now += 2.0
        people.happens(Tick(people.now))
        people.happens(Seen(replace(people.reading(), is_still=False)))
        assert people.game_state == begun
    people.waits()
    assert people.game_state.turns == begun.turns + 1
    people.play.close()


def test_a_camera_that_is_back_and_sees_what_it_saw_before_is_nobody_who_still_thinks(tmp_path: Path) -> None:
    people = People(tmp_path, "speed", settings_of(network="snowflake"))
    people.set_up()
    people.press(Button.ROLL)
    begun = people.game_state
    people.puts(run_on(begun, begun.left - 2))
    people.waits(4.0)
    people.happens(Fault("camera", "pull the cable"))
    people.happens(Restored("camera"))
    people.waits(1.0)
    assert people.game_state == begun
    people.waits(1.0)
    assert people.game_state.turns == begun.turns + 1
    people.play.close()


def test_a_hand_over_the_table_is_somebody_who_still_thinks(tmp_path: Path) -> None:
    people = People(tmp_path, "speed", settings_of(network="snowflake"))
    people.set_up()
    people.press(Button.ROLL)
    begun = people.game_state
    people.puts(run_on(begun, begun.left - 2))
    people.now += 5.0
    people.happens(Tick(people.now))
    people.happens(Seen(replace(people.reading(), hand=True)))
    people.waits(5.0)
    assert people.game_state == begun
    people.waits(1.0)
    assert people.game_state.turns == begun.turns + 1
    people.play.close()
