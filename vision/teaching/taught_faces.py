"""Makes the faces of a deck out of photographs: cuts cards out, judges how sharp they are, and which look alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import combinations
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import FloatPicture, Floats32, Picture
from vision.cards import CARD_MM, Face
from vision.teaching.lone_card import LoneCard
from vision.teaching.values.shown_values import ShownValues

MOST_PX_PER_MM: Final = 12.0
LEAST_SIDE_PX: Final = 64
"""Of a cut-out's shorter side: readers of decks refuse smaller ones."""
FINER: Final = 1.5
"""How many pixels of the cut-out a pixel of the photograph becomes at most; more would only be larger."""
BLURRED_MM: Final = 1.0
"""A cut-out is too blurred where an edge spreads further than this (its standard deviation): numerals run together."""
SHARPER: Final = 0.9
"""A face is replaced by one with an edge spread at most this part of its own."""

_COMPARED_PX: Final = 96
"""The width at which faces are compared."""
_MARGIN_PX: Final = 6
_SHIFT_PX: Final = 3
_WINDOW_PX: Final = 9
"""About 6 mm: the size of a numeral."""
ALIKE_STRUCTURE: Final = 0.6
ALIKE_COLOUR: Final = 0.1
"""Photographs of one face under several lamps differ by up to 0.5 and 0.1, different faces by 1.5 or 0.12 and more."""
_AS_DECLARED: Final = 0.5
_EXCHANGED: Final = -0.5
"""Halfway from what faces that each show their value are apart (1) to one card twice (0), or two exchanged (-1).

On 94 decks for building, photographed by another camera, 152 pairs of cards looked alike by themselves that differ in
their values: 151 were .62 and more apart, one .47; of 476 cards photographed twice all but one were .45 and less. Of
4,042 pairs none was less than -.05; of 513 that were exchanged 490 were less than -.5.
"""


