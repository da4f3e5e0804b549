"""Cards that the camera cannot tell: people are asked where it matters, with one press, and nothing is guessed."""

from __future__ import annotations

from itertools import permutations

import pytest

from companion.games.events import Fault, Restored
from companion.games.loknroll.play.dialogs.which_card import WhichCard
from companion.games.loknroll.rules import Discard, Draw, Lay, Mode, Phase, SetAside, StartCard, State
from companion.games.loknroll.rules.building import legal_placements
from companion.games.loknroll.settings import with_own
from companion.games.settings import Settings
from hardware.buttons import Button
from tests.companion.games.loknroll.play.scripted_table import Player, seat
from tests.companion.games.loknroll.play.table_in_play import Table, acting, choose
from vision.cards import Face, Pose

KEYS = (Button.PASS, Button.UP, Button.DOWN)


def is_asked(people: Player) -> bool:
    return isinstance(people.controller.desk.dialog, WhichCard)


def alike(state: State, *, legal: int) -> tuple[Face, Face, Pose]:
    """Two cards with the same rails and other values that nobody has seen, and a place for that many of them."""
    tracks = [face for face in state.setup.deck.faces if face.kind == "track" and state.unseen()[face.id]]
    for one, other in permutations(tracks, 2):
        ways = [legal_placements(state, face) for face in (one, other)]
        if one.ports == other.ports and ways[0] and len([way for way in ways if way]) == legal:
            return one, other, ways[0][0].pose
    raise LookupError("no such cards")


def lay(table: Table, face: Face, pose: Pose, *others: Face) -> int:
    number = table.people.table.put(face.id, pose)
    table.people.table.unclear[number] = tuple(other.id for other in others)
    table.people.look(0.8)
    return number


@pytest.fixture
def table() -> Table:
    return Table(Mode.TWO, 4, acting)


@pytest.fixture
def asked(table: Table) -> tuple[Table, Face, Face, int]:
    """A card lies there that may be either of two."""
    one, other, pose = alike(table.game.state, legal=2)
    return table, one, other, lay(table, one, pose, other)


@pytest.mark.parametrize("place", [0, 1])
def test_one_press_tells_which_card_it_is(asked: tuple[Table, Face, Face, int], place: int) -> None:
    table, *faces, _ = asked
    steps = len(table.game.steps)
    assert table.screen.main == f"{faces[0].value} or {faces[1].value}?"
    assert table.screen.keys[1:3] == tuple(str(face.value) for face in faces)
    table.press(KEYS[place])
    assert len(table.game.steps) == steps + 1
    assert table.game.state.railway.front.face == faces[place]
    table.people.look(5.0)
    assert not table.screen.alert
    assert table.game.state.railway.front.face == faces[place]
    assert len(table.game.steps) == steps + 1


def test_nothing_counts_before_the_answer_and_no_card_is_on_the_button_that_rolls(
    asked: tuple[Table, Face, Face, int],
) -> None:
    table = asked[0]
    steps = len(table.game.steps)
    table.press(Button.ROLL)
    table.people.look(8.0)
    assert is_asked(table.people)
    assert len(table.game.steps) == steps


def test_a_card_that_only_one_of_them_can_be_is_that_one(table: Table) -> None:
    one, other, pose = alike(table.game.state, legal=1)
    lay(table, other, pose, one)
    assert not is_asked(table.people)
    assert table.game.state.railway.front.face == one
    table.people.look(5.0)
    assert not table.screen.alert


def test_what_all_have_seen_already_is_no_answer(table: Table) -> None:
    state = table.game.state
    one, _, pose = alike(state, legal=2)
    used_up = next(face for face in state.setup.deck.faces if face.is_track and not state.unseen()[face.id])
    lay(table, used_up, pose, one)
    assert table.game.state.railway.front.face == one


def test_a_clear_look_answers_by_itself(asked: tuple[Table, Face, Face, int]) -> None:
    table, _, other, number = asked
    del table.people.table.unclear[number]
    table.people.table.cards[number] = (other.id, table.people.table.cards[number][1])
    table.people.look(0.8)
    assert not is_asked(table.people)
    assert table.game.state.railway.front.face == other


def test_no_question_is_left_of_a_card_that_was_taken_away(asked: tuple[Table, Face, Face, int]) -> None:
    table, *_, number = asked
    del table.people.table.cards[number]
    table.people.look(0.8)
    assert not is_asked(table.people)
    assert table.game.state.phase is Phase.ACTING


def test_without_a_camera_nothing_is_asked(asked: tuple[Table, Face, Face, int]) -> None:
    table = asked[0]
    table.people.handle(Fault("camera", ""))
    assert not is_asked(table.people)
    table.people.handle(Restored("camera"))
    table.people.look(0.8)
    assert is_asked(table.people)


