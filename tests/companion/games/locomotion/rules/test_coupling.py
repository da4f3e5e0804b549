"""Coupling, uncoupling, and winning by it."""

import pytest

from companion.games.locomotion.rules import (
    Behind,
    Couple,
    Game,
    Gap,
    Impossible,
    Knobs,
    NotAllowed,
    NotNow,
    Phase,
    Roll,
    RuleError,
    Run,
    Uncouple,
    legal_motions,
    legal_steps,
)
from companion.games.locomotion.rules.steps import AnyStep
from tests.companion.games.locomotion.rules.networks import LINE, TURNOUT, game_on, places, rolled


def clause_of(game: Game, step: AnyStep) -> str:
    before = game.state
    with pytest.raises(RuleError) as refused:
        game.do(step)
    assert game.state is before
    return refused.value.clause


def trains(game: Game) -> list[tuple[int, ...]]:
    return sorted(row for row in game.state.stock.rows if len(row) > 1)


@pytest.mark.rule("LCPL1", "LCPL2")
def test_touching_wagons_are_coupled_by_a_step() -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(4, 0)], [(8, 0)]]))
    assert trains(game) == []
    assert game.do(Couple(1)).left == 5
    assert trains(game) == [(0, 1)]


@pytest.mark.rule("LCPL1")
def test_wagons_that_touch_are_not_taken_along() -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(4, 0)], [(5, 0)]]))
    game.do(Couple(1))
    game.do(Run((2, 0)))
    assert places(game) == [(2, 0), (3, 0), (5, 0)]


@pytest.mark.rule("LCPL2")
def test_a_whole_cut_is_taken_at_once() -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(4, 0)], [(5, 0)], [(8, 0)]]))
    for step in (Couple(1), Couple(2), Uncouple(2), Run((2, 0)), Run((3, 0)), Couple(1)):
        game.do(step)
    assert trains(game) == [(0, 1, 2)]


@pytest.mark.rule("LCPL2")
def test_a_cut_is_taken_from_its_other_end_in_the_other_order() -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(4, 0)], [(5, 0)], [(8, 0)]]))
    for step in (Couple(1), Couple(2), Uncouple(2)):
        game.do(step)
    assert clause_of(game, Couple(2)) == "LCPL2"  # it is not beside the locomotive


@pytest.mark.rule("LCPL2")
def test_only_what_stands_beside_the_end_is_coupled() -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(5, 0)], [(8, 0)]]))
    assert clause_of(game, Couple(1)) == "LCPL2"


@pytest.mark.rule("LCPL2")
def test_round_a_corner_nothing_is_coupled() -> None:
    # The locomotive came onto the turnout from the east, so that it does not lie along the arc.
    game = rolled(game_on(TURNOUT, [(2, 0)], [[(1, 1)], [(5, 0)]]))
    game.do(Run((1, 0)))
    assert clause_of(game, Couple(1)) == "LCPL2"


@pytest.mark.rule("LCPL2", "LRUN2")
def test_coupling_settles_along_which_track_both_lie() -> None:
    game = rolled(game_on(TURNOUT, [(1, 0)], [[(1, 1)], [(5, 0)]]))
    assert Run((2, 0)) in set(legal_motions(game.state))
    game.do(Couple(1))
    assert set(legal_motions(game.state)) == {Run((0, 0)), Run((1, 2), backwards=True), Uncouple(1)}


@pytest.mark.rule("LCPL2")
def test_a_wagon_that_there_is_not_is_refused() -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(4, 0)], [(8, 0)]]))
    for wagon in (-1, 3, 99):
        with pytest.raises(Impossible, match="no wagon"):
            game.do(Couple(wagon))


@pytest.mark.rule("LCPL2")
def test_the_middle_of_a_cut_is_not_coupled() -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(4, 0)], [(5, 0)], [(6, 0)]], order=(3, 2, 1)))
    for step in (Couple(1), Couple(2), Couple(3), Uncouple(3)):
        game.do(step)
    assert clause_of(game, Couple(2)) == "LCPL2"
    with pytest.raises(NotAllowed, match="not at an end of its row"):
        game.do(Couple(2))


@pytest.mark.rule("LCPL3")
def test_uncoupled_wagons_stay_and_stay_together() -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(4, 0)], [(5, 0)], [(8, 0)]]))
    for step in (Couple(1), Couple(2), Uncouple(2), Run((2, 0))):
        game.do(step)
    assert trains(game) == [(1, 2)]
    assert places(game)[:3] == [(2, 0), (4, 0), (5, 0)]
    assert game.state.left == 2


@pytest.mark.rule("LCPL3")
@pytest.mark.parametrize("count", [0, -1, 3])
def test_so_many_wagons_are_uncoupled_as_hang_there(count: int) -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(4, 0)], [(5, 0)], [(8, 0)]]))
    game.do(Couple(1))
    game.do(Couple(2))
    assert clause_of(game, Uncouple(count)) == "LCPL3"


