"""A table that is not there: cards of our own deck laid on it by hand, Emma, a pile, photographed whenever asked."""

from __future__ import annotations

import math
import threading
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

import cv2
import numpy as np
from msgspec.structs import replace

from companion.games.loknroll.robot.pictured_games import emma_pose
from companion.virtual.pushing import pushed
from vision.cards import Pose
from vision.rendering import Camera, Emma, LyingCard, Pile, Renderer, Scene
from vision.rendering.conditions import Difficulty, draw_conditions, draw_hand
from vision.rendering.places import IMPRECISION, PILE_MM, SHOW_SPOT_MM, TABLE_MM

if TYPE_CHECKING:
    from companion.games.loknroll.rules.railway.railway import LaidCard
    from hardware.camera import Picture
    from vision.deck_pictures import DeckPictures

PICTURE_PX: Final = (984, 738)
"""Small pictures keep it quick; a card is about 70 px wide in them."""
PICTURE_SECONDS: Final = 0.4
"""The time from one picture to the next, where time is counted in pictures."""
_EMMA: Final = 0
"""Cards are numbered from 1."""
_ROOM_MM: Final = 110.0
"""With a card nearer than this the pile is put aside."""
_PICTURES_OF_A_SCENE: Final = 2
"""A table that stays as it is has so many pictures, one after the other: each has its own noise."""
_SPOTS_MM: Final = (SHOW_SPOT_MM, (60.0, 520.0), (60.0, 80.0), (400.0, 530.0), (400.0, 70.0))


class Mishaps(NamedTuple):
    """How often something happens to the camera, as shares of its pictures.

    ``bumps``: it is pushed, and stays as it is then. ``flickers``: one picture is exposed otherwise than the others.
    """

    bumps: float = 0.0
    flickers: float = 0.0


USUAL_MISHAPS: Final = Mishaps(bumps=0.004, flickers=0.02)
_BUMP: Final = (4.0, 0.4)
"""How far a bump moves what the camera sees, in mm and degrees: the standard deviations."""
_FLICKER: Final = (0.8, 1.2)
"""The factors between which a flickering picture is exposed."""


