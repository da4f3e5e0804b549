"""What happens in a game, one thing at a time. In JSON a step's kind stands under ``step``.

A step holds only what the table tells; what follows from it is worked out by the rules.
"""

from __future__ import annotations

from companion.games.step import Step


class DrawLots(Step, frozen=True, tag="draw-lots"):
    """Locomotive cards are drawn and wagon cards turned up (LSET5, LSET6).

    ``locomotives`` says for each player which one is theirs, ``order`` the colours from the locomotive on; both from 1.
    """

    locomotives: tuple[int, ...]
    order: tuple[int, ...]


class RollOff(Step, frozen=True, tag="roll-off"):
    """Those who may still begin roll for it, clockwise (LDIE1)."""

    rolls: tuple[int, ...]

    @property
    def fallen(self) -> tuple[int, ...]:
        return self.rolls


class Roll(Step, frozen=True, tag="roll"):
    """The die is rolled for a turn (LDIE2)."""

    number: int

    @property
    def fallen(self) -> tuple[int, ...]:
        return (self.number,)


class ChooseSpeed(Step, frozen=True, tag="choose-speed"):
    """A speed card is laid open, or lies on (LSPD1, LSPD2)."""

    speed: int


class Run(Step, frozen=True, tag="run"):
    """The train runs one dot: its locomotive leads, ``backwards`` its last wagon (LRUN3). ``to`` is x and y."""

    to: tuple[int, int]
    backwards: bool = False


class Couple(Step, frozen=True, tag="couple"):
    """The end of the train is coupled to a wagon, and with it to the whole cut (LCPL2). ``wagon`` is its number."""

    wagon: int


class Uncouple(Step, frozen=True, tag="uncouple"):
    """The last wagons are left standing (LCPL3).

    ``to`` is where the train moves off to, with the knob ``gap`` at ``a_dot``.
    """

    count: int
    to: tuple[int, int] | None = None


class EndTurn(Step, frozen=True, tag="end-turn"):
    """The steps that are left lapse (LDIE2)."""


Motion = Run | Couple | Uncouple
"""What a train does; each costs a step of the turn."""
AnyStep = DrawLots | RollOff | Roll | ChooseSpeed | Motion | EndTurn
