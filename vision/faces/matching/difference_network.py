"""A small network that tells by windows of a card which of two faces it has, beside the same windows of both.

It makes a map of what is printed in a window, and of how far each spot of that can be trusted. The card may be off, so
its map is compared with those of the faces wherever it may fit best.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from threading import Lock
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats32, Picture

WINDOW_PX: Final = 48
"""The sides of a window: 12 mm."""
VALUES: Final = 16
"""Of each spot, of which there are half as many a side as pixels."""
REACH: Final = 3
"""So many spots a card may be off."""
SCALE: Final = 0.11
"""How much the sum over a window counts, learnt with the network."""
_LEAST_CONTRAST: Final = 0.02
"""What contrast a window is divided by is so much more: one that shows nothing stays flat."""
_INNER: Final = (slice(REACH, -REACH), slice(REACH, -REACH))
_one_at_a_time: Final = Lock()


def window_at(place: tuple[int, int]) -> tuple[slice, slice]:
    """The window of which the top left is there."""
    return slice(place[0], place[0] + WINDOW_PX), slice(place[1], place[1] + WINDOW_PX)


def likelier_in(window: Picture, bare: Floats32, faces: Floats32) -> float:
    """How much likelier the first of two faces is in a window of a card, of which some is ``bare`` (1, else 0).

    ``faces`` are the maps of both; the card lies wherever it may fit best.
    """
    told = _told(flat(window[None])[0])
    rows, columns = told.shape[1:]
    shown = cv2.resize(bare, (columns, rows), interpolation=cv2.INTER_AREA)
    trust, values = np.logaddexp(0, told[VALUES]) * shown, told[:VALUES]
    weighed = np.concatenate([2 * trust * values, -trust[None]])
    places = np.lib.stride_tricks.sliding_window_view(weighed, faces.shape[1:])[0]
    unlike = np.lib.stride_tricks.sliding_window_view(trust * (values**2).sum(axis=0), faces.shape[2:])
    alike = np.tensordot(places, faces, axes=((2, 3, 4), (1, 2, 3))) - unlike.sum(axis=(2, 3))[..., None]
    one, other = np.logaddexp.reduce(alike.reshape(-1, 2).astype(np.float64) * SCALE)
    return float(one - other)


def maps_of(windows: Iterable[Picture | Floats32]) -> Floats32:
    """Maps of the same window of both faces (2 × VALUES + 1 × rows × columns), the last value the sum of the squares.

    Their light is made the same, so that what differs stays to be seen.
    """
    both = np.stack([_told(window)[:VALUES] for window in flat(np.array(list(windows), np.float32))])
    inner = both[:, :, *_INNER]
    return np.concatenate([inner, (inner**2).sum(axis=1, keepdims=True)], axis=1)


def flat(windows: Picture | Floats32) -> Floats32:
    """Windows (n × rows × columns × 3, 0 to 255) as the network is shown them (n × 3 × rows × columns)."""
    values = windows.transpose(0, 3, 1, 2).astype(np.float32) / 255
    return np.asarray((values - values.mean()) / (values.std() + _LEAST_CONTRAST), np.float32)


@cache
def _network() -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(np.frombuffer((files(__package__) / "differences.onnx").read_bytes(), np.uint8))


def _told(window: Floats32) -> Floats32:
    """What the network tells of each spot of a window (VALUES + 1 × rows × columns)."""
    with _one_at_a_time:
        network = _network()
        network.setInput(np.ascontiguousarray(window[None]))
        return np.array(network.forward()[0], np.float32)
