"""What holds in every game, whatever is done in it."""

from itertools import pairwise, product
from random import Random

import pytest

from companion.games.locomotion.rules import (
    Behind,
    ChooseSpeed,
    Couple,
    DrawLots,
    EndTurn,
    Game,
    Gap,
    Knobs,
    Mode,
    Phase,
    Roll,
    RollOff,
    RuleError,
    Run,
    State,
    Uncouple,
    after,
    legal_steps,
    set_up,
)
from companion.games.locomotion.rules.clauses import CLAUSES
from companion.games.locomotion.rules.steps import AnyStep
from tests.companion.games.locomotion.rules.networks import NAMES, follow_one_another
from tests.companion.games.locomotion.rules.random_networks import random_network, random_places

KNOBS = [Knobs(*values) for values in product((True, False), Gap, Behind)]
STEPS = 60
TRIED = 12
"""Steps tried after each step that are not all legal."""


def new_game(random: Random) -> Game:
    players, colours = random.choice([(1, 4), (1, 2), (2, 3), (2, 4), (3, 2), (4, 2)])
    vehicles = players * (colours + 1)
    network = random_network(random, random.choice("TXD"), vehicles)
    places = random_places(random, network, vehicles)
    wagons = [places[players * (1 + colour) :][:players] for colour in range(colours)]
    mode, knobs = random.choice(list(Mode)), random.choice(KNOBS)
    return Game(set_up(network, NAMES[:players], places[:players], wagons, mode=mode, knobs=knobs))


def any_step(random: Random, state: State) -> AnyStep:
    """Some step, most of the time one that cannot be done."""
    dot = random.choice(state.setup.network.dots)
    vehicles = len(state.setup.colours)
    choices: list[AnyStep] = [
        Run(dot, random.random() < 0.5),
        Couple(random.randint(-1, vehicles)),
        Uncouple(random.randint(0, 5), random.choice([None, dot])),
        Roll(random.randint(0, 7)),
        ChooseSpeed(random.randint(-1, 7)),
        EndTurn(),
        RollOff((1, 2)),
        DrawLots((1,), (2, 1)),
    ]
    return random.choice(choices[:3] if state.phase is Phase.MOVING and random.random() < 0.7 else choices)


def check(state: State) -> None:
    """Every vehicle is there once, on a dot of its own; every row stands along tracks, as its lies say."""
    setup, stock = state.setup, state.stock
    vehicles = range(len(setup.colours))
    assert sorted(vehicle for row in stock.rows for vehicle in row) == list(vehicles)
    assert len(set(stock.dots)) == len(vehicles)
    for vehicle in vehicles:
        assert stock.lies[vehicle]
        assert set(stock.lies[vehicle]) <= set(setup.lies_on(vehicle, stock.dots[vehicle]))
    for row in stock.rows:
        assert follow_one_another(setup.network, [stock.dots[vehicle] for vehicle in row])
        assert not any(setup.is_locomotive(vehicle) for vehicle in row[1:])
        colours = [setup.colours[vehicle] for vehicle in row if not setup.is_locomotive(vehicle)]
        assert len(set(colours)) == len(colours)
        for vehicle, beside in [*pairwise(row), *pairwise(row[::-1])]:
            side = setup.network.side_towards(stock.dots[vehicle], stock.dots[beside])
            assert all(side in way for way in stock.lies[vehicle])


def refusal(state: State, step: AnyStep) -> RuleError | None:
    try:
        after(state, step)
    except RuleError as error:
        return error
    return None


def play(seed: int) -> Game:
    random = Random(seed)
    game = new_game(random)
    for _ in range(STEPS):
        state = game.state
        legal = set(legal_steps(state))
        for _ in range(TRIED):
            step = any_step(random, state)
            error = refusal(state, step)
            assert (error is None) is (step in legal)
            assert error is None or (error.clause in CLAUSES and str(error))
        if not legal:
            assert state.phase is Phase.OVER
            break
        moving = sorted((step for step in legal if not isinstance(step, EndTurn)), key=repr)
        game.do(random.choice(moving or [EndTurn()]))
        check(game.state)
    return game


@pytest.mark.rule("LRUN1", "LRUN2", "LRUN6", "LCPL5", "LCPL6")
@pytest.mark.parametrize("seed", range(12))
def test_what_is_listed_can_be_done_and_nothing_else(seed: int) -> None:
    game = play(seed)
    steps, last = game.steps, game.state
    assert played_once_more(game, steps) == last


def played_once_more(game: Game, steps: tuple[AnyStep, ...]) -> State:
    """The game taken back to its beginning and played once more."""
    passed = []
    while game.steps:
        passed.append(game.state)
        game.take_back()
    for step in steps:
        game.do(step)
        assert game.state == passed.pop()
    return game.state


@pytest.mark.further
@pytest.mark.parametrize("hundred", range(0, 3000, 100))
def test_so_it_is_in_thousands_of_games(hundred: int) -> None:
    for seed in range(hundred, hundred + 100):
        play(seed)
