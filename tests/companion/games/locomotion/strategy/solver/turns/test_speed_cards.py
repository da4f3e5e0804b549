"""The fewest turns with speed cards, and the fewest steps with every knob, beside the plain witness."""

from collections.abc import Iterator, Sequence
from itertools import accumulate

import pytest

from companion.games.locomotion.rules import (
    ChooseSpeed,
    Game,
    Knobs,
    Mode,
    Motion,
    Phase,
    Roll,
    State,
)
from companion.games.locomotion.strategy.solver.tracks import TooLarge
from companion.games.locomotion.strategy.solver.turns.cutting import Turn
from companion.games.locomotion.strategy.solver.turns.manners import WithSpeedCards
from companion.games.locomotion.strategy.solver.turns.passes import Known, beginning, from_both_ends
from companion.games.locomotion.strategy.solver.turns.solve import HasTime, SolutionInTurns, fewest_steps, fewest_turns
from companion.games.locomotion.strategy.solver.turns.stepping import Stepping
from companion.games.locomotion.strategy.solver.turns.sweep import Limits, Sweep
from tests.companion.games.locomotion.plain import game as plain
from tests.companion.games.locomotion.plain import search
from tests.companion.games.locomotion.plain.steps import Knobs as PlainKnobs
from tests.companion.games.locomotion.rules.knobs import KNOBS
from tests.companion.games.locomotion.rules.networks import PINWHEEL, network
from tests.companion.games.locomotion.strategy.solver.puzzles import Puzzle, as_plain, random_puzzle
from tests.companion.games.locomotion.strategy.solver.puzzles import start_of as started

ONE_WAY = [knobs for knobs in KNOBS if not knobs.reverse_in_turn]
SIZES = {"T": (3, 4), "X": (2, 3), "D": (4, 5)}
PINWHEEL_DOTS = (2, 0), ((1, 3), (-2, 2), (-1, -1), (0, 2))


