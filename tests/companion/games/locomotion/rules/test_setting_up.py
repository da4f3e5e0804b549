"""Before the first turn: vehicles, lots, and who begins."""

import json
from collections.abc import Sequence

import pytest

from companion.games.locomotion.rules import (
    DrawLots,
    EndTurn,
    Game,
    Impossible,
    Mode,
    NotAllowed,
    NotNow,
    Phase,
    PlacedPiece,
    Roll,
    RollOff,
    RuleError,
    Run,
    State,
    lay,
    legal_steps,
    read_piece,
    set_up,
)
from tests.companion.games.locomotion.rules.networks import LINE, NAMES, PINWHEEL, TURNOUT, Dot, game_on, network

TWO_LOCOMOTIVES = [(0, 0), (5, 0)]
FOUR_WAGONS = [[(2, 0), (3, 0)], [(7, 0), (8, 0)]]


def put(locomotives: Sequence[Dot], wagons: Sequence[Sequence[Dot]], mode: Mode = Mode.DIE) -> State:
    return set_up(network(LINE), NAMES[: len(locomotives)], locomotives, wagons, mode=mode)


@pytest.mark.rule("LSET4", "LCPL1")
def test_nothing_is_coupled_at_first_not_even_neighbours() -> None:
    state = put(TWO_LOCOMOTIVES, FOUR_WAGONS)
    assert all(len(row) == 1 for row in state.stock.rows)


@pytest.mark.rule("LSET4", "LRUN2")
def test_a_vehicle_lies_along_every_track_of_its_dot_at_first() -> None:
    state = set_up(network(TURNOUT), NAMES[:1], [(1, 0)], [[(0, 0)], [(2, 0)]])
    assert [len(lie) for lie in state.stock.lies] == [2, 1, 1]


@pytest.mark.rule("LSET4", "LRUN1")
def test_two_on_a_dot_are_refused() -> None:
    with pytest.raises(NotAllowed, match=r"Two vehicles stand on \(2, 0\)") as refused:
        put(TWO_LOCOMOTIVES, [[(2, 0), (3, 0)], [(2, 0), (8, 0)]])
    assert refused.value.clause == "LSET4"


@pytest.mark.rule("LSET4")
def test_a_place_beside_the_network_is_refused() -> None:
    with pytest.raises(NotAllowed, match=r"no dot at \(0, 5\)"):
        put([(0, 5)], [[(2, 0)], [(7, 0)]])


@pytest.mark.rule("LSET4")
def test_where_nothing_could_be_coupled_nothing_is_put() -> None:
    track = {"cell": [0, 0], "sides": ["W", "E"]}
    piece = read_piece(json.dumps({"name": "short", "cells": [[0, 0]], "passages": [track]}))
    with pytest.raises(NotAllowed, match="has no neighbour") as refused:
        set_up(lay(piece, [PlacedPiece((0, 0), "E")]), NAMES[:1], [(0, 0)], [[(1, 0)], [(2, 0)]])
    assert refused.value.clause == "LSET4"


@pytest.mark.rule("LSET4")
@pytest.mark.parametrize("wagons", [[[(2, 0)], [(7, 0), (8, 0)]], [[], []], [[(2, 0), (3, 0), (4, 0)], FOUR_WAGONS[1]]])
def test_each_colour_has_a_wagon_for_each_player(wagons: Sequence[Sequence[Dot]]) -> None:
    with pytest.raises(NotAllowed, match="one for each player"):
        put(TWO_LOCOMOTIVES, wagons)


@pytest.mark.rule("LSET4")
def test_each_player_has_a_locomotive() -> None:
    with pytest.raises(NotAllowed, match="Put 2 on the network"):
        set_up(network(LINE), NAMES[:2], [(0, 0)], FOUR_WAGONS)


@pytest.mark.rule("LMAT1")
@pytest.mark.parametrize("players", [0, 5])
def test_one_to_four_play(players: int) -> None:
    with pytest.raises(NotAllowed, match="1 to 4"):
        set_up(network(LINE), ["somebody"] * players, [(0, 0)] * players, [[], []])


@pytest.mark.rule("LSET7")
@pytest.mark.parametrize("colours", [0, 1, 5])
def test_two_to_four_colours_are_played(colours: int) -> None:
    with pytest.raises(NotAllowed, match="2 to 4"):
        put([(0, 0)], [[(dot, 0)] for dot in range(1, colours + 1)])


@pytest.mark.rule("LSET7", "LWIN1")
def test_with_fewer_colours_fewer_wagons_win() -> None:
    state = game_on(LINE, [(0, 0)], [[(2, 0)], [(4, 0)], [(6, 0)]]).state
    assert state.setup.wagon_colours == 3