def test_a_card_that_is_none_of_them_is_told_in_three_presses(asked: tuple[Table, Face, Face, int]) -> None:
    table, *faces, _ = asked
    state, before = table.game.state, len(table.people.pressed)
    third = next(
        face
        for face in state.setup.deck.faces
        if face.ports == faces[0].ports and face not in faces and state.unseen()[face.id]
    )
    table.press(Button.BACK)
    choose(table, third)
    assert len(table.people.pressed) - before == 3
    assert table.people.controller.desk.dialog is None
    assert third.value in {card.face.value for card in table.game.state.railway.cards} or table.screen.alert


@pytest.mark.parametrize("is_turned", [False, True])
def test_what_the_eye_sees_later_overrules_no_answer(asked: tuple[Table, Face, Face, int], is_turned: bool) -> None:
    table, one, other, number = asked
    top = table.people.table
    table.press(Button.UP)
    steps = len(table.game.steps)
    if is_turned:
        top.cards[number], top.unclear[number] = (other.id, top.cards[number][1]), (one.id,)
    top.emma = None
    table.people.look(1.0)
    top.as_in(table.game.state)
    table.people.look(1.0)
    assert table.game.state.railway.front.face == other
    assert len(table.game.steps) == steps


def test_another_card_in_the_place_of_the_one_asked_about_is_a_card_of_its_own(
    asked: tuple[Table, Face, Face, int],
) -> None:
    table, one, _, number = asked
    table.press(Button.UP)
    pose = table.people.table.cards.pop(number)[1]
    table.people.table.hand = True
    table.people.look(1.0)
    table.people.table.hand = False
    table.people.table.put(one.id, pose)
    table.people.look(3.0)
    assert table.game.state.railway.front.face == one


def test_a_card_drawn_for_the_automaton() -> None:
    table = Table(Mode.BETSY, 2, lambda state: state.phase is Phase.DRAWING and state.is_automatons_turn)
    one, other, _ = alike(table.game.state, legal=2)
    number = table.people.table.show(one.id)
    table.people.table.unclear[number] = (other.id,)
    table.people.look(1.0)
    table.press(Button.UP)
    assert table.game.steps[-1] == Draw(other.id)
    # Laid, it is read as doubtfully as before; but what has been drawn is known.
    choice = table.people.controller.desk.choice
    assert choice is not None
    table.people.table.clear()
    lay(table, one, choice.placement.pose, other)
    assert not is_asked(table.people)
    step = table.game.steps[-1]
    assert isinstance(step, Lay)
    assert step.face == other.id


def test_chaos_cards_of_different_values_are_asked_about() -> None:
    table = Table(Mode.TWO, 4, acting, with_own(Settings(), puts_by_itself=True))
    unseen = table.game.state.unseen()
    one, other, *_ = (face for face in table.game.state.setup.deck.faces if face.kind == "chaos" and unseen[face.id])
    number = table.people.table.show(one.id)
    table.people.table.unclear[number] = (other.id,)
    table.people.look(0.8)
    assert table.screen.main == f"chaos {one.value} or chaos {other.value}?"
    table.press(Button.UP)
    assert isinstance(table.game.steps[-1], Discard)
    assert table.game.steps[-1].face == other.id
    table.people.look(3.0)
    assert table.game.state.phase is Phase.DISCARDING
    assert table.people.controller.desk.dialog is None


def test_which_chaos_card_is_set_aside_makes_no_difference() -> None:
    people = seat(Mode.TWO)
    number = people.table.show("chaos-1")
    people.table.unclear[number] = ("chaos-2", "chaos-3")
    people.look(2.0)
    assert [type(step) for step in people.game.steps] == [SetAside]
    # Read the other way round it is the same card still.
    people.table.cards[number] = ("chaos-2", people.table.cards[number][1])
    people.table.unclear[number] = ("chaos-1",)
    people.look(2.0)
    assert len(people.game.steps) == 1


def test_cards_are_asked_about_one_after_the_other() -> None:
    people = seat(Mode.TWO)
    for face, other, x_mm in (("track-1-left", "track-3-left", 0.0), ("track-1-right", "track-3-right", 400.0)):
        people.table.unclear[people.table.put(face, Pose(x_mm, 0, 0))] = (other,)
    people.look()
    asked = []
    while is_asked(people):
        asked.append(people.screen.main)
        people.press(Button.UP)
        people.wait(0.2)
    assert asked == ["1 or 3?"] * 2
    assert [step.face for step in people.game.steps if isinstance(step, StartCard)] == ["track-3-left"]


