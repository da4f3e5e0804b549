"""What holds in every game, whatever is done in it."""

from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from companion.games.locomotion.record.recorded_game import RECORDS
from companion.games.locomotion.rules import (
    ChooseSpeed,
    Couple,
    DrawLots,
    EndTurn,
    Game,
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
    load_piece,
    set_up,
)
from companion.games.locomotion.rules.clauses import CLAUSES
from companion.games.locomotion.rules.steps import AnyStep
from companion.record.file import read_record
from tests.companion.games.locomotion.rules.knobs import KNOBS
from tests.companion.games.locomotion.rules.networks import NAMES, follow_one_another
from tests.companion.games.locomotion.rules.random_networks import random_network, random_places

STEPS = 60
TRIED = 12
"""Steps tried after each step that are not all legal."""
TRIED_ALL = 20
"""After so many steps each step is tried that can be thought of."""


class Kind(NamedTuple):
    """What is played, and on pieces of which shape."""

    mode: Mode
    players: int
    colours: int
    knobs: Knobs
    shape: str


KINDS = [Kind(*values) for values in product(Mode, range(1, 5), range(2, 5), KNOBS, "TXD")]
SOME_KINDS = [KINDS[499 * number % len(KINDS)] for number in range(12)]
"""In these, too, each value of each part comes up."""


def new_game(random: Random, kind: Kind | None = None) -> Game:
    mode, players, colours, knobs, shape = kind or random.choice(KINDS)
    vehicles = players * (colours + 1)
    # From a network with hardly a dot free to one with room for all.
    fewest = vehicles // len(load_piece(shape).cells) + 1
    network = random_network(random, shape, random.choice([fewest, fewest + 2, vehicles]))
    places = random_places(random, network, vehicles)
    wagons = [places[players * (1 + colour) :][:players] for colour in range(colours)]
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


def all_steps(state: State) -> Iterator[AnyStep]:
    """Every step of a turn, and of what comes between turns, that can be thought of."""
    dots, vehicles = state.setup.network.dots, len(state.setup.colours)
    yield from (Run(dot, backwards) for dot in dots for backwards in (False, True))
    yield from (Couple(wagon) for wagon in range(-1, vehicles + 1))
    yield from (Uncouple(count, dot) for count in range(6) for dot in (None, *dots))
    yield from (Roll(number) for number in range(8))
    yield from (ChooseSpeed(speed) for speed in range(-1, 8))
    yield EndTurn()


def check(state: State) -> None:
    """Every vehicle is there once, on a dot of its own; every row stands along tracks, as its lies say."""
    setup, stock = state.setup, state.stock
    vehicles = range(len(setup.colours))
    assert sorted(vehicle for row in stock.rows for vehicle in row) == list(vehicles)
    # What stands alike is told alike.
    assert list(stock.rows) == sorted(stock.rows)
    assert all(setup.is_locomotive(row[0]) or row[0] <= row[-1] for row in stock.rows)
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


def check_step(before: State, step: AnyStep, state: State) -> None:
    """A step moves the active train alone, each of its vehicles by a dot at most, and costs one of the steps left."""
    is_motion = isinstance(step, Run | Couple | Uncouple)
    train = set(before.train) | set(state.stock.row_of(before.locomotive)) if is_motion else set()
    neighbours = before.setup.network.neighbours
    for vehicle, (was, now) in enumerate(zip(before.stock.dots, state.stock.dots, strict=True)):
        assert now == was or (vehicle in train and now in neighbours[was])
        assert vehicle in train or state.stock.lies[vehicle] == before.stock.lies[vehicle]
    others = [row for row in before.stock.rows if not train & set(row)]
    assert others == [row for row in state.stock.rows if not train & set(row)]
    assert state.steps == before.steps + is_motion
    if state.phase is Phase.MOVING:
        assert 0 < state.left <= 6
        assert not is_motion or state.left == before.left - 1
    if before.phase is Phase.MOVING and state.turns > before.turns:
        assert state.active == (before.active + 1) % before.setup.players


def refusal(state: State, step: AnyStep) -> RuleError | None:
    try:
        after(state, step)
    except RuleError as error:
        return error
    return None


def play(random: Random, kind: Kind) -> Game:
    game = new_game(random, kind)
    for number in range(STEPS):
        state = game.state
        legal = set(legal_steps(state))
        tried = [any_step(random, state) for _ in range(TRIED)]
        for step in (*tried, *(all_steps(state) if number % TRIED_ALL == TRIED_ALL - 1 else ())):
            error = refusal(state, step)
            assert (error is None) is (step in legal)
            assert error is None or (error.clause in CLAUSES and str(error))
        if not legal:
            assert state.phase is Phase.OVER
            break
        refused = next((step for step in tried if step not in legal), None)
        assert refused is None or not can_be_done(game, refused)
        assert game.state is state
        step = chosen(random, state, legal)
        game.do(step)
        check(game.state)
        check_step(state, step, game.state)
    return game


def can_be_done(game: Game, step: AnyStep) -> bool:
    try:
        game.do(step)
    except RuleError:
        return False
    return True


def chosen(random: Random, state: State, legal: set[AnyStep]) -> AnyStep:
    """One of them by lot: what couples the wagon that is wanted next most of the time, and rarely the end of a turn."""
    steps = sorted(legal, key=repr)
    order, train = state.order, state.train if state.drawn else ()
    wanted = order[len(train) - 1] if 0 < len(train) <= len(order) else 0
    best = [step for step in steps if isinstance(step, Couple) and state.setup.colours[step.wagon] == wanted]
    moving = [step for step in steps if not isinstance(step, EndTurn)]
    return random.choice(best if best and random.random() < 0.8 else moving or steps)


def check_once_more(game: Game, path: Path) -> None:
    """Taken back and played once more a game passes the same states, and so it does from its record."""
    RECORDS.save(path, game)
    steps, states = game.steps, game.states
    read = RECORDS.played(path, read_record(path))
    assert (read.steps, read.states) == (steps, states)
    while game.steps:
        game.take_back()
        assert game.state == states[len(game.steps)]
    for number, step in enumerate(steps, 1):
        game.do(step)
        assert game.state == states[number]


@pytest.mark.rule("LRUN1", "LRUN2", "LRUN6", "LCPL5", "LCPL6")
@pytest.mark.parametrize("number", range(len(SOME_KINDS)))
def test_what_is_listed_can_be_done_and_nothing_else(number: int, tmp_path: Path) -> None:
    game = play(Random(number), SOME_KINDS[number])
    check_once_more(game, tmp_path / "game.jsonl")


@pytest.mark.further
@pytest.mark.parametrize("part", range(48))
def test_so_it_is_in_thousands_of_games_of_every_kind(part: int, tmp_path: Path) -> None:
    ended = 0
    for number in range(6):
        for kind in KINDS[part::48]:
            game = play(Random(f"{part} {number} {kind}"), kind)
            check_once_more(game, tmp_path / "game.jsonl")
            (tmp_path / "game.jsonl").unlink()
            ended += game.state.phase is Phase.OVER
    assert ended
