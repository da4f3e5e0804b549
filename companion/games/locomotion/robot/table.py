"""What a robot knows of a table: which piece and which vehicle there is which of the game."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from companion.games.locomotion.robot.places import (
    NEAR_MM,
    LyingNetwork,
    Standing,
    found_lying,
    looks_of,
    onto_the_table,
    vehicle_poses,
    vehicles_found,
)
from companion.games.locomotion.rules import State
from companion.games.locomotion.rules.state import Stock
from companion.virtual.hands import Hands
from companion.virtual.things import HandsError, Place


class Table:
    """A table with the network of a game: brings it to show what stands where."""

    def __init__(self, hands: Hands, random: Random) -> None:
        self._hands = hands
        self._random = random
        self._state: State | None = None
        self._there: LyingNetwork | None = None
        self._figures: dict[int, int] = {}
        self._doubted: set[int] = set()

    def find(self, state: State) -> None:
        """Finds out what is where of a game, whatever axes the game sees it by; raises HandsError."""
        self._state = state
        self._there = found_lying(state, self._hands.lying, self._standing)
        if self._there is None:
            raise HandsError("unknown")
        found = vehicles_found(state, self._there, self._hands.lying, self._standing)
        left = [figure for figure in self._hands.world.figures if figure.number not in found.values()]
        for vehicle, look in enumerate(looks_of(state.setup)):
            if vehicle not in found:
                other = next((figure for figure in left if figure.look == look), None)
                if other is None:
                    raise HandsError("unknown")
                left.remove(other)
                found[vehicle] = other.number
        self._figures = found

    @property
    def _standing(self) -> list[Standing]:
        figures = self._hands.world.figures
        return [Standing(figure.number, figure.look, figure.pose) for figure in figures if figure.pose is not None]

    def lay(self, state: State) -> None:
        """Lays the network of a game where another one lies, or none; raises HandsError."""
        network, hands = state.setup.network, self._hands
        there = found_lying(state, hands.lying, self._standing)
        if there is None or len(there.numbers) < len(network.pieces):
            hands.take(list(hands.lying))
            motion = onto_the_table(network, self._random)
            away = [card.number for card in hands.world.cards(Place.AWAY) if card.face == network.piece.name]
            if len(away) < len(network.pieces):
                raise HandsError("empty")
            # From the top of the pile: what lies below cannot be gripped. The first one may lie more askew than it was
            # meant to; all others are laid beside it.
            numbers = away[: -1 - len(network.pieces) : -1]
            there = LyingNetwork(network, {0: numbers[0]}, motion)
            for index, number in enumerate(numbers):
                hands.lay(number, there.piece(index, hands.lying), is_joined=True)
        self.find(state)

    def show(self, stock: Stock, *, one_by_one: bool = False) -> bool:
        """Puts what does not stand so onto its dot, and lost pieces back; says whether there was anything to do."""
        if self._state is None or self._there is None:
            return False
        if self._lay_lost(self._there):
            return True
        waiting = [vehicle for vehicle, dot in enumerate(stock.dots) if not self._stands_on(vehicle, dot, self._there)]
        if not waiting:
            return False
        waiting = self._in_order(waiting, stock, self._there)[: 1 if one_by_one else None]
        poses = vehicle_poses(replace(self._state, stock=stock), self._random)
        for vehicle in waiting:
            pose = self._there.on_dot(poses[vehicle], stock.dots[vehicle], self._hands.lying)
            self._hands.move_figure(self._figures[vehicle], pose)
            self._doubted.discard(vehicle)
        return True

    def doubt(self) -> None:
        """Everything may stand otherwise than it seems: it is put down anew."""
        self._doubted = set(self._figures)

    def _lay_lost(self, there: LyingNetwork) -> bool:
        lying = self._hands.lying
        lost = [(index, number) for index, number in there.numbers.items() if number not in lying]
        for index, number in lost:
            self._hands.lay(number, there.piece(index, lying), is_joined=True)
        return bool(lost)

    def _stands_on(self, vehicle: int, dot: int, there: LyingNetwork) -> bool:
        pose = self._hands.world.figure(self._figures[vehicle]).pose
        if pose is None or vehicle in self._doubted:
            return False
        return pose.distance_mm(there.middle(dot, self._hands.lying)) < NEAR_MM

    def _in_order(self, waiting: list[int], stock: Stock, there: LyingNetwork) -> list[int]:
        """First who comes onto a dot that none of the others stands on."""
        ordered: list[int] = []
        left = list(waiting)
        while left:
            free = [
                vehicle
                for vehicle in left
                if not any(other != vehicle and self._stands_on(other, stock.dots[vehicle], there) for other in left)
            ]
            ordered.append((free or left)[0])
            left.remove(ordered[-1])
        return ordered
