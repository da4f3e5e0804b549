"""The steps of a game: what people and cards do, one thing at a time.

A step holds only what the table tells; what follows from it is worked out by the rules. Faces stand as ids of the
deck. In JSON a step's kind stands under ``step``.
"""

from __future__ import annotations

from companion.games.step import Step
from vision.cards import Pose


class StartCard(Step, frozen=True, tag="start-card"):
    """A card of the initial railway is laid (SET2)."""

    face: str
    pose: Pose | None = None


class SetAside(Step, frozen=True, tag="set-aside"):
    """A card drawn for the initial railway is set aside (SET3)."""

    face: str


class Begin(Step, frozen=True, tag="begin"):
    """Set-aside cards are shuffled in, cards removed, hands dealt (SET3 to SET9).

    ``starter`` is the first player's number; ``reverse`` turns Emma round where players choose the direction.
    """

    starter: int
    reverse: bool = False


class Draw(Step, frozen=True, tag="draw"):
    """The active player draws: openly for the automaton, else in secret and without a face (TURN1, BET1)."""

    face: str | None = None


class Lay(Step, frozen=True, tag="lay"):
    """A card is laid to the front of the railway (LAY0 to LAY5)."""

    face: str
    pose: Pose | None = None


class Roll(Step, frozen=True, tag="roll"):
    """The dice are rolled for the cards laid: the wheels on each die (ROLL1)."""

    dice: tuple[int, ...]

    @property
    def fallen(self) -> tuple[int, ...]:
        return self.dice


class Pass(Step, frozen=True, tag="pass"):
    """The active player passes (PASS1)."""


class Put(Step, frozen=True, tag="put"):
    """A penalty card is put onto the own discard pile, combined or not (PEN3, CMB1)."""

    face: str
    combine: bool = False


class Discard(Step, frozen=True, tag="discard"):
    """A chaos card goes from the hand onto the own discard pile, combined or not (CHA1)."""

    face: str
    combine: bool = False


class EndTurn(Step, frozen=True, tag="end-turn"):
    """The player discards no further chaos card (TURN3)."""


class LayOpen(Step, frozen=True, tag="lay-open"):
    """A hand is laid open at the end of the game (END2)."""

    player: int
    faces: tuple[str, ...]


AnyStep = StartCard | SetAside | Begin | Draw | Lay | Roll | Pass | Put | Discard | EndTurn | LayOpen
