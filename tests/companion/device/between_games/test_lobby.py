"""The list before a game."""

from pathlib import Path

import pytest

from companion.device.between_games.lobby import Lobby
from companion.device.between_games.name_entry import LONGEST_NAME, NameEntry
from companion.games.events import Changed, Effect, Kept, Leave, Opened, Pressed, Show, Spoken, Tick
from companion.games.game import Offer
from companion.games.loknroll.settings import own, with_own
from companion.games.registry import games
from companion.games.settings import Change, Settings, player_names
from hardware.buttons import Button
from vision.cards import standard_deck
from vision.deck_pictures import DeckPictures


def test_a_mode_is_chosen_and_the_game_begins() -> None:
    lobby = Lobby(Settings(), games())
    (first,) = lobby.handle(Tick(0.0))
    assert isinstance(first, Show)
    down = first.screen.choices.index("Against Betsy")
    for _ in range(down):
        lobby.handle(Pressed(Button.DOWN))
    assert lobby.handle(Pressed(Button.ROLL)) == [Leave("begin")]
    assert lobby.chosen == Offer("loknroll", "betsy", "Against Betsy")


def titles(lobby: Lobby) -> tuple[str, str]:
    """Which game the list is of, and the line that is chosen."""
    screen = lobby.screen()
    return screen.heading, screen.choices[screen.chosen]


def test_another_game_is_one_press_away_and_the_last_ones_are_asked_for_nothing() -> None:
    lobby = Lobby(Settings(), games())
    assert titles(lobby) == ("LOK'n'ROLL", "Two players")
    lobby.handle(Pressed(Button.PASS))
    assert titles(lobby) == ("Locomotion", "With the die")
    assert lobby.handle(Pressed(Button.ROLL)) == [Leave("begin")]
    assert lobby.chosen == Offer("locomotion", "die", "With the die")
    after = Lobby(Settings().with_begun("loknroll", "betsy").with_begun("locomotion", "solo"), games())
    assert titles(after) == ("Locomotion", "Solo")
    after.handle(Pressed(Button.PASS))
    assert titles(after) == ("LOK'n'ROLL", "Against Betsy")
    after.handle(Pressed(Button.PASS))
    assert titles(after) == ("Locomotion", "Solo")


def test_each_game_has_its_own_lines_alone() -> None:
    begun = Settings().with_begun("loknroll", "2").with_begun("locomotion", "speed")
    lobby = Lobby(begun, games(), can_resume=True, can_teach=True, has_own_deck=True)
    assert titles(lobby) == ("Locomotion", "Continue the game")
    mine = set(lobby.entries)
    lobby.handle(Pressed(Button.PASS))
    assert mine & set(lobby.entries) == {"solo", "names", "large", "language", "dice", "off"}
    assert {"teach", "deck", "2"} <= set(lobby.entries)
    assert {"resume", "die", "speed"} <= mine


def test_a_page_opens_a_line_of_whichever_game() -> None:
    lobby = Lobby(Settings().with_begun("locomotion", "die"), games(), can_teach=True)
    assert Leave("teach") in lobby.handle(Opened("teach"))


def test_with_one_game_there_is_nothing_to_choose_between() -> None:
    lobby = Lobby(Settings(), games()[:1])
    assert lobby.screen().keys[1] == ""
    lobby.handle(Pressed(Button.PASS))
    assert titles(lobby) == ("LOK'n'ROLL", "Two players")


def test_a_game_that_was_not_finished_comes_first() -> None:
    lobby = Lobby(Settings(), games(), can_resume=True)
    lobby.handle(Tick(0.0))
    assert lobby.handle(Pressed(Button.ROLL)) == [Leave("resume")]


def test_the_language_is_changed_and_kept() -> None:
    lobby = Lobby(Settings(), games())
    (first,) = lobby.handle(Tick(0.0))
    assert isinstance(first, Show)
    for _ in range(first.screen.choices.index("Language: English")):
        lobby.handle(Pressed(Button.DOWN))
    kept, shown = lobby.handle(Pressed(Button.ROLL))
    assert kept == Kept(Settings(language="de"))
    assert isinstance(shown, Show)
    assert "Gegen Betsy" in shown.screen.choices


def chosen(lobby: Lobby, entry: str) -> list[Effect]:
    """Goes to an entry of the list and presses ROLL there."""
    while lobby.screen().choices[lobby.screen().chosen] != entry:
        lobby.handle(Pressed(Button.DOWN))
    return lobby.handle(Pressed(Button.ROLL))


def spell(lobby: Lobby, *presses: tuple[Button, bool]) -> None:
    for button, held in presses:
        lobby.handle(Pressed(button, held))


