"""Where the pieces of a network and what stands on it are on a table, in mm."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

from msgspec.structs import replace

from companion.games.locomotion.artwork.picture import stands
from companion.games.locomotion.printing.outline import CELL_MM
from companion.games.locomotion.rules import Dot, Network, Piece, PlacedPiece, Side, State
from companion.games.locomotion.rules.network import cells_of
from companion.games.locomotion.rules.state import Setup
from companion.virtual.hands import Lying
from companion.virtual.robot_hands import imprecise
from vision.cards import Motion, Pose
from vision.cards.area import Area
from vision.rendering.places import AREA, TABLE_MM

_ASKEW_DEG: Final = 6.0
"""How far a network lies askew at most: people lay it along the table's edge."""
NEAR_MM: Final = CELL_MM / 2
"""A piece, or a vehicle, that is no farther from where it should be is there."""


def piece_pose(piece: Piece, placed: PlacedPiece) -> Pose:
    """Where a piece's middle is, from the corner of the cell (0, 0), and how it is turned."""
    x, y = (CELL_MM * (min(side) + max(side) + 1) / 2 for side in zip(*cells_of(piece, placed), strict=True))
    return Pose(x, y, 90.0 * Side[placed.heading])


def vehicle_poses(state: State, random: Random) -> list[Pose]:
    """Where each vehicle stands in the same axes: about on its dot, along one of the ways in which it may lie."""
    lies = tuple((random.choice(lie),) for lie in state.stock.lies)
    chosen = replace(state, stock=replace(state.stock, lies=lies))
    # Its front is towards the top of its pose.
    turns = (degrees + 90 for _, _, degrees in stands(chosen))
    places = (_middle(state.setup.network.dots[dot]) for dot in state.stock.dots)
    return [imprecise(Pose(*place, turn), random) for place, turn in zip(places, turns, strict=True)]


def _middle(dot: Dot) -> tuple[float, float]:
    return CELL_MM * (dot[0] + 0.5), CELL_MM * (dot[1] + 0.5)


def onto_the_table(network: Network, random: Random) -> Motion:
    """How a network comes onto the table: its middle into the middle of where there is room, turned by chance."""
    width, height = _size_mm(network)
    quarters = [quarter for quarter in range(4) if _fits(width, height, 90.0 * quarter, AREA)]
    area = AREA if quarters else Area(0, 0, *TABLE_MM)
    quarters = quarters or [quarter for quarter in range(4) if _fits(width, height, 90.0 * quarter, area)]
    # What fits nowhere lies along the table.
    turn = 90.0 * random.choice(quarters or [0 if width > height else 1])
    askew = random.uniform(-_ASKEW_DEG, _ASKEW_DEG)
    while abs(askew) > 0.1 and not _fits(width, height, turn + askew, area):
        askew /= 2
    x, y = (CELL_MM * (min(side) + max(side) + 1) / 2 for side in zip(*network.dots, strict=True))
    there = Pose(area.x_mm + area.width_mm / 2, area.y_mm + area.height_mm / 2, turn + askew)
    return Motion.onto(Pose(x, y), there)


def _size_mm(network: Network) -> tuple[float, float]:
    width, height = (CELL_MM * (max(side) - min(side) + 1) for side in zip(*network.dots, strict=True))
    return width, height


def _fits(width: float, height: float, degrees: float, area: Area) -> bool:
    sine, cosine = abs(math.sin(math.radians(degrees))), abs(math.cos(math.radians(degrees)))
    return width * cosine + height * sine <= area.width_mm and width * sine + height * cosine <= area.height_mm


