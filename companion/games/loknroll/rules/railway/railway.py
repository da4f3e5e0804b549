"""The railway: the cards from the rear (the start) to the front (the end), and where its rails lead."""

from __future__ import annotations

import math
from typing import NamedTuple

import msgspec

from vision.cards import Face, Pose
from vision.cards.area import turned


class RailEnd(NamedTuple):
    """An open end of the rails: a point in mm and the way out, in quarter turns clockwise from the frame's top."""

    x_mm: float
    y_mm: float
    heading: int


class LaidCard(msgspec.Struct, frozen=True):
    """A card of the railway.

    Without rails it has no pose. ``entry`` is the port by which Emma enters; it is open (None) for the first card
    until a second one decides it. ``quarter_turn`` counts clockwise from the railway's frame.
    """

    face: Face
    pose: Pose | None = None
    entry: int | None = None
    quarter_turn: int = 0

    @property
    def half_sides(self) -> tuple[float, float]:
        """Half of what the card covers along the frame's x and y, in mm."""
        width, height = self.face.size_mm
        return (width / 2, height / 2) if self.quarter_turn % 2 == 0 else (height / 2, width / 2)


class Railway(msgspec.Struct, frozen=True):
    """The cards on the table from rear to front.

    ``angle_deg`` is how the railway as a whole is turned against the table's axes, clockwise, about -45 to 45: players
    do not sit square to the camera. In the railway's frame all cards lie upright or across (clause LAY1).
    """

    cards: tuple[LaidCard, ...] = ()
    angle_deg: float = 0.0

    def __len__(self) -> int:
        return len(self.cards)

    @property
    def front(self) -> LaidCard:
        """The card to which the next one is laid."""
        return self.cards[-1]

    @property
    def faces(self) -> tuple[Face, ...]:
        """The cards' faces from rear to front."""
        return tuple(card.face for card in self.cards)

    def open_ends(self) -> list[tuple[int, RailEnd]]:
        """The rail ends to which a card can be laid, each with its port of the front card.

        One, except for a railway of a single card whose direction is still open: then both.
        """
        front = self.front
        ports = (0, 1) if front.entry is None else (1 - front.entry,)
        return [(port, self._rail_end(front, port)) for port in ports]

    def rear_end(self) -> RailEnd | None:
        """The open rail end of the start, if the direction is decided."""
        rear = self.cards[0]
        return None if rear.entry is None else self._rail_end(rear, rear.entry)

    def with_card(self, face: Face, pose: Pose | None = None, entry: int | None = None, exit_port: int = 0) -> Railway:
        """The railway with a card laid to its front.

        ``entry`` is the new card's port that meets port ``exit_port`` of the front card; the latter matters only
        while the first card's direction is open.
        """
        if pose is None:
            return Railway((*self.cards, LaidCard(face)), self.angle_deg)
        quarter_turn = round((pose.rotation_deg - self.angle_deg) / 90)
        askew = pose.rotation_deg - self.angle_deg - 90 * quarter_turn
        # The mean of all cards: one that lies askew must not turn the whole railway.
        angle = self.angle_deg + askew / (len(self.cards) + 1) if askew else self.angle_deg
        cards = self.cards
        if len(cards) == 1 and cards[0].entry is None:
            # The second card decides in which direction the first one is travelled.
            cards = (msgspec.structs.replace(cards[0], entry=1 - exit_port),)
        return Railway((*cards, LaidCard(face, pose, entry, quarter_turn % 4)), angle)

    def without_rear(self, count: int) -> Railway:
        """The railway after penalty cards have been taken from its rear (clause PEN1)."""
        return Railway(self.cards[count:], self.angle_deg) if count else self

    def reversed(self) -> Railway:
        """The same cards, travelled in the other direction."""
        cards = (
            card if card.entry is None else msgspec.structs.replace(card, entry=1 - card.entry)
            for card in reversed(self.cards)
        )
        return Railway(tuple(cards), self.angle_deg)

    def _rail_end(self, card: LaidCard, port: int) -> RailEnd:
        if card.pose is None:
            raise ValueError("This railway is an ordered list: nobody has said where its cards lie.")
        point = port_position(card.face, port, card.pose)
        return RailEnd(*point, (card.face.ports[port].edge.heading + card.quarter_turn) % 4)


def port_position(face: Face, port: int, pose: Pose) -> tuple[float, float]:
    """Where on the table a card's port lies, in mm, for any rotation."""
    quarter_turn, rest = divmod(pose.rotation_deg, 90)
    # Quarter turns are exact; only what is left of the rotation needs sines, which round.
    x, y = face.port_offsets[port][int(quarter_turn) % 4]
    if rest:
        x, y = turned((x, y), rest)
    return pose.x_mm + x, pose.y_mm + y


def middle_of_track(card: LaidCard) -> Pose:
    """Where Emma stands on a card: in the middle of its track, looking the way she travels.

    While that is open she looks from the first port to the second. Raises ValueError for a card that lies nowhere.
    """
    if card.pose is None or not card.face.has_rails:
        raise ValueError("Emma stands on a card that has rails and lies somewhere.")
    entry = card.entry or 0
    centre = (card.pose.x_mm, card.pose.y_mm)
    enter, leave = (port_position(card.face, port, card.pose) for port in (entry, 1 - entry))
    # The middle of the curve that leaves both edges at right angles, its corner in the card's centre.
    x, y = (centre[axis] + (enter[axis] - centre[axis] + leave[axis] - centre[axis]) / 4 for axis in range(2))
    return Pose(x, y, math.degrees(math.atan2(leave[0] - enter[0], enter[1] - leave[1])))
