"""Pieces and the networks that they make."""

import json

import pytest

from companion.games.locomotion.rules import BadNetwork, BadPiece, PlacedPiece, lay, load_piece, piece_names, read_piece
from companion.games.locomotion.rules.network import parts_of
from companion.games.locomotion.rules.sides import Side
from tests.companion.games.locomotion.rules.networks import LINE, PINWHEEL, TURNOUT, follow_one_another, network

T = json.loads(
    '{"name": "T", "cells": [[0, 0], [1, 0]], "passages": [{"cell": [0, 0], "sides": ["W", "E"]},'
    ' {"cell": [1, 0], "sides": ["W", "E"]}], "long_sides": ["N", "S"]}'
)


@pytest.mark.rule("LMAT2")
def test_the_default_piece_has_a_straight_track_and_an_arc_in_its_middle() -> None:
    piece = load_piece("T")
    assert piece.cells == ((0, 0), (1, 0), (2, 0))
    assert piece.ports() == (((0, 0), Side.W), ((1, 0), Side.S), ((2, 0), Side.E))


@pytest.mark.rule("LMAT2")
@pytest.mark.parametrize(("shape", "dots", "ports"), [("T", 3, 3), ("X", 3, 4), ("D", 2, 4)])
def test_three_shapes_ship(shape: str, dots: int, ports: int) -> None:
    piece = load_piece(shape)
    assert (len(piece.cells), len(piece.ports())) == (dots, ports)
    assert shape in piece_names()


