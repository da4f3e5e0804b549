"""Cards, and railways laid of them, for the tests of where cards can lie."""

import math
from typing import NamedTuple

from companion.games.loknroll.rules.railway.railway import Railway
from vision.cards import Edge, Face, Kind, Port, Pose, standard_deck

DECK = standard_deck("standard-55")
STRAIGHT, LEFT, RIGHT, ACROSS = SHAPES = tuple(
    DECK[f"track-1-{shape}"] for shape in ("straight", "left", "right", "across")
)
BEND = Face("bend", 1, Kind.TRACK, 1, (Port(Edge.S, 10), Port(Edge.N, -10)))

Point = tuple[float, float]


class Way(NamedTuple):
    """A card of a railway as the tests write it: by which port it is entered, and where it lies."""

    face: Face
    entry: int
    pose: Pose


def first_card(face: Face, pose: Pose = Pose(0, 0, 0)) -> Railway:  # noqa: B008 (poses never change)
    square = 90 * round(pose.rotation_deg / 90)
    return Railway(angle_deg=pose.rotation_deg - square).with_card(face, pose)


def laid(first: Way, *more: Way) -> Railway:
    """A railway that is entered by the first card's ``entry``."""
    railway = first_card(first.face, first.pose)
    for way in more:
        railway = railway.with_card(way.face, way.pose, way.entry, 1 - first.entry)
    return railway


def on_table(point: Point, pose: Pose) -> Point:
    """Where a point of a card lies, turned clockwise with it (y points downwards)."""
    angle = math.radians(pose.rotation_deg)
    (x, y), cosine, sine = point, math.cos(angle), math.sin(angle)
    return pose.x_mm + cosine * x - sine * y, pose.y_mm + sine * x + cosine * y


def turned_around_origin(pose: Pose, degrees: float) -> Pose:
    x, y = on_table((pose.x_mm, pose.y_mm), Pose(0, 0, degrees))
    return Pose(x, y, pose.rotation_deg + degrees)


def poses_agree(one: Pose, other: Pose) -> bool:
    turn = (one.rotation_deg - other.rotation_deg + 180) % 360 - 180
    return math.dist((one.x_mm, one.y_mm), (other.x_mm, other.y_mm)) < 0.05 and abs(turn) < 0.05
