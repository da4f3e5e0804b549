"""Tables that are not as they should be, people who are faster than the screen, cameras that read wrongly."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.games.events import Fault, Restored, Seen
from companion.games.loknroll.rules import Draw, Game, Lay, Mode, Pass, Phase, Roll, State
from companion.games.loknroll.rules.building import legal_placements
from companion.games.settings import Settings
from companion.screen.screen import Screen
from hardware.buttons import Button
from tests.companion.games.loknroll.play.scripted_table import Player, dealt, seat
from vision.cards import Face, Motion, Pose


class Table:
    """People in the midst of a game, at a table seen without noise in the axes of the game."""

    def __init__(
        self, mode: Mode, seed: int, wanted: Callable[[State], bool], settings: Settings | None = None
    ) -> None:
        self.source = dealt(mode, seed)
        self.people: Player = seat(mode, seed, settings=settings, noise=0.0)
        self.people.table.shift = Motion()
        self.at = next(index for index, state in enumerate(self.source.states) if index > 8 and wanted(state))
        self.people.play(self.source, self.at)
        self.people.table.as_in(self.people.game.state)
        self.people.look(1.0)

    @property
    def game(self) -> Game:
        return self.people.game

    @property
    def screen(self) -> Screen:
        return self.people.screen

    @property
    def text(self) -> str:
        return " ".join((self.screen.heading, self.screen.main, *self.screen.lines))

    def face(self, fits: Callable[[Face], bool]) -> Face:
        unseen = self.game.state.unseen()
        return next(face for face in self.game.state.setup.deck.faces if unseen[face.id] and fits(face))

    def layable(self) -> tuple[Face, Pose]:
        """A card that can be laid, and where."""
        state = self.game.state
        face = self.face(lambda face: face.kind == "track" and bool(legal_placements(state, face)))
        return face, legal_placements(state, face)[0].pose

    def lay(self) -> tuple[Face, Pose, int]:
        face, pose = self.layable()
        number = self.people.table.put(face.id, pose)
        self.people.look(0.8)
        return face, pose, number

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            self.people.press(button)
        self.people.wait(0.2)


def acting(state: State) -> bool:
    return state.phase is Phase.ACTING and not state.is_automatons_turn and len(state.railway) >= 4


@pytest.fixture
def table() -> Table:
    return Table(Mode.TWO, 4, acting)


def moved(pose: Pose, x: float = 0.0, y: float = 0.0) -> Pose:
    return Pose(pose.x_mm + x, pose.y_mm + y, pose.rotation_deg)


def test_a_wrong_card_is_named_at_once_until_it_is_taken_back(table: Table) -> None:
    front = table.game.state.railway.front.face.value
    wrong = table.face(lambda face: face.kind == "track" and abs(face.value - front) == 2)
    right, pose = table.layable()
    number = table.people.table.put(wrong.id, pose)
    table.people.look(0.5)
    assert table.screen.alert
    assert f"{wrong.value} on {front}: difference 2" in table.text
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
    assert "rails do not meet" in table.text
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


def rolled(table: Table, wheels: int = 1) -> None:
    dice = sum(card.face.value for card in table.game.state.railway.cards[-table.game.state.laid :])
    table.people.roll((1,) * wheels + (0,) * (dice - wheels))
    while table.game.state.phase is Phase.PUTTING:
        table.press(Button.ROLL)


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


def choose(table: Table, face: Face) -> int:
    """Chooses a card as the keys say; returns the number of presses."""
    buttons = list(Button)
    table.press(buttons[face.value - 1])
    name = {"track": face.shape, "broken": "broken", "chaos": "chaos"}[face.kind]
    if name in table.screen.keys:
        table.press(buttons[table.screen.keys.index(name)])
    else:
        held = table.screen.lines[0].split(": ")[1].split(", ")
        table.people.press(buttons[held.index(name)], held=True)
        table.people.wait(0.2)
    return 2


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
    assert "Take away" in table.text


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
