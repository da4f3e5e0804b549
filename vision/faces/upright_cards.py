"""Cards cut out of pictures as they would be seen straight from above."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Corners, Floats32, Homography, Picture

MARGIN_MM: Final = 5.0
"""What a crop shows around its card: so far off may its corners be that it is still found in the crop."""


class UprightCards:
    """Cards at one size: ``size`` is their width and height in px, ``margin`` how many px a crop has around one."""

    def __init__(self, card_mm: tuple[float, float], px_per_mm: float) -> None:
        self.card_mm = card_mm
        self.px_per_mm = px_per_mm
        self.size = (round(card_mm[0] * px_per_mm), round(card_mm[1] * px_per_mm))
        self.margin = round(MARGIN_MM * px_per_mm)
        px, middle = 1 / px_per_mm, 0.5 / px_per_mm
        self._to_mm = np.array([[px, 0, middle], [0, px, middle], [0, 0, 1]])
        self._to_crop = np.array([[1, 0, self.margin], [0, 1, self.margin], [0, 0, 1]]) @ np.linalg.inv(self._to_mm)

    def inner(self, border_mm: float) -> Floats32:
        """What of a card (0 or 1 for each px, flat) is farther than this from its edges, and 1 px at least."""
        border = max(1, round(border_mm * self.px_per_mm))
        inner = np.zeros(self.size[::-1], dtype=np.float32)
        inner[border:-border, border:-border] = 1
        return inner.ravel()

    @property
    def outline(self) -> Corners:
        """The card's corners in px of a crop without its margin."""
        width, height = self.size
        return np.array([(-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5)])

    def cut(self, picture: Picture, corners: Corners, margin: int) -> Picture:
        """The card that lies at these corners of a picture, with so many px around it."""
        px_per_mm = np.sqrt(cv2.contourArea(corners.astype(np.float32)) / (self.card_mm[0] * self.card_mm[1]))
        reach = 0.2 * np.ptp(corners, axis=0)
        left, top = np.floor(corners.min(axis=0) - reach).astype(int).clip(0)
        right, bottom = np.ceil(corners.max(axis=0) + reach).astype(int).clip(0) + 1
        part, scale = picture[top:bottom, left:right], 1.0
        size = (self.size[0] + 2 * margin, self.size[1] + 2 * margin)
        if not part.size:
            return np.zeros((size[1], size[0], 3), np.uint8)
        if px_per_mm > 2 * self.px_per_mm:  # detail finer than the crop's would turn into noise
            scale = 1.5 * self.px_per_mm / float(px_per_mm)
            part = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        seen = (corners - (left, top) + 0.5) * scale - 0.5
        goal = (self.outline + margin).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(goal, seen.astype(np.float32))
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpPerspective(part, matrix, size, flags=how, borderMode=cv2.BORDER_REPLICATE), np.uint8)

    def warped(self, crop: Floats32, warp_mm: Homography) -> Floats32:
        """The card in a crop with its margin, where a homography in mm from its top left corner says that it is."""
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        warp_px = self._to_crop @ warp_mm @ self._to_mm
        return np.asarray(
            cv2.warpPerspective(crop, warp_px, self.size, flags=how, borderMode=cv2.BORDER_REPLICATE), dtype=np.float32
        )
