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
from companion.games.events import Effect, Event, Fault, Pressed, Restored, Seen, Show, Tick
from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.play.dialogs.another import Another
from companion.games.loknroll.play.dialogs.choosing import FaceEntry, ListEntry
from companion.games.loknroll.play.dialogs.corrections import correct, finish, put_in_place, shown_last
from companion.games.loknroll.play.dialogs.looking import Page, look
from companion.games.loknroll.play.dialogs.taking_back import take_back
from companion.games.loknroll.play.notes import NoteKeeper
from companion.games.loknroll.play.phases.betsy import Betsy
from companion.games.loknroll.play.phases.building import Building
from companion.games.loknroll.play.phases.discarding import Discarding
from companion.games.loknroll.play.phases.drawing import Drawing
from companion.games.loknroll.play.phases.ending import Hands, Over
from companion.games.loknroll.play.phases.piles import Piles
from companion.games.loknroll.play.phases.setting_up import SettingUp
from companion.games.loknroll.play.showing import screen
from companion.games.loknroll.play.tape import Tape
from companion.games.loknroll.play.trouble import accept, trouble
from companion.games.loknroll.rules import Game, Phase, RuleError
from companion.games.loknroll.rules.railway.building import can_be_laid
from companion.games.loknroll.rules.setting_up import railway_is_ready
from companion.games.settings import Settings
from companion.record.file import RecordError
from companion.screen.screen import Screen
from hardware.buttons import Button

_MOST_STEPS_AT_ONCE: Final = 30
_FAULT_SECONDS: Final = 8.0
"""So long people are told that a step could not be recorded, if they do not succeed sooner."""


class Controller:
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
        self.desk = Desk(game, settings, source=source, tape=tape, notes=notes)
        self.desk.curve = tuple(curve)
        self._building, self._betsy = Building(), Betsy()
        self._others: dict[Phase, SettingUp | Drawing | Discarding | Piles | Hands | Over] = {
            Phase.SETTING_UP: SettingUp(),
            Phase.DRAWING: Drawing(),
            Phase.DISCARDING: Discarding(),
            Phase.PUTTING: Piles(),
            Phase.LAYING_OPEN: Hands(),
            Phase.OVER: Over(),
        }
        self._shown: Screen | None = None
        self._unrecorded_at = float("-inf")
        finish(self.desk)
        self._remember()

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
    def settings(self) -> Settings:
        """The people's settings."""
        return self.desk.settings

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

    def handle(self, event: Event) -> list[Effect]:
        """What is to be done about an event; the screen only where it has changed."""
        desk = self.desk
        desk.effects = []
        done = len(desk.game.steps)
        try:
            self._take(event)
            self._advance()
        except RecordError as error:
            desk.faults["record"] = str(error)
            self._unrecorded_at = desk.now
        except RuleError as error:
            desk.remark(desk.rules.error(error))
        if len(desk.game.steps) != done or desk.now - self._unrecorded_at > _FAULT_SECONDS:
            desk.faults.pop("record", None)
        shown = screen(desk, self._phase())
        if shown != self._shown:
            self._shown = shown
            desk.effects.append(Show(shown))
        return desk.effects

    def _phase(self) -> Building | Betsy | SettingUp | Drawing | Discarding | Piles | Hands | Over:
        state = self.desk.state
        if state.phase in {Phase.ACTING, Phase.BUILDING}:
            return self._betsy if state.is_automatons_turn else self._building
        return self._others[state.phase]

    def _take(self, event: Event) -> None:
        desk = self.desk
        match event:
            case Tick(seconds=seconds):
                desk.now = max(desk.now, seconds)
            case Seen(reading=reading):
                desk.memory.see(reading, desk.now)
            case Fault(device=device, message=message):
                if device == "camera" and "camera" not in desk.faults:
                    desk.memory.forget()
                if device not in desk.faults:
                    desk.sound("wrong")
                desk.faults[device] = message
            case Restored(device=device):
                desk.faults.pop(device, None)
            case Pressed(button=button, held=held):
                self._press(button, held=held)

    def _press(self, button: Button, *, held: bool) -> None:
        desk = self.desk
        if desk.dialog is not None:
            desk.dialog.press(desk, button, held=held)
        elif button is Button.PASS and held:
            correct(desk)
        elif button is Button.BACK and desk.queued is not None:
            desk.queued = None
        elif button is Button.BACK and not (desk.state.phase is Phase.LAYING_OPEN and desk.hand):
            take_back(desk, held=held)
        elif desk.objection is not None and button is Button.PASS:
            correct(desk)
        elif desk.objection is not None and button is Button.ROLL and not desk.objection.can_stay:
            if desk.objection.is_place:
                put_in_place(desk)
            else:
                desk.sound("wrong")
        elif button is Button.ROLL and trouble(desk):
            accept(desk)
        elif button is Button.UP and desk.state.phase is not Phase.PUTTING and not self._chooses_with_arrows():
            look(desk)
        else:
            self._phase().press(desk, button)

    def _chooses_with_arrows(self) -> bool:
        return self.desk.state.phase is Phase.SETTING_UP and railway_is_ready(self.desk.state)

    def _advance(self) -> None:
        """Does what follows from the table as it lies, step after step."""
        if isinstance(self.desk.dialog, Another) and self.desk.dialog.is_moot(self.desk):
            self.desk.dialog = None
        for _ in range(_MOST_STEPS_AT_ONCE):
            if self.desk.dialog is not None and not self._may_go_on():
                return
            if not self._phase().watch(self.desk):
                return

    def _may_go_on(self) -> bool:
        """Whether what is open is only looked at: then the game goes on below it."""
        return isinstance(self.desk.dialog, (ListEntry, Page)) and self.desk.state.phase is not Phase.SETTING_UP
