"""Places where cards lie, and hands, told by a small network that has seen thousands of tables.

It knows no deck: what a card looks like among others, beside a table, under Emma or in the dark is all that it has
learnt, from pictures of decks and tables that were drawn at random (``tests/vision/outlines/place_training``). What
lies at a place is told by what is printed there (``vision.faces.naming``), and only that makes it a card.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from threading import Lock
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Floats32, Picture, Points

CARD_PX: Final = 35.0
"""How long the sides of a card are there that it knows best, on average."""
CELL_PX: Final = 8
"""It tells something of each square of so many pixels a side."""
_CARD, _POSE, _HAND = 0, slice(2, 8), 10
"""What it tells; of Emma, whom it has learnt to see as well, ``vision.reading.emma`` tells more."""
_DIVISOR: Final = 16
_LARGE_PX: Final = 100_000
"""The network keeps what it has made of a picture until it is shown another one: of 512 x 400 px, that are 17 MB. After
one with more pixels than these it is shown next to nothing, which takes a hundredth of what a first look takes."""
_LEAST: Final = 0.1
"""What is less probable is no place."""
LIKELY: Final = 0.5
"""From this probability on a card lies there."""
_FAR_SMALLER: Final = 0.7
"""A tilted camera sees cards so many times as large behind as in front."""
_LONGER: Final = 0.58
"""Which part of both sides the longer one of a card has."""
_SAME: Final = 0.45
"""Places nearer to each other than this part of the shorter side are one."""
_one_at_a_time: Final = Lock()
"""A network of OpenCV keeps what it is shown, and there is one for all that look."""


class Place(NamedTuple):
    """A place where a card may lie: its corners (4 × 2, px) and how probable that is (0 to 1).

    The corners go clockwise, those of a shorter side first; which of the two is the upper one does not show.
    """

    corners: Corners
    probability: float


class Seen(NamedTuple):
    """Where cards may lie, the most probable first, and how many pixels hands fill."""

    places: list[Place]
    hand_px: int


def seen_in(picture: Picture) -> Seen:
    """Where cards may lie in a picture (B, G, R), and hands.

    Cards are seen whose sides are about ``CARD_PX`` long on average, three quarters to four thirds of that.
    """
    told = _told(picture)
    return Seen(_places(told), CELL_PX**2 * int(np.count_nonzero(told[_HAND] > 0)))


@cache
def _network() -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(np.frombuffer((files(__package__) / "places.onnx").read_bytes(), np.uint8))


def _told(picture: Picture) -> Floats32:
    """What the network tells of each cell of a picture (channels × rows × columns)."""
    below, beside = (-side % _DIVISOR for side in picture.shape[:2])
    padded = cv2.copyMakeBorder(picture, 0, below, 0, beside, cv2.BORDER_REPLICATE)
    with _one_at_a_time:
        network = _network()
        network.setInput(cv2.dnn.blobFromImage(padded, 1 / 255))
        told = np.array(network.forward()[0], np.float32)
        if padded.shape[0] * padded.shape[1] > _LARGE_PX:
            network.setInput(np.zeros((1, 3, _DIVISOR, _DIVISOR), np.float32))
            network.forward()
        return told


def _peaks(heat: Floats32) -> list[tuple[int, int, float]]:
    """The cells (row, column) more probable than those around them, and how probable they are; the best first."""
    probability = 1 / (1 + np.exp(-heat))
    highest = cv2.dilate(probability, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((probability >= highest) & (probability >= _LEAST))
    values = probability[rows, columns]
    return [(int(rows[index]), int(columns[index]), float(values[index])) for index in np.argsort(-values)]


class _Peak(NamedTuple):
    """A middle of a card (cells), half of its longer and of its shorter side, and how probable it is."""

    centre: Points
    down: complex
    across: complex
    probability: float

    @property
    def side(self) -> float:
        return abs(self.down) + abs(self.across)


def _places(told: Floats32) -> list[Place]:
    """The places of cards."""
    peaks = []
    for row, column, probability in _peaks(told[_CARD]):
        x, y, *squares = (float(value) for value in told[_POSE, row, column])
        down, across = (_unsquared(complex(*squares[first : first + 2])) for first in (0, 2))
        if abs(down) < abs(across):
            down, across = across, down
        peaks.append(_Peak(np.array([column + x, row + y]), down, across, probability))
    usual = float(np.median([peak.side for peak in peaks if peak.probability >= LIKELY] or [CARD_PX / CELL_PX]))
    places: list[Place] = []
    middles: list[complex] = []
    for centre, down, beside, probability in (_of_usual_size(peak, usual) for peak in peaks):
        # Corners go clockwise, y is downwards.
        across = -beside if (down.conjugate() * beside).imag > 0 else beside
        sides = (-down - across, across - down, down + across, down - across)
        corners = centre + np.array([(side.real, side.imag) for side in sides])
        middle = complex(*centre.tolist())
        if all(abs(other - middle) > 2 * _SAME * abs(across) for other in middles):
            middles.append(middle)
            places.append(Place(_in_px(corners), probability))
    return places


def _of_usual_size(peak: _Peak, usual: float) -> _Peak:
    """The same as large as is usual, if it is told far too small.

    Where it does not show which sides are the longer ones, what is told is the mean of both, which is of no size.
    """
    if peak.side > _FAR_SMALLER * usual:
        return peak
    way = peak.down / max(abs(peak.down), 1e-6) or 1.0
    return peak._replace(down=way * usual * _LONGER, across=1j * way * usual * (1 - _LONGER))


def _in_px(cells: Points) -> Points:
    """Points told in cells from the middle of the first one on, in px."""
    return np.asarray((cells + 0.5) * CELL_PX - 0.5)


def _unsquared(value: complex) -> complex:
    """Half a side from its square by its length, which is the same whichever way along it one looks."""
    return complex(np.sqrt(value) * np.sqrt(abs(value)))
