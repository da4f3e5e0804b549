"""The railway of a game as it lies on a robot's table: which card there is which, and where the next one can lie."""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from companion.games.loknroll.rules import State
from companion.games.loknroll.rules.railway.building import legal_placements
from companion.games.loknroll.rules.railway.geometry import Placement
from companion.games.loknroll.rules.railway.railway import LaidCard, Railway
from vision.cards import Face, Motion, Pose
from vision.rendering import Emma, LyingCard
from vision.rendering.places import AREA


class RobotTable(Protocol):
    """The table that a robot works at, as ``VirtualTable``: cards by their numbers, Emma, the card that is shown."""

    emma: Emma | None

    @property
    def cards(self) -> Mapping[int, LyingCard]:
        """What lies there."""

    @property
    def shown(self) -> int | None:
        """The number of the card that is shown."""

    def lay(self, face: str, pose: Pose) -> int:
        """Lays a card about there; returns its number."""

    def show(self, face: str) -> int:
        """Shows a card to the camera, away from all others; takes the one before away."""

    def clear(self) -> None:
        """Takes the shown card away."""

    def take(self, numbers: list[int]) -> None:
        """Takes cards away."""

    def push(self, numbers: list[int], right_mm: float, down_mm: float) -> None:
        """Pushes cards over the table as one, with Emma if she stands on one of them."""

    def move_emma(self, card: LaidCard, number: int) -> None:
        """Puts Emma onto a card: the one of this number, which lies as ``card`` says."""


class Key(NamedTuple):
    """What tells a card of the game's railway for good: its face and where the camera saw it."""

    face: str
    pose: Pose | None


def key_of(card: LaidCard) -> Key:
    """What tells this card."""
    return Key(card.face.id, card.pose)


def way_of(place: Placement) -> tuple[int, int, int]:
    """How a card is laid there, wherever the railway lies."""
    return place.entry, place.quarter_turn, place.exit_port


class LyingRailway:
    """Keeps which card on a table is which of a game's railway."""

    def __init__(self, table: RobotTable) -> None:
        """Nothing is known yet."""
        self.numbers: dict[Key, int] = {}
        self._table = table

    def number(self, card: LaidCard) -> int:
        """The number on the table of a card of the railway."""
        return self.numbers[key_of(card)]

    def learn(self, railway: Railway, laid: int | None) -> None:
        """Finds the cards that are new in the railway; ``laid`` is the number of the one laid last."""
        for index, card in enumerate(railway.cards):
            if key_of(card) not in self.numbers:
                self.numbers[key_of(card)] = self._number_for(railway, index, laid)

    def lay_lost(self, railway: Railway) -> bool:
        """Lays the railway's cards anew that do not lie on the table; says whether there were any."""
        lost = [index for index, card in enumerate(railway.cards) if self.number(card) not in self._table.cards]
        for index in lost:
            card = railway.cards[index]
            self.numbers[key_of(card)] = self._table.lay(card.face.id, self._pose_on_table(railway, index))
        return bool(lost)

    def _number_for(self, railway: Railway, index: int, laid: int | None) -> int:
        """The card on the table that has become this card of the railway; where there is none it is laid now."""
        card = railway.cards[index]
        if laid is not None and self._table.cards[laid].face == card.face.id:
            return laid
        free = set(self._table.cards) - set(self.numbers.values())
        same = [number for number in free if self._table.cards[number].face == card.face.id]
        return same[0] if same else self._table.lay(card.face.id, self._pose_on_table(railway, index))

    def _pose_on_table(self, railway: Railway, index: int) -> Pose:
        """Where a card of the game comes to lie on the table, beside those that lie there already."""
        wanted = railway.cards[index].pose or Pose(0, 0)
        known = [(card.pose, self._table.cards[number].pose) for card, number in self.lying(railway) if card.pose]
        if known:
            here, there = min(known, key=lambda pair: pair[0].distance_mm(wanted))
        else:
            # A game that goes on: its railway is laid anew, with its middle in the middle.
            poses = [card.pose for card in railway.cards if card.pose]
            middle = [(min(side) + max(side)) / 2 for side in zip(*((p.x_mm, p.y_mm) for p in poses), strict=True)]
            here = Pose(middle[0], middle[1])
            there = Pose(AREA.x_mm + AREA.width_mm / 2, AREA.y_mm + AREA.height_mm / 2)
        return Motion.onto(here, there)(wanted)

    def lying(self, railway: Railway) -> list[tuple[LaidCard, int]]:
        """The railway's cards with the numbers of those that lie on the table."""
        pairs = ((card, self.numbers.get(key_of(card), -1)) for card in railway.cards)
        return [(card, number) for card, number in pairs if number in self._table.cards]

    def as_it_lies(self, state: State) -> State:
        """The same state with the railway where it lies on the robot's table."""
        cards = tuple(replace(card, pose=self._table.cards[number].pose) for card, number in self.lying(state.railway))
        turns = [cmath.rect(1, math.radians(c.pose.rotation_deg - 90 * c.quarter_turn)) for c in cards if c.pose]
        angle = math.degrees(cmath.phase(sum(turns))) if turns else 0.0
        return replace(state, railway=Railway(cards, angle))

    def places(self, state: State, face: Face) -> list[Placement]:
        """Where the card can be laid on the table, by the game's own measure as well."""
        allowed = {way_of(place) for place in legal_placements(state, face)}
        here = self.as_it_lies(state)
        return [place for place in legal_placements(here, face) if way_of(place) in allowed]
