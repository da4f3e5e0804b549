"""The two usual ways of finding known cards in a picture, to be measured beside our own.

``SiftFinder`` matches local features with each face and asks RANSAC for homographies, ``CarefulSiftFinder`` does the
same faster and better; ``HashFinder`` takes what looks like a card's outline, straightens it and compares perceptual
hashes.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Corners = NDArray[np.float64]
Descriptors = NDArray[np.float32]

FACE_PX: Final = 320
"""Height of the faces that features are carefully taken of: about twice that of the cards in the pictures."""
RATIO: Final = 0.75
LEAST_INLIERS: Final = 10
REACH_PX: Final = 5.0
CAREFUL_INLIERS: Final = 12
CAREFUL_REACH_PX: Final = 4.0
HASHED_PX: Final = 64
HASH_SIDE: Final = 16
MOST_BITS_OFF: Final = 0.32


class Found(NamedTuple):
    """A card: its face's id, its corners (4 × 2, px, of the upright face) and how sure it is (more is surer)."""

    face: str
    corners_px: Corners
    score: float


class _Features(NamedTuple):
    points: NDArray[np.float32]
    descriptors: Descriptors


class SiftFinder:
    """SIFT as tutorials have it: each face's features, as it is, with all of the picture's; the ratio test; RANSAC.

    The one thing more is that it looks for another card with the same face as long as one turns up.
    """

    least_inliers = LEAST_INLIERS

    def __init__(self, faces: Mapping[str, Image]) -> None:
        self._sift = cv2.SIFT_create()
        self._matcher = cv2.BFMatcher(cv2.NORM_L2)
        self._outlines: dict[str, NDArray[np.float32]] = {}
        self._faces: dict[str, _Features] = {}
        for name, image in faces.items():
            height, width = image.shape[:2]
            self._outlines[name] = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
            self._faces[name] = self._features(image)

    def find(self, picture: Image) -> list[Found]:
        """Every card in a picture (B, G, R); of those that overlap the one with more inliers."""
        seen = self._features(picture)
        found = [card for name in self._faces for card in self._copies(name, seen)]
        return _without_overlaps(found)

    def _features(self, image: Image) -> _Features:
        points, descriptors = self._sift.detectAndCompute(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), None)
        if descriptors is None:
            return _Features(np.zeros((0, 2), np.float32), np.zeros((0, 128), np.float32))
        return _Features(np.array([point.pt for point in points], np.float32), np.asarray(descriptors, np.float32))

    def _copies(self, name: str, seen: _Features) -> list[Found]:
        """The cards with one face."""
        if min(len(seen.points), len(self._faces[name].points)) < self.least_inliers:
            return []
        of_face, of_picture = np.array(self._matched(name, seen), np.intp).reshape(-1, 2).T
        here, there = self._faces[name].points[of_face], seen.points[of_picture]
        found: list[Found] = []
        while len(there) >= self.least_inliers:
            matrix, inliers = self._homography(here, there)
            if matrix is None or inliers.sum() < self.least_inliers:
                break
            corners = cv2.perspectiveTransform(self._outlines[name][None], matrix)[0].astype(np.float64)
            if is_card_shaped(corners):
                found.append(Found(name, corners, float(inliers.sum())))
            rest = inliers[:, 0] == 0
            there, here = there[rest], here[rest]
        return found

    def _matched(self, name: str, seen: _Features) -> list[tuple[int, int]]:
        """Which features of a face are which of the picture, as far as the ratio test tells."""
        pairs = self._matcher.knnMatch(self._faces[name].descriptors, seen.descriptors, k=2)
        return [(one.queryIdx, one.trainIdx) for one, other in pairs if one.distance < RATIO * other.distance]

    def _homography(
        self, here: NDArray[np.float32], there: NDArray[np.float32]
    ) -> tuple[cv2.typing.MatLike | None, cv2.typing.MatLike]:
        """From one set of points to the other, and which of them it suits."""
        return cv2.findHomography(here, there, cv2.RANSAC, REACH_PX)


class CarefulSiftFinder(SiftFinder):
    """SIFT done with care: small faces, better descriptors, searched in trees, and a better RANSAC."""

    least_inliers = CAREFUL_INLIERS

    def __init__(self, faces: Mapping[str, Image]) -> None:
        super().__init__({name: _of_height(image, FACE_PX) for name, image in faces.items()})
        self._trees: dict[str, cv2.FlannBasedMatcher] = {}
        for name, features in self._faces.items():
            self._trees[name] = cv2.FlannBasedMatcher({"algorithm": 1, "trees": 4}, {"checks": 48})
            self._trees[name].add([features.descriptors])
            self._trees[name].train()

    def _features(self, image: Image) -> _Features:
        points, descriptors = super()._features(image)
        # The square root of the normalised histogram: distances then compare shapes of histograms (RootSIFT).
        return _Features(points, np.sqrt(descriptors / np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-6)))

    def _matched(self, name: str, seen: _Features) -> list[tuple[int, int]]:
        # From the picture to the face, so that several cards with one face do not spoil the ratio test.
        pairs = [pair for pair in self._trees[name].knnMatch(seen.descriptors, k=2) if len(pair) == 2]
        return [(one.trainIdx, one.queryIdx) for one, other in pairs if one.distance < RATIO * other.distance]

    def _homography(
        self, here: NDArray[np.float32], there: NDArray[np.float32]
    ) -> tuple[cv2.typing.MatLike | None, cv2.typing.MatLike]:
        return cv2.findHomography(here, there, cv2.USAC_MAGSAC, CAREFUL_REACH_PX, maxIters=3000)


