"""What was seen of the network: the last reading, how its axes lie, and since when nothing has changed."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.at_table.rest import Rest
from companion.games.locomotion.rules import State
from companion.games.locomotion.table.looks import Axes
from companion.games.locomotion.table.registration import registered
from companion.games.locomotion.table.seen import Seen, kinds_in, seen_by
from companion.games.locomotion.wording import Kind
from vision.watching.network_reading import NetworkReading
from vision.watching.table_reading import TableReading


class Watch:
    """The memory between readings."""

    def __init__(self) -> None:
        self.rest = Rest()
        self.reading: NetworkReading | None = None
        """The network as it was seen last, in the axes of the eye."""
        self._lay_so: NetworkReading | None = None
        """The same, though nothing may have been seen of it since."""
        self._axes: Axes | None = None
        self._errs: set[tuple[int, Sequence[Kind], Kind | None]] = set()
        """The dots where the eye errs, as people say: what it sees there, and what really stands there."""
        self._seen: tuple[NetworkReading, State, Seen | None] | None = None

    def see(self, reading: TableReading, now: float) -> None:
        """The camera has looked. While hands are over the table all stays as it was seen before."""
        is_free = self.rest.look(now, has_hand=reading.hand, is_still=reading.is_still)
        if is_free and not reading.is_dark and reading.network != self.reading:
            # Where a camera is back, and sees what it saw before, nobody has changed anything.
            if reading.network != self._lay_so:
                self.rest.change(now)
            self.reading = self._lay_so = reading.network

    def forget(self) -> None:
        """What was seen counts no more."""
        self.reading = None

    def lies_so(self, axes: Axes) -> None:
        """So the axes of the eye lie beside those of the network that the game begins with."""
        self._axes = axes

    @property
    def known_axes(self) -> Axes:
        """How the axes of the eye lie beside those of the game's network, as far as that was ever seen."""
        return self._axes or Axes()

    def axes(self, state: State, reading: NetworkReading | None = None) -> Axes | None:
        """How the axes of the eye lie beside those of a game's network; None where that is not seen.

        ``reading`` is what lies there, if people know it better than the eye.
        """
        reading = reading or self.reading
        return None if reading is None else registered(reading, state.setup.network, state, self._axes)

    def seen(self, state: State) -> Seen | None:
        """What stands on the dots of a game's network; None where the network is not seen there."""
        if self.reading is None:
            return None
        if self._seen is None or self._seen[0] is not self.reading or self._seen[1] is not state:
            self._seen = self.reading, state, self._seen_in(self.reading, state)
        return self._seen[2]

    def _seen_in(self, reading: NetworkReading, state: State) -> Seen | None:
        axes = self.axes(state)
        if axes is None:
            return None
        self._axes = axes
        return self._healed(seen_by(axes.reading(reading), state.setup), state)

    def accept(self, state: State) -> None:
        """People say that all stands as in a state: where it is seen otherwise the eye errs as long as it sees that."""
        seen = self.seen(state)
        if seen is None:
            return
        standing = dict(zip(state.stock.dots, kinds_in(state.setup), strict=True))
        dots = {*seen.kinds, *standing} - seen.hidden
        wrong = [dot for dot in dots if standing.get(dot) not in seen.kinds.get(dot, (None,))]
        self._errs |= {(dot, seen.kinds.get(dot, ())[:1], standing.get(dot)) for dot in wrong}
        self._seen = None

    def _healed(self, seen: Seen, state: State) -> Seen:
        """What is seen but for what people have said of it."""
        standing = dict(zip(state.stock.dots, kinds_in(state.setup), strict=True))
        kinds = dict(seen.kinds)
        for dot, told, really in self._errs:
            if seen.kinds.get(dot, ())[:1] != told or standing.get(dot) != really:
                continue
            kinds.pop(dot, None)
            if really is not None:
                kinds[dot] = (really,)
        return seen._replace(kinds=kinds)