@pytest.mark.rule("LSET5", "LSET6")
def test_lots_say_whose_each_locomotive_is_and_the_order_for_all() -> None:
    game = Game(put(TWO_LOCOMOTIVES, FOUR_WAGONS))
    state = game.do(DrawLots(locomotives=(2, 1), order=(2, 1)))
    assert (state.drawn, state.order) == ((1, 0), (2, 1))


@pytest.mark.rule("LSET5", "LSET6")
@pytest.mark.parametrize(
    ("lots", "clause"),
    [
        (DrawLots((1, 1), (1, 2)), "LSET5"),
        (DrawLots((1,), (1, 2)), "LSET5"),
        (DrawLots((0, 1), (1, 2)), "LSET5"),
        (DrawLots((1, 2), (1, 1)), "LSET6"),
        (DrawLots((1, 2), (1, 2, 3)), "LSET6"),
        (DrawLots((1, 2), ()), "LSET6"),
    ],
)
def test_lots_that_cannot_fall_are_refused(lots: DrawLots, clause: str) -> None:
    game = Game(put(TWO_LOCOMOTIVES, FOUR_WAGONS))
    with pytest.raises(NotAllowed) as refused:
        game.do(lots)
    assert refused.value.clause == clause
    assert not game.steps


@pytest.mark.rule("LDIE1")
def test_who_rolls_highest_begins_and_then_it_goes_clockwise() -> None:
    game = Game(put([(0, 0), (5, 0), (4, 0)], [[(2, 0), (3, 0), (1, 0)], [(6, 0), (7, 0), (8, 0)]]))
    game.do(DrawLots((1, 2, 3), (1, 2)))
    state = game.do(RollOff((3, 2, 5)))
    assert (state.phase, state.active) == (Phase.ROLLING, 2)
    game.do(Roll(6))
    assert game.do(EndTurn()).active == 0


@pytest.mark.rule("LDIE1")
def test_equal_rolls_are_rolled_again_among_those() -> None:
    game = Game(put([(0, 0), (5, 0), (4, 0)], [[(2, 0), (3, 0), (1, 0)], [(6, 0), (7, 0), (8, 0)]]))
    game.do(DrawLots((1, 2, 3), (1, 2)))
    state = game.do(RollOff((5, 2, 5)))
    assert (state.phase, state.contenders) == (Phase.ROLLING_OFF, (0, 2))
    with pytest.raises(Impossible, match="2, each"):
        game.do(RollOff((1, 2, 3)))
    assert game.do(RollOff((1, 4))).active == 2


@pytest.mark.rule("LDIE1")
@pytest.mark.parametrize("rolls", [(), (6,), (0, 1), (7, 1), (1, 2, 3)])
def test_rolls_that_no_die_shows_are_refused(rolls: tuple[int, ...]) -> None:
    game = Game(put(TWO_LOCOMOTIVES, FOUR_WAGONS))
    game.do(DrawLots((1, 2), (1, 2)))
    with pytest.raises(Impossible) as refused:
        game.do(RollOff(rolls))
    assert refused.value.clause == "LDIE1"


@pytest.mark.rule("LSOLO1")
def test_alone_nobody_rolls_for_the_beginning() -> None:
    state = game_on(PINWHEEL, [(2, 0)], [[(1, 3)], [(-2, 2)]]).state
    assert (state.phase, state.turns) == (Phase.ROLLING, 1)


@pytest.mark.rule("LSOLO2")
def test_a_start_can_be_tried_again() -> None:
    game = game_on(PINWHEEL, [(2, 0)], [[(1, 3)], [(-2, 2)]])
    begun = game.state
    for step in (Roll(2), Run((1, 0)), Run((0, 0))):
        game.do(step)
    assert game.take_back(3) == begun


def test_nothing_else_comes_before_lots() -> None:
    game = Game(put(TWO_LOCOMOTIVES, FOUR_WAGONS))
    for step in (RollOff((1, 2)), Roll(3), Run((1, 0))):
        with pytest.raises(NotNow, match="draw lots"):
            game.do(step)
    assert len(list(legal_steps(game.state))) == 2 * 2


def test_no_more_can_be_taken_back_than_was_done() -> None:
    game = Game(put(TWO_LOCOMOTIVES, FOUR_WAGONS))
    with pytest.raises(RuleError, match="no step"):
        game.take_back()
    game.do(DrawLots((1, 2), (1, 2)))
    with pytest.raises(RuleError, match="at most 1"):
        game.take_back(2)
    assert len(game.steps) == 1
