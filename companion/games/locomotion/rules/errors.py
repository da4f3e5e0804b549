"""Everything the rules can object to.

    RuleError (ValueError)
    ├── NotNow       the step does not belong to this moment
    ├── NotAllowed   the step breaks a rule
    ├── Impossible   the step contradicts what lies there
    └── BadNetwork   pieces that are no network
    BadPiece (ValueError)   a piece's data

No state has changed when one is raised. The code is stable, for sentences in other languages.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.games import step

TEXTS: Final[dict[str, tuple[str, str]]] = {
    # code: (what is wrong, what is allowed instead)
    "piece-count": ("Pieces of rail: {count}.", "A network has 1 to {most}."),
    "off-the-table": (
        "Pieces that are off the table: {pieces}.",
        "Pieces head E, S, W or N and lie within {most} cells.",
    ),
    "overlap": ("Two pieces lie on cell {dot}: {pieces}.", "Lay one of them elsewhere."),
    "apart": ("Pieces that share no track with another: {pieces}.", "Join them to the others."),
    "parallel": (
        "Two pieces are joined side by side along their long sides: {pieces}.",
        "Lay one of them elsewhere.",
    ),
    "out-of-reach": ("A locomotive cannot reach all dots of the pieces {pieces}.", "Join them so that it can."),
    "none-found": ("No network of {count} such pieces was found.", "Try another seed or another number."),
    "not-now": ("Not possible now: {step}.", "Now: {allowed}."),
    "not-over": ("The game is not over: it scores no points yet.", "Play it to the end first."),
    "game-over": ("The game is over.", "Set up a new one."),
    "players": ("Players: {count}.", "{fewest} to {most} can play."),
    "colours": ("Wagon colours: {count}.", "Play with {fewest} to {most}."),
    "locomotives": ("Locomotives: {count}.", "Put {needed} on the network, one for each player."),
    "wagons": (
        "Wagons of colour {colour}: {count}.",
        "Put {needed} of each colour on the network, one for each player.",
    ),
    "no-dot": ("There is no dot at {dot}.", "Choose a dot of the network."),
    "dot-taken": ("Two vehicles stand on {dot}.", "Only one fits on a dot."),
    "cut-off": ("What stands on {dot} cannot be coupled: the dot has no neighbour.", "Choose another dot."),
    "locomotive-cards": ("Locomotive cards: {given}.", "Each player draws one, from 1 to {needed}."),
    "colour-order": ("Colour order: {given}.", "Each colour once, from 1 to {needed}."),
    "roll-off": ("Rolls: {given}.", "{needed}, each from 1 to 6, by those who roll to begin."),
    "die": ("No die shows {given}.", "Enter a number from 1 to 6."),
    "first-speed": ("There is no speed {given}.", "The first speed is 0 to 6."),
    "speed": ("The speed cannot be {given} now: it is {speed}.", "Choose one of: {allowed}."),
    "full-speed": ("The speed must be used in full.", "Go on; steps left: {left}."),
    "not-the-longest": (
        "That way the train stops too early.",
        "Move so that as much of the speed as possible is used.",
    ),
    "not-joined": ("No track leads from {end} to {dot}.", "It can move to: {allowed}."),
    "corner": ("From {end} to {dot} the train would have to turn a corner.", "It can move to: {allowed}."),
    "occupied": ("Something stands on {dot}.", "Move to an empty dot."),
    "no-last-wagon": ("The locomotive has no wagons.", "Move with the locomotive in front."),
    "reversing": (
        "The train may not change its direction within a turn.",
        "Go on in the same direction, or end the turn.",
    ),
    "no-such-wagon": ("There is no wagon {wagon}.", "Choose a wagon on the network."),
    "not-a-wagon": ("{wagon} is a locomotive.", "Only wagons can be coupled."),
    "in-a-train": ("This wagon is coupled to a locomotive.", "Couple wagons without a locomotive."),
    "not-at-an-end": ("This wagon is not at an end of its row.", "Couple the first or the last one."),
    "not-beside": ("This wagon is not next to the end of the train.", "Move up to it first."),
    "no-track-between": (
        "As they stand, no track leads from the end of the train to this wagon.",
        "Move up to it along a track.",
    ),
    "wrong-end": ("The wagon would be in front of the locomotive.", "Couple it at the back."),
    "same-colour": ("Two wagons of colour {colour} in one train.", "Leave one of them behind first."),
    "not-so-many": ("That many wagons cannot be uncoupled: {count}.", "From 1 to {most}."),
    "no-wagons": ("The locomotive has no wagons.", "Couple one first."),
    "gap-needs-a-dot": ("To make the gap the train has to move one dot.", "It can move to: {allowed}."),
    "gap-needs-no-dot": ("The gap is made without moving to another dot.", "Leave the dot out."),
    "nothing-played": ("There is no step to take back.", "Make a step first."),
    "not-so-many-steps": ("That many steps cannot be taken back: {steps}.", "At least 1, at most {played}."),
    "games-agreed": ("Games of the tournament: {count}.", "Agree on 1 or more."),
    "tournament-over": ("All the games agreed on have been played.", "Begin a new tournament."),
}


STEP_WORDS: Final[dict[str, str]] = {
    "draw-lots": "draw lots",
    "roll-off": "roll to see who begins",
    "roll": "roll",
    "choose-speed": "choose a speed",
    "run": "move",
    "couple": "couple",
    "uncouple": "uncouple",
    "end-turn": "end the turn",
    "nowhere": "nowhere",
}
NOWHERE: Final = step.StepName("nowhere")
"""What a train can run to that cannot run: told in words, as the kinds of steps are."""


class RuleError(step.RuleError):
    """A step that the rules of Locomotion do not allow. Among its details are dots, colours, and counts."""

    texts = TEXTS
    step_words = STEP_WORDS

    def word(self, value: object) -> str:
        """A detail as people read it: a dot by its place."""
        is_dot = isinstance(value, tuple) and len(value) == 2 and all(isinstance(item, int) for item in value)
        return str(value) if is_dot else super().word(value)


class NotNow(RuleError):
    """The step is a right one, but not at this moment of the game."""


class NotAllowed(RuleError):
    """The step breaks a rule."""


class Impossible(RuleError):
    """The step contradicts what lies there: somebody misread or miscounted."""


class BadNetwork(RuleError):
    """Pieces that are no network: ``pieces`` are the numbers, from 0, of those that offend."""

    def __init__(self, clause: str, code: str, pieces: Sequence[int] = (), **details: object) -> None:
        super().__init__(clause, code, pieces=[number + 1 for number in pieces], **details)
        self.pieces = tuple(pieces)


class BadPiece(ValueError):
    """A piece's data cannot be."""

    def __init__(self, source: str, reason: str) -> None:
        super().__init__(f"{source} is no piece of rail: {reason}.")
