"""Where cards might lie in a picture: keypoints that look like those of a deck's faces vote for a card's place.

A keypoint's place, size and direction on a face and in the picture together say where the whole card would lie.
Rails and sleepers repeat from face to face, so a keypoint votes for several faces at once; that many agree on one
place, direction and size says that there is a card, and its picture says later which one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Flags, Floats32, GreyPicture, Indices, Picture
from vision.cards import DeckError
from vision.viewpoint import Viewpoint

FACE_PX_PER_MM: Final = 0.9
"""The size at which faces are looked at: about that of the camera's picture."""
_CONTRAST: Final = 0.02
_FINEST_PX: Final = 1.0
_SIZES_AN_OCTAVE: Final = 2
"""How much the doubled picture is smoothed for the smallest keypoints, and at how many sizes from there to twice that
they are looked for. SIFT's usual 1.6 and 3 show as much only in a picture a quarter larger, and take far longer."""
_MOST_KEYPOINTS: Final = 800
"""In each part of a picture; a chequered cloth has hundreds that stand out more than those of the cards."""
_DIMENSIONS: Final = 48
_AT_ONCE: Final = 64
"""So many keypoints are compared at a time, which saves memory."""
_VOTES_EACH: Final = 4
_FARTHEST: Final = 0.30
_MARGIN_PX: Final = 6
_SPREAD_MM: Final = 25.0
_CELL_MM: Final = 4.0
_NEAR_MM: Final = 9.0
_FIT_MM: Final = 3.0
_SIZE_RATIO: Final = 0.35
_FITTING_ROUNDS: Final = 3
_TURNED_DEG: Final = 15
_LARGEST_SIZE: Final = 1.25
_SCALES: Final = (0.5, 8.0)
_SCALE_STEP: Final = 0.06
_MOST_SCALES: Final = 3
_LARGEST_TABLE_MM: Final = 3000


class Proposal(NamedTuple):
    """A place on the table where a card might lie: its centre in mm, rotation in degrees clockwise, and the votes.

    ``size`` is how large it looks there beside what it should; 1 where its keypoints do not tell.
    """

    centre_mm: tuple[float, float]
    rotation_deg: float
    size: float
    weight: float


class Matches(NamedTuple):
    """Pairs of keypoints that look alike, one in the picture, one on a face, and how much (n,).

    ``seen`` (n × 4): x, y, size in px of the whole picture, direction in degrees. ``place`` (n × 4): the same on the
    face, in mm from its centre.
    """

    seen: Floats32
    place: Floats32
    weight: Floats32

    def only(self, which: Flags) -> Matches:
        """Those of them that are chosen (n,)."""
        return Matches(*(column[which] for column in self))


def joined(parts: Sequence[Matches]) -> Matches:
    """The matches of several parts of a picture."""
    nothing = Matches(np.zeros((0, 4), np.float32), np.zeros((0, 4), np.float32), np.zeros(0, np.float32))
    return Matches(*(np.concatenate(columns) for columns in zip(nothing, *parts, strict=True)))


