"""The score sheet: what stands on it, and the curve of a solo player's results."""

from __future__ import annotations

from companion.games.loknroll.gallery.rehearsal import Moment, Rehearsal, moment
from companion.games.loknroll.rules import Mode, Phase, result
from companion.games.loknroll.rules.state import State
from companion.games.settings import Settings
from companion.screen.screen import Screen


def over(mode: Mode, *, is_lost: bool = False) -> Moment:
    return moment(mode, lambda _, __, after: after.phase is Phase.OVER and after.is_lost == is_lost)


def sheet(told: Moment, curve: tuple[int, ...] = ()) -> Screen:
    game = told.game()
    game.do(told.step)
    return Rehearsal(game, Settings(), curve=curve).screen


def points(state: State, number: int) -> int:
    outcome = result(state)
    assert outcome is not None
    return outcome.scores[number].points


def test_a_solo_result_is_the_last_of_the_curve() -> None:
    told = over(Mode.SOLO)
    assert sheet(told, (45, 38)).curve == (45, 38, points(told.after, 0))


def test_a_game_that_is_lost_is_no_point_of_the_curve() -> None:
    told = over(Mode.SOLO_HARD, is_lost=True)
    shown = sheet(told, (45, 38))
    assert shown.curve == ()
    assert shown.main == "Game lost"


def test_others_have_no_curve_and_of_many_all_points_stand_in_a_line_the_best_first() -> None:
    told = over(Mode.FOUR)
    shown = sheet(told, (45, 38))
    assert shown.curve == ()
    names = told.after.setup.names
    order = sorted(range(4), key=lambda number: points(told.after, number))
    assert shown.lines[0] == "Points: " + ", ".join(f"{names[n]} {points(told.after, n)}" for n in order)
