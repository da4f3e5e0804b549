"""The virtual device from game to game: left by its own buttons, played to pieces by hands, and never ended by it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from companion.device.last_game import Order
from companion.device.virtual_device import Speed, VirtualDevice
from companion.games import registry
from companion.games.events import Effect, Event, Leave, Pressed
from companion.record.file import read_record, write_record
from companion.virtual.robot_hands import RobotHands
from companion.virtual.things import Place
from companion.web.virtual_table.news import deck_news, world_news
from hardware.buttons import Button
from tests.companion.device.running import choose, press, read, running
from tests.companion.games import rising
from tests.companion.web.browsers import wait_until
from vision.cards import Pose

BETSY, RISING = Order("loknroll", "betsy"), Order("rising", "alone")
PUZZLE = Order("locomotion", "solo")
WENT_WRONG = "Something went wrong."


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A toy game is among the games, and may be broken."""
    monkeypatch.setattr(registry, "MODULES", [*registry.MODULES, "tests.companion.games.rising"])
    return monkeypatch


def does(toy: pytest.MonkeyPatch, button: Button, what: Any) -> None:
    """From now on a button of the toy game does something else."""
    usual = rising.Play.handle

    def handle(play: rising.Play, event: Event) -> list[Effect]:
        return what(play) if isinstance(event, Pressed) and event.button is button else usual(play, event)

    toy.setattr(rising.Play, "handle", handle)


def mistake(*_: object) -> Any:
    """What a program does that has a mistake."""
    raise KeyError("a mistake")


def game_of(device: VirtualDevice) -> str:
    """What tells the recorded game from all others."""
    return str(read_record(device.session.record).header["id"])


def begun(folder: Path, *cards: int) -> Path:
    """The record of a toy game in which these cards have been laid."""
    record = folder / "game.jsonl"
    write_record(record, {"game": "rising", "id": "1"}, [{"step": "lay", "card": card} for card in cards])
    return record


def list_of_games(device: VirtualDevice, title: str) -> None:
    """Reads what is said, and goes on to the list of a game."""
    press(device, Button.ROLL, "Names")
    while device.screen.heading != title:
        next_list(device)


def next_list(device: VirtualDevice) -> str:
    """Turns to the list of the next game; returns its heading."""
    before = device.screen.heading
    device.press(Button.PASS)
    wait_until(lambda: device.screen.heading != before, what="the list of the next game does not come")
    return device.screen.heading


def open_settings(device: VirtualDevice) -> None:
    press(device, Button.UP, "Settings")
    choose(device, "Settings", "Switch off")


def test_a_game_is_left_for_the_dice_for_another_one_and_for_good(tmp_path: Path) -> None:
    with running(tmp_path, BETSY, has_camera=False) as device:
        first, begins = game_of(device), device.screen.main
        open_settings(device)
        choose(device, "Dice box", "4 × wheel")
        device.press(Button.ROLL)
        wait_until(lambda: device.screen.dice and not device.screen.tumbling)
        press(device, Button.BACK, begins)
        assert game_of(device) == first
        open_settings(device)
        choose(device, "New game", "Continue the game")
        choose(device, "Two players", begins)
        second = game_of(device)
        assert second != first
        assert device.play.kind == "2"
        open_settings(device)
        choose(device, "Switch off", "Goodbye")
        press(device, Button.UP, begins)
        assert game_of(device) == second
        open_settings(device)


def test_switched_off_it_stays_off_until_a_button_wakes_it_and_does_nothing_else(
    tmp_path: Path, toy: pytest.MonkeyPatch
) -> None:
    does(toy, Button.UP, lambda _: [Leave("off")])
    with running(tmp_path, RISING) as device:
        bright = device.memory.contrast
        press(device, Button.UP, "Goodbye")
        time.sleep(0.3)
        assert "Goodbye" in read(device)
        wait_until(lambda: device.memory.contrast < bright)
        press(device, Button.ROLL, "RISING")
        time.sleep(0.2)
        assert not device.play.is_over
        assert device.memory.contrast == bright
        press(device, Button.UP, "Goodbye")
        device.begin(RISING)
        wait_until(lambda: "RISING" in read(device))


