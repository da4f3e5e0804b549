"""Draws into a picture what was read in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.arrays import Picture, Points
from vision.reading.emma import EmmaSighting
from vision.reading.reader import CardReading

DOUBTFUL: Final = 0.65
"""Below this likeness a card is drawn as a doubt."""
_RAILWAY: Final = (60, 220, 60)
_APART: Final = (230, 160, 30)
_DOUBT: Final = (40, 60, 240)


def overlay(
    picture: Picture, cards: Sequence[CardReading], railway: Sequence[int], emma: EmmaSighting | None
) -> Picture:
    """The picture with each card's outline, its top edge thicker, its place in the railway and name, and Emma's foot.

    Cards of the railway are green and numbered from the start, others blue; a card that fits badly is red and has a
    question mark.
    """
    drawn = picture.copy()
    for index, card in enumerate(cards):
        is_doubt = card.likeness < DOUBTFUL
        colour = _DOUBT if is_doubt else _RAILWAY if index in railway else _APART
        corners = card.corners_px.round().astype(np.int32)
        cv2.polylines(drawn, [corners], isClosed=True, color=colour, thickness=2, lineType=cv2.LINE_AA)
        cv2.line(drawn, corners[0].tolist(), corners[1].tolist(), colour, 5, cv2.LINE_AA)
        number = f"{railway.index(index) + 1} " if index in railway else ""
        _write(drawn, f"{number}{card.face}{' ?' if is_doubt else ''}", card.corners_px.mean(axis=0), colour)
    if emma is not None:
        x, y = (round(float(part)) for part in emma.foot_px)
        cv2.circle(drawn, (x, y), 9, (255, 255, 255), -1, cv2.LINE_AA)
        cv2.circle(drawn, (x, y), 6, (200, 0, 200), -1, cv2.LINE_AA)
    return drawn


def _write(drawn: Picture, text: str, middle: Points, colour: tuple[int, int, int]) -> None:
    """Writes a line around a point, legible on any ground."""
    size = max(0.5, drawn.shape[1] / 2200)
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    place = (round(middle[0] - width / 2), round(middle[1] + height / 2))
    cv2.putText(drawn, text, place, cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), 5, cv2.LINE_AA)
    cv2.putText(drawn, text, place, cv2.FONT_HERSHEY_SIMPLEX, size, colour, 2, cv2.LINE_AA)
