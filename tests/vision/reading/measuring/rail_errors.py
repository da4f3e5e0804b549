"""How far cards are read from where they lie: along their rails, and across.

Across matters more: there the next card's rails would not meet these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np

from tests.vision.reading.scores import paired, turn_and_distance
from vision.cards import Deck
from vision.reading.reader import CardReading


class RailError(NamedTuple):
    """How far a card's middle is off, in mm: along the line from port to port, and to the right of it."""

    along: float
    across: float


def rail_errors(truth: Mapping[str, Any], read: Sequence[CardReading], deck: Deck) -> list[RailError]:
    """Of each card with rails that was found, whatever it was taken for."""
    width, height = deck.card_mm
    upright = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    corners = [np.array(card["corners_px"]) for card in truth["cards"]]
    errors = []
    for index, match in paired(corners, read).items():
        face = deck[truth["cards"][index]["face"]]
        if not face.has_rails:
            continue
        to_card = cv2.getPerspectiveTransform(corners[index].astype(np.float32), upright)
        turn, _ = turn_and_distance(corners[index], read[match])
        seen = np.roll(read[match].corners_px, -turn, axis=0)
        on_card = cv2.perspectiveTransform(seen[None].astype(np.float64), to_card)[0]
        off_x, off_y = (on_card - upright).mean(axis=0)
        (x, y), (end_x, end_y) = (offsets[0] for offsets in face.port_offsets)
        length = float(np.hypot(end_x - x, end_y - y))
        along_x, along_y = (end_x - x) / length, (end_y - y) / length
        errors.append(RailError(float(off_x * along_x + off_y * along_y), float(off_y * along_x - off_x * along_y)))
    return errors
