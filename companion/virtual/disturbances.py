"""What goes wrong at real tables, as switches: light, glare, a bumped camera, a careless hand, cables pulled out."""

from __future__ import annotations

import math
from random import Random
from typing import Final, Literal

import msgspec
import numpy as np
from msgspec.structs import replace

from vision.rendering import Camera, Hand, Light
from vision.rendering.places import TABLE_MM

LightName = Literal["day", "evening", "dusk", "dark"]

_BRIGHTNESS: Final[dict[LightName, tuple[float, float]]] = {
    "day": (1.0, 0.1),
    "evening": (0.55, 0.9),
    "dusk": (0.25, 0.4),
    "dark": (0.02, 0.0),
}
"""How bright the light is, as a factor, and how warm."""
_GLARE: Final = 0.75
_CARELESS: Final = Hand((330.0, 330.0), 195.0, height_mm=12.0, sleeve=(120, 60, 60))


class Disturbances(msgspec.Struct, frozen=True):
    """How the table is disturbed. ``bumps`` counts how often the camera has been bumped."""

    light: LightName = "day"
    glare: bool = False
    hand: bool = False
    bumps: int = 0
    display: bool = True
    camera: bool = True


def light_of(disturbances: Disturbances, usual: Light, camera: Camera) -> Light:
    """The light at the table; glare is the lamp mirrored in its middle."""
    brightness, warmth = _BRIGHTNESS[disturbances.light]
    light = replace(usual, brightness=usual.brightness * brightness, warmth=warmth)
    if not disturbances.glare:
        return light
    eye_x, eye_y, eye_z = (float(part) for part in camera.position)
    height = -eye_z
    lamp = (TABLE_MM[0] - eye_x, TABLE_MM[1] - eye_y, height)
    return replace(light, lamp_mm=lamp, glare=_GLARE * brightness, softness_mm=30.0)


def camera_of(disturbances: Disturbances, usual: Camera) -> Camera:
    """The camera where it stands after being bumped so often: it is moved a little, and turned."""
    if not disturbances.bumps:
        return usual
    random = Random(disturbances.bumps)
    angle = math.radians(random.uniform(1.2, 2.4) * random.choice((-1, 1)))
    sine, cosine = math.sin(angle), math.cos(angle)
    turn = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    rotation, shift = turn @ np.array(usual.rotation), turn @ np.array(usual.translation)
    shift += (random.uniform(-14, 14), random.uniform(-14, 14), 0.0)
    return replace(
        usual,
        rotation=tuple(map(tuple, rotation.tolist())),
        translation=(float(shift[0]), float(shift[1]), float(shift[2])),
    )


def hands_of(disturbances: Disturbances) -> tuple[Hand, ...]:
    """The hand that somebody has left on the table."""
    return (_CARELESS,) if disturbances.hand else ()
