"""Tables that are not as they should be, people who are faster than the screen, cameras that read wrongly."""

from __future__ import annotations

import pytest

from companion.games.events import Seen
from companion.games.loknroll.rules import Draw, Game, Lay, Mode, Pass, Phase, Roll, State
from companion.games.loknroll.rules.building import legal_placements
from hardware.buttons import Button
from tests.companion.games.loknroll.play.table_in_play import Table, acting, moved, rolled


@pytest.fixture
def table() -> Table:
    return Table(Mode.TWO, 4, acting)


def test_a_wrong_card_is_named_at_once_until_it_is_taken_back(table: Table) -> None:
    front = table.game.state.railway.front.face.value
    wrong = table.face(lambda face: face.kind == "track" and abs(face.value - front) == 2)
    right, pose = table.layable()
    number = table.people.table.put(wrong.id, pose)
    table.people.look(0.5)
    assert table.screen.alert
    assert f"{wrong.value} next to {front}: difference 2" in table.text
    table.press(Button.ROLL)
    table.people.wait(5.0)
    assert table.game.state.phase is Phase.ACTING
    assert table.screen.alert
    del table.people.table.cards[number]
    table.people.look(0.5)
    assert not table.screen.alert
    table.people.table.put(right.id, pose)
    table.people.look(0.5)
    assert table.game.state.phase is Phase.BUILDING


def test_a_card_that_lies_askew_can_be_slid_right(table: Table) -> None:
    face, pose = table.layable()
    number = table.people.table.put(face.id, moved(pose, 14, 14))
    table.people.look(0.5)
    assert "between the rails" in table.text
    table.people.table.cards[number] = (face.id, moved(pose, 2, -1))
    table.people.look(0.5)
    assert table.game.state.phase is Phase.BUILDING
    assert not table.screen.alert


def test_a_laid_card_may_be_slid_to_another_place_and_is_laid_once(table: Table) -> None:
    face = table.face(lambda face: face.kind == "track" and len(legal_placements(table.game.state, face)) > 1)
    first, second = (place.pose for place in legal_placements(table.game.state, face)[:2])
    number = table.people.table.put(face.id, first)
    table.people.look()
    count = len(table.game.steps)
    table.people.table.cards[number] = (face.id, second)
    table.people.look()
    assert len(table.game.steps) == count
    step = table.game.steps[-1]
    assert isinstance(step, Lay)
    assert step.pose is not None
    assert abs(step.pose.x_mm - second.x_mm) + abs(step.pose.y_mm - second.y_mm) < 2


def test_a_card_taken_back_into_the_hand_is_taken_back(table: Table) -> None:
    _, _, number = table.lay()
    assert table.game.state.phase is Phase.BUILDING
    del table.people.table.cards[number]
    table.people.look(2.5)
    assert table.game.state.phase is Phase.ACTING
    assert table.game.state.laid == 0


def test_emma_on_a_wrong_card_is_told_after_three_seconds_and_not_before() -> None:
    table = Table(Mode.TWO, 4, lambda state: acting(state) and (state.emma or 0) <= len(state.railway) - 2)
    table.lay()
    rolled(table)
    state = table.game.state
    assert state.phase is Phase.DRAWING
    table.people.table.as_in(state)
    wrong = next(index for index in range(len(state.railway)) if index != state.emma)
    right, table.people.table.emma = table.people.table.emma, table.people.table.number_of(state.railway.cards[wrong])
    table.people.look(0.4)
    table.people.wait(2.3)
    assert not table.screen.alert
    table.people.wait(1.0)
    assert table.screen.alert
    assert "Emma" in table.screen.main
    table.people.table.emma = right
    table.people.look(0.6)
    assert not table.screen.alert
    assert table.game.state.phase is Phase.ACTING
    assert table.game.steps[-1] == Draw()


def test_people_may_say_that_the_camera_is_wrong_about_emma() -> None:
    table = Table(Mode.TWO, 4, lambda state: acting(state) and (state.emma or 0) <= len(state.railway) - 2)
    table.lay()
    rolled(table)
    table.people.table.as_in(table.game.state)
    table.people.table.emma = None
    table.people.look(0.4)
    table.people.wait(3.5)
    assert table.screen.alert
    table.press(Button.ROLL)
    assert table.game.state.phase is Phase.ACTING


