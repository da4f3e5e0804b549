"""A tournament at the table: which one a game belongs to is agreed when it begins."""

from pathlib import Path

import pytest

from companion.games.events import Leave, Pressed, Show, Tick
from companion.games.locomotion.gallery.rehearsal import ending
from companion.games.locomotion.play.controller import Controller
from companion.games.locomotion.record.agreement import Agreement, TournamentAgreed
from companion.games.locomotion.record.tournaments import TournamentGame, Tournaments
from companion.games.locomotion.rules import Phase
from companion.games.settings import Settings
from hardware.buttons import Button
from tests.companion.games.locomotion.play.people_at_table import People, settings_of

GAMES = 2
NOBODY = ("", "")
"""What players without names are called in the book, whatever the language."""


def agreed(folder: Path, kind: str = "die", games: int = GAMES) -> TournamentAgreed | None:
    people = People(folder, kind, settings_of(games=games))
    people.play.close()
    return people.play.controller.desk.agreement.tournament


@pytest.mark.rule("LTRN1")
def test_games_belong_to_a_tournament_until_it_has_as_many_as_were_agreed(tmp_path: Path) -> None:
    first = agreed(tmp_path)
    assert first is not None
    assert first.games == GAMES
    book = Tournaments(tmp_path)
    book.add(TournamentGame(first, NOBODY, (5, 0), "1"))
    assert agreed(tmp_path) == first
    book.add(TournamentGame(first, NOBODY, (1, 5), "2"))
    assert agreed(tmp_path) != first


@pytest.mark.rule("LTRN1")
@pytest.mark.parametrize(("games", "key", "left_for"), [(3, "next", "again"), (1, "new", "new-game")])
def test_the_next_game_of_a_tournament_is_one_press_away(games: int, key: str, left_for: str) -> None:
    told = ending(2)
    game = told.game()
    for motion in told.first.motions:
        game.do(motion)
    assert game.state.phase is Phase.OVER
    agreement = Agreement(tournament=TournamentAgreed("1", games))
    controller = Controller(game, Settings(), agreement=agreement)
    shown = [effect.screen for effect in controller.handle(Tick(0.0)) if isinstance(effect, Show)]
    assert shown[-1].keys[0] == key
    assert Leave(left_for) in controller.handle(Pressed(Button.ROLL))


def test_a_single_game_belongs_to_none(tmp_path: Path) -> None:
    assert agreed(tmp_path, games=1) is None
    assert agreed(tmp_path, "solo") is None


def test_where_the_book_cannot_be_read_another_one_begins(tmp_path: Path) -> None:
    (tmp_path / "locomotion-tournaments.jsonl").write_text("my diary\n")
    assert agreed(tmp_path) is not None
