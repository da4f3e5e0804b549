"""Where cards might lie in a picture: keypoints that look like those of a deck's faces vote for a card's place.

A keypoint's place, size and direction on a face and in the picture together say where the whole card would lie.
Rails and sleepers repeat from face to face, so a keypoint votes for several faces at once; that many agree on one
place, direction and size says that there is a card, and its picture says later which one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import DeckError

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

FACE_PX_PER_MM: Final = 1.2
"""The size at which faces are looked at: about that of the camera's picture."""
_CONTRAST: Final = 0.02
_MOST_KEYPOINTS: Final = 1500
_DIMENSIONS: Final = 48
_VOTES_EACH: Final = 4
_FARTHEST: Final = 0.30
_CELL_PX: Final = 8
_NEAR_PX: Final = 16.0
_MARGIN_PX: Final = 8
_ENOUGH_TO_FIT: Final = 5
_SPREAD_MM: Final = 25.0
_FIT_PX: Final = 4.0


class Proposal(NamedTuple):
    """A place where a card might lie: its centre in px, rotation in degrees clockwise, scale, and the votes for it."""

    centre: tuple[float, float]
    rotation_deg: float
    px_per_mm: float
    weight: float


class FaceFeatures:
    """The keypoints of a deck's faces, ready to be looked for."""

    def __init__(self, faces: Sequence[Image], card_mm: tuple[float, float]) -> None:
        """``faces`` are pictures (B, G, R) of the upright faces; raises DeckError where nothing is on them."""
        self._sift = cv2.SIFT.create(contrastThreshold=_CONTRAST)
        places, descriptors = [], []
        for face in faces:
            found, described = self._described(face, card_mm)
            places.append(found)
            descriptors.append(described)
        self._places = np.concatenate(places)
        everything = np.concatenate(descriptors)
        if len(everything) <= _VOTES_EACH:
            raise DeckError("The pictures of the faces are too plain to be found by what is on them; teach them again.")
        self._mean = everything.mean(axis=0)
        axes = np.linalg.svd(everything - self._mean, full_matrices=False)[2][:_DIMENSIONS]
        self._axes = np.ascontiguousarray(axes.T, dtype=np.float32)
        self._descriptors = (everything - self._mean) @ self._axes
        self._lengths = (self._descriptors**2).sum(axis=1)

    def propose(self, small: Image, scale: float, most: int) -> list[Proposal]:
        """The likeliest places of cards, in px of the whole picture, the likeliest first.

        ``small`` is the picture (B, G, R) at this scale of its size.
        """
        votes = self._votes(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8), scale)
        shape = (round(small.shape[0] / scale), round(small.shape[1] / scale))
        if not len(votes):
            return []
        proposals = [proposal for peak in _peaks(votes, shape, most) for proposal in _agreed(votes, peak)]
        return sorted(proposals, key=lambda proposal: -proposal.weight)

    def _described(self, face: Image, card_mm: tuple[float, float]) -> tuple[Floats, Floats]:
        """A face's keypoints (x and y from its centre, size, all in mm, direction in degrees) and descriptors."""
        size = (round(card_mm[0] * FACE_PX_PER_MM), round(card_mm[1] * FACE_PX_PER_MM))
        grey = cv2.cvtColor(cv2.resize(face, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        margin = _MARGIN_PX
        grey = cv2.copyMakeBorder(grey, margin, margin, margin, margin, cv2.BORDER_REPLICATE)
        keypoints, descriptors = self._sift.compute(grey, self._sift.detect(grey, None))
        if not keypoints:
            return np.zeros((0, 4), np.float32), np.zeros((0, 128), np.float32)
        middle = np.array([size[0] / 2 + margin - 0.5, size[1] / 2 + margin - 0.5])
        places = np.array([(*(np.array(point.pt) - middle), point.size, point.angle) for point in keypoints])
        places[:, :3] /= FACE_PX_PER_MM
        return places.astype(np.float32), _root(np.asarray(descriptors, dtype=np.float32))

    def _votes(self, small: Image, scale: float) -> Floats:
        """Votes (n × 9) for a card's centre x and y in px, rotation in radians and px per mm, and their weight.

        After these five columns come the keypoint's places in the picture (px) and on the face (mm).
        """
        strongest = sorted(self._sift.detect(small, None), key=lambda point: -point.response)[:_MOST_KEYPOINTS]
        keypoints, descriptors = self._sift.compute(small, strongest)
        if not keypoints:
            return np.zeros((0, 9), np.float32)
        seen = np.array([(*point.pt, point.size, point.angle) for point in keypoints], dtype=np.float32)
        seen[:, :2] = (seen[:, :2] + 0.5) / scale - 0.5
        seen[:, 2] /= scale
        which, face_point, weight = self._nearest(_root(np.asarray(descriptors, dtype=np.float32)))
        seen, place = seen[which], self._places[face_point]
        rotation = np.radians(seen[:, 3] - place[:, 3])
        px_per_mm = seen[:, 2] / place[:, 2]
        sine, cosine = np.sin(rotation), np.cos(rotation)
        x = seen[:, 0] - (cosine * place[:, 0] - sine * place[:, 1]) * px_per_mm
        y = seen[:, 1] - (sine * place[:, 0] + cosine * place[:, 1]) * px_per_mm
        return np.column_stack([x, y, rotation, px_per_mm, weight, seen[:, :2], place[:, :2]])

    def _nearest(self, descriptors: Floats) -> tuple[NDArray[np.integer], NDArray[np.integer], Floats]:
        """Pairs of keypoints in the picture and of faces that look alike, and how much."""
        reduced = (descriptors - self._mean) @ self._axes
        distances = (reduced**2).sum(axis=1)[:, None] + self._lengths - 2 * reduced @ self._descriptors.T
        nearest = np.argpartition(distances, _VOTES_EACH, axis=1)[:, :_VOTES_EACH]
        alike = _FARTHEST - np.take_along_axis(distances, nearest, axis=1).ravel()
        which = np.repeat(np.arange(len(reduced)), _VOTES_EACH)
        kept = alike > 0
        return which[kept], nearest.ravel()[kept], alike[kept].astype(np.float32)


def _root(descriptors: Floats) -> Floats:
    """Descriptors whose distances are those of their distributions (Hellinger): better than the plain ones."""
    sums = np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-6)
    return np.asarray(np.sqrt(descriptors / sums), dtype=np.float32)


def _peaks(votes: Floats, shape: tuple[int, ...], most: int) -> list[tuple[float, float]]:
    """The places in the picture on which most votes fall."""
    rows, columns = shape[0] // _CELL_PX + 1, shape[1] // _CELL_PX + 1
    column, row = (votes[:, :2] / _CELL_PX).astype(int).T
    inside = (column >= 0) & (row >= 0) & (column < columns) & (row < rows)
    heap = np.zeros((rows, columns), dtype=np.float32)
    np.add.at(heap, (row[inside], column[inside]), votes[inside, 4])
    heap = np.asarray(cv2.GaussianBlur(heap, (0, 0), 1.0), dtype=np.float32)
    tops = (heap == cv2.dilate(heap, np.ones((5, 5)))) & (heap > 0)
    found = np.argwhere(tops)
    best = np.argsort(-heap[tops])[:most]
    half = _CELL_PX / 2
    return [(float(x * _CELL_PX + half), float(y * _CELL_PX + half)) for y, x in found[best]]


def _agreed(votes: Floats, place: tuple[float, float]) -> list[Proposal]:
    """What most of the votes around a place agree on; the surest reading of it first."""
    near = votes[np.hypot(votes[:, 0] - place[0], votes[:, 1] - place[1]) < _NEAR_PX]
    if len(near) < 2:
        return []
    turned = np.abs((near[:, None, 2] - near[None, :, 2] + np.pi) % (2 * np.pi) - np.pi)
    scaled = np.abs(np.log(near[:, None, 3] / near[None, :, 3]))
    agree = (turned < np.radians(15)) & (scaled < 0.25)
    weights = agree @ near[:, 4]
    chosen = near[agree[int(weights.argmax())]]
    weight = float(weights.max())
    share = chosen[:, 4] / chosen[:, 4].sum()
    x, y = share @ chosen[:, :2]
    rotation = np.degrees(np.arctan2(share @ np.sin(chosen[:, 2]), share @ np.cos(chosen[:, 2])))
    scale = float(np.exp(share @ np.log(chosen[:, 3])))
    fitted = _fitted(chosen, weight)
    return [*([fitted] if fitted else []), Proposal((float(x), float(y)), float(rotation), scale, weight)]


def _fitted(votes: Floats, weight: float) -> Proposal | None:
    """The place that the keypoints' places say together: surer than what their sizes and directions say."""
    if len(votes) < _ENOUGH_TO_FIT:
        return None
    seen, place = np.ascontiguousarray(votes[:, 5:7]), np.ascontiguousarray(votes[:, 7:9])
    matrix, inliers = cv2.estimateAffinePartial2D(place, seen, ransacReprojThreshold=_FIT_PX)
    if matrix is None:
        return None
    kept = inliers.ravel() > 0
    # One keypoint votes for several faces: that is no agreement.
    if len(np.unique(seen[kept].round(), axis=0)) < _ENOUGH_TO_FIT or np.ptp(place[kept], axis=0).max() < _SPREAD_MM:
        return None
    scale = max(float(np.hypot(matrix[0, 0], matrix[1, 0])), 1e-3)
    middle = np.median(votes[:, :2], axis=0)
    if np.hypot(*(matrix[:, 2] - middle)) > _NEAR_PX or abs(np.log(scale / np.median(votes[:, 3]))) > 0.4:
        return None
    rotation = float(np.degrees(np.arctan2(matrix[1, 0], matrix[0, 0])))
    return Proposal((float(matrix[0, 2]), float(matrix[1, 2])), rotation, scale, weight)
