"""From where the table is seen, worked out from cards that lie on it: what stands up leans away from there."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

USUAL_FOCAL: Final = 0.9
"""Focal length in picture widths, where the cards do not tell: a Pi's camera has 0.8 to 1."""
_USUAL_SPREADS: Final = np.array([0.35, 0.35, 0.25, 0.1])
"""How much cameras differ: tilt across and down in radians, the focal length's logarithm, the lens's bend."""
_CORNER_PX: Final = 0.7
_DOUBTFUL_PX: Final = 2.0
_ROUNDS: Final = 8
_BENDING_ROUNDS: Final = 12
_STEP: Final = 1e-4
_STEPS: Final = np.eye(4) * _STEP


class Viewpoint(NamedTuple):
    """A camera above the table, as seen from the cards.

    ``upright`` (3 × 3) turns viewing rays so that the last axis points straight down, ``focal_px`` is the focal
    length, ``bend`` how far the lens pulls points inwards (positive: a barrel), as a share for rays at 45 degrees,
    ``centre_px`` (2,) where the camera looks, ``height_mm`` how high it stands above the table.
    """

    upright: Floats
    focal_px: float
    bend: float
    centre_px: Floats
    height_mm: float

    def on_table(self, points_px: NDArray[np.floating]) -> Floats:
        """Where on the table (n × 2, mm, seen from right below the camera) these pixels (n × 2) lie."""
        centred = (np.asarray(points_px) - self.centre_px) / self.focal_px
        return _seen_upright(centred, self.bend, self.upright) * self.height_mm

    def in_picture(self, points_mm: Floats) -> Floats:
        """Where in the picture (n × 2, px) these points of the table (n × 2, mm) are seen."""
        points = np.asarray(points_mm, dtype=float) / self.height_mm
        rays = points @ self.upright[:2] + self.upright[2]
        straight = rays[..., :2] / np.maximum(rays[..., 2:], 0.05)
        bent = straight
        for _ in range(_BENDING_ROUNDS):
            bent = straight / _straightening(bent, self.bend)
        return np.asarray(bent * self.focal_px + self.centre_px)

    def lean(self, points_px: Floats) -> Floats:
        """How far (n × 2, in mm on the table for each mm of height) things lean outwards at these pixels (n × 2)."""
        return self.on_table(points_px) / self.height_mm


def from_above(size: tuple[int, int], px_per_mm: float) -> Viewpoint:
    """The viewpoint of a camera that looks straight down; ``size`` is the picture's width and height in px."""
    focal = USUAL_FOCAL * max(size)
    return Viewpoint(np.eye(3), focal, 0.0, np.array(size, dtype=float) / 2, focal / px_per_mm)


def estimate_viewpoint(cards_px: Floats, card_mm: tuple[float, float], size: tuple[int, int]) -> Viewpoint:
    """The viewpoint from which these cards look like rectangles of one size.

    ``cards_px`` is n × 4 × 2 (n >= 1): corners from the upright top left, clockwise. ``size`` is the picture's width
    and height in px. The camera is taken as looking down more than sideways. Cards that fit badly count less.
    """
    centre = np.array(size, dtype=float) / 2
    usual = USUAL_FOCAL * max(size)
    corners = (np.asarray(cards_px, dtype=float) - centre) / usual
    template = _template(card_mm)
    parameters = np.zeros(4)
    for _ in range(_ROUNDS):
        residuals = _residuals(parameters, corners, template, usual)
        off = np.sqrt((np.abs(residuals) ** 2).mean(axis=1)) * _CORNER_PX
        weights = np.sqrt(1 / np.maximum(1, off / _DOUBTFUL_PX))
        now = _weighted(residuals, parameters, weights)
        slopes = np.stack(
            [
                (_weighted(_residuals(moved, corners, template, usual), moved, weights) - now) / _STEP
                for moved in parameters + _STEPS
            ],
            axis=1,
        )
        change = np.linalg.lstsq(slopes, -now, rcond=None)[0]
        parameters += np.clip(change, -0.3, 0.3)
        if np.abs(change).max() < 1e-3:
            break
    factor = float(np.exp(parameters[2]))
    upright, bend = _upright(parameters), float(parameters[3])
    scale, _ = _fitted(_seen_upright(corners / factor, bend, upright), template)
    return Viewpoint(upright, usual * factor, bend, centre, 1 / scale)


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


def _straightening(points: Floats, bend: float) -> Floats:
    """By how much the lens has pulled these points of the picture inwards."""
    return np.asarray(np.maximum(1 + bend * (points * points).sum(axis=-1, keepdims=True), 0.3))


def _seen_upright(points: Floats, bend: float, upright: Floats) -> Floats:
    """Points of the table in units of the camera's height, from points of the picture in units of the focal length."""
    rays = points * _straightening(points, bend) @ upright[:, :2].T + upright[:, 2]
    return np.asarray(rays[..., :2] / np.maximum(rays[..., 2:], 0.05))


def _fitted(seen: Floats, template: NDArray[np.complex128]) -> tuple[float, NDArray[np.complex128]]:
    """The cards' common scale, and what is left (n × 4) after the best turn and shift of each."""
    points = seen[..., 0] + 1j * seen[..., 1]
    points -= points.mean(axis=1, keepdims=True)
    matched = points @ template.conj()
    scale = float(np.abs(matched).sum() / (len(points) * np.vdot(template, template).real))
    turns = matched / np.maximum(np.abs(matched), 1e-12)
    return scale, points - scale * turns[:, None] * template


def _residuals(
    parameters: Floats, corners: Floats, template: NDArray[np.complex128], usual: float
) -> NDArray[np.complex128]:
    """What does not fit (n × 4), in standard deviations of the corners."""
    factor = float(np.exp(parameters[2]))
    _, left = _fitted(_seen_upright(corners / factor, float(parameters[3]), _upright(parameters)), template)
    return left * (usual * factor / _CORNER_PX)


def _weighted(residuals: NDArray[np.complex128], parameters: Floats, weights: Floats) -> Floats:
    """What does not fit, of cards, focal length and bend, in one row."""
    cards = (residuals * weights[:, None]).ravel()
    return np.concatenate([cards.real, cards.imag, parameters / _USUAL_SPREADS])
