"""The show spot: a place at the border of the table where cards are shown to the camera."""

from __future__ import annotations

from collections.abc import Sequence

from vision.arrays import Region
from vision.reading.reader import CardReading


def shown_cards(cards: Sequence[CardReading], railway: Sequence[int], spot: Region | None = None) -> list[int]:
    """The indices of the cards that are shown: those that are not joined to the railway (also indices).

    If it is known where the show spot is in the picture, only those whose middle lies in it.
    """
    return [
        index
        for index, card in enumerate(cards)
        if index not in railway and (spot is None or _holds(spot, *map(float, card.corners_px.mean(axis=0))))
    ]


def _holds(spot: Region, x_px: float, y_px: float) -> bool:
    return 0 <= x_px - spot.left < spot.width and 0 <= y_px - spot.top < spot.height
