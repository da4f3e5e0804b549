"""Turns by the die and by speed cards, and the points of a tournament."""

import pytest

from companion.games.locomotion.rules import (
    ChooseSpeed,
    Couple,
    EndTurn,
    Game,
    Gap,
    Impossible,
    Knobs,
    Mode,
    NotAllowed,
    NotNow,
    Phase,
    Roll,
    RuleError,
    Run,
    Uncouple,
    after_game,
    agree,
    allowed_steps,
    legal_motions,
    legal_steps,
    legal_turns,
    points,
)
from tests.companion.games.locomotion.rules.networks import LINE, NAMES, TURNOUT, game_on, places, rolled

SHUT_IN = [[(0, 0)], [(2, 0)]]
"""Wagons on both sides of a locomotive on (1, 0), so that it can only couple."""


def with_speed(*speeds: int) -> Game:
    """A game alone on a line, whose first turns had these speeds."""
    game = game_on(LINE, [(4, 0)], [[(0, 0)], [(8, 0)]], mode=Mode.SPEED)
    for speed in speeds:
        game.do(ChooseSpeed(speed))
        for step in range(speed):
            game.do(Run((5 - step % 2, 0)))
    return game


@pytest.mark.rule("LDIE2")
def test_the_die_gives_the_most_steps_and_the_rest_lapses() -> None:
    game = rolled(game_on(LINE, [(3, 0), (6, 0)], [[(0, 0), (1, 0)], [(7, 0), (8, 0)]]), 3)
    game.do(Run((4, 0)))
    state = game.do(EndTurn())
    assert (state.active, state.phase, state.turns, state.left) == (1, Phase.ROLLING, 2, 0)


@pytest.mark.rule("LDIE2")
def test_after_the_last_step_the_next_player_rolls() -> None:
    game = rolled(game_on(LINE, [(3, 0), (6, 0)], [[(0, 0), (1, 0)], [(7, 0), (8, 0)]]), 1)
    assert game.do(Run((4, 0))).active == 1
    with pytest.raises(NotNow, match="roll"):
        game.do(Run((3, 0)))


@pytest.mark.rule("LDIE2")
def test_running_coupling_and_uncoupling_cost_a_step_each() -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(5, 0)], [(8, 0)]]), 3)
    lefts = [game.do(step).left for step in (Run((4, 0)), Couple(1))]
    assert lefts == [2, 1]
    assert game.do(Uncouple(1)).phase is Phase.ROLLING


@pytest.mark.rule("LDIE2")
@pytest.mark.parametrize("number", [0, 7, -1])
def test_a_die_shows_one_to_six(number: int) -> None:
    game = game_on(LINE, [(3, 0)], [[(5, 0)], [(8, 0)]])
    with pytest.raises(Impossible, match="1 to 6"):
        game.do(Roll(number))


@pytest.mark.rule("LSPD3")
def test_before_a_speed_is_chosen_nothing_moves() -> None:
    game = with_speed()
    for step in (Run((5, 0)), Couple(1), EndTurn()):
        with pytest.raises(NotNow, match="choose a speed") as refused:
            game.do(step)
        assert refused.value.clause == "LSPD3"


@pytest.mark.rule("LSPD1")
def test_the_first_speed_is_free() -> None:
    assert set(legal_steps(with_speed().state)) == {ChooseSpeed(speed) for speed in range(7)}
    for speed in (-1, 7):
        with pytest.raises(NotAllowed) as refused:
            with_speed().do(ChooseSpeed(speed))
        assert refused.value.clause == "LSPD1"


@pytest.mark.rule("LSPD2")
@pytest.mark.parametrize(("before", "allowed"), [(0, {0, 1}), (3, {2, 3, 4}), (6, {5, 6})])
def test_the_speed_stays_or_changes_by_one(before: int, allowed: set[int]) -> None:
    game = with_speed(before)
    assert set(legal_steps(game.state)) == {ChooseSpeed(speed) for speed in allowed}
    for speed in set(range(-1, 8)) - allowed:
        with pytest.raises(NotAllowed) as refused:
            game.do(ChooseSpeed(speed))
        assert refused.value.clause == "LSPD2"


@pytest.mark.rule("LSPD2")
def test_with_speed_nought_the_train_stands() -> None:
    game = with_speed(0)
    assert (game.state.phase, game.state.turns) == (Phase.CHOOSING, 2)


