"""A card's face: its value, its kind and where its rails leave it."""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import Final

import msgspec

CARD_MM: Final = (63.0, 88.0)
"""Width and height of an upright card in mm, where a deck does not say otherwise."""
LEAST_PX_PER_MM: Final = 1.2
"""The eye has read tables with as few pixels as this."""


class Kind(StrEnum):
    """What a card is in the game."""

    TRACK = "track"
    BROKEN = "broken"
    CHAOS = "chaos"


class Edge(StrEnum):
    """An edge of the upright face."""

    N = "N"
    E = "E"
    S = "S"
    W = "W"

    @property
    def heading(self) -> int:
        """Which way a rail leaves through this edge, in quarter turns clockwise from the top."""
        return "NESW".index(self)

    @property
    def opposite(self) -> Edge:
        """The edge on the other side of the card: this one where the card lies the other way up."""
        return list(Edge)[(self.heading + 2) % 4]


class Port(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Where a rail leaves the card.

    ``offset_mm`` is the distance from the middle of the edge: to the right on N and S, downwards on E and W.
    """

    edge: Edge
    offset_mm: float = 0.0


class Passage(msgspec.Struct, frozen=True):
    """How a card carries a track on, seen by who enters it: forward is the way of travel, right is to the right.

    All lengths in mm from the point where the track enters the card.
    """

    forward: float
    """To the card's centre, along the track."""
    right: float
    """To the card's centre, across the track."""
    half_length: float
    """Half of the card's side that lies along the track."""
    half_width: float
    """Half of the card's side that lies across the track."""
    exit_forward: float
    exit_right: float
    turn: int
    """Quarter turns clockwise that the track makes on the card."""


class Face(msgspec.Struct, frozen=True, dict=True, omit_defaults=True, forbid_unknown_fields=True):
    """One of the different faces of a deck.

    A track card whose rails nobody has entered has no ports, a chaos card never has any.
    """

    id: str
    value: int
    kind: Kind
    count: int
    ports: tuple[Port, ...] = ()
    shape: str | None = None
    image: str | None = None
    size_mm: tuple[float, float] = CARD_MM

    @property
    def is_track(self) -> bool:
        """Whether the card can be part of the railway; broken track cards can (clause MAT2)."""
        return self.kind is not Kind.CHAOS

    @property
    def has_rails(self) -> bool:
        """Whether both ends of the card's rails are known."""
        return len(self.ports) == 2

    @cached_property
    def port_offsets(self) -> tuple[tuple[tuple[float, float], ...], ...]:
        """For each port, for 0 to 3 quarter turns clockwise: where it lies from the card's centre, x and y in mm."""
        return tuple(_quarter_turned(self._port_point(port)) for port in self.ports)

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """How the card carries a track on, entered by each port in turn."""
        return tuple(self._passage(entry) for entry in range(len(self.ports)))

    def _port_point(self, port: Port) -> tuple[float, float]:
        width, height = self.size_mm
        match port.edge:
            case Edge.N:
                return (port.offset_mm, -height / 2)
            case Edge.S:
                return (port.offset_mm, height / 2)
            case Edge.E:
                return (width / 2, port.offset_mm)
            case Edge.W:
                return (-width / 2, port.offset_mm)

    def _passage(self, entry: int) -> Passage:
        into, out = self.ports[entry], self.ports[1 - entry]
        turned = -into.edge.heading % 4  # turned so that the track enters from the top and travels downwards
        (enter_x, enter_y), (exit_x, exit_y) = (self.port_offsets[port][turned] for port in (entry, 1 - entry))
        width, height = self.size_mm if turned % 2 == 0 else self.size_mm[::-1]
        return Passage(
            forward=-enter_y,
            right=enter_x,
            half_length=height / 2,
            half_width=width / 2,
            exit_forward=exit_y - enter_y,
            exit_right=enter_x - exit_x,
            turn=(out.edge.heading + turned - 2) % 4,
        )


def _quarter_turned(point: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    x, y = point
    return ((x, y), (-y, x), (-x, -y), (y, -x))