def test_cards_taken_too_early_are_told_and_forgiven(table: Table) -> None:
    table.lay()
    rear = table.people.table.number_of(table.game.state.railway.cards[0])
    card = table.people.table.cards.pop(rear)
    table.people.look(0.4)
    table.people.wait(2.0)
    assert not table.screen.alert
    table.people.wait(1.5)
    assert table.screen.alert
    assert table.game.state.phase is Phase.BUILDING
    table.people.table.cards[rear] = card
    table.people.look(0.6)
    assert not table.screen.alert
    assert table.game.state.phase is Phase.BUILDING


def test_the_next_card_may_lie_before_the_screen_has_said_whose_turn_it_is(table: Table) -> None:
    table.lay()
    rolled(table, 0)
    state = table.game.state
    table.people.table.as_in(state)
    face = table.face(lambda face: (face.kind == "track" and bool(legal_placements(state, face))) or False)
    pose = legal_placements(_drawn(state), face)[0].pose
    table.people.table.put(face.id, pose)
    table.people.look(0.6)
    assert table.game.state.phase is Phase.BUILDING
    assert [type(step) for step in table.game.steps[-2:]] == [Draw, Lay]


def _drawn(state: State) -> State:
    game = Game(state)
    return game.do(Draw()) if game.can(Draw()) else state


def test_pass_pressed_before_emma_has_moved_waits_for_her(table: Table) -> None:
    table.press(Button.PASS)
    while table.game.state.phase is Phase.PUTTING:
        table.press(Button.ROLL)
    assert table.game.state.phase is Phase.DRAWING
    active = table.game.state.active
    table.people.wait(1.0)
    table.press(Button.PASS)
    assert table.game.state.phase is Phase.DRAWING
    table.people.table.as_in(table.game.state)
    table.people.look(0.6)
    passed = [state.active for state, step in zip(table.game.states, table.game.steps, strict=False) if step == Pass()]
    assert passed[-1] == active


def test_a_button_pressed_twice_passes_once(table: Table) -> None:
    before = sum(step == Pass() for step in table.game.steps)
    table.people.press(Button.PASS)
    table.people.press(Button.PASS)
    table.people.table.as_in(table.game.state)
    table.people.look(1.0)
    assert sum(step == Pass() for step in table.game.steps) == before + 1


def test_roll_may_be_pressed_before_the_card_is_read(table: Table) -> None:
    face, pose = table.layable()
    count = len(table.game.steps)
    table.people.fate.coming.extend([0] * face.value)
    table.people.press(Button.ROLL)
    table.people.table.put(face.id, pose)
    table.people.look(0.6)
    assert [type(step) for step in table.game.steps[count : count + 2]] == [Lay, Roll]


def test_a_flicker_changes_nothing(table: Table) -> None:
    count = len(table.game.steps)
    face, pose = table.layable()
    for _ in range(3):
        number = table.people.table.put(face.id, pose)
        table.people.handle(Seen(table.people.table.reading()))
        table.people.wait(0.1)
        del table.people.table.cards[number]
        table.people.handle(Seen(table.people.table.reading()))
        table.people.wait(0.1)
    table.lay()
    assert len(table.game.steps) == count + 1
    number, card = next(iter(table.people.table.cards.items()))
    del table.people.table.cards[number]
    table.people.handle(Seen(table.people.table.reading()))
    table.people.wait(0.2)
    table.people.table.cards[number] = card
    table.people.look(4.0)
    assert len(table.game.steps) == count + 1
    assert not table.screen.alert


def test_while_a_hand_is_over_the_table_nothing_is_judged(table: Table) -> None:
    face, pose = table.layable()
    table.people.table.hand = True
    table.people.table.put(face.id, moved(pose, 30, 30))
    table.people.look(5.0)
    assert not table.screen.alert
    assert table.game.state.phase is Phase.ACTING


def test_betsys_card_in_another_place_is_told_and_may_stay() -> None:
    def has_choice(state: State) -> bool:
        return state.drawn is not None and len(legal_placements(state, state.drawn)) > 1

    table = Table(Mode.BETSY, 3, has_choice)
    state = table.game.state
    drawn = state.drawn
    assert drawn is not None
    shown = table.screen.map
    assert shown is not None
    assert shown.new is not None
    told = shown.new.pose
    elsewhere = next(place.pose for place in legal_placements(state, drawn) if place.pose != told)
    table.people.table.put(drawn.id, elsewhere)
    table.people.look(0.6)
    assert table.screen.alert
    assert len(table.game.steps) == table.at
    table.press(Button.ROLL)
    assert isinstance(table.game.steps[table.at], Lay)
