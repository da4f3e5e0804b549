"""What people put right on a page: it counts over what the eye reads, for as long as the eye reads the same."""

from random import Random

import pytest
from msgspec.structs import replace

from companion.games.locomotion.rules import PlacedPiece, lay, load_piece
from companion.games.locomotion.rules.network import cells_of
from companion.games.locomotion.table.put_right import NOTHING, PutRight
from companion.games.locomotion.wording import Kind
from vision.watching.network_reading import NetworkReading, SeenPiece, SeenVehicle

RED_WAGON, BLUE_LOCOMOTIVE = Kind(1, is_locomotive=False), Kind(4, is_locomotive=True)
FIRST, SECOND = SeenPiece((0, 0), "E"), SeenPiece((3, 0), "E")


def put_right(*pieces: SeenPiece, piece: str = "T", **more: tuple[SeenVehicle, ...]) -> PutRight:
    made = PutRight(load_piece(piece))
    made.look(NetworkReading(pieces, **more))
    return made


def lying(table: PutRight) -> set[tuple[tuple[int, int], str]]:
    return {(seen.cell, seen.heading) for seen in table.reading.pieces}


@pytest.mark.parametrize(
    ("to", "heading"), [((2, 0), "E"), ((9, 3), "E"), ((0, 1), "S"), ((-4, 1), "W"), ((-1, -2), "N")]
)
def test_a_piece_lies_along_the_way_of_the_finger(to: tuple[int, int], heading: str) -> None:
    table = put_right()
    assert table.lay((0, 0), to)
    assert lying(table) == {((0, 0), heading)}


def test_a_tap_lays_a_piece_where_it_is_joined_to_the_others() -> None:
    table = put_right(FIRST)
    assert table.lay((4, 0), (4, 0))
    network = lay(table.piece, [PlacedPiece(seen.cell, seen.heading) for seen in table.reading.pieces])
    assert (4, 0) in network.dots
    assert not table.lay((4, 0), (4, 0))


def test_what_was_read_where_a_piece_is_laid_does_not_lie_there() -> None:
    table = put_right(FIRST, SECOND)
    table.lay((2, 0), (4, 0))
    assert lying(table) == {((2, 0), "E")}
    # The same once more changes nothing.
    before = table.reading
    table.lay((2, 0), (4, 0))
    assert lying(table) == {((2, 0), "E")}
    assert before.pieces == table.reading.pieces


def test_a_piece_is_turned_round_on_its_cells_and_back() -> None:
    table = put_right(FIRST, SECOND)
    assert table.turn((1, 0))
    assert lying(table) == {((2, 0), "W"), ((3, 0), "E")}
    assert table.turn((0, 0))
    assert lying(table) == {((0, 0), "E"), ((3, 0), "E")}
    assert not table.turn((0, 5))


def test_a_piece_that_looks_the_same_turned_round_is_turned_about_the_cell() -> None:
    table = put_right(SeenPiece((0, 0), "E"), piece="X")
    assert table.turn((1, 0))
    ((cell, heading),) = lying(table)
    assert heading in "SN"
    assert (1, 0) in cells_of(table.piece, PlacedPiece(cell, heading))


def test_taking_away_takes_the_vehicle_first() -> None:
    table = put_right(FIRST, vehicles=(SeenVehicle((1, 0), 1, is_locomotive=False),))
    assert table.take((1, 0))
    assert table.reading.vehicles == ()
    assert lying(table) == {((0, 0), "E")}
    assert table.take((1, 0))
    assert lying(table) == set()
    assert not table.take((1, 0))


def test_a_vehicle_stands_on_dots_alone() -> None:
    table = put_right(FIRST, vehicles=(SeenVehicle((1, 0), 1, is_locomotive=False),))
    assert not table.stand((0, 7), RED_WAGON)
    assert table.stand((1, 0), BLUE_LOCOMOTIVE)
    assert table.stand((2, 0), RED_WAGON)
    standing = {(seen.dot, seen.colour, seen.is_locomotive) for seen in table.reading.vehicles}
    assert standing == {((1, 0), 4, True), ((2, 0), 1, False)}


def test_it_counts_until_the_eye_reads_something_else_there() -> None:
    unsure = SeenPiece((0, 0), "E", is_sure=False)
    table = put_right(unsure, SECOND)
    table.turn((0, 0))
    table.stand((3, 0), RED_WAGON)
    assert table
    # Elsewhere something changes, and of what is not sure another guess is as good.
    table.look(NetworkReading((SeenPiece((2, 0), "W", is_sure=False), SECOND, SeenPiece((6, 0), "E"))))
    assert lying(table) == {((2, 0), "W"), ((3, 0), "E"), ((6, 0), "E")}
    assert len(table.reading.vehicles) == 1
    # Now the eye is sure, and it sees another vehicle.
    blue = SeenVehicle((3, 0), 4, is_locomotive=False)
    table.look(NetworkReading((FIRST, SECOND), vehicles=(blue,)))
    assert lying(table) == {((0, 0), "E"), ((3, 0), "E")}
    assert table.reading.vehicles == (blue,)
    assert not table


@pytest.mark.parametrize("piece", ["T", "X", "D"])
def test_whatever_is_touched_pieces_never_lie_on_one_another(piece: str) -> None:
    random, table = Random(3), put_right(SeenPiece((0, 0), "E"), piece=piece)
    for _ in range(100):
        cell, to = ((random.randrange(9), random.randrange(9)) for _ in range(2))
        match random.randrange(5):
            case 0 | 1:
                table.lay(cell, random.choice((cell, to)))
            case 2:
                table.turn(cell)
            case 3:
                table.take(cell)
            case _:
                table.look(random.choice((table.reading, NOTHING, replace(table.seen, stray=random.randrange(3)))))
        cells = [
            own for seen in table.reading.pieces for own in cells_of(table.piece, PlacedPiece(seen.cell, seen.heading))
        ]
        assert len(cells) == len(set(cells))


def test_a_slip_of_the_finger_lays_nothing_far_away() -> None:
    table = put_right(FIRST)
    assert not table.lay((4000, 0), (4002, 0))
    assert table.lay((20, 0), (22, 0))
