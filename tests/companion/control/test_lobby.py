"""The list before a game."""

from companion.control.events import Kept, Leave, Pressed, Show, Tick
from companion.control.lobby import Lobby
from companion.control.settings import Settings
from companion.loknroll import Mode, load_edition
from hardware.buttons import Button


def test_a_mode_is_chosen_and_the_game_begins() -> None:
    lobby = Lobby(Settings(), load_edition().modes, can_resume=False)
    (first,) = lobby.handle(Tick(0.0))
    assert isinstance(first, Show)
    down = first.screen.choices.index("Against Betsy")
    for _ in range(down):
        lobby.handle(Pressed(Button.DOWN))
    assert lobby.handle(Pressed(Button.ROLL)) == [Leave("begin")]
    assert lobby.mode is Mode.BETSY


def test_a_game_that_was_not_finished_comes_first() -> None:
    lobby = Lobby(Settings(), load_edition().modes, can_resume=True)
    lobby.handle(Tick(0.0))
    assert lobby.handle(Pressed(Button.ROLL)) == [Leave("resume")]


def test_the_language_is_changed_and_kept() -> None:
    lobby = Lobby(Settings(), load_edition().modes, can_resume=False)
    (first,) = lobby.handle(Tick(0.0))
    assert isinstance(first, Show)
    for _ in range(first.screen.choices.index("Language: en")):
        lobby.handle(Pressed(Button.DOWN))
    kept, shown = lobby.handle(Pressed(Button.ROLL))
    assert kept == Kept(Settings(language="de"))
    assert isinstance(shown, Show)
    assert "Gegen Betsy" in shown.screen.choices
