"""Where pieces and vehicles lie and stand, and how a robot finds a network again whatever axes the game sees it by."""

from random import Random

import pytest
from msgspec.structs import replace

from companion.games.locomotion.networks.drawing_lots import draw_network
from companion.games.locomotion.networks.named import named_networks
from companion.games.locomotion.printing.drawn_pieces import card_mm
from companion.games.locomotion.printing.outline import CELL_MM
from companion.games.locomotion.robot.places import (
    Standing,
    found_lying,
    looks_of,
    onto_the_table,
    piece_pose,
    vehicle_poses,
    vehicles_found,
)
from companion.games.locomotion.rules import Knobs, Mode, PlacedPiece, Side, lay, load_piece
from companion.games.locomotion.rules.network import cells_of
from companion.games.locomotion.rules.sides import turned_cell
from companion.games.locomotion.strategy.dealing import drawn_start
from companion.virtual.hands import Lying
from vision.cards import Pose
from vision.cards.area import turned
from vision.rendering.places import TABLE_MM

SHIFT = 7, -4


def laid(network, motion, random):
    """The cards of a network on the table, in any order, each a little off."""
    numbers = random.sample(range(1, 46), len(network.pieces))
    return {
        number: Lying(
            network.piece.name,
            motion(piece_pose(network.piece, placed)).moved(*(random.uniform(-2, 2) for _ in range(3))),
        )
        for number, placed in zip(numbers, network.pieces, strict=True)
    }


def other_axes(network, heading):
    """The same network as somebody sees it who sits at another side of the table."""
    pieces = []
    for placed in network.pieces:
        x, y = turned_cell(placed.cell, Side[heading])
        pieces.append(PlacedPiece((x + SHIFT[0], y + SHIFT[1]), Side[placed.heading].turned(Side[heading]).name))
    return lay(network.piece, pieces)


@pytest.mark.parametrize("name", ["T", "X", "D"])
@pytest.mark.parametrize("heading", list(Side.__members__))
def test_a_piece_covers_its_cells(name, heading):
    piece, placed = load_piece(name), PlacedPiece((3, -2), heading)
    pose = piece_pose(piece, placed)
    width, height = card_mm(piece)
    first = turned((-width / 2 + CELL_MM / 2, -height / 2 + CELL_MM / 2), pose.rotation_deg)
    middles = [((x + 0.5) * CELL_MM, (y + 0.5) * CELL_MM) for x, y in cells_of(piece, placed)]
    assert (pose.x_mm + first[0], pose.y_mm + first[1]) == pytest.approx(middles[0])
    assert (pose.x_mm - first[0], pose.y_mm - first[1]) == pytest.approx(middles[-1])


@pytest.mark.parametrize("name", ["pinwheel", *list(named_networks())[-2:]])
def test_a_network_lies_whole_on_the_table(name):
    network = named_networks()[name].network()
    for seed in range(8):
        motion = onto_the_table(network, Random(seed))
        for x, y in network.dots:
            place = motion.point(((x + 0.5) * CELL_MM, (y + 0.5) * CELL_MM))
            assert all(0 < at < whole for at, whole in zip(place, TABLE_MM, strict=True)), (seed, place)


@pytest.mark.parametrize("name", ["T", "X", "D"])
def test_each_vehicle_is_put_on_its_dot_whatever_axes_the_game_has(name):
    random = Random(name)
    for seed in range(3):
        network = draw_network(Random(seed), load_piece(name), 12, symmetry=(1, 2, 4)[seed % 3]).network
        start = drawn_start(random, network, ["Ann", "Ben"], 3, mode=Mode.DIE, knobs=Knobs())
        motion = onto_the_table(network, random)
        lying = laid(network, motion, random)
        poses = [motion(pose) for pose in vehicle_poses(start, random)]
        heading = random.choice("ESWN")
        # The same dots in the same order of vehicles, seen from another side.
        turned_network = other_axes(network, heading)
        places = [network.dots[dot] for dot in start.stock.dots]
        moved = [turned_cell(place, Side[heading]) for place in places]
        here = [turned_network.number((x + SHIFT[0], y + SHIFT[1])) for x, y in moved]
        state = drawn_start(random, turned_network, ["Ann", "Ben"], 3, mode=Mode.DIE, knobs=Knobs())
        lies = tuple(state.setup.lies_on(vehicle, dot) for vehicle, dot in enumerate(here))
        state = replace(state, stock=replace(state.stock, dots=tuple(here), lies=lies))
        standing = [Standing(-1 - vehicle, look, poses[vehicle]) for vehicle, look in enumerate(looks_of(start.setup))]
        random.shuffle(standing)
        found = found_lying(state, lying, standing)
        assert found is not None
        assert len(found.numbers) == len(network.pieces)
        numbers = vehicles_found(state, found, lying, standing)
        assert numbers == {vehicle: -1 - vehicle for vehicle in range(len(here))}
        wanted = vehicle_poses(state, random)
        for vehicle, dot in enumerate(here):
            there = found.on_dot(wanted[vehicle], dot, lying)
            assert there.distance_mm(poses[vehicle]) < CELL_MM / 2
        lost = next(iter(found.numbers.items()))
        without = {number: card for number, card in lying.items() if number != lost[1]}
        assert found.piece(lost[0], without).distance_mm(lying[lost[1]].pose) < 6


def test_what_does_not_lie_there_is_not_found():
    random = Random(3)
    network = named_networks()["pinwheel"].network()
    start = drawn_start(random, network, ["Ann"], 2, mode=Mode.DIE, knobs=Knobs())
    assert found_lying(start, {}, []) is None
    assert found_lying(start, {1: Lying("another", Pose(1, 1))}, []) is None
