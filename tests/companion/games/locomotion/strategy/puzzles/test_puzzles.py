"""Puzzles drawn by lot: the same for a number, solvable, proven, judged, and within bounds."""

import json
import os
import subprocess
import sys
from itertools import pairwise
from random import Random

import pytest

from companion.games.locomotion import networks
from companion.games.locomotion.networks import Puzzle
from companion.games.locomotion.networks.files import puzzle_as_json
from companion.games.locomotion.rules import Network, Uncouple, load_piece
from companion.games.locomotion.strategy.puzzles import (
    Difficulty,
    DrawnPuzzle,
    Grade,
    NoPuzzle,
    Tries,
    difficulty_of,
    draw_puzzle,
    drawing_lots,
)
from tests.companion.games.locomotion.strategy.solver.puzzles import is_won_by, solved

SMALL = [("T", 6, 2, 0), ("D", 6, 3, 9), ("X", 4, 2, 0)]


def drawn(shape: str, pieces: int, wagons: int, number: int) -> DrawnPuzzle:
    return draw_puzzle(number, load_piece(shape), pieces, wagons)


@pytest.mark.rule("LSOLO1")
@pytest.mark.parametrize(("shape", "pieces", "wagons", "number"), SMALL)
def test_a_puzzle_is_proven_and_asks_for_shunting(shape: str, pieces: int, wagons: int, number: int) -> None:
    found = drawn(shape, pieces, wagons, number)
    network = found.puzzle.network
    assert (len(network.pieces), len(found.puzzle.wagons), network.piece.name) == (pieces, wagons, shape)
    assert is_won_by(found.puzzle, found.plan)
    assert any(isinstance(motion, Uncouple) for motion in found.plan)
    assert solved(found.puzzle).steps == len(found.plan)


def test_a_number_is_the_same_puzzle_everywhere_and_ever() -> None:
    found = drawn("D", 6, 3, 20261130)
    assert puzzle_as_json(found.puzzle) == {
        "piece": "D",
        "pieces": [[[0, 0], "S"], [[-1, 2], "E"], [[-2, 2], "N"], [[-2, 0], "E"], [[-1, -1], "N"], [[1, 2], "S"]],
        "locomotive": [1, 2],
        "wagons": {"1": [0, 0], "2": [-2, 1], "3": [-1, -1]},
        "order": [1, 2, 3],
    }
    assert len(found.plan) == 16


@pytest.mark.further
def test_a_number_is_the_same_puzzle_however_python_orders_sets() -> None:
    command = [sys.executable, "-m", "companion", "locomotion", "puzzle", "--seed", "7", "--json"]
    told = [
        subprocess.run(command, capture_output=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed}).stdout
        for seed in ("1", "2", "3")
    ]
    assert told[0] == told[1] == told[2]
    assert json.loads(told[0])["number"] == 7


@pytest.mark.further
@pytest.mark.parametrize("shape", "TXD")
@pytest.mark.parametrize("pieces", [5, 13, 20, 45])
def test_puzzles_of_all_sizes_are_found(shape: str, pieces: int) -> None:
    for number, wagons in ((1, 4), (2, 3), (3, 2)):
        found = drawn(shape, pieces, wagons, number)
        assert is_won_by(found.puzzle, found.plan)
        assert found.shortest.bound == len(found.plan)


def test_it_gives_up_after_some_tries_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing_lots, "MOST_TRIES", 3)
    with pytest.raises(NoPuzzle) as none:
        drawn("T", 2, 2, 0)
    assert none.value.tries.made == 3
    with pytest.raises(NoPuzzle):
        drawn("T", 1, 4, 0)


def test_what_cannot_be_proven_is_drawn_nearer_together(monkeypatch: pytest.MonkeyPatch) -> None:
    rooms: list[int | None] = []
    told: list[Tries] = []

    def draw_start(random: Random, network: Network, wagons: int, *, room: int | None) -> Puzzle:
        rooms.append(room)
        return networks.draw_start(random, network, wagons, room=room)

    monkeypatch.setattr(drawing_lots, "MOST_STATES", 400)
    monkeypatch.setattr(drawing_lots, "draw_start", draw_start)
    found = draw_puzzle(4, load_piece("T"), 8, 2, told.append)
    assert found.tries == told[-1] == Tries(too_large=1, too_easy=1)
    assert rooms == [24, 24, 12]
    assert found.shortest.states < 1000


def test_grades_go_from_easy_to_very_hard() -> None:
    grades = [
        Difficulty(steps=12, changes=4, detour=0, plans=9),
        Difficulty(steps=26, changes=5, detour=6, plans=2),
        Difficulty(steps=33, changes=6, detour=9, plans=2),
        Difficulty(steps=60, changes=12, detour=30, plans=1),
    ]
    assert [difficulty.grade for difficulty in grades] == list(Grade)
    assert all(one.points < other.points for one, other in pairwise(grades))


def test_a_puzzle_is_judged_by_its_plan() -> None:
    found = drawn("D", 6, 3, 20261130)
    assert difficulty_of(found) == Difficulty(steps=16, changes=5, detour=5, plans=1)


def test_who_does_not_want_it_any_more_does_not_wait_for_a_puzzle() -> None:
    asked: list[None] = []

    def has_time() -> bool:
        asked.append(None)
        return len(asked) < 10

    with pytest.raises(NoPuzzle):
        draw_puzzle(20261130, load_piece("T"), 13, 4, has_time=has_time)
    assert len(asked) <= 12