def _of_height(image: Image, height: int) -> Image:
    scale = height / image.shape[0]
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


class HashFinder:
    """Four-sided contours, straightened, and the face whose perceptual hash is nearest."""

    def __init__(self, faces: Mapping[str, Image]) -> None:
        self._names = list(faces)
        self._hashes = np.array([perceptual_hash(cv2.cvtColor(faces[name], cv2.COLOR_BGR2GRAY)) for name in faces])
        height, width = next(iter(faces.values())).shape[:2]
        self._proportion = height / width
        self._upright = np.array([(0, 0), (200, 0), (200, 200 * height / width), (0, 200 * height / width)], np.float32)

    def find(self, picture: Image) -> list[Found]:
        """Every card in a picture (B, G, R); of those that overlap the one whose hash is nearest."""
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        named = [self._named(grey, corners) for corners in self._outlines(grey)]
        return _without_overlaps([card for card in named if card.score >= -MOST_BITS_OFF])

    def _outlines(self, grey: Image) -> list[NDArray[np.float32]]:
        """What has a card's proportions, by three ways of parting cards from the table."""
        smooth = cv2.GaussianBlur(grey, (5, 5), 0)
        _, bright = cv2.threshold(smooth, 0, 255, cv2.THRESH_OTSU)
        local = cv2.adaptiveThreshold(smooth, 255, cv2.ADAPTIVE_THRESH_GAUSSIAN_C, cv2.THRESH_BINARY, 101, -5)
        edges = cv2.dilate(cv2.Canny(smooth, 40, 120), np.ones((3, 3), np.uint8))
        outlines: list[NDArray[np.float32]] = []
        for mask in (bright, local, edges):
            contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
            for contour in contours:
                corners = _four_corners(contour, grey.size)
                if corners is not None and self._is_proportioned(corners):
                    outlines.append(corners)
        return outlines

    def _is_proportioned(self, corners: NDArray[np.float32]) -> bool:
        sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        down, across = (sides[1] + sides[3]) / 2, (sides[0] + sides[2]) / 2
        return bool(abs(down / max(across, 1e-6) / self._proportion - 1) < 0.25)

    def _named(self, grey: Image, corners: NDArray[np.float32]) -> Found:
        """The face that lies there, either way up."""
        best = Found("", corners.astype(np.float64), -1.0)
        width, height = self._upright[2].round().astype(int).tolist()
        for turned in (corners, np.roll(corners, -2, axis=0)):
            matrix = cv2.getPerspectiveTransform(turned, self._upright)
            seen = perceptual_hash(np.asarray(cv2.warpPerspective(grey, matrix, (width, height)), np.uint8))
            off = (self._hashes != seen).mean(axis=1)
            nearest = int(off.argmin())
            if -off[nearest] > best.score:
                best = Found(self._names[nearest], turned.astype(np.float64), -float(off[nearest]))
        return best


def perceptual_hash(grey: Image) -> NDArray[np.bool_]:
    """The signs of an image's low frequencies against their median, without the mean: 255 bits."""
    small = cv2.resize(grey, (HASHED_PX, HASHED_PX), interpolation=cv2.INTER_AREA).astype(np.float32)
    low = cv2.dct(small)[:HASH_SIDE, :HASH_SIDE].ravel()[1:]
    return np.asarray(low > np.median(low))


def is_card_shaped(corners: Corners) -> bool:
    """Whether four corners are those of a card seen from above, and not mirrored."""
    if not np.isfinite(corners).all() or not cv2.isContourConvex(corners.astype(np.float32)):
        return False
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    across, down = corners[1] - corners[0], corners[3] - corners[0]
    mirrored = across[0] * down[1] - across[1] * down[0] <= 0
    return bool(not mirrored and sides.min() > 20 and (sides / np.roll(sides, 2)).max() < 1.5)


def _four_corners(contour: NDArray[np.int32], pixels: int) -> NDArray[np.float32] | None:
    """A contour's corners clockwise, beginning with a short side; None if it has not four."""
    if not pixels / 1000 < cv2.contourArea(contour) < pixels / 10:
        return None
    outline = cv2.approxPolyDP(contour, 0.02 * cv2.arcLength(contour, closed=True), closed=True)
    if len(outline) != 4 or not cv2.isContourConvex(outline):
        # Rounded corners and small dents: the smallest rectangle will do if the contour fills it.
        box = cv2.minAreaRect(contour)
        if cv2.contourArea(contour) < 0.85 * box[1][0] * box[1][1]:
            return None
        outline = cv2.boxPoints(box)[:, None]
    corners = outline[:, 0].astype(np.float32)
    if cv2.contourArea(corners, oriented=True) < 0:
        corners = corners[::-1]
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return corners if sides[0] + sides[2] <= sides[1] + sides[3] else np.roll(corners, -1, axis=0)


def _without_overlaps(found: list[Found]) -> list[Found]:
    """The best of those that lie over each other."""
    kept: list[Found] = []
    for card in sorted(found, key=lambda card: -card.score):
        outline = card.corners_px.astype(np.float32)
        area = cv2.contourArea(outline)
        others = (cv2.intersectConvexConvex(outline, other.corners_px.astype(np.float32))[0] for other in kept)
        if all(common < 0.3 * area for common in others):
            kept.append(card)
    return kept
