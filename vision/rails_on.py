"""Where the rails of a card lead: the places and faces of the cards that could join it."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.cards import Deck

_QUARTERS: Final = [
    np.array([[1, 0], [0, 1]]),
    np.array([[0, -1], [1, 0]]),
    np.array([[-1, 0], [0, -1]]),
    np.array([[0, 1], [-1, 0]]),
]


class WayOn(NamedTuple):
    """Where a neighbour's corners (4 × 2) would lie, in mm on the card before it, and which faces may lie there."""

    corners_mm: NDArray[np.float64]
    faces: tuple[int, ...]


def ways_on(deck: Deck) -> list[list[WayOn]]:
    """For each face of a deck, the ways in which another card can join its rails."""
    width, height = deck.card_mm
    outline = np.array(
        [(-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2), (-width / 2, height / 2)]
    )
    ways: list[list[WayOn]] = []
    for face in deck.faces:
        joined: dict[tuple[float, ...], tuple[NDArray[np.float64], list[int]]] = {}
        for port, offsets in zip(face.ports, face.port_offsets, strict=True):
            for index, other in enumerate(deck.faces):
                for entry, entry_offsets in zip(other.ports, other.port_offsets, strict=True):
                    quarter = (port.edge.heading + 2 - entry.edge.heading) % 4
                    centre = np.array(offsets[0]) - np.array(entry_offsets[quarter])
                    key = (*centre.round(1), float(quarter))
                    corners = outline @ _QUARTERS[quarter].T + centre
                    joined.setdefault(key, (corners, []))[1].append(index)
        ways.append([WayOn(corners, tuple(dict.fromkeys(faces))) for corners, faces in joined.values()])
    return ways
