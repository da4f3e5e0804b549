"""The start of a game for one, so that it can be tried again (LSOLO2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from companion.games.locomotion.record import notation
from companion.games.locomotion.record.agreement import Agreement, agreement_in
from companion.games.locomotion.record.recorded_game import RECORDS
from companion.games.locomotion.rules import State
from companion.record.archive import FOLDER, Archive
from companion.record.file import RecordError, read_record

_LOOKED_AT: Final = 20
"""So many records, the last ones: an evening's games."""


class SoloStart(NamedTuple):
    """A game for one before its lots are drawn, and what was agreed: also the order that belongs to it."""

    state: State
    agreement: Agreement

    def played_by(self, names: Sequence[str]) -> SoloStart:
        """The same for another player."""
        setup = msgspec.structs.replace(self.state.setup, names=tuple(names))
        return self._replace(state=msgspec.structs.replace(self.state, setup=setup))


def last_start(books: Path) -> SoloStart | None:
    """That of the last game for one among those that were put away in this folder; None where there is none."""
    return next(_starts(Archive(books / FOLDER)), None)


def _starts(archive: Archive) -> Iterator[SoloStart]:
    for name in islice(archive.names(), _LOOKED_AT):
        path = archive.path(name)
        try:
            recording = read_record(path)
            if recording.header.get("game") != notation.GAME or len(recording.header.get("players", ())) != 1:
                continue
            begun = RECORDS.played(path, recording._replace(lines=recording.lines[:1]))
        except (RecordError, OSError):
            continue
        agreement = msgspec.structs.replace(agreement_in(recording.header), order=begun.state.order)
        if agreement.order:
            yield SoloStart(begun.states[0], agreement)
