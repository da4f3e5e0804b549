"""A game for one: a puzzle is chosen, hints are asked for, and the result stands beside the best."""

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.events import Leave, Seen
from companion.games.locomotion.game import GAME
from companion.games.locomotion.rules import EndTurn, Motion, Phase, Piece, Roll, State, Uncouple, after, legal_motions
from companion.games.locomotion.settings import with_own
from companion.games.locomotion.strategy import puzzles
from companion.games.locomotion.strategy.outlook import Outlook
from companion.games.locomotion.strategy.puzzles import DrawnPuzzle, draw_puzzle
from companion.record.archive import FOLDER, Archive
from hardware.buttons import Button
from tests.companion.games.locomotion.play.people_at_table import People, settings_of

NUMBER = 5
SMALL = 6


@pytest.fixture(autouse=True)
def _each_puzzle_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is drawn by lot is the same each time; only the first time it takes long."""
    monkeypatch.setattr(puzzles, "draw_puzzle", drawn)


def drawn(number: int, piece: Piece, pieces: int, wagons: int, has_time: Callable[[], bool]) -> DrawnPuzzle:
    if pieces > SMALL:
        return draw_puzzle(number, piece, pieces, wagons, has_time=has_time)
    return drawn_once(number, piece, pieces, wagons)


@cache
def drawn_once(*asked: Any) -> DrawnPuzzle:
    return draw_puzzle(*asked)


def alone(folder: Path, **own: object) -> People:
    return People(folder, "solo", settings_of(puzzle_pieces=SMALL, puzzle=NUMBER, **own))


def choose(people: People, line: str) -> None:
    """Goes to a line of the list and takes it."""
    title = people.play.controller.desk.word(f"solo-{line}", number=people.play.controller.desk.own.puzzle)
    for _ in people.screen.choices:
        if people.screen.choices[people.screen.chosen] == title:
            people.press(Button.ROLL)
            return
        people.press(Button.DOWN)
    raise AssertionError(people.screen.choices)


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    """Somebody who has begun the puzzle of NUMBER and set it up."""
    people = begun(tmp_path)
    yield people
    people.play.close()


def test_a_puzzle_that_is_set_up_outlives_a_power_cut_and_is_not_looked_for_again(tmp_path: Path) -> None:
    people = alone(tmp_path)
    people.waits()
    choose(people, "number")
    puzzles = people.play.controller.desk.puzzles
    assert puzzles is not None
    puzzles.wait(60)
    people.waits()
    before, shown = people.play.facts(), people.screen
    people.restart()
    assert (people.play.facts(), people.screen) == (before, shown)
    people.settings, usual = with_own(people.settings, colours=3), people.settings
    people.restart()
    assert people.screen.choices, "it has other wagons than are set now"
    people.settings = usual
    people.restart()
    choose(people, "number")
    puzzles = people.play.controller.desk.puzzles
    assert puzzles is not None
    puzzles.wait(60)
    people.waits()
    # People may still take another one; and what they have taken then is kept as well.
    people.press(Button.PASS)
    people.restart()
    choose(people, "own")
    people.restart()
    assert people.screen.choices == ()
    people.press(Button.PASS)
    choose(people, "number")
    set_up(people)
    assert people.play.is_set_up
    assert people.game_state.setup.names == ("Player 1",)
    people.play.close()


def begun(folder: Path) -> People:
    people = alone(folder)
    people.waits()
    choose(people, "number")
    set_up(people)
    return people


def set_up(people: People) -> None:
    """It is set up as it is shown, and begins by itself."""
    people.puts(found(people))


def found(people: People) -> State:
    """What is to be set up, once the puzzle is found."""
    desk, until = people.play.controller.desk, time.monotonic() + 20
    while desk.chooses_puzzle and time.monotonic() < until:
        time.sleep(0.002)
        people.waits()
    assert desk.preparation is not None
    assert desk.preparation.suggestion is not None
    return desk.preparation.suggestion


def outlook(people: People) -> Outlook:
    return people.play.controller.desk.advice.of((people.game_state,))


def carry_out(people: People, plan: Sequence[Motion]) -> None:
    """A plan is played; how it is read from the table is tried elsewhere."""
    desk = people.play.controller.desk
    for motion in plan:
        if people.game_state.phase is Phase.ROLLING:
            people.press(Button.ROLL)
        desk.do(motion)
        people.state = people.game_state
        people.happens(Seen(people.reading()))
    people.waits()


def plan_of(people: People) -> tuple[Motion, ...]:
    plan = outlook(people).plan
    assert plan is not None
    return plan


@pytest.mark.rule("LSOLO1")
def test_a_puzzle_begins_as_it_is_drawn_with_its_order_and_proof(people: People) -> None:
    state, agreement = people.game_state, people.play.controller.desk.agreement
    assert state.phase is Phase.ROLLING
    assert agreement.puzzle == NUMBER
    assert state.order == agreement.order
    assert outlook(people).is_proven
    assert outlook(people).least == agreement.least
    assert people.play.controller.settings.games["locomotion"]["puzzle"] == NUMBER + 1


def test_a_power_cut_before_the_lots_does_not_change_the_order(people: People) -> None:
    order, lines = people.game_state.order, people.keep.record.read_bytes().splitlines(keepends=True)
    people.keep.record.write_bytes(lines[0])
    people.restart()
    assert people.game_state.order == order


def test_hints_become_stronger_with_each_press_and_are_proven(people: People) -> None:
    desk = people.play.controller.desk
    plan = plan_of(people)
    people.press(Button.DOWN)
    assert people.screen.main == desk.word("hint-steps", count=len(plan))
    people.press(Button.ROLL)
    changed = outlook(people).first_change
    assert changed is not None
    assert people.screen.map is not None
    people.press(Button.ROLL)
    assert people.screen.main in {desk.word("forwards"), desk.word("backwards")}
    assert len(people.screen.map.way) == 2
    people.press(Button.BACK)
    assert desk.dialog is None


def test_off_the_plan_a_search_tells_how_many_steps_there_are(people: People) -> None:
    desk = people.play.controller.desk
    people.press(Button.ROLL)
    best = plan_of_start(people)
    motion = next(motion for motion in legal_motions(people.game_state) if motion != best[0])
    state = after(people.game_state, motion)
    people.puts(state)
    people.press(Button.DOWN)
    deadline = time.monotonic() + 20
    while not desk.advice.of((state,)).is_proven and time.monotonic() < deadline:
        time.sleep(0.002)
        people.waits()
    known = desk.advice.of((state,))
    assert known.is_proven
    assert known.least >= len(best) - 1
    assert people.screen.main == desk.word("hint-steps", count=known.least)


def plan_of_start(people: People) -> tuple[Motion, ...]:
    plan = people.play.controller.desk.advice.of((people.play.controller.game.states[1],)).plan
    assert plan is not None
    return plan


@pytest.mark.rule("LSOLO1")
def test_the_best_stands_beside_the_result(people: People) -> None:
    desk, plan = people.play.controller.desk, plan_of(people)
    carry_out(people, plan)
    assert people.game_state.phase is Phase.OVER
    assert people.screen.main == desk.word("solo-steps", count=len(plan))
    assert people.screen.lines == (desk.word("solo-best"),)
    people.restart()
    assert people.screen.lines == (desk.word("solo-best"),)


@pytest.mark.rule("LSOLO2")
def test_the_same_start_is_tried_again_and_earlier_results_are_shown(people: People, tmp_path: Path) -> None:
    start, plan = people.play.controller.game.states[0], plan_of(people)
    carry_out(people, plan)
    people.press(Button.PASS)
    assert Leave("again") in people.heard
    people.play.close()
    GAME.book.keep_result(people.keep)
    Archive(tmp_path / FOLDER).take_in(people.keep.record)
    other = alone(tmp_path, colours=3)
    other.waits()
    assert other.play.controller.desk.word("solo-again") not in other.screen.choices
    other.play.close()
    again = alone(tmp_path)
    again.waits()
    choose(again, "again")
    set_up(again)
    assert again.play.controller.game.states[0] == start
    assert again.play.controller.desk.agreement.least == len(plan)
    carry_out(again, plan)
    assert again.screen.curve == (len(plan), len(plan))
    again.play.close()


def test_a_puzzle_is_not_looked_for_any_more_when_it_is_stopped(tmp_path: Path) -> None:
    people = People(tmp_path, "solo", settings_of(puzzle_pieces=20, colours=4))
    people.waits()
    choose(people, "number")
    desk = people.play.controller.desk
    if not desk.has_begun:
        people.press(Button.PASS)
        assert people.screen.choices
        people.waits()
        assert desk.chooses_puzzle
    people.play.close()


def test_it_begins_only_as_it_is_shown_and_what_is_wrong_is_told(tmp_path: Path) -> None:
    people = alone(tmp_path)
    people.waits()
    choose(people, "number")
    desk, start = people.play.controller.desk, found(people)
    dots = start.stock.dots
    free = next(dot for dot in range(len(start.setup.network.dots)) if dot not in dots)
    people.puts(replace(start, stock=replace(start.stock, dots=(*dots[:-1], free))))
    assert not desk.has_begun
    assert desk.preparation is not None
    assert desk.preparation.problem is not None
    assert people.screen.main == desk.reason(desk.preparation.problem)[0]
    people.press(Button.PASS)
    assert people.screen.choices
    people.play.close()


def play_turn(people: People, real: State, plan: Sequence[Motion]) -> tuple[State, Sequence[Motion]]:
    """A turn of a plan, seen at its end only; they say what is coupled where there are two ways, and nothing else."""
    people.press(Button.ROLL)
    real = after(real, Roll(people.game_state.left))
    count = min(real.left, len(plan))
    for motion in plan[:count]:
        real = after(real, motion)
    if real.phase is Phase.MOVING:
        real = after(real, EndTurn())
    people.puts(real)
    say_what_is_coupled(people, real)
    return real, plan[count:]


@pytest.mark.rule("LRUN2")
def test_who_clears_a_turnout_and_comes_back_need_not_say_so(people: People) -> None:
    real, plan = people.game_state, plan_of(people)
    least = len(plan)
    while plan:
        real, plan = play_turn(people, real, plan)
    assert people.game_state.phase is Phase.OVER
    assert people.game_state.steps == least
    assert b"take-back" in people.keep.record.read_bytes()


@pytest.mark.rule("LRUN2")
def test_a_hint_is_true_however_a_train_may_lie(people: People) -> None:
    """After the turn in which it has cleared a turnout and come back: the shortest turn would leave it less free."""
    desk, real, plan = people.play.controller.desk, people.game_state, plan_of(people)
    while Uncouple(1) in plan:
        real, plan = play_turn(people, real, plan)
    way = desk.turn.way
    assert way is not None
    assert way.state.stock.rows == real.stock.rows
    assert way.state.stock.lies != real.stock.lies
    people.press(Button.DOWN)
    until = time.monotonic() + 20
    while people.screen.lines == (desk.word("hint-searching"),) and time.monotonic() < until:
        time.sleep(0.002)
        people.waits()
    assert people.screen.main == desk.word("hint-least", count=len(plan))


def say_what_is_coupled(people: People, real: State) -> None:
    """They look at the screen, and correct it where it is not so."""
    people.waits(4.0)
    turn = people.play.controller.desk.turn
    for _ in turn.ways:
        if turn.way is not None and turn.way.state.stock.rows != real.stock.rows:
            people.press(Button.PASS)
