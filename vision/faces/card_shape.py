"""The shape of a card: where its corners are when it lies somewhere, on the table or in a picture of it."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Corners, Homography


class CardShape:
    """A card of this width and height; ``corners_mm`` are its corners from its centre."""

    def __init__(self, card_mm: tuple[float, float]) -> None:
        self.card_mm = card_mm
        width, height = card_mm
        self.corners_mm: Corners = np.array(
            [(-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2), (-width / 2, height / 2)]
        )

    def corners_at(self, centre_mm: tuple[float, float], rotation_deg: float) -> Corners:
        """The corners, in mm on the table, of a card there."""
        angle = np.radians(rotation_deg)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        return np.asarray(self.corners_mm @ turn.T + centre_mm)

    def rigid(self, corners: Corners) -> Corners:
        """The card of the right size that lies most nearly there; both in mm."""
        middle = corners.mean(axis=0)
        across = (corners - middle) @ (1, 1j) @ (self.corners_mm @ (1, -1j))
        return self.corners_at((float(middle[0]), float(middle[1])), float(np.degrees(np.angle(across))))

    def homography(self, corners: Corners) -> Homography:
        """From mm on the card, from its centre, to px."""
        matrix = cv2.getPerspectiveTransform(self.corners_mm.astype(np.float32), corners.astype(np.float32))
        return np.asarray(matrix, dtype=np.float64)

    def px_per_mm(self, corners: Corners) -> float:
        """How many px of a picture, in which a card lies at these corners, a mm of it has."""
        return float(np.sqrt(cv2.contourArea(corners.astype(np.float32)) / (self.card_mm[0] * self.card_mm[1])))
