"""The records of Locomotion."""

from __future__ import annotations

from typing import Final

from companion.games.locomotion.record import notation
from companion.games.locomotion.rules import Game
from companion.games.locomotion.rules.steps import AnyStep
from companion.games.recorded import Records

MOST_LINES: Final = 10_000
"""Of a game: more than ten hours at a step every four seconds."""

RECORDS: Final[Records[Game]] = Records(notation, AnyStep, MOST_LINES)
