"""The network in the terminal, and what can be done on it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence

from companion.games.locomotion.artwork.as_text import LOCOMOTIVES, network_as_text, with_axes
from companion.games.locomotion.record.narration import telling, trains
from companion.games.locomotion.rules import EndTurn, Network, State, after
from companion.games.locomotion.rules.state import Phase
from companion.games.locomotion.rules.steps import AnyStep
from companion.games.locomotion.wording import Wording
from companion.texts.harmless import harmless


class TooWide(Exception):
    """The terminal has no room for a drawing, which needs so many ``columns``."""

    def __init__(self, columns: int) -> None:
        super().__init__(columns)
        self.columns = columns


def print_drawing(network: Network, state: State | None) -> None:
    """Prints a network with the numbers of its dots, coloured where the terminal can; raises TooWide."""
    is_terminal = sys.stdout.isatty()
    columns = max(map(len, with_axes(network_as_text(network), network)))
    if is_terminal and columns > shutil.get_terminal_size().columns:
        raise TooWide(columns)
    is_coloured = is_terminal and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    print("\n".join(with_axes(network_as_text(network, state, is_coloured=is_coloured), network)))


class Board:
    """Shows a game where there is room for it."""

    def __init__(self, say: Wording) -> None:
        self._say = say
        self._is_told = False

    def show(self, state: State) -> None:
        """The network with all that stands on it, and the trains."""
        print()
        try:
            print_drawing(state.setup.network, state)
        except TooWide as error:
            self._tell(error)
        if state.order:
            print(harmless(self._signs(state)))
            print(harmless(self._say("setting-up.order", order=self._say.colours(state.order))))
            print(harmless(trains(state, self._say)))

    def _tell(self, error: TooWide) -> None:
        if not self._is_told:
            self._is_told = True
            print(self._say("terminal.too-wide", columns=error.columns))

    def _signs(self, state: State) -> str:
        """What the signs in the drawing are: colours of wagons, and whose locomotive is which."""
        wagons = [f"{colour} {self._say.colour(colour)}" for colour in sorted(state.order)]
        names = zip(state.drawn, state.setup.names, strict=True)
        return " · ".join([*wagons, *(f"{LOCOMOTIVES[drawn]} {name}" for drawn, name in sorted(names))])

    def offer(self, state: State, steps: Sequence[AnyStep]) -> None:
        """What can be done now, with the numbers by which it is chosen."""
        name = harmless(state.setup.names[state.active])
        print()
        if state.phase is Phase.CHOOSING:
            print(self._say("terminal.choose-speed", player=name, speeds=[step.speed for step in steps]))  # type: ignore[union-attr]
            return
        print(self._say.counted("terminal.choose", player=name, count=state.left))
        for number, step in enumerate(steps, 1):
            print(f"  {number:2}  {self._text(state, step)}")

    def _text(self, state: State, step: AnyStep) -> str:
        if isinstance(step, EndTurn):
            return self._say("terminal.end")
        return next(iter(telling(state, step, after(state, step), self._say))).text
