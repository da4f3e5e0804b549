"""What came of games for one, kept from game to game (LSOLO2)."""

from __future__ import annotations

from collections.abc import Collection
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from companion.games.locomotion.record.agreement import Agreement, agreement_in
from companion.games.locomotion.record.notation import header
from companion.games.locomotion.record.recorded_game import RECORDS
from companion.games.locomotion.rules import DrawLots, Game, Knobs, Mode, Phase
from companion.record.file import read_record
from companion.record.occasion import occasion_of
from companion.record.results import Results

_HEADER: Final = {"game": "locomotion", "what": "solo results"}


class Sort(msgspec.Struct, frozen=True):
    """What results have to share to be compared.

    Of a start whose fewest steps are proven it is how large the game is; of any other one only the same start is alike:
    ``start`` names it.
    """

    piece: str
    pieces: int
    wagons: int
    mode: Mode = Mode.DIE
    knobs: Knobs = Knobs()
    start: str = ""


class SoloResult(msgspec.Struct, frozen=True):
    """The end of a game for one. ``start`` names how it began: network, dots, order and rules.

    ``least`` are the fewest steps from there, None where nobody had proven them. ``game`` names the game as its record
    does, and ``date`` says when it began as there.
    """

    player: str
    start: str
    sort: Sort
    steps: int
    turns: int
    least: int | None
    game: str = ""
    date: str = ""

    @property
    def compared(self) -> Sort:
        """Of those of the same player that have this in common ``points`` can be compared."""
        return self.sort if self.least is not None else msgspec.structs.replace(self.sort, start=self.start)

    @property
    def points(self) -> int:
        """The fewer the better: the steps that there were more than the fewest; all where nobody knows the fewest."""
        return self.steps - (self.least or 0)


class SoloResults(Results[SoloResult]):
    """The results of games for one in a file."""

    def __init__(self, folder: Path) -> None:
        """The file in this folder is made with the first result."""
        super().__init__(folder / "locomotion-solo.jsonl", _HEADER, SoloResult)

    def steps_from(self, start: str, player: str) -> tuple[int, ...]:
        """How many steps a player needed from a start, time after time; raises RecordError."""
        return tuple(result.steps for result in self.all() if (result.start, result.player) == (start, player))


def name_of_start(game: Game) -> str:
    """What tells the start of a game for one from others; its lots have been drawn."""
    begun, drawn = game.states[:2]
    told = {**header(begun), "order": drawn.order}
    told.pop("players")
    return sha256(msgspec.json.encode(told)).hexdigest()[:16]


def solo_result(game: Game, agreement: Agreement) -> SoloResult | None:
    """The result of a game, if it is one for one and over."""
    state, setup = game.state, game.state.setup
    if setup.players > 1 or state.phase is not Phase.OVER or not isinstance(game.steps[0], DrawLots):
        return None
    # What another program may have written is believed no further than it can be so.
    least = agreement.least if agreement.least is not None and 0 < agreement.least <= state.steps else None
    network = setup.network
    sort = Sort(network.piece.name, len(network.pieces), setup.wagon_colours, setup.mode, setup.knobs)
    return SoloResult(setup.names[0], name_of_start(game), sort, state.steps, state.turns, least)


def keep_result_of(record: Path, results: SoloResults, nameless: Collection[str] = ()) -> None:
    """Keeps the result of a recorded game if it is one for one that is over; raises RecordError.

    May be called again and again: each game has one result, so none is lost when the power is cut between the last step
    and its result. ``nameless`` are names that stand for nobody.
    """
    recording = read_record(record)
    told = recording.header
    if len(told.get("players", ())) > 1:
        return
    result = solo_result(RECORDS.played(record, recording), agreement_in(told))
    if result is not None:
        player = "" if result.player in nameless else result.player
        named = msgspec.structs.replace(
            result, player=player, game=str(told.get("id", "")), date=occasion_of(told).date
        )
        results.add(named)
