"""The records of LOK'n'ROLL."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from companion.games.loknroll.record import notation
from companion.games.loknroll.rules import Game, State
from companion.games.loknroll.rules.steps import AnyStep
from companion.games.recorded import Journal, Records
from companion.record.occasion import NOWHERE, Clock, Occasion

MOST_LINES: Final = 10_000
"""Of a game. A card makes at most 7 steps (draw, lay, roll, put, discard, end-turn, and its part of the rest), so the
110 cards of the largest deck make fewer than 800: each of them can be taken back and done anew six times over."""

RECORDS: Final[Records[Game]] = Records(notation, AnyStep, MOST_LINES)

resume_recorded: Final = RECORDS.resume
save_recorded: Final = RECORDS.save
recorded_start: Final = RECORDS.begun
replay: Final = RECORDS.replay


def start_recorded(
    path: Path, state: State, occasion: Occasion = NOWHERE, clock: Clock | None = None
) -> tuple[Game, Journal]:
    """A new game from its set-up that is recorded in a new file; raises RecordError."""
    return RECORDS.start(path, Game(state), occasion, clock)
