"""The hands of a robot that plays at a table: what every game's robot works with."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from companion.virtual.things import Place
from companion.virtual.world import World
from vision.cards import Pose


class Lying(NamedTuple):
    """A card on the table."""

    face: str
    pose: Pose


class Hands(Protocol):
    """Move the things of a world, which are known by their numbers; HandsError says why something cannot be moved."""

    @property
    def world(self) -> World:
        """The things, to be looked at: they are moved by hands only."""

    @property
    def lying(self) -> Mapping[int, Lying]:
        """What lies on the table and nobody holds, from the oldest to the newest."""

    @property
    def shown(self) -> int | None:
        """The card that is shown."""

    def lay(self, number: int, pose: Pose, *, is_joined: bool = False) -> None:
        """Lays a card about there; ``is_joined``: it touches others, and lies as exactly as that."""

    def show(self, number: int) -> None:
        """Shows a card to the camera, away from all others; puts the one before away."""

    def clear(self) -> None:
        """Puts the shown card away."""

    def take(self, numbers: Collection[int]) -> None:
        """Puts cards away."""

    def put(self, number: int, place: Place, owner: int = 0) -> None:
        """Takes a card to another place than the table."""

    def put_back(self, number: int) -> None:
        """Takes a card that was laid or shown back to where it came from."""

    def push(self, numbers: Sequence[int], right_mm: float, down_mm: float) -> None:
        """Pushes cards over the table as one, about so far, and the figures that stand on them."""

    def move_figure(self, figure: int, pose: Pose) -> None:
        """Puts a figure down."""

    def draw(self, owner: int) -> None:
        """Draws the top card of the pile into a hand."""

    def deal(self, removed: int, hand_cards: int) -> None:
        """Shuffles what is away back into the pile, removes so many cards and deals."""
