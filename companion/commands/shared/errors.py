"""What a command cannot do."""

from __future__ import annotations


class CommandError(Exception):
    """A command cannot do what it was asked to; the message says why and what to do."""


class ArgumentsError(CommandError):
    """The arguments are not right, and the command says so itself, in the language asked for."""