class FaceFeatures:
    """The keypoints of a deck's faces, ready to be looked for."""

    def __init__(self, faces: Sequence[Picture], card_mm: tuple[float, float]) -> None:
        """``faces`` are pictures (B, G, R) of the upright faces; raises DeckError where nothing is on them."""
        self._sift = cv2.SIFT.create(
            nfeatures=_MOST_KEYPOINTS,
            nOctaveLayers=_SIZES_AN_OCTAVE,
            contrastThreshold=_CONTRAST,
            sigma=_FINEST_PX,
        )
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
        descriptors = (everything - self._mean) @ self._axes
        lengths = (descriptors**2).sum(axis=1)
        # With these and a 1 behind a keypoint's own values, one product tells all distances but for its own length.
        self._targets = np.ascontiguousarray(np.column_stack([-2 * descriptors, lengths]).T, dtype=np.float32)

    def matches(self, small: Picture, scale: float, corner: tuple[float, float] = (0, 0)) -> Matches:
        """What in a picture looks like something on the faces; ``small`` is it (B, G, R) at this scale of its size.

        ``corner`` is where the top left corner of ``small`` lies in the whole small picture, if it is a part of it.
        """
        keypoints, descriptors = self._keypoints(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8))
        if not keypoints:
            nothing = np.zeros((0, 4), np.float32)
            return Matches(nothing, nothing, np.zeros(0, np.float32))
        seen = np.array([(*point.pt, point.size, point.angle) for point in keypoints], dtype=np.float32)
        seen[:, :2] = (seen[:, :2] + corner + 0.5) / scale - 0.5
        seen[:, 2] /= scale
        which, face_point, alike = self._nearest(descriptors)
        # Of those that are hardly alike nearly all are wrong, and they are many.
        return Matches(seen[which], self._places[face_point], alike**2)

    def _described(self, face: Picture, card_mm: tuple[float, float]) -> tuple[Floats32, Floats32]:
        """A face's keypoints (x and y from its centre, size, all in mm, direction in degrees) and descriptors."""
        size = (round(card_mm[0] * FACE_PX_PER_MM), round(card_mm[1] * FACE_PX_PER_MM))
        grey = cv2.cvtColor(cv2.resize(face, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        margin = _MARGIN_PX
        grey = cv2.copyMakeBorder(grey, margin, margin, margin, margin, cv2.BORDER_REPLICATE)
        keypoints, descriptors = self._keypoints(np.asarray(grey, dtype=np.uint8))
        if not keypoints:
            return np.zeros((0, 4), np.float32), np.zeros((0, 128), np.float32)
        middle = np.array([size[0] / 2 + margin - 0.5, size[1] / 2 + margin - 0.5])
        places = np.array([(*(np.array(point.pt) - middle), point.size, point.angle) for point in keypoints])
        places[:, :3] /= FACE_PX_PER_MM
        return places.astype(np.float32), descriptors

    def _keypoints(self, grey: GreyPicture) -> tuple[Sequence[cv2.KeyPoint], Floats32]:
        everywhere = np.full(grey.shape, 255, dtype=np.uint8)
        keypoints, descriptors = self._sift.detectAndCompute(grey, everywhere)
        return keypoints, _root(np.asarray(descriptors, dtype=np.float32)) if keypoints else np.zeros(
            (0, 128), np.float32
        )

    def _nearest(self, descriptors: Floats32) -> tuple[Indices, Indices, Floats32]:
        """Pairs of keypoints in the picture and of faces that look alike, and how much."""
        pairs = [
            self._nearest_to(descriptors[start : start + _AT_ONCE]) for start in range(0, len(descriptors), _AT_ONCE)
        ]
        which = [part + index * _AT_ONCE for index, (part, _, _) in enumerate(pairs)]
        return np.concatenate(which), np.concatenate([pair[1] for pair in pairs]), np.concatenate([p[2] for p in pairs])

    def _nearest_to(self, descriptors: Floats32) -> tuple[Indices, Indices, Floats32]:
        reduced = (descriptors - self._mean) @ self._axes
        left = _FARTHEST - np.einsum("kd,kd->k", reduced, reduced)
        distances = np.column_stack([reduced, np.ones_like(left)]) @ self._targets
        # Few are near enough: they are told apart much faster than all can be put in order.
        which, face_point = np.divmod(np.flatnonzero(distances < left[:, None]), distances.shape[1])
        alike = left[which] - distances[which, face_point]
        # Likeness is far below 1, so that this orders by keypoints first.
        order = np.argsort(which - alike)
        starts = np.searchsorted(which, np.arange(len(distances)))
        best = order[np.arange(len(which)) - starts[which] < _VOTES_EACH]
        return which[best], face_point[best], alike[best]


def likely_scales(matches: Matches) -> list[float]:
    """How many px a mm may have, the likeliest first: what most keypoints' sizes say, then anything else."""
    lowest, highest = np.log(_SCALES)
    if not len(matches.weight):
        return []
    said = np.log(matches.seen[:, 2] / matches.place[:, 2])
    # No place has to agree here, so what is most alike has to count even more.
    bins = round((highest - lowest) / _SCALE_STEP)
    heap, edges = np.histogram(said, bins=bins, range=(lowest, highest), weights=matches.weight**1.5)
    heap = cv2.GaussianBlur(heap.astype(np.float32)[None], (0, 0), 2.0).ravel()
    tops = [
        place for place in range(1, bins - 1) if heap[place] > 0 and heap[place] == heap[place - 1 : place + 2].max()
    ]
    best = sorted(tops, key=lambda place: -heap[place])[:_MOST_SCALES]
    others = np.exp(np.arange(lowest, highest, _SIZE_RATIO))
    return [*(float(np.exp(edges[place] + _SCALE_STEP / 2)) for place in best), *map(float, others)]


def propose(matches: Matches, viewpoint: Viewpoint, most: int) -> Iterator[Proposal]:
    """The likeliest places of cards on a table seen from there, the likeliest first.

    Keypoints count whose size is about right for that table.
    """
    if not len(matches.weight):
        return
    direction = np.radians(matches.seen[:, 3])
    towards = np.column_stack([np.cos(direction), np.sin(direction)]) * matches.seen[:, 2:3]
    at = viewpoint.on_table(matches.seen[:, :2])
    pointer = viewpoint.on_table(matches.seen[:, :2] + towards) - at
    fits = np.abs(np.log(np.hypot(*pointer.T) / matches.place[:, 2])) < _SIZE_RATIO
    at, pointer, place = at[fits], pointer[fits], matches.place[fits]
    rotation = np.arctan2(pointer[:, 1], pointer[:, 0]) - np.radians(place[:, 3])
    centres = at - _turned(place[:, :2], rotation)
    if not len(centres):
        return
    votes = _Votes(centres, rotation, matches.weight[fits], at, place[:, :2])
    agreeing = [some for peak in _peaks(votes, most) if len((some := _agreeing(votes, peak)).weight)]
    for some in sorted(agreeing, key=lambda some: -float(some.weight.sum())):
        yield _placed(some)


def _turned(points: Floats32, radians: Floats32) -> Floats32:
    """Points (n × 2) turned clockwise around the origin, each by its own angle."""
    sine, cosine = np.sin(radians), np.cos(radians)
    x, y = points[:, 0], points[:, 1]
    return np.column_stack([cosine * x - sine * y, sine * x + cosine * y])


def _root(descriptors: Floats32) -> Floats32:
    """Descriptors whose distances are those of their distributions (Hellinger): better than the plain ones."""
    sums = np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-6)
    return np.asarray(np.sqrt(descriptors / sums), dtype=np.float32)


class _Votes(NamedTuple):
    """Votes for cards: for the centre (n × 2, mm) and rotation (n, radians), how much each counts (n,), and whence.

    ``seen`` (n × 2, mm) is where the keypoint lies on the table, ``place`` (n × 2, mm) where on the face.
    """

    centre: Floats32
    rotation: Floats32
    weight: Floats32
    seen: Floats32
    place: Floats32

    def only(self, which: Flags) -> _Votes:
        return _Votes(*(column[which] for column in self))


def _peaks(votes: _Votes, most: int) -> list[tuple[float, float]]:
    """The places on the table, in mm, on which most votes fall."""
    start = votes.centre.min(axis=0)
    columns, rows = ((np.minimum(np.ptp(votes.centre, axis=0), _LARGEST_TABLE_MM) / _CELL_MM).astype(int) + 1).tolist()
    column, row = ((votes.centre - start) / _CELL_MM).astype(int).T
    inside = (column < columns) & (row < rows)
    cells = row[inside] * columns + column[inside]
    heap = np.bincount(cells, votes.weight[inside], rows * columns).reshape(rows, columns).astype(np.float32)
    heap = np.asarray(cv2.GaussianBlur(heap, (0, 0), 1.0), dtype=np.float32)
    tops = (heap == cv2.dilate(heap, np.ones((5, 5)))) & (heap > 0)
    found = np.argwhere(tops)
    best = np.argsort(-heap[tops])[:most]
    return [(float((x + 0.5) * _CELL_MM + start[0]), float((y + 0.5) * _CELL_MM + start[1])) for y, x in found[best]]


def _agreeing(votes: _Votes, peak: tuple[float, float]) -> _Votes:
    """Of the votes around a place most that agree on a direction; none where there are too few."""
    away = votes.centre - peak
    near = votes.only(away[:, 0] ** 2 + away[:, 1] ** 2 < _NEAR_MM**2)
    if len(near.weight) < 2:
        return near.only(np.zeros(len(near.weight), dtype=np.bool_))
    # Chance votes for any direction; the keypoints of a card agree on one.
    pointing = np.column_stack([np.cos(near.rotation), np.sin(near.rotation)])
    agree = pointing @ pointing.T > np.cos(np.radians(_TURNED_DEG))
    return near.only(agree[int((agree @ near.weight).argmax())])


def _placed(votes: _Votes) -> Proposal:
    """Where the card lies on which these votes agree."""
    weight = float(votes.weight.sum())
    share = votes.weight / weight
    direction = complex(share @ np.exp(1j * votes.rotation))
    middle = complex(share @ (votes.centre[:, 0] + 1j * votes.centre[:, 1]))
    middle, turn = _fitted(votes, middle, direction / abs(direction))
    return Proposal((middle.real, middle.imag), float(np.degrees(np.angle(turn))), abs(turn), weight)


def _fitted(votes: _Votes, middle: complex, turn: complex) -> tuple[complex, complex]:
    """Centre, and turn and size, that the keypoints' places say together: surer than what each says alone."""
    all_seen = votes.seen[:, 0] + 1j * votes.seen[:, 1]
    all_places = votes.place[:, 0] + 1j * votes.place[:, 1]
    kept = np.zeros(len(all_seen), dtype=np.bool_)
    for _ in range(_FITTING_ROUNDS):
        off = np.abs(all_seen - middle - turn * all_places)
        before, kept = kept, off < max(_FIT_MM, float(np.partition(off, len(off) // 2)[len(off) // 2]))
        seen, place = all_seen[kept], all_places[kept]
        if len(seen) < 2 or np.array_equal(kept, before):
            break
        # Keypoints close to each other tell less of the direction than their own directions do.
        if max(np.ptp(place.real), np.ptp(place.imag)) > _SPREAD_MM:
            spread = place - place.mean()
            turn = complex(np.vdot(spread, seen - seen.mean()) / np.vdot(spread, spread).real)
            turn *= min(max(abs(turn), 1 / _LARGEST_SIZE), _LARGEST_SIZE) / max(abs(turn), 1e-6)
        middle = complex(seen.mean() - place.mean() * turn)
    return middle, turn
