"""What was seen of the network: the last reading, how its axes lie, and since when nothing has changed."""

from __future__ import annotations

from companion.games.at_table.rest import Rest
from companion.games.locomotion.rules import State
from companion.games.locomotion.table.registration import Axes, registered
from companion.games.locomotion.table.seen import Seen, seen_by
from vision.watching.network_reading import NetworkReading
from vision.watching.table_reading import TableReading


class Watch:
    """The memory between readings."""

    def __init__(self) -> None:
        self.rest = Rest()
        self.reading: NetworkReading | None = None
        """The network as it was seen last, in the axes of the eye."""
        self._axes: Axes | None = None
        self._seen: tuple[NetworkReading, State, Seen | None] | None = None

    def see(self, reading: TableReading, now: float) -> None:
        """The camera has looked. While hands are over the table all stays as it was seen before."""
        is_free = self.rest.look(now, has_hand=reading.hand, is_still=reading.is_still)
        if is_free and not reading.is_dark and reading.network != self.reading:
            self.reading = reading.network
            self.rest.change(now)

    def forget(self) -> None:
        """What was seen counts no more."""
        self.reading = None

    def seen(self, state: State) -> Seen | None:
        """What stands on the dots of a game's network; None where the network is not seen there."""
        if self.reading is None:
            return None
        if self._seen is None or self._seen[0] is not self.reading or self._seen[1] is not state:
            self._seen = self.reading, state, self._seen_in(self.reading, state)
        return self._seen[2]

    def _seen_in(self, reading: NetworkReading, state: State) -> Seen | None:
        axes = registered(reading, state.setup.network, state, self._axes)
        if axes is None:
            return None
        self._axes = axes
        return seen_by(axes.reading(reading), state.setup)
