"""What all parts of the controller work at: the game, the table, the people's settings, and what is on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from msgspec.structs import replace

from companion.dice.box import SYSTEM, Source
from companion.games.loknroll.play.notes import NoteKeeper, NotesInMemory
from companion.games.loknroll.play.tape import Tape, wound
from companion.games.loknroll.rules import AnyStep, Begin, Draw, Game, Lay, Pass, Roll, StartCard, State
from companion.games.loknroll.rules.railway.railway import LaidCard
from companion.games.loknroll.strategy.automaton import Choice, choose_placement
from companion.games.loknroll.table.comparison import Comparison
from companion.games.loknroll.table.memory import Memory
from companion.games.loknroll.table.outline import Outline
from companion.games.loknroll.wording import Wording
from companion.games.settings import Settings
from companion.screen.screen import Screen
from companion.texts.language import Texts
from hardware.buttons import Button
from vision.watching.table_reading import SeenCard

if TYPE_CHECKING:
    from companion.games.events import Effect

NOTICE_SECONDS: Final = 6.0


class Dialog(Protocol):
    """Something that people do with the buttons before the game goes on."""

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:
        """A button was pressed."""

    def screen(self, desk: Desk) -> Screen:
        """What is to be seen."""


class Objection(NamedTuple):
    """What is wrong with a card on the table, and what to do. ``can_stay``: people may leave it as it lies."""

    text: str
    card: SeenCard
    advice: str = ""
    marked: tuple[int, ...] = ()
    is_place: bool = False
    can_stay: bool = False


class Story(NamedTuple):
    """What the last drive did, to be told and shown again: its sentences, its dice, and when it began."""

    heading: str
    lines: tuple[str, ...]
    dice: tuple[int, ...]
    at_seconds: float


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
    ) -> None:
        """``tape`` holds the dice that a resumed game knows already."""
        self.game = game
        self.source = source
        self.tape = tape or Tape()
        self.notes = notes or NotesInMemory()
        self.memory = Memory(game.state)
        self.now = 0.0
        self.stepped_at = float("-inf")
        self.faults: dict[str, str] = {}
        self.dialog: Dialog | None = None
        self.objection: Objection | None = None
        self.story: Story | None = None
        self.queued: tuple[Button, float] | None = None
        self.accepted: frozenset[tuple[str, int]] = frozenset()
        self.excused: set[LaidCard] = set()
        self._choice: tuple[State, Choice | None] | None = None
        self.passed_at = float("-inf")
        self.curve: tuple[int, ...] = ()
        self.effects: list[Effect] = []
        self._notice = ("", 0.0)
        self.use(settings)
        self._choose()

    def use(self, settings: Settings) -> None:
        """Changes the settings."""
        self.settings = settings
        self.say = Texts(settings.language, "companion.texts")
        self.rules = Wording(settings.language)

    @property
    def state(self) -> State:
        """How the game stands."""
        return self.game.state

    @property
    def is_blind(self) -> bool:
        """Whether every step is entered with the buttons: no camera, or no way to compare what it sees."""
        return not self.settings.has_camera or "camera" in self.faults or not self.state.setup.rails

    @property
    def table(self) -> Comparison | None:
        """The table if it is steady; None while something moves, or without a camera."""
        if self.is_blind or not self.memory.is_steady(self.now):
            return None
        return self.memory.table

    @property
    def outline(self) -> Outline | None:
        """What the camera sees of the table, in the axes of the game; None where nothing tells."""
        table = None if self.is_blind else self.memory.table
        return None if table is None else table.outline

    @property
    def choice(self) -> Choice | None:
        """Where the automaton wants the card that has been drawn for it."""
        return self._choice[1] if self._choice is not None and self._choice[0] is self.state else None

    def _choose(self) -> None:
        """Once, with the card drawn: while people lay it the camera may see another part of the table."""
        state = self.state
        if state.drawn is None or not state.setup.rails or self.choice is not None:
            return
        table = None if self.is_blind else self.memory.table
        self._choice = (state, choose_placement(state, state.drawn, None if table is None else table.area))

    @property
    def name(self) -> str:
        """Who is to play."""
        return self.state.setup.names[self.state.active]

    @property
    def notice(self) -> str:
        """A remark that is still worth reading."""
        text, until = self._notice
        return text if self.now < until else ""

    def remark(self, text: str) -> None:
        """Says something for a while."""
        self._notice = (text, self.now + NOTICE_SECONDS)

    def sound(self, name: str) -> None:
        """Makes a sound, if sounds are wanted."""
        from companion.games.events import Sound

        if self.settings.sounds:
            self.effects.append(Sound(name))

    def word(self, key: str, **details: object) -> str:
        """A sentence of the controller; what is no word of the game is one of the device, as "back"."""
        if f"play.{key}" in self.rules:
            return self.rules.counted(f"play.{key}", **details)
        return self.say.counted(f"control.{key}", **details)

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
            self.story = None
        return self.state

    def lay(self, step: Lay | StartCard, card: SeenCard | None = None) -> None:
        """Lays a card that the camera has seen, or that it need not see."""
        self.do(step)
        if card is None:
            self.excused.add(self.state.railway.front if isinstance(step, StartCard) else self._laid_card(step))
        else:
            self.memory.take(card)

    def _laid_card(self, step: Lay) -> LaidCard:
        laid = [card for card in self.state.railway.cards if card.pose == step.pose]
        return laid[-1] if laid else self.state.railway.front

    def take_back(self, count: int) -> State:
        """Takes steps back; raises RuleError or RecordError."""
        before = self.state
        self.game.take_back(count)
        self._went(before)
        self.story = None
        return self.state

    def dice(self, count: int) -> tuple[int, ...]:
        """The dice that fall next."""
        return self.tape.next(self.game.steps, self.state.setup.edition.die, count, self.source)

    def _went(self, before: State) -> None:
        self.memory.follow(before, self.state)
        self._choose()
        self.objection = None
        self.dialog = None
        self.accepted = frozenset()
        self.stepped_at = self.now

    def _tell(self, before: State, step: AnyStep) -> None:
        from companion.games.loknroll.play.sentences import drive_lines

        dice = step.dice if isinstance(step, Roll) else ()
        name = before.setup.names[before.active]
        self.story = Story(name, drive_lines(self, before, step), dice, self.now)

    @property
    def hand(self) -> tuple[str, ...]:
        """The cards of the hand that is being laid open, as far as they have been shown."""
        notes = self.notes.read()
        return notes.hand if notes.hand_at == len(self.game.steps) else ()

    def keep_hand(self, hand: tuple[str, ...]) -> None:
        """Keeps what has been shown of a hand; raises RecordError."""
        self.notes.keep(replace(self.notes.read(), hand=hand, hand_at=len(self.game.steps)))
