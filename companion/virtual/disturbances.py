"""What goes wrong at real tables, as switches: light, glare, a bumped camera, a careless hand, cables pulled out."""

from __future__ import annotations

import math
from random import Random
from typing import Final, Literal, NamedTuple

import msgspec
import numpy as np
from msgspec.structs import replace

from vision.rendering import Camera, Hand, Light
from vision.rendering.places import TABLE_MM

LightName = Literal["day", "evening", "dusk", "dark"]

_BRIGHTNESS: Final[dict[LightName, tuple[float, float]]] = {
    "evening": (0.55, 0.9),
    "dusk": (0.25, 0.4),
    "dark": (0.02, 0.0),
}
"""How bright the light is if it is not day, as a factor, and how warm."""
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

    @property
    def is_in_the_way(self) -> bool:
        """Whether people see why the companion does not see the table: a hand, the dark, a cable."""
        return self.hand or not self.camera or self.light == "dark"


class Mishaps(NamedTuple):
    """How often something happens to the camera, as shares of its pictures.

    ``bumps``: it is pushed, and stays as it is then. ``flickers``: one picture is exposed otherwise than the others.
    """

    bumps: float = 0.0
    flickers: float = 0.0


USUAL_MISHAPS: Final = Mishaps(bumps=0.004, flickers=0.02)


def light_of(disturbances: Disturbances, usual: Light, camera: Camera) -> Light:
    """The light at the table, by day as usual; glare is the lamp mirrored in its middle."""
    brightness, warmth = _BRIGHTNESS.get(disturbances.light, (1.0, usual.warmth))
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
    angle_deg = random.uniform(1.2, 2.4) * random.choice((-1, 1))
    return moved_camera(usual, random.uniform(-14, 14), random.uniform(-14, 14), angle_deg)


def moved_camera(camera: Camera, right_mm: float, down_mm: float, turn_deg: float) -> Camera:
    """The camera so that what it sees has moved in its picture, by as much as so many mm, and turned."""
    sine, cosine = math.sin(math.radians(turn_deg)), math.cos(math.radians(turn_deg))
    turn = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    rotation = turn @ np.array(camera.rotation)
    shift = turn @ np.array(camera.translation) + (right_mm, down_mm, 0.0)
    return replace(camera, rotation=tuple(map(tuple, rotation.tolist())), translation=tuple(shift.tolist()))


def hands_of(disturbances: Disturbances) -> tuple[Hand, ...]:
    """The hand that somebody has left on the table."""
    return (_CARELESS,) if disturbances.hand else ()
