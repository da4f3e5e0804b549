"""Networks drawn by lot: what the rules ask, more strictly than they do, and near to what was wished for."""

from random import Random

import pytest

from companion.games.locomotion.networks import NetworkShape, Wish, draw_network, draw_start, shape_of
from companion.games.locomotion.rules import Network, PlacedPiece, Side, lay, load_piece
from companion.games.locomotion.rules.network import cells_of
from companion.games.locomotion.rules.sides import beyond

PINWHEEL = [((0, 0), "E"), ((1, 1), "S"), ((0, 2), "W"), ((-1, 1), "N")]


def touching_in_parallel(network: Network) -> list[tuple[int, int]]:
    """By the cells alone, of pieces whose long sides are north and south of their heading."""
    owners = {cell: number for number, placed in enumerate(network.pieces) for cell in cells_of(network.piece, placed)}
    axes = [Side[placed.heading] % 2 for placed in network.pieces]
    beside = [(cell, side) for cell in owners for side in Side if beyond(cell, side) in owners]
    pairs = [(owners[cell], owners[beyond(cell, side)], side % 2) for cell, side in beside]
    return [(one, two) for one, two, axis in pairs if one != two and axes[one] == axes[two] != axis]


@pytest.mark.rule("LSET1", "LSET2", "LSET3")
@pytest.mark.parametrize("shape", ["T", "X", "D"])
@pytest.mark.parametrize(("pieces", "symmetry"), [(1, 1), (4, 1), (13, 1), (13, 4), (10, 2)])
def test_what_is_found_is_a_network_and_no_two_pieces_lie_side_by_side(shape: str, pieces: int, symmetry: int) -> None:
    for seed in range(2):
        drawn = draw_network(Random(seed), load_piece(shape), pieces, Wish(loops=2), symmetry=symmetry)
        assert len(drawn.network.pieces) == pieces
        assert lay(drawn.network.piece, drawn.network.pieces) == drawn.network
        assert touching_in_parallel(drawn.network) == []
        assert drawn.shape == shape_of(drawn.network)


def test_the_judge_of_neighbours_sees_them() -> None:
    placed = [PlacedPiece(cell, heading) for cell, heading in [((0, 0), "E"), ((1, 1), "S"), ((2, 1), "E")]]
    assert touching_in_parallel(lay(load_piece("T"), placed[:2])) == []
    assert (0, 2) in touching_in_parallel(Network(load_piece("T"), tuple(placed), (), (), ()))


def test_a_wish_is_fulfilled_where_that_is_easy_and_told_as_missed_where_it_cannot_be() -> None:
    assert draw_network(Random(1), load_piece("T"), 45, Wish(3, 20)).missed_by <= 1
    assert draw_network(Random(1), load_piece("D"), 45, Wish(8, 10)).shape == (8, 10)
    assert draw_network(Random(1), load_piece("T"), 4, Wish(9)).missed_by >= 8


def test_the_same_chance_finds_the_same_network() -> None:
    first, again, other = (draw_network(Random(seed), load_piece("T"), 10, Wish(1)).network for seed in (5, 5, 6))
    assert first == again
    assert first != other


def test_turned_by_a_quarter_a_symmetric_network_lies_on_itself() -> None:
    network = draw_network(Random(2), load_piece("T"), 12, Wish(1), symmetry=4).network
    cells = set(network.dots)
    turned = {(-y, x) for x, y in cells}
    shift = min(x for x, _ in cells) - min(x for x, _ in turned), min(y for _, y in cells) - min(y for _, y in turned)
    assert {(x + shift[0], y + shift[1]) for x, y in turned} == cells


@pytest.mark.parametrize(
    ("pieces", "shape"),
    [
        (PINWHEEL, (1, 4)),
        (PINWHEEL[:1], (0, 2)),
        ([((0, 0), "E"), ((1, 1), "S")], (0, 3)),
        ([((0, 0), "E"), ((3, 0), "E")], (0, 2)),
    ],
)
def test_loops_and_dead_ends_are_counted(pieces: list[tuple[tuple[int, int], str]], shape: tuple[int, int]) -> None:
    network = lay(load_piece("T"), [PlacedPiece(cell, heading) for cell, heading in pieces])
    assert shape_of(network) == NetworkShape(*shape)


@pytest.mark.rule("LSET4")
@pytest.mark.parametrize("wagons", [2, 3, 4])
def test_vehicles_stand_on_dots_of_their_own_spread_over_the_network(wagons: int) -> None:
    network = draw_network(Random(1), load_piece("T"), 13, Wish(2)).network
    for seed in range(20):
        puzzle = draw_start(Random(seed), network, wagons)
        assert sorted(puzzle.order) == list(range(1, wagons + 1))
        assert puzzle.start().order == puzzle.order
        assert len({puzzle.locomotive, *puzzle.wagons}) == wagons + 1


def test_in_a_small_room_vehicles_stand_near_together() -> None:
    line = lay(load_piece("T"), [PlacedPiece((3 * number, 0), "E") for number in range(10)])
    for seed in range(20):
        puzzle = draw_start(Random(seed), line, 2, room=6)
        columns = [x for x, _ in (puzzle.locomotive, *puzzle.wagons)]
        assert max(columns) - min(columns) < 6


def test_what_finds_no_room_is_refused() -> None:
    one = lay(load_piece("T"), [PlacedPiece((0, 0), "E")])
    with pytest.raises(ValueError, match="room"):
        draw_start(Random(1), one, 4)
