"""The camera above the world: photographs it with the renderer, in the light and from the place that it has."""

from __future__ import annotations

import time
from random import Random
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from companion.virtual.clock import TableClock
from companion.virtual.disturbances import Mishaps, camera_of, hands_of, light_of, moved_camera
from companion.virtual.things import EMMAS_LOOK
from hardware.errors import DeviceError, Fault, Part
from vision.cards import Pose
from vision.rendering import Camera, Emma, Hand, Light, LyingCard, Pile, Renderer, Scene, Tabletop, Vehicle
from vision.rendering.conditions import Difficulty, draw_conditions, draw_hand
from vision.rendering.places import PILE_MM

if TYPE_CHECKING:
    from companion.virtual.scenery import Scenery
    from companion.virtual.world import World
    from hardware.camera import Picture
    from vision.deck_pictures import DeckPictures

PICTURE_PX: Final = (984, 738)
"""Small pictures keep it quick; a card is about 70 px wide in them."""
_LIFTED_MM: Final = 15.0
"""How high a card is held above the table."""
_FRESH_PICTURES: Final = 8
"""So many pictures follow each other quickly after a change; then the camera takes its time."""
_IDLE_SECONDS: Final = 0.5
_LEAST_SECONDS: Final = 0.1
"""Pictures do not follow each other sooner, however quick the machine is."""
_ROOM_MM: Final = 110.0
"""With a card nearer than this the pile is put aside."""
_PICTURES_OF_A_SCENE: Final = 2
"""A table that stays as it is has so many pictures, one after the other: each has its own noise."""
_STILL_TIMES: Final = 2
"""How much larger than its other pictures a still is, a side."""
_BUMP: Final = (4.0, 0.4)
"""How far a mishap moves what the camera sees, in mm and degrees: the standard deviations."""
_FLICKER: Final = (0.8, 1.2)
"""The factors between which a flickering picture is exposed."""