def test_nobody_needs_to_enter_a_name() -> None:
    assert player_names(Settings(language="de", names=("", "Ben")), 3) == ("Spieler 1", "Ben", "Spieler 3")


def test_a_name_is_spelled_with_two_presses_a_letter_and_kept() -> None:
    lobby = Lobby(Settings(), games())
    chosen(lobby, "Names")
    lobby.handle(Pressed(Button.ROLL))
    first, second = (Button.ROLL, False), (Button.PASS, False)
    a, n = (first, first), (second, (Button.PASS, True))
    spell(lobby, *a, *n, *a, (Button.BACK, False), *n, *a)
    assert lobby.screen().main == "Anna_"
    (kept, _) = lobby.handle(Pressed(Button.BACK, held=True))
    assert kept == Kept(Settings(names=("Anna", "", "", "")))
    assert lobby.screen().choices == ("Anna", "Player 2", "Player 3", "Player 4")
    assert lobby.screen().chosen == 1
    lobby.handle(Pressed(Button.BACK))
    assert "Names" in lobby.screen().choices


def test_a_name_is_made_empty_and_left() -> None:
    lobby = Lobby(Settings(names=("Bo",)), games())
    chosen(lobby, "Names")
    lobby.handle(Pressed(Button.ROLL))
    spell(lobby, *[(Button.BACK, False)] * 3)
    assert lobby.settings.seats[0] == ""
    assert lobby.screen().choices[0] == "Player 1"


def test_a_name_ends_by_itself_before_it_is_too_long() -> None:
    entry = NameEntry(1, "")
    presses = 0
    while not entry.press(Button.DOWN, held=True):
        presses += 1
    assert len(entry.name) == LONGEST_NAME
    assert presses == 2 * LONGEST_NAME - 1


def test_the_rules_change_the_games_and_the_automatons_name() -> None:
    lobby = Lobby(Settings(), games())
    assert "Against Betsy" in lobby.screen().choices
    while own(lobby.settings).edition != "spanish":
        entry = next(choice for choice in lobby.screen().choices if choice.startswith("Rules: "))
        assert chosen(lobby, entry)[0] == Kept(lobby.settings)
    assert "Against Laura" in lobby.screen().choices


def test_with_one_edition_there_is_no_choice() -> None:
    deck = DeckPictures(standard_deck("standard-50"), {})
    lobby = Lobby(with_own(Settings(), edition="german"), games(), deck)
    editions = {choice for choice in lobby.screen().choices if choice.startswith("Rules: ")}
    assert editions == set()
    assert "Against Betsy" not in lobby.screen().choices


def test_trouble_is_told_until_a_button_is_pressed() -> None:
    lobby = Lobby(Settings(), games(), trouble="record")
    assert lobby.screen().alert
    assert lobby.handle(Pressed(Button.ROLL)) == [Show(lobby.screen())]
    assert lobby.screen().choices


def test_an_idle_list_reads_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ticks ten times a second, on a slow machine too."""
    lobby = Lobby(Settings(language="de"), games())
    lobby.handle(Tick(0.0))

    def refused(path: Path, *_: object, **__: object) -> None:
        raise AssertionError(path)

    for reading in ("open", "read_bytes", "read_text", "iterdir"):
        monkeypatch.setattr(Path, reading, refused)
    assert lobby.handle(Tick(0.1)) == []


def test_the_language_is_changed_from_elsewhere() -> None:
    lobby = Lobby(Settings(), games())
    lobby.handle(Tick(0.0))
    lobby.handle(Pressed(Button.DOWN))
    (shown,) = lobby.handle(Spoken("de"))
    assert isinstance(shown, Show)
    assert "Gegen Betsy" in shown.screen.choices
    assert shown.screen.chosen == 1


def test_a_setting_that_a_page_changes_and_one_that_is_pressed_are_both_kept() -> None:
    lobby = Lobby(Settings(names=("Ann",)), games())
    lobby.handle(Tick(0.0))
    for _ in range(lobby.entries.index("large")):
        lobby.handle(Pressed(Button.DOWN))
    kept, shown = lobby.handle(Changed(Change("names", "Ben", 1)))
    assert kept == Kept(Settings(names=("Ann", "Ben", "", "")))
    assert isinstance(shown, Show)
    # The list stays where people are about to press.
    assert lobby.handle(Pressed(Button.ROLL))[0] == Kept(Settings(names=("Ann", "Ben", "", ""), large=True))


def test_other_cards_that_a_page_chooses_bring_another_list() -> None:
    lobby = Lobby(Settings(), games(), has_own_deck=True)
    kept, *others = lobby.handle(Changed(Change("own_deck", value=False)))
    assert kept == Kept(Settings(own_deck=False))
    assert Leave("deck") in others