@pytest.mark.rule("LSPD3")
def test_the_speed_is_used_in_full() -> None:
    game = with_speed()
    game.do(ChooseSpeed(2))
    game.do(Run((5, 0)))
    assert EndTurn not in allowed_steps(game.state)
    with pytest.raises(RuleError, match="full") as refused:
        game.do(EndTurn())
    assert refused.value.clause == "LSPD3"
    assert game.do(Run((4, 0))).phase is Phase.CHOOSING


@pytest.mark.rule("LSPD3")
def test_all_turns_of_a_speed_are_listed() -> None:
    game = with_speed()
    game.do(ChooseSpeed(2))
    runs = {(4, 0): [(3, 0), (5, 0)], (3, 0): [(2, 0), (4, 0)], (5, 0): [(4, 0), (6, 0)]}
    expected = {(Run(first), Run(second)) for first in runs[4, 0] for second in runs[first]}
    assert set(legal_turns(game.state)) == expected


@pytest.mark.rule("LSPD4")
def test_who_cannot_use_it_in_full_brakes() -> None:
    game = game_on(LINE, [(1, 0), (3, 0)], [[(0, 0), (7, 0)], [(2, 0), (8, 0)]], mode=Mode.SPEED)
    state = game.do(ChooseSpeed(4))
    # It couples and uncouples, to and fro: the speed can always be used like that.
    assert (state.phase, state.left) == (Phase.MOVING, 4)
    shut = game_on(LINE, [(0, 0), (1, 0)], [[(3, 0), (7, 0)], [(5, 0), (8, 0)]], mode=Mode.SPEED)
    state = shut.do(ChooseSpeed(4))
    assert (state.active, state.braked, state.speeds) == (1, 0, (0, None))
    shut.do(ChooseSpeed(0))
    assert set(legal_steps(shut.state)) == {ChooseSpeed(0), ChooseSpeed(1)}


@pytest.mark.rule("LSPD4", "LRUN4")
def test_of_all_runs_one_of_the_longest_is_taken() -> None:
    # It may not go back within a turn: to the west two dots are free, to the east one.
    wagons = [[(5, 0), (6, 0)], [(7, 0), (8, 0)]]
    game = game_on(LINE, [(2, 0), (4, 0)], wagons, mode=Mode.SPEED, knobs=Knobs(reverse_in_turn=False))
    game.do(ChooseSpeed(4))
    assert set(legal_turns(game.state)) == {(Run((1, 0)), Run((0, 0)))}
    with pytest.raises(NotAllowed, match="too early") as refused:
        game.do(Run((3, 0)))
    assert refused.value.clause == "LSPD4"
    game.do(Run((1, 0)))
    state = game.do(Run((0, 0)))
    assert (state.active, state.braked, state.speeds) == (1, 0, (0, None))


@pytest.mark.rule("LSPD5")
def test_coupling_and_uncoupling_use_the_speed_too() -> None:
    game = game_on(LINE, [(1, 0)], [*SHUT_IN, [(8, 0)]], mode=Mode.SPEED)
    game.do(ChooseSpeed(2))
    assert set(legal_motions(game.state)) == {Couple(1), Couple(2)}
    game.do(Couple(1))
    assert game.do(Uncouple(1)).phase is Phase.CHOOSING


@pytest.mark.rule("LSPD4", "LWIN1")
def test_a_win_ends_a_turn_whatever_is_left_of_the_speed() -> None:
    game = game_on(LINE, [(3, 0)], [[(4, 0)], [(5, 0)]], mode=Mode.SPEED)
    game.do(ChooseSpeed(6))
    game.do(Couple(1))
    state = game.do(Couple(2))
    assert (state.winner, state.left) == (0, 4)


@pytest.mark.rule("LWIN1", "LSPD3")
def test_a_run_that_wins_some_steps_later_need_not_use_the_speed_in_full() -> None:
    knobs = Knobs(reverse_in_turn=False, gap=Gap.A_DOT)
    game = game_on(LINE, [(2, 0)], [[(5, 0)], [(7, 0)]], mode=Mode.SPEED, knobs=knobs)
    for step in (ChooseSpeed(3), Run((3, 0)), Run((4, 0)), Couple(1), ChooseSpeed(3)):
        game.do(step)
    # To the west there is room for all three; to the east the train can only be coupled, and has won then.
    to_the_west = {Run((3, 0)), Uncouple(1, (3, 0))}
    assert set(legal_motions(game.state)) == {*to_the_west, Run((6, 0), backwards=True)}
    for step in (Run((6, 0), backwards=True), Couple(2)):
        game.do(step)
    assert (game.state.winner, game.state.left) == (0, 1)


