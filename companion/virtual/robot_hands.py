"""A robot's hands over a world: as exact as people's."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Final

from companion.virtual.hands import Lying
from companion.virtual.things import EMMA, HandsError, Place
from companion.virtual.world import World
from vision.cards import Pose
from vision.rendering.places import IMPRECISION, SHOW_SPOT_MM, TABLE_MM

_SPOTS: Final = tuple(Pose(*spot) for spot in (SHOW_SPOT_MM, (60, 520), (60, 80), (400, 530), (400, 70)))
"""Where cards are shown: the usual spot, and others for when the railway is there."""
_ROOM_MM: Final = 200.0
_JOINED: Final = 0.5
"""Of how far hands are off else: things that touch lead each other."""


def imprecise(pose: Pose, random: Random, *, is_joined: bool = False) -> Pose:
    """Where something comes to lie that hands want to lay there; ``is_joined``: beside others that it touches."""
    share = _JOINED if is_joined else 1.0
    return pose.moved(*(max(-2.5, min(2.5, random.gauss(0, 1))) * share * IMPRECISION for _ in range(3)))


class RobotHands:
    """What the robot's hands do to a world (``companion.virtual.hands.Hands``).

    All of it comes down to ``place``, ``put``, ``push``, ``draw`` and ``deal``, which other hands may do otherwise.
    """

    def __init__(self, world: World, seed: int) -> None:
        """``seed`` is for how far the hands are off."""
        self.world = world
        self.shown: int | None = None
        self._random = Random(seed)
        self._origins: dict[int, tuple[Place, int]] = {}

    @property
    def lying(self) -> Mapping[int, Lying]:
        """What lies on the table and is not held by anybody."""
        held = self.world.holds()
        lying = self.world.cards(Place.TABLE)
        return {card.number: Lying(card.face, card.pose) for card in lying if card.number not in held}

    def lay(self, number: int, pose: Pose, *, is_joined: bool = False) -> None:
        """Lays a card about there, as a hand does."""
        self._remember(number)
        self.place(number, imprecise(pose, self._random, is_joined=is_joined))

    def show(self, number: int) -> None:
        """Shows a card to the camera, away from all others."""
        self.clear()
        self._remember(number)
        spot = self._free_spot().moved(self._random.gauss(0, 5), self._random.gauss(0, 5))
        self.place(number, spot.moved(0, 0, self._random.choice((0.0, 180.0)) + self._random.gauss(0, 4)))
        self.shown = number

    def clear(self) -> None:
        if self.shown is not None and self.shown in self.lying:
            self.take([self.shown])
        self.shown = None

    def take(self, numbers: Collection[int]) -> None:
        for number in numbers:
            self.put(number, Place.AWAY)

    def put_back(self, number: int) -> None:
        """Puts a card back to where it was taken from."""
        self.put(number, *self._origins.get(number, (Place.AWAY, 0)))
        if number == self.shown:
            self.shown = None

    def move_figure(self, figure: int, pose: Pose) -> None:
        self.place(figure, pose)

    def push(self, numbers: Sequence[int], right_mm: float, down_mm: float) -> None:
        """Pushes cards as one, about so far, and what stands on them."""
        x, y, turn = (self._random.gauss(0, 1) * IMPRECISION for _ in range(3))
        with suppress(HandsError):
            self.world.push(numbers, right_mm + x, down_mm + y, turn)

    def place(self, number: int, pose: Pose) -> None:
        """Lays a card, or puts a figure down."""
        if number <= EMMA:
            self.world.place_figure(number, pose)
        else:
            self.world.place_card(number, pose)

    def put(self, number: int, place: Place, owner: int = 0) -> None:
        """Takes a card to another place."""
        self.world.put_away(number, place, owner)

    def draw(self, owner: int) -> None:
        """Draws a card into a hand; raises HandsError."""
        self.world.draw(owner)

    def deal(self, removed: int, hand_cards: int) -> None:
        """Shuffles, removes and deals; raises HandsError."""
        self.world.deal(removed, hand_cards)

    def _remember(self, number: int) -> None:
        card = self.world.card(number)
        self._origins[number] = (Place.AWAY if card.place is Place.TABLE else card.place, card.owner)

    def _free_spot(self) -> Pose:
        """The show spot, or where there is most room if the railway has come too near to it."""
        return _SPOTS[0] if self._room_mm(_SPOTS[0]) > _ROOM_MM else max(_SPOTS, key=self._room_mm)

    def _room_mm(self, place: Pose) -> float:
        return min((place.distance_mm(card.pose) for card in self.lying.values()), default=max(TABLE_MM))
