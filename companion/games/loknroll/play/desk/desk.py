"""The desk: the game, the table, the people's settings, and what is on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec.structs import replace

from companion.dice.box import SYSTEM, Source
from companion.games.events import Effect, Sound
from companion.games.loknroll.play.desk.clock import Clock, EarlyPress
from companion.games.loknroll.play.desk.disputes import Disputes, Objection
from companion.games.loknroll.play.desk.faults import Faults
from companion.games.loknroll.play.desk.told import Story, Told
from companion.games.loknroll.play.notes import NoteKeeper, NotesInMemory
from companion.games.loknroll.play.sentences import drive_lines
from companion.games.loknroll.play.tape import Tape, wound
from companion.games.loknroll.play.words import Words
from companion.games.loknroll.rules import AnyStep, Begin, Draw, Game, Lay, Pass, Roll, RuleError, StartCard, State
from companion.games.loknroll.rules.railway.railway import LaidCard
from companion.games.loknroll.settings import own
from companion.games.loknroll.strategy.automaton import Choice, choose_placement
from companion.games.loknroll.table.comparison import Comparison
from companion.games.loknroll.table.memory import Memory
from companion.games.loknroll.table.outline import Outline
from companion.games.settings import Settings
from companion.screen.screen import Screen
from hardware.buttons import Button
from vision.watching.table_reading import SeenCard


class Dialog(Protocol):
    """Something that people do with the buttons before the game goes on."""

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:
        """A button was pressed."""

    def screen(self, desk: Desk) -> Screen:
        """What is to be seen."""


class Desk:
    """The state of a controller. What must outlive it is in the game's record and in the notes."""

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
        """``tape`` holds the dice that a resumed game knows already, ``curve`` past results of a solo player."""
        self.game = game
        self.source = source
        self.tape = tape or Tape()
        self.notes = notes or NotesInMemory()
        self.curve = tuple(curve)
        self.memory = Memory(game.state)
        self.clock = Clock()
        self.early = EarlyPress()
        self.faults = Faults()
        self.told = Told()
        self.disputes = Disputes()
        self.dialog: Dialog | None = None
        self._choice: tuple[State, Choice | None] | None = None
        self._driven: tuple[State, AnyStep, State] | None = None
        """What the story is of."""
        self._effects: list[Effect] = []
        self.use(settings)
        self._choose()

    def use(self, settings: Settings) -> None:
        """Changes the settings."""
        self.settings = settings
        self.own = own(settings)
        self.word = Words(settings.language)

    def speak(self, language: str) -> None:
        """Tells everything in this language from now on, also what has been told already."""
        self.use(replace(self.settings, language=language))
        self.told.remark("", self.now)
        if self.story is not None and self._driven is not None:
            self.told.tell(self.story._replace(lines=drive_lines(self.word, *self._driven)))

    @property
    def state(self) -> State:
        return self.game.state

    @property
    def now(self) -> float:
        """The time in seconds."""
        return self.clock.now

    @property
    def name(self) -> str:
        """Who is to play."""
        return self.state.setup.names[self.state.active]

    @property
    def story(self) -> Story | None:
        """What the last drive did."""
        return self.told.story

    @property
    def notice(self) -> str:
        """A remark that is still worth reading."""
        return self.told.notice(self.now)

    @property
    def objection(self) -> Objection | None:
        """What is wrong with a card that lies there."""
        return self.disputes.objection

    # The table

    @property
    def is_blind(self) -> bool:
        """Whether every step is entered with the buttons: no camera, or no way to compare what it sees."""
        return not self.settings.has_camera or self.faults.are_blinding or not self.state.setup.rails

    @property
    def table(self) -> Comparison | None:
        """The table if it is steady; None while something moves, or without a camera."""
        return self._seen if self.memory.rest.is_steady(self.now) else None

    @property
    def outline(self) -> Outline | None:
        """What the camera sees of the table, in the axes of the game; None where nothing tells."""
        return None if self._seen is None else self._seen.outline

    @property
    def _seen(self) -> Comparison | None:
        return None if self.is_blind else self.memory.table

    @property
    def choice(self) -> Choice | None:
        """Where the automaton wants the card that has been drawn for it."""
        return self._choice[1] if self._choice is not None and self._choice[0] is self.state else None

    def _choose(self) -> None:
        """Once, with the card drawn: while people lay it the camera may see another part of the table."""
        state = self.state
        if state.drawn is not None and state.setup.rails and self.choice is None:
            area = None if self._seen is None else self._seen.area
            self._choice = (state, choose_placement(state, state.drawn, area))

    # What is shown and heard

    def open(self, dialog: Dialog) -> None:
        """People are asked something, in place of what they were asked before."""
        self.dialog = dialog

    def close(self) -> None:
        """Nothing is asked any more."""
        self.dialog = None

    def remark(self, text: str) -> None:
        """Says something for a while."""
        self.told.remark(text, self.now)

    def refuse(self, error: RuleError) -> None:
        """Says what the rules object to."""
        self.disputes.forbid(error.clause)
        self.remark(self.word.error(error))

    def sound(self, name: str) -> None:
        """Makes a sound, if sounds are wanted."""
        if self.settings.sounds:
            self.send(Sound(name))

    def send(self, effect: Effect) -> None:
        """Something is to be done outside."""
        self._effects.append(effect)

    def sent(self) -> list[Effect]:
        """What has been sent since this was called last."""
        sent, self._effects = self._effects, []
        return sent

    # Steps of the game

    def do(self, step: AnyStep) -> State:
        """Does a step: it is in the record before this returns; raises RuleError or RecordError."""
        before = self.state
        if isinstance(step, Roll):
            self.tape.put(wound(self.game.steps), step.dice)
        self.game.do(step)
        self._went(before)
        if isinstance(step, (Roll, Pass)) or (isinstance(step, (Lay, Draw)) and before.is_automatons_turn):
            self._tell(before, step)
        elif isinstance(step, Begin):
            self.told.forget()
        return self.state

    def lay(self, step: Lay | StartCard, card: SeenCard | None = None) -> None:
        """Lays a card that the camera has seen, or that it need not see."""
        self.do(step)
        if card is None:
            self.disputes.excuse(self.state.railway.front if isinstance(step, StartCard) else self._laid_card(step))
        else:
            self.memory.faces.take(card)

    def _laid_card(self, step: Lay) -> LaidCard:
        laid = [card for card in self.state.railway.cards if card.pose == step.pose]
        return laid[-1] if laid else self.state.railway.front

    def take_back(self, count: int) -> State:
        """Takes steps back; raises RuleError or RecordError."""
        before = self.state
        self.game.take_back(count)
        self._went(before)
        self.told.forget()
        return self.state

    def _went(self, before: State) -> None:
        self.memory.follow(before, self.state)
        self.disputes.step()
        self.clock.step()
        self.close()
        self._choose()

    def _tell(self, before: State, step: AnyStep) -> None:
        dice = step.dice if isinstance(step, Roll) else ()
        self._driven = (before, step, self.state)
        lines = drive_lines(self.word, *self._driven)
        self.told.tell(Story(before.setup.names[before.active], lines, dice, self.now))

    def dice(self, count: int) -> tuple[int, ...]:
        """The dice that fall next."""
        return self.tape.next(self.game.steps, self.state.setup.edition.die, count, self.source)

    @property
    def hand(self) -> tuple[str, ...]:
        """The cards of the hand that is being laid open, as far as they have been shown."""
        notes = self.notes.read()
        is_now = notes.hand_at == len(self.game.steps)
        return notes.hand if is_now and all(face in self.state.setup.deck for face in notes.hand) else ()

    def can_be_added(self, face: str) -> bool:
        """Whether that hand can have one more card of this face."""
        return self.hand.count(face) < self.state.unseen()[face]

    def keep_hand(self, hand: tuple[str, ...]) -> None:
        """Keeps what has been shown of a hand; raises RecordError."""
        self.notes.keep(replace(self.notes.read(), hand=hand, hand_at=len(self.game.steps)))
        self.disputes.permit()
