"""Everything the rules can object to.

    RuleError (ValueError)
    ├── NotNow       the step does not belong to this moment
    ├── NotAllowed   the step breaks a rule
    │   └── IllegalPlacement   ... of laying, between certain cards of the railway
    └── Impossible   the step contradicts the cards that exist
    UnknownEdition, BadEdition (ValueError)   an edition's data

No state has changed when one is raised. The code is stable; the sentence in other languages stands under it in
``messages/``.
"""

from collections.abc import Sequence
from typing import Final

from companion.games import step
from vision.cards import Face

TEXTS: Final[dict[str, tuple[str, str]]] = {
    # code: (what is wrong, what is allowed instead)
    "not-now": ("You cannot {step} now.", "Now: {allowed}."),
    "cards-in-deck": ("Cards in the deck: {count}; this edition needs {needed}.", "Change the counts in the deck."),
    "too-few-tracks": ("The deck has too few track cards to begin with.", "It needs {needed} or more."),
    "mode": ("This edition is not played in mode {mode}.", "Choose one of: {allowed}."),
    "names": ("Names for mode {mode}: {count}.", "Give {needed}."),
    "rails": (
        "The rails of this deck have not been entered.",
        "Enter two ports for each track card, or play without.",
    ),
    "unknown-card": ("The deck has no card named {card}.", "Use an id of the deck."),
    "no-more-of-it": ("{card}: seen already, {count} of {count}.", "Check which card it is."),
    "pile-empty": (
        "The draw pile is empty.",
        "The last turn is finished, then the hands are laid open.",
    ),
    "hand-empty": ("The hand is empty.", "Roll for the cards laid."),
    "no-hand-to-discard": ("The hand is empty.", "End the turn."),
    "starting-chaos": ("A chaos card cannot be part of the railway.", "Set it aside and draw another."),
    "set-aside-fits": (
        "{card} can be laid.",
        "Only chaos cards and cards that cannot be laid are set aside.",
    ),
    "start-incomplete": (
        "All cards are drawn, but only {laid} of {needed} cards of the initial railway are laid: no other card fits.",
        "Shuffle again, or use a deck with more track cards that fit together.",
    ),
    "starter": ("Player {player} cannot begin.", "These may begin: {allowed}."),
    "direction": ("The direction is fixed in this edition.", "Emma moves towards the last card laid."),
    "hidden-draw": ("A person's card is drawn in secret.", "Draw without naming the card."),
    "open-draw": ("The automaton's card is drawn openly.", "Show which card it is."),
    "not-a-track": ("{card} is not a track card.", "Discard it, or lay a track card."),
    "not-the-drawn": ("The automaton lays the card drawn for it.", "Lay {card}."),
    "another-value": (
        "A {value} after a {laid}: all cards laid in a turn have the same value.",
        "Lay another {laid}, or roll.",
    ),
    "difference": ("{value} next to {front}: difference 2.", "Next to a {front}: {allowed}."),
    "skewed": ("The card is crooked by {degrees}°.", "Lay it upright or across."),
    "rails-apart": ("{mm} mm between the rails.", "Lay it rail to rail with the front card."),
    "rails-turned": ("The rails touch, but do not line up.", "Turn the card so that the track continues."),
    "overlap": ("It overlaps {card}, card {position} of the railway.", "Lay it where the table is free."),
    "dead-end": ("Nothing would fit after it.", "Turn it round, or lay another card."),
    "loop": ("It would close the track into a loop.", "Turn it round, or lay another card."),
    "needs-pose": ("It was not said where the card lies.", "Give its place, or play without rails."),
    "off-any-table": (
        "That is not a place on a table.",
        "Give x and y in mm and the rotation in degrees, each from -{most} to {most}.",
    ),
    "needs-no-pose": ("This game is played without rails.", "Leave the card's place out."),
    "dice-count": ("Dice: {given} instead of {needed}.", "Enter {needed}."),
    "dice-face": ("No die shows that many wheels: {given}.", "A die shows one of: {allowed}."),
    "can-be-laid": ("{card} can be laid, so the automaton does not pass.", "Lay it."),
    "not-a-penalty": ("{card} is not among the penalty cards taken.", "Put down one of: {allowed}."),
    "cannot-combine": (
        "{card} cannot be combined: the top of the pile is {top}.",
        "Put it down without combining.",
    ),
    "cannot-combine-empty": ("{card} cannot be combined: the pile is empty.", "Put it down without combining."),
    "not-chaos": ("{card} is not a chaos card.", "Discard a chaos card, build, or pass."),
    "hand-size": ("Cards laid open: {given}; the hand has {needed}.", "Lay the whole hand open."),
    "already-open": ("This hand does not have to be laid open.", "Lay open the hand of player {allowed}."),
    "nothing-played": ("There is no step to take back.", "Lay the first card."),
    "not-so-many-steps": ("That many steps cannot be taken back: {steps}.", "At least 1, at most {played}."),
    "game-over": ("The game is over.", "Set up a new one."),
    "game-lost": ("Derailed once too often: the game is lost.", "Set up a new one."),
}


STEP_WORDS: Final[dict[str, str]] = {
    "draw": "draw",
    "roll": "roll",
    "pass": "pass",
    "start-card": "lay a card of the initial railway",
    "set-aside": "set a card aside",
    "begin": "begin the game",
    "lay": "lay a card",
    "put": "put a penalty card down",
    "discard": "discard a chaos card",
    "end-turn": "end the turn",
    "lay-open": "lay a hand open",
}


class RuleError(step.RuleError):
    """A step that the rules of LOK'n'ROLL do not allow. Among its details are faces, values, and counts."""

    texts = TEXTS
    step_words = STEP_WORDS

    def word(self, value: object) -> str:
        """A detail as people read it: a face by its id."""
        return value.id if isinstance(value, Face) else super().word(value)


class NotNow(RuleError):
    """The step is a right one, but not at this moment of the game."""


class NotAllowed(RuleError):
    """The step breaks a rule."""


class IllegalPlacement(NotAllowed):
    """A card lies where the rules do not let it lie.

    ``between`` are the railway's cards that it does not go with, counted from the rear, from 0.
    """

    def __init__(self, clause: str, code: str, between: Sequence[int], **details: object) -> None:
        super().__init__(clause, code, **details)
        self.between = tuple(between)


class Impossible(RuleError):
    """The step contradicts the cards that exist: somebody misread or miscounted."""


class UnknownEdition(ValueError):
    """There is no edition of this name."""


class BadEdition(ValueError):
    """An edition's data cannot be."""
