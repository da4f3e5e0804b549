"""Which face lies at a known place, and which way up, told by what a small network sees in it and in the faces.

The network makes of a card a map of what is printed there, in sixteen values of each spot, and of how much of that can
be trusted there: little where something hides it, a gleam, or noise. How far the map is from that of a face, weighed
so, is the logarithm of how probable it is that the card has that face. It has learnt that from cards of decks that were
drawn at random, beside faces of their decks and places where no card lies (``tests/vision/outlines/card_training``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from threading import Lock
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Floats, Floats32, Picture
from vision.cards import DeckError

PX_PER_MM: Final = 2.0
"""How large cards are shown to the network."""
_DIVISOR: Final = 8
VALUES: Final = 16
"""Of each spot."""
REACH: Final = 1
"""So many spots a card may be off, each of two px."""
LEAST_CONTRAST: Final = 0.02
"""What contrast a card is divided by is so much more: one that shows nothing stays flat."""
SCALE: Final = 19.908
"""How much the mean over all spots counts, learnt with the network."""
_LIKELIEST: Final = 8
"""So many faces, either way up, are compared wherever the card may lie; what is less like it there is so elsewhere."""
_NOTHING: Final = 40.0
"""As a logarithm: how improbable each face is where nothing shows."""
_one_at_a_time: Final = Lock()


class Match(NamedTuple):
    """How probable each face is (faces × 2, logarithms: upright, the other way up), and that none lies there."""

    faces: Floats
    none: float


class FaceMatcher:
    """A deck's faces as the network sees them."""

    def __init__(self, faces: Sequence[Picture], card_mm: tuple[float, float]) -> None:
        """``faces`` are pictures (B, G, R) of the upright faces; raises DeckError if nothing shows on any of them."""
        self._size = size_px(card_mm)
        small = [cv2.resize(face, self._size, interpolation=cv2.INTER_AREA) for face in faces]
        if max(float(np.std(face, axis=(0, 1)).max()) for face in small) < LEAST_CONTRAST * 255:
            raise DeckError("The pictures of the faces are too plain to be found by what is on them; teach them again.")
        both = [*small, *(face[::-1, ::-1] for face in small)]
        inner = slice(REACH, -REACH)
        maps = np.stack([_told(np.asarray(face))[:VALUES, inner, inner] for face in both])
        squared = (maps**2).sum(axis=1, keepdims=True)
        self._faces = np.concatenate([maps, squared], axis=1).reshape(len(both), -1)

    def match(self, picture: Picture, corners: Corners) -> Match:
        """How probable each face is at these corners (4 × 2, px, to 2 mm)."""
        card = cut_out(picture, corners, self._size)
        # Beyond the picture nothing shows at all, which the network has never been shown.
        if (card == card[0, 0]).all():
            return Match(np.full((len(self._faces) // 2, 2), -_NOTHING), 0.0)
        told = _told(card)
        trust = np.logaddexp(0, told[VALUES])
        values = told[:VALUES]
        rows, columns = trust.shape
        weighed = np.concatenate([2 * trust * values, -trust[None]])
        squared = trust * (values**2).sum(axis=0)
        places = [
            (slice(down, rows - 2 * REACH + down), slice(across, columns - 2 * REACH + across))
            for down in range(2 * REACH + 1)
            for across in range(2 * REACH + 1)
        ]
        middle = places.pop(len(places) // 2)
        alike = _alike(self._faces, weighed, squared, middle)
        likeliest = np.argsort(-alike)[:_LIKELIEST]
        likely = self._faces[likeliest]
        each = [alike[likeliest], *(_alike(likely, weighed, squared, place) for place in places)]
        alike[likeliest] = np.logaddexp.reduce(each) - np.log(len(each))
        none = float(told[VALUES + 1][REACH:-REACH, REACH:-REACH].mean() * SCALE)
        total = np.logaddexp(np.logaddexp.reduce(alike), none)
        return Match((alike - total).reshape(2, -1).T, none - total)


def _alike(faces: Floats32, weighed: Floats32, squared: Floats32, place: tuple[slice, slice]) -> Floats:
    """How much like these faces a card is that lies at one of the places that it may be off by: logarithms."""
    seen = weighed[:, place[0], place[1]].ravel()
    # Not by BLAS, whose threads wait for one another where other work runs as well.
    told = np.einsum("fv,v->f", faces, seen) - squared[place].sum()
    return np.asarray(told * (SCALE / squared.size), np.float64)


def size_px(card_mm: tuple[float, float]) -> tuple[int, int]:
    """The width and height of a card as the network is shown it."""
    width, height = (_DIVISOR * max(1, round(side * PX_PER_MM / _DIVISOR)) for side in card_mm)
    return width, height


def cut_out(picture: Picture, corners: Corners, size: tuple[int, int]) -> Picture:
    """The card at these corners (4 × 2, px), upright, of this width and height."""
    width, height = size
    goal = np.array([(-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5)])
    part, scale = picture, 1.0
    longest = float(np.linalg.norm(np.roll(corners, 1, axis=0) - corners, axis=1).max())
    if longest > 2 * height:  # detail finer than the crop's would turn into noise
        left, top = np.floor(corners.min(axis=0)).astype(int).clip(0)
        right, bottom = np.ceil(corners.max(axis=0)).astype(int).clip(0) + 1
        part, scale = picture[top:bottom, left:right], 1.5 * height / longest
        if min(part.shape[:2]) * scale < 1:
            return np.zeros((height, width, 3), np.uint8)
        part = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        corners = (corners - (left, top) + 0.5) * scale - 0.5
    matrix = cv2.getPerspectiveTransform(goal.astype(np.float32), corners.astype(np.float32))
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(part, matrix, size, flags=how, borderMode=cv2.BORDER_REPLICATE), np.uint8)


@cache
def _network() -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(np.frombuffer((files(__package__) / "faces.onnx").read_bytes(), np.uint8))


def _told(card: Picture) -> Floats32:
    """What the network tells of each spot of a card (VALUES + 2 × rows × columns)."""
    values = card.astype(np.float32) / 255
    values = (values - values.mean()) / (values.std() + LEAST_CONTRAST)
    with _one_at_a_time:
        network = _network()
        network.setInput(np.ascontiguousarray(values.transpose(2, 0, 1)[None]))
        return np.array(network.forward()[0], np.float32)
