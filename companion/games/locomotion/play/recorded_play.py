"""A game of Locomotion that is played: its controller, and the journal that keeps it once it has begun."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from companion.dice.box import Source
from companion.games.at_table.tape import Tape
from companion.games.events import Effect, Event
from companion.games.game import Chapter, Present, Seats
from companion.games.locomotion.artwork.editor import called, editor_drawing
from companion.games.locomotion.artwork.lying import drawing, watched
from companion.games.locomotion.artwork.rails import CELL_MM
from companion.games.locomotion.play.controller import Controller
from companion.games.locomotion.play.desk.past import Past
from companion.games.locomotion.play.desk.preparation import Preparation
from companion.games.locomotion.play.desk.puzzles import Puzzles
from companion.games.locomotion.play.desk.suggestion import Wish
from companion.games.locomotion.play.offering import wish_of
from companion.games.locomotion.play.pasts import told_by_record
from companion.games.locomotion.play.set_up_file import SetUpFile
from companion.games.locomotion.printing.deck import deck_of
from companion.games.locomotion.record.agreement import Agreement, TournamentAgreed, agreement_in
from companion.games.locomotion.record.book import SOLO
from companion.games.locomotion.record.notation import dice_in
from companion.games.locomotion.record.recorded_game import RECORDS
from companion.games.locomotion.record.solo_starts import last_start
from companion.games.locomotion.record.tournaments import Tournaments, new_tournament
from companion.games.locomotion.rulebook.chapters import Table, chapters
from companion.games.locomotion.rules import Game, Phase, State
from companion.games.locomotion.settings import NAME, own
from companion.games.locomotion.strategy.outlook import Outlook
from companion.games.locomotion.wording import Paints, Wording
from companion.games.recorded import Journal
from companion.games.recorded_game import Keep
from companion.games.settings import Settings, nameless
from companion.record.draft import Draft, read_draft
from companion.record.file import RecordError
from hardware.buttons import Button
from vision.cards import Deck


class RecordedPlay:
    """A controller whose game is on the disk as soon as it has begun (``companion.games.game.Play``)."""

    game = NAME

    def __init__(
        self, controller: Controller, journal: Journal | None = None, set_up_file: SetUpFile | None = None
    ) -> None:
        """``journal`` witnesses the controller's game; where that has not begun ``set_up_file`` keeps its set-up."""
        self.controller = controller
        self.journal = journal
        self._set_up_file = set_up_file

    @property
    def settings(self) -> Settings:
        return self.controller.settings

    @property
    def expected_faces(self) -> Collection[str]:
        return self.controller.expected_faces

    @property
    def held_buttons(self) -> Collection[Button]:
        return self.controller.held_buttons

    @property
    def kind(self) -> str:
        """The mode, or that it is played alone."""
        desk = self.controller.desk
        return kind_of(self._state, desk.agreement) if desk.preparation is None else desk.preparation.wish.kind

    @property
    def is_over(self) -> bool:
        """Whether somebody has won."""
        return self.is_set_up and self._state.phase is Phase.OVER

    @property
    def is_set_up(self) -> bool:
        """Whether the game has begun, and with it its record."""
        return self.controller.desk.has_begun

    @property
    def seats(self) -> Seats:
        """The people, and the automatic players behind them."""
        desk = self.controller.desk
        names = self._state.setup.names if desk.preparation is None else desk.preparation.wish.names
        return seats_of(names, desk.agreement)

    @property
    def deck(self) -> Deck:
        """The pieces of rail."""
        preparation = self.controller.desk.preparation
        return deck_of(self._state.setup.network.piece if preparation is None else preparation.wish.piece)

    @property
    def _state(self) -> State:
        return self.controller.game.state

    def handle(self, event: Event) -> list[Effect]:
        effects = self.controller.handle(event)
        if self._set_up_file is not None:
            self._set_up_file.keep(self.controller.desk)
        return effects

    def facts(self) -> Mapping[str, object]:
        """How it stands, as its record tells it; before there is one what lies there, or is to be laid."""
        preparation = self.controller.desk.preparation
        if preparation is not None:
            return {"mode": self.kind, "phase": "preparing", **preparation.facts(self.controller.desk.paints)}
        return {"mode": self.kind, **state_facts(self._state, self.controller.desk.paints)}

    def drawing(self, name: str) -> str:
        """The network, pieces, vehicles, and tools."""
        preparation = self.controller.desk.preparation
        if preparation is None:
            return drawing(self._state.setup.network, name)
        wanted = preparation.wanted
        own = editor_drawing(preparation.wish.piece, name)
        return own if own or wanted is None else drawing(wanted.setup.network, name)

    def called(self, language: str) -> Mapping[str, str]:
        """Vehicles and tools."""
        preparation = self.controller.desk.preparation
        piece = self._state.setup.network.piece if preparation is None else preparation.wish.piece
        paints = self.controller.desk.paints
        return called(piece, Wording(language, paints), paints)

    def present(self) -> Present:
        """The moment, and what was forbidden; before the game with what the table is put right on a page."""
        desk = self.controller.desk
        preparation = desk.preparation
        tools = () if preparation is None or desk.chooses_puzzle else preparation.tools(desk.paints)
        # What is put right is told as the eye sees it, all else as the game counts its dots.
        turn = 0.0 if tools else 90.0 * desk.turned
        return Present(desk.moment, desk.forbidden, tools=tools, cell_mm=CELL_MM, turn_deg=turn)

    def corrections(self, card: int) -> Sequence[str]:  # noqa: ARG002 - there are none
        """None: pieces have no faces to be mistaken."""
        return ()

    def rules(self, language: str) -> Sequence[Chapter]:
        """Those of its mode and knobs."""
        preparation, agreement = self.controller.desk.preparation, self.controller.desk.agreement
        is_tournament = agreement.tournament is not None
        if preparation is not None:
            mode, names, colours, knobs = (wish := preparation.wish).mode, wish.names, wish.colours, wish.knobs
        else:
            setup = self._state.setup
            mode, names, colours, knobs = setup.mode, setup.names, setup.wagon_colours, setup.knobs
        return chapters(Table((mode,), (len(names),), colours, knobs, is_tournament), language)

    def close(self) -> None:
        self.controller.close()
        if self.journal is not None:
            self.journal.close()


