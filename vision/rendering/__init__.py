"""Photographs of tables that never existed: any deck, any railway, with vehicles, hands and clutter; and the truth.

The virtual table and the tests of the eye live on it. A ``Scene`` says what lies where in millimetres, a ``Camera``,
a ``Tabletop``, a ``Light`` and a ``Sensor`` how it is seen; a ``Renderer`` makes the picture.
"""

from vision.rendering.camera import Camera, camera_above
from vision.rendering.renderer import Photograph, Renderer
from vision.rendering.scene import (
    Block,
    Coin,
    Emma,
    EmmaLook,
    Hand,
    Light,
    LyingCard,
    Mug,
    Pile,
    Scene,
    Sensor,
    Tabletop,
    Vehicle,
    VehicleLook,
)

__all__ = [
    "Block",
    "Camera",
    "Coin",
    "Emma",
    "EmmaLook",
    "Hand",
    "Light",
    "LyingCard",
    "Mug",
    "Photograph",
    "Pile",
    "Renderer",
    "Scene",
    "Sensor",
    "Tabletop",
    "Vehicle",
    "VehicleLook",
    "camera_above",
]
