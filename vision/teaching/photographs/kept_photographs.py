"""Parts of photographs that show a lone card, and how cards lie on a table that is seen from one viewpoint."""

from __future__ import annotations

from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import ComplexPoints, Corners, Flags, Floats, Picture, Points
from vision.outlines.viewpoint import Viewpoint, card_template
from vision.teaching.lone_card import LoneCard

_LEAST_TURN: Final = 1e-9


class Zoomed(NamedTuple):
    """A part of a photograph made smaller: where it begins in the smaller whole (x, y), and how much smaller it is."""

    pixels: Picture
    corner_px: tuple[int, int]
    zoom: float

    def inside(self, points: Points) -> Points:
        """Points of the photograph in this part."""
        return np.asarray((points + 0.5) * self.zoom - 0.5 - np.array(self.corner_px))

    def outside(self, points: Points) -> Points:
        """Points of this part in the photograph."""
        return np.asarray((points + np.array(self.corner_px) + 0.5) / self.zoom - 0.5)

    def around(self, outline: Corners, margin_px: float) -> Zoomed:
        """The part of a whole around an outline in the photograph."""
        ends = np.stack([outline.min(axis=0) - margin_px, outline.max(axis=0) + margin_px])
        height, width = self.pixels.shape[:2]
        first, last = np.clip(self.inside(ends), 0, (width - 1, height - 1)).astype(int)
        part = self.pixels[first[1] : last[1] + 1, first[0] : last[0] + 1]
        return Zoomed(part.copy(), (int(first[0]), int(first[1])), self.zoom)


class Kept(NamedTuple):
    """A card, and the part of a photograph of this width and height around it."""

    card: LoneCard
    size: tuple[int, int]
    part: Zoomed


class CardOnTable:
    """A card of one size; poses are x and y in mm and a turn in radians, on the table of a viewpoint."""

    def __init__(self, card_mm: tuple[float, float]) -> None:
        self.card_mm = card_mm
        self._template = card_template(card_mm)

    def pose(self, view: Viewpoint, outline: Corners) -> tuple[Floats, float]:
        """The pose that fits an outline best, and how far (mm) the worst corner is off it."""
        on_table = view.on_table(outline)
        seen: ComplexPoints = on_table[:, 0] + 1j * on_table[:, 1]
        middle = seen.mean()
        turn = np.vdot(self._template, seen - middle)
        turn /= max(abs(turn), _LEAST_TURN)
        off = np.abs(seen - middle - turn * self._template).max()
        return np.array([middle.real, middle.imag, np.angle(turn)]), float(off)

    def outline(self, view: Viewpoint, pose: Floats) -> Corners:
        """Where the corners of a card that lies so are seen."""
        return self.seen(view, pose, np.stack([self._template.real, self._template.imag], axis=1))

    def seen(self, view: Viewpoint, pose: Floats, points_mm: Points) -> Points:
        """Where points (… × 2, mm around the middle of the upright card) are seen if the card lies so."""
        flat = points_mm.reshape(-1, 2)
        placed = (flat[:, 0] + 1j * flat[:, 1]) * np.exp(1j * pose[2]) + complex(pose[0], pose[1])
        return view.in_picture(np.stack([placed.real, placed.imag], axis=1)).reshape(points_mm.shape)

    def covered(self, view: Viewpoint, pose: Floats, part: Zoomed, margin_mm: float) -> Flags:
        """Where (height × width) a part of a photograph shows a card that lies so, or what is so near to it."""
        across, down = (side / 2 + margin_mm for side in self.card_mm)
        corners = np.array([(-across, -down), (across, -down), (across, down), (-across, down)])
        outline = np.rint(part.inside(self.seen(view, pose, corners))).astype(np.int32)
        return cv2.fillConvexPoly(np.zeros(part.pixels.shape[:2], np.uint8), outline, (1,)) > 0