def small_puzzle(seed: int) -> Puzzle:
    shape = "TXD"[seed % 3]
    return random_puzzle(SIZES[shape][seed // 3 % 2], 2, seed, shape, tries=6)


def start_of(puzzle: Puzzle, knobs: Knobs, mode: Mode = Mode.SPEED) -> State:
    return started(puzzle, mode, knobs)


def told_plainly(puzzle: Puzzle, knobs: Knobs, kind: str) -> plain.Game:
    wagons = [(dot, wagon) for wagon, dot in enumerate(puzzle.wagons, 1)]
    told = PlainKnobs(knobs.reverse_in_turn, knobs.gap.value, knobs.behind.value)
    return plain.set_up(as_plain(puzzle).network, kind, puzzle.order, [puzzle.locomotive], wagons, told)


def is_won_in(start: State, plan: Sequence[Turn]) -> bool:
    """Whether the rules accept the plan turn by turn, and the game is won with its last step and no sooner."""
    game = Game(start)
    for turn in plan:
        game.do(ChooseSpeed(turn.speed))
        for motion in turn.steps:
            assert game.state.phase is Phase.MOVING
            game.do(motion)
        assert game.state.phase is not Phase.MOVING
    return game.state.phase is Phase.OVER


def is_won_by(start: State, plan: Sequence[Motion]) -> bool:
    game = Game(start)
    for motion in plan:
        game.do(Roll(1))
        game.do(motion)
    return game.state.phase is Phase.OVER


def agrees_with_the_witness(puzzle: Puzzle, knobs: Knobs) -> bool:
    """Whether a puzzle can be solved, if the witness says the same; it fails if not."""
    start = start_of(puzzle, knobs)
    found = fewest_turns(start)
    assert found.is_proven
    assert found.turns == search.fewest_turns(told_plainly(puzzle, knobs, "speed")).fewest
    assert found.is_impossible == (found.plan is None)
    assert found.plan is None or is_won_in(start, found.plan)
    return found.plan is not None


@pytest.mark.rule("LSPD1", "LSPD2", "LSPD3", "LSPD4", "LSPD5", "LWIN1", "LSOLO1")
@pytest.mark.parametrize("knobs", KNOBS)
@pytest.mark.parametrize("seed", [37, pytest.param(34, marks=pytest.mark.further)])
def test_a_small_puzzle_takes_as_many_turns_as_the_plain_witness_says(seed: int, knobs: Knobs) -> None:
    agrees_with_the_witness(small_puzzle(seed), knobs)


@pytest.mark.further
@pytest.mark.parametrize("knobs", KNOBS)
def test_so_do_a_hundred_more(knobs: Knobs) -> None:
    first = 100 + 20 * KNOBS.index(knobs)
    can_be_solved = [agrees_with_the_witness(small_puzzle(seed), knobs) for seed in range(first, first + 20)]
    assert True in can_be_solved


def states_within(puzzle: Puzzle, knobs: Knobs, most: int) -> list[int]:
    """How many places with their speeds there are within 0, 1, 2... turns, until one wins."""
    start = start_of(puzzle, knobs)
    stepping = Stepping(start.setup.network, len(puzzle.wagons), knobs)
    stand = beginning([start], stepping)
    layers = {(standing, None): codes for standing, codes in stand.items()}
    sweep = Sweep(stepping, WithSpeedCards(stepping), layers, Limits(1 << 40, 1 << 40), goal=stepping.won)
    while sweep.won is None and len(sweep.layers) <= most:
        assert sweep.grow(lambda: True)
    assert sweep.is_whole
    return list(accumulate(sum(map(len, layer.values())) for layer in sweep.layers))


@pytest.mark.rule("LSPD3", "LSPD4")
@pytest.mark.parametrize("knobs", ONE_WAY)
@pytest.mark.parametrize("seed", [37, *(pytest.param(seed, marks=pytest.mark.further) for seed in range(30))])
def test_turns_lead_to_as_many_places_and_speeds_as_the_plain_witness_finds(seed: int, knobs: Knobs) -> None:
    """Full brakes too, which are seldom part of the best plan."""
    puzzle = small_puzzle(seed)
    plainly = search.fewest_turns(told_plainly(puzzle, knobs, "speed"), most=3).within
    assert states_within(puzzle, knobs, most=3)[: len(plainly)] == plainly


def test_in_that_puzzle_a_train_has_to_brake(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle, knobs = small_puzzle(37), Knobs(reverse_in_turn=False)
    whole = states_within(puzzle, knobs, most=3)
    monkeypatch.setattr(WithSpeedCards, "_braking", lambda *_: iter(()))
    assert states_within(puzzle, knobs, most=3)[1] < whole[1]


@pytest.mark.parametrize("knobs", KNOBS[1:4])
@pytest.mark.parametrize("seed", [37, *(pytest.param(seed, marks=pytest.mark.further) for seed in range(36))])
def test_the_fewest_steps_agree_with_the_plain_witness_with_every_knob(seed: int, knobs: Knobs) -> None:
    puzzle = small_puzzle(seed)
    start = start_of(puzzle, knobs, Mode.DIE)
    found = fewest_steps(start)
    assert found.is_proven
    assert found.steps == search.fewest_steps(told_plainly(puzzle, knobs, "die")).fewest
    assert found.plan is None or is_won_by(start, found.plan)


def turns_with_sixes(game: plain.Game) -> int | None:
    """By going everywhere that each turn can go, what is left over lapsing."""
    here = {game.place}
    seen, turns = set(here), 0
    while here and not any(search.wins(game, place) for place in here):
        edge: set[search.Moment] = {(place, None) for place in here}
        turns, ends = turns + 1, set()
        for _ in range(6):
            edge = {moment for place in edge for _, moment in search.next_moments(game, place)}
            ends |= {place for place, _ in edge}
        here = ends - seen
        seen |= here
    return turns if here else None


@pytest.mark.parametrize("most", [1, 6])
@pytest.mark.parametrize("knobs", KNOBS)
@pytest.mark.parametrize("seed", [37, *(pytest.param(seed, marks=pytest.mark.further) for seed in range(35))])
def test_from_both_ends_it_is_as_far(seed: int, knobs: Knobs, most: int) -> None:
    puzzle = small_puzzle(seed)
    start, plainly = start_of(puzzle, knobs, Mode.DIE), told_plainly(puzzle, knobs, "die")
    known = Known()
    steps = from_both_ends([start], most, known, lambda: True, lambda *_: None, most_bytes=1 << 30)
    fewest = search.fewest_steps(plainly).fewest if most == 1 else turns_with_sixes(plainly)
    assert known.is_impossible == (fewest is None)
    assert fewest in {None, known.bound}
    assert steps is None or is_won_by(start, steps)
    assert (steps is None) == (fewest is None)


@pytest.mark.rule("LSPD3")
@pytest.mark.parametrize("order", [(1, 4, 2, 3), pytest.param((2, 1, 3, 4), marks=pytest.mark.further)])
def test_who_may_reverse_carries_out_the_fewest_steps_six_a_turn(order: tuple[int, ...]) -> None:
    start = start_of(Puzzle(network(PINWHEEL), *PINWHEEL_DOTS, order), Knobs())
    steps = fewest_steps(start).steps
    found = fewest_turns(start)
    assert steps is not None
    assert (found.turns, found.bound) == (-(-steps // 6),) * 2
    assert found.plan is not None
    assert is_won_in(start, found.plan)


def one_way_solution(has_time: HasTime, **limits: int) -> SolutionInTurns:
    start = start_of(Puzzle(network(PINWHEEL), *PINWHEEL_DOTS, (1, 2, 3, 4)), Knobs(reverse_in_turn=False))
    told: list[tuple[int, int | None]] = []
    found = fewest_turns(start, has_time=has_time, watch=lambda *now: told.append(now), **limits)
    assert [bound for bound, _ in told] == sorted(bound for bound, _ in told)
    assert found.plan is None or is_won_in(start, found.plan)
    return found


def looks(most: int) -> Iterator[bool]:
    yield from (number < most for number in range(most + 10_000_000))


@pytest.mark.parametrize("most", [150, pytest.param(4000, marks=pytest.mark.further)])
def test_without_time_it_says_how_few_could_still_do_and_claims_no_more(most: int) -> None:
    left = looks(most)
    found = one_way_solution(lambda _=1: next(left))
    assert not found.is_proven
    assert not found.is_impossible
    assert found.turns is None or found.bound < found.turns


def test_too_many_dots_for_an_integer_are_told() -> None:
    far = network([((3 * number, 0), "E") for number in range(45)])
    assert Stepping(far, 4, Knobs()).lies.none > 135
    with pytest.raises(TooLarge, match="too many for a network"):
        Stepping(far, 9, Knobs())
