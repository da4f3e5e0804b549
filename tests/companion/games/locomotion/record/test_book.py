"""What is kept from game to game: results of games for one, and tournaments."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.games.evenings.evenings import Evenings
from companion.games.locomotion.game import GAME
from companion.games.locomotion.record.agreement import Agreement, TournamentAgreed
from companion.games.locomotion.record.book import LocomotionBook
from companion.games.locomotion.record.recorded_game import RECORDS
from companion.games.locomotion.record.solo_results import SoloResults, name_of_start
from companion.games.locomotion.record.tournaments import Tournaments
from companion.games.locomotion.rules import (
    Couple,
    DrawLots,
    Game,
    Motion,
    Network,
    Phase,
    Roll,
    RollOff,
    Run,
    set_up,
)
from companion.games.recorded_game import Keep
from companion.games.settings import Settings
from companion.record.file import read_record
from companion.record.occasion import Occasion
from companion.texts.language import LANGUAGES
from tests.companion.games.locomotion.rules.networks import LINE, network

ORDER = (1, 2)
BACK = Run((4, 0), backwards=True), Run((5, 0), backwards=True)
BEST: tuple[Motion, ...] = (Run((1, 0)), Run((2, 0)), Couple(1), *BACK, Couple(2))
"""On the line: to wagon 1, and with it backwards to wagon 2."""
LONGER = (Run((1, 0)), Run((0, 0)), *BEST)


def line() -> Network:
    return network(LINE)


def solo_game(keep: Keep, plan: Sequence[Motion], *, name: str = "Ann", day: int = 1, **agreed: Any) -> None:
    """A game for one whose record is left as it is after this plan."""
    keep.record.unlink(missing_ok=True)
    start = set_up(line(), [name], [(0, 0)], [[(3, 0)], [(6, 0)]])
    occasion = Occasion(date=f"2026-11-{day:02}T20:00:00+00:00")
    game, journal = RECORDS.start(keep.record, Game(start), occasion, agreed=Agreement(**agreed).fields())
    game.do(DrawLots((1,), ORDER))
    for motion in plan:
        if game.state.phase is Phase.ROLLING:
            game.do(Roll(6))
        game.do(motion)
    journal.close()


def game_for_two(keep: Keep, agreed: TournamentAgreed | None, names: tuple[str, str] = ("Ann", "Ben")) -> None:
    """Ann wins, and Ben has nothing behind the locomotive."""
    keep.record.unlink(missing_ok=True)
    start = set_up(line(), names, [(0, 0), (8, 0)], [[(1, 0), (7, 0)], [(2, 0), (6, 0)]])
    game, journal = RECORDS.start(keep.record, Game(start), agreed=Agreement(tournament=agreed).fields())
    for step in (DrawLots((1, 2), ORDER), RollOff((2, 1)), Roll(6), Couple(2), Couple(4)):
        game.do(step)
    journal.close()


@pytest.fixture
def keep(tmp_path: Path) -> Keep:
    return Keep(tmp_path / "game.jsonl", tmp_path)


BOOK = LocomotionBook()


@pytest.mark.rule("LSOLO2")
def test_from_a_proven_start_points_are_the_steps_that_were_too_many(keep: Keep) -> None:
    for day, plan in enumerate((LONGER, BEST), start=1):
        solo_game(keep, plan, day=day, puzzle=7, least=len(BEST))
        BOOK.keep_result(keep)
        BOOK.keep_result(keep)
    scores = BOOK.scores(keep)
    assert [(score.player, score.kind, score.points, score.is_lost) for score in scores] == [
        ("Ann", "solo", 2, False),
        ("Ann", "solo", 0, False),
    ]
    assert len({score.rules for score in scores}) == 1


@pytest.mark.rule("LSOLO2")
def test_from_a_start_that_nobody_has_proven_all_steps_count_and_only_the_same_start_is_compared(keep: Keep) -> None:
    solo_game(keep, LONGER)
    BOOK.keep_result(keep)
    solo_game(keep, BEST, day=2, least=len(BEST))
    BOOK.keep_result(keep)
    solo_game(keep, BEST, day=3)
    BOOK.keep_result(keep)
    first, proven, again = BOOK.scores(keep)
    assert [first.points, proven.points, again.points] == [8, 0, 6]
    assert first.rules == again.rules != proven.rules


def test_how_often_a_start_was_tried_is_remembered_for_each_player(keep: Keep) -> None:
    for day, (name, plan) in enumerate((("Ann", LONGER), ("Ben", BEST), ("Ann", BEST)), start=1):
        solo_game(keep, plan, name=name, day=day)
        start = name_of_start(RECORDS.played(keep.record, read_record(keep.record)))
        BOOK.keep_result(keep)
    results = SoloResults(keep.books)
    assert results.steps_from(start, "Ann") == (8, 6)
    assert results.steps_from("another", "Ann") == ()


def test_what_is_not_over_or_says_what_cannot_be_is_not_believed(keep: Keep) -> None:
    solo_game(keep, BEST[:-1])
    BOOK.keep_result(keep)
    assert BOOK.scores(keep) == []
    solo_game(keep, BEST, least=len(BEST) + 1)
    BOOK.keep_result(keep)
    assert [score.points for score in BOOK.scores(keep)] == [len(BEST)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_people_are_told_how_large_the_game_was(keep: Keep, language: str) -> None:
    for day, agreed in enumerate(({}, {"least": 6}), start=1):
        solo_game(keep, BEST, day=day, **agreed)
        BOOK.keep_result(keep)
    told = [BOOK.rules_called(score.rules, language) for score in BOOK.scores(keep)]
    assert all("T, 3 " in words for words in told)
    assert told[0] != told[1]


@pytest.mark.rule("LTRN1")
def test_a_tournament_goes_on_until_its_games_are_played(keep: Keep) -> None:
    tournaments = Tournaments(keep.books)
    agreed = [tournaments.next_game(("Ann", "Ben"), 2)]
    for _ in range(2):
        game_for_two(keep, agreed[-1])
        BOOK.keep_result(keep)
        BOOK.keep_result(keep)
        agreed.append(tournaments.next_game(("Ann", "Ben"), 2))
    assert agreed[0] == agreed[1] != agreed[2]
    standing = tournaments.standing(agreed[0], ("Ann", "Ben"))
    assert (standing.totals, standing.winners, standing.is_over) == ((10, 0), (0,), True)
    assert tournaments.standing(agreed[2], ("Ann", "Ben")).results == ()


@pytest.mark.rule("LTRN1")
def test_others_or_another_number_of_games_are_another_tournament(keep: Keep) -> None:
    tournaments = Tournaments(keep.books)
    agreed = tournaments.next_game(("Ann", "Ben"), 3)
    game_for_two(keep, agreed)
    BOOK.keep_result(keep)
    assert tournaments.next_game(("Ann", "Ben"), 3) == agreed
    assert tournaments.next_game(("Ben", "Ann"), 3) != agreed
    assert tournaments.next_game(("Ann", "Ben"), 2) != agreed


def test_a_game_that_is_none_of_a_tournament_leaves_it_alone(keep: Keep) -> None:
    game_for_two(keep, None)
    BOOK.keep_result(keep)
    assert Tournaments(keep.books).all() == []


def test_past_evenings_show_the_results_as_a_curve(keep: Keep) -> None:
    for day, plan in enumerate((LONGER, BEST), start=1):
        solo_game(keep, plan, day=day, kind="solo", puzzle=7, least=len(BEST))
        BOOK.keep_result(keep)
    evenings = Evenings(keep.books, [GAME])
    (curve,) = evenings.curves()
    assert (curve.game, curve.player, curve.kind) == ("locomotion", "Ann", "solo")
    assert [(result.points, result.is_lost) for result in curve.results] == [(2, False), (0, False)]
    assert evenings.kinds(Settings("en"))["locomotion", "solo"] == "Locomotion solo"
    assert evenings.rules_called(curve, "en") == "T, 3 pieces, 2 wagons: steps above the minimum"


def test_the_story_ends_with_what_would_have_done(keep: Keep) -> None:
    solo_game(keep, LONGER, kind="solo", puzzle=7, least=len(BEST))
    *_, end = GAME.told(keep.record, read_record(keep.record), "en")
    assert end.lines[-1].text == "The minimum is 6 steps, proven."
