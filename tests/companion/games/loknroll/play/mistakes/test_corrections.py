"""What people put right with buttons: cards that were read wrongly or not at all, and steps taken back."""

from __future__ import annotations

import pytest

from companion.games.events import Fault, Restored
from companion.games.loknroll.rules import Game, Lay, Mode, Phase, Roll, State
from companion.games.loknroll.rules.building import legal_placements
from hardware.buttons import Button
from tests.companion.games.loknroll.play.table_in_play import Table, acting, choose, rolled
from vision.cards import Face, Pose


@pytest.fixture
def table() -> Table:
    return Table(Mode.TWO, 4, acting)


def test_a_card_that_cannot_be_read_is_entered_and_need_not_be_seen(table: Table) -> None:
    face, pose = table.layable()
    table.press(Button.ROLL)
    table.people.wait(2.0)
    choose(table, face)
    table.press(Button.ROLL)
    assert table.game.state.phase is Phase.BUILDING
    assert table.game.steps[-1] == Lay(face.id, pose)
    table.people.look(6.0)
    assert not table.screen.alert
    assert table.game.state.phase is Phase.BUILDING


@pytest.mark.parametrize("number", range(0, 20, 3))
def test_a_laid_card_is_corrected_in_three_presses(table: Table, number: int) -> None:
    face, pose, _ = table.lay()
    before = len(table.game.steps)
    state = table.game.states[-2]
    others = [
        other
        for other in state.setup.deck.faces
        if other != face and other.is_track and state.unseen()[other.id] and legal_placements(state, other)
    ]
    other = others[number % len(others)]
    table.press(Button.PASS)
    presses = 1 + choose(table, other)
    if _fits_there(state, other, pose):
        assert len(table.game.steps) == before
        assert table.game.state.railway.front.face == other
        assert str(other.value) in table.screen.main
        table.people.look(5.0)
        assert not table.screen.alert
        assert table.game.state.railway.front.face == other
    assert presses == 3


def _fits_there(state: State, face: Face, pose: Pose) -> bool:
    return any(
        Game(state).can(Lay(face.id, Pose(pose.x_mm, pose.y_mm, pose.rotation_deg + turn)))
        for turn in (0, 90, 180, 270)
    )


def test_a_card_objected_to_because_it_was_misread_is_corrected_in_three_presses(table: Table) -> None:
    front = table.game.state.railway.front.face.value
    misread = table.face(lambda face: face.kind == "track" and abs(face.value - front) == 2)
    right, pose = table.layable()
    table.people.table.put(misread.id, pose)
    table.people.look(0.5)
    table.press(Button.PASS)
    assert choose(table, right) == 2
    table.people.look(0.5)
    assert table.game.state.phase is Phase.BUILDING
    assert table.game.state.railway.front.face == right
    table.people.look(5.0)
    assert not table.screen.alert


def test_a_correction_after_the_roll_keeps_the_dice() -> None:
    table = Table(Mode.TWO, 4, acting)
    face, pose, _ = table.lay()
    state = table.game.states[-2]
    dice = (1,) + (0,) * (face.value - 1)
    table.people.roll(dice)
    other = next(
        other
        for other in state.setup.deck.faces
        if other.value != face.value and other.is_track and state.unseen()[other.id] and _fits_there(state, other, pose)
    )
    table.people.fate.coming.extend([0] * 4)
    table.people.press(Button.PASS, held=True)
    choose(table, other)
    rolls = [step for step in table.game.steps if isinstance(step, Roll)]
    common = min(len(dice), other.value)
    assert rolls[-1].dice[:common] == dice[:common]
    assert len(rolls[-1].dice) == other.value


def test_taking_back_before_the_roll_is_free_and_the_card_is_not_laid_again_by_itself(table: Table) -> None:
    table.lay()
    table.press(Button.BACK)
    assert table.game.state.phase is Phase.ACTING
    table.people.look(2.0)
    assert table.game.state.phase is Phase.ACTING
    table.people.wait(2.0)
    assert "back into your hand" in table.text


def test_taking_back_a_roll_needs_a_held_button_and_the_same_dice_fall(table: Table) -> None:
    table.lay()
    count = len(table.game.steps)
    rolled(table)
    dice = table.game.steps[count]
    table.press(Button.BACK)
    assert len(table.game.steps) > count
    while len(table.game.steps) > count:
        table.people.press(Button.BACK, held=True)
        table.people.wait(0.1)
    assert table.game.state.phase is Phase.BUILDING
    table.people.table.as_in(table.game.state)
    table.people.look(0.5)
    table.press(Button.ROLL)
    assert table.game.steps[count] == dice


def test_without_a_camera_buttons_lead_through_a_turn(table: Table) -> None:
    table.people.handle(Fault("camera", "unplugged"))
    assert "camera" in table.text
    face, pose = table.layable()
    table.press(Button.ROLL)
    choose(table, face)
    table.press(Button.ROLL)
    assert table.game.steps[-1] == Lay(face.id, pose)
    rolled(table, 0)
    assert table.game.state.phase is Phase.ACTING
    table.press(Button.PASS)
    table.people.handle(Restored("camera"))
    while table.game.state.phase is Phase.PUTTING:
        table.press(Button.ROLL)
    table.people.table.as_in(table.game.state)
    table.people.look(0.6)
    assert table.game.state.phase is Phase.ACTING
    assert not table.screen.alert
