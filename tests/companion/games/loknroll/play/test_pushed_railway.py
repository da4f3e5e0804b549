"""Railways that run out of what the camera sees, and people who push them back to the middle."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.games.loknroll.rules import Discard, Lay, Mode, Pass, Phase, State
from companion.games.loknroll.rules.building import legal_placements
from companion.games.settings import Settings
from hardware.buttons import Button
from tests.companion.games.loknroll.play.scripted_table import Player, dealt, seat
from tests.companion.games.loknroll.play.table_in_play import acting
from vision.cards import Motion

PUSH = "Push"


def at_table(mode: Mode, seed: int, wanted: Callable[[State], bool], settings: Settings | None = None) -> Player:
    """People in the midst of a game; the axes of the game are those of the table."""
    source = dealt(mode, seed)
    people = seat(mode, seed, settings=settings)
    people.table.shift = Motion()
    people.play(source, next(index for index, state in enumerate(source.states) if index > 8 and wanted(state)))
    people.table.as_in(people.game.state)
    people.look(1.0)
    return people


def automaton_lays(state: State) -> bool:
    return state.is_automatons_turn and state.drawn is not None and bool(legal_placements(state, state.drawn))


def box(state: State, margin: float = 60.0) -> tuple[float, float, float, float]:
    """All of the railway, and a little around it."""
    poses = [card.pose for card in state.railway.cards if card.pose]
    xs, ys = [pose.x_mm for pose in poses], [pose.y_mm for pose in poses]
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin


def shift_out(people: Player) -> tuple[float, float]:
    """Lets the camera see the railway, but nothing beyond its open end; returns the way back in."""
    left, top, right, bottom = box(people.game.state)
    front = people.game.state.railway
    (_, end), *_ = front.open_ends()
    x, y = ((0, -1), (1, 0), (0, 1), (-1, 0))[end.heading]
    room = 700.0
    sides = [left - room, top - room, right + room, bottom + room]
    rim = {1: end.x_mm + 4, 3: end.x_mm - 4, 0: end.y_mm - 4, 2: end.y_mm + 4}[end.heading]
    sides[{3: 0, 0: 1, 1: 2, 2: 3}[end.heading]] = rim
    people.table.sight = (sides[0], sides[1], sides[2], sides[3])
    people.look(1.0)
    return -x * 250.0, -y * 250.0


def text(people: Player) -> str:
    return " ".join((people.screen.main, *people.screen.lines))


def test_the_automatons_place_out_of_sight_asks_for_a_push_and_the_game_goes_on_by_itself() -> None:
    people = at_table(Mode.BETSY, 3, automaton_lays)
    inwards = shift_out(people)
    drawn = people.game.state.drawn
    assert drawn is not None
    assert PUSH in people.screen.main
    people.table.push(*inwards, turn_deg=4)
    people.look(1.0)
    assert PUSH not in text(people)
    assert people.screen.map is not None
    choice = people.controller.desk.choice
    assert choice is not None
    people.table.put(drawn.id, choice.placement.pose)
    people.look(1.0)
    assert people.game.state.drawn is None
    assert not people.screen.alert


def test_a_place_out_of_sight_can_be_confirmed_with_roll_and_nobody_is_asked_for_what_lies_there() -> None:
    people = at_table(Mode.BETSY, 3, automaton_lays)
    shift_out(people)
    before = len(people.game.steps)
    people.press(Button.ROLL)
    people.wait(0.5)
    assert isinstance(people.game.steps[before], Lay)
    people.table.as_in(people.game.state)
    people.look(30.0)
    assert not people.screen.alert
    assert people.game.state.phase is not Phase.BUILDING


def test_a_person_is_asked_beside_the_name_and_may_pass_nevertheless() -> None:
    people = at_table(Mode.TWO, 4, acting)
    assert PUSH not in text(people)
    inwards = shift_out(people)
    assert people.screen.lines[0].startswith(PUSH)
    people.table.push(*inwards)
    people.look(1.0)
    assert PUSH not in text(people)
    people.press(Button.PASS)
    assert Pass in map(type, people.game.steps[-4:])


def test_cards_laid_out_of_sight_are_entered_with_the_buttons_and_rolled() -> None:
    people = at_table(Mode.TWO, 4, acting)
    shift_out(people)
    before = people.game.state
    people.press(Button.ROLL)
    people.wait(2.0)
    for _ in range(4):
        if people.game.state.phase is Phase.BUILDING:
            break
        people.press(Button.ROLL)
        people.wait(0.2)
    assert people.game.state.phase is Phase.BUILDING
    assert len(people.game.state.railway) == len(before.railway) + 1
    people.look(10.0)
    assert people.game.state.phase is Phase.BUILDING
    assert people.screen.keys[1] == "more"


@pytest.mark.parametrize("turn_deg", [0.0, -6.0, 9.0])
@pytest.mark.parametrize(("right", "down"), [(30, 0), (-210, 90), (63, -88)])
def test_pushing_the_whole_railway_is_no_trouble_at_any_time(right: float, down: float, turn_deg: float) -> None:
    """Between two turns, on a person's turn, with cards laid, and with a card drawn for the automaton."""
    wanted: list[Callable[[State], bool]] = [
        acting,
        lambda state: state.phase is Phase.BUILDING and len(state.railway) >= 4,
        lambda state: state.phase is Phase.DRAWING and len(state.railway) >= 4,
        automaton_lays,
    ]
    for kind in wanted:
        people = at_table(Mode.BETSY, 25, kind)
        steps = list(people.game.steps)
        people.table.hand = True
        people.look(0.5)
        people.table.hand = False
        people.table.push(right, down, turn_deg)
        people.look(25.0)
        assert people.game.steps[: len(steps)] == tuple(steps)
        assert not people.screen.alert
        people.play(dealt(Mode.BETSY, 25), len(steps) + 8)


def test_a_shown_card_that_stays_where_it_lies_does_not_count_twice() -> None:
    """The railway is pushed beside a chaos card that has been discarded and lies there still."""
    for seed in range(60):
        source = dealt(Mode.FOUR, seed)
        for at, step in enumerate(source.steps):
            after = source.states[at + 1]
            if isinstance(step, Discard) and after.phase is Phase.DISCARDING and after.unseen()[step.face]:
                people = at_table(Mode.FOUR, seed, lambda state, told=source.states[at]: state == told)
                people.table.show(step.face)
                people.look()
                done = len(people.game.steps)
                people.table.push(-180, 60, 5)
                people.look(1.0)
                assert len(people.game.steps) == done
                assert people.controller.desk.dialog is None
                return
    raise AssertionError("no such game")


def test_a_card_taken_away_within_sight_is_still_missed() -> None:
    people = at_table(Mode.TWO, 4, lambda state: state.phase is Phase.DRAWING and len(state.railway) > 4)
    people.table.sight = box(people.game.state, 200.0)
    people.look(1.0)
    rear = people.table.number_of(people.game.state.railway.cards[0])
    del people.table.cards[rear]
    people.look(6.0)
    assert people.screen.alert
