"""What a command cannot do."""

from __future__ import annotations


class CommandError(Exception):
    """A command cannot do what it was asked to; the message says why and what to do."""
