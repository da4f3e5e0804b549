"""People who err: every card that lies on the table is told where it goes, and no key is offered that does nothing."""

from __future__ import annotations

import pytest

from companion.games.events import Fault, Restored
from companion.games.loknroll.play.dialogs.about_card import AboutCard
from companion.games.loknroll.rules import Discard, Draw, Mode, Pass, Phase, State
from companion.games.loknroll.rules.building import can_be_laid, legal_placements
from companion.games.settings import Settings
from hardware.buttons import Button
from tests.companion.games.loknroll.play.table_in_play import Table, acting, moved, rolled
from vision.cards import Kind, Pose


def drawing_for_betsy(state: State) -> bool:
    return state.phase is Phase.DRAWING and state.is_automatons_turn


@pytest.fixture
def betsy() -> Table:
    """A card is to be drawn for the automaton, and the table is as it must be."""
    table = Table(Mode.BETSY, 4, drawing_for_betsy)
    assert "Draw for Betsy" in table.text
    return table


@pytest.fixture
def table() -> Table:
    return Table(Mode.TWO, 4, acting)


def show(table: Table, face: str) -> None:
    table.people.table.show(face)
    table.people.look(0.8)


def test_a_card_that_was_drawn_for_the_automaton_and_fits_nowhere_goes_into_the_box_before_anybody_plays_on() -> None:
    def fits_nowhere(state: State) -> bool:
        unseen = state.unseen()
        faces = [face for face in state.setup.deck.faces if face.is_track and unseen[face.id]]
        return drawing_for_betsy(state) and any(not can_be_laid(state, face) for face in faces)

    table = Table(Mode.BETSY, 4, fits_nowhere)
    face = table.face(lambda face: face.is_track and not can_be_laid(table.game.state, face))
    show(table, face.id)
    assert [type(step) for step in table.game.steps[-2:]] == [Draw, Pass]
    state = table.game.state
    kept = [card for card in table.people.table.cards.values() if card[0] == face.id][-1]
    table.people.table.as_in(state)
    number = table.people.table.put(*kept)
    table.people.look(4.0)
    assert table.game.state.phase is Phase.DRAWING
    assert f"{face.value}: into the box" in table.text
    del table.people.table.cards[number]
    table.people.look(1.0)
    assert table.game.state.phase is Phase.ACTING


def test_a_chaos_card_that_was_drawn_for_the_automaton_goes_onto_its_pile(betsy: Table) -> None:
    face = betsy.face(lambda face: face.kind is Kind.CHAOS)
    show(betsy, face.id)
    betsy.people.look(4.0)
    assert betsy.game.state.phase is Phase.DRAWING
    assert "Betsy's pile" in betsy.text
    betsy.people.table.clear()
    betsy.people.look(1.0)
    assert betsy.game.state.phase is Phase.ACTING


def test_a_card_of_the_hand_laid_out_of_turn_does_not_become_the_automatons_unasked(betsy: Table) -> None:
    face, pose = betsy.layable()
    number = betsy.people.table.put(face.id, pose)
    betsy.people.look(0.8)
    assert isinstance(betsy.people.controller.desk.dialog, AboutCard)
    assert "Drawn for Betsy" in betsy.text
    betsy.press(Button.PASS)
    betsy.people.look(4.0)
    assert betsy.game.state.phase is Phase.DRAWING
    assert ": back into your hand" in betsy.text
    del betsy.people.table.cards[number]
    betsy.people.look(1.0)
    assert "Draw for Betsy" in betsy.text


def test_the_automatons_card_may_be_laid_at_once_with_one_press(betsy: Table) -> None:
    face, pose = betsy.layable()
    betsy.people.table.put(face.id, pose)
    betsy.people.look(0.8)
    betsy.press(Button.ROLL)
    assert betsy.game.state.drawn == face


