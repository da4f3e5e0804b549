"""What the eye says of networks, picture after picture."""

from __future__ import annotations

import math
from random import Random

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from tests.vision.networks.rendered_networks import RenderedNetwork, other_paints, painted, rendered_network
from vision.arrays import Picture
from vision.networks.grid.lattice import found_grid
from vision.networks.network_eye import NetworkEye
from vision.networks.pieces.piece_look import PieceLook, Placement
from vision.networks.pieces.pieces import LyingPiece, shows_more
from vision.networks.vehicles.paints import learnt
from vision.networks.vehicles.vehicle_shapes import Kind
from vision.rendering.scene import Hand
from vision.watching.network_reading import Cell, NetworkReading, SeenPiece
from vision.watching.steady_view import no_still

SMALL = (984, 738)


def eye_for(table: RenderedNetwork, *, has_print: bool = True) -> NetworkEye:
    piece = table.network.piece
    return NetworkEye(table.pictures, piece.cells, has_print=has_print, is_same_turned=piece.name != "T")


def cells_of(reading: NetworkReading, table: RenderedNetwork) -> set[frozenset[Cell]]:
    look = PieceLook(table.network.piece.cells, None)
    found = set()
    for piece in reading.pieces:
        x, y = piece.cell
        found.add(frozenset((x + a, y + b) for a, b in look.turned("ESWN".index(piece.heading))))
    return found


def standing_in(reading: NetworkReading) -> dict[Cell, tuple[int, bool]]:
    return {seen.dot: (seen.colour, seen.is_locomotive) for seen in reading.vehicles}


def check(eye: NetworkEye, reading: NetworkReading | None, table: RenderedNetwork, *, vehicles: bool = True) -> None:
    """That a reading says what truly lies and stands there."""
    assert reading is not None
    assert eye.grid is not None
    pieces, standing = table.seen_as(eye.grid.view.on_grid(table.dots_px()))
    assert cells_of(reading, table) == pieces
    assert standing_in(reading) == (standing if vehicles else {})


def test_a_network_is_read_and_then_what_is_put_on_it() -> None:
    table = rendered_network("T", 20, 6, "normal", size=SMALL)
    eye = eye_for(table)
    check(eye, eye.look(table.photograph(vehicles=False), (), no_still).network, table, vehicles=False)
    check(eye, eye.look(table.photograph(), (), no_still).network, table)
    again = eye.look(table.photograph(1), (), no_still)
    assert again.is_still
    check(eye, again.network, table)


def test_the_axes_stay_when_the_camera_is_bumped() -> None:
    table = rendered_network("D", 13, 4, "easy", size=SMALL)
    eye = eye_for(table)
    before = eye.look(table.photograph(vehicles=False), (), no_still).network
    moved = np.array([[1, 0.01, 14.0], [-0.01, 1, -9.0]])
    picture: Picture = np.asarray(cv2.warpAffine(table.photograph(vehicles=False), moved, SMALL), np.uint8)
    for _ in range(3):
        after = eye.look(picture, (), no_still).network
    assert before is not None
    assert after is not None
    assert cells_of(after, table) == cells_of(before, table)


def test_a_piece_that_is_laid_the_wrong_way_round_is_seen_so_until_it_is_turned() -> None:
    """It covers the cells that it should: nothing but its print says so."""
    table = rendered_network("T", 9, 3, "easy", size=SMALL)
    first, *others = table.scene.cards
    turned = replace(first, pose=replace(first.pose, rotation_deg=(first.pose.rotation_deg + 180) % 360))
    wrong = table._replace(scene=replace(table.scene, cards=(turned, *others)))
    eye = eye_for(table)

    def heads_as_told(laid: RenderedNetwork, *, vehicles: bool = False) -> list[bool]:
        for look in range(3):
            reading = eye.look(laid.photograph(look, vehicles=vehicles), table.told(), no_still).network
        assert reading is not None
        assert eye.grid is not None
        there = {(round(x), round(y)) for x, y in eye.grid.view.on_grid(table.dots_px())[::3].tolist()}
        assert all(piece.is_sure for piece in reading.pieces)
        return sorted(piece.cell in there for piece in reading.pieces)

    assert heads_as_told(wrong) == [False] + [True] * 8
    assert heads_as_told(wrong, vehicles=True) == [False] + [True] * 8
    assert heads_as_told(table) == [True] * 9


