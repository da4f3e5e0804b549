"""Where a card can lie: cards join rail to rail, not edge to edge (clauses LAY1, LAY2, LAY3 and LAY5).

Two readings of the same rule. ``placements`` lists where a card may lie, exactly. ``match`` takes a card as a hand
has laid it, finds which of those places is meant, and says what is wrong where none is; it forgives what measuring the
poses may be off besides, so that what is listed at the table is never refused.
"""

import math
from collections.abc import Iterable
from typing import Final

import msgspec

from companion.games.loknroll.rules.errors import IllegalPlacement
from companion.games.loknroll.rules.railway.railway import RailEnd, Railway, port_position
from vision.cards import Face, Passage, Pose
from vision.cards.area import Box, turned

# Hands lay within 2 or 3 mm and 3 degrees; rails on cards are offset by 10 mm where they are offset at all.
RAIL_TOLERANCE_MM: Final = 8.0
"""How far two rail ends may be apart and still be meant to meet."""
SKEW_TOLERANCE_DEG: Final = 12.0
"""How far a card may be turned out of line and still be meant to lie upright or across."""
OVERLAP_TOLERANCE_MM: Final = 4.8
"""How deep a card may reach over another one: as much as hands are off, and can be nudged away.

Cards and ports are measured in halves of a millimetre; in between, rounding decides nothing."""
MEASURE_TOLERANCE_MM: Final = 1.0
"""How much deeper still it may seem to reach: poses measured one after the other are off from each other by so much,
most where a railway curls back to its older cards. In all less than the 6 mm by which one and a half lengths of a card
are more than two widths."""
SEEN_TOLERANCE_MM: Final = 2.0
"""How deep a card may seem to reach over another one that has been laid beside it: as much as looking is off."""


class Placement(msgspec.Struct, frozen=True):
    """A way to lay a card: the port by which Emma enters it, how it is turned, where its centre comes to lie.

    ``quarter_turn`` counts clockwise in the railway's frame; ``exit_port`` is the front card's port that it joins.
    """

    entry: int
    quarter_turn: int
    pose: Pose
    exit_port: int


def placements(railway: Railway, face: Face) -> list[Placement]:
    """Every way in which the card can be laid so that rails meet and no card is overlapped (LAY1 to LAY3).

    The railway has at least one card. There is at most one for each port of the new card, and twice that while the
    direction of a single card is open.
    """
    ends = railway.open_ends()
    ways = [
        _placement(railway, face, entry, exit_port, end) for exit_port, end in ends for entry in range(len(face.ports))
    ]
    boxes = card_boxes(railway)
    return [way for way in ways if first_overlap(boxes, placement_box(railway, face, way)) is None]


def match(railway: Railway, face: Face, pose: Pose) -> Placement:
    """The placement that is meant by a card laid at this pose; raises IllegalPlacement.

    It is the exact one; its distance from the pose is the imprecision of the hand. A card overlaps another one if it
    does so there and where it lies: whose rails have drifted, card by card, lays a card beside the other, not over it.
    """
    front = len(railway) - 1
    askew = (pose.rotation_deg - railway.angle_deg + 45) % 90 - 45
    if abs(askew) > SKEW_TOLERANCE_DEG:
        raise IllegalPlacement("LAY1", "skewed", between=[front], degrees=round(abs(askew)))
    distance, nearest = min(
        (
            (_rail_gap(railway, face, pose, entry, end), _placement(railway, face, entry, exit_port, end))
            for exit_port, end in railway.open_ends()
            for entry in range(len(face.ports))
        ),
        key=lambda candidate: candidate[0],
    )
    if distance > RAIL_TOLERANCE_MM:
        apart = _apart(railway, face, pose)
        # Near enough, but the rails look another way: to tell a distance would mislead.
        if apart <= RAIL_TOLERANCE_MM:
            raise IllegalPlacement("LAY2", "rails-turned", between=[front])
        raise IllegalPlacement("LAY2", "rails-apart", between=[front], mm=apart)
    overlapped = _overlapped(railway, face, nearest, pose)
    if overlapped is not None:
        raise IllegalPlacement(
            "LAY3",
            "overlap",
            between=[overlapped],
            card=railway.cards[overlapped].face,
            position=overlapped + 1,
        )
    return nearest


def _overlapped(railway: Railway, face: Face, meant: Placement, pose: Pose) -> int | None:
    """The index of the first card that is overlapped both where the new one is meant to lie and where it was seen."""
    boxes = card_boxes(railway)
    tolerance = OVERLAP_TOLERANCE_MM + MEASURE_TOLERANCE_MM
    overlapped = first_overlap(boxes, placement_box(railway, face, meant), tolerance)
    # Rails drift card by card: after a long curl the exact places may overlap where the cards themselves do not.
    if overlapped is None:
        return None
    seen = placement_box(railway, face, Placement(meant.entry, meant.quarter_turn, pose, meant.exit_port))
    return None if first_overlap(boxes, seen, SEEN_TOLERANCE_MM) is None else overlapped


