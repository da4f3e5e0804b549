"""What is asked about cards, and how few presses put right what was offered wrongly."""

from __future__ import annotations

import errno
from pathlib import Path

import numpy as np
import pytest

from companion.games.events import Changed, Fault, Kept, Leave, Sound, Spoken, Tick
from companion.games.settings import Change
from companion.teaching.lesson import Lesson
from companion.teaching.taught_deck import CardDoubt, Reason, TaughtDeck
from companion.teaching.teaching_eyes import Looking, Made, NoCard
from hardware.buttons import Button
from tests.companion.teaching.drawn_lesson import FACES, SIZES, Desk, facts
from vision.cards import Deck, Kind
from vision.teaching.lone_card import Reason as NotFound

ROLL, PASS, UP, DOWN, BACK = Button.ROLL, Button.PASS, Button.UP, Button.DOWN, Button.BACK
FIVE = ("track-1-left", "track-2-left", "track-3-left", "track-4-left", "track-1-straight")


def test_a_card_that_is_offered_rightly_takes_one_press(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.show("track-3-straight")
    assert desk.screen.main == "3, straight"
    desk.press(ROLL)
    assert desk.taught == [facts("track-3-straight")]
    assert Sound("right") in desk.effects
    assert desk.screen.lines == ("3, straight: taught.",)


@pytest.mark.parametrize(
    ("name", "offered", "presses"),
    [
        ("track-4-left", "track-2-left", (PASS, DOWN)),
        ("track-3-left", "track-3-right", (UP, DOWN, ROLL)),
        ("chaos-2", "track-2-straight", (UP, UP, ROLL)),
        ("track-2-straight", "chaos-2", (UP, DOWN, ROLL)),
    ],
)
def test_what_was_offered_wrongly_is_put_right_with_three_presses(
    tmp_path: Path, name: str, offered: str, presses: tuple[Button, ...]
) -> None:
    desk = Desk(tmp_path, *(("track-1-left",) if "left" in name else ()))
    desk.show(name, facts(offered))
    desk.press(*presses)
    assert desk.taught[-1] == facts(name)


def test_a_value_that_cannot_be_told_is_asked_and_rails_can_be_put_right_there(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "track-1-right", "track-1-across")
    desk.show("track-4-left", facts("track-1-straight"), value=None)
    assert desk.screen.main == "Which value?"
    desk.press(BACK)
    assert desk.screen.choices == ("straight", "curve right", "across", "curve left", "no rails")
    desk.press(UP, UP, ROLL, DOWN)
    assert desk.taught[-1] == facts("track-4-left")


def test_a_value_is_not_taken_for_right_before_somebody_has_seen_it(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "track-1-right", "track-1-across")
    desk.show("track-2-across", facts("track-1-straight"), are_ports_clear=False)
    assert desk.screen.heading == "Where do the rails leave?"
    desk.press(DOWN, DOWN, ROLL)
    assert desk.screen.main == "1, across"
    desk.press(PASS, PASS)
    assert desk.taught[-1] == facts("track-2-across")


def test_a_card_like_another_one_is_asked_about_and_one_of_them_is_broken(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "track-1-left")
    desk.show("broken-1", facts("track-1-left"))
    desk.press(ROLL)
    assert desk.screen.choices[desk.screen.chosen] == "This one is broken"
    desk.press(ROLL)
    assert [card.kind for card in desk.taught] == [Kind.TRACK, Kind.BROKEN]


def test_the_broken_one_of_two_may_have_been_shown_first(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.show("broken-1", facts("track-1-left"))
    desk.press(ROLL)
    desk.show("track-1-left")
    desk.press(ROLL, DOWN, ROLL)
    assert [card.kind for card in desk.taught] == [Kind.BROKEN, Kind.TRACK]
    assert Lesson(tmp_path / "lesson").cards[0].facts.kind is Kind.BROKEN


def test_the_same_card_once_more_is_not_taught_twice(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "track-1-left", "track-2-left")
    desk.show("track-2-left", same=1)
    desk.press(ROLL)
    assert desk.screen.choices[desk.screen.chosen] == "The same card"
    desk.press(ROLL)
    assert desk.taught == [facts("track-1-left"), facts("track-2-left")]


def test_what_was_said_of_the_last_card_can_be_changed_and_taken_back(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "track-1-left", "track-2-left")
    desk.press(DOWN, PASS, UP)
    assert [card.value for card in desk.taught] == [1, 3]
    desk.press(DOWN, BACK)
    assert [card.value for card in desk.taught] == [1, 3]
    desk.press(DOWN, DOWN)
    assert [card.value for card in desk.taught] == [1]
    assert desk.screen.lines == ("That card has been forgotten.",)
    assert len(Lesson(tmp_path / "lesson").cards) == 1


def test_while_a_card_is_asked_about_another_one_does_not_take_its_place(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.show("track-1-left")
    desk.show("track-2-left")
    desk.press(ROLL)
    assert desk.taught == [facts("track-1-left")]


@pytest.mark.parametrize("reason", NotFound)
def test_why_no_card_is_found_is_said(tmp_path: Path, reason: NotFound) -> None:
    desk = Desk(tmp_path)
    desk.tell(Looking())
    assert desk.screen.lines == ("Reading it ...",)
    desk.tell(NoCard(reason))
    assert len(desk.screen.lines) == 1
    assert desk.screen.lines != ("Reading it ...",)


def test_a_lesson_that_was_broken_off_goes_on_or_begins_anew(tmp_path: Path) -> None:
    Desk(tmp_path, *FIVE)
    again = Desk(tmp_path)
    assert again.screen.main == "5 taught"
    again.press(ROLL)
    assert again.screen.heading == "Card 6"
    anew = Desk(tmp_path)
    anew.press(PASS, BACK)
    assert anew.screen.main == "5 taught"
    anew.press(PASS, ROLL)
    assert anew.screen.heading == "Card 1"
    assert Lesson(tmp_path / "lesson").cards == ()
    assert not list((tmp_path / "lesson").glob("*.jpg"))


def test_a_deck_is_made_of_twelve_cards_and_no_fewer(tmp_path: Path) -> None:
    dozen = tuple(FACES)[:12]
    desk = Desk(tmp_path, *dozen[:11])
    desk.press(ROLL)
    assert desk.screen.heading == "Card 12"
    desk.show(dozen[11])
    # The last press: without Emma.
    desk.press(ROLL, ROLL, ROLL)
    assert desk.screen.main == "Learning ..."


def test_on_a_disk_that_is_full_nothing_is_taken_for_taught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path, "track-1-left")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr("companion.teaching.lesson.write_whole", full)
    desk.show("track-2-left")
    desk.press(ROLL)
    assert desk.screen.lines == ("Not saved. Is the memory card full?",)
    assert desk.taught == [facts("track-1-left")]
    desk.press(DOWN, DOWN)
    assert desk.taught == [facts("track-1-left")]
    again = Desk(tmp_path)
    again.press(PASS, ROLL)
    assert again.taught == [facts("track-1-left")]


def test_while_a_deck_is_made_a_fault_is_told_and_back_leads_out(tmp_path: Path) -> None:
    desk = Desk(tmp_path, *tuple(FACES)[:12])
    desk.press(ROLL, ROLL)
    desk.teaching.handle(Fault("camera", ""))
    assert desk.screen.lines == ("No camera: check its cable.",)
    desk.press(BACK)
    assert desk.screen.heading == "Card 13"
    desk.tell(Made(TaughtDeck(Deck("own", ()), {}, ())))  # too late: another card may have been shown
    assert desk.screen.heading == "Card 13"


def test_whatever_goes_wrong_when_a_deck_is_made_people_get_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("companion.teaching.teaching_eyes.make_deck", fails)
    desk = Desk(tmp_path, *tuple(FACES)[:12])
    desk.press(ROLL, ROLL)
    desk.eyes.look(np.zeros((480, 640, 3), np.uint8), (), lambda: None)
    desk.teaching.handle(Tick(1.0))
    assert desk.screen.lines == ("These cards do not make a deck. Show more.",)


def test_a_deck_that_is_made_of_an_older_lesson_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path, *tuple(FACES)[:13])

    def is_changed_meanwhile(*_: object) -> TaughtDeck:
        desk.press(BACK, DOWN, DOWN, ROLL, ROLL)
        return TaughtDeck(Deck("own", ()), {}, (CardDoubt(12, Reason.LOST),))

    monkeypatch.setattr("companion.teaching.teaching_eyes.make_deck", is_changed_meanwhile)
    desk.press(ROLL, ROLL)
    desk.eyes.look(np.zeros((480, 640, 3), np.uint8), (), lambda: None)
    desk.teaching.handle(Tick(1.0))
    assert len(desk.taught) == 12
    assert desk.screen.main == "Learning ..."


def test_what_was_said_of_a_card_does_not_count_for_another_one(tmp_path: Path) -> None:
    desk = Desk(tmp_path, *FIVE)
    made(desk, CardDoubt(4, Reason.ALIKE, 0))
    desk.press(ROLL, BACK, DOWN, DOWN)
    desk.show("track-1-right")
    desk.press(ROLL)
    made(desk, CardDoubt(4, Reason.ALIKE, 0))
    assert desk.screen.heading == "Check again: 1 of 1"


def made(desk: Desk, *doubts: CardDoubt) -> None:
    """The deck has been made of the lesson, and this is doubtful."""
    faces = tuple(FACES[name] for name in FIVE)
    desk.learn()
    desk.tell(Made(TaughtDeck(Deck("own", faces), {}, doubts)))


def test_with_other_numbers_of_cards_how_often_each_occurs_is_asked(tmp_path: Path) -> None:
    desk = Desk(tmp_path, *FIVE)
    made(desk)
    assert desk.screen.heading == "5 cards, not 55"
    desk.press(*[ROLL] * 52, PASS, DOWN, PASS, BACK)
    assert not desk.decks  # 56: there is one of the second at least
    assert desk.screen.heading == "Card 6"
    made(desk)
    desk.press(*[ROLL] * 50, BACK)
    assert desk.screen.main == "Taught"
    assert [face.count for face in desk.decks[0].deck.faces] == [51, 1, 1, 1, 1]
    assert desk.decks[0].deck.size in SIZES
    desk.press(ROLL)
    assert desk.effects == [Leave("taught")]


def test_doubtful_cards_are_shown_again_or_are_right(tmp_path: Path) -> None:
    desk = Desk(tmp_path, *FIVE)
    doubts = (CardDoubt(1, Reason.ALIKE, 0), CardDoubt(3, Reason.RAILS, edges=()))
    made(desk, *doubts)
    assert desk.screen.heading == "Check again: 1 of 2"
    assert desk.screen.lines == ("It looks like 1, curve left.",)
    desk.press(ROLL, PASS)
    assert [card.value for card in desk.taught] == [1, 2, 3, 1]
    assert desk.screen.lines == ("Lay that card down again.",)
    # What was called right is not asked again.
    made(desk, doubts[0])
    assert desk.screen.heading == "5 cards, not 55"


def test_faults_and_the_language_are_told(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.teaching.handle(Fault("camera", "The camera does not answer."))
    assert desk.screen.lines == ("No camera: check its cable.",)
    desk.teaching.handle(Spoken("de"))
    assert desk.screen.main == "Leg eine Karte hin"


def test_a_setting_that_a_page_changes_is_used_and_kept(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    (kept, *_) = desk.teaching.handle(Changed(Change("language", "de")))
    assert kept == Kept(desk.teaching.settings)
    assert desk.screen.main == "Leg eine Karte hin"


def test_back_leaves_the_lesson_as_it_is(tmp_path: Path) -> None:
    desk = Desk(tmp_path, *FIVE)
    desk.press(BACK)
    assert desk.effects == [Leave("lobby")]
    assert len(Lesson(tmp_path / "lesson").cards) == 5