@pytest.mark.rule("LCPL3")
def test_without_wagons_nothing_is_uncoupled() -> None:
    assert clause_of(rolled(game_on(LINE, [(3, 0)], [[(4, 0)], [(8, 0)]])), Uncouple(1)) == "LCPL3"


@pytest.mark.rule("LCPL3")
def test_the_gap_may_have_to_be_a_dot_wide() -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(4, 0)], [(8, 0)]], knobs=Knobs(gap=Gap.A_DOT)))
    game.do(Couple(1))
    assert clause_of(game, Uncouple(1)) == "LCPL3"
    state = game.do(Uncouple(1, to=(2, 0)))
    assert places(game)[:2] == [(2, 0), (4, 0)]
    assert state.left == 4


@pytest.mark.rule("LCPL3")
def test_a_gap_of_a_dot_needs_a_free_dot() -> None:
    game = rolled(game_on(LINE, [(0, 0)], [[(1, 0)], [(8, 0)]], knobs=Knobs(gap=Gap.A_DOT)))
    game.do(Couple(1))
    assert [step for step in legal_motions(game.state) if isinstance(step, Uncouple)] == []
    with pytest.raises(NotAllowed, match="nowhere"):
        game.do(Uncouple(1))


@pytest.mark.rule("LCPL3")
def test_a_gap_on_the_dots_moves_nothing() -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(4, 0)], [(8, 0)]]))
    game.do(Couple(1))
    assert clause_of(game, Uncouple(1, to=(2, 0))) == "LCPL3"


@pytest.mark.rule("LCPL4")
def test_wagons_are_coupled_only_to_the_own_locomotive() -> None:
    game = rolled(game_on(LINE, [(0, 0)], [[(4, 0)], [(5, 0)]]))
    assert all(not isinstance(step, Couple) for step in legal_motions(game.state))
    assert clause_of(game, Couple(0)) == "LCPL4"


@pytest.mark.rule("LCPL5")
def test_wagons_never_hang_on_both_ends() -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(4, 0)], [(2, 0)]]))
    assert {Couple(1), Couple(2)} <= set(legal_motions(game.state))
    game.do(Couple(1))
    assert clause_of(game, Couple(2)) == "LCPL2"


@pytest.mark.rule("LCPL6")
def test_two_wagons_of_a_colour_are_not_in_one_train() -> None:
    game = rolled(game_on(LINE, [(3, 0), (0, 0)], [[(4, 0), (5, 0)], [(7, 0), (8, 0)]]))
    game.do(Couple(2))
    assert clause_of(game, Couple(3)) == "LCPL6"


@pytest.mark.rule("LCPL7")
def test_wagons_may_hang_on_either_end() -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(4, 0)], [(2, 0)]]))
    for step in (Couple(1), Uncouple(1), Couple(2)):
        game.do(step)
    assert trains(game) == [(0, 2)]


@pytest.mark.rule("LCPL7")
def test_or_on_its_back_only_where_that_is_agreed() -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(4, 0)], [(2, 0)]], knobs=Knobs(behind=Behind.BACK_ONLY)))
    assert {Couple(1), Couple(2)} <= set(legal_motions(game.state))  # which way it looks is still open
    game.do(Couple(1))
    game.do(Uncouple(1))
    assert clause_of(game, Couple(2)) == "LCPL7"


@pytest.mark.rule("LCPL7")
def test_which_way_it_looks_is_kept_while_it_runs() -> None:
    game = rolled(game_on(LINE, [(4, 0)], [[(5, 0)], [(1, 0)]], knobs=Knobs(behind=Behind.BACK_ONLY)))
    for step in (Couple(1), Uncouple(1), Run((3, 0)), Run((2, 0))):
        game.do(step)
    assert clause_of(game, Couple(2)) == "LCPL7"


@pytest.mark.rule("LWIN1")
def test_the_order_behind_the_locomotive_wins_in_the_middle_of_a_turn() -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(5, 0)], [(4, 0)]], order=(2, 1)))
    game.do(Couple(2))
    state = game.do(Couple(1))
    assert (state.phase, state.winner, state.left) == (Phase.OVER, 0, 4)
    assert list(legal_steps(state)) == []
    with pytest.raises(NotNow, match="over"):
        game.do(Roll(1))


@pytest.mark.rule("LWIN1")
def test_another_order_does_not_win() -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(5, 0)], [(4, 0)]], order=(1, 2)))
    game.do(Couple(2))
    assert game.do(Couple(1)).phase is Phase.MOVING


@pytest.mark.rule("LWIN1")
def test_fewer_wagons_do_not_win() -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(4, 0)], [(8, 0)]]))
    assert game.do(Couple(1)).phase is Phase.MOVING
