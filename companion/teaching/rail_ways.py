"""In which ways rails may leave a card, and when two ways are the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from vision.cards import Edge, Port
from vision.teaching.face_names import edges_of

_USUAL: Final = ((Edge.S, Edge.N), (Edge.S, Edge.W), (Edge.S, Edge.E), (Edge.W, Edge.E), ())
"""The ways in which rails leave an upright card; a bend begins at its bottom."""
_SAME_PLACE_MM: Final = 5.0
"""Ports this near are the same; those of decks with several places on an edge are 10 mm apart."""


def rail_ways(
    seems: tuple[Port, ...], told: Sequence[tuple[Port, ...]], places: Mapping[Edge, float]
) -> tuple[tuple[Port, ...], ...]:
    """The ways in which the rails of a card may leave it, each by other edges; what it ``seems`` to be is the first.

    ``told`` are those of the cards that are taught, ``places`` (mm from the middle) where rails leave by each edge.
    """
    usual = (tuple(Port(edge, places.get(edge, 0.0)) for edge in edges) for edges in _USUAL)
    ways: dict[tuple[Edge, ...], tuple[Port, ...]] = {}
    for ports in (seems, *sorted(told, key=lambda ports: -told.count(ports)), *usual):
        ways.setdefault(edges_of(ports), ports)
    return tuple(ways.values())


def are_alike(some: tuple[Port, ...], others: tuple[Port, ...]) -> bool:
    """Whether rails leave in the same places, as far as a single card tells that."""
    return edges_of(some) == edges_of(others) and all(
        abs(one.offset_mm - other.offset_mm) <= _SAME_PLACE_MM for one, other in zip(some, others, strict=True)
    )
