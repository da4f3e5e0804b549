"""Files of networks and puzzles: what is written is read again; what is wrong is told with its place."""

import json
from random import Random

import pytest

from companion.games.locomotion.networks import (
    BadFile,
    Puzzle,
    draw_network,
    draw_start,
    network_as_json,
    puzzle_as_json,
    read_network,
)
from companion.games.locomotion.rules import Gap, Knobs, load_piece

PINWHEEL = [[[0, 0], "E"], [[1, 1], "S"], [[0, 2], "W"], [[-1, 1], "N"]]
PUZZLE = {
    "piece": "T",
    "pieces": PINWHEEL,
    "locomotive": [2, 0],
    "wagons": {"1": [1, 3], "2": [-2, 2], "3": [-1, -1], "4": [0, 2]},
    "order": [1, 4, 2, 3],
}


def test_what_is_written_is_read_again() -> None:
    network = draw_network(Random(4), load_piece("X"), 9).network
    puzzle = draw_start(Random(4), network, 3)
    assert read_network(json.dumps(network_as_json(network)).encode(), "a file") == network
    assert read_network(json.dumps(puzzle_as_json(puzzle)).encode(), "a file") == puzzle


def test_a_piece_may_be_named_or_told() -> None:
    told = {**PUZZLE, "piece": {"name": "own", "cells": [[0, 0], [1, 0], [2, 0]], "passages": [
        {"cell": [0, 0], "sides": ["W", "E"]}, {"cell": [1, 0], "sides": ["W", "E"]},
        {"cell": [1, 0], "sides": ["W", "S"]}, {"cell": [2, 0], "sides": ["W", "E"]}]}}  # fmt: skip
    own, shipped = (read_network(json.dumps(file).encode(), "a file") for file in (told, PUZZLE))
    assert isinstance(own, Puzzle)
    assert isinstance(shipped, Puzzle)
    assert own.network.neighbours == shipped.network.neighbours
    assert puzzle_as_json(shipped) == PUZZLE
    assert puzzle_as_json(own)["piece"]["name"] == "own"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"pieces": []}, "f.json: pieces: "),
        ({"pieces": [[[0, 0], "E"], [[1, 0], "E"]]}, "f.json: pieces[0], pieces[1]: "),
        ({"pieces": [*PINWHEEL, [[9, 9], "up"]]}, "f.json: pieces[4]: "),
        ({"pieces": [[[0, "x"], "E"]]}, "f.json: pieces[0][0][1]: "),
        ({"pieces": PINWHEEL * 12}, "f.json: pieces: Pieces of rail: 48. A network has 1 to 45. (LSET1)"),
        ({"piece": "Q"}, "f.json: piece: "),
        ({"piece": 7}, "f.json: piece: "),
        ({"order": [1, 1, 2, 3]}, "f.json: order: "),
        ({"order": None}, "f.json: order: "),
        ({"locomotive": [2, 9]}, "f.json: locomotive: "),
        ({"wagons": {"1": [1, 3], "2": [1, 3]}, "order": [1, 2]}, "f.json: wagons.2: "),
        ({"wagons": {"1": [1, 3], "x": [0, 2]}, "order": [1, 2]}, "f.json: wagons: "),
        ({"wagons": {"1": [1, 3]}, "order": [1]}, "f.json: wagons: Wagon colours: 1. Play with 2 to 4."),
        ({"wagons": {str(number): [1, 3] for number in range(1, 13)}}, "f.json: wagons: Wagon colours: 12."),
        ({"speed": 7}, "f.json: "),
        ({"knobs": {"gap": "wide"}}, "f.json: knobs.gap: "),
        ({"knobs": {"reverse": False}}, "f.json: knobs: "),
        ({"knobs": {}, "locomotive": None, "wagons": None, "order": None}, "f.json: knobs: "),
    ],
)
def test_what_is_wrong_is_told_with_its_place(change: dict[str, object], told: str) -> None:
    with pytest.raises(BadFile) as error:
        read_network(json.dumps({**PUZZLE, **change}).encode(), "f.json")
    assert str(error.value).startswith(told)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("before", "after", "place"),
    [
        ('"1": [1, 3]', '"1": [1, 3], "1": [0, 0]', "wagons.1"),
        ('"order": [', '"order": [], "order": [', "order"),
        ('"piece": "T"', '"piece": {"name": "a", "cells": [{"x": 1}, {"x": 1, "x": 1}]}', "piece.cells[1].x"),
    ],
)
def test_what_is_told_twice_is_noticed_and_told_with_its_place(before: str, after: str, place: str) -> None:
    with pytest.raises(BadFile, match="twice") as error:
        read_network(json.dumps(PUZZLE).replace(before, after).encode(), "f.json")
    assert str(error.value).startswith(f"f.json: {place}: ")


def test_knobs_are_read_and_written_those_that_are_not_told_as_by_default() -> None:
    puzzle = read_network(json.dumps({**PUZZLE, "knobs": {"gap": "a_dot"}}).encode(), "a file")
    assert isinstance(puzzle, Puzzle)
    assert puzzle.knobs == Knobs(gap=Gap.A_DOT)
    assert puzzle.start().setup.knobs == puzzle.knobs
    assert read_network(json.dumps(puzzle_as_json(puzzle)).encode(), "a file") == puzzle


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"[" * 90_000,
        b'{"piece":' + b"[" * 80_000,
        b" " * 200_000,
        json.dumps(PUZZLE).replace("2", "9" * 5000, 1).encode(),
        json.dumps(PUZZLE).replace('"T"', '{"x": ' + "9" * 5000 + "}").encode(),
        json.dumps(PUZZLE).replace('"T"', '{"x": "?"}').encode().replace(b"?", b"\xff"),
        b"null",
    ],
)
def test_hostile_files_are_refused(content: bytes) -> None:
    with pytest.raises(BadFile):
        read_network(content, "f.json")
