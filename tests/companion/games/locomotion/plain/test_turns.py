"""Turns with the die and with speed cards, and who wins."""

from __future__ import annotations

import pytest

from tests.companion.games.locomotion.plain.game import (
    begin_turn,
    do,
    end_turn,
    legal_steps,
    legal_turns,
    points,
    speeds_to_choose,
)
from tests.companion.games.locomotion.plain.standing import (
    PINWHEEL,
    cut,
    driven,
    standing,
    train,
)
from tests.companion.games.locomotion.plain.steps import Knobs


def test_the_knob_reverse_in_turn_keeps_the_direction_until_the_next_turn() -> None:
    """LRUN4."""
    game = standing("die", [train(3, 4, colours=(1,))])
    there = driven(begin_turn(game, 6), (3, 0), (2, 0))
    assert ("run", (3, 0), (4, 0)) in legal_steps(there)
    one_way = Knobs(reverse_in_turn=False)
    there = driven(begin_turn(game._replace(knobs=one_way), 6), (3, 0), (2, 0))
    assert ("run", (3, 0), (4, 0)) not in legal_steps(there)
    alone_now = do(there, ("uncouple", 1, None))
    assert [step for step in legal_steps(alone_now) if step[0] == "run"] == [("run", (2, 0), (1, 0))]
    assert ("run", (3, 0), (4, 0)) in legal_steps(begin_turn(end_turn(there), 6))
    rows = [train(3), cut(5, colours=(1,))]
    coupled = do(
        driven(begin_turn(standing("die", rows, knobs=one_way), 6), (3, 0), (4, 0)), ("couple", (4, 0), (5, 0))
    )
    assert [step for step in legal_steps(coupled) if step[0] == "run"] == [("run", (5, 0), (6, 0))]


def test_what_is_left_over_lapses_and_all_players_take_turns() -> None:
    """LDIE2."""
    game = begin_turn(standing("die", [train(0), train(8, player=1)]), 3)
    game = end_turn(driven(game, (0, 0), (1, 0)))
    assert (game.player, game.left) == (1, None)
    game = driven(begin_turn(game, 1), (8, 0), (7, 0))
    assert (game.player, game.left) == (0, None)
    with pytest.raises(ValueError, match="no legal step"):
        do(game, ("run", (1, 0), (2, 0)))


def test_a_win_ends_the_game_in_the_middle_of_a_turn() -> None:
    """LWIN1, LTRN1."""
    rows = [train(3, 4, colours=(1,)), cut(5, colours=(2,)), train(8, 7, colours=(1,), player=1)]
    game = do(begin_turn(standing("die", rows), 6), ("couple", (4, 0), (5, 0)))
    assert (game.winner, game.left, legal_steps(game)) == (0, 5, [])
    assert points(game) == [5, 1]
    longer = [train(3, 4, 5, colours=(1, 2)), cut(6, colours=(3,))]
    game = do(begin_turn(standing("die", longer, order=(1, 2)), 6), ("couple", (5, 0), (6, 0)))
    assert game.winner is None  # nothing else may be there
    assert points(standing("die", [train(3, 4, 5, colours=(2, 1))])) == [0]


def test_a_speed_stays_or_changes_by_one() -> None:
    """LSPD1, LSPD2."""
    game = standing("speed", [train(4)])
    assert speeds_to_choose(game) == [0, 1, 2, 3, 4, 5, 6]
    assert speeds_to_choose(begin_turn(game, 0)) == [0, 1]
    game = begin_turn(game, 6)
    assert speeds_to_choose(game) == []
    assert {len(turn) for turn in legal_turns(game)} == {6}  # LSPD3
    for step in legal_turns(game)[0]:
        game = do(game, step)
    assert (game.left, speeds_to_choose(game)) == (None, [5, 6])


def test_a_speed_is_used_in_full_even_where_that_is_not_wanted() -> None:
    """LSPD3: two steps to the east would be the last; three are possible only to and fro."""
    game = begin_turn(standing("speed", [train(6)], speeds=(2,)), 3)
    for step in (("run", (6, 0), (7, 0)), ("run", (7, 0), (8, 0)), ("run", (8, 0), (7, 0))):
        with pytest.raises(ValueError, match="cannot be ended"):
            end_turn(game)
        game = do(game, step)
    assert (game.left, game.speeds) == (None, (3,))


def test_who_cannot_use_the_speed_in_full_makes_one_of_the_longest_runs_and_brakes() -> None:
    """LSPD4: without reversing there are two dots to the west and three to the east of it."""
    one_way = Knobs(reverse_in_turn=False)
    game = begin_turn(standing("speed", [train(2), train(6, player=1)], speeds=(4, 4), knobs=one_way), 5)
    assert (game.left, game.brakes) == (3, True)
    assert legal_steps(game) == [("run", (2, 0), (3, 0))]
    game = driven(game, (2, 0), (3, 0), (4, 0), (5, 0))
    assert (game.player, game.speeds, game.brakes) == (1, (0, 4), False)
    assert speeds_to_choose(game._replace(player=0)) == [0, 1]


def test_who_cannot_move_at_all_brakes() -> None:
    """LSPD4, LRUN7."""
    game = begin_turn(standing("speed", [train(0), train(1, player=1)], speeds=(3, 0)), 2)
    assert (game.player, game.speeds, game.left) == (1, (0, 0), None)


def test_a_run_that_wins_need_not_use_the_speed_in_full() -> None:
    """LWIN1, LSPD3."""
    rows = [train(3, 4, colours=(1,)), cut(5, colours=(2,))]
    game = begin_turn(standing("speed", rows, speeds=(6,)), 6)
    assert (("couple", (4, 0), (5, 0)),) in legal_turns(game)
    assert do(game, ("couple", (4, 0), (5, 0))).winner == 0
    rows = [
        {"player": 0, "dots": [(0, 0), (1, 0)], "colours": [1]},
        {"player": None, "dots": [(2, 0)], "colours": [2]},
        {"player": 1, "dots": [(-1, 0)], "colours": []},
    ]
    blocked = standing("speed", rows, PINWHEEL, speeds=(2, 2), knobs=Knobs(gap="a_dot"))
    turns = legal_turns(begin_turn(blocked, 2))
    assert (("couple", (1, 0), (2, 0)),) in turns  # after which nothing could move any more
    assert (("run", (1, 0), (1, 1)), ("run", (1, 1), (1, 2))) in turns
