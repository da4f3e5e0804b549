"""Tables, lamps, cameras and hands as people have them, drawn at random."""

from __future__ import annotations

import math
from random import Random
from typing import Final, Literal, NamedTuple

from vision.cards import Pose
from vision.rendering.camera import Camera, camera_above
from vision.rendering.places import TABLE_MM
from vision.rendering.scene import Block, Coin, Hand, Light, Mug, Pile, Sensor, Tabletop

Difficulty = Literal["easy", "normal", "hard"]

_SURFACES: Final[dict[str, tuple[tuple[tuple[int, int, int], ...], float]]] = {
    # kind: colours (R, G, B), gloss
    "wood": (((178, 138, 98), (120, 80, 50), (205, 175, 135), (90, 62, 44), (160, 150, 140)), 0.35),
    "felt": (((30, 95, 55), (120, 25, 35), (30, 50, 110), (60, 60, 64)), 0.03),
    "gingham": (((60, 80, 190), (190, 50, 50), (70, 140, 80)), 0.08),
    "plain": (((240, 240, 238), (200, 200, 205), (40, 42, 46), (225, 210, 185), (110, 130, 120)), 0.3),
    "stone": (((205, 205, 205), (60, 62, 66), (170, 160, 150)), 0.7),
    "stripes": (((220, 205, 170), (120, 150, 190), (180, 120, 110)), 0.08),
}


class Conditions(NamedTuple):
    """How a game is photographed from its beginning to its end."""

    difficulty: Difficulty
    camera: Camera
    tabletop: Tabletop
    light: Light
    sensor: Sensor
    clutter: tuple[Pile | Mug | Coin | Block, ...]


def draw_conditions(difficulty: Difficulty, random: Random, size: tuple[int, int] = (1640, 1232)) -> Conditions:
    """Conditions of this difficulty; the same generator gives the same ones."""
    return Conditions(
        difficulty=difficulty,
        camera=_draw_camera(difficulty, random, size),
        tabletop=_draw_tabletop(random),
        light=_draw_light(difficulty, random),
        sensor=_draw_sensor(difficulty, random),
        clutter=() if difficulty == "easy" else _draw_clutter(random),
    )


def draw_hand(at_mm: tuple[float, float], random: Random) -> Hand:
    """A hand that has just laid or taken something there: somebody's from below, or from the table's nearest side."""
    x, y = at_mm
    outward = math.degrees(math.atan2(x - TABLE_MM[0] / 2, TABLE_MM[1] / 2 - y)) if random.random() < 0.5 else 180.0
    skin = random.choice([(205, 150, 120), (150, 100, 75), (90, 60, 45), (225, 180, 155)])
    sleeve = tuple(random.randrange(30, 220) for _ in range(3))
    return Hand(
        (x + random.gauss(0, 18), y + random.gauss(0, 18)),
        outward + random.gauss(0, 18),
        height_mm=random.uniform(8, 40),
        skin=skin,
        sleeve=sleeve,  # type: ignore[arg-type]
        spread=random.uniform(0.8, 1.2),
    )


def table_corners(camera: Camera) -> list[list[float]]:
    """Where the table's corners appear, in px: top left, top right, bottom right, bottom left."""
    width, height = TABLE_MM
    corners = camera.project([(0, 0, 0), (width, 0, 0), (width, height, 0), (0, height, 0)])
    return [[round(float(part), 1) for part in corner] for corner in corners]


