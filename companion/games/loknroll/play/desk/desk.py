"""The desk: the game, the table, the people's settings, and what is on the screen."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.dice.box import SYSTEM, Source
from companion.games.at_table.desk import PlayDesk
from companion.games.at_table.tape import Tape, wound
from companion.games.at_table.told import Story
from companion.games.loknroll.play.desk.disputes import Disputes, Objection
from companion.games.loknroll.play.notes import NoteKeeper, NotesInMemory
from companion.games.loknroll.play.sentences import drive_lines
from companion.games.loknroll.play.words import Words
from companion.games.loknroll.rules import AnyStep, Begin, Draw, Game, Lay, Pass, Roll, StartCard, State
from companion.games.loknroll.rules.railway.railway import LaidCard
from companion.games.loknroll.settings import own
from companion.games.loknroll.strategy.automaton import Choice, choose_placement
from companion.games.loknroll.table.comparison import Comparison
from companion.games.loknroll.table.memory import Memory
from companion.games.loknroll.table.outline import Outline
from companion.games.settings import Settings
from vision.watching.table_reading import SeenCard


class Desk(PlayDesk):
    """The state of a controller. What must outlive it is in the game's record and in the notes."""

    word: Words

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
        self.tape = tape or Tape()
        self.notes = notes or NotesInMemory()
        self.curve = tuple(curve)
        self.memory = Memory(game.state)
        self.disputes = Disputes()
        self._choice: tuple[State, Choice | None] | None = None
        self._driven: tuple[State, AnyStep, State] | None = None
        """What the story is of."""
        super().__init__(settings, source)
        self._choose()

    def _read_settings(self) -> None:
        self.own = own(self.settings)
        self.word = Words(self.settings.language)

    def forbid(self, clause: str) -> None:
        self.disputes.forbid(clause)

    def _told_again(self, story: Story) -> Story:
        return story if self._driven is None else story._replace(lines=drive_lines(self.word, *self._driven))

    @property
    def state(self) -> State:
        return self.game.state

    @property
    def name(self) -> str:
        """Who is to play."""
        return self.state.setup.names[self.state.active]

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