def test_dice_fall_also_where_a_robot_was_quick(tmp_path: Path, toy: pytest.MonkeyPatch) -> None:
    does(toy, Button.UP, lambda _: [Leave("dice")])
    toy.setattr(rising.Robot, "act", lambda *_: None)
    with running(tmp_path, RISING) as device:
        device.let_robot_play("fast")
        wait_until(lambda: device.clock.is_hurried)
        press(device, Button.UP, "Dice box")
        device.press(Button.ROLL)
        wait_until(lambda: device.screen.dice and not device.screen.tumbling, 5, "they never come to lie")
        press(device, Button.BACK, "RISING")
        wait_until(lambda: device.clock.is_hurried)


@pytest.mark.parametrize("place", [Place.HAND, pytest.param(Place.AWAY, marks=pytest.mark.further)])
def test_a_pile_emptied_by_hand_is_no_end(tmp_path: Path, place: Place) -> None:
    """The robot puts back what was drawn too much, or says what it lacks and lets go."""
    with running(tmp_path, BETSY, has_camera=False) as device:
        while pile := device.world.cards(Place.PILE):
            device.world.put_away(pile[-1].number, place)
        device.let_robot_play("fast")
        if place is Place.HAND:
            wait_until(lambda: device.world.cards(Place.TABLE))
            device.let_robot_play("off")
        else:
            wait_until(lambda: "pile is empty" in device.robot_trouble)
            assert device.robot_speed == "off"
        device.press(Button.PASS)
        assert world_news(device)["pile"] == len(device.world.cards(Place.PILE))
        first = game_of(device)
        device.speak("de")
        device.begin(BETSY)
        wait_until(lambda: len(device.world.cards(Place.PILE)) == 55 and game_of(device) != first)
        assert len(world_news(device)["cards"]) == 0
        wait_until(lambda: "Spieler 1" in read(device))


@pytest.mark.parametrize(("speed", "left"), [("hands", ("hands", "")), ("natural", ("off", WENT_WRONG))])
def test_a_mistake_of_the_game_is_logged_and_said_and_the_game_goes_on(
    tmp_path: Path, toy: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, speed: Speed, left: tuple[Speed, str]
) -> None:
    does(toy, Button.UP, mistake)
    toy.setattr(rising.Robot, "act", lambda *_: None)
    begun(tmp_path, 1, 2)
    with running(tmp_path, has_camera=False) as device:
        device.let_robot_play(speed)
        first, kept = game_of(device), device.session.record.read_bytes()
        press(device, Button.UP, WENT_WRONG)
        (logged,) = caplog.records
        assert logged.exc_info is not None
        assert logged.exc_info[0] is KeyError
        assert (device.robot_speed, device.robot_trouble) == left
        list_of_games(device, "RISING")
        choose(device, "Continue the game", "[1, 2")
        assert device.session.record.read_bytes() == kept
        press(device, Button.UP, WENT_WRONG)
        list_of_games(device, "RISING")
        choose(device, "Rising, alone", "[] 0")
        assert game_of(device) != first


@pytest.mark.parametrize("where", ["offers", "options", "book"])
def test_a_game_that_makes_mistakes_in_the_list_is_left_out_or_let_be(
    tmp_path: Path, toy: pytest.MonkeyPatch, where: str
) -> None:
    toy.setattr(rising.Rising, where, property(mistake) if where == "book" else mistake)
    with running(tmp_path, RISING) as device:
        press(device, Button.ROLL, "[] ")
        list_of_games(device, "LOK'n'ROLL")
        assert "Against Betsy" in device.screen.choices
        lists = {next_list(device): device.screen.choices for _ in range(3)}
        assert ("Rising, alone" in lists.get("RISING", ())) == (where != "offers")
        assert deck_news(device)["offers"]["en"]
        device.begin(RISING)
        wait_until(lambda: "[] 0" in read(device))


