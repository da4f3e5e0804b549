"""Where the rails of a card lead: the places of the cards that could join it."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Corners, Outlines
from vision.cards import Deck
from vision.faces.card_shape import CardShape

_QUARTERS: Final = [np.array([[1, 0], [0, 1]]), np.array([[0, -1], [1, 0]])]


def ways_on(deck: Deck) -> list[Outlines]:
    """For each face of a deck, the places at which another card can join its rails.

    They are told by the corners (n × 4 × 2) of cards there, in mm from the centre of the card before; whichever way up
    a card lies, its place is told once.
    """
    outline = CardShape(deck.card_mm).corners_mm
    ways: list[Outlines] = []
    for face in deck.faces:
        places: dict[tuple[float, ...], Corners] = {}
        for port, offsets in zip(face.ports, face.port_offsets, strict=True):
            for other in deck.faces:
                for entry, entry_offsets in zip(other.ports, other.port_offsets, strict=True):
                    quarter = (port.edge.heading + 2 - entry.edge.heading) % 4
                    centre = np.array(offsets[0]) - np.array(entry_offsets[quarter])
                    across = quarter % 2
                    places.setdefault((*centre.round(1), float(across)), outline @ _QUARTERS[across].T + centre)
        ways.append(np.array(list(places.values())).reshape(-1, 4, 2))
    return ways