def _draw_camera(difficulty: Difficulty, random: Random, size: tuple[int, int]) -> Camera:
    tilt = {"easy": (0.0, 3.0), "normal": (4.0, 19.0), "hard": (14.0, 26.0)}[difficulty]
    bend = {"easy": 0.02, "normal": 0.08, "hard": 0.16}[difficulty]
    upside_down = 180.0 if difficulty == "hard" and random.random() < 0.5 else 0.0
    tilt_deg = random.uniform(*tilt)
    heading_deg = upside_down + random.gauss(0, 2.5)
    roll_deg = random.gauss(0, 1.5)
    field_of_view_deg = random.uniform(52, 74)
    target = (TABLE_MM[0] / 2 + random.gauss(0, 10), TABLE_MM[1] / 2 + random.gauss(0, 10))
    distortion = (random.uniform(-bend, bend / 3), random.uniform(0, 0.02), 0.0, 0.0, 0.0)

    def at_height(height_mm: float) -> Camera:
        return camera_above(
            target,
            height_mm,
            size,
            field_of_view_deg=field_of_view_deg,
            tilt_deg=tilt_deg,
            heading_deg=heading_deg,
            roll_deg=roll_deg,
            distortion=distortion,
        )

    height_mm = 400.0
    while not _sees_table(at_height(height_mm)):
        height_mm *= 1.03
    return at_height(height_mm * random.uniform(1.0, 1.2))


def _sees_table(camera: Camera) -> bool:
    width, height = camera.size
    return all(0 <= x < width and 0 <= y < height for x, y in table_corners(camera))


def _draw_tabletop(random: Random) -> Tabletop:
    kind = random.choice(sorted(_SURFACES))
    colours, gloss = _SURFACES[kind]
    second = random.choice([(238, 238, 236), (225, 215, 190), (60, 60, 70)])
    colour = tuple(max(0, min(255, round(part + random.gauss(0, 8)))) for part in random.choice(colours))
    return Tabletop(kind, colour, second, gloss, random.randrange(1 << 30))  # type: ignore[arg-type]


def _draw_light(difficulty: Difficulty, random: Random) -> Light:
    brightness = {"easy": (0.95, 1.1), "normal": (0.6, 1.15), "hard": (0.12, 0.35)}[difficulty]
    glare = {"easy": (0.0, 0.03), "normal": (0.02, 0.35), "hard": (0.05, 0.5)}[difficulty]
    angle, away = random.uniform(0, 2 * math.pi), random.uniform(250, 900)
    place = (TABLE_MM[0] / 2 + away * math.cos(angle), TABLE_MM[1] / 2 + away * math.sin(angle))
    return Light(
        lamp_mm=(*place, random.uniform(700, 1600)),
        ambient=random.uniform(0.3, 0.65),
        softness_mm=random.uniform(40, 240),
        glare=random.uniform(*glare),
        warmth=random.uniform(-0.4, 0.9) if difficulty != "easy" else random.uniform(-0.1, 0.2),
        brightness=random.uniform(*brightness),
    )


def _draw_sensor(difficulty: Difficulty, random: Random) -> Sensor:
    noise = {"easy": (0.003, 0.008), "normal": (0.006, 0.022), "hard": (0.035, 0.075)}[difficulty]
    blur = {"easy": (0.3, 0.6), "normal": (0.4, 0.9), "hard": (0.6, 1.2)}[difficulty]
    return Sensor(noise=random.uniform(*noise), blur_px=random.uniform(*blur), vignette=random.uniform(0.05, 0.3))


def _draw_clutter(random: Random) -> tuple[Pile | Mug | Coin | Block, ...]:
    """Things along the table's borders, out of the railway's way."""
    pile = Pile(Pose(735 + random.gauss(0, 5), 110 + random.gauss(0, 8), random.gauss(0, 4)), random.randint(3, 38))
    things: list[Pile | Mug | Coin | Block] = [pile]
    if random.random() < 0.6:
        things.append(Mug((random.uniform(-60, 20), random.uniform(60, 640)), random.uniform(32, 44)))
    things += [Coin((random.uniform(100, 600), random.uniform(-30, 5))) for _ in range(random.randrange(4))]
    if random.random() < 0.4:
        pose = Pose(random.uniform(100, 600), random.uniform(660, 700), random.uniform(-30, 30))
        things.append(Block(pose, (72, 148, 9)))
    return tuple(things)
