"""The clauses of the rules in plain sentences, as they hold for a mode, knobs, and who plays."""

from __future__ import annotations

from companion.games.game import Chapter, Clause
from companion.games.locomotion.rules import Knobs, Mode
from companion.games.locomotion.rules.clauses import CLAUSES


def chapters(mode: Mode, knobs: Knobs, players: int, language: str) -> list[Chapter]:  # noqa: ARG001
    """The clauses that hold, in the order of the rules."""
    return [Chapter("Locomotion", [Clause(name, text) for name, text in CLAUSES.items()])]
