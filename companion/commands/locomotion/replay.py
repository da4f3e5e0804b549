"""``companion locomotion replay``: as ``companion replay``, found beside the rest of the game."""

from companion.commands.replay import add_arguments, run

__all__ = ["add_arguments", "run"]
