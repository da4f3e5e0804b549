"""Where the rails of a card lead: the places and faces of the cards that could join it."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Corners
from vision.cards import Deck
from vision.faces.card_shape import CardShape

_QUARTERS: Final = [np.array([[1, 0], [0, 1]]), np.array([[0, -1], [1, 0]])]


FacesEachWay = tuple[tuple[int, ...], tuple[int, ...]]
"""The faces that may lie as some corners say, and those that may lie there turned round."""


class WayOn(NamedTuple):
    """Where a neighbour's corners (4 × 2) would lie, in mm on the card before it, and which faces may lie there."""

    corners_mm: Corners
    faces: FacesEachWay


def ways_on(deck: Deck) -> list[list[WayOn]]:
    """For each face of a deck, the places at which another card can join its rails."""
    outline = CardShape(deck.card_mm).corners_mm
    ways: list[list[WayOn]] = []
    for face in deck.faces:
        joined: dict[tuple[float, ...], tuple[Corners, tuple[list[int], list[int]]]] = {}
        for port, offsets in zip(face.ports, face.port_offsets, strict=True):
            for index, other in enumerate(deck.faces):
                for entry, entry_offsets in zip(other.ports, other.port_offsets, strict=True):
                    quarter = (port.edge.heading + 2 - entry.edge.heading) % 4
                    centre = np.array(offsets[0]) - np.array(entry_offsets[quarter])
                    turned, across = divmod(quarter, 2)
                    corners = outline @ _QUARTERS[across].T + centre
                    joined.setdefault((*centre.round(1), float(across)), (corners, ([], [])))[1][turned].append(index)
        ways.append([WayOn(corners, _each_once(faces)) for corners, faces in joined.values()])
    return ways


def _each_once(faces: tuple[list[int], list[int]]) -> FacesEachWay:
    upright, turned = (tuple(dict.fromkeys(some)) for some in faces)
    return upright, turned
