"""Which face lies at a known place, and which way up, told by what a small network sees in it and in the faces.

The network makes of a card a map of what is printed there, in sixteen values of each spot, and of how much of that can
be trusted there: little where something hides it, a gleam, or noise. How far the map is from that of a face, weighed
so, is the logarithm of how probable it is that the card has that face. It has learnt that from cards of decks that were
drawn at random, beside faces of their decks and places where no card lies (``tests/vision/outlines/card_training``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from threading import Lock
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Corners, Floats, Floats32, Indices, Picture
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
_FAR_BEHIND: Final = 25.0
"""So many faces, either way up, are compared in each spot and wherever the card may lie, unless they are so far behind
(a logarithm) by each fourth spot. Of what is less than 9 behind, that told 0.01 otherwise than if all are compared in
each spot (the median of 435 cards of 20 decks for building; 1.8 and less for 99 % of them)."""
_LEVELS: Final = 127
"""By so many steps a value of a face's map differs from nothing at most."""
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
        self._maps = FaceMaps(_told(np.asarray(face))[:VALUES, inner, inner] for face in both)

    def match(self, picture: Picture, corners: Corners) -> Match:
        """How probable each face is at these corners (4 × 2, px, to 2 mm)."""
        card = cut_out(picture, corners, self._size)
        # Beyond the picture nothing shows at all, which the network has never been shown.
        if (card == card[0, 0]).all():
            return Match(np.full((len(self._maps) // 2, 2), -_NOTHING), 0.0)
        told = _told(card)
        alike = self._maps.alike(told[:VALUES], np.logaddexp(0, told[VALUES]))
        none = float(told[VALUES + 1][REACH:-REACH, REACH:-REACH].mean() * SCALE)
        total = np.logaddexp(np.logaddexp.reduce(alike), none)
        return Match((alike - total).reshape(2, -1).T, none - total)


class FaceMaps:
    """The maps of all faces, a byte each value."""

    def __init__(self, maps: Iterable[Floats32]) -> None:
        """``maps`` are VALUES × rows × columns each."""
        # One after the other: together they would take four times as much memory as what is kept.
        kept = [(_kept_of(one), _kept_of(one[:, ::2, ::2])) for one in maps]
        self._fine, self._coarse = (_SomeSpots(some) for some in zip(*kept, strict=True))

    def __len__(self) -> int:
        return len(self._fine.values)

    def alike(self, values: Floats32, trust: Floats32) -> Floats:
        """How like each face a card is (logarithms) of which a map is told, and how much of that can be trusted.

        Both (VALUES × rows × columns, rows × columns) reach farther than faces do, as it may be off to all sides.
        """
        rows, columns = (side - 2 * REACH for side in trust.shape)
        seen = np.concatenate([2 * trust * values, trust[None], trust[None] * (values**2).sum(axis=0)])
        places = [
            seen[:, down : down + rows, across : across + columns]
            for down in range(2 * REACH + 1)
            for across in range(2 * REACH + 1)
        ]
        counts = SCALE * rows * columns / trust.size
        alike = counts * self._coarse.alike(slice(None), [places[len(places) // 2][:, ::2, ::2]])[0]
        likeliest = np.argsort(-alike)[:_LIKELIEST]
        likeliest = likeliest[alike[likeliest] > alike.max() - _FAR_BEHIND]
        each = counts * self._fine.alike(likeliest, places)
        alike[likeliest] = np.logaddexp.reduce(each) - np.log(len(places))
        return np.asarray(alike)


class _Kept(NamedTuple):
    """A map's values in steps (a byte each), how large a step is, and the sums of the squares, all of them flat."""

    values: NDArray[np.int8]
    step: float
    squares: Floats32


def _kept_of(one: Floats32) -> _Kept:
    step = max(float(np.abs(one).max()) / _LEVELS, 1e-6)
    return _Kept(np.round(one / step).astype(np.int8).ravel(), step, (one**2).sum(axis=0).ravel())


class _SomeSpots:
    """What the maps of faces are at some spots."""

    def __init__(self, maps: Sequence[_Kept]) -> None:
        values, steps, squares = zip(*maps, strict=True)
        self.values, self._squares = np.stack(values), np.stack(squares)
        self._steps = np.array(steps, np.float32)

    def alike(self, faces: slice | Indices, places: Sequence[Floats32]) -> Floats:
        """How like these faces a card is (places × faces, means over spots) at each place that it may be off by.

        What is seen there is its values, weighed, how much spots can be trusted, and what both come to, one upon the
        other.
        """
        values, steps, squares = self.values[faces].astype(np.float32), self._steps[faces], self._squares[faces]
        each = [
            steps * (values @ place[:VALUES].ravel()) - squares @ place[VALUES].ravel() - place[VALUES + 1].sum()
            for place in places
        ]
        return np.asarray(np.stack(each) / squares.shape[1], np.float64)


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
