"""Players that choose by themselves: legal whatever the knobs, alike for the same chance, and no fools."""

from collections.abc import Sequence
from random import Random

import pytest

from companion.games.locomotion.rules import (
    Couple,
    DrawLots,
    Game,
    Knobs,
    Mode,
    Phase,
    Run,
    State,
    after,
    legal_motions,
    legal_turns,
)
from companion.games.locomotion.rules.steps import AnyStep, ChooseSpeed
from companion.games.locomotion.strategy.dealing import drawn_start, play, step_of_chance
from companion.games.locomotion.strategy.players.looking_ahead import WAITING, Way, look_ahead
from companion.games.locomotion.strategy.players.players import PLAYERS, GoodPlayer
from companion.games.locomotion.strategy.players.race import chances_not_yet, chances_to_be_first
from companion.games.locomotion.strategy.players.turns import turns_ends
from companion.games.locomotion.strategy.players.yard import Yard
from tests.companion.games.locomotion.rules.knobs import KNOBS
from tests.companion.games.locomotion.rules.networks import LINE, NAMES, PINWHEEL, TURNOUT, game_on, network, rolled
from tests.companion.games.locomotion.rules.random_networks import random_network
from tests.companion.games.locomotion.rules.test_random_games import new_game


def played(seed: int, names: Sequence[str], *, mode: Mode, knobs: Knobs | None = None, turns: int = 8) -> Game:
    random = Random(seed)
    laid = random_network(random, random.choice("TXD"), 3 * len(names) + 1)
    start = drawn_start(random, laid, NAMES[: len(names)], random.choice([2, 3]), mode=mode, knobs=knobs or Knobs())
    game = Game(start)
    for _ in play(game, [PLAYERS[name]() for name in names], random, turns):
        pass
    return game


@pytest.mark.parametrize(("mode", "number"), [(mode, number) for mode in Mode for number in (3, 6)])
def test_players_do_only_what_the_rules_allow(mode: Mode, number: int) -> None:
    """An illegal step would raise."""
    game = played(number, ("good", "greedy", "random"), mode=mode, knobs=KNOBS[number], turns=3)
    assert game.state.phase is Phase.OVER or game.state.turns == 4


@pytest.mark.further
@pytest.mark.parametrize(
    ("mode", "knobs", "names"),
    [
        (mode, knobs, names)
        for mode in Mode
        for knobs in KNOBS
        for names in (("good",), ("good", "good"), ("random", "good", "greedy", "good"))
    ],
)
def test_so_they_do_with_every_knob_and_number_of_players(mode: Mode, knobs: Knobs, names: Sequence[str]) -> None:
    for seed in range(3):
        played(seed, names, mode=mode, knobs=knobs, turns=12)


def test_the_same_chance_gives_the_same_game() -> None:
    games = [played(7, ("good", "random"), mode=Mode.DIE, turns=4) for _ in range(2)]
    assert games[0].steps == games[1].steps


@pytest.mark.rule("LSPD3", "LSPD4")
def test_the_ends_of_a_speed_turn_are_those_of_the_rules() -> None:
    compared = 0
    for seed in range(12):
        random = Random(seed)
        state = new_game(random).state
        if state.setup.mode is not Mode.SPEED:
            continue
        while (step := step_of_chance(state, random)) is not None:
            state = after(state, step)
        by_rules = {
            (end.stock, end.winner, end.speeds[state.active])
            for speed in range(3)
            for end in ends_by_rules(after(state, ChooseSpeed(speed)), speed)
        }
        ends = {
            (end.stock, state.active if end.is_won else None, end.speed)
            for end in turns_ends(state)
            if isinstance(end.steps[0], ChooseSpeed) and end.steps[0].speed < 3
        }
        assert ends == by_rules
        compared += 1
    assert compared > 3


def ends_by_rules(state: State, speed: int) -> list[State]:
    if not speed:
        return [state]
    return [done(state, turn) for turn in legal_turns(state)]


def done(state: State, steps: Sequence[AnyStep]) -> State:
    for step in steps:
        state = after(state, step)
    return state


@pytest.mark.parametrize("name", ["good", "greedy"])
def test_a_win_in_this_turn_is_taken(name: str) -> None:
    game = rolled(game_on(LINE, [(1, 0), (8, 0)], [[(3, 0), (6, 0)], [(4, 0), (7, 0)]]), 5)
    steps = PLAYERS[name]().turn(game.state, Random(1))
    assert done(game.state, steps).winner == 0


def test_another_who_would_win_is_hindered() -> None:
    """Ben may win in his next turn; Ann cannot in this one, but she can take the wagon that he needs."""
    game = game_on(LINE, [(5, 0), (0, 0)], [[(8, 0), (1, 0)], [(3, 0), (7, 0)]], order=(1, 2))
    state = rolled(game, 4).state
    assert way_of(state, 1).is_found
    assert not way_of(done(state, GoodPlayer().turn(state, Random(1))), 1).is_found


