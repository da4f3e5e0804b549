"""The plain program is right itself: numbers that others found as well, and clauses tried by hand on small networks.

Its tests carry no marks of clauses, which tell what of the product is tested.
"""

from __future__ import annotations

import json
from random import Random

import pytest

from tests.companion.games.locomotion.plain.game import (
    Game,
    begin_turn,
    do,
    end_turn,
    legal_steps,
    legal_turns,
    points,
    set_up,
    speeds_to_choose,
)
from tests.companion.games.locomotion.plain.network import (
    alone,
    joined,
    joined_in_parallel,
    network_of,
    out_of_reach,
    overlapping,
    too_many,
)
from tests.companion.games.locomotion.plain.neutral import as_json, game_of, step_as_json, step_of
from tests.companion.games.locomotion.plain.pieces import PIECES, Dot, Laid, tracks_of
from tests.companion.games.locomotion.plain.search import fewest_steps, fewest_turns
from tests.companion.games.locomotion.plain.standing import (
    LINE,
    PINWHEEL,
    SPURS,
    cut,
    golden,
    standing,
    train,
)
from tests.companion.games.locomotion.plain.steps import Knobs

# The golden example


def test_order_1_4_2_3_takes_18_steps() -> None:
    found = fewest_steps(golden(1, 4, 2, 3))
    assert (found.fewest, found.within[-1]) == (18, 3_419)
    assert found.within[:8] == [1, 2, 3, 5, 7, 11, 15, 24]


def test_the_plan_wins_when_it_is_played_and_3_turns_are_enough_with_speed_cards_too() -> None:
    game = golden(1, 4, 2, 3)
    plan = fewest_steps(game).plan
    for index, step in enumerate(plan):
        game = do(begin_turn(game, 6) if index % 6 == 0 else game, step)
    assert (game.winner, points(game)) == (0, [5])
    assert fewest_turns(golden(1, 4, 2, 3)._replace(kind="speed"), 2).fewest is None


@pytest.mark.further
@pytest.mark.parametrize(("order", "fewest", "states"), [((1, 2, 3, 4), 29, 153_431), ((2, 1, 3, 4), 30, 197_976)])
def test_other_orders_take_29_and_30_steps(order: tuple[int, ...], fewest: int, states: int) -> None:
    found = fewest_steps(golden(*order))
    assert (found.fewest, found.within[-1]) == (fewest, states)


@pytest.mark.further
def test_in_all_there_are_1_999_392_states() -> None:
    found = fewest_steps(golden(1, 2, 3, 4)._replace(order=(5, 6, 7, 8)))  # which no train ever has
    assert (found.fewest, len(found.within) - 2, found.within[-1]) == (None, 60, 1_999_392)


@pytest.mark.further
def test_with_speed_cards_the_golden_order_takes_3_turns() -> None:
    found = fewest_turns(golden(1, 4, 2, 3)._replace(kind="speed"))
    assert (found.fewest, [speed for speed, _ in found.plan]) == (3, [6, 6, 6])


# Pieces and networks


def test_pieces_as_they_are_laid() -> None:
    assert tracks_of("T", ((0, 0), "E")) == {(0, 0): {"EW"}, (1, 0): {"EW", "SW"}, (2, 0): {"EW"}}
    assert tracks_of("T", ((5, 5), "N")) == {(5, 5): {"NS"}, (5, 4): {"NS", "ES"}, (5, 3): {"NS"}}
    assert tracks_of("X", ((0, 0), "E"))[1, 0] == {"EW", "NS", "SW", "EN"}
    assert tracks_of("D", ((0, 0), "E")) == {(0, 0): {"EW", "ES"}, (1, 0): {"EW", "NW"}}


@pytest.mark.parametrize("shape", ["X", "D"])
def test_turned_by_half_about_their_middle_x_and_d_are_as_before(shape: str) -> None:
    last = max(tracks_of(shape, ((0, 0), "E")))
    assert tracks_of(shape, (last, "W")) == tracks_of(shape, ((0, 0), "E"))