def kind_of(state: State, agreement: Agreement) -> str:
    """What of the game is played: as it was agreed, else it is called as the rules call its mode."""
    return agreement.kind or state.setup.mode.value


def seats_of(names: tuple[str, ...], agreement: Agreement) -> Seats:
    """The people sit first."""
    return Seats(names, sum(not agreement.is_automatic(seat) for seat in range(len(names))))


def state_facts(state: State, paints: Paints) -> dict[str, Any]:
    """A state as plain data: how all stands, and where, in the people's own paints."""
    rows = [state.stock.row_of(locomotive) for locomotive in state.drawn]
    return {
        "phase": state.phase.value,
        "turn": state.turns,
        "active": state.active,
        "left": state.left,
        "speeds": list(state.speeds),
        "order": list(state.order),
        "trains": [[state.setup.colours[wagon] for wagon in row[1:]] for row in rows],
        **watched(state, paints),
    }


def begun(wish: Wish, keep: Keep, settings: Settings, source: Source, draft: Draft | None = None) -> RecordedPlay:
    """A game that is prepared; it has its record once it begins. ``draft`` is what was kept of its set-up before."""
    part = own(settings)
    if part.games > 1 and len(wish.names) > 1:
        wish = wish._replace(agreement=replace(wish.agreement, tournament=_tournament(keep, wish.names, part.games)))
    preparation = Preparation(wish, part, is_seen=settings.has_camera)
    puzzles = None if wish.kind != SOLO else _puzzles(wish, keep, part.puzzle_pieces)
    set_up_file = SetUpFile(keep.record, wish.kind, draft)
    set_up_file.take_up(preparation, puzzles)
    play: RecordedPlay

    def opens(start: State, agreement: Agreement) -> Game:
        game, play.journal = RECORDS.start(keep.record, Game(start), settings.occasion, keep.clock, agreement.fields())
        set_up_file.forget()
        return game

    past = Past(keep.books)
    controller = Controller(preparation, settings, source=source, opens=opens, puzzles=puzzles, past=past)
    play = RecordedPlay(controller, set_up_file=set_up_file)
    return play


def _tournament(keep: Keep, names: tuple[str, ...], games: int) -> TournamentAgreed:
    """The tournament that goes on, or another one; another one too where the book cannot be read."""
    nobody = nameless()
    try:
        return Tournaments(keep.books).next_game(["" if name in nobody else name for name in names], games)
    except (RecordError, OSError):
        return new_tournament(games)


def _puzzles(wish: Wish, keep: Keep, pieces: int) -> Puzzles:
    day = "" if keep.clock is None else keep.clock.date()[:10]
    today = int(day.replace("-", "")) if day else None
    again = last_start(keep.books)
    return Puzzles(wish, pieces, today=today, again=again if again is not None and wish.fits(again.state) else None)


def resumed(keep: Keep, settings: Settings, source: Source) -> RecordedPlay:
    """A recorded game where it stood, with the dice that it knows, or one that was set up; raises RecordError."""
    draft = read_draft(keep.record)
    if draft is not None:
        return begun(wish_of(draft.kind, settings), keep, settings, source, draft)
    game, journal, recording = RECORDS.resume(keep.record, keep.clock)
    try:
        tape, agreement = Tape.of_record(recording.lines, dice_in), agreement_in(recording.header)
        controller = Controller(game, settings, source=source, agreement=agreement, tape=tape, past=Past(keep.books))
        controller.desk.certain.update(told_by_record(game))
        if agreement.least is not None and len(game.states) > 1:
            controller.desk.advice.learn(game.states[1], Outlook(agreement.least))
        return RecordedPlay(controller, journal)
    except Exception:
        journal.close()
        raise
