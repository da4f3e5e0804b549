"""What a small network sees of Emma on a card: where she stands, and what she hides.

It is shown the card beside its face, and so sees what is there that is not printed: in any colour, also that of the
card. It has learnt that from cards and locomotives that were drawn at random, seen from all sides in any light
(``tests/vision/outlines/card_training/emma.py``).
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from threading import Lock
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Floats32, Picture, Points

MARGIN_MM: Final = 8.0
"""So much is shown around a card, about: from aside she is seen leaning over what is behind her."""
CELL_PX: Final = 2
"""The sides of what is told of; cards are shown a millimetre each px."""
_DIVISOR: Final = 8
_LEAST_CONTRAST: Final = 0.02
"""What contrast a card is divided by is so much more: one that shows nothing stays flat."""
_one_at_a_time: Final = Lock()


class SeenEmma(NamedTuple):
    """How likely she stands on a card (a logarithm of odds), where (x, y: mm), and what she hides of each cell.

    The latter (rows × columns) are logarithms of odds as well.
    """

    odds: float
    foot_mm: Points
    hidden: Floats32


def seen_on(card: Picture, face: Picture, card_mm: tuple[float, float]) -> SeenEmma:
    """What is seen of her on a card that is shown beside its face (``shown_as`` both)."""
    with _one_at_a_time:
        network = _network()
        network.setInput(beside_face(card, face, inner_part(card_mm))[None])
        heat, hidden = np.array(network.forward()[0], np.float32)
    row, column = divmod(int(heat.argmax()), heat.shape[1])
    left, top = outline_px(card_mm)[0]
    foot_mm = (np.array([column, row]) + 0.5) * CELL_PX - 0.5 - (left, top)
    return SeenEmma(float(np.logaddexp.reduce(heat, axis=None)), foot_mm, hidden)


def size_px(card_mm: tuple[float, float]) -> tuple[int, int]:
    """The width and height of what is shown of a card and around it."""
    width, height = (_DIVISOR * round((side + 2 * MARGIN_MM) / _DIVISOR) for side in card_mm)
    return width, height


def outline_px(card_mm: tuple[float, float]) -> Corners:
    """Where the corners of a card lie in it, in px."""
    left, top = ((size - side) / 2 - 0.5 for size, side in zip(size_px(card_mm), card_mm, strict=True))
    right, bottom = left + card_mm[0], top + card_mm[1]
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])


def inner_part(card_mm: tuple[float, float]) -> tuple[slice, slice]:
    """What of it is the card: its rows and columns."""
    (left, top), _, (right, bottom), _ = outline_px(card_mm).round().astype(int).tolist()
    return slice(top, bottom + 1), slice(left, right + 1)


def shown_as(picture: Picture, corners: Corners, card_mm: tuple[float, float]) -> Picture:
    """The card at these corners of a picture (4 × 2, px) as it is shown."""
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    matrix = cv2.getPerspectiveTransform(outline_px(card_mm).astype(np.float32), corners.astype(np.float32))
    size = size_px(card_mm)
    return np.asarray(cv2.warpPerspective(picture, matrix, size, flags=how, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def beside_face(card: Picture, face: Picture, inner: tuple[slice, slice]) -> Floats32:
    """A card and its face, as light and of as much contrast as it (6 × rows × columns): what the network is shown."""
    seen = _by_colour(card)
    part, spread = seen[:, *inner].reshape(3, -1), _by_colour(face[inner]).reshape(3, -1)
    mean, contrast = part.mean(axis=1, keepdims=True), float(part.std()) + _LEAST_CONTRAST
    spread -= spread.mean(axis=1, keepdims=True)
    alike, power = ((part - mean) * spread).mean(axis=1), (spread * spread).mean(axis=1)
    both = np.zeros((6, *card.shape[:2]), np.float32)
    both[:3] = (seen - mean[..., None]) / contrast
    spread *= (np.maximum(alike / (power + 1e-4), 0) / contrast)[:, None]
    both[3:, *inner] = spread.reshape(3, *both[0, *inner].shape)
    return both


def _by_colour(picture: Picture) -> Floats32:
    """What it shows (3 × rows × columns, 0 to 1), each colour in one piece: sums over that take a fifth of the time."""
    return np.multiply(np.ascontiguousarray(picture.transpose(2, 0, 1)), np.float32(1 / 255), dtype=np.float32)


@cache
def _network() -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(np.frombuffer((files(__package__) / "emma.onnx").read_bytes(), np.uint8))
