"""Cards that are tapped on a page and said to be others, and taking back there, beside people with buttons."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from companion.device.between_games.dice_table import DiceTable
from companion.device.between_games.lobby import Lobby
from companion.games.at_table.lists import ListEntry
from companion.games.events import Corrected, Pressed, Seen, Show, TakenBack
from companion.games.game import TableCard
from companion.games.loknroll.game import GAME
from companion.games.loknroll.play.controller import Controller
from companion.games.loknroll.play.dialogs.choosing import FaceEntry, PlaceEntry, WheelsEntry
from companion.games.loknroll.play.dialogs.corrections import planned
from companion.games.loknroll.rules import Begin, Draw, Game, Lay, Mode, Phase, Roll, SetAside, StartCard, after
from companion.games.loknroll.rules.building import legal_placements
from companion.games.loknroll.settings import with_own
from companion.games.settings import Settings
from hardware.buttons import Button
from tests.companion.games.loknroll.play.scripted_table import Fate, Player, fresh, seat
from tests.companion.games.loknroll.play.table_in_play import Table, acting, moved, play_of, present, rolled


class Dice(Fate):
    """Chance that falls as it is told to; what nobody has told falls blank."""

    def randrange(self, stop: int) -> int:
        return super().randrange(stop) if self.coming else stop - 1


def tap(people: Player, card: TableCard, face: str) -> None:
    people.handle(Corrected(card.card, card.face, face))


def steps_of(people: Player) -> tuple[object, ...]:
    return people.game.steps


def all_others(table: Table | Player, card: TableCard, *, whole: bool) -> list[str]:
    """What a card of the railway can be so that all later steps stay, or so that a later card would be lost."""
    people = table.people if isinstance(table, Table) else table
    desk, deck = people.controller.desk, people.game.state.setup.deck
    found = []
    for face in play_of(people).corrections(card.card):
        plan = planned(desk, card.card, deck[face])
        if (plan.refusal is None) is whole:
            found.append(face)
    return found


@pytest.fixture
def table() -> Table:
    return Table(Mode.TWO, 4, lambda state: acting(state) and len(state.railway) >= 6)


def test_each_card_of_the_railway_is_told_with_its_place(table: Table) -> None:
    cards = [card for card in present(table.people).cards if card.place is not None]
    assert [(card.place, card.face) for card in cards] == list(
        enumerate(face.id for face in table.game.state.railway.faces)
    )
    assert [card.pose for card in cards] == [card.pose for card in table.game.state.railway.cards]
    for card in cards:
        assert isinstance(table.game.steps[card.card], (StartCard, Lay))
        assert card.face not in play_of(table.people).corrections(card.card)


def test_any_card_of_the_railway_is_corrected_and_all_that_came_later_stays(table: Table) -> None:
    corrected = 0
    for place in range(len(table.game.state.railway)):
        card = present(table.people).cards[place]
        before, faces = steps_of(table.people), [face.id for face in table.game.state.railway.faces]
        for face in all_others(table, card, whole=True)[:1]:
            tap(table.people, card, face)
            faces[place] = face
            corrected += 1
            table.people.wait(3.0)  # the dice of the last roll stand before it
            assert "Corrected" in table.text
            assert [face.id for face in table.game.state.railway.faces] == faces
            assert [type(step) for step in steps_of(table.people)] == [type(step) for step in before]
            table.people.look(5.0)
            assert not table.screen.alert
            assert [face.id for face in table.game.state.railway.faces] == faces
    assert corrected >= 2


def test_where_a_later_card_would_be_lost_it_cannot_be_that_one(table: Table) -> None:
    card = present(table.people).cards[1]
    wrong = all_others(table, card, whole=False)
    assert wrong
    before = table.game.states
    for face in wrong:
        tap(table.people, card, face)
        assert table.game.states == before
        assert "It cannot be" in table.text
        assert present(table.people).forbidden


def test_no_dice_fall_for_what_cannot_be() -> None:
    """Else real dice would not be asked for in the next turn."""
    table = Table(Mode.TWO, 4, acting)
    desk = table.people.controller.desk
    desk.source = table.people.fate = Dice()
    table.lay()
    rolled(table, 0)
    table.people.table.as_in(table.game.state)
    table.people.look(4.0)
    table.lay()
    table.people.look(1.0)
    card = [card for card in present(table.people).cards if card.place is not None][-2]
    wrong = [face for face in all_others(table, card, whole=False) if table.game.state.setup.deck[face].value > 1]
    for face in wrong:
        tap(table.people, card, face)
    assert table.game.state.phase is Phase.BUILDING
    assert not desk.tape.knows(table.game.steps, 1)


def test_the_card_laid_last_may_cost_what_was_done_with_it_as_with_the_buttons() -> None:
    """The dice fall anew for another value, and the penalty cards that were put down come back."""
    table = Table(Mode.TWO, 4, acting)
    table.people.controller.desk.source = table.people.fate = Dice()
    face, _, _ = table.lay()
    rolled(table, 0)
    number = len(present(table.people).cards) - 1
    card = present(table.people).cards[number]
    others = [
        other
        for other in play_of(table.people).corrections(card.card)
        if planned(table.people.controller.desk, card.card, table.game.state.setup.deck[other]).steps
        and table.game.state.setup.deck[other].value != face.value
    ]
    tap(table.people, card, others[0])
    rolls = [step for step in table.game.steps if isinstance(step, Roll)]
    assert len(rolls[-1].dice) == table.game.state.setup.deck[others[0]].value


def test_a_card_that_is_objected_to_is_tapped_and_the_clause_comes_and_goes(table: Table) -> None:
    front = table.game.state.railway.front.face.value
    misread = table.face(lambda face: face.kind == "track" and abs(face.value - front) == 2)
    right, pose = table.layable()
    assert present(table.people).forbidden == ""
    number = table.people.table.put(misread.id, pose)
    table.people.look(0.5)
    assert present(table.people).forbidden == "LAY4"
    assert "LAY4" in {clause.id for chapter in play_of(table.people).rules("de") for clause in chapter.clauses}
    (card,) = [card for card in present(table.people).cards if card.place is None]
    assert (card.face, card.card) == (misread.id, -1 - number)
    tap(table.people, card, right.id)
    table.people.look(0.5)
    assert table.game.state.railway.front.face == right
    assert present(table.people).forbidden == ""


def test_what_was_asked_about_another_card_or_moment_changes_nothing(table: Table) -> None:
    people = table.people
    then = present(people)
    card = then.cards[-1]
    face = play_of(people).corrections(card.card)[0]
    table.lay()
    table.press(Button.BACK)
    people.table.as_in(table.game.state)
    people.look(1.0)
    before, effects = table.game.states, len(people.effects)
    for late in (
        TakenBack(then.moment),
        TakenBack(""),
        Corrected(card.card, face, card.face),
        Corrected(card.card, card.face, card.face),
        Corrected(card.card, card.face, "no-card"),
        Corrected(-99, card.face, face),
        Corrected(10**9, card.face, face),
    ):
        people.wait(7.0)
        people.handle(late)
        assert table.game.states == before
        assert "Things have changed" in table.text, late
    assert len(people.effects) > effects
    assert play_of(people).corrections(-99) == []


def test_of_two_phones_and_a_button_only_one_takes_back(table: Table) -> None:
    table.lay()
    done = len(table.game.steps)
    asked = TakenBack(present(table.people).moment)
    table.people.handle(asked)
    table.people.handle(asked)
    assert len(table.game.steps) == done - 1
    asked = TakenBack(present(table.people).moment)
    table.people.press(Button.BACK, held=True)
    done = len(table.game.steps)
    table.people.handle(asked)
    assert len(table.game.steps) == done


def test_a_moment_does_not_come_again_with_as_many_steps(table: Table) -> None:
    table.lay()
    then = present(table.people).moment
    done = len(table.game.steps)
    table.people.press(Button.BACK)
    table.people.table.as_in(table.game.state)
    table.people.look(1.0)
    table.lay()
    assert len(table.game.steps) == done
    table.people.handle(TakenBack(then))
    assert len(table.game.steps) == done


def test_of_two_phones_that_say_what_a_card_is_the_first_is_heard(table: Table) -> None:
    people = table.people
    place, card, faces = next(
        (place, card, faces)
        for place, card in enumerate(present(people).cards)
        if len(faces := all_others(table, card, whole=True)) > 1
    )
    for face in faces[:2]:
        tap(people, card, face)
    assert table.game.state.railway.faces[place].id == faces[0]


def test_the_automatons_card_is_corrected_when_it_is_drawn_and_when_it_lies() -> None:
    table = Table(Mode.BETSY, 2, lambda state: state.drawn is not None and len(state.railway) > 4)
    card = present(table.people).cards[-1]
    drawn = table.game.state.drawn
    assert drawn is not None
    assert (card.face, card.place) == (drawn.id, None)
    deck, before = table.game.state.setup.deck, table.game.states[-2]
    face = next(
        face
        for face in play_of(table.people).corrections(card.card)
        if deck[face].is_track and legal_placements(after(before, Draw(face)), deck[face])
    )
    tap(table.people, card, face)
    assert table.game.steps[-1] == Draw(face)
    card = present(table.people).cards[-1]
    tap(table.people, card, drawn.id)
    table.people.play(table.source, table.at + 1)
    assert isinstance(table.game.steps[card.card + 1], Lay)
    (card,) = [each for each in present(table.people).cards if each.card == card.card]
    assert card.face == drawn.id
    assert card.place is not None
    face = all_others(table, card, whole=True)[0]
    tap(table.people, card, face)
    assert table.game.state.railway.faces[card.place].id == face
    assert table.game.steps[card.card] == Draw(face)


def test_cards_of_a_hand_are_corrected_and_taken_back_one_by_one() -> None:
    table = Table(Mode.TWO, 2, lambda state: state.phase is Phase.LAYING_OPEN)
    hand = table.game.state.players[0].hand
    assert hand > 1
    step = table.source.steps[table.at]
    table.people.table.show(step.faces[0])  # type: ignore[union-attr]
    table.people.look()
    card = present(table.people).cards[-1]
    face = play_of(table.people).corrections(card.card)[0]
    tap(table.people, card, face)
    assert table.people.controller.desk.hand == (face,)
    tap(table.people, card, face)
    asked, done = TakenBack(present(table.people).moment), table.game.steps
    table.people.handle(asked)
    assert table.people.controller.desk.hand == ()
    table.people.handle(asked)
    assert table.game.steps == done


def test_half_a_hand_that_has_been_shown_is_not_lost() -> None:
    table = Table(Mode.TWO, 2, lambda state: state.phase is Phase.LAYING_OPEN)
    people = table.people
    people.controller.desk.source = people.fate = Dice()
    step = table.source.steps[table.at]
    people.table.show(step.faces[0])  # type: ignore[union-attr]
    people.look()
    assert present(people).cards[-1].place is None
    for place in range(len(table.game.state.railway)):
        for face in play_of(people).corrections(present(people).cards[place].card):
            tap(people, present(people).cards[place], face)
            assert people.controller.desk.hand == step.faces[:1]  # type: ignore[union-attr]


def test_where_people_have_turned_the_railway_round_its_cards_are_found() -> None:
    game = Game(fresh(Mode.TWO, "loose_caboose", rails=False))
    for step in (StartCard("track-1-left"), StartCard("track-2-left"), StartCard("track-1-straight"), Begin(0, True)):  # noqa: FBT003
        game.do(step)
    people = Player(Controller(game, Settings(has_camera=False)), Fate(), Random(1), has_camera=False)
    assert [(card.card, card.face) for card in present(people).cards] == [
        (2, "track-1-straight"),
        (1, "track-2-left"),
        (0, "track-1-left"),
    ]
    tap(people, present(people).cards[0], "track-3-left")
    assert [face.id for face in game.state.railway.faces] == ["track-3-left", "track-2-left", "track-1-left"]


@pytest.mark.parametrize("is_taken_back", [True, False])
def test_a_press_that_waits_is_not_meant_for_other_cards(table: Table, is_taken_back: bool) -> None:
    people = table.people
    people.table.cards.pop(table.lay()[2])
    people.table.hand = True
    people.handle(Seen(people.table.reading()))
    people.press(Button.ROLL)
    assert people.controller.desk.early.button is Button.ROLL
    card = [card for card in present(people).cards if card.place is not None][-1]
    if is_taken_back:
        people.handle(TakenBack(present(people).moment))
    else:
        tap(people, card, all_others(table, card, whole=True)[0])
    done = len(table.game.steps)
    people.wait(5.0)
    assert len(table.game.steps) == done
    assert people.controller.desk.dialog is None


def test_a_card_set_aside_is_corrected() -> None:
    people = seat(Mode.TWO, 3, noise=0.0)
    people.table.show("chaos-1")
    people.look()
    (card,) = present(people).cards
    tap(people, card, "chaos-2")
    assert people.game.steps == (SetAside("chaos-2"),)


def test_an_open_dialog_is_closed_only_where_it_would_go_on_with_what_is_no_more(table: Table) -> None:
    people = table.people
    desk = people.controller.desk
    front = table.game.state.railway.front.face.value
    misread = table.face(lambda face: face.kind == "track" and abs(face.value - front) == 2)
    people.table.put(misread.id, table.layable()[1])
    people.look(0.5)
    loose, laid = present(people).cards[-1], present(people).cards[-2]
    refused = all_others(table, present(people).cards[1], whole=False)[0]
    for button, dialog in ((Button.PASS, FaceEntry), (Button.UP, ListEntry)):
        people.press(button)
        assert isinstance(desk.dialog, dialog)
        tap(people, loose, misread.id)
        tap(people, present(people).cards[1], refused)
        assert isinstance(desk.dialog, dialog)
        people.press(Button.BACK, held=True)
    people.press(Button.PASS)
    tap(people, laid, all_others(table, laid, whole=True)[0])
    assert desk.dialog is None


def test_a_place_is_not_chosen_for_a_card_that_is_another_one_by_now(table: Table) -> None:
    face, pose = table.layable()
    people = table.people
    people.table.put(face.id, moved(pose, 25, 0))
    people.look(0.5)
    people.press(Button.ROLL)
    assert isinstance(people.controller.desk.dialog, PlaceEntry)
    card = present(people).cards[-1]
    tap(people, card, play_of(people).corrections(card.card)[0])
    assert people.controller.desk.dialog is None


def test_wheels_are_not_entered_for_cards_that_were_others() -> None:
    table = Table(Mode.TWO, 4, acting, with_own(Settings(), real_dice=True))
    table.lay()
    table.people.press(Button.ROLL)
    assert isinstance(table.people.controller.desk.dialog, WheelsEntry)
    cards = [card for card in present(table.people).cards if card.place is not None]
    face = next(iter(all_others(table, cards[-1], whole=True)))
    tap(table.people, cards[-1], face)
    assert table.people.controller.desk.dialog is None
    assert table.game.state.railway.front.face.id == face


def test_a_card_that_need_not_be_seen_need_not_be_seen_as_another_one_either(table: Table) -> None:
    face, pose = table.layable()
    people = table.people
    people.press(Button.ROLL)
    people.wait(2.0)
    people.controller.desk.lay(Lay(face.id, pose))
    card = [card for card in present(people).cards if card.place is not None][-1]
    tap(people, card, all_others(table, card, whole=True)[0])
    people.look(6.0)
    assert table.game.state.phase is Phase.BUILDING
    assert not table.screen.alert


@pytest.mark.parametrize(
    "make", [lambda: Lobby(Settings(), [GAME]), lambda: DiceTable(Settings())], ids=["lobby", "dice"]
)
def test_what_is_no_game_does_not_listen(make: Callable[[], Lobby | DiceTable]) -> None:
    handler = make()
    assert [type(effect) for effect in handler.handle(Pressed(Button.UP))] == [Show]
    assert handler.handle(Corrected(0, "track-1-left", "track-2-left")) == []
    assert handler.handle(TakenBack("3")) == []
