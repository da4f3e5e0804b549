"""The railway of a game as it lies on a robot's table: which card there is which, and where the next one can lie."""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from companion.games.loknroll.robot.dealt_cards import DealtCards
from companion.games.loknroll.rules import State
from companion.games.loknroll.rules.building import legal_placements
from companion.games.loknroll.rules.railway.geometry import Placement
from companion.games.loknroll.rules.railway.railway import LaidCard, Railway
from companion.virtual.hands import Hands, Lying
from vision.cards import Face, Motion, Pose
from vision.rendering.places import AREA

_SAME_PLACE_MM: Final = 40.0
"""A card that lies no farther from where it should is the one."""


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

    def __init__(self, hands: Hands, cards: DealtCards) -> None:
        """Nothing is known yet; ``cards`` are where the railway's come from that do not lie."""
        self.numbers: dict[Key, int] = {}
        self._hands = hands
        self._cards = cards

    def number(self, card: LaidCard) -> int:
        """The number on the table of a card of the railway."""
        return self.numbers[key_of(card)]

    def adopt(self, railway: Railway) -> None:
        """Finds out which cards on the table are those of the railway, whatever axes the game sees them by."""
        on_table = self._hands.lying
        known = [card for card in railway.cards if card.pose is not None]
        best: dict[LaidCard, int] = {}
        # Any card may be read wrongly or lie elsewhere: the motion that brings most cards onto their places is the one.
        for first in known[:4]:
            for lying in on_table.values():
                if lying.face == first.face.id and first.pose is not None:
                    found = _matched(known, on_table, Motion.onto(first.pose, lying.pose))
                    best = max(best, found, key=len)
        self.numbers |= {key_of(card): number for card, number in best.items()}

    def learn(self, state: State, laid: int | None) -> None:
        """Finds the cards that are new in the railway; ``laid`` is the number of the one laid last."""
        for index, card in enumerate(state.railway.cards):
            if key_of(card) not in self.numbers:
                found = self._number_for(card, laid)
                self.numbers[key_of(card)] = self._lay(state, index) if found is None else found

    def lay_lost(self, state: State) -> bool:
        """Lays the railway's cards anew that do not lie on the table; says whether there were any."""
        on_table, cards = self._hands.lying, state.railway.cards
        lost = [index for index, card in enumerate(cards) if self.number(card) not in on_table]
        for index in lost:
            self.numbers[key_of(cards[index])] = self._lay(state, index)
        return bool(lost)

    def _number_for(self, card: LaidCard, laid: int | None) -> int | None:
        """The card on the table that has become this card of the railway."""
        on_table, known = self._hands.lying, set(self.numbers.values())
        same = [number for number, lying in on_table.items() if lying.face == card.face.id]
        if laid in same:
            return laid
        return next((number for number in same if number not in known), None)

    def _lay(self, state: State, index: int) -> int:
        """Lays a card of the railway that does not lie there."""
        number = self._cards.find(state.railway.cards[index].face.id, state)
        self._hands.lay(number, self._pose_on_table(state.railway, index))
        return number

    def _pose_on_table(self, railway: Railway, index: int) -> Pose:
        """Where a card of the game comes to lie on the table, beside those that lie there already."""
        wanted, on_table = railway.cards[index].pose or Pose(0, 0), self._hands.lying
        known = [(card.pose, on_table[number].pose) for card, number in self.lying(railway) if card.pose]
        if not known:
            return to_the_middle(railway)(wanted)
        # Beside the nearest of its neighbours: a railway laid by hand drifts from card to card.
        here, there = min(known, key=lambda pair: pair[0].distance_mm(wanted))
        return Motion.onto(here, there)(wanted)

    def lying(self, railway: Railway) -> list[tuple[LaidCard, int]]:
        """The railway's cards with the numbers of those that lie on the table."""
        pairs, on_table = ((card, self.numbers.get(key_of(card), -1)) for card in railway.cards), self._hands.lying
        return [(card, number) for card, number in pairs if number in on_table]

    def as_it_lies(self, state: State) -> State:
        """The same state with the railway where it lies on the robot's table."""
        on_table = self._hands.lying
        cards = tuple(replace(card, pose=on_table[number].pose) for card, number in self.lying(state.railway))
        # Directions are added as arrows: the mean of 359 and 1 degree is 0, not 180.
        turns = [cmath.rect(1, math.radians(c.pose.rotation_deg - 90 * c.quarter_turn)) for c in cards if c.pose]
        angle = math.degrees(cmath.phase(sum(turns))) if turns else 0.0
        return replace(state, railway=Railway(cards, angle))

    def places(self, state: State, face: Face) -> list[Placement]:
        """Where the card can be laid on the table, by the game's own measure as well."""
        # By both measures: where the game believes the cards to lie, and where they lie.
        allowed = {way_of(place) for place in legal_placements(state, face)}
        here = self.as_it_lies(state)
        return [place for place in legal_placements(here, face) if way_of(place) in allowed]


def to_the_middle(railway: Railway) -> Motion:
    """How a railway is moved that is laid anew: its middle comes to lie in the middle."""
    poses = [card.pose for card in railway.cards if card.pose] or [Pose(0, 0)]
    x, y = ((min(side) + max(side)) / 2 for side in zip(*((pose.x_mm, pose.y_mm) for pose in poses), strict=True))
    return Motion(AREA.x_mm + AREA.width_mm / 2 - x, AREA.y_mm + AREA.height_mm / 2 - y)


def _matched(railway: Sequence[LaidCard], on_table: Mapping[int, Lying], motion: Motion) -> dict[LaidCard, int]:
    """The cards that lie where they must if the railway lies there after this motion."""
    found: dict[LaidCard, int] = {}
    for card in railway:
        if card.pose is None:
            continue
        place = motion(card.pose)
        for number, lying in on_table.items():
            is_near = place.distance_mm(lying.pose) < _SAME_PLACE_MM
            if lying.face == card.face.id and is_near and number not in found.values():
                found[card] = number
                break
    return found
