"""How the cards that were read join: the railway's order, and which card lies apart from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Points
from vision.cards import Deck, Face
from vision.faces.card_shape import CardShape
from vision.reading.reader import CardReading

JOINT_MM: Final = 10.0
"""How far apart two rail ends may be read and still be joined."""


class _RailEnd(NamedTuple):
    card: int
    point: Points
    beyond: Points
    """A point a centimetre further out along the rails, px."""
    px_per_mm: float


def railway_order(cards: Sequence[CardReading], deck: Deck, emma: int | None) -> list[int]:
    """The indices of the railway's cards, joined rail to rail.

    The railway is what Emma stands on, else the longest chain. A single picture does not tell its direction: it is
    given from the end that is farther from Emma, who starts towards the front.
    """
    chains = sorted(_chains(cards, deck), key=len)
    if not chains:
        return []
    chain = next((chain for chain in chains if emma in chain), chains[-1])
    if emma in chain and chain.index(emma) < (len(chain) - 1) / 2:
        chain.reverse()
    return chain


def _chains(cards: Sequence[CardReading], deck: Deck) -> list[list[int]]:
    neighbours = _neighbours(cards, deck)
    chains: list[list[int]] = []
    placed: set[int] = set()
    # From the ends inwards; what is left then goes round in a circle.
    for start in sorted(range(len(cards)), key=lambda card: len(neighbours[card])):
        if start in placed or not deck[cards[start].face].has_rails:
            continue
        chain = [start]
        placed.add(start)
        while following := [card for card in neighbours[chain[-1]] if card not in placed]:
            chain.append(following[0])
            placed.add(following[0])
        chains.append(chain)
    return chains


def _neighbours(cards: Sequence[CardReading], deck: Deck) -> list[list[int]]:
    ends = [end for index, card in enumerate(cards) for end in _rail_ends(index, card, deck[card.face], deck.card_mm)]
    neighbours: list[list[int]] = [[] for _ in cards]
    for first, one in enumerate(ends):
        for other in ends[first + 1 :]:
            if one.card != other.card and _is_joint(one, other):
                neighbours[one.card].append(other.card)
                neighbours[other.card].append(one.card)
    return neighbours


def _is_joint(one: _RailEnd, other: _RailEnd) -> bool:
    """Whether two rail ends meet, and lead into each other."""
    if np.linalg.norm(one.point - other.point) > JOINT_MM * one.px_per_mm:
        return False
    return float((one.beyond - one.point) @ (other.beyond - other.point)) < 0


def _rail_ends(index: int, card: CardReading, face: Face, card_mm: tuple[float, float]) -> list[_RailEnd]:
    to_picture = CardShape(card_mm).homography(card.corners_px)
    outward = ((0, -1), (1, 0), (0, 1), (-1, 0))
    ends = []
    for port, offsets in zip(face.ports, face.port_offsets, strict=True):
        point = np.array(offsets[0])
        both = np.array([[point, point + 10 * np.array(outward[port.edge.heading])]])
        seen = cv2.perspectiveTransform(both, to_picture)[0]
        ends.append(_RailEnd(index, seen[0], seen[1], float(np.linalg.norm(seen[1] - seen[0])) / 10))
    return ends
