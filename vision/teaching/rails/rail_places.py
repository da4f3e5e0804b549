"""Where exactly rails leave the cards, once it is known by which edges they do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.arrays import Flags, FloatPicture, Floats32
from vision.cards import Edge
from vision.teaching.even_faces import PX_PER_MM
from vision.teaching.rails.rail_windows import EDGES

_FINE: Final = 4
"""So many steps for each of the faces' pixels: an eighth of a millimetre."""
_HALF_MM: Final = 10.0
_REACH_MM: Final = 2.5
"""How far rails are looked for beside the place that is known."""
_DEPTHS_MM: Final = tuple((near, near + 2.0) for near in np.arange(1.5, 11.0, 1.0))
_BENDS_MM: Final = (0.0, -0.5, 0.5, -1.0, 1.0, -1.5, 1.5, -2.0, 2.0)
"""How far rails have turned aside at the greatest depth: a bend of 28 mm that begins at the edge, 2 mm."""


def refined_offsets(faces: Sequence[FloatPicture], has_end: Flags, coarse_mm: Sequence[float]) -> list[float]:
    """For each edge the middle of the rails there, in mm; ``has_end`` (faces × 4) tells which faces have any."""
    strips = [np.stack([_strips(face, edge) for face in faces]) for edge in EDGES]
    differences = [_difference(some, ends, ends) for some, ends in zip(strips, has_end.T, strict=True)]
    profile = _common_profile(differences, coarse_mm)
    if profile is None:
        return list(coarse_mm)
    offsets = []
    for side, coarse in enumerate(coarse_mm):
        ends = has_end[:, side]
        places, weights = [coarse], [1e-6]
        # Rails to different edges bend differently.
        for way in np.unique(has_end[ends], axis=0):
            chosen = (has_end == way).all(axis=1)
            if (difference := _difference(strips[side], chosen, ends)) is not None:
                place, fit = _middle(difference, profile, coarse)
                places.append(place)
                weights.append(fit * int(np.count_nonzero(chosen)))
        offsets.append(float(np.average(places, weights=weights)))
    return offsets


def _difference(strips: Floats32, chosen: Flags, ends: Flags) -> Floats32 | None:
    """What some faces have more than those without rails there, at each depth: depths × 3 × places."""
    if ends.all() or not chosen.any():
        return None
    return np.asarray(strips[chosen].mean(axis=0) - strips[~ends].mean(axis=0), np.float32)


def _strips(face: FloatPicture, edge: Edge) -> Floats32:
    if edge in {Edge.E, Edge.W}:
        face = face.transpose(1, 0, 2)
    if edge in {Edge.E, Edge.S}:
        face = face[::-1]
    rows = [face[round(near * PX_PER_MM) : round(far * PX_PER_MM)].mean(axis=0) for near, far in _DEPTHS_MM]
    strips = np.stack(rows).transpose(0, 2, 1).reshape(3 * len(rows), -1)
    fine = cv2.resize(strips, (strips.shape[1] * _FINE, len(strips)), interpolation=cv2.INTER_LINEAR)
    return np.asarray(fine.reshape(len(rows), 3, -1), np.float32)


def _common_profile(differences: Sequence[Floats32 | None], coarse_mm: Sequence[float]) -> Floats32 | None:
    """What rails look like at any edge, the same on both sides: depths × 3 × places."""
    windows = [_window(one, coarse) for one, coarse in zip(differences, coarse_mm, strict=True) if one is not None]
    if not windows:
        return None
    mean = np.mean(windows, axis=0)
    return np.asarray((mean + mean[..., ::-1]) / 2, np.float32)


def _window(difference: Floats32, middle_mm: float) -> Floats32:
    reach = round(_HALF_MM * PX_PER_MM * _FINE)
    middle = round(middle_mm * PX_PER_MM * _FINE + difference.shape[-1] / 2)
    padded = np.pad(difference, ((0, 0), (0, 0), (reach, reach)), mode="edge")
    window = padded[..., middle : middle + 2 * reach]
    return np.asarray(window - window.mean(axis=-1, keepdims=True), np.float32)


def _middle(difference: Floats32, profile: Floats32, coarse_mm: float) -> tuple[float, float]:
    """Where the profile fits best, straight inwards or bending away, followed out to the edge; and how well."""
    steps = np.arange(-_REACH_MM, _REACH_MM + 1e-9, 1 / PX_PER_MM / _FINE)
    windows = np.stack([_window(difference, coarse_mm + step) for step in steps])
    fits = np.einsum("sdcp,dcp->sd", windows, profile)
    norms = np.sqrt((windows**2).sum(axis=(2, 3)) * (profile**2).sum(axis=(1, 2)) + 1e-9)
    weights = np.maximum((profile**2).sum(axis=(1, 2)), 1e-9)
    likeness = fits / norms * weights / weights.sum()
    depths = np.array([(near + far) / 2 for near, far in _DEPTHS_MM])
    starts = np.arange(len(steps))
    best, place = -np.inf, coarse_mm
    for bend_mm in _BENDS_MM:
        away = np.rint(bend_mm * (depths / _DEPTHS_MM[-1][1]) ** 2 * PX_PER_MM * _FINE).astype(int)
        numbers = np.clip(starts[:, None] + away, 0, len(steps) - 1)
        fit = likeness[numbers, np.arange(len(depths))].sum(axis=1)
        start = int(fit.argmax())
        if fit[start] > best:
            best, place = float(fit[start]), float(coarse_mm + steps[start])
    return place, max(best, 0.0)