def test_a_robot_that_makes_mistakes_lets_go(
    tmp_path: Path, toy: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    toy.setattr(rising.Robot, "act", mistake)
    with running(tmp_path, RISING) as device:
        device.let_robot_play("fast")
        wait_until(lambda: device.robot_trouble)
        assert device.robot_trouble == WENT_WRONG
        assert device.robot_speed == "off"
        assert "KeyError" in caplog.text
        press(device, Button.ROLL, "[] ")


def test_a_game_that_cannot_be_laid_out_is_said_and_another_one_begins(tmp_path: Path, toy: pytest.MonkeyPatch) -> None:
    usual = rising.Rising.lay_out
    with running(tmp_path, RISING) as device:
        device.world.draw(0)
        toy.setattr(rising.Rising, "lay_out", mistake)
        device.begin(RISING)
        wait_until(lambda: WENT_WRONG in read(device))
        assert device.play is None
        toy.setattr(rising.Rising, "lay_out", usual)
        list_of_games(device, "RISING")
        choose(device, "Continue the game", "[] 0")
        assert len(device.world.cards(Place.PILE)) == len(rising.NUMBERS), "the cards of the game before lie there"


def test_before_any_game_could_be_laid_out_the_list_is_served(tmp_path: Path, toy: pytest.MonkeyPatch) -> None:
    toy.setattr(rising.Rising, "lay_out", mistake)
    with running(tmp_path, RISING) as device:
        wait_until(lambda: WENT_WRONG in read(device) and device.is_laid.is_set())
        assert deck_news(device)["offers"]["en"]
        assert world_news(device)["title"] == ""


def damaged(record: Path) -> None:
    """A line of it has been changed."""
    lines = record.read_text("utf-8").splitlines(keepends=True)
    record.write_text(lines[0] + lines[1].replace('"card":1', '"card":2') + "".join(lines[2:]), "utf-8")


@pytest.mark.parametrize("breaks", ["line", "standing", "resume"])
def test_a_record_that_cannot_be_taken_up_is_kept_and_another_game_begins(
    tmp_path: Path, toy: pytest.MonkeyPatch, breaks: str
) -> None:
    record = begun(tmp_path, 1, 2)
    if breaks == "line":
        damaged(record)
    else:
        toy.setattr(rising.Rising, breaks, mistake)
    before = record.read_bytes()
    with running(tmp_path) as device:
        assert (WENT_WRONG if breaks != "line" else "The last game cannot be read") in read(device)
        list_of_games(device, "RISING")
        assert ("Continue the game" in device.screen.choices) == (breaks == "resume")
        assert world_news(device)["ready"]
        choose(device, "Rising, alone", "[] 0")
        kept = "game.jsonl.damaged-1" if breaks == "line" else "games/0001.jsonl"
        assert (tmp_path / kept).read_bytes() == before


def test_a_table_that_is_set_up_before_its_game_has_a_record_is_found_as_it_was_left(tmp_path: Path) -> None:
    with running(tmp_path, PUZZLE, has_camera=False) as device:
        assert not device.session.record.exists()
        press(device, Button.ROLL, "Set this up")
        press(device, Button.ROLL, "Your turn")
        RobotHands(device.world, 1).move_figure(-1, Pose(123, 45, 90))
        left = device.world.figures
    with running(tmp_path, has_camera=False) as device:
        assert device.world.figures == left


def test_a_result_stays_until_somebody_goes_on(tmp_path: Path, toy: pytest.MonkeyPatch) -> None:
    """A quick robot counts its time in pictures, of which many come in a moment."""
    with running(tmp_path, RISING) as device:
        device.let_robot_play("fast")
        wait_until(lambda: device.games_over)
        first, result = game_of(device), device.screen
        wait_until(lambda: device.robot_speed == "off", what="the robot does not stop")
        time.sleep(1.0)
        assert (game_of(device), device.games_over) == (first, 1)
        assert device.play.is_over
        assert device.screen.main == result.main


def test_the_language_changes_at_once_wherever_one_is(tmp_path: Path) -> None:
    with running(tmp_path, BETSY, has_camera=False) as device:
        first = game_of(device)
        device.speak("de")
        wait_until(lambda: "Spieler" in read(device) or "Karte" in read(device))
        device.speak("en")
        open_settings(device)
        device.speak("es")
        wait_until(lambda: device.screen.choices == (), what="a list in the old language is still open")
        device.speak("en")
        open_settings(device)
        choose(device, "Dice box", "4 × wheel")
        device.speak("de")
        wait_until(lambda: "Würfelbecher" in read(device))
        device.press(Button.BACK)
        wait_until(lambda: "Karte" in read(device))
        assert (game_of(device), device.kept.settings.language) == (first, "de")
