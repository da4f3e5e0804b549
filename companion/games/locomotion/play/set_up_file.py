"""What people have told before their game has a record, beside where that will be: a power cut loses none of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.play.desk.preparation import Preparation
from companion.games.locomotion.play.desk.puzzles import Chosen, Puzzles
from companion.games.locomotion.record import notation
from companion.games.locomotion.record.agreement import agreement_in
from companion.games.locomotion.record.solo_starts import SoloStart
from companion.games.locomotion.rules import BadPiece, Dot, Passage, Piece, RuleError
from companion.games.locomotion.settings import NAME
from companion.games.locomotion.strategy.outlook import Outlook
from companion.games.locomotion.table.put_right import Put
from companion.games.recorded import NotationError
from companion.record.draft import Draft, forget_draft, keep_draft, new_draft


class Told(msgspec.Struct, frozen=True, omit_defaults=True):
    """What stands in the draft of a game.

    ``put`` is what was put right of pieces of this ``piece``; ``tracks`` are those of a piece that is told, by cells.
    ``start`` is the first line of the record of a puzzle that was chosen, and ``grade`` says how hard it is.
    ``lays_own``: alone, people lay a network of their own.
    """

    piece: Piece
    put: Put = Put()
    tracks: tuple[tuple[Dot, frozenset[Passage]], ...] = ()
    start: dict[str, Any] | None = None
    grade: str = ""
    lays_own: bool = False


class SetUpFile:
    """Keeps a set-up until its game has begun."""

    def __init__(self, record: Path, kind: str, draft: Draft | None = None) -> None:
        """``record`` is that of the game of this kind; ``draft`` is what was kept of it before the power was cut."""
        self._record, self._draft = record, draft or new_draft(NAME, kind)
        self._signs: tuple[object, ...] = ()
        if draft is None:
            keep_draft(record, self._draft)

    def take_up(self, preparation: Preparation, puzzles: Puzzles | None) -> None:
        """Goes on with what was told; what cannot be read, or is of other pieces than are set now, was not told."""
        try:
            told = msgspec.json.decode(self._draft.told, type=Told)
            start = None if told.start is None else notation.begun(told.start).states[0]
        except (msgspec.DecodeError, NotationError, BadPiece, RuleError):
            return
        if preparation.draft is not None:
            preparation.draft.tracks = dict(told.tracks)
        if told.piece == preparation.wish.piece:
            preparation.put_right.take_up(told.put)
        if puzzles is None:
            return
        puzzles.lays_own = told.lays_own
        if told.start is not None and start is not None and preparation.wish.fits(start):
            agreement = agreement_in(told.start)
            outlook = None if agreement.least is None else Outlook(agreement.least)
            again = SoloStart(start, agreement).played_by(preparation.wish.names)
            puzzles.chosen = Chosen(again, outlook, told.grade)
            preparation.fix(again.state)

    def keep(self, desk: Desk) -> None:
        """Keeps what people have told meanwhile."""
        preparation, puzzles = desk.preparation, desk.puzzles
        if preparation is None:
            return
        put, draft = preparation.put_right.put, preparation.draft
        chosen = None if puzzles is None else puzzles.chosen
        tracks = None if draft is None else draft.tracks
        lays_own = puzzles is not None and puzzles.lays_own
        signs = (put, tracks, chosen, lays_own)
        # None of these is ever changed, but replaced; this is asked many times a second.
        if len(signs) == len(self._signs) and all(
            now is before for now, before in zip(signs, self._signs, strict=True)
        ):
            return
        self._signs = signs
        told = Told(preparation.wish.piece, put, tuple((tracks or {}).items()), lays_own=lays_own)
        if chosen is not None:
            line = {**notation.header(chosen.start.state), **chosen.start.agreement.fields()}
            told = replace(told, start=line, grade=chosen.grade)
        encoded = msgspec.json.encode(told)
        if encoded != self._draft.told:
            self._draft = replace(self._draft, told=msgspec.Raw(encoded))
            keep_draft(self._record, self._draft)

    def forget(self) -> None:
        """The game has its record."""
        forget_draft(self._record)
