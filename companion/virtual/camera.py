"""The camera above the world: photographs it with the renderer, in the light and from the place that it has."""

from __future__ import annotations

import math
import threading
import time
from random import Random
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec.structs import replace

from companion.virtual.disturbances import camera_of, hands_of, light_of
from companion.virtual.table import PICTURE_PX, PICTURE_SECONDS
from hardware.errors import DeviceError, Fault, Part
from vision.cards import Pose
from vision.rendering import Emma, Hand, LyingCard, Renderer, Scene, Tabletop
from vision.rendering.conditions import draw_conditions
from vision.rendering.places import PILE_MM, TABLE_MM

if TYPE_CHECKING:
    from companion.virtual.things import Scenery
    from companion.virtual.world import World
    from hardware.camera import Picture
    from vision.deck_pictures import DeckPictures

TABLETOP: Final = Tabletop("felt", (52, 92, 84), (60, 60, 70), gloss=0.05, seed=5)
"""The same colour as the table on the page."""
_LIFTED_MM: Final = 15.0
"""How high a card is held above the table."""
_FRESH_PICTURES: Final = 8
"""So many pictures follow each other quickly after a change; then the camera takes its time."""
_IDLE_SECONDS: Final = 0.5
_LEAST_SECONDS: Final = 0.1
"""Pictures do not follow each other sooner, however quick the machine is."""
_ROOM_MM: Final = 110.0
"""With a card nearer than this the pile is put aside."""


class TableClock:
    """Seconds as on the wall; hurried, PICTURE_SECONDS with each picture, however long that takes."""

    def __init__(self) -> None:
        """It runs as on the wall."""
        self._lock = threading.Lock()
        self._is_hurried = False
        self._ahead = 0.0
        self._stands_at = 0.0

    def __call__(self) -> float:
        """The time; never goes back."""
        with self._lock:
            return self._stands_at if self._is_hurried else time.monotonic() + self._ahead

    def hurry(self, is_hurried: bool) -> None:
        """Counts pictures from now on, or goes as on the wall again."""
        with self._lock:
            if is_hurried and not self._is_hurried:
                self._stands_at = time.monotonic() + self._ahead
            elif self._is_hurried and not is_hurried:
                self._ahead = self._stands_at - time.monotonic()
            self._is_hurried = is_hurried

    @property
    def is_hurried(self) -> bool:
        """Whether pictures are counted."""
        with self._lock:
            return self._is_hurried

    def tick(self) -> None:
        """A picture has been taken, or was tried to be."""
        with self._lock:
            self._stands_at += PICTURE_SECONDS


class WorldCamera:
    """Takes pictures of a world; ``photograph`` is called by one thread."""

    def __init__(
        self,
        world: World,
        pictures: DeckPictures,
        clock: TableClock,
        seed: int = 0,
        size: tuple[int, int] = PICTURE_PX,
    ) -> None:
        """``seed`` decides where the camera hangs; ``size`` is its pictures' width and height in px."""
        self.pictures = 0
        self._world = world
        self._deck = pictures
        self._clock = clock
        self._random = Random(seed)
        self._conditions = draw_conditions("easy", self._random, size)
        self._renderer: Renderer | None = None
        self._revision = -1
        self._fresh = 0
        self._taken_at = float("-inf")

    def photograph(self) -> Picture:
        """The next picture (h × w × 3, B, G, R): at once if something has changed, else after a while.

        Raises DeviceError while the camera is unplugged.
        """
        if self._fresh >= _FRESH_PICTURES and not self._clock.is_hurried:
            self._world.wait_for_change(self._revision, _IDLE_SECONDS)
        if not self._clock.is_hurried:
            time.sleep(max(0.0, self._taken_at + _LEAST_SECONDS - time.monotonic()))
        self._taken_at = time.monotonic()
        scenery = self._world.scenery()
        self._fresh = self._fresh + 1 if scenery.revision == self._revision else 0
        self._revision = scenery.revision
        self._clock.tick()
        if not scenery.disturbances.camera:
            raise DeviceError(Part.CAMERA, Fault.MISSING, "The camera does not answer: check its cable.")
        picture = self._rendered(scenery)
        self.pictures += 1
        return picture

    def _rendered(self, scenery: Scenery) -> Picture:
        usual = self._conditions.camera
        camera = camera_of(scenery.disturbances, usual)
        if self._renderer is None or self._renderer.camera != camera:
            deck = self._deck
            self._renderer = Renderer(camera, TABLETOP, deck.faces, deck.back, deck.deck.card_mm)
        light = light_of(scenery.disturbances, self._conditions.light, camera)
        taken = self._renderer.photograph(self._scene(scenery), light, self._conditions.sensor, self.pictures)
        return np.ascontiguousarray(taken.picture)

    def _scene(self, scenery: Scenery) -> Scene:
        cards = [LyingCard(card.face, card.pose, card.number, curl_mm=card.curl_mm) for card in scenery.lying]
        room = [math.dist(PILE_MM, (card.pose.x_mm, card.pose.y_mm)) for card in cards]
        if scenery.has_pile and min(room, default=max(TABLE_MM)) > _ROOM_MM:
            cards += [LyingCard("", Pose(*PILE_MM, 1.5 * (lift % 3 - 1)), lift_mm=float(lift)) for lift in range(6)]
        cards += [LyingCard(card.face, card.pose, card.number, lift_mm=_LIFTED_MM) for card in scenery.held]
        hands = tuple(Hand(tip, 180.0 + self._random.gauss(0, 8), height_mm=26.0) for tip in scenery.fingertips)
        emma = None if scenery.emma is None else Emma(scenery.emma)
        return replace(Scene(tuple(cards), emma), hands=hands + hands_of(scenery.disturbances))
