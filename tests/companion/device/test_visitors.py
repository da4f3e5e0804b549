"""Who may do more than watch: digits of the screen, then a button, and nobody is let in by guessing or by mistake."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from companion.device.between_games.lobby import Lobby
from companion.device.visitors import (
    BEFORE,
    MOST_TRIES,
    QUIET_SECONDS,
    TRIAL_SECONDS,
    WAITING_SECONDS,
    Answer,
    Doorman,
    Knock,
    NotNowError,
    Visitors,
)
from companion.games.events import Effect, Pressed, Show, Sound, Tick
from companion.games.registry import games
from companion.games.settings import Settings
from companion.screen.screen import Screen
from hardware.buttons import Button

PHONE, OTHER = "192.168.1.7", "192.168.1.8"


class Clock:
    """Seconds that a test lets pass."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


class Table:
    """The list of games, with a door; what people at the table see."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.visitors = Visitors(self.clock)
        self.lobby = Lobby(Settings(), games())
        self.door = Doorman(self.lobby, self.visitors)
        self.screen = Screen()
        self.sounds: list[str] = []
        self.wait(0.0)

    def _see(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Show):
                self.screen = effect.screen
            elif isinstance(effect, Sound):
                self.sounds.append(effect.name)

    def wait(self, seconds: float) -> None:
        self.clock.seconds += seconds
        self._see(self.door.handle(Tick(self.clock.seconds)))

    def press(self, button: Button) -> None:
        self._see(self.door.handle(Pressed(button)))

    def digits(self) -> str:
        """What stands on the screen, as somebody types it."""
        self.wait(0.1)
        return self.screen.main.replace(" ", "")


@pytest.fixture
def table() -> Table:
    return Table()


def test_who_types_the_digits_and_is_welcome_may_come_in(table: Table) -> None:
    before = table.screen
    secret = table.visitors.knock(PHONE)
    digits = table.digits()
    assert table.screen.heading == PHONE
    assert len(digits) == 6
    assert table.visitors.answer_to(secret) is Answer.DIGITS
    assert table.visitors.try_digits(secret, digits, PHONE)
    assert table.visitors.answer_to(secret) is Answer.PEOPLE
    table.wait(0.1)
    table.wait(1.0)
    table.press(Button.ROLL)
    assert table.visitors.answer_to(secret) is Answer.COME_IN
    table.wait(0.1)
    assert table.screen == before
    # Told once: who has only watched the network cannot ask again for the same.
    with pytest.raises(NotNowError, match="gone"):
        table.visitors.answer_to(secret)


def test_digits_alone_let_nobody_in_and_a_button_alone_neither(table: Table) -> None:
    secret = table.visitors.knock(PHONE)
    table.wait(1.0)
    table.wait(1.0)
    table.press(Button.ROLL)
    assert table.visitors.answer_to(secret) is Answer.DIGITS


def test_a_press_that_was_meant_for_the_game_does_not_say_yes(table: Table) -> None:
    secret = table.visitors.knock(PHONE)
    table.visitors.try_digits(secret, table.digits(), PHONE)
    table.wait(0.1)
    table.press(Button.ROLL)
    assert table.visitors.answer_to(secret) is Answer.PEOPLE


def test_while_somebody_knocks_no_press_reaches_the_game(table: Table) -> None:
    before = table.screen
    table.visitors.knock(PHONE)
    table.wait(0.1)
    table.press(Button.DOWN)
    table.wait(WAITING_SECONDS)
    assert table.screen == before
    table.press(Button.DOWN)
    assert table.screen != before


def test_who_comes_in_no_more_gives_the_screen_back_and_nobody_else_can(table: Table) -> None:
    before = table.screen
    secret = table.visitors.knock(PHONE)
    table.wait(0.1)
    with pytest.raises(NotNowError, match="gone"):
        table.visitors.withdraw("another")
    assert table.visitors.now is not None
    table.visitors.withdraw(secret)
    table.wait(0.1)
    assert table.screen == before
    with pytest.raises(NotNowError, match="gone"):
        table.visitors.withdraw(secret)
    # Not what people are asked about a program: that is nobody's at the door.
    asked = table.visitors.ask("1.2", PHONE)
    with pytest.raises(NotNowError, match="gone"):
        table.visitors.withdraw(asked)
    assert table.visitors.now is not None


def test_who_is_sent_away_can_not_come_back_at_once(table: Table) -> None:
    secret = table.visitors.knock(PHONE)
    table.wait(0.1)
    table.wait(1.0)
    table.press(Button.BACK)
    assert table.visitors.answer_to(secret) is Answer.NO
    for seconds, reason in ((1.0, "quiet"), (QUIET_SECONDS - 2, "quiet")):
        table.wait(seconds)
        with pytest.raises(NotNowError, match=reason):
            table.visitors.knock(OTHER)
    table.wait(5.0)
    table.visitors.knock(OTHER)


def test_one_at_a_time_is_asked_about(table: Table) -> None:
    table.visitors.knock(PHONE)
    with pytest.raises(NotNowError, match="busy"):
        table.visitors.knock(OTHER)
    table.wait(WAITING_SECONDS)
    table.visitors.knock(OTHER)


def test_nobody_can_guess(table: Table) -> None:
    """A thousand addresses try a thousand digits: each screen bears five wrong ones, then it is another screen."""
    tries = 0
    for at in range(1000):
        address = f"10.0.{at // 250}.{at % 250}"
        try:
            secret = table.visitors.knock(address)
        except NotNowError:
            table.wait(1.0)
            continue
        wrong = wrong_digits(table.digits())
        for _ in range(MOST_TRIES - 1):
            assert not table.visitors.try_digits(secret, next(wrong), address)
            tries += 1
        with pytest.raises(NotNowError, match="often"):
            table.visitors.try_digits(secret, next(wrong), address)
        assert not table.visitors.try_digits(secret, next(wrong), "10.1.0.1" + str(at))
        # The screen has gone with the fifth.
        with pytest.raises(NotNowError, match="gone"):
            table.visitors.try_digits(secret, "000000", f"10.2.0.{at}")
        table.wait(60.0)
    assert tries > 100


def wrong_digits(right: str) -> Iterator[str]:
    return (f"{number:06}" for number in count() if f"{number:06}" != right)


@pytest.mark.parametrize("secret", ["", "x" * 10_000, "ä"])
def test_who_has_not_knocked_is_told_nothing(table: Table, secret: str) -> None:
    table.visitors.knock(PHONE)
    for ask in (table.visitors.answer_to, lambda secret: table.visitors.try_digits(secret, "ä" * 9000, OTHER)):
        with pytest.raises(NotNowError, match="gone"):
            ask(secret)


def test_of_who_asks_from_everywhere_no_memory_is_kept_for_long(table: Table) -> None:
    for at in range(5000):
        with pytest.raises(NotNowError):
            table.visitors.try_digits("", "", f"10.{at}")
    assert len(table.visitors._tried) <= 200
    table.wait(60.0)
    secret = table.visitors.knock(PHONE)
    assert isinstance(table.visitors.now, Knock)
    assert table.visitors.answer_to(secret) is Answer.DIGITS


@pytest.mark.parametrize(("button", "answer"), [(Button.ROLL, Answer.COME_IN), (Button.BACK, Answer.NO)])
def test_only_people_at_the_table_say_whether_another_version_is_put_in(
    table: Table, button: Button, answer: Answer
) -> None:
    before = table.screen
    secret = table.visitors.ask("2.0.1", PHONE)
    table.wait(0.1)
    assert "2.0.1" in table.screen.main
    assert table.screen.heading == PHONE
    table.press(Button.ROLL)
    assert table.visitors.answer_to(secret) is Answer.PEOPLE
    with pytest.raises(NotNowError, match="busy"):
        table.visitors.ask(BEFORE, OTHER)
    # There are no digits that could be guessed.
    table.visitors.try_digits(secret, "", PHONE)
    table.wait(1.0)
    table.press(button)
    assert table.visitors.answer_to(secret) is answer
    table.wait(0.1)
    assert table.screen == before


def test_while_buttons_are_tried_none_reaches_the_game(table: Table) -> None:
    before = table.screen
    table.visitors.try_out()
    table.wait(0.1)
    assert "1" in table.screen.keys
    assert table.sounds == ["end"]
    with pytest.raises(NotNowError, match="busy"):
        table.visitors.knock(PHONE)
    for button in Button:
        table.press(button)
    assert table.visitors.trial is not None
    assert table.visitors.trial.pressed == set(Button)
    assert set(table.screen.keys) == {"✓"}
    table.wait(5.0)
    assert table.screen == before
    table.visitors.try_out()
    table.wait(TRIAL_SECONDS)
    assert table.screen == before
    table.press(Button.DOWN)
    assert table.screen != before


def test_a_yes_to_a_version_lets_nobody_in_and_the_other_way_round(table: Table) -> None:
    secret = table.visitors.ask("0.2.0", PHONE)
    with pytest.raises(NotNowError, match="gone"):
        table.visitors.answer_to(secret, at_door=True)
    assert table.visitors.answer_to(secret, at_door=False) is Answer.PEOPLE
    table.wait(WAITING_SECONDS)
    secret = table.visitors.knock(PHONE)
    with pytest.raises(NotNowError, match="gone"):
        table.visitors.answer_to(secret, at_door=False)
    assert table.visitors.answer_to(secret, at_door=True) is Answer.DIGITS