def test_a_piece_with_something_on_its_arc_is_not_sure_unless_it_was_seen_bare() -> None:
    """Turned by half it looks the same then."""
    table = rendered_network("T", 9, 3, "easy", size=SMALL)
    seen = eye_for(table).look(table.photograph(), (), no_still).network
    assert seen is not None
    standing = {vehicle.dot for vehicle in seen.vehicles}
    covered = [piece.is_sure for piece in seen.pieces if middle_of(piece) in standing]
    assert covered
    assert not any(covered)
    eye = eye_for(table)
    eye.look(table.photograph(vehicles=False), (), no_still)
    again = eye.look(table.photograph(), (), no_still).network
    assert again is not None
    assert all(piece.is_sure for piece in again.pieces)


def middle_of(piece: SeenPiece) -> Cell:
    across, down = {"E": (1, 0), "S": (0, 1), "W": (-1, 0), "N": (0, -1)}[piece.heading]
    return piece.cell[0] + across, piece.cell[1] + down


@pytest.mark.parametrize("seed", [4, pytest.param(11, marks=pytest.mark.further)])
def test_a_network_is_seen_whole_though_its_grid_was_found_by_its_first_pieces(seed: int) -> None:
    table = rendered_network("T", 9, seed, "easy", size=SMALL)
    eye = eye_for(table)
    begun = table._replace(scene=replace(table.scene, cards=table.scene.cards[:2]))
    for look in range(4):
        eye.look(begun.photograph(look, vehicles=False), (), no_still)
    for look in range(4, 18):
        reading = eye.look(table.photograph(look, vehicles=False), (), no_still).network
    check(eye, reading, table, vehicles=False)


def test_a_cloth_on_which_more_seems_to_lie_is_no_network_of_which_a_part_was_known() -> None:
    row = [LyingPiece(Placement((2 * x, 0), 0), is_sure=True) for x in range(9)]
    cloth = [LyingPiece(Placement((x, 1 + y), 1), is_sure=True) for x in range(9) for y in range(0, 8, 2)]
    assert shows_more([*row, *cloth], row)
    assert not shows_more([*cloth, *row[:2]], row)
    assert not shows_more(row, row)


def test_a_book_at_the_border_is_no_hand_for_long() -> None:
    table = rendered_network("T", 9, 3, "easy", size=SMALL)
    eye = eye_for(table)
    eye.look(table.photograph(vehicles=False), (), no_still)
    beside = table.photograph()
    beside[300:650, :70] = (90, 40, 20)
    assert eye.look(beside, (), no_still).hand
    for _ in range(60):
        reading = eye.look(beside, (), no_still)
    assert not reading.hand
    check(eye, reading.network, table)


@pytest.mark.further
def test_nothing_is_read_while_a_hand_is_there() -> None:
    table = rendered_network("T", 9, 3, "easy", size=SMALL)
    eye = eye_for(table)
    eye.look(table.photograph(vehicles=False), (), no_still)
    with_hand = table._replace(scene=replace(table.scene, hands=(Hand((400.0, 300.0), 180.0),)))
    reading = eye.look(with_hand.photograph(), (), no_still)
    assert reading.hand
    assert reading.network is not None
    assert reading.network.vehicles == ()
    check(eye, eye.look(table.photograph(), (), no_still).network, table)


def test_wood_without_print_lies_as_it_was_told() -> None:
    table = rendered_network("T", 13, 2, "normal", "wood", SMALL)
    eye = eye_for(table, has_print=False)
    reading = eye.look(table.photograph(), table.told(), no_still).network
    check(eye, reading, table)
    assert reading is not None
    assert all(piece.is_sure for piece in reading.pieces)
    # Nobody who has not been told sees which way such a piece heads.
    untold = eye_for(table, has_print=False).look(table.photograph(), (), no_still).network
    assert untold is not None
    assert not any(piece.is_sure for piece in untold.pieces)


