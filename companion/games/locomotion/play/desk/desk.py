"""The desk: the game, or what it is to be, the table, the people's settings, and what is on the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy

from companion.dice.box import SYSTEM, Source
from companion.games.at_table.desk import PlayDesk
from companion.games.at_table.tape import Tape, wound
from companion.games.at_table.told import Story
from companion.games.locomotion.play.desk.advice import Advice
from companion.games.locomotion.play.desk.past import Past
from companion.games.locomotion.play.desk.piece_draft import PieceDraft
from companion.games.locomotion.play.desk.preparation import CUT_OFF, IN_THE_WAY, Preparation
from companion.games.locomotion.play.desk.puzzles import Puzzles
from companion.games.locomotion.play.desk.turn import Turn
from companion.games.locomotion.play.desk.watch import Watch
from companion.games.locomotion.play.words import Words
from companion.games.locomotion.record.agreement import Agreement
from companion.games.locomotion.rules import AnyStep, BadNetwork, Game, Phase, RuleError, Side, State
from companion.games.locomotion.rules.sides import turned_cell
from companion.games.locomotion.rules.state import SIDES_OF_A_DIE
from companion.games.locomotion.settings import own
from companion.games.locomotion.table.seen import Seen
from companion.games.locomotion.wording import Paints, Shift
from companion.games.settings import Settings

Opens = Callable[[State, Agreement], Game]
"""Begins the record of a game, from its state before the first step; raises RecordError."""


class Desk(PlayDesk):
    """The state of a controller. What must outlive it is in the game's record; before that, on the table."""

    word: Words

    def __init__(
        self,
        begun: Game | Preparation,
        settings: Settings,
        *,
        source: Source = SYSTEM,
        agreement: Agreement | None = None,
        tape: Tape | None = None,
        opens: Opens | None = None,
        puzzles: Puzzles | None = None,
        past: Past | None = None,
    ) -> None:
        """``agreement`` and ``tape`` are those of a game that goes on; ``opens`` begins one that is prepared.

        ``puzzles`` are those from which one is chosen first, ``past`` is what is known of games before.
        """
        self.preparation = begun if isinstance(begun, Preparation) else None
        self._game = begun if isinstance(begun, Game) else None
        self._opens = opens
        self.agreement = begun.wish.agreement if isinstance(begun, Preparation) else agreement or Agreement()
        self.tape = tape or Tape()
        self.puzzles = puzzles
        self.past = past or Past()
        self.advice = Advice()
        self.watch = Watch()
        self.turn, self.last_turn = Turn(), Turn()
        """What is seen of the turn that goes on, and of the one that has just ended, as people may think again."""
        self.certain: set[int] = set()
        """The numbers of the turns of which people have said what was coupled."""
        self.wanted: tuple[State, State] | None = None
        """How an automatic player wants all to stand at the end of its turn, and in which state that was."""
        self.forbidden = ""
        """The clause that forbade what was tried last; "" once something has been accepted since."""
        super().__init__(settings, source)

    def _read_settings(self) -> None:
        self.own = own(self.settings)
        self.word = Words(self.settings.language, self.paints)

    def forbid(self, clause: str) -> None:
        self.forbidden = clause

    def _told_again(self, story: Story) -> Story:
        return story

    @property
    def game(self) -> Game:
        """The game; raises LookupError as long as it is prepared."""
        if self._game is None:
            raise LookupError("the game has not begun yet")
        return self._game

    @property
    def has_begun(self) -> bool:
        """Whether there is a game, and its record."""
        return self._game is not None

    @property
    def draft(self) -> PieceDraft | None:
        """The people's own piece of rail, while it is told."""
        return None if self.preparation is None else self.preparation.draft

    @property
    def paints(self) -> Paints:
        """Those of the people's own vehicles; of a game that goes on as they were when it began."""
        return self.agreement.paints if self.has_begun else self.own.paints

    @property
    def chooses_puzzle(self) -> bool:
        """Whether it is still open which puzzle is to be played alone."""
        puzzles = self.puzzles
        return (
            self.draft is None
            and not self.has_begun
            and puzzles is not None
            and not puzzles.lays_own
            and puzzles.chosen is None
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Who plays."""
        return self.state.setup.names if self.preparation is None else self.preparation.wish.names

    @property
    def state(self) -> State:
        """How the game stands; raises LookupError as long as it is prepared."""
        return self.game.state

    @property
    def moment(self) -> str:
        """Names how the game stands: of two moments of that name only one has been."""
        return str(self.game.changes) if self.has_begun else ""

    @property
    def name(self) -> str:
        """Who is to play."""
        return self.state.setup.names[self.state.active]

    @property
    def is_automatic(self) -> bool:
        """Whether the companion plays for who is to play."""
        return self.agreement.is_automatic(self.state.active)

    @property
    def turn_begun(self) -> State:
        """The state when the turn that goes on had its die, or its speed."""
        game, turn = self.game, self.state.turns
        states = [state for state in game.states if state.turns == turn and state.phase is Phase.MOVING]
        return states[0] if states else self.state

    # The table

    @property
    def is_blind(self) -> bool:
        """Whether every step is entered with the buttons: no camera, or it sees nothing."""
        return not self.settings.has_camera or self.faults.are_blinding

    @property
    def seen(self) -> Seen | None:
        """What stands on the dots if the table is steady; None while something moves, and without a camera."""
        if self.is_blind or not self.watch.rest.is_steady(self.now):
            return None
        return self.watch.seen(self.state)

    @property
    def turned(self) -> Side:
        """How the network lies on the table, as the camera sees it: turned so far from how the game counts its dots."""
        axes = self.watch.known_axes if self.preparation is None else self.preparation.axes
        return Side(-axes.turn % 4)

    def reason(self, error: RuleError) -> tuple[str, str]:
        """What is wrong and what to do, with right and left as on the table."""
        shift = error.details.get("shift")
        if isinstance(shift, Shift):
            error = copy(error)
            error.details = {**error.details, "shift": Shift(*turned_cell(shift, self.turned))}
        # The numbers of pieces are nowhere on the table: they are marked.
        if isinstance(error, BadNetwork) and error.code in CUT_OFF:
            return self.word("part-cut-off"), self.word("join-part")
        if isinstance(error, BadNetwork) and error.code in IN_THE_WAY:
            return self.word(error.code), self.word("lay-elsewhere")
        return self.word.reason(error)

    @property
    def goal(self) -> State:
        """How all should stand; in the turn of an automatic player at its end."""
        return self.state if self.wanted is None or self.wanted[0] is not self.state else self.wanted[1]

    def accept(self) -> None:
        """People say that all stands as it should."""
        self.watch.accept(self.goal)

    # Steps of the game

    def leave(self) -> None:
        """Nothing is thought about any more."""
        self.advice.close()
        if self.puzzles is not None:
            self.puzzles.close()
        if self.preparation is not None:
            self.preparation.close()

    def begin(self, start: State) -> None:
        """The game begins as it stands there; raises RecordError."""
        if self._opens is None:
            raise LookupError("nobody keeps the game's record")
        self._game = self._opens(start, self.agreement)
        self.preparation = None

    def do(self, step: AnyStep) -> State:
        """Does a step: it is in the record before this returns; raises RuleError or RecordError."""
        if step.fallen:
            self.tape.put(wound(self.game.steps), step.fallen)
        self.game.do(step)
        self._went()
        return self.state

    def take_back(self, count: int) -> State:
        """Takes steps back; raises RuleError or RecordError."""
        self.game.take_back(count)
        self.certain = {turn for turn in self.certain if turn < self.state.turns}
        self._went()
        self.told.forget()
        return self.state

    def replace(self, count: int, steps: Sequence[AnyStep]) -> State:
        """The last steps were other ones; they are in the record, all or none; raises RuleError or RecordError."""
        wound_to = wound(self.game.steps[:-count])
        self.game.replace(count, steps)
        for step in steps:
            self.tape.put(wound_to, step.fallen)
            wound_to += len(step.fallen)
        self._went()
        self.told.forget()
        return self.state

    def _went(self) -> None:
        self.forbidden = ""
        self.clock.step()
        self.close()
        self.turn = Turn()

    def dice(self, count: int) -> tuple[int, ...]:
        """The dice that fall next."""
        return self.tape.next(self.game.steps, range(1, SIDES_OF_A_DIE + 1), count, self.source)
