"""The controller of a game at the table: events in, effects out, always the same for the same events.

It has no devices, no clock and no chance of its own. Every accepted step is in the game's record before its effects
are given back.

    controller = Controller(game, Settings(language="de"))
    controller.handle(Tick(0.0))
    controller.handle(Seen(reading))
    for effect in controller.handle(Pressed(Button.ROLL)): ...
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final

from companion.dice.box import SYSTEM, Source
from companion.games.at_table.controller import TableController
from companion.games.at_table.lists import ListEntry, Page
from companion.games.at_table.tape import Tape
from companion.games.events import (
    Corrected,
    Event,
    Seen,
    TakenBack,
    Tick,
)
from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.play.dialogs.about_card import AboutCard
from companion.games.loknroll.play.dialogs.choosing import FaceEntry, PlaceEntry
from companion.games.loknroll.play.dialogs.corrections import finish, shown_last
from companion.games.loknroll.play.dialogs.tapping import go_back, put_right
from companion.games.loknroll.play.dialogs.which_card import WhichCard, clarify
from companion.games.loknroll.play.layers import OVER_THE_PHASE
from companion.games.loknroll.play.notes import NoteKeeper, Notes
from companion.games.loknroll.play.phases.current import CurrentPhase
from companion.games.loknroll.rules import Game, Phase, RuleError
from companion.games.loknroll.rules.building import can_be_laid
from companion.games.settings import Settings
from hardware.buttons import Button

_MOST_STEPS_AT_ONCE: Final = 30


class Controller(TableController[Desk]):
    """Leads people through a game."""

    def __init__(
        self,
        game: Game,
        settings: Settings,
        *,
        source: Source = SYSTEM,
        tape: Tape | None = None,
        notes: NoteKeeper | None = None,
        curve: Sequence[int] = (),
    ) -> None:
        """For a game that is new or has been resumed.

        ``tape`` holds its dice (``Tape.of_record``), ``notes`` what a restart must find, ``curve`` past results of a
        solo player. Raises RecordError where a correction that was interrupted cannot be finished.
        """
        self._phase = CurrentPhase()
        desk = Desk(game, settings, source=source, tape=tape, notes=notes, curve=curve)
        super().__init__(desk, (*OVER_THE_PHASE, self._phase))
        self._has_lost_notes = self.desk.notes.were_damaged
        self._finish_correction()
        self._remember()

    def _finish_correction(self) -> None:
        """What a power cut has interrupted; what the rules do not allow was never noted so, and is dropped."""
        desk = self.desk
        try:
            finish(desk)
        except RuleError:
            desk.notes.keep(Notes())
            self._has_lost_notes = True

    def _remember(self) -> None:
        """After a restart: cards of the last two turns may lie there still that were taken away, or have counted."""
        desk = self.desk
        if face := shown_last(desk):
            desk.memory.inherit(face)
        for before, after in pairwise(desk.game.states):
            if after.turn >= desk.state.turn - 1:
                desk.memory.follow(before, after)

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.desk.game

    @property
    def expected_faces(self) -> Collection[str]:
        """The faces that may be laid or shown now: they help the eye between faces that look nearly alike."""
        state = self.desk.state
        unseen = state.unseen()
        faces = [face for face in state.setup.deck.faces if unseen[face.id] > 0]
        if state.phase in {Phase.ACTING, Phase.BUILDING} and state.drawn is None:
            faces = [face for face in faces if not face.is_track or can_be_laid(state, face)]
        drawn = {state.drawn.id} if state.drawn else set()
        return {face.id for face in faces} | drawn

    @property
    def held_buttons(self) -> Collection[Button]:
        """The buttons that mean something else when they are held: their presses count when they are let go."""
        dialog = self.desk.dialog
        if isinstance(dialog, FaceEntry) and dialog.is_held_too:
            return set(Button)
        return {Button.PASS, Button.BACK}

    def _written(self) -> int:
        return self.game.changes

    def _forget_table(self) -> None:
        self.desk.memory.forget()

    def _take(self, event: Event) -> None:
        desk = self.desk
        match event:
            case Tick(seconds=seconds):
                self._tick(seconds)
            case Seen(reading=reading):
                desk.memory.see(reading, desk.now)
            case Corrected():
                put_right(desk, event)
            case TakenBack():
                go_back(desk, event)
            case _:
                super()._take(event)

    def _tick(self, seconds: float) -> None:
        self.desk.clock.tick(seconds)
        if self._has_lost_notes:
            self._has_lost_notes = False
            self.desk.remark(self.desk.word("notes-damaged"))

    def _speaks(self, dialog: object) -> bool:
        return super()._speaks(dialog) or isinstance(dialog, FaceEntry | PlaceEntry)

    def _advance(self) -> None:
        """Does what follows from the table as it lies, step after step."""
        # The card it asks about has been taken away, or read: there is nothing to answer any more.
        if isinstance(self.desk.dialog, (AboutCard, WhichCard)) and self.desk.dialog.is_moot(self.desk):
            self.desk.close()
        for _ in range(_MOST_STEPS_AT_ONCE):
            if self.desk.dialog is not None and not self._may_go_on():
                return
            if clarify(self.desk) or not self._phase.of(self.desk).watch(self.desk):
                return

    def _may_go_on(self) -> bool:
        """Whether what is open is only looked at: then the game goes on below it."""
        return isinstance(self.desk.dialog, (ListEntry, Page)) and self.desk.state.phase is not Phase.SETTING_UP
