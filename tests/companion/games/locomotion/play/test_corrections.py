"""People think again, err, and are misread: what is taken back, played otherwise, told as wrong, and accepted."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.games.events import Pressed, Seen, Sound, TakenBack, Tick
from companion.games.locomotion.rules import Phase, Run, Side, State, after, legal_motions
from companion.games.locomotion.rules.sides import beyond, turned_cell
from companion.record.file import RecordError
from companion.screen.screen import NetworkMap
from hardware.buttons import Button
from tests.companion.games.locomotion.play.people_at_table import People, settings_of
from vision.watching.table_reading import TableReading


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    """Two people, with a die rolled for the first turn."""
    people = People(tmp_path, "die", settings_of(network="snowflake", colours=3))
    people.set_up()
    people.press(Button.ROLL)
    assert people.game_state.phase is Phase.MOVING
    yield people
    people.play.close()


def runs(state: State, count: int, *, last: bool = False) -> State:
    """The train runs so many dots away, by the first or the last way there is at each."""
    way = [state.stock.dots[state.locomotive]]
    for _ in range(count):
        motions = [motion for motion in legal_motions(state) if isinstance(motion, Run)]
        onward = [each for each in motions if state.setup.network.number(each.to) not in way]
        state = after(state, (onward or motions)[-1 if last else 0])
        way.append(state.stock.dots[state.drawn[0]])
    return state


def in_full(people: People, *, last: bool = False) -> State:
    return runs(people.game_state, people.game_state.left, last=last)


def dots(state: State) -> tuple[int, ...]:
    return state.stock.dots


def test_a_turn_that_has_ended_is_taken_back_with_a_press_and_waits_until_something_is_moved(people: People) -> None:
    begun, end = people.game_state, in_full(people)
    people.puts(end)
    assert (people.game_state.turns, dots(people.game_state)) == (2, dots(end))
    people.press(Button.BACK)
    assert people.game_state == begun
    people.waits(5)
    assert people.game_state == begun
    other = runs(begun, begun.left - 1)
    people.puts(other)
    assert people.game_state == begun
    people.puts(end)
    assert people.game_state.turns == 2


def test_across_a_roll_back_has_to_be_held_and_the_same_number_falls_again(people: People) -> None:
    people.puts(in_full(people))
    people.press(Button.ROLL)
    rolled = people.game_state
    people.press(Button.BACK)
    assert people.game_state == rolled
    assert "BACK" in people.screen.lines[0]
    people.press(Button.BACK, held=True)
    assert people.game_state.turns == 1
    people.press(Button.ROLL)
    assert people.game_state.left == rolled.left


def test_of_a_roll_is_told_only_where_there_was_one(tmp_path: Path, people: People) -> None:
    people.puts(in_full(people))
    people.press(Button.ROLL)
    people.press(Button.BACK, held=True)
    assert people.screen.lines[0] == "Taken back. The roll stays the same."
    others = People(tmp_path / "speed", "speed", settings_of())
    others.keep.record.parent.mkdir()
    others.set_up()
    others.press(Button.ROLL)
    others.press(Button.BACK)
    assert "Taken back." in others.screen.lines
    others.play.close()


def test_what_is_not_seen_behind_a_warning_is_not_changed(tmp_path: Path) -> None:
    people = People(tmp_path, "speed", settings_of())
    people.set_up()
    people.waits(4)
    chosen = people.screen.main
    assert chosen.startswith("Speed")
    people.unseen = {3}
    for _ in range(3):
        people.waits(4)
    assert people.screen.alert
    people.press(Button.DOWN)
    people.press(Button.UP)
    assert people.screen.choices
    people.press(Button.BACK)
    people.unseen = set()
    people.waits(4)
    assert people.screen.main == chosen
    people.play.close()


def test_the_lots_are_not_taken_back(people: People) -> None:
    before = people.game_state
    people.press(Button.BACK, held=True)
    assert people.game_state == before


def test_a_page_takes_back_the_moment_that_it_has_seen(people: People) -> None:
    people.puts(in_full(people))
    moment = people.play.present().moment
    people.happens(TakenBack("0"))
    assert people.game_state.turns == 2
    people.happens(TakenBack(moment))
    assert people.game_state.turns == 1


def test_who_puts_the_train_elsewhere_before_the_next_roll_has_played_otherwise(people: People) -> None:
    begun = people.game_state
    people.puts(in_full(people))
    other = in_full_from(begun)
    assert dots(other) != dots(people.game_state)
    people.puts(other)
    assert (people.game_state.turns, dots(people.game_state)) == (2, dots(other))
    people.restart()
    assert dots(people.game_state) == dots(other)


def in_full_from(begun: State) -> State:
    return runs(begun, begun.left, last=True)


def test_anothers_train_that_was_moved_is_named_until_it_stands_there_again(people: People) -> None:
    state = people.game_state
    other = 1 - state.locomotive
    free = next(dot for dot in range(len(state.setup.network.dots)) if dot not in dots(state))
    there = list(dots(state))
    there[other] = free
    people.puts(replace(state, stock=replace(state.stock, dots=tuple(there))))
    assert not people.screen.alert
    people.waits(4)
    assert people.screen.alert
    assert people.screen.main.startswith(("Red locomotive", "Yellow locomotive"))
    people.heard.clear()
    people.press(Button.ROLL)
    assert Sound("wrong") in people.heard
    people.puts(state)
    assert not people.screen.alert
    assert people.game_state == state


@pytest.mark.parametrize("side", Side)
def test_the_screen_shows_and_says_where_things_are_on_the_table_whichever_way_it_was_laid(
    tmp_path: Path, side: Side
) -> None:
    people = People(tmp_path, "die", settings_of(network="snowflake", colours=3))
    people.turned = side
    people.set_up()
    people.press(Button.ROLL)
    state, other = people.game_state, 1 - people.game_state.locomotive
    network = state.setup.network
    start = dots(state)[other]
    free = next(dot for dot, cell in enumerate(network.dots) if cell == beyond(network.dots[start], _free_side(state)))
    people.puts(replace(state, stock=replace(state.stock, dots=tuple(_moved(dots(state), other, free)))))
    people.waits(4)
    assert people.screen.alert
    assert isinstance(people.screen.map, NetworkMap)
    (x, y), (to_x, to_y) = (turned_cell(network.dots[dot], side) for dot in (free, start))
    (map_x, map_y), (map_to_x, map_to_y) = (people.screen.map.dots[dot] for dot in (free, start))
    assert (map_to_x - map_x, map_to_y - map_y) == pytest.approx((to_x - x, to_y - y), abs=0.5)
    way = {(1, 0): "right", (-1, 0): "left", (0, 1): "down", (0, -1): "up"}[to_x - x, to_y - y]
    assert way in people.screen.lines[0]
    people.play.close()


def _moved(places: tuple[int, ...], vehicle: int, dot: int) -> list[int]:
    return [dot if each == vehicle else place for each, place in enumerate(places)]


def _free_side(state: State) -> Side:
    """A side of the other one's locomotive on which there is an empty dot."""
    network, dot = state.setup.network, dots(state)[1 - state.locomotive]
    empty = {cell for number, cell in enumerate(network.dots) if number not in dots(state)}
    return next(side for side in Side if beyond(network.dots[dot], side) in empty)


