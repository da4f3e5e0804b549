"""Where exactly a face lies in a crop that shows about where: it is moved step by step until its light fits best."""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np

from vision.arrays import Corners, Flags, Floats, Floats32, Homography
from vision.faces.looks import upper_median
from vision.faces.upright_cards import MARGIN_MM, UprightCards

_STEPS: Final = 3
_THERE_PX: Final = 0.05
"""Where a step moves no corner farther, no other one is taken."""
_SMOOTH_PX: Final = 0.8
_ALIKE_PX: Final = 4 * math.pi * _SMOOTH_PX**2 / 2
"""So many of the pixels that are looked at, every other one, have one noise after that smoothing: they tell no more
than one."""
_BELIEVED_MM: Final = 0.6
"""How far off each corner of a place is (a deviation): of 439 cards of 20 decks for building 68 % of what each corner
was off along or across were less than 0.65 where the table was known, and 0.4 of 60 others. Cut-outs of deck 408, off
by as much as 1.8 mm, run away with 1.2: of 24 values 11 are right then, and all with 0.15 to 0.6."""
_BORDER_MM: Final = 2.0
"""So near to its edges a card does not tell where it lies: what lies beside it when it is seen, or lay there when it
was taught, is carried inwards by both cameras' blur and the doubt of all places. On 387 tables of 129 decks for
building 2.0 % of the cards were more than 1.5 mm off with 1.2, as faces taught on a paler table grew with each step;
0.9 % with 2.0, and 0.7 % with 2.5, but then in deep noise too little is left to tell."""
_FINE_PX_PER_MM: Final = 1.0
"""From here on what lies near the edges is not smoothed into the rest either: of 4,900 cards on 658 tables of 94 decks
for building 0.4 % are more than 1.5 mm off then, else 0.7 %. Coarser, to find about where a card lies in deep noise,
what there is to see is needed (table 392000)."""


