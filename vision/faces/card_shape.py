"""The shape of a card: where its corners are when it lies somewhere, on the table or in a picture of it."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Corners, Homography

_AS_COMPLEX: Final = np.array([1, 1j])


class CardShape:
    """A card of this width and height; ``corners_mm`` are its corners from its centre."""

    def __init__(self, card_mm: tuple[float, float]) -> None:
        self.card_mm = card_mm
        width, height = card_mm
        self.corners_mm: Corners = np.array(
            [(-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2), (-width / 2, height / 2)]
        )
        self._upright = self.corners_mm @ _AS_COMPLEX

    def corners_at(self, centre_mm: tuple[float, float], rotation_deg: float) -> Corners:
        """The corners, in mm on the table, of a card there."""
        angle = np.radians(rotation_deg)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        return np.asarray(self.corners_mm @ turn.T + centre_mm)

    def rigid(self, corners: Corners) -> Corners:
        """The card of the right size that lies most nearly there; both in mm."""
        points = corners @ _AS_COMPLEX
        middle = points.mean()
        across = complex((points - middle) @ self._upright.conj())
        lies = middle + self._upright * (across / abs(across) if across else 1)
        return np.stack([lies.real, lies.imag], axis=1)

    def homography(self, corners: Corners) -> Homography:
        """From mm on the card, from its centre, to px."""
        matrix = cv2.getPerspectiveTransform(self.corners_mm.astype(np.float32), corners.astype(np.float32))
        return np.asarray(matrix, dtype=np.float64)

    def px_per_mm(self, corners: Corners) -> float:
        """How many px of a picture, in which a card lies at these corners, a mm of it has."""
        return float(np.sqrt(cv2.contourArea(corners.astype(np.float32)) / (self.card_mm[0] * self.card_mm[1])))
