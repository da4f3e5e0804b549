"""Somebody who aims a camera and knows only what its screen says: bends the arm, turns the lens, changes the light."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np
from msgspec.structs import replace

from companion.device.between_games.aiming import Aiming
from companion.doctor.aiming_eyes import AimingEyes
from companion.games.events import Pressed, Seen
from companion.games.settings import Settings
from hardware.buttons import Button
from vision.arrays import Picture
from vision.cards import LEAST_PX_PER_MM, Pose
from vision.deck_pictures import DeckPictures
from vision.rendering import Camera, Hand, Light, LyingCard, Renderer, Scene, Sensor
from vision.rendering.camera import camera_above
from vision.rendering.conditions import draw_conditions
from vision.rendering.places import TABLE_MM

MIDDLE: Final = (TABLE_MM[0] / 2, TABLE_MM[1] / 2)
SIZE: Final = (1312, 984)
BLUR_PX: Final = 12.0
"""Of a lens that is turned as far as it goes from where it is sharp."""
ENOUGH_BLUR_PX: Final = 1.0
"""Added to what even the sharpest picture has: the eye reads tables that are twice as blurred."""
MOST_PICTURES: Final = 400


class Rig(NamedTuple):
    """How the camera hangs (mm and degrees), how its lens is turned (0 to 1), and the light."""

    x_mm: float
    y_mm: float
    height_mm: float
    tilt_deg: float
    tilted_to_deg: float
    roll_deg: float
    lens: float
    light: Light

    def camera(self, field_of_view_deg: float) -> Camera:
        """The camera that hangs so."""
        return camera_above(
            (self.x_mm, self.y_mm),
            self.height_mm,
            SIZE,
            field_of_view_deg=field_of_view_deg,
            tilt_deg=self.tilt_deg,
            heading_deg=self.tilted_to_deg,
            roll_deg=self.roll_deg - self.tilted_to_deg,
        )


class Ended(NamedTuple):
    """How it went: after so many pictures; what is wrong at the end, as somebody measures who sees all."""

    pictures: int
    wrong: Sequence[str]
    said: Sequence[str]


class Person:
    """One start: where everything is, drawn at random, and what the person does about each word."""

    def __init__(self, seed: int, pictures: DeckPictures) -> None:
        self.random = random = Random(seed)
        conditions = draw_conditions("normal", random, SIZE)
        self._pictures, self._tabletop = pictures, conditions.tabletop
        self._field = random.uniform(50, 75)
        self._best_lens = random.uniform(0.15, 0.85)
        self._sensor = Sensor(noise=random.uniform(0.005, 0.02), blur_px=random.uniform(0.4, 0.8))
        light = replace(conditions.light, brightness=random.choice((0.004, 0.3, 0.8, 1.0, 3.0)))
        width = TABLE_MM[0] / (2 * np.tan(np.radians(self._field) / 2))
        self.rig = Rig(
            MIDDLE[0] + random.uniform(-220, 220),
            MIDDLE[1] + random.uniform(-160, 160),
            float(width) * random.uniform(0.75, 1.9),
            random.uniform(0, 15),
            random.uniform(0, 360),
            random.choice((0.0, 180.0, 90.0)) + random.gauss(0, 5),
            random.random(),
            light,
        )
        faces = [face.id for face in pictures.deck.faces]
        places = [(-120, -90), (125, -85), (115, 95), (-125, 85)]
        self._cards = tuple(
            LyingCard(
                random.choice(faces),
                Pose(MIDDLE[0] + x + random.gauss(0, 20), MIDDLE[1] + y + random.gauss(0, 20), random.uniform(0, 360)),
            )
            for x, y in places
        )
        self._lens_way, self._lens_step = random.choice((-1, 1)), 0.05
        self._step_mm, self._last_way = 60.0, ""
        self.shots = 0
        self._renderer: Renderer | None = None
        self._is_back = False

    def aim(self, eyes: AimingEyes | None = None) -> Ended:
        """Does what the screen says until that is that all is well."""
        eyes = eyes or AimingEyes(self._pictures.deck.card_mm)
        aiming = Aiming(Settings(language="en"), eyes)
        said: list[str] = []
        waiting = 0
        while self.shots < MOST_PICTURES:
            reading = eyes.look(self._photograph(), (), _no_still)
            aiming.handle(Seen(reading))
            told = aiming.screen()
            words = f"{told.main} | {told.lines[0]}"
            if not said or said[-1] != words:
                said.append(words)
                waiting = 0
            waiting += 1
            if told.main == "All is well":
                break
            if told.main == "Lay out four cards" and waiting == 6:
                aiming.handle(Pressed(Button.ROLL))
            # People read and do, then look again.
            if waiting % 2 == 0 or told.main in {"Sharper ...", "Turn the lens", "Turn back"}:
                self._do(told.main, told.lines[0])
        return Ended(self.shots, self._wrong(), said)

    def _photograph(self) -> Picture:
        self.shots += 1
        rig = self.rig
        camera = rig.camera(self._field)
        if self._renderer is None or self._renderer.camera != camera:
            deck, faces, back, _ = self._pictures
            self._renderer = Renderer(camera, self._tabletop, faces, back, deck.card_mm)
        sensor = replace(self._sensor, blur_px=float(np.hypot(self._sensor.blur_px, self._blur_px())))
        hands = (Hand((rig.x_mm + 250, rig.y_mm + 200), 180.0),) if self.random.random() < 0.08 else ()
        light = replace(rig.light, brightness=rig.light.brightness * self.random.uniform(0.97, 1.03))
        return self._renderer.photograph(Scene(self._cards, hands=hands), light, sensor, self.shots).picture

    def _blur_px(self) -> float:
        return BLUR_PX * abs(self.rig.lens - self._best_lens)

    def _do(self, main: str, line: str) -> None:
        rig, random = self.rig, self.random
        ways = {"Further left": (-1, 0), "Further right": (1, 0), "Closer to you": (0, 1), "Further away": (0, -1)}
        if main in ways:
            x, y = ways[main]
            # Who has gone too far goes back by less.
            opposite = self._last_way in ways and ways[self._last_way] == (-x, -y)
            self._step_mm = max(8.0, self._step_mm / 2) if opposite else self._step_mm
            self._last_way = main
            step = self._step_mm * random.uniform(0.6, 1.4)
            self.rig = rig._replace(
                x_mm=rig.x_mm + x * step + random.gauss(0, 3), y_mm=rig.y_mm + y * step + random.gauss(0, 3)
            )
        elif main in {"Higher", "Lower"}:
            factor = random.uniform(1.03, 1.1)
            self.rig = rig._replace(height_mm=rig.height_mm * (factor if main == "Higher" else 1 / factor))
        elif main == "Too dark":
            self.rig = rig._replace(light=replace(rig.light, brightness=1.6 * rig.light.brightness))
        elif main == "Too bright":
            self.rig = rig._replace(light=replace(rig.light, brightness=rig.light.brightness / 1.3))
        elif main.startswith("Lamp reflected"):
            x, y, z = rig.light.lamp_mm
            away = np.array([x, y]) - MIDDLE
            away *= 1 + 120 / max(float(np.hypot(*away)), 1.0)
            self.rig = rig._replace(light=replace(rig.light, lamp_mm=(*(away + MIDDLE).tolist(), z)))
        elif main == "Not from above":
            self.rig = rig._replace(tilt_deg=0.6 * rig.tilt_deg)
        elif main == "Lay out four cards":
            self.rig = rig._replace(
                x_mm=rig.x_mm + (MIDDLE[0] - rig.x_mm) / 4, y_mm=rig.y_mm + (MIDDLE[1] - rig.y_mm) / 4
            )
        elif main in {"Turn the lens", "Sharper ...", "Turn back"}:
            self._turn(back=main == "Turn back")

    def _turn(self, *, back: bool) -> None:
        if back and not self._is_back:
            self._lens_way, self._lens_step = -self._lens_way, max(0.01, 0.6 * self._lens_step)
        self._is_back = back
        lens = self.rig.lens + self._lens_way * self._lens_step * self.random.uniform(0.5, 1.5)
        if not 0 <= lens <= 1:
            self._lens_way = -self._lens_way
        self.rig = self.rig._replace(lens=min(max(lens, 0.0), 1.0))

    def _wrong(self) -> list[str]:
        """What is not as it should be at the end."""
        camera = self.rig.camera(self._field)
        room = 0.9 / LEAST_PX_PER_MM * np.array(SIZE)
        # As far as a card's half beside the middle, and a twentieth too low, nothing is said.
        half = 0.95 * np.minimum(np.array(TABLE_MM), room) / 2 - 32
        centre = np.array(SIZE) / 2
        origin, *beside = camera.on_table(centre + np.array([(0, 0), (1, 0), (0, 1)]))
        across, down = ((one - origin) / np.linalg.norm(one - origin) for one in beside)
        # The middle of the table is where the cards lie around it.
        places = np.array([(card.pose.x_mm, card.pose.y_mm) for card in self._cards])
        middle = (places.min(axis=0) + places.max(axis=0)) / 2
        corners = [middle + x * half[0] * across + y * half[1] * down for x in (-1, 1) for y in (-1, 1)]
        seen = camera.project([(*corner, 0.0) for corner in corners])
        ends = camera.project([(MIDDLE[0] + x, MIDDLE[1], 0.0) for x in (-30, 30)])
        px_per_mm = float(np.linalg.norm(ends[1] - ends[0])) / 60
        checks = {
            f"blurred by {self._blur_px():.1f} px": self._blur_px() > ENOUGH_BLUR_PX,
            f"out of sight {seen.round().tolist()}": bool((seen < 0).any() or (seen > np.array(SIZE)).any()),
            f"small {px_per_mm:.2f}": px_per_mm < 0.93 * LEAST_PX_PER_MM,
            "not at an end": self.shots >= MOST_PICTURES,
        }
        return [told for told, is_wrong in checks.items() if is_wrong]


def _no_still() -> None:
    return None
