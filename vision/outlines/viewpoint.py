"""From where the table is seen, worked out from cards that lie on it: what stands up leans away from there."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from vision.arrays import ComplexPoints, Floats, Homography, Numbers, Outlines, Points

USUAL_FOCAL: Final = 0.9
"""Focal length in picture widths, where the cards do not tell: a Pi's camera has 0.8 to 1."""
USUAL_SPREADS: Final = np.array([0.35, 0.35, 0.25, 0.1])
"""How much cameras differ: tilt across and down in radians, the focal length's logarithm, the lens's bend."""
_CORNER_PX: Final = 1.4
"""How far off corners are read; among three cards a crooked one must not make a camera that nobody builds."""
_DOUBTFUL_PX: Final = 2.0
_ROUNDS: Final = 8
_BENDING_ROUNDS: Final = 4
_LEAST_SLOPE: Final = 0.3
_STEP: Final = 1e-4
_WITHIN: Final = np.array([(x, y) for x in (0.2, 1.0, 1.8) for y in (0.2, 1.0, 1.8)])
"""Places all over a picture that what lies wholly in it can have, in halves of its size."""
_STEPS: Final = np.eye(4) * _STEP
_SLANTED: Final = np.concatenate([np.eye(4)[:2], -np.eye(4)[:2]]) * 0.4
"""A camera that is tilted to one side each, about as much as people mount one."""


class Viewpoint(NamedTuple):
    """A camera above the table, as seen from the cards.

    ``upright`` (3 × 3) turns viewing rays so that the last axis points straight down, ``focal_px`` is the focal
    length, ``bend`` how far the lens pulls points inwards (positive: a barrel), as a share for rays at 45 degrees,
    ``centre_px`` (2,) where the camera looks, ``height_mm`` how high it stands above the table.
    """

    upright: Homography
    focal_px: float
    bend: float
    centre_px: Points
    height_mm: float

    def on_table(self, points_px: Numbers) -> Points:
        """Where on the table (n × 2, mm, seen from right below the camera) these pixels (n × 2) lie."""
        centred = (np.asarray(points_px) - self.centre_px) / self.focal_px
        return _seen_upright(centred, self.bend, self.upright) * self.height_mm

    def in_picture(self, points_mm: Points) -> Points:
        """Where in the picture (n × 2, px) these points of the table (n × 2, mm) are seen."""
        points = np.asarray(points_mm, dtype=float) / self.height_mm
        rays = points @ self.upright[:2] + self.upright[2]
        straight = rays[..., :2] / np.maximum(rays[..., 2:], 0.05)
        # How far out the lens shows it, by Newton's rounds: r (1 + bend r²) is how far out it is.
        away = np.hypot(straight[..., :1], straight[..., 1:])
        seen = away
        for _ in range(_BENDING_ROUNDS):
            pull = self.bend * seen * seen
            seen = seen - (seen * (1 + pull) - away) / np.maximum(1 + 3 * pull, _LEAST_SLOPE)
        return np.asarray(straight * (seen / np.maximum(away, 1e-12)) * self.focal_px + self.centre_px)

    def px_per_mm(self) -> tuple[float, float]:
        """How many px a mm on the table has where the picture shows it smallest, and where it shows it largest."""
        places = self.on_table(_WITHIN * self.centre_px)
        steps = np.concatenate([self.in_picture(places + side) - self.in_picture(places) for side in np.eye(2)])
        lengths = np.hypot(steps[:, 0], steps[:, 1])
        return float(lengths.min()), float(lengths.max())


def estimate_viewpoint(
    cards_px: Outlines, card_mm: tuple[float, float], size: tuple[int, int], near: Viewpoint | None = None
) -> Viewpoint:
    """The viewpoint from which these cards look like rectangles of one size.

    ``cards_px`` is n × 4 × 2 (n >= 1): corners from the upright top left, clockwise. ``size`` is the picture's width
    and height in px. The camera is taken as looking down more than sideways. Cards that fit badly count less. It is
    found sooner where it is known to be ``near`` another one.
    """
    centre = np.array(size, dtype=float) / 2
    usual = USUAL_FOCAL * max(size)
    corners = (np.asarray(cards_px, dtype=float) - centre) / usual
    template = card_template(card_mm)
    found = _settled(np.zeros(4) if near is None else parameters_of(near, usual), corners, template, usual)
    if float(np.median(found.off_px)) > _CORNER_PX:
        # Few cards far from the middle may be seen about as well from a side where the camera is not.
        found = min((found, *(_settled(start, corners, template, usual) for start in _SLANTED)), key=_Settled.cost)
    parameters = found.parameters
    factor = float(np.exp(parameters[2]))
    upright, bend = upright_turns(parameters[None])[0], float(parameters[3])
    scales, _ = _fitted(_seen_upright(corners / factor, bend, upright)[None], template)
    return Viewpoint(upright, usual * factor, bend, centre, 1 / float(scales[0]))


class _Settled(NamedTuple):
    """Parameters that no small change makes better, and how far off (n,) each card's corners are with them."""

    parameters: Floats
    off_px: Floats

    def cost(self) -> float:
        """How badly they fit: squares, but of what is far off, in variances."""
        near = np.minimum(self.off_px, _DOUBTFUL_PX)
        cards = 4 * (near * (2 * self.off_px - near)).sum() / _CORNER_PX**2
        return float(cards + ((self.parameters / USUAL_SPREADS) ** 2).sum())


