"""What is printed along the edges of a deck's faces, in windows at every place where rails could leave the card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.arrays import FloatPicture, Floats, Floats32
from vision.cards import Edge
from vision.teaching.even_faces import PX_PER_MM

EDGES: Final = (Edge.N, Edge.E, Edge.S, Edge.W)
BANDS_MM: Final = ((1.5, 4.5), (4.5, 7.5), (7.5, 10.5))
"""How deep in the card: the outermost part is the table's as often as the card's, and rails may end 6 mm before the
edge; within a band sleepers are averaged away."""
FREE_MM: Final = 9.0
"""From a card's corner to the middle of its rails, at least."""
_OUTLIER: Final = 12.0
"""In parts of the noise: one loud thing of the scenery shall not outweigh the rails of all other faces."""


class RailWindows:
    """Windows of a deck's faces along each edge, from its middle to the right or down.

    Each holds, for every band, lightness and two colours without their mean, in parts of the deck's own noise.
    """

    def __init__(self, faces: Sequence[FloatPicture], half_mm: float) -> None:
        """``faces`` as of ``even_face``; windows reach so far to either side."""
        reach = round(half_mm * PX_PER_MM)
        self.offsets_mm: dict[Edge, Floats] = {}
        raw: dict[Edge, Floats32] = {}
        for edge in EDGES:
            strips = np.stack([_strips(face, edge) for face in faces])
            length = strips.shape[1]
            padded = np.pad(strips, ((0, 0), (reach, reach), (0, 0), (0, 0)), mode="edge")
            windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach, axis=1)
            offsets = (np.arange(length + 1) - length / 2) / PX_PER_MM
            kept = np.abs(offsets) <= length / 2 / PX_PER_MM - FREE_MM
            self.offsets_mm[edge] = offsets[kept]
            raw[edge] = windows[:, kept] - windows[:, kept].mean(axis=-1, keepdims=True)
        self.shape = raw[Edge.N].shape[2:]
        noise = _noise(raw)
        self._windows = {
            edge: np.clip(one / noise[..., None], -_OUTLIER, _OUTLIER).reshape(*one.shape[:2], -1).astype(np.float32)
            for edge, one in raw.items()
        }
        grounds = np.array([np.median(face.reshape(-1, 3), axis=0) for face in faces])
        self.grounds: Floats = (grounds - np.median(grounds, axis=0))[:, None] / noise
        """How each face's ground differs from the usual one (faces × bands × 3), in parts of the noise."""
        self.count = len(faces)

    def __getitem__(self, edge: Edge) -> Floats32:
        """The windows of an edge: faces × offsets × values."""
        return self._windows[edge]

    def nearest(self, edge: Edge, offset_mm: float) -> int:
        """The number of the window that lies nearest to a place."""
        return int(np.abs(self.offsets_mm[edge] - offset_mm).argmin())

    def mirrored(self, windows: Floats32) -> Floats32:
        """Windows with left and right exchanged."""
        return windows.reshape(*windows.shape[:-1], *self.shape)[..., ::-1].reshape(windows.shape)

    def evened(self, profile: Floats32) -> Floats32:
        """What of a window is the same on both sides, as rails are."""
        return np.asarray((profile + self.mirrored(profile)) / 2, np.float32)


def _strips(face: FloatPicture, edge: Edge) -> Floats32:
    """What lies along an edge: places × bands × 3."""
    if edge in {Edge.E, Edge.W}:
        face = face.transpose(1, 0, 2)
    if edge in {Edge.E, Edge.S}:
        face = face[::-1]
    ends = [(round(near * PX_PER_MM), round(far * PX_PER_MM)) for near, far in BANDS_MM]
    return np.asarray(np.stack([face[near:far].mean(axis=0) for near, far in ends], axis=1), np.float32)


def _noise(windows: dict[Edge, Floats32]) -> Floats:
    """By how much faces differ at one place, where most have no rails or marks: bands × 3."""
    spreads = []
    for one in windows.values():
        away = np.abs(one - np.median(one, axis=0))
        spreads.append(np.median(away.transpose(2, 3, 0, 1, 4).reshape(*away.shape[2:4], -1), axis=-1))
    # Of a normal distribution the median is so much smaller than the standard deviation. Half a step of Lab is the
    # least that a photograph of 8 bits tells.
    return np.asarray(1.48 * np.mean(spreads, axis=0) + 0.4)
