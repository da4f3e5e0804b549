"""How a camera has moved between two pictures of one table, as after a bump."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Floats32, GreyPicture, Homography, Mask, Numbers, Outlines, Picture, Points
from vision.outlines.outline_masks import SHRINK

_MOST_POINTS: Final = 500
_APART: Final = 50
"""Points have so much of the picture's width between them, and less on things: they are small."""
_APART_ON_THINGS: Final = 150
_BLUR_PX: Final = 1.0
_FIT_PX: Final = 0.7
_FEWEST: Final = 15
_SURE_SHARE: Final = 0.5
_LEAST_SHARE: Final = 0.2
_LARGEST_STRETCH: Final = 1.3
_TO_WHOLE: Final = np.array([[2.0, 0.0, 0.5], [0.0, 2.0, 0.5], [0.0, 0.0, 1.0]])
"""From px of a halved picture to px of the whole one."""


def halved_grey(half: Picture) -> GreyPicture:
    """A picture (h × w × 3, B, G, R) at half its size in grey, as ``camera_motion`` wants it."""
    return np.asarray(cv2.GaussianBlur(cv2.cvtColor(half, cv2.COLOR_BGR2GRAY), (0, 0), _BLUR_PX), dtype=np.uint8)


def camera_motion(before: GreyPicture, now: GreyPicture, things_px: Sequence[Corners] = ()) -> Homography | None:
    """The homography (3 × 3) that takes px of one whole picture to px of a later one; None where none is found.

    Both are halved and grey (``halved_grey``). What has been laid, taken or covered in between does not disturb it.
    Where there are ``things_px`` (each 4 × 2, px of the earlier whole picture) it is the motion of most of these.
    """
    mask = np.full_like(before, 0 if things_px else 255)
    for outline in things_px:
        cv2.fillConvexPoly(mask, (np.asarray(outline) / 2).round().astype(np.int32), (255,))
    apart = before.shape[1] / (_APART_ON_THINGS if things_px else _APART)
    found: Numbers | None = cv2.goodFeaturesToTrack(before, _MOST_POINTS, 0.01, apart, mask=mask)
    if found is None or len(found) < _FEWEST:
        return None
    points = np.asarray(found, dtype=np.float32)
    # Following points is exact, and enough for a bump of a few px. Farther off they are lost, or stick to others of a
    # pattern: then keypoints say roughly where to begin.
    best = _followed(before, now, points, np.eye(3))
    if best is None or best.share < _SURE_SHARE:
        rough = _from_keypoints(before, now, mask)
        finer = None if rough is None else _followed(before, now, points, rough)
        best = max((one for one in (best, finer) if one is not None), key=lambda one: one.share, default=None)
    if best is None or best.share < _LEAST_SHARE:
        return None
    return np.asarray(_TO_WHOLE @ best.motion @ np.linalg.inv(_TO_WHOLE), dtype=np.float64)


class _Motion(NamedTuple):
    """A motion of halved pictures, and the share of points that move so."""

    motion: Homography
    share: float


def _followed(before: GreyPicture, now: GreyPicture, points: Floats32, start: Homography) -> _Motion | None:
    """The motion that most points (n × 1 × 2) make, looked for around a first guess."""
    guess = np.asarray(cv2.perspectiveTransform(points, start), dtype=np.float32)
    window, flag = (21, 21), cv2.OPTFLOW_USE_INITIAL_FLOW
    ends, found, _ = cv2.calcOpticalFlowPyrLK(before, now, points, guess.copy(), winSize=window, maxLevel=4, flags=flag)
    back, found_back, _ = cv2.calcOpticalFlowPyrLK(
        now, before, ends, points.copy(), winSize=window, maxLevel=4, flags=flag
    )
    sure = (found.ravel() > 0) & (found_back.ravel() > 0) & (np.linalg.norm(back - points, axis=2).ravel() < 1)
    if sure.sum() < _FEWEST:
        return None
    motion, fitting = cv2.findHomography(points[sure], ends[sure], cv2.RANSAC, _FIT_PX)
    if fitting is None or fitting.sum() < _FEWEST or not _is_small(motion, now.shape):
        return None
    return _Motion(np.asarray(motion, dtype=np.float64), float(fitting.sum() / len(points)))


def _from_keypoints(before: GreyPicture, now: GreyPicture, mask: Mask) -> Homography | None:
    """A rough motion (3 × 3) of what is not masked, however far it goes."""
    orb = cv2.ORB.create(_MOST_POINTS, fastThreshold=10)
    places, descriptors = orb.detectAndCompute(before, mask)
    new_places, new_descriptors = orb.detectAndCompute(now, np.full_like(now, 255))
    if not places or not new_places:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(descriptors, new_descriptors)
    if len(pairs) < _FEWEST:
        return None
    start = np.array([places[pair.queryIdx].pt for pair in pairs], dtype=np.float32)
    end = np.array([new_places[pair.trainIdx].pt for pair in pairs], dtype=np.float32)
    motion, fitting = cv2.estimateAffinePartial2D(start, end, ransacReprojThreshold=3 * _FIT_PX)
    return None if fitting.sum() < _FEWEST else np.vstack([motion, (0.0, 0.0, 1.0)])


def moved_points(points_px: Points, motion: Homography) -> Points:
    """Where points (n × 2, px of the whole picture) are after a motion."""
    return np.asarray(cv2.perspectiveTransform(np.asarray(points_px)[None], motion)[0], dtype=np.float64)


def moved_picture(before: Picture, motion: Homography, now: Picture) -> Picture:
    """A picture shrunk to a quarter as the moved camera sees it; what it did not see is taken from the picture now.

    Both are h × w × 3.
    """
    height, width = now.shape[:2]
    middle = (SHRINK - 1) / 2
    to_whole = np.array([[SHRINK, 0, middle], [0, SHRINK, middle], [0, 0, 1]])
    matrix = np.linalg.inv(to_whole) @ motion @ to_whole
    return np.asarray(
        cv2.warpPerspective(before, matrix, (width, height), dst=now.copy(), borderMode=cv2.BORDER_TRANSPARENT),
        dtype=np.uint8,
    )


def _is_small(motion: Homography, half_shape: tuple[int, ...]) -> bool:
    """Whether a camera could have made it by being bumped: it neither flips the picture nor crumples it."""
    corners = _corners(half_shape)
    moved = cv2.perspectiveTransform(corners, motion)[0].astype(np.float32)
    if not cv2.isContourConvex(moved) or cv2.contourArea(moved, oriented=True) <= 0:
        return False
    sides, before = (np.linalg.norm(np.roll(outline, -1, axis=0) - outline, axis=1) for outline in (moved, corners[0]))
    return bool(np.maximum(sides / before, before / sides).max() < _LARGEST_STRETCH)


def _corners(shape: tuple[int, ...]) -> Outlines:
    height, width = shape[:2]
    return np.array([[(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]])