@pytest.mark.rule("LMAT2")
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"cells": []}, "cells"),
        ({"cells": [[0, 0], [0, 0]]}, "twice"),
        ({"cells": [[0, 0], [1000000, 0]]}, "apart"),
        ({"cells": [[number, 0] for number in range(17)]}, "cells"),
        ({"passages": []}, "each cell"),
        ({"passages": [{"cell": [0, 0], "sides": ["W", "W"]}]}, "two different"),
        ({"passages": [{"cell": [0, 0], "sides": ["W", "up"]}]}, "sides are"),
        ({"passages": [*T["passages"], T["passages"][0]]}, "twice"),
        ({"passages": [*T["passages"], {"cell": [9, 9], "sides": ["W", "E"]}]}, "elsewhere"),
        ({"long_sides": ["Q"]}, "sides are"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_piece_that_cannot_be_is_refused(change: dict[str, object], reason: str) -> None:
    assert read_piece(json.dumps(T)).name == "T"
    with pytest.raises(BadPiece, match=reason):
        read_piece(json.dumps(T | change), "mine.json")


@pytest.mark.parametrize("content", ["", "[", "null", "\udcff".encode("utf-8", "surrogateescape"), "[" * 10_000])
def test_a_file_that_is_no_piece_is_refused(content: str | bytes) -> None:
    with pytest.raises(BadPiece, match=r"mine\.json"):
        read_piece(content, "mine.json")


def test_a_piece_without_a_way_out_is_refused() -> None:
    corners = {(0, 0): ["E", "S"], (1, 0): ["W", "S"], (1, 1): ["W", "N"], (0, 1): ["E", "N"]}
    ring = {"name": "O", "cells": list(corners)}
    ring["passages"] = [{"cell": cell, "sides": sides} for cell, sides in corners.items()]
    with pytest.raises(BadPiece, match="none leaves"):
        read_piece(json.dumps(ring))


@pytest.mark.parametrize("name", ["../T", "", "t", "T" * 1000])
def test_a_piece_that_does_not_ship_is_named(name: str) -> None:
    with pytest.raises(BadPiece, match="no such piece; there are T, X, D") as refused:
        load_piece(name)
    assert len(str(refused.value)) < 120


def test_the_pinwheel_has_a_ring_in_its_middle() -> None:
    wheel = network(PINWHEEL)
    assert len(wheel.dots) == 12
    assert sum(joined is not None for sides in wheel.neighbours for joined in sides) == 2 * 12
    corner = wheel.number((1, 0))
    assert corner is not None
    assert wheel.passages[corner] == ((Side.E, Side.W), (Side.S, Side.W))


@pytest.mark.parametrize("heading", ["E", "S", "W", "N"])
def test_a_piece_turns_about_its_first_cell(heading: str) -> None:
    laid = network([((5, 7), heading)])
    along = {"E": (1, 0), "S": (0, 1), "W": (-1, 0), "N": (0, -1)}[heading]
    assert set(laid.dots) == {(5 + along[0] * step, 7 + along[1] * step) for step in range(3)}


@pytest.mark.rule("LSET1")
def test_pieces_on_one_another_are_named() -> None:
    with pytest.raises(BadNetwork) as refused:
        network([((0, 0), "E"), ((9, 9), "S"), ((2, 0), "E")])
    assert (refused.value.clause, refused.value.pieces) == ("LSET1", (0, 2))


@pytest.mark.rule("LSET1")
def test_a_piece_that_shares_no_track_is_named() -> None:
    with pytest.raises(BadNetwork) as refused:
        network([*LINE, ((0, 1), "E")])
    assert (refused.value.clause, refused.value.pieces) == ("LSET1", (3,))
    assert "4" in str(refused.value)


@pytest.mark.rule("LSET1", "LMAT1")
@pytest.mark.parametrize("count", [0, 46])
def test_there_are_at_most_45_pieces(count: int) -> None:
    with pytest.raises(BadNetwork, match="45"):
        network([((3 * number, 0), "E") for number in range(count)])


@pytest.mark.rule("LSET1", "LMAT1")
def test_all_45_pieces_can_be_laid() -> None:
    assert len(network([((3 * number, 0), "E") for number in range(45)]).dots) == 135


@pytest.mark.rule("LSET2")
def test_pieces_joined_by_their_arcs_side_by_side_are_named() -> None:
    with pytest.raises(BadNetwork) as refused:
        network([((0, 0), "E"), ((2, 1), "W")])
    assert (refused.value.clause, refused.value.pieces) == ("LSET2", (0, 1))


@pytest.mark.rule("LSET2")
def test_pieces_may_lie_side_by_side_with_no_track_between_them() -> None:
    ring = [((0, 0), "E"), ((3, 0), "E"), ((4, 1), "S"), ((1, 1), "S")]
    assert len(network(ring).dots) == 12


@pytest.mark.rule("LSET2", "LMAT2")
def test_a_side_across_from_a_long_one_need_not_be_a_long_one() -> None:
    arcs = [{"cell": [0, 0], "sides": ["E", "S"]}, {"cell": [1, 0], "sides": ["W", "N"]}]
    piece = read_piece(json.dumps({**T, "passages": [*T["passages"], *arcs], "long_sides": ["N"]}))
    with pytest.raises(BadNetwork, match="long sides"):
        lay(piece, [PlacedPiece((0, 0), "E"), PlacedPiece((2, -1), "W")])
    assert len(lay(piece, [PlacedPiece((0, 0), "E"), PlacedPiece((1, -1), "E")]).dots) == 4


@pytest.mark.rule("LSET3")
def test_a_part_that_is_not_joined_to_the_rest_is_named() -> None:
    with pytest.raises(BadNetwork) as refused:
        network([*LINE, ((0, 20), "E"), ((3, 20), "E")])
    assert refused.value.clause == "LSET3"
    assert set(refused.value.pieces) == {0, 1, 2, 3, 4}


@pytest.mark.rule("LSET3")
def test_dots_that_hang_together_and_cannot_be_reached_are_found() -> None:
    # Each dot's tracks are two arcs that do not meet, so that a row of them cannot be run along.
    bent = read_piece(
        json.dumps(
            {
                "name": "bent",
                "cells": [[0, 0]],
                "passages": [{"cell": [0, 0], "sides": ["W", "N"]}, {"cell": [0, 0], "sides": ["E", "S"]}],
                "long_sides": [],
            }
        )
    )
    with pytest.raises(BadNetwork) as refused:
        lay(bent, [PlacedPiece((0, 0), "E"), PlacedPiece((1, 0), "E"), PlacedPiece((2, 0), "E")])
    assert refused.value.clause == "LSET3"


@pytest.mark.rule("LMAT2")
@pytest.mark.parametrize("placed", [((0, 0), "NE"), ((0, 0), ""), ((10**9, 0), "E")])
def test_a_piece_that_lies_nowhere_is_named(placed: tuple[tuple[int, int], str]) -> None:
    with pytest.raises(BadNetwork) as refused:
        network([*LINE, placed])
    assert refused.value.pieces == (3,)


def test_a_locomotive_on_a_turnout_reaches_both_branches() -> None:
    turnout = network(TURNOUT)
    assert parts_of(turnout) == [frozenset(range(len(turnout.dots)))]


@pytest.mark.rule("LRUN2")
@pytest.mark.parametrize(
    ("dots", "can_stand"),
    [
        ([(0, 0), (1, 0), (2, 0)], True),
        ([(0, 0), (1, 0), (1, 1)], True),
        ([(2, 0), (1, 0), (1, 1)], False),
        ([(0, 0), (2, 0)], False),
        ([(1, 3), (1, 2)], True),
    ],
)
def test_a_train_stands_along_tracks(dots: list[tuple[int, int]], can_stand: bool) -> None:
    turnout = network(TURNOUT)
    assert follow_one_another(turnout, [turnout.dots.index(dot) for dot in dots]) is can_stand