class WorldCamera:
    """Takes pictures of a world; ``photograph`` is called by one thread, which need not be that of the hands."""

    def __init__(
        self,
        world: World,
        pictures: DeckPictures,
        clock: TableClock,
        random: Random,
        *,
        difficulty: Difficulty = "easy",
        size: tuple[int, int] = PICTURE_PX,
        tabletop: Tabletop | None = None,
        has_hands: bool = True,
        mishaps: Mishaps | None = None,
    ) -> None:
        """``random`` draws where the camera hangs, the light, the table if none is given, and what lies about on it.

        ``size`` is that of the pictures, width and height in px. ``has_hands``: the first picture after each change
        shows the hand that made it.
        """
        self.world = world
        self.clock = clock
        self.pictures = 0
        self.stills = 0
        self.bumps = 0
        self.last_picture: Picture = np.zeros((size[1], size[0], 3), np.uint8)
        self._deck = pictures
        self._conditions = draw_conditions(difficulty, random, size)
        self._tabletop = tabletop or self._conditions.tabletop
        self._camera = self._conditions.camera
        self._renderer: Renderer | None = None
        # No ``Pile``: the renderer would lay its cards anew in each picture.
        self._clutter = tuple(thing for thing in self._conditions.clutter if not isinstance(thing, Pile))
        self._pile = tuple(
            LyingCard("", Pose(PILE_MM[0] + random.gauss(0, 0.6), PILE_MM[1], random.gauss(3, 0.8)), lift_mm=lift)
            for lift in (0.0, 1.0, 2.0, 3.0, 4.0, 5.0)
        )
        self._has_hands = has_hands
        self._mishaps = mishaps or Mishaps()
        self._luck = Random(random.random())
        self._taken: tuple[tuple[Scene, Light, Camera] | None, list[Picture]] = (None, [])
        self._revision = -1
        self._fresh = 0
        self._taken_at = float("-inf")

    def photograph(self) -> Picture:
        """The next picture (h × w × 3, B, G, R): at once if something has changed, else after a while.

        Raises DeviceError while the camera is unplugged.
        """
        self._wait()
        with self.world.at_rest():
            # Together: a hand that comes in between would be taken away before any picture has shown it.
            scenery = self.world.scenery()
            self.world.withdraw_hand()
        self._fresh = self._fresh + 1 if scenery.revision == self._revision else 0
        self._revision = scenery.revision
        # Without a camera too: time that is counted in pictures would stand still.
        self.clock.tick()
        if not scenery.disturbances.camera:
            raise _away()
        self.pictures += 1
        if self._luck.random() < self._mishaps.bumps:
            self.bump()
        self.last_picture = self._exposed(self._picture(scenery))
        return self.last_picture

    def still(self) -> Picture:
        """What is to be seen now, larger, as a camera takes it that streams each four of its pixels as one."""
        with self.world.at_rest():
            scenery = self.world.scenery()
        if not scenery.disturbances.camera:
            raise _away()
        camera = camera_of(scenery.disturbances, self._camera).larger(_STILL_TIMES)
        light = light_of(scenery.disturbances, self._conditions.light, camera)
        sensor = self._conditions.sensor.finer(_STILL_TIMES)
        self.stills += 1
        return self._renderer_of(camera).photograph(self._scene(scenery), light, sensor, self.stills).picture

    def bump(self) -> None:
        """Somebody pushes the camera: what it sees has moved and turned a little."""
        far_mm, askew_deg = _BUMP
        x, y = (self._luck.gauss(0, far_mm) for _ in range(2))
        self._camera = moved_camera(self._camera, x, y, self._luck.gauss(0, askew_deg))
        self.bumps += 1

    def _wait(self) -> None:
        """Until it is time for the next picture; with a hurried clock it always is."""
        if self.clock.is_hurried:
            return
        if self._fresh >= _FRESH_PICTURES:
            self.world.wait_for_change(self._revision, _IDLE_SECONDS)
        time.sleep(max(0.0, self._taken_at + _LEAST_SECONDS - time.monotonic()))
        self._taken_at = time.monotonic()

    def _picture(self, scenery: Scenery) -> Picture:
        """What is to be seen; a table that stays as it is gets only a few pictures, which come again and again."""
        camera = camera_of(scenery.disturbances, self._camera)
        light = light_of(scenery.disturbances, self._conditions.light, camera)
        scene = self._scene(scenery)
        known, pictures = self._taken
        # Rendering takes far longer than reading a picture that nothing has changed in.
        if known != (scene, light, camera):
            pictures = []
            self._taken = ((scene, light, camera), pictures)
        if len(pictures) >= _PICTURES_OF_A_SCENE:
            return pictures[self.pictures % len(pictures)]
        taken = self._renderer_at(camera).photograph(scene, light, self._conditions.sensor, self.pictures)
        pictures.append(np.ascontiguousarray(taken.picture))
        return pictures[-1]

    def _renderer_at(self, camera: Camera) -> Renderer:
        if self._renderer is None or self._renderer.camera != camera:
            self._renderer = self._renderer_of(camera)
        return self._renderer

    def _renderer_of(self, camera: Camera) -> Renderer:
        deck, faces, back, *_ = self._deck
        return Renderer(camera, self._tabletop, faces, back, deck.card_mm, gaps=self._deck.gaps)

    def _exposed(self, picture: Picture) -> Picture:
        """The picture, or one that is exposed otherwise for a moment."""
        if self._luck.random() >= self._mishaps.flickers:
            return picture
        return np.asarray(cv2.convertScaleAbs(picture, alpha=self._luck.uniform(*_FLICKER)), dtype=np.uint8)

    def _scene(self, scenery: Scenery) -> Scene:
        cards = [LyingCard(card.face, card.pose, card.number, curl_mm=card.curl_mm) for card in scenery.lying]
        is_near_pile = any(Pose(*PILE_MM).distance_mm(card.pose) <= _ROOM_MM for card in cards)
        if scenery.has_pile and not is_near_pile:
            cards += self._pile
        cards += [LyingCard(card.face, card.pose, card.number, lift_mm=_LIFTED_MM) for card in scenery.held]
        emma: Emma | None = None
        vehicles: list[Vehicle] = []
        for figure in scenery.figures:
            if figure.pose is not None and figure.look == EMMAS_LOOK:
                emma = Emma(figure.pose)
            elif figure.pose is not None:
                vehicles.append(Vehicle(figure.pose, self._deck.figures[figure.look]))
        return Scene(tuple(cards), emma, self._hands(scenery), self._clutter, tuple(vehicles))

    def _hands(self, scenery: Scenery) -> tuple[Hand, ...]:
        hands = [Hand(tip, 180.0 + self._luck.gauss(0, 8), height_mm=26.0) for tip in scenery.fingertips]
        if scenery.reach is not None and self._has_hands:
            hands.append(draw_hand(scenery.reach, self._luck))
        return (*hands, *hands_of(scenery.disturbances))


def _away() -> DeviceError:
    return DeviceError(Part.CAMERA, Fault.MISSING, "The camera does not answer: check its cable.")
