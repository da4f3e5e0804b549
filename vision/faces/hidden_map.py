"""What something that stands on a card, Emma, hides of it, as far as that is known of each spot."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Floats32, Homography, Points


class HiddenMap(NamedTuple):
    """How likely each spot of a part of the picture is hidden (``odds``, rows × columns: logarithms of odds).

    ``corners_px`` (4 × 2) is where that part lies. All that may be hidden is within ``outline_px`` (n × 2, convex);
    beyond the part nothing is.
    """

    odds: Floats32
    corners_px: Corners
    outline_px: Points

    def moved(self, motion: Homography) -> HiddenMap:
        """The same elsewhere in the picture, or in another one."""
        return HiddenMap(self.odds, *(_moved(points, motion) for points in (self.corners_px, self.outline_px)))

    def seen_in(self, width: int, height: int) -> Floats32:
        """The odds of each pixel of a picture of this size (height × width), if the map lies in that."""
        rows, columns = self.odds.shape
        whole = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32) - 0.5
        matrix = cv2.getPerspectiveTransform(whole, self.corners_px.astype(np.float32))
        least = (float(self.odds.min()),)
        return np.asarray(cv2.warpPerspective(self.odds, matrix, (width, height), borderValue=least), np.float32)


def _moved(points: Points, motion: Homography) -> Points:
    if not len(points):
        return points
    return np.asarray(cv2.perspectiveTransform(points[None].astype(np.float64), motion)[0], np.float64)