@pytest.mark.rule("LWIN1", "LSPD4")
def test_who_has_given_up_the_speed_for_a_win_has_to_win() -> None:
    west = [((-3, 0), "E"), ((-6, 0), "E")]
    game = game_on(
        [*west, *TURNOUT],
        [(-2, 0), (1, 2)],
        [[(-1, 0), (4, 0)], [(2, 0), (5, 0)]],
        mode=Mode.SPEED,
        knobs=Knobs(reverse_in_turn=False, gap=Gap.A_DOT),
    )
    # To the west there is room for all five; to the east for four, of which the fourth may couple yellow and win.
    for step in (ChooseSpeed(5), Couple(2), Run((0, 0), backwards=True), Run((1, 0), backwards=True)):
        game.do(step)
    assert list(legal_motions(game.state)) == [Couple(4)]
    with pytest.raises(NotAllowed, match="too early"):
        game.do(Run((1, 1), backwards=True))


@pytest.mark.rule("LWIN1", "LSPD4")
def test_what_could_be_run_after_a_win_does_not_count() -> None:
    knobs = Knobs(reverse_in_turn=False, gap=Gap.A_DOT)
    game = game_on(LINE, [(0, 0)], [[(3, 0)], [(5, 0)]], mode=Mode.SPEED, knobs=knobs)
    for step in (ChooseSpeed(3), Run((1, 0)), Run((2, 0)), Couple(1), ChooseSpeed(3)):
        game.do(step)
    # Two steps are the most in both directions: to the east the second one wins.
    assert Run((4, 0), backwards=True) in legal_motions(game.state)
    for step in (Run((1, 0)), Run((0, 0))):
        state = game.do(step)
    assert (state.braked, state.speeds) == (0, (0,))


@pytest.mark.rule("LTRN1")
def test_the_winner_gets_five_and_others_one_for_each_wagon_in_order() -> None:
    game = game_on(LINE, [(3, 0), (6, 0)], [[(2, 0), (7, 0)], [(1, 0), (8, 0)]])
    rolled(game, 1).do(Couple(2))
    rolled(game, 1).do(Couple(3))
    with pytest.raises(NotNow):
        points(game.state)
    rolled(game, 1).do(Couple(4))
    assert points(game.state) == (5, 1)


@pytest.mark.rule("LTRN1")
def test_a_wrong_first_wagon_brings_nothing() -> None:
    game = game_on(LINE, [(3, 0), (6, 0)], [[(2, 0), (8, 0)], [(1, 0), (7, 0)]])
    rolled(game, 1).do(Couple(2))
    rolled(game, 1).do(Couple(5))
    rolled(game, 1).do(Couple(4))
    assert points(game.state) == (5, 0)


@pytest.mark.rule("LTRN1")
def test_after_a_wrong_wagon_right_ones_bring_nothing() -> None:
    game = game_on(LINE, [(3, 0), (5, 0)], [[(2, 0), (7, 0)], [(1, 0), (6, 0)], [(0, 0), (8, 0)]])
    for *wagons, number in ((2, 1), (5, 1), (4, 1), (3, 7, 2), (6, 1)):
        rolled(game, number)
        for wagon in wagons:
            game.do(Couple(wagon))
    assert points(game.state) == (5, 0)


@pytest.mark.rule("LTRN1")
def test_most_points_after_all_games_win() -> None:
    game = game_on(LINE, [(3, 0), (6, 0)], [[(2, 0), (7, 0)], [(1, 0), (8, 0)]])
    for wagon in (2, 3, 4):
        rolled(game, 1).do(Couple(wagon))
    tournament = agree(NAMES[:2], 2)
    tournament = after_game(tournament, game.state)
    assert (tournament.totals, tournament.winners) == ((5, 1), ())
    tournament = after_game(tournament, game.state)
    assert (tournament.totals, tournament.winners) == ((10, 2), (0,))
    with pytest.raises(NotNow, match="All the games"):
        after_game(tournament, game.state)
    with pytest.raises(NotAllowed, match="1 or more"):
        agree(NAMES[:2], 0)
    assert places(game)[0] == (3, 0)
