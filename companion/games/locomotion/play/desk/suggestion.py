"""What was agreed for the next game, and what is suggested to be set up for it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from companion.games.locomotion.networks import NoRoom, draw_network
from companion.games.locomotion.networks.drawing_lots import spread
from companion.games.locomotion.networks.named import named_networks
from companion.games.locomotion.play.thinking import Thought
from companion.games.locomotion.record.agreement import Agreement
from companion.games.locomotion.rules import BadNetwork, Dot, Knobs, Mode, Network, Piece, State, set_up
from companion.games.locomotion.rules.piece import PIECES
from companion.games.locomotion.settings import OwnSettings

LEAST_ROOM: Final = 3
"""Dots for each vehicle on a network that is drawn by lot."""
_TRIES: Final = 20
"""So often another network is drawn where none was found, or where not all find room on it."""


class Wish(NamedTuple):
    """What was agreed: the kind of game, who plays, how many colours of wagons there are, and the rules."""

    kind: str
    mode: Mode
    names: tuple[str, ...]
    agreement: Agreement
    colours: int
    piece: Piece
    knobs: Knobs

    @property
    def vehicles(self) -> int:
        """How many stand on the network."""
        return len(self.names) * (1 + self.colours)

    def fits(self, state: State) -> bool:
        """Whether a start has the pieces and wagons that are played with."""
        return (state.setup.network.piece, state.setup.wagon_colours) == (self.piece, self.colours)

    def start(self, network: Network, places: Sequence[Dot]) -> State:
        """The game with everything on these dots, in the order of the rules; raises NotAllowed."""
        players = len(self.names)
        wagons = [places[players * colour :][:players] for colour in range(1, self.colours + 1)]
        return set_up(network, self.names, places[:players], wagons, mode=self.mode, knobs=self.knobs)


def suggested(wish: Wish, own: OwnSettings, lot: int, lying: Network | None = None) -> State:
    """The network of the settings, or one that lies there, with everything on places by this lot.

    Drawing a network takes seconds on a small computer.
    """
    for attempt in range(_TRIES):
        random = Random(f"{lot}:{attempt}")
        try:
            network = lying or _network(wish, own, random)
            return wish.start(network, spread(random, network, wish.vehicles))
        except (BadNetwork, NoRoom):
            continue
    return _on_the_largest(wish)


def placed(wish: Wish, network: Network, lot: int) -> State:
    """A network with everything on places by this lot; raises NoRoom where there are too few, and BadNetwork."""
    return wish.start(network, spread(Random(lot), network, wish.vehicles))


def _on_the_largest(wish: Wish) -> State:
    """The largest network that ships: on it there is room for all."""
    return placed(wish, next(named.network() for named in reversed(named_networks().values())), 0)


def _network(wish: Wish, own: OwnSettings, random: Random) -> Network:
    named = named_networks().get(own.network)
    if named is not None:
        return named.network()
    # Fewer would leave no room for any shunting.
    pieces = max(own.pieces, math.ceil(LEAST_ROOM * wish.vehicles / len(wish.piece.cells)))
    return draw_network(random, wish.piece, min(pieces, PIECES)).network


class Suggestion:
    """What people are to set up: one after the other, each drawn in a thread."""

    def __init__(self, wish: Wish, own: OwnSettings) -> None:
        """``own`` says which network it is."""
        self._wish, self._own = wish, own
        self.state: State | None = None
        """The game before its first step; None where none has been drawn yet."""
        self.network: Network | None = None
        """The one that people have laid as they like, where they are told what to put onto it."""
        self._thought: Thought[State] | None = None

    @property
    def is_drawing(self) -> bool:
        """Whether one is being drawn."""
        return self._thought is not None

    def draw(self, lot: int) -> None:
        """Another one, by this lot."""
        self.close()
        wish, own = self._wish, self._own
        self.state = None
        if self.network is not None or own.network in named_networks():
            self.state = suggested(wish, own, lot, self.network)  # at once: only places are drawn
        else:
            self._thought = Thought(lambda _: suggested(wish, own, lot))

    def take(self) -> bool:
        """Takes the one that was drawn; says whether one has been found just now."""
        if self._thought is None or not self._thought.is_over:
            return False
        # Where something went wrong anything will do.
        self.state, self._thought = self._thought.answer or _on_the_largest(self._wish), None
        return True

    def wait(self, seconds: float) -> None:
        """Waits for the one that is drawn, no longer than that."""
        if self._thought is not None:
            self._thought.wait(seconds)

    def close(self) -> None:
        """None is drawn any more; nobody waits until that has ended."""
        if self._thought is not None:
            self._thought.stop()
            self._thought = None
