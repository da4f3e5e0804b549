"""What a deck's faces are called by what they show, as ``track-3-left``: each has a name of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from vision.cards import Edge, Face, Kind, Port, standard_deck

SHAPES: Final[dict[tuple[Edge, ...], str]] = {
    (Edge.S, Edge.N): "straight",
    (Edge.S, Edge.W): "left",
    (Edge.S, Edge.E): "right",
    (Edge.W, Edge.E): "across",
}
"""Of the rails that leave by these edges; a bend goes up from the bottom of the upright card."""
_ASIDE: Final = "-aside"


def ordered_ports(ports: Iterable[Port]) -> tuple[Port, ...]:
    """Ports in the order in which those of all faces are told: S, W, E, N."""
    return tuple(sorted(ports, key=lambda port: "SWEN".index(port.edge)))


def turned_ports(ports: Iterable[Port]) -> tuple[Port, ...]:
    """Where the rails leave a face that is turned upside down, in order."""
    return ordered_ports(Port(port.edge.opposite, -port.offset_mm or 0.0) for port in ports)  # no -0.0


def edges_of(ports: tuple[Port, ...]) -> tuple[Edge, ...]:
    """The edges by which rails leave."""
    return tuple(port.edge for port in ports)


def find_shapes(usage: Mapping[tuple[Port, ...], int]) -> dict[tuple[Port, ...], str | None]:
    """A word for each of the ways that rails take, and on how many faces they do; None for those without rails.

    Of two ways by the same edges the more usual one has the plain word.
    """
    shapes: dict[tuple[Port, ...], str | None] = {}
    for ports in sorted(usage, key=lambda ports: -usage[ports]):
        edges = edges_of(ports)
        name = SHAPES.get(edges, "-".join(edges).lower()) if edges else None
        while name is not None and name in shapes.values():
            name += _ASIDE
        shapes[ports] = name
    return shapes


class FaceNames:
    """Gives the faces of one deck their names, one after the other."""

    def __init__(self, shapes: Mapping[tuple[Port, ...], str | None], card_mm: tuple[float, float]) -> None:
        """``shapes`` are the words for all ways that the rails take (``find_shapes``)."""
        self._shapes, self._card_mm = shapes, card_mm
        self._taken: dict[str, int] = {}

    def face(self, value: int, kind: Kind, ports: tuple[Port, ...]) -> Face:
        """A face with a name that no other has; it occurs as often as in the standard deck, otherwise once."""
        shape = self._shapes[ports]
        name = f"{kind}-{value}" if kind is not Kind.TRACK else f"{kind}-{value}-{shape}"
        self._taken[name] = self._taken.get(name, 0) + 1
        face_id = name if self._taken[name] == 1 else f"{name}-{self._taken[name]}"
        usual = standard_deck("standard-55")
        count = usual[face_id].count if face_id in usual else 1
        return Face(face_id, value, kind, count, ports, shape, size_mm=self._card_mm)
