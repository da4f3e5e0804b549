"""Scenes that were read wrongly once, kept as they were drawn.

What draws tables at random may change, these stay. Beside each stands what makes it hard: a test that reads one also
takes that away from the eye, and sees it read wrongly again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import cv2
import msgspec
import numpy as np

from vision.arrays import Picture
from vision.deck_pictures import DeckPictures
from vision.rendering import Camera, Light, Renderer, Scene, Sensor, Tabletop
from vision.rendering.truth import picture_truth


class Seen(NamedTuple):
    """A picture as its file shows it, and the truth beside it (``score_of`` wants it so)."""

    picture: Picture
    truth: dict[str, Any]


class KeptScene(msgspec.Struct, frozen=True):
    """All of what was drawn; ``noise`` is the seed of the grain in the picture, nothing else hangs on it."""

    about: str
    scene: Scene
    light: Light
    sensor: Sensor
    tabletop: Tabletop
    camera: Camera
    noise: int

    def seen(self, pictures: DeckPictures) -> Seen:
        """The scene with the cards of a deck."""
        view = Renderer(self.camera, self.tabletop, pictures.faces, pictures.back, pictures.deck.card_mm)
        photograph = view.photograph(self.scene, self.light, self.sensor, self.noise)
        picture = cv2.imdecode(np.frombuffer(photograph.jpeg(self.sensor), np.uint8), cv2.IMREAD_COLOR)
        truth = picture_truth(view, pictures.deck, self.scene, photograph.visible)
        return Seen(np.asarray(picture, np.uint8), {**truth, "card_mm": pictures.deck.card_mm})


def kept_scene(path: Path) -> KeptScene:
    """The scene in a JSON file."""
    return msgspec.json.decode(path.read_bytes(), type=KeptScene)
