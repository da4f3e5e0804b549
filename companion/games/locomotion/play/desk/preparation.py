"""What a game is to be played with, before it has a record: what was agreed, and a suggestion of what to set up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from companion.games.locomotion.networks import NoRoom, draw_network
from companion.games.locomotion.networks.drawing_lots import spread
from companion.games.locomotion.networks.named import named_networks
from companion.games.locomotion.play.desk.watch import Watch
from companion.games.locomotion.record.agreement import Agreement
from companion.games.locomotion.rules import BadNetwork, Dot, Knobs, Mode, Network, Piece, RuleError, State, set_up
from companion.games.locomotion.rules.piece import PIECES
from companion.games.locomotion.settings import AS_IT_LIES, OwnSettings
from companion.games.locomotion.table.looks import Axes
from companion.games.locomotion.table.setting_up import beginning, differences, lying_network
from vision.watching.network_reading import NetworkReading

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

    def start(self, network: Network, places: Sequence[Dot]) -> State:
        """The game with everything on these dots, in the order of the rules; raises NotAllowed."""
        players = len(self.names)
        wagons = [places[players * colour :][:players] for colour in range(1, self.colours + 1)]
        return set_up(network, self.names, places[:players], wagons, mode=self.mode, knobs=self.knobs)


class Preparation:
    """What people set up, with a suggestion where they want one."""

    def __init__(self, wish: Wish, own: OwnSettings, *, is_seen: bool) -> None:
        """``is_seen``: the network can be laid as people like, for a camera reads it; else there is a suggestion."""
        self.wish = wish
        self._own = own
        self.network: Network | None = None
        """The network that lies there, or should."""
        self.start: State | None = None
        """The game that begins as all lies and stands there; None where that is no set-up."""
        self.problem: RuleError | None = None
        """What is still wrong with it; None where nothing is seen yet."""
        self._looked: NetworkReading | None = None
        self.suggestion: State | None = None
        """What they are to set up, as the game before its first step; None where they lay as they like."""
        if not is_seen or own.network != AS_IT_LIES:
            self.suggestion = self._drawn(own.lot)

    def draw_again(self, lot: int) -> None:
        """Another suggestion, by another lot."""
        self.suggestion = self._drawn(lot)
        self._looked = self.start = self.problem = None

    def look(self, watch: Watch) -> None:
        """What lies there now."""
        reading = watch.reading
        if reading is self._looked:
            return
        self._looked, self.start, self.problem = reading, None, None
        if reading is None:
            return
        try:
            self.start = self._start_with(reading, watch)
        except RuleError as error:
            self.problem = error

    def _start_with(self, reading: NetworkReading, watch: Watch) -> State:
        suggestion = self.suggestion
        axes = None if suggestion is None else watch.axes(suggestion)
        if suggestion is not None and axes is not None:
            self.network = suggestion.setup.network
            wrong = next(differences(reading, axes, suggestion), None)
            if wrong is None or "cells" not in wrong.details:
                watch.lies_so(axes)
                return self._begun_on(axes.reading(reading), self.network, wrong)
            raise wrong
        self.network = None
        self.network = lying_network(reading, self.wish.piece)
        watch.lies_so(Axes())
        return self._begun_on(reading, self.network, None)

    def _begun_on(self, reading: NetworkReading, network: Network, wrong: RuleError | None) -> State:
        """Whatever is a set-up will do; what is none is told as what differs from the suggestion."""
        wish = self.wish
        try:
            return beginning(reading, network, wish.names, wish.colours, mode=wish.mode, knobs=wish.knobs)
        except RuleError as error:
            raise wrong or error from error

    def _drawn(self, lot: int) -> State:
        wish = self.wish
        for attempt in range(_TRIES):
            random = Random(f"{lot}:{attempt}")
            try:
                network = self._network(random)
                return wish.start(network, spread(random, network, wish.vehicles))
            except (BadNetwork, NoRoom):
                continue
        network = next(named.network() for named in reversed(named_networks().values()))
        return wish.start(network, spread(Random(lot), network, wish.vehicles))

    def _network(self, random: Random) -> Network:
        named = named_networks().get(self._own.network)
        if named is not None:
            return named.network()
        # Fewer would leave no room for any shunting.
        pieces = max(self._own.pieces, math.ceil(LEAST_ROOM * self.wish.vehicles / len(self.wish.piece.cells)))
        return draw_network(random, self.wish.piece, min(pieces, PIECES)).network