class VirtualTable:
    """What lies on the table, in mm (x to the right, y down, 800 by 600), and the camera above it.

    ``photograph`` may be called from another thread than the rest.
    """

    def __init__(
        self,
        pictures: DeckPictures,
        random: Random,
        *,
        difficulty: Difficulty = "easy",
        size: tuple[int, int] = PICTURE_PX,
        has_hands: bool = True,
        mishaps: Mishaps | None = None,
    ) -> None:
        """An empty table, but for what lies about where the difficulty is not "easy".

        ``has_hands``: the first picture after each change shows the hand that made it.
        """
        self.pictures = 0
        self.bumps = 0
        self.cards: dict[int, LyingCard] = {}
        self.emma: Emma | None = None
        self.shown: int | None = None
        self._random = random
        self._conditions = draw_conditions(difficulty, random, size)
        self._deck = pictures
        self._renderer = self._renderer_with(self._conditions.camera)
        self._has_hands = has_hands
        self._mishaps = mishaps or Mishaps()
        # The camera's chance: pictures are taken in another thread than cards are laid.
        self._luck = Random(random.random())
        # No ``Pile``: the renderer would lay its cards anew in each picture.
        self._clutter = tuple(thing for thing in self._conditions.clutter if not isinstance(thing, Pile))
        self._pile = tuple(
            LyingCard("", Pose(PILE_MM[0] + random.gauss(0, 0.6), PILE_MM[1], random.gauss(3, 0.8)), lift_mm=lift)
            for lift in (0.0, 1.0, 2.0, 3.0, 4.0, 5.0)
        )
        self._hand_at: tuple[float, float] | None = None
        self._taken: tuple[Scene | None, list[Picture]] = (None, [])
        self.last_picture: Picture = np.zeros((size[1], size[0], 3), np.uint8)
        self._next = 0
        self._lock = threading.Lock()

    def seconds(self) -> float:
        """A clock that counts pictures: with it a game is as quick as the machine, whatever it waits for."""
        return self.pictures * PICTURE_SECONDS

    def lay(self, face: str, pose: Pose) -> int:
        """Lays a card about there, as a hand does; returns its number."""
        x, y, turn = (max(-2.5, min(2.5, self._random.gauss(0, 1))) * IMPRECISION for _ in range(3))
        return self._put(face, pose.moved(x, y, turn), curl_mm=max(0.0, self._random.gauss(0.2, 0.4)))

    def show(self, face: str) -> int:
        """Shows a card to the camera, away from all others; takes the one before away."""
        self.clear()
        x, y = (place + self._random.gauss(0, 5) for place in self._free_spot())
        pose = Pose(x, y, self._random.choice((0.0, 180.0)) + self._random.gauss(0, 4))
        self.shown = self._put(face, pose)
        return self.shown

    def clear(self) -> None:
        """Takes the shown card away."""
        if self.shown is not None:
            self.take([self.shown])

    def take(self, numbers: list[int]) -> None:
        """Takes cards away."""
        with self._lock:
            for number in numbers:
                card = self.cards.pop(number)
                self._hand_at = (card.pose.x_mm, card.pose.y_mm)
                if number == self.shown:
                    self.shown = None

    def move_emma(self, card: LaidCard, number: int) -> None:
        """Puts Emma onto a card: the one of this number, which lies as ``card`` says."""
        with self._lock:
            self.emma = Emma(emma_pose(card, self._random), number)
            self._hand_at = (self.emma.pose.x_mm, self.emma.pose.y_mm)

    def push(self, numbers: list[int], right_mm: float, down_mm: float, turn_deg: float = 0.0) -> None:
        """Pushes cards over the table as one, about so far, with Emma if she stands on one of them."""
        x, y, turn = (self._random.gauss(0, 1) * IMPRECISION for _ in range(3))
        with self._lock:
            poses = {number: self.cards[number].pose for number in numbers}
            if self.emma is not None and self.emma.serial in poses:
                poses[_EMMA] = self.emma.pose
            for number, pose in pushed(poses, right_mm + x, down_mm + y, turn_deg + turn).items():
                self._hand_at = (pose.x_mm, pose.y_mm)
                if number == _EMMA and self.emma is not None:
                    self.emma = replace(self.emma, pose=pose)
                else:
                    self.cards[number] = replace(self.cards[number], pose=pose)

    def photograph(self) -> Picture:
        """The next picture of the camera (h × w × 3, B, G, R)."""
        self.last_picture = self._next_picture()
        return self.last_picture

    def _next_picture(self) -> Picture:
        with self._lock:
            scene, hand_at, self._hand_at = self._scene(), self._hand_at, None
        self.pictures += 1
        if self._luck.random() < self._mishaps.bumps:
            self.bump()
        if hand_at is not None and self._has_hands:
            return self._exposed(self._photographed(replace(scene, hands=(draw_hand(hand_at, self._luck),))))
        known, pictures = self._taken
        if known != scene:
            pictures = []
            self._taken = (scene, pictures)
        if len(pictures) < _PICTURES_OF_A_SCENE:
            pictures.append(self._photographed(scene))
            return self._exposed(pictures[-1])
        return self._exposed(pictures[self.pictures % len(pictures)])

    def _photographed(self, scene: Scene) -> Picture:
        light, sensor = self._conditions.light, self._conditions.sensor
        return self._renderer.photograph(scene, light, sensor, self.pictures).picture

    def _exposed(self, picture: Picture) -> Picture:
        """The picture, or one that is exposed otherwise for a moment."""
        if self._luck.random() >= self._mishaps.flickers:
            return picture
        return np.asarray(cv2.convertScaleAbs(picture, alpha=self._luck.uniform(*_FLICKER)), dtype=np.uint8)

    def bump(self) -> None:
        """Somebody pushes the camera: what it sees has moved and turned a little."""
        camera, (far_mm, askew_deg) = self._renderer.camera, _BUMP
        x, y = (self._luck.gauss(0, far_mm) for _ in range(2))
        angle = math.radians(self._luck.gauss(0, askew_deg))
        spin = np.array([[math.cos(angle), -math.sin(angle), 0], [math.sin(angle), math.cos(angle), 0], [0, 0, 1]])
        rotation = spin @ np.array(camera.rotation)
        moved = spin @ np.array(camera.translation) + (x, y, 0.0)
        self._renderer = self._renderer_with(
            replace(camera, rotation=tuple(map(tuple, rotation.tolist())), translation=tuple(moved.tolist()))
        )
        self._taken = (None, [])
        self.bumps += 1

    def _renderer_with(self, camera: Camera) -> Renderer:
        deck, faces, back = self._deck
        return Renderer(camera, self._conditions.tabletop, faces, back, deck.card_mm)

    def _put(self, face: str, pose: Pose, curl_mm: float = 0.0) -> int:
        with self._lock:
            self._next += 1
            self.cards[self._next] = LyingCard(face, pose, self._next, curl_mm=curl_mm)
            self._hand_at = (pose.x_mm, pose.y_mm)
            return self._next

    def _scene(self) -> Scene:
        cards = tuple(
            replace(card, on_show_spot=True) if number == self.shown else card for number, card in self.cards.items()
        )
        pile = self._pile if self._room_mm(PILE_MM) > _ROOM_MM else ()
        return Scene((*cards, *pile), self.emma, clutter=self._clutter)

    def _free_spot(self) -> tuple[float, float]:
        """The show spot, or where there is most room if the railway has come too near to it."""
        usual, *others = _SPOTS_MM
        if self._room_mm(usual) > 200:
            return usual
        return max((usual, *others), key=self._room_mm)

    def _room_mm(self, place: tuple[float, float]) -> float:
        """How far the nearest card's centre is."""
        distances = [math.dist(place, (card.pose.x_mm, card.pose.y_mm)) for card in self.cards.values()]
        return min(distances, default=max(TABLE_MM))