def test_the_pinwheel_has_nothing_wrong_with_it() -> None:
    network = network_of("T", PINWHEEL)
    assert len(network.passages) == 12
    assert not (overlapping(network) | too_many(network) | alone(network))
    assert not (joined_in_parallel(network) | out_of_reach(network))


def test_what_is_wrong_with_a_network_names_pieces() -> None:
    line: list[Laid] = [((3 * index, 0), "E") for index in range(47)]
    assert too_many(network_of("T", line)) == {45, 46}  # LSET1
    apart: list[Laid] = [*PINWHEEL, ((9, 9), "E")]
    assert alone(network_of("T", apart)) == {4}  # LSET1
    assert out_of_reach(network_of("T", apart)) == {0, 1, 2, 3, 4}  # LSET3
    beside: list[Laid] = [*PINWHEEL, ((0, -1), "E")]
    assert alone(network_of("T", beside)) == {4}  # LSET1: it touches, but no track leads across
    assert joined(network_of("T", beside), (1, -1), "S") is joined(network_of("T", beside), (1, 0), "N") is None
    assert overlapping(network_of("T", [*PINWHEEL, ((2, -1), "S")])) == {0, 4}


def test_parallel_pieces_joined_along_their_long_sides() -> None:
    """LSET2."""
    middles_joined = network_of("T", [((0, 0), "E"), ((2, 1), "W")])
    assert joined(middles_joined, (1, 0), "S") == (1, 1)
    assert joined_in_parallel(middles_joined) == {0, 1}
    across = network_of("T", [((0, 0), "E"), ((1, 1), "S")])
    assert joined_in_parallel(across) == set()
    in_a_row = network_of("T", LINE)
    assert joined_in_parallel(in_a_row) == set()


def test_a_network_that_hangs_together_may_be_out_of_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    """LSET3: with arcs to the outside, who comes to a dot by either of its tracks cannot change to the other."""
    monkeypatch.setitem(PIECES, "outside", (("bf", "br"), ("bf", "fl")))
    network = network_of("outside", [((0, 0), "E"), ((0, 1), "S"), ((2, 0), "E")])
    assert alone(network) == set()
    assert out_of_reach(network) == {0, 1, 2}
    assert out_of_reach(network_of("outside", [((0, 0), "E"), ((2, 0), "E")])) == set()


@pytest.mark.parametrize("wrong", [[((2, 0), 1), ((0, 2), 2)], [((0, 0), 1), ((0, 2), 1)], [((9, 9), 1), ((0, 2), 2)]])
def test_not_set_up_so(wrong: list[tuple[Dot, int]]) -> None:
    """LSET4."""
    with pytest.raises(ValueError, match="LSET4"):
        set_up(network_of("T", PINWHEEL), "die", (1, 2), [(2, 0)], wrong)


# Searching


@pytest.mark.parametrize("search", [fewest_steps, fewest_turns])
def test_on_a_line_wagons_in_the_wrong_order_are_impossible(search) -> None:  # type: ignore[no-untyped-def]
    rows = [train(1), cut(3, colours=(2,)), cut(4, colours=(1,))]
    kind = "die" if search is fewest_steps else "speed"
    assert search(standing(kind, rows, LINE[:2])).fewest is None
    assert search(standing(kind, rows, LINE[:2], order=(2, 1))).fewest is not None


def test_fewest_turns_with_speed_cards_counts_how_the_speed_comes_about() -> None:
    """LSPD2: seven steps are a first turn of 6 and another one; from speed 0 on they are 1, 2, 3 and what is left."""
    rows = [train(0), cut(5, colours=(1,)), cut(7, colours=(2,))]
    assert fewest_steps(standing("die", rows)).fewest == 7
    assert fewest_turns(standing("speed", rows)).fewest == 2
    assert fewest_turns(standing("speed", rows, speeds=(0,))).fewest == 4
    one_way = Knobs(reverse_in_turn=False)
    assert fewest_turns(standing("speed", rows, speeds=(0,), knobs=one_way)).fewest == 4


