"""A task for one: a network, where the locomotive and the wagons stand, and the order (LSOLO1)."""

from __future__ import annotations

import msgspec

from companion.games.locomotion.rules import Dot, DrawLots, Knobs, Mode, Network, State, after, set_up


class Puzzle(msgspec.Struct, frozen=True):
    """``wagons`` are the dots of wagons 1, 2 and so on; ``order`` are their numbers from the locomotive on.

    ``knobs`` say how it is to be read where the rulebook is silent.
    """

    network: Network
    locomotive: Dot
    wagons: tuple[Dot, ...]
    order: tuple[int, ...]
    knobs: Knobs = Knobs()

    def start(self, *, mode: Mode = Mode.DIE) -> State:
        """The state in which it begins, lots drawn; raises NotAllowed where something stands wrong."""
        wagons = [[dot] for dot in self.wagons]
        state = set_up(self.network, ["Solo"], [self.locomotive], wagons, mode=mode, knobs=self.knobs)
        return after(state, DrawLots((1,), self.order))