class ExactAlignment:
    """Aligns one face: knows how its light changes by moving it a little, in each way that a flat card can move."""

    def __init__(self, looks: Floats32, cards: UprightCards, telling: Flags | None = None) -> None:
        """``looks`` are those of the face, as large as ``cards``, as which crops of the card show it, or larger.

        What is ``telling`` of the face (h × w of any size), whatever value it has, may be all that counts.
        """
        self._cards = cards
        light = np.ascontiguousarray(looks[..., 0])
        smooth = self._smoothed(np.asarray(cv2.resize(light, cards.size, interpolation=cv2.INTER_AREA), np.float32))
        down, across = np.gradient(smooth)
        height, width = smooth.shape
        rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
        x, y = (columns + 0.5) / width - 0.5, (rows + 0.5) / height - 0.5
        tilt = across * x * width + down * y * height
        moves = [across * x, across * y, across, down * x, down * y, down, -tilt * x, -tilt * y]
        light_terms = [smooth, np.ones_like(x), x, y]
        # Every other pixel, as on a chessboard: smoothed, those between show no more.
        self._spots = np.flatnonzero(cards.inner(_BORDER_MM) * ((rows + columns) % 2 == 0).ravel())
        self._telling = np.ones(len(self._spots), np.float32)
        if telling is not None:
            tells = cv2.resize(telling.astype(np.float32), cards.size, interpolation=cv2.INTER_NEAREST)
            self._telling = np.asarray(tells.ravel().take(self._spots), np.float32)
        self._ways = np.stack([way.ravel().take(self._spots) for way in (*moves, *light_terms)]).astype(np.float32)
        # A face that shows little, or only lines that run one way, does not tell all eight moves: it stays where it is.
        # Never none at all, or a back of one colour could not be solved for.
        stiffness = max(1e-3 * float((self._ways[:8] ** 2).sum()) / 8, 1e-6)
        self._stiffness = np.diag([stiffness] * 8)
        self._corner_moves = self._moves_of_corners()
        # A card that lies flat on a known table is only shifted and turned: x by y's length, y back by x's. Its light
        # may change as any card's.
        self._flat = np.eye(12)[[2, 5, 3, 8, 9, 10, 11]]
        self._flat[2, 1] = -height / width
        self._smooth = self._ways[8]

    def aligned(
        self,
        crop: Floats32,
        warp_mm: Homography,
        shown: Floats32 | None = None,
        believed_mm: Corners | None = None,
        *,
        is_flat: bool = False,
        is_told_by_all: bool = True,
    ) -> Homography:
        """A homography in mm from the upright face to the card in a crop's looks, from a rough one on.

        Where it is known how a card ``is_flat`` there it is only shifted and turned. Only spots of the crop count that
        are ``shown`` (1, others 0), if that is known, and unless it ``is_told_by_all`` only telling ones. Where its
        corners are ``believed_mm`` to lie (4 × 2, from the upright face's top left) counts as well. The rough one comes
        back where the face has run away: something else lies there, or hides it.
        """
        warp, moved = warp_mm, np.zeros(8)
        start_px = (
            None if believed_mm is None else (self.corners_mm(warp) - believed_mm).ravel() * self._cards.px_per_mm
        )
        light = np.ascontiguousarray(crop[..., 0])
        for _ in range(_STEPS):
            bare = None if is_told_by_all else self._telling
            if shown is not None:
                there = self._cards.warped(shown, warp).ravel().take(self._spots)
                bare = there if bare is None else there * bare
            # Steps are small, so what they move the corners by adds up.
            off_px = None if start_px is None else start_px + self._corner_moves @ moved
            move = self._towards(self._cards.warped(light, warp), bare, off_px, is_flat=is_flat)
            moved += move
            warp = warp @ self._homography(move)
            warp /= warp[2, 2]
            if np.abs(self._corner_moves @ move).max() < _THERE_PX:
                break
        away = self.corners_mm(warp) - self.corners_mm(np.eye(3))
        return warp if np.abs(away).max() < MARGIN_MM else warp_mm

    def corners_mm(self, warp_mm: Homography) -> Corners:
        """Where the corners of a card lie (4 × 2, from the upright face's top left) that lies so."""
        width, height = self._cards.card_mm
        outline = np.array([[(0, 0), (width, 0), (width, height), (0, height)]], dtype=np.float64)
        return np.asarray(cv2.perspectiveTransform(outline, warp_mm)[0], np.float64)

    def _towards(self, seen: Floats32, bare: Floats32 | None, off_px: Floats | None, *, is_flat: bool) -> Floats:
        """The move (8, see ``_homography``) of a face a step towards where it is seen.

        ``off_px`` (8) is how far its corners are from where they are believed to be, if that is known.
        """
        goal = self._smoothed(seen).ravel().take(self._spots)
        rest = goal - upper_median(goal[::2], 0) - 0.8 * self._smooth
        # What is far from what it should be is hidden, and would pull the face towards what hides it.
        weight = 1 / (1 + (rest / 0.2) ** 2)
        if bare is not None:
            weight *= bare
        weighted = self._ways * weight
        square = (weighted @ self._ways.T).astype(np.float64)
        square.flat[::13] += 1e-6  # its diagonal
        told = (weighted @ goal).astype(np.float64)
        if off_px is not None:
            light = np.linalg.solve(square[8:, 8:], told[8:])
            unlike = goal - np.asarray(light, np.float32) @ self._ways[8:]
            noise = float((weight * unlike * unlike).sum() / max(float(weight.sum()), 1.0)) * _ALIKE_PX
            gain = max(float(light[0]), 0.3)
            known = self._corner_moves.T * (noise / (gain * _BELIEVED_MM * self._cards.px_per_mm) ** 2)
            square[:8, :8] += known @ self._corner_moves
            told[:8] += gain * known @ off_px
        elif not is_flat:
            square[:8, :8] += self._stiffness
        if is_flat:
            parts = self._flat.T @ np.linalg.solve(self._flat @ square @ self._flat.T, self._flat @ told)
        else:
            parts = np.linalg.solve(square, told)
        return np.asarray(-parts[:8] / max(parts[8], 0.3))

    def _smoothed(self, light: Floats32) -> Floats32:
        """A card's light (h × w), smoothed; what lies near its edges, and may be something else's, is not spread."""
        if self._cards.px_per_mm >= _FINE_PX_PER_MM:
            rim = round(_BORDER_MM * self._cards.px_per_mm)
            inside = light[rim:-rim, rim:-rim]
            light = np.asarray(cv2.copyMakeBorder(inside, rim, rim, rim, rim, cv2.BORDER_REPLICATE), np.float32)
        return np.asarray(cv2.GaussianBlur(light, (0, 0), _SMOOTH_PX), dtype=np.float32)

    def _moves_of_corners(self) -> Floats:
        """How far (8 × 8, px: x and y of each corner) each of the eight moves by one moves the corners."""
        (width, height), rows = self._cards.size, []
        for x, y in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)):
            rows.append([x, y, 1, 0, 0, 0, -x * x * width, -x * y * width])
            rows.append([0, 0, 0, x, y, 1, -x * y * height, -y * y * height])
        return np.array(rows)

    def _homography(self, move: Floats) -> Homography:
        """A motion in px of the crop (of unit coordinates from the middle) as a homography in mm."""
        width, height = (side / self._cards.px_per_mm for side in self._cards.size)
        px = 1 / self._cards.px_per_mm
        to_unit = np.array([[1 / width, 0, -0.5], [0, 1 / height, -0.5], [0, 0, 1]])
        moved = np.array([[width, 0, width / 2], [0, height, height / 2], [0, 0, 1.0]])
        moved[0] += move[0:3] * px
        moved[1] += move[3:6] * px
        moved[2, :2] += move[6:8]
        moved[:2, :2] += 0.5 * np.outer([width, height], move[6:8])
        return np.asarray(moved @ to_unit)