def cut_out(picture: Picture, card: LoneCard, card_mm: tuple[float, float] = CARD_MM) -> Picture:
    """The card's upright face out of a photograph (BGR), in the card's proportion, with no more pixels than are in it.

    8 bits a channel; at most MOST_PX_PER_MM.
    """
    here = card.px_per_mm(card_mm)
    px_per_mm = max(min(MOST_PX_PER_MM, FINER * here), LEAST_SIDE_PX / min(card_mm))
    width, height = (round(side * px_per_mm) for side in card_mm)
    corners = card.corners_px
    if here > 1.5 * px_per_mm:  # taken as it is, every few pixels would be picked and the others lost
        scale = px_per_mm / here
        picture = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        corners = (corners + 0.5) * scale - 0.5
    target = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
    homography = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    warped = cv2.warpPerspective(
        picture, homography, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(warped, np.uint8)


def edge_spread_mm(face: Picture, card_mm: tuple[float, float] = CARD_MM) -> float:
    """How far the sharpest edges of a face are spread, as a standard deviation in mm; infinite for a blank face.

    An edge spread by s is nowhere steeper than its height / (s √2π): the steepest places tell the spread, whatever is
    printed.
    """
    px_per_mm = face.shape[1] / card_mm[0]
    grey = face.astype(np.float32).max(axis=2)
    own_px = 1.0
    smooth = cv2.GaussianBlur(grey, (0, 0), own_px)
    across, down = (cv2.Sobel(smooth, cv2.CV_32F, *axis, ksize=3, scale=1 / 8) for axis in ((1, 0), (0, 1)))
    window = np.ones((2 * round(2.5 * px_per_mm) + 1,) * 2, np.uint8)
    height = cv2.dilate(smooth, window) - cv2.erode(smooth, window)
    inside = np.zeros(grey.shape, bool)
    margin = round(2 * px_per_mm)
    inside[margin:-margin, margin:-margin] = True
    strong = inside & (height >= max(12.0, 0.6 * float(height[inside].max())))
    if not strong.any():
        return float("inf")
    steepness = np.maximum(np.hypot(across, down)[strong], 1e-3)
    spread_px = float(np.quantile(height[strong] / steepness, 0.02)) / float(np.sqrt(2 * np.pi))
    return float(np.sqrt(max(spread_px**2 - own_px**2, 0.0)) / px_per_mm)


class Unlikeness(NamedTuple):
    """By how much two faces differ where they differ most."""

    structure: float
    """In a window the size of a numeral, in parts of the faces' own energy there and in general."""
    colour: float
    """Of what the paper's white is, 0 to 1."""

    @property
    def is_enough(self) -> bool:
        """Whether the two can be told apart."""
        return self.structure > ALIKE_STRUCTURE or self.colour > ALIKE_COLOUR


def unlikeness(one: Picture, other: Picture) -> Unlikeness:
    """By how much two upright faces (BGR) differ, the second taken the way up in which it differs less."""
    first, second = _reduced(one), _reduced(other)
    return min(_differing(first, second), _differing(first, second.turned))


def alike_faces(faces: Mapping[str, Picture]) -> list[tuple[str, str]]:
    """The pairs of faces that cannot be told apart, by their ids, in the order of the faces."""
    reduced = {face_id: _reduced(face) for face_id, face in faces.items()}
    turned = {face_id: face.turned for face_id, face in reduced.items()}
    return [
        (one, other)
        for one, other in combinations(reduced, 2)
        if not min(_differing(reduced[one], reduced[other]), _differing(reduced[one], turned[other])).is_enough
    ]


class MixedUp(NamedTuple):
    """Pairs of faces, by their ids: such as cannot be told apart, and such as each show the value of the other."""

    alike: list[tuple[str, str]]
    exchanged: list[tuple[str, str]]


class Lesson(StrEnum):
    """What a cut-out has added to what is taught."""

    NEW = "new"
    SHARPER = "sharper"
    KEPT = "kept"
    """The face was taught already, as sharp as this or sharper."""


class TaughtFaces:
    """The faces of a deck as far as they are taught: of each the sharpest cut-out so far."""

    def __init__(self, faces: Sequence[Face], card_mm: tuple[float, float] = CARD_MM) -> None:
        """``faces`` are all of the deck, in its order."""
        self.card_mm = card_mm
        self._spreads: dict[str, float] = {}
        self._cut_outs: dict[str, Picture] = {}
        self._faces = faces
        self._face_ids = tuple(face.id for face in faces)

    def __getitem__(self, face_id: str) -> Picture:
        """The cut-out of a face; raises KeyError."""
        return self._cut_outs[face_id]

    def __contains__(self, face_id: object) -> bool:
        return face_id in self._cut_outs

    def __len__(self) -> int:
        return len(self._cut_outs)

    def teach(self, face_id: str, picture: Picture) -> Lesson:
        """Takes an upright cut-out (BGR) of a face if it is new or clearly sharper; raises KeyError for no face."""
        if face_id not in self._face_ids:
            raise KeyError(face_id)
        spread = edge_spread_mm(picture, self.card_mm)
        before = self._spreads.get(face_id)
        if before is not None and not spread < SHARPER * before:
            return Lesson.KEPT
        self._spreads[face_id], self._cut_outs[face_id] = spread, picture
        return Lesson.NEW if before is None else Lesson.SHARPER

    def is_blurred(self, face_id: str) -> bool:
        """Whether a taught face is too blurred to be relied on; raises KeyError."""
        return bool(self._spreads[face_id] > BLURRED_MM)

    @property
    def missing(self) -> tuple[str, ...]:
        """The faces that are not taught yet."""
        return tuple(face_id for face_id in self._face_ids if face_id not in self._cut_outs)

    @property
    def blurred(self) -> tuple[str, ...]:
        """The faces whose best cut-out is too blurred."""
        return tuple(face_id for face_id in self._face_ids if face_id in self and self.is_blurred(face_id))

    @property
    def open(self) -> tuple[str, ...]:
        """The faces of which a photograph is wanted, missing or blurred, in the deck's order."""
        wanted = {*self.missing, *self.blurred}
        return tuple(face_id for face_id in self._face_ids if face_id in wanted)

    def mixed_up(self) -> MixedUp:
        """Which of the taught faces may be photographs of other cards."""
        cut_outs = {face_id: self._cut_outs[face_id] for face_id in self._face_ids if face_id in self}
        values = ShownValues(self._faces, cut_outs, self.card_mm)
        apart = {pair: values.apart(*pair) for pair in combinations(cut_outs, 2)}
        exchanged = [pair for pair, much in apart.items() if much is not None and much < _EXCHANGED]
        explained = {face_id for pair in exchanged for face_id in pair}
        alike = [
            pair for pair in alike_faces(cut_outs) if (apart[pair] or 0.0) < _AS_DECLARED and explained.isdisjoint(pair)
        ]
        return MixedUp(alike, exchanged)


class _Reduced(NamedTuple):
    """A face as it is compared: its brightness without shade (h × w), and its tint (h × w × 3)."""

    detail: Floats32
    tint: FloatPicture

    @property
    def turned(self) -> _Reduced:
        return _Reduced(*(np.ascontiguousarray(part[::-1, ::-1]) for part in self))

    def resized(self, shape: tuple[int, ...]) -> _Reduced:
        if self.detail.shape == shape:
            return self
        return _Reduced(*(np.asarray(cv2.resize(part, shape[::-1]), np.float32) for part in self))


def _reduced(face: Picture) -> _Reduced:
    """A small copy with colours in parts of the paper's white, evenly sharp."""
    height = round(_COMPARED_PX * face.shape[0] / face.shape[1])
    small = cv2.resize(face, (_COMPARED_PX, height), interpolation=cv2.INTER_AREA).astype(np.float32)
    white = np.maximum(np.quantile(small, 0.97, axis=(0, 1)), 16.0)
    colours = np.asarray(np.minimum(cv2.GaussianBlur(small, (0, 0), 0.8) / white, 1.2), np.float32)
    grey = colours.mean(axis=2)
    detail = np.asarray(grey - cv2.GaussianBlur(grey, (0, 0), 6.0), np.float32)
    return _Reduced(detail, np.asarray(colours - grey[..., None], np.float32))


def _differing(one: _Reduced, other: _Reduced) -> Unlikeness:
    other = other.resized(one.detail.shape)
    detail, tint = (part[_MARGIN_PX:-_MARGIN_PX, _MARGIN_PX:-_MARGIN_PX] for part in one)
    x, y = _shift(detail, other.detail)
    there = slice(y, y + detail.shape[0]), slice(x, x + detail.shape[1])
    other_detail = other.detail[there]
    window = (_WINDOW_PX, _WINDOW_PX)
    apart = cv2.blur((detail - other_detail) ** 2, window)
    energy = cv2.blur(0.5 * (detail**2 + other_detail**2), window)
    structure = float((apart / (energy + energy.mean())).max())
    return Unlikeness(structure, float(np.abs(cv2.blur(tint - other.tint[there], window)).max()))


def _shift(detail: Floats32, other: Floats32) -> tuple[int, int]:
    """Where in the other face the detail fits best, near the middle."""
    edge = _MARGIN_PX - _SHIFT_PX
    fit = cv2.matchTemplate(other[edge:-edge, edge:-edge], detail, cv2.TM_CCORR_NORMED)
    _, _, _, (x, y) = cv2.minMaxLoc(fit)
    return x + edge, y + edge