@pytest.mark.parametrize(("make", "seed"), [("folded", 3), pytest.param("wood", 9, marks=pytest.mark.further)])
def test_other_colours_are_learnt_from_one_picture_of_vehicles_whose_places_are_told(make: str, seed: int) -> None:
    plain = rendered_network("T", 9, seed, "easy", make, SMALL)
    table, has_print = painted(plain, other_paints(Random(seed))), make == "folded"
    eye, told = eye_for(table, has_print=has_print), table.told()
    eye.look(table.photograph(vehicles=False), told, no_still)
    seen = eye.look(table.photograph(), told | {"paints"}, no_still).network
    assert seen is not None
    assert eye.grid is not None
    _, standing = table.seen_as(eye.grid.view.on_grid(table.dots_px()))
    colours = {paint.dot: paint.colour for paint in seen.paints}
    assert set(colours) == set(standing)
    assert not all(paint.is_known for paint in seen.paints)
    own = learnt(colours, {dot: Kind(*kind) for dot, kind in standing.items()})
    assert own.alike is None
    assert own.odd == ()
    told |= {f"colour {number} {red} {green} {blue}" for number, (red, green, blue) in own.colours.items()}
    check(eye, eye.look(table.photograph(), told, no_still).network, table)
    # Those of the game are known again once nobody speaks of others.
    check(eye, eye.look(plain.photograph(), table.told(), no_still).network, plain)


def test_colours_are_learnt_from_wagons_and_what_does_not_fit_is_told() -> None:
    red, rose, blue, steel = (200, 40, 40), (205, 45, 38), (40, 60, 200), (90, 90, 95)
    seen = {(0, 0): red, (1, 0): blue, (2, 0): red, (3, 0): rose, (4, 0): steel}
    wagons = {(0, 0): Kind(1, is_locomotive=False), (1, 0): Kind(2, is_locomotive=False)}
    both = learnt(seen, {**wagons, (4, 0): Kind(1, is_locomotive=True)})
    assert (both.colours, both.alike, both.odd) == ({1: red, 2: blue}, None, ())
    assert learnt(seen, {**wagons, (3, 0): Kind(3, is_locomotive=False)}).alike == (1, 3)
    three = {dot: Kind(1, is_locomotive=False) for dot in ((2, 0), (3, 0), (1, 0))}
    blue_ones = {(5, 0): Kind(2, is_locomotive=False), (6, 0): Kind(2, is_locomotive=False)}
    assert learnt({**seen, (5, 0): blue, (6, 0): blue}, {**three, **blue_ones}).odd == ((1, 0),)


@pytest.mark.further
def test_in_the_dark_all_is_as_it_was() -> None:
    table = rendered_network("T", 9, 3, "easy", size=SMALL)
    eye = eye_for(table)
    picture = table.photograph()
    before = eye.look(picture, (), no_still)
    dark = eye.look(np.zeros_like(picture), (), no_still)
    assert dark.is_dark
    assert dark.network == before.network


def test_what_is_told_has_to_be_said_as_it_is_understood() -> None:
    table = rendered_network("T", 9, 3, "easy", size=SMALL)
    with pytest.raises(ValueError, match="tells neither"):
        eye_for(table).look(np.zeros((738, 984, 3), np.uint8), ["card 3"], no_still)


def test_a_piece_that_is_alike_turned_by_half_has_two_headings() -> None:
    look = PieceLook(((0, 0), (1, 0)), None, is_same_turned=True)
    assert look.told_apart(Placement((5, 5), 2)) == Placement((4, 5), 0)
    assert look.told_apart(Placement((5, 5), 3)) == Placement((5, 4), 1)


@pytest.mark.parametrize("turn_deg", [0, 40, 110, 180, 290])
def test_what_lies_to_the_right_of_the_picture_lies_to_the_right_on_the_grid(turn_deg: float) -> None:
    cells = [(x, 0) for x in range(9)] + [(4, y) for y in range(1, 6)] + [(x, 5) for x in range(5, 9)]
    radians = math.radians(turn_deg)
    along = np.array([(math.cos(radians), math.sin(radians)), (-math.sin(radians), math.cos(radians))])
    picture = np.full((480, 480, 3), 200, np.uint8)
    for x, y in np.round(((np.array(cells) - (4, 2.5)) @ along * 30 + 240) * 16).astype(int).tolist():
        cv2.circle(picture, (x, y), 96, (20, 20, 20), -1, cv2.LINE_AA, 4)
    grid = found_grid(picture)
    assert grid is not None
    start, end = grid.view.in_picture(np.array([(0, 0), (1, 0)]))
    assert end[0] - start[0] > abs(end[1] - start[1])
    assert np.abs(grid.view.on_grid(grid.view.in_picture(np.array(grid.cells))) - grid.cells).max() < 0.1