def way_of(state: State, player: int) -> Way:
    yard = Yard(state.setup, state.stock, state.drawn[player], state.order)
    layout, trains = yard.standing(state.stock)
    return look_ahead(yard, {layout: trains}, 12000)


@pytest.mark.parametrize(("order", "fewest"), [((1, 4, 2, 3), 18), ((1, 2, 3, 4), 29), ((2, 1, 3, 4), 30)])
def test_the_way_found_is_nearly_as_short_as_the_shortest(order: tuple[int, ...], fewest: int) -> None:
    state = game_on(PINWHEEL, [(2, 0)], [[(1, 3)], [(-2, 2)], [(-1, -1)], [(0, 2)]], order=order).state
    way = way_of(state, 0)
    assert way.is_found
    assert fewest <= way.steps <= 1.5 * fewest


def test_alone_it_finds_its_way_to_the_colour_order() -> None:
    random = Random(1)
    game = Game(drawn_start(random, network(PINWHEEL), ["Ann"], 4, mode=Mode.DIE, knobs=Knobs()))
    for _ in play(game, [GoodPlayer()], random, 40):
        pass
    assert game.state.winner == 0


def test_a_game_that_nobody_can_win_comes_to_an_end() -> None:
    game = game_on(TURNOUT, [(0, 0), (3, 0)], [[(1, 0), (4, 0)], [(2, 0), (5, 0)]], order=(2, 1))
    for _ in play(game, [GoodPlayer(), GoodPlayer()], Random(1), 20):
        pass
    assert game.state.phase is Phase.OVER or game.state.turns == 21


@pytest.mark.parametrize("seed", [0, 2, 4, 5])
def test_trains_in_each_others_way_do_not_stay_so_for_ever(seed: int) -> None:
    """Each wants to go where the other stands."""
    game = game_on(PINWHEEL, [(0, 2), (-1, 0)], [[(-2, 2), (-1, 1)], [(2, 0), (1, 1)]], order=(2, 1))
    for _ in play(game, [GoodPlayer(), GoodPlayer()], Random(seed), 60):
        pass
    assert game.state.phase is Phase.OVER


def test_a_way_through_anothers_train_is_known_but_not_found() -> None:
    """Ben stands between Ann and her wagons, with nothing to go round."""
    state = game_on(LINE, [(1, 0), (3, 0)], [[(5, 0), (7, 0)], [(6, 0), (8, 0)]], order=(1, 2)).state
    way = way_of(state, 0)
    assert way.is_complete
    assert not way.is_found
    assert way.steps == 4 + 1 + WAITING


def test_chances_are_those_of_dice() -> None:
    assert chances_not_yet(4)[1] == pytest.approx(1 / 2)
    assert chances_not_yet(4)[2] == pytest.approx(3 / 36)
    assert chances_to_be_first([1, 1]) == (1.0, 0.0)
    assert chances_to_be_first([4, 1]) == pytest.approx((1 / 2, 1 / 2))
    assert sum(chances_to_be_first([9, 14, 12])) == pytest.approx(1, abs=0.01)


def test_a_start_is_as_the_rules_want_it() -> None:
    random = Random(3)
    state = drawn_start(random, network(PINWHEEL), ["Ann", "Ben"], 4, mode=Mode.DIE, knobs=Knobs())
    step = step_of_chance(state, random)
    assert isinstance(step, DrawLots)
    assert after(state, step).phase is Phase.ROLLING_OFF


def test_steps_of_a_turn_are_runs_and_couplings_of_the_record() -> None:
    game = rolled(game_on(LINE, [(1, 0)], [[(3, 0)], [(4, 0)]]), 6)
    assert GoodPlayer().turn(game.state, Random(1)) == (Run((2, 0)), Couple(1), Couple(2))


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("name", PLAYERS)
def test_a_turn_that_was_broken_off_is_gone_on_with(mode: Mode, name: str) -> None:
    random = Random(2)
    start = drawn_start(random, network(PINWHEEL), NAMES[:2], 2, mode=mode, knobs=Knobs())
    state = start
    while (step := step_of_chance(state, random)) is not None:
        state = after(state, step)
    begun = done(state, [ChooseSpeed(3)] if mode is Mode.SPEED else [])
    first = next(iter(legal_motions(begun)))
    halfway = after(begun, first)
    assert halfway.turns == begun.turns
    ended = done(halfway, PLAYERS[name]().turn(halfway, random))
    assert ended.turns == halfway.turns + 1 or ended.phase is Phase.OVER
