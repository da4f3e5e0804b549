"""How likely a face is on a card is judged by how many spots of it have a noise of their own."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats32
from vision.faces.alike.laid_card import REACH_PX, DifferingPart, LaidCard

SHAPE = (176, 126)
NUMERAL = (slice(20, 34), slice(20, 30))
PART = DifferingPart(20, 20, np.ones((14, 10), bool), 140.0)


def odds_in(noise: Floats32, strokes: float = 0.3) -> float:
    """How likely the face with the numeral is on a card that has it, as a logarithm."""
    plain = np.zeros(SHAPE, np.float32)
    plain[60:120:6] = 0.5  # what both have in common
    marked = plain.copy()
    marked[NUMERAL] += strokes
    everything = np.ones(SHAPE, bool)
    laid = LaidCard(np.pad(marked + noise, REACH_PX, mode="edge"), everything, plain, everything)
    laid.add(0, marked)
    laid.add(1, plain)
    return laid.odds(0, 1, [PART])


def noise_of(deviation: float, blur_px: float, seed: int = 1) -> Floats32:
    noise = np.random.default_rng(seed).normal(size=SHAPE).astype(np.float32)
    if blur_px:
        noise = np.asarray(cv2.GaussianBlur(noise, (0, 0), blur_px), np.float32)
    return np.asarray(deviation * noise / noise.std(), np.float32)


def test_coarse_noise_makes_a_face_less_sure_than_fine_noise_of_the_same_strength() -> None:
    fine, coarse = (np.median([odds_in(noise_of(0.2, blur, seed)) for seed in range(9)]) for blur in (0.0, 2.0))
    assert fine > 5 * coarse > 0


def test_what_is_like_neither_face_tells_nothing() -> None:
    there = np.zeros(SHAPE, np.float32)
    there[NUMERAL] = 1.0
    assert abs(odds_in(noise_of(0.05, 1.0) + there)) < 1.5