def is_dead_end(railway: Railway, passages: Iterable[Passage]) -> bool:
    """Whether no card that carries the track on in one of these ways fits to the front (LAY5)."""
    boxes = card_boxes(railway)
    (_, end), *_ = railway.open_ends()
    end = in_frame(railway, end)
    return all(first_overlap(boxes, passage_box(passage, end)) is not None for passage in passages)


def closes_loop(railway: Railway) -> bool:
    """Whether the front's rails run straight into those of the start (LAY5)."""
    start = railway.rear_end()
    # Fewer cards cannot have come round to their own start.
    if start is None or len(railway) < 3:
        return False
    (_, end), *_ = railway.open_ends()
    meets = math.dist(start[:2], end[:2]) <= RAIL_TOLERANCE_MM
    return meets and (start.heading + 2) % 4 == end.heading


def card_boxes(railway: Railway) -> list[Box]:
    """What each card covers, in the railway's frame."""
    return [
        Box(*_centre_in_frame(railway, card.pose), *card.half_sides) for card in railway.cards if card.pose is not None
    ]


def placement_box(railway: Railway, face: Face, placement: Placement) -> Box:
    """What a card laid so would cover, in the railway's frame."""
    half_width, half_height = face.size_mm[0] / 2, face.size_mm[1] / 2
    if placement.quarter_turn % 2:
        half_width, half_height = half_height, half_width
    return Box(*_centre_in_frame(railway, placement.pose), half_width, half_height)


def first_overlap(boxes: Iterable[Box], box: Box, tolerance_mm: float = OVERLAP_TOLERANCE_MM) -> int | None:
    """The index of the first rectangle that this one overlaps by more than the tolerance."""
    x, y, half_width, half_height = box
    half_width -= tolerance_mm
    half_height -= tolerance_mm
    for index, (other_x, other_y, other_half_width, other_half_height) in enumerate(boxes):
        if abs(x - other_x) < half_width + other_half_width and abs(y - other_y) < half_height + other_half_height:
            return index
    return None


def in_frame(railway: Railway, end: RailEnd) -> RailEnd:
    """A rail end of the table as the railway's frame sees it."""
    return RailEnd(*turned(end[:2], -railway.angle_deg), end.heading) if railway.angle_deg else end


_FORWARD: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))


def passage_box(passage: Passage, end: RailEnd) -> Box:
    """What a card covers that carries the track on from a rail end, both in the railway's frame."""
    forward_x, forward_y = _FORWARD[end.heading]
    x = end.x_mm + forward_x * passage.forward - forward_y * passage.right
    y = end.y_mm + forward_y * passage.forward + forward_x * passage.right
    if forward_x:
        return Box(x, y, passage.half_length, passage.half_width)
    return Box(x, y, passage.half_width, passage.half_length)


def passage_exit(passage: Passage, end: RailEnd) -> RailEnd:
    """The rail end at which such a card lets the track out again, in the railway's frame."""
    forward_x, forward_y = _FORWARD[end.heading]
    return RailEnd(
        end.x_mm + forward_x * passage.exit_forward - forward_y * passage.exit_right,
        end.y_mm + forward_y * passage.exit_forward + forward_x * passage.exit_right,
        (end.heading + passage.turn) % 4,
    )


def _placement(railway: Railway, face: Face, entry: int, exit_port: int, end: RailEnd) -> Placement:
    quarter_turn = (end.heading + 2 - face.ports[entry].edge.heading) % 4
    x, y = face.port_offsets[entry][quarter_turn]
    rotation = 90.0 * quarter_turn
    if railway.angle_deg:
        x, y = turned((x, y), railway.angle_deg)
        rotation = round((rotation + railway.angle_deg) % 360, 3)
    return Placement(entry, quarter_turn, Pose(round(end.x_mm - x, 3), round(end.y_mm - y, 3), rotation), exit_port)


def _rail_gap(railway: Railway, face: Face, pose: Pose, entry: int, end: RailEnd) -> float:
    """How far a card's port is from a rail end, in mm; infinite where they do not face each other."""
    quarter_turn = round((pose.rotation_deg - railway.angle_deg) / 90)
    if (face.ports[entry].edge.heading + quarter_turn + 2) % 4 != end.heading:
        return math.inf
    return math.dist(port_position(face, entry, pose), end[:2])


def _apart(railway: Railway, face: Face, pose: Pose) -> int:
    """The distance in mm from the open rails to the nearest of the card's ports, whichever way these look."""
    return round(
        min(
            math.dist(port_position(face, port, pose), end[:2])
            for _, end in railway.open_ends()
            for port in range(len(face.ports))
        )
    )


def _centre_in_frame(railway: Railway, pose: Pose) -> tuple[float, float]:
    centre = (pose.x_mm, pose.y_mm)
    return turned(centre, -railway.angle_deg) if railway.angle_deg else centre
