"""What lights and the buzzer are to the program: which lights are on, and tunes that play by themselves."""

from __future__ import annotations

import enum
from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol


class Light(enum.StrEnum):
    """The lights there can be; none of them is needed."""

    GOOD = "good"
    WRONG = "wrong"
    BUSY = "busy"


class Tone(NamedTuple):
    """A part of a tune."""

    hertz: float
    """0 is a rest."""
    seconds: float


class Lights(Protocol):
    """Lights and a buzzer, or as many as are there."""

    def light(self, lit: Collection[Light]) -> None:
        """Exactly these lights are on; those that are not there are left out."""

    def sound(self, tune: Sequence[Tone]) -> None:
        """Begins a tune and returns at once; a tune that still plays is broken off."""

    def close(self) -> None:
        """All is dark and silent; never raises."""


class VirtualLights:
    """Lights and a buzzer in memory: also those of a device that has none."""

    def __init__(self) -> None:
        self.lit: frozenset[Light] = frozenset()
        self.tunes: list[tuple[Tone, ...]] = []

    def light(self, lit: Collection[Light]) -> None:
        """Keeps which lights are on."""
        self.lit = frozenset(lit)

    def sound(self, tune: Sequence[Tone]) -> None:
        """Keeps the last hundred tunes."""
        self.tunes = [*self.tunes[-99:], tuple(tune)]

    def close(self) -> None:
        """All is dark."""
        self.lit = frozenset()
