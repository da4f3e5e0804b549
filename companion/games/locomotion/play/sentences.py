"""What a turn has done, and what is wanted, in short sentences."""

from __future__ import annotations

from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.rules import State


def order_line(desk: Desk) -> str:
    """The colours as they are wanted, from the locomotive on."""
    return desk.word("order", colours=[desk.word.colour(colour) for colour in desk.state.order])


def turn_line(desk: Desk, before: State, after: State) -> str:
    """How many steps of a turn were done, and what the train has behind its locomotive now that it had not before."""
    count = after.steps - before.steps
    return desk.word("steps-of", count=count, left=before.left)
