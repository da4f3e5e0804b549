"""How a train runs."""

import pytest

from companion.games.locomotion.rules import (
    Couple,
    DrawLots,
    EndTurn,
    Game,
    Impossible,
    Knobs,
    NotAllowed,
    PlacedPiece,
    Roll,
    Run,
    Uncouple,
    lay,
    legal_motions,
    read_piece,
    set_up,
)
from tests.companion.games.locomotion.rules.networks import LINE, TURNOUT, game_on, places, rolled

FAR = [[(4, 0)], [(5, 0)]]
"""Wagons out of the way on a turnout."""


def refused(game: Game, step: Run | Couple) -> str:
    before = game.state
    with pytest.raises(NotAllowed) as error:
        game.do(step)
    assert game.state is before
    assert step not in list(legal_motions(before))
    return error.value.clause


@pytest.mark.rule("LRUN3", "LDIE2")
def test_a_locomotive_alone_runs_to_either_side_a_dot_a_step() -> None:
    game = rolled(game_on(TURNOUT, [(1, 2)], FAR))
    assert set(legal_motions(game.state)) == {Run((1, 1)), Run((1, 3))}
    assert game.do(Run((1, 1))).left == 5
    assert places(game)[0] == (1, 1)


@pytest.mark.rule("LRUN3")
def test_forwards_the_locomotive_leads_and_the_wagons_follow() -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(4, 0)], [(5, 0)]], order=(2, 1)))
    game.do(Couple(1))
    game.do(Run((2, 0)))
    assert places(game) == [(2, 0), (3, 0), (5, 0)]


@pytest.mark.rule("LRUN3")
def test_backwards_the_last_wagon_leads() -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(4, 0)], [(8, 0)]]))
    game.do(Couple(1))
    game.do(Run((5, 0), backwards=True))
    assert places(game) == [(4, 0), (5, 0), (8, 0)]


@pytest.mark.rule("LRUN3")
def test_backwards_needs_a_wagon() -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(5, 0)], [(8, 0)]]))
    assert refused(game, Run((4, 0), backwards=True)) == "LRUN3"


@pytest.mark.rule("LRUN2")
def test_it_does_not_turn_at_a_corner() -> None:
    game = rolled(game_on(TURNOUT, [(2, 0)], FAR))
    game.do(Run((1, 0)))
    assert refused(game, Run((1, 1))) == "LRUN2"


@pytest.mark.rule("LRUN2")
def test_it_changes_its_branch_only_after_clearing_the_turnout() -> None:
    game = rolled(game_on(TURNOUT, [(2, 0)], FAR))
    for to in [(1, 0), (0, 0), (1, 0), (1, 1)]:
        game.do(Run(to))
    assert places(game)[0] == (1, 1)


@pytest.mark.rule("LRUN2")
def test_a_wagon_on_the_turnout_keeps_the_train_on_its_branch() -> None:
    game = rolled(game_on(TURNOUT, [(1, 2)], [[(1, 1)], [(5, 0)]]))
    game.do(Couple(1))
    game.do(Run((1, 0), backwards=True))
    assert set(legal_motions(game.state)) == {
        Run((1, 2)),
        Run((0, 0), backwards=True),
        Uncouple(1),
    }


@pytest.mark.rule("LRUN2")
def test_a_locomotive_put_on_a_turnout_may_take_either_branch() -> None:
    game = rolled(game_on(TURNOUT, [(1, 0)], FAR))
    assert set(legal_motions(game.state)) == {Run((0, 0)), Run((1, 1)), Run((2, 0))}


@pytest.mark.rule("LRUN2")
def test_where_no_track_leads_there_is_no_way() -> None:
    game = rolled(game_on(TURNOUT, [(2, 0)], FAR))
    assert refused(game, Run((1, 1))) == "LRUN2"
    with pytest.raises(Impossible, match="no dot"):
        game.do(Run((7, 7)))


@pytest.mark.rule("LRUN2")
def test_the_dot_that_its_own_tail_clears_is_not_free() -> None:
    arc = read_piece(
        '{"name": "arc", "cells": [[0, 0]], "passages": [{"cell": [0, 0], "sides": ["E", "S"]}], "long_sides": []}'
    )
    corners = [PlacedPiece(cell, side) for cell, side in {(0, 0): "E", (1, 0): "S", (1, 1): "W", (0, 1): "N"}.items()]
    game = Game(set_up(lay(arc, corners), ["Ann"], [(0, 0)], [[(1, 0)], [(1, 1)], [(0, 1)]]))
    game.do(DrawLots((1,), (3, 2, 1)))
    rolled(game)
    for wagon in (1, 2):
        game.do(Couple(wagon))
    assert {Couple(3), Uncouple(1), Uncouple(2)} == set(legal_motions(game.state))
    game.do(Couple(3))
    assert {Uncouple(1), Uncouple(2), Uncouple(3)} == set(legal_motions(game.state))
    assert refused(game, Run((0, 1))) == "LRUN5"


@pytest.mark.rule("LRUN1", "LRUN5")
def test_nothing_is_pushed_that_is_not_coupled() -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(4, 0)], [(2, 0)]]))
    assert refused(game, Run((4, 0))) == "LRUN5"
    assert refused(game, Run((2, 0))) == "LRUN5"


@pytest.mark.rule("LRUN5")
def test_nothing_is_jumped_over() -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(4, 0)], [(2, 0)]]))
    assert refused(game, Run((5, 0))) == "LRUN2"


@pytest.mark.rule("LRUN4")
def test_it_may_go_to_and_fro_within_a_turn() -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(0, 0)], [(8, 0)]]))
    for to in [(4, 0), (3, 0), (4, 0)]:
        game.do(Run(to))


@pytest.mark.rule("LRUN4")
def test_or_it_may_not_where_that_is_agreed() -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(4, 0)], [(8, 0)]], knobs=Knobs(reverse_in_turn=False)))
    game.do(Couple(1))
    game.do(Run((2, 0)))
    assert refused(game, Run((4, 0), backwards=True)) == "LRUN4"
    game.do(Run((1, 0)))
    game.do(EndTurn())
    game.do(Roll(1))
    game.do(Run((3, 0), backwards=True))


@pytest.mark.rule("LRUN6")
def test_another_ones_locomotive_is_not_coupled() -> None:
    game = rolled(game_on(LINE, [(3, 0), (4, 0)], [[(0, 0), (1, 0)], [(7, 0), (8, 0)]]))
    assert refused(game, Couple(1)) == "LCPL4"


@pytest.mark.rule("LRUN6")
def test_wagons_of_another_train_are_not_taken() -> None:
    game = rolled(game_on(LINE, [(3, 0), (5, 0)], [[(4, 0), (1, 0)], [(7, 0), (8, 0)]]), 1)
    game.do(Run((2, 0)))
    rolled(game, 1).do(Couple(2))
    rolled(game, 2).do(Run((3, 0)))
    assert refused(game, Couple(2)) == "LRUN6"


@pytest.mark.rule("LRUN7")
def test_who_cannot_move_waits() -> None:
    game = game_on(LINE, [(0, 0), (5, 0)], [[(2, 0), (7, 0)], [(8, 0), (4, 0)]])
    rolled(game, 1).do(Run((1, 0)))
    rolled(game, 6).do(EndTurn())
    blocked = game_on(LINE, [(0, 0), (1, 0)], [[(5, 0), (7, 0)], [(8, 0), (4, 0)]])
    state = blocked.do(Roll(3))
    assert (state.active, state.waited) == (1, 0)
