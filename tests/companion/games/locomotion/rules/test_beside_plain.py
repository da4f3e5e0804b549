"""The rules beside a second, plain program that was written from the clauses alone: step by step they agree."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from companion.games.locomotion.rules import (
    BadNetwork,
    ChooseSpeed,
    Couple,
    DrawLots,
    EndTurn,
    Game,
    Mode,
    Motion,
    Phase,
    PlacedPiece,
    Roll,
    RollOff,
    Run,
    State,
    Uncouple,
    lay,
    legal_steps,
    load_piece,
    points,
    set_up,
)
from tests.companion.games.locomotion.plain import game as plain
from tests.companion.games.locomotion.plain.network import Network as PlainNetwork
from tests.companion.games.locomotion.plain.network import (
    alone,
    joined_in_parallel,
    network_of,
    out_of_reach,
    overlapping,
)
from tests.companion.games.locomotion.plain.neutral import rows_as_json
from tests.companion.games.locomotion.plain.steps import Knobs as PlainKnobs
from tests.companion.games.locomotion.rules.as_plain import rows
from tests.companion.games.locomotion.rules.knobs import KNOBS
from tests.companion.games.locomotion.rules.networks import NAMES
from tests.companion.games.locomotion.rules.random_networks import random_network, random_places

STEPS = 120
"""Of a game at most."""


def motion_as_told(state: State, motion: Motion) -> tuple[Any, ...]:
    stock, dots, train = state.stock, state.setup.network.dots, state.train
    if isinstance(motion, Run):
        return "run", dots[stock.dots[train[-1] if motion.backwards else train[0]]], motion.to
    if isinstance(motion, Couple):
        return "couple", dots[stock.dots[train[-1]]], dots[stock.dots[motion.wagon]]
    return "uncouple", motion.count, motion.to


class BothPrograms:
    """A game that both programs play."""

    def __init__(self, seed: int) -> None:
        random = self.random = Random(seed)
        players, colours = random.randint(1, 4), random.randint(2, 4)
        knobs, mode = random.choice(KNOBS), random.choice(list(Mode))
        shape = random.choice("TTXD")
        vehicles = players * (colours + 1)
        network = random_network(random, shape, random.randint(2, 8) + vehicles // 2)
        places = random_places(random, network, vehicles)
        wagons = [places[players + players * colour :][:players] for colour in range(colours)]
        order = tuple(random.sample(range(1, colours + 1), colours))
        self.game = Game(set_up(network, NAMES[:players], places[:players], wagons, mode=mode, knobs=knobs))
        self.game.do(DrawLots(tuple(range(1, players + 1)), order))
        if players > 1:
            self.game.do(RollOff((2, *(1,) * (players - 1))))
        self.plain = plain.set_up(
            network_of(shape, [(placed.cell, placed.heading) for placed in network.pieces]),
            mode.value,
            order,
            places[:players],
            [(place, colour) for colour, dots in enumerate(wagons, 1) for place in dots],
            PlainKnobs(knobs.reverse_in_turn, knobs.gap.value, knobs.behind.value),
        )

    def compare(self) -> None:
        state = self.game.state
        assert rows_as_json(self.plain.place) == rows(state)
        assert self.plain.winner == state.winner
        if state.winner is not None:
            assert plain.points(self.plain) == list(points(state))
            return
        assert (self.plain.player, self.plain.speeds) == (state.active, state.speeds)
        if state.phase is Phase.MOVING:
            motions = [step for step in legal_steps(state) if not isinstance(step, EndTurn)]
            told = [motion_as_told(state, motion) for motion in motions]
            assert sorted(map(str, told)) == sorted(map(str, plain.legal_steps(self.plain)))
        elif state.phase is Phase.CHOOSING:
            assert [step.speed for step in legal_steps(state)] == plain.speeds_to_choose(self.plain)

    def go_on(self) -> None:
        state = self.game.state
        # What moves things is likelier than ending the turn.
        steps = list(legal_steps(state))
        moving = [step for step in steps if not isinstance(step, EndTurn)]
        step = self.random.choice(moving if moving and self.random.random() < 0.95 else steps)
        self.game.do(step)
        if isinstance(step, Roll):
            self.plain = plain.begin_turn(self.plain, step.number)
            if self.game.state.waited is not None:
                self.plain = plain.end_turn(self.plain)  # there somebody has to say so
        elif isinstance(step, ChooseSpeed):
            self.plain = plain.begin_turn(self.plain, step.speed)
            if not step.speed and self.plain.left == 0:
                self.plain = plain.next_turn(self.plain)
        elif isinstance(step, EndTurn):
            self.plain = plain.end_turn(self.plain)
        else:
            assert isinstance(step, Run | Couple | Uncouple)
            self.plain = plain.do(self.plain, motion_as_told(state, step))


def play_both(seed: int) -> None:
    both = BothPrograms(seed)
    both.compare()
    for _ in range(STEPS):
        if both.game.state.phase is Phase.OVER:
            break
        both.go_on()
        both.compare()


@pytest.mark.rule("LRUN2", "LCPL2", "LCPL3", "LSPD4")
@pytest.mark.parametrize("seed", range(10))
def test_both_programs_agree_step_by_step(seed: int) -> None:
    play_both(seed)


@pytest.mark.further
@pytest.mark.parametrize("thousand", range(0, 1000, 50))
def test_both_programs_agree_in_a_thousand_games(thousand: int) -> None:
    for seed in range(1000 + thousand, 1050 + thousand):
        play_both(seed)


def verdict(network: PlainNetwork) -> dict[str, set[int]]:
    """The pieces that offend, by clause, as the plain program sees it."""
    return {
        "LSET1": overlapping(network) | alone(network),
        "LSET2": joined_in_parallel(network),
        "LSET3": out_of_reach(network),
    }


@pytest.mark.rule("LSET1", "LSET2", "LSET3")
@pytest.mark.parametrize("shape", [pytest.param("T", marks=pytest.mark.further), "X", "D"])
def test_both_programs_accept_the_same_networks(shape: str) -> None:
    random = Random(shape)
    told = Counter[str]()
    for _ in range(150):
        grown = list(random_network(random, shape, random.randint(1, 4)).pieces)
        # One that lies anywhere beside or upon them: now and then it fits.
        x, y = random.choice(grown).cell
        grown.append(PlacedPiece((x + random.randint(-3, 3), y + random.randint(-2, 2)), random.choice("ESWN")))
        found = verdict(network_of(shape, [(placed.cell, placed.heading) for placed in grown]))
        error = refusal(shape, grown)
        if error is None:
            assert not set().union(*found.values())
        else:
            assert set(error.pieces) <= found[error.clause]
        told[error.clause if error else "none"] += 1
    assert {"none", "LSET1", "LSET2"} <= set(told)


def refusal(shape: str, pieces: list[PlacedPiece]) -> BadNetwork | None:
    try:
        lay(load_piece(shape), pieces)
    except BadNetwork as error:
        return error
    return None


@pytest.mark.rule("LSET3")
@pytest.mark.parametrize("shape", [pytest.param("T", marks=pytest.mark.further), "X", "D"])
def test_with_the_pieces_that_ship_all_that_hangs_together_can_be_reached(shape: str) -> None:
    # Every arc of theirs ends at a side within its piece: a locomotive can go there, and come back along another track.
    random = Random(shape)
    for _ in range(20):
        laid = [((0, 0), "E")]
        while len(laid) < 6:
            (x, y), _ = random.choice(laid)
            attempt = [*laid, ((x + random.randint(-4, 4), y + random.randint(-4, 4)), random.choice("ESWN"))]
            network = network_of(shape, attempt)
            if not overlapping(network) | alone(network):
                laid = attempt
        # Each new one shares a track with one that was there before, so all hang together.
        assert not out_of_reach(network_of(shape, laid))