def test_a_turn_with_a_speed_card_may_win_in_its_middle() -> None:
    """LWIN1: at speed 5 or 6 the first step is enough."""
    rows = [train(3, 4, colours=(1,)), cut(5, colours=(2,))]
    assert fewest_turns(standing("speed", rows, speeds=(6,))).plan == [(5, (("couple", (4, 0), (5, 0)),))]


def turns_played(game: Game, most: int) -> tuple[int | None, list[int]]:
    """What ``fewest_turns`` tells, found by playing each legal turn step by step."""
    layer, found, within = [game], {(game.place, game.speeds)}, [1]
    while len(within) - 1 < most:
        next_layer = []
        for turn in [begin_turn(before, speed) for before in layer for speed in speeds_to_choose(before)]:
            for steps in [()] if turn.left is None else legal_turns(turn):
                after_it = turn
                for step in steps:
                    after_it = do(after_it, step)
                if after_it.winner is not None:
                    return len(within), within
                if (after_it.place, after_it.speeds) not in found:
                    found.add((after_it.place, after_it.speeds))
                    next_layer.append(after_it)
        layer = next_layer
        within.append(len(found))
    return None, within


@pytest.mark.parametrize("knobs", [Knobs(), Knobs(reverse_in_turn=False), Knobs(reverse_in_turn=False, gap="a_dot")])
@pytest.mark.parametrize("most", [2, pytest.param(3, marks=pytest.mark.further)])
@pytest.mark.parametrize("seed", range(8))
def test_fewest_turns_with_speed_cards_are_those_that_are_found_by_playing(seed: int, most: int, knobs: Knobs) -> None:
    """LSPD1 to LSPD4."""
    pieces = Random(seed).choice([LINE[:2], PINWHEEL])
    network = network_of("T", pieces)
    locomotive, *wagons = Random(seed).sample(sorted(network.passages), 3)
    game = set_up(network, "speed", (1, 2), [locomotive], [(wagons[0], 1), (wagons[1], 2)], knobs)
    game = game._replace(speeds=(seed % 2,))
    found = fewest_turns(game, most)
    assert (found.fewest, found.within) == turns_played(game, most)


def test_the_plan_of_a_search_with_speed_cards_can_be_played() -> None:
    game = standing("speed", [train(0), cut(5, colours=(1,)), cut(7, colours=(2,))], speeds=(0,))
    for speed, run in fewest_turns(game).plan:
        game = begin_turn(game, speed)
        for step in run:
            game = do(game, step)
    assert game.winner == 0


# The neutral form


@pytest.mark.parametrize("kind", ["die", "speed"])
@pytest.mark.parametrize("knobs", [Knobs(), Knobs(reverse_in_turn=False, gap="a_dot", behind="back_only")])
def test_a_game_is_the_same_when_it_was_told_in_numbers_and_words(kind: str, knobs: Knobs) -> None:
    chance = Random(kind)
    game = set_up(
        network_of("T", PINWHEEL),
        kind,
        (1, 2),
        [(2, 0), (0, 0)],
        [((1, 3), 1), *SPURS[1:2], ((-1, -1), 1), ((0, 2), 2)],
        knobs,
    )
    for _ in range(60):
        told = json.loads(json.dumps(as_json(game)))
        assert game_of(told) == game
        if game.left is None:
            game = begin_turn(game, chance.choice(speeds_to_choose(game) or [1, 2, 3, 4, 5, 6]))
        elif steps := legal_steps(game):
            game = do(game, step_of(json.loads(json.dumps(step_as_json(chance.choice(steps))))))
        else:
            game = end_turn(game)