class LyingNetwork:
    """A network as it lies on a table: which card there is which piece, and so where each dot is."""

    def __init__(self, network: Network, numbers: Mapping[int, int], motion: Motion) -> None:
        """``numbers`` of the cards, by the index of the piece; ``motion`` brings the network about onto the table."""
        self.network = network
        self.numbers = numbers
        self._motion = motion
        self._owners = {
            cell: index for index, placed in enumerate(network.pieces) for cell in cells_of(network.piece, placed)
        }

    def piece(self, index: int, lying: Mapping[int, Lying]) -> Pose:
        """Where a piece belongs on the table: beside the nearest one that lies there."""
        pose = self._pose(index)
        there = [other for other, number in self.numbers.items() if number in lying and other != index]
        near = min(there, key=lambda other: self._pose(other).distance_mm(pose), default=None)
        return self._motion(pose) if near is None else self._of_piece(near, lying)(pose)

    def on_dot(self, pose: Pose, dot: int, lying: Mapping[int, Lying]) -> Pose:
        """Where something comes to be that is there in the network's axes, on this dot."""
        return self._of_piece(self._owners[self.network.dots[dot]], lying)(pose)

    def middle(self, dot: int, lying: Mapping[int, Lying]) -> Pose:
        """Where a dot is on the table."""
        return self.on_dot(Pose(*_middle(self.network.dots[dot])), dot, lying)

    def _pose(self, index: int) -> Pose:
        return piece_pose(self.network.piece, self.network.pieces[index])

    def _of_piece(self, index: int, lying: Mapping[int, Lying]) -> Motion:
        """From the network's axes onto the table, where this piece lies."""
        here, number = self._pose(index), self.numbers.get(index)
        if number is None or number not in lying:
            return self._motion
        there, wanted = lying[number].pose, self._motion(here).rotation_deg
        # A piece that looks the same the other way round may lie so.
        is_round = abs(_turn_between(there.rotation_deg, wanted)) > 90
        return Motion.onto(here, there.moved(0, 0, 180) if is_round else there)


class Standing(NamedTuple):
    """A vehicle on the table: its number there, what it looks like, and where it stands."""

    number: int
    look: str
    pose: Pose


def look_of(colour: int, *, is_locomotive: bool) -> str:
    """What a vehicle looks like, as ``drawn_pieces.vehicle_looks`` calls it."""
    return f"{'locomotive' if is_locomotive else 'wagon'}-{colour}"


def looks_of(setup: Setup) -> list[str]:
    """What each vehicle of a game looks like."""
    return [look_of(colour, is_locomotive=setup.is_locomotive(vehicle)) for vehicle, colour in enumerate(setup.colours)]


def found_lying(state: State, lying: Mapping[int, Lying], standing: Sequence[Standing]) -> LyingNetwork | None:
    """The network of a game on a table, whatever axes the game sees it by; None where nothing agrees.

    What is ``standing`` there tells which way a network lies that looks the same when it is turned.
    """
    network = state.setup.network
    poses = [piece_pose(network.piece, placed) for placed in network.pieces]
    cards = [(number, card.pose) for number, card in lying.items() if card.face == network.piece.name]
    found = [(numbers, motion) for motion in _motions(poses, cards) if (numbers := _matched(poses, cards, motion))]
    most = max((len(numbers) for numbers, _ in found), default=0)
    # Pieces first: vehicles may stand anywhere as yet.
    lain = [LyingNetwork(network, *match) for match in found if len(match[0]) == most]
    return max(lain, key=lambda there: len(vehicles_found(state, there, lying, standing)), default=None)


def vehicles_found(
    state: State, there: LyingNetwork, lying: Mapping[int, Lying], standing: Sequence[Standing]
) -> dict[int, int]:
    """The numbers on the table of those that stand on their dots: which of alike ones is which, only that tells."""
    found: dict[int, int] = {}
    for vehicle, (look, dot) in enumerate(zip(looks_of(state.setup), state.stock.dots, strict=True)):
        alike = [each for each in standing if each.look == look]
        place = there.middle(dot, lying)
        near = min(alike, key=lambda each: place.distance_mm(each.pose), default=None)
        if near is not None and place.distance_mm(near.pose) < NEAR_MM:
            found[vehicle] = near.number
    return found


def _motions(poses: Sequence[Pose], cards: Sequence[tuple[int, Pose]]) -> Iterator[Motion]:
    """Those that bring the first pieces onto a card; any of them may lie elsewhere."""
    for pose in poses[:2]:
        for _, there in cards:
            for turn in (0.0, 180.0):
                yield Motion.onto(pose, there.moved(0, 0, turn))


def _matched(poses: Sequence[Pose], cards: Sequence[tuple[int, Pose]], motion: Motion) -> dict[int, int]:
    """The cards that lie where they must if the network lies there after this motion, by the index of the piece."""
    found: dict[int, int] = {}
    for index, pose in enumerate(poses):
        place = motion(pose)
        number = min(cards, key=lambda card: place.distance_mm(card[1]), default=None)
        if number is not None and place.distance_mm(number[1]) < NEAR_MM and _lies_along(place, number[1]):
            found[index] = number[0]
    return found


def _lies_along(wanted: Pose, there: Pose) -> bool:
    """Whether it is turned so, or the other way round."""
    turn = abs(_turn_between(wanted.rotation_deg, there.rotation_deg))
    return min(turn, 180 - turn) < 45


def _turn_between(one: float, other: float) -> float:
    return (other - one + 180) % 360 - 180