def test_what_the_eye_does_not_see_for_good_is_accepted_once(people: People) -> None:
    people.puts(in_full(people))
    people.unseen = {len(dots(people.game_state)) - 1}
    people.waits()
    people.waits(4)
    assert people.screen.alert
    people.press(Button.ROLL)
    assert not people.screen.alert
    people.press(Button.ROLL)
    assert people.game_state.phase is Phase.MOVING
    end = in_full(people)
    people.puts(end)
    assert (people.game_state.turns, dots(people.game_state)) == (3, dots(end))


def test_a_press_waits_for_the_hand_to_leave(people: People) -> None:
    begun = people.game_state
    people.state = runs(begun, begun.left - 1) if begun.left > 1 else begun
    people.now += 1
    people.happens(Tick(people.now))
    people.happens(Seen(TableReading(hand=True, is_still=False)))
    people.happens(Pressed(Button.ROLL))
    assert people.game_state == begun
    people.waits()
    assert people.game_state.turns == 2
    assert people.game_state.phase is Phase.MOVING


def test_a_press_for_which_nothing_waits_any_more_does_not_end_the_next_turn(people: People) -> None:
    people.state = in_full(people)
    people.now += 1
    people.happens(Tick(people.now))
    people.happens(Seen(TableReading(hand=True, is_still=False)))
    people.happens(Pressed(Button.ROLL))
    people.waits()
    # It has ended as it would have without, and the next player has rolled.
    assert (people.game_state.turns, people.game_state.phase) == (2, Phase.MOVING)
    assert people.play.controller.desk.early.button is None


def test_a_button_pressed_twice_rolls_once(people: People) -> None:
    people.puts(in_full(people))
    people.happens(Pressed(Button.ROLL))
    people.happens(Tick(people.now + 0.2))
    people.happens(Pressed(Button.ROLL))
    people.waits()
    assert (people.game_state.turns, people.game_state.phase) == (2, Phase.MOVING)


def test_a_turn_that_cannot_be_seen_is_entered_step_by_step(people: People) -> None:
    begun = people.game_state
    people.press(Button.PASS, held=True)
    for left in range(begun.left, 0, -1):
        assert people.game_state.left == left
        assert people.screen.main in {"Forwards", "Backwards"}
        people.happens(Pressed(Button.ROLL))
    people.waits(1)
    assert people.game_state.turns == 2
    assert people.game_state.steps == begun.left


class Full:
    """A memory card on which there is no room."""

    def step(self, before: object, step: object, following: object) -> None:
        raise RecordError(Path("game.jsonl"), "there is no room.")

    def take_back(self, count: int) -> None:
        raise RecordError(Path("game.jsonl"), "there is no room.")


def test_a_turn_that_cannot_be_recorded_has_not_been_and_is_told(people: People) -> None:
    begun, game = people.game_state, people.play.controller.game
    journal, game.witness = game.witness, Full()
    people.puts(in_full(people))
    assert people.game_state == begun
    assert people.screen.main == "The game cannot be saved"
    people.press(Button.ROLL)
    assert people.game_state == begun
    game.witness = journal
    people.waits()
    assert people.game_state.turns == 2
    assert not people.screen.alert
    people.restart()
    assert people.game_state.turns == 2
