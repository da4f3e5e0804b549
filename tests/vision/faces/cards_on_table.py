"""Cards that lie on a rendered table, with their corners."""

from __future__ import annotations

from random import Random

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Picture
from vision.cards import CARD_MM, Pose
from vision.deck_pictures import DeckPictures
from vision.rendering import Renderer, Scene
from vision.rendering.conditions import draw_conditions
from vision.rendering.scene import LyingCard

Floats = NDArray[np.float64]


def millimetres_off(found: Floats, corners: Floats) -> float:
    scale = np.linalg.norm(corners[3] - corners[0]) / max(CARD_MM)
    return float(np.sqrt(((found - corners) ** 2).sum(axis=1).mean()) / scale)


def about(corners: Floats, random: np.random.Generator) -> Floats:
    """Corners as they are known before: a millimetre off."""
    scale = float(np.linalg.norm(corners[3] - corners[0])) / max(CARD_MM)
    return np.asarray(corners + random.normal(0, 1 / np.sqrt(2), (4, 2)) * scale)


class Table:
    """15 cards of a deck on a rendered table."""

    def __init__(self, deck: DeckPictures, difficulty: str, seed: int) -> None:
        random = Random(seed)
        conditions = draw_conditions(difficulty, random)  # type: ignore[arg-type]
        view = Renderer(conditions.camera, conditions.tabletop, deck.faces, deck.back)
        cards = [
            LyingCard(face, Pose(130 + 130 * (index % 5), 130 + 150 * (index // 5), random.uniform(0, 360)))
            for index, face in enumerate(random.sample(sorted(deck.faces), 15))
        ]
        scene = Scene(cards=tuple(cards))
        self.picture: Picture = view.photograph(scene, conditions.light, conditions.sensor, seed).picture
        self.cards = [(card.face, view.corners(card)) for card in cards]
