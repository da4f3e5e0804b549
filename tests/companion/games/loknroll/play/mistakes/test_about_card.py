"""Two cards that look alike, shown one after the other: a hand between them makes the companion ask."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.games.at_table.tape import Tape
from companion.games.loknroll.play.controller import Controller
from companion.games.loknroll.play.dialogs.about_card import AboutCard
from companion.games.loknroll.rules import Discard, Game, LayOpen, Mode, Phase, Put
from companion.games.loknroll.settings import with_own
from companion.games.settings import Settings
from hardware.buttons import Button
from tests.companion.games.loknroll.play.scripted_table import Player, dealt, seat
from vision.cards import Pose


def laying_open(seed: int = 0) -> tuple[Player, str]:
    """A game whose first hand is to be shown, and a face of which two may be in it."""
    source = dealt(Mode.TWO, seed)
    at = next(index for index, state in enumerate(source.states) if state.phase is Phase.LAYING_OPEN)
    people = seat(Mode.TWO, seed)
    people.play(source, at)
    people.table.as_in(source.states[at])
    people.look(4.0)
    unseen = source.states[at].unseen()
    return people, next(face for face, count in unseen.items() if count >= 2)


def reach_over(people: Player, moved_mm: float = 0.0) -> None:
    """A hand over the table; the shown card lies a little elsewhere when it has gone."""
    people.table.hand = True
    people.look(1.0)
    people.table.hand = False
    number = max(people.table.cards)
    face, pose = people.table.cards[number]
    people.table.cards[number] = (face, Pose(pose.x_mm + moved_mm, pose.y_mm, pose.rotation_deg))
    people.look(1.0)


@pytest.mark.parametrize(("button", "count"), [(Button.ROLL, 2), (Button.PASS, 1)])
def test_an_equal_card_of_a_hand_put_onto_the_place_of_the_first(button: Button, count: int) -> None:
    people, face = laying_open()
    people.table.show(face)
    people.look()
    assert people.controller.desk.hand == (face,)
    reach_over(people)
    assert isinstance(people.controller.desk.dialog, AboutCard)
    people.press(button)
    people.look(3.0)
    assert people.controller.desk.hand == (face,) * count
    assert people.controller.desk.dialog is None


def test_a_hand_that_leaves_slowly_is_no_other_hand() -> None:
    people, face = laying_open()
    people.table.hand = True
    people.look()
    people.table.hand = False
    people.table.show(face)
    people.look()
    assert people.controller.desk.hand == (face,)
    people.table.hand = True
    people.look(0.2)
    people.table.hand = False
    people.look(2.0)
    assert people.controller.desk.dialog is None


def test_a_card_that_lies_elsewhere_needs_no_question() -> None:
    people, face = laying_open()
    people.table.show(face)
    people.look()
    reach_over(people, moved_mm=8.0)
    assert people.controller.desk.hand == (face, face)
    assert people.controller.desk.dialog is None


def test_the_question_goes_away_with_the_card() -> None:
    people, face = laying_open()
    people.table.show(face)
    people.look()
    reach_over(people)
    people.table.clear()
    people.look()
    assert people.controller.desk.dialog is None
    assert people.controller.desk.hand == (face,)


def test_there_is_no_question_where_there_is_no_other_card() -> None:
    people, _ = laying_open()
    unseen = people.game.state.unseen()
    face = next(face for face, count in unseen.items() if count == 1)
    people.table.show(face)
    people.look()
    reach_over(people)
    assert people.controller.desk.dialog is None


def chaos_shown() -> tuple[Player, str]:
    """A chaos card has just been discarded and lies there still; another one of it may be in the hand."""
    for seed in range(40):
        source = dealt(Mode.FOUR, seed)
        for at, (state, step) in enumerate(zip(source.states, source.steps, strict=False)):
            after = source.states[at + 1]
            if isinstance(step, Discard) and after.phase is Phase.DISCARDING and after.unseen()[step.face]:
                people = seat(Mode.FOUR, seed, settings=with_own(Settings(), puts_by_itself=True))
                people.play(source, at)
                people.table.as_in(state)
                people.look(1.0)
                people.table.show(step.face)
                people.look()
                assert people.game.state.phase is Phase.DISCARDING
                return people, step.face
    raise AssertionError("no such game")


@pytest.mark.parametrize(("button", "count"), [(Button.ROLL, 2), (Button.PASS, 1)])
def test_an_equal_chaos_card_put_beside_the_place_of_the_first(button: Button, count: int) -> None:
    people, _ = chaos_shown()
    before = Counter(map(type, people.game.steps))[Discard] - 1
    reach_over(people, moved_mm=9.0)
    assert isinstance(people.controller.desk.dialog, AboutCard)
    people.press(button)
    people.look(1.0)
    assert Counter(map(type, people.game.steps))[Discard] == before + count


def test_a_chaos_card_that_was_only_touched_is_the_same() -> None:
    people, _ = chaos_shown()
    steps = len(people.game.steps)
    reach_over(people)
    assert people.controller.desk.dialog is None
    assert len(people.game.steps) == steps


def restarted(people: Player) -> Player:
    """The same table after the power was cut."""
    desk = people.controller.desk
    game = Game(people.game.states[0])
    for step in people.game.steps:
        game.do(step)
    controller = Controller(game, Settings(), source=people.fate, tape=Tape(), notes=desk.notes)
    again = Player(controller, people.fate, people.table.random, noise=0.2)
    again.table = people.table
    again.look(1.0)
    return again


def test_a_card_that_lies_there_since_before_a_restart_does_not_count_again() -> None:
    people, _ = chaos_shown()
    again = restarted(people)
    assert again.game.state.phase is Phase.DISCARDING
    assert again.game.state == people.game.state


def test_a_card_of_a_hand_that_lies_there_since_before_a_restart_does_not_count_again() -> None:
    people, face = laying_open()
    people.table.show(face)
    people.look()
    assert LayOpen not in map(type, people.game.steps)
    assert restarted(people).controller.desk.hand == (face,)


def test_penalty_cards_that_nobody_has_taken_before_a_restart_are_not_drawn_cards() -> None:
    source = dealt(Mode.BETSY, 60)
    at = next(
        index
        for index, state in enumerate(source.states)
        if state.phase is Phase.DRAWING and state.is_automatons_turn and isinstance(source.steps[index - 1], Put)
    )
    people = seat(Mode.BETSY, 60)
    people.play(source, at)
    longest = max(source.states[at - 4 : at], key=lambda state: len(state.railway))
    assert len(longest.railway) > len(source.states[at].railway)
    people.table.as_in(longest)
    assert restarted(people).game.state == people.game.state