def test_one_short_press_of_back_undoes_what_was_not_drawn_for_the_automaton(betsy: Table) -> None:
    face = betsy.face(lambda face: face.is_track and can_be_laid(betsy.game.state, face))
    show(betsy, face.id)
    assert betsy.game.state.drawn == face
    betsy.press(Button.BACK)
    betsy.people.look(1.0)
    assert betsy.game.state.drawn is None
    assert betsy.game.state.phase is Phase.DRAWING
    betsy.people.look(4.0)
    assert "back into your hand" in betsy.text


def test_a_card_that_lies_apart_is_left_over_and_not_measured(table: Table) -> None:
    face, pose = table.layable()
    table.people.table.put(face.id, moved(pose, 300, 260))
    table.people.look(1.0)
    table.people.look(4.0)
    assert f"{face.value} lies apart" in table.text
    assert "mm" not in table.text
    assert "or take it back" in table.text


def test_a_press_that_cannot_count_says_why(table: Table) -> None:
    table.lay()
    front = table.game.state.railway.front.face.value
    wrong = table.face(lambda face: face.kind == "track" and face.value not in {front, front + 1})
    places = legal_placements(table.game.state, table.game.state.railway.front.face)
    pose = places[0].pose if places else Pose(0, 0)
    table.people.table.put(wrong.id, pose)
    table.people.look(0.8)
    assert table.screen.alert
    assert f"Take back: {wrong.value}" in table.text
    table.press(Button.ROLL)
    assert table.game.state.phase is Phase.BUILDING
    assert f"Take back: {wrong.value}" in table.text


def test_the_key_for_passing_is_not_offered_with_the_result_of_a_turn(table: Table) -> None:
    table.lay()
    rolled(table)
    assert table.game.state.phase is Phase.DRAWING
    assert "pass" not in table.screen.keys


def test_the_automatons_move_is_told_with_the_card_that_she_moved_by(betsy: Table) -> None:
    face = betsy.face(lambda face: face.is_track and can_be_laid(betsy.game.state, face))
    show(betsy, face.id)
    choice = betsy.people.controller.desk.choice
    assert choice is not None
    betsy.people.table.clear()
    betsy.people.table.put(face.id, choice.placement.pose)
    betsy.people.look(0.8)
    assert f"{face.value} laid: Emma {betsy.game.state.outcome.moved} forward" in betsy.text


def test_what_to_do_is_told_beside_what_the_turn_before_did(table: Table) -> None:
    table.lay()
    rolled(table)
    table.people.table.as_in(table.game.state)
    table.people.look(1.0)
    assert table.game.state.phase is Phase.ACTING
    assert "Draw a card" in table.text
    assert "Emma" in table.text


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_taking_a_chaos_card_away_is_said_to_end_the_turn_and_onto_which_pile(language: str) -> None:
    table = Table(Mode.TWO, 4, acting, Settings(language=language))
    name = table.game.state.setup.names[table.game.state.active]
    face = table.face(lambda face: face.kind is Kind.CHAOS)
    show(table, face.id)
    assert isinstance(table.game.steps[-1], Discard)
    assert name in table.screen.lines[0]


def test_in_the_dark_nobody_is_asked_to_take_away_what_cannot_be_seen(table: Table) -> None:
    table.lay()
    rolled(table)
    before = table.game.state
    assert before.phase is Phase.DRAWING
    table.people.handle(Fault("dark"))
    table.people.wait(30.0)
    assert "Too dark" in table.text
    assert not table.screen.alert
    table.people.handle(Restored("dark"))
    table.people.table.as_in(table.game.state)
    table.people.look(1.0)
    assert "Too dark" not in table.text
    assert table.game.state.phase is Phase.ACTING


def test_a_card_beside_the_railway_but_not_at_its_front_is_left_over_too(table: Table) -> None:
    face, pose = table.layable()
    rear = table.game.state.railway.cards[0].pose
    assert rear is not None
    away = 1 if rear.x_mm > pose.x_mm else -1
    table.people.table.put(face.id, moved(rear, 80 * away, 40))
    table.people.look(1.0)
    table.people.look(4.0)
    assert "lies apart" in table.text
    assert " mm" not in table.text