def laying_open() -> Table:
    table = Table(Mode.TWO, 0, lambda state: state.phase is Phase.LAYING_OPEN)
    table.people.look(4.0)
    return table


def test_of_a_hand_only_values_are_asked() -> None:
    table = laying_open()
    unseen = table.game.state.unseen()
    faces = [face for face in table.game.state.setup.deck.faces if unseen[face.id]]
    one, twin = next((a, b) for a, b in permutations(faces, 2) if a.value == b.value)
    other = next(face for face in faces if face.value != one.value)
    number = table.people.table.show(one.id)
    table.people.table.unclear[number] = (twin.id,)
    table.people.look(0.8)
    assert table.people.controller.desk.hand == (one.id,)
    number = table.people.table.show(one.id)
    table.people.table.unclear[number] = (twin.id, other.id)
    table.people.look(0.8)
    assert is_asked(table.people)
    table.press(Button.UP)
    assert table.people.controller.desk.hand == (one.id, other.id)
    table.people.look(2.0)
    assert table.people.controller.desk.hand == (one.id, other.id)


def test_two_cards_that_lie_half_turned_to_each_other(table: Table) -> None:
    """A face that looks like the other one upside down lies with its own top up."""
    state = table.game.state
    lefts = [face for face in state.setup.deck.faces if face.shape == "left" and legal_placements(state, face)]
    one, other = lefts[:2]
    pose = legal_placements(state, other)[0].pose
    lay(table, one, pose.moved(0, 0, 180.0), other)
    assert is_asked(table.people)
    table.press(Button.UP)
    step = table.game.steps[-1]
    assert isinstance(step, Lay)
    assert step.face == other.id
    assert step.pose is not None
    assert abs((step.pose.rotation_deg - pose.rotation_deg + 180) % 360 - 180) < 1
    table.people.look(5.0)
    assert not table.screen.alert


def test_a_list_is_looked_at_to_the_end_before_the_question(table: Table) -> None:
    table.press(Button.UP)
    one, other, pose = alike(table.game.state, legal=2)
    lay(table, one, pose, other)
    assert not is_asked(table.people)
    assert table.game.state.phase is Phase.ACTING
    table.press(Button.BACK)
    assert is_asked(table.people)


@pytest.mark.parametrize("is_read_alike", [True, False])
def test_a_card_that_is_slid_to_another_place_is_not_guessed_at(table: Table, is_read_alike: bool) -> None:
    """It has its number still, or comes back as a new one: then it may be another card, and is asked about again."""
    state = table.game.state
    one, other, *_ = (face for face in state.setup.deck.faces if face.shape == "left" and legal_placements(state, face))
    first, *_, last = (way.pose for way in legal_placements(state, other))
    number = lay(table, one, first, other)
    table.press(Button.UP)
    if is_read_alike:
        table.people.table.cards[number] = (one.id, last)
    else:
        del table.people.table.cards[number]
        lay(table, other, last, one)
    table.people.look(3.0)
    if not is_read_alike:
        assert is_asked(table.people)
        table.press(Button.PASS)
    assert not is_asked(table.people)
    front = table.game.state.railway.front
    assert (front.face, table.game.state.laid) == (other, 1)
    assert front.pose is not None
    assert front.pose.distance_mm(last) < 5


def test_a_drawn_card_is_known_before_it_is_in_its_place() -> None:
    table = Table(Mode.BETSY, 2, lambda state: state.drawn is not None and bool(legal_placements(state, state.drawn)))
    drawn, choice = table.game.state.drawn, table.people.controller.desk.choice
    assert drawn is not None
    assert choice is not None
    other = next(face for face in table.game.state.setup.deck.faces if face.ports == drawn.ports and face != drawn)
    pose = choice.placement.pose
    number = lay(table, other, pose.moved(25, 25), drawn)
    assert f"Seen: {drawn.value}" in table.text
    table.people.table.cards[number] = (other.id, pose)
    table.people.look(0.8)
    assert drawn in table.game.state.railway.faces


def test_nothing_is_asked_before_the_table_lies_as_it_must() -> None:
    """Until Emma has been moved, what lies about is no card drawn for the automaton."""
    table = Table(Mode.BETSY, 2, lambda state: state.phase is Phase.DRAWING and state.is_automatons_turn)
    one, other, _ = alike(table.game.state, legal=2)
    top, emma = table.people.table, table.people.table.emma
    top.emma = next(number for number in top.cards if number != emma)
    top.unclear[top.show(one.id)] = (other.id,)
    table.people.look(1.0)
    assert not is_asked(table.people)
    top.emma = emma
    table.people.look(1.0)
    assert is_asked(table.people)