def _settled(start: Floats, corners: Floats, template: ComplexPoints, usual: float) -> _Settled:
    """The parameters that fit best near some others."""
    parameters = start
    for _ in range(_ROUNDS):
        tried = np.concatenate([parameters[None], parameters + _STEPS])
        residuals = _residuals(tried, corners, template, usual)
        weights = np.sqrt(1 / np.maximum(1, _off_px(residuals[0]) / _DOUBTFUL_PX))
        now, *moved = _weighted(residuals, tried, weights)
        slopes = (np.array(moved) - now).T / _STEP
        change = np.linalg.lstsq(slopes, -now, rcond=None)[0]
        # Far from the end the slopes promise too much: a larger step might turn the camera over.
        parameters = parameters + np.clip(change, -0.3, 0.3)
        if np.abs(change).max() < 1e-3:
            break
    return _Settled(parameters, _off_px(_residuals(parameters[None], corners, template, usual)[0]))


def _off_px(residuals: ComplexPoints) -> Floats:
    """How far off the corners of each card are (n,), from what is left of them (n × 4)."""
    return np.asarray(np.sqrt((np.abs(residuals) ** 2).mean(axis=1)) * _CORNER_PX)


def card_template(card_mm: tuple[float, float]) -> ComplexPoints:
    """A card's corners as complex numbers around its centre, mm."""
    width, height = card_mm
    across, down = np.array([-1, 1, 1, -1]) * width / 2, np.array([-1, -1, 1, 1]) * height / 2
    return np.asarray(across + 1j * down, dtype=np.complex128)


def parameters_of(viewpoint: Viewpoint, usual: float) -> Floats:
    """A viewpoint's tilts across and down (radians), logarithm of its focal length in so many px, and bend."""
    (cosine_a, _, sine_a), (_, cosine_d, _), (_, sine_d, _) = viewpoint.upright
    tilts = np.arctan2((sine_a, -sine_d), (cosine_a, cosine_d))
    return np.array([*tilts, np.log(viewpoint.focal_px / usual), viewpoint.bend])


def upright_turns(parameters: Floats) -> Floats:
    """The turns (p × 3 × 3) that bring a camera tilted by angles (p × 2 or more: across, down, radians) upright."""
    angles = np.clip(parameters[:, :2], -1.2, 1.2)
    (sine_a, sine_d), (cosine_a, cosine_d) = np.sin(angles).T, np.cos(angles).T
    rows = [
        [cosine_a, np.zeros_like(sine_a), sine_a],
        [-sine_d * sine_a, cosine_d, sine_d * cosine_a],
        [-cosine_d * sine_a, -sine_d, cosine_d * cosine_a],
    ]
    return np.array(rows).transpose(2, 0, 1)


def _straightening(points: Floats, bend: float | Floats) -> Floats:
    """By how much the lens has pulled these points of the picture inwards."""
    return np.asarray(np.maximum(1 + bend * (points[..., :1] ** 2 + points[..., 1:] ** 2), 0.3))


def _seen_upright(points: Floats, bend: float | Floats, upright: Floats) -> Floats:
    """Points of the table in units of the camera's height, from points of the picture in units of the focal length."""
    turned, down = upright[..., :2].swapaxes(-1, -2), upright[..., None, :, 2]
    rays = points * _straightening(points, bend) @ turned + down
    return np.asarray(rays[..., :2] / np.maximum(rays[..., 2:], 0.05))


def _fitted(seen: Floats, template: ComplexPoints) -> tuple[Floats, ComplexPoints]:
    """For each way of seeing cards (p × n × 4 × 2) their common scale (p,), and what is left (p × n × 4).

    Left of it after the best turn and shift of each card, that is.
    """
    points = seen[..., 0] + 1j * seen[..., 1]
    points -= points.mean(axis=2, keepdims=True)
    matched = points @ template.conj()
    lengths = np.abs(matched)
    scales = lengths.mean(axis=1) / np.vdot(template, template).real
    turns = matched / np.maximum(lengths, 1e-12)
    return scales, points - (scales[:, None] * turns)[..., None] * template


def _residuals(parameters: Floats, corners: Floats, template: ComplexPoints, usual: float) -> ComplexPoints:
    """What does not fit (p × n × 4) with each of these parameters (p × 4), in standard deviations of the corners."""
    factors, bends = np.exp(parameters[:, 2]), parameters[:, 3]
    points = corners.reshape(1, -1, 2) / factors[:, None, None]
    seen = _seen_upright(points, bends[:, None, None], upright_turns(parameters))
    _, left = _fitted(seen.reshape(len(parameters), *corners.shape), template)
    return np.asarray(left * (usual * factors / _CORNER_PX)[:, None, None])


def _weighted(residuals: ComplexPoints, parameters: Floats, weights: Floats) -> Floats:
    """What does not fit, of cards, focal length and bend, in one row for each of the parameters."""
    cards = (residuals * weights[:, None]).reshape(len(parameters), -1)
    return np.concatenate([cards.real, cards.imag, parameters / USUAL_SPREADS], axis=1)
