"""From where the table is seen, worked out from cards that lie on it: what stands up leans away from there."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

USUAL_FOCAL: Final = 0.9
"""Focal length in picture widths, where the cards do not tell: a Pi's camera has 0.8 to 1."""
_FOCAL_SPREAD: Final = 0.25
_CORNER_PX: Final = 0.7
_ROUNDS: Final = 6
_STEP: Final = 1e-4
_STEPS: Final = np.eye(3) * _STEP


class Viewpoint(NamedTuple):
    """A camera above the table, as seen from the cards.

    ``upright`` (3 × 3) turns viewing rays so that the last axis points straight down, ``focal_px`` is the focal
    length, ``centre_px`` (2,) where the camera looks, ``height_mm`` how high it stands above the table.
    """

    upright: Floats
    focal_px: float
    centre_px: Floats
    height_mm: float

    def on_table(self, points_px: Floats) -> Floats:
        """Where on the table (n × 2, mm, seen from right below the camera) these pixels (n × 2) lie."""
        return _seen_upright(points_px - self.centre_px, self.focal_px, self.upright) * self.height_mm

    def lean(self, points_px: Floats) -> Floats:
        """How far (n × 2, in mm on the table for each mm of height) things lean outwards at these pixels (n × 2)."""
        return self.on_table(points_px) / self.height_mm


def estimate_viewpoint(cards_px: Floats, card_mm: tuple[float, float], size: tuple[int, int]) -> Viewpoint:
    """The viewpoint from which these cards look like rectangles of one size.

    ``cards_px`` is n × 4 × 2 (n >= 1): corners from the upright top left, clockwise. ``size`` is the picture's width
    and height in px. The lens is taken as straight, and the camera as looking down more than sideways.
    """
    centre = np.array(size, dtype=float) / 2
    corners = np.asarray(cards_px, dtype=float) - centre
    template = _template(card_mm)
    usual = USUAL_FOCAL * max(size)
    parameters = np.zeros(3)
    for _ in range(_ROUNDS):
        residuals = _residuals(parameters, corners, template, usual)
        slopes = np.stack(
            [(_residuals(parameters + step, corners, template, usual) - residuals) / _STEP for step in _STEPS], axis=1
        )
        change = np.linalg.lstsq(slopes, -residuals, rcond=None)[0]
        parameters += np.clip(change, -0.3, 0.3)
        if np.abs(change).max() < 1e-3:
            break
    upright, focal = _upright(parameters), usual * float(np.exp(parameters[2]))
    scale, _ = _fitted(_seen_upright(corners, focal, upright), template)
    return Viewpoint(upright, focal, centre, 1 / scale)


def _template(card_mm: tuple[float, float]) -> NDArray[np.complex128]:
    """A card's corners as complex numbers around its centre, mm."""
    width, height = card_mm
    across, down = np.array([-1, 1, 1, -1]) * width / 2, np.array([-1, -1, 1, 1]) * height / 2
    return np.asarray(across + 1j * down, dtype=np.complex128)


def _upright(parameters: Floats) -> Floats:
    """The turn that brings a camera tilted by these angles (across and down, in radians) upright."""
    across, down = np.clip(parameters[:2], -1.2, 1.2)
    (sine_a, cosine_a), (sine_d, cosine_d) = ((np.sin(angle), np.cos(angle)) for angle in (across, down))
    about_down = np.array([[cosine_a, 0, sine_a], [0, 1, 0], [-sine_a, 0, cosine_a]])
    about_across = np.array([[1, 0, 0], [0, cosine_d, sine_d], [0, -sine_d, cosine_d]])
    return np.asarray(about_across @ about_down)


def _seen_upright(centred_px: Floats, focal_px: float, upright: Floats) -> Floats:
    """Points of the table in units of the camera's height, from points of the picture around its centre."""
    rays = centred_px @ (upright[:, :2].T / focal_px) + upright[:, 2]
    return np.asarray(rays[..., :2] / np.maximum(rays[..., 2:], 0.05))


def _fitted(seen: Floats, template: NDArray[np.complex128]) -> tuple[float, NDArray[np.complex128]]:
    """The cards' common scale, and what is left (n × 4) after the best turn and shift of each."""
    points = seen[..., 0] + 1j * seen[..., 1]
    points -= points.mean(axis=1, keepdims=True)
    matched = points @ template.conj()
    scale = float(np.abs(matched).sum() / (len(points) * np.vdot(template, template).real))
    turns = matched / np.maximum(np.abs(matched), 1e-12)
    return scale, points - scale * turns[:, None] * template


def _residuals(parameters: Floats, corners: Floats, template: NDArray[np.complex128], usual: float) -> Floats:
    """What does not fit, in standard deviations: of the corners, and of the focal length from the usual one."""
    focal = usual * float(np.exp(parameters[2]))
    _, left = _fitted(_seen_upright(corners, focal, _upright(parameters)), template)
    left = left * (focal / _CORNER_PX)
    return np.concatenate([left.real.ravel(), left.imag.ravel(), [parameters[2] / _FOCAL_SPREAD]])
