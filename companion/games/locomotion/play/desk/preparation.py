"""What a game is to be played with, before it has a record: what was agreed, and a suggestion of what to set up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from companion.games.locomotion.artwork import editor
from companion.games.locomotion.artwork.lying import vehicle_of, watched
from companion.games.locomotion.networks import NoRoom
from companion.games.locomotion.play.desk.piece_draft import PieceDraft
from companion.games.locomotion.play.desk.suggestion import Suggestion, Wish, placed
from companion.games.locomotion.play.desk.watch import Watch
from companion.games.locomotion.rules import (
    BadNetwork,
    Dot,
    Network,
    PlacedPiece,
    RuleError,
    State,
)
from companion.games.locomotion.rules.network import cells_of, joined, parts_of
from companion.games.locomotion.settings import AS_IT_LIES, BY_LOT, OWN, OwnSettings
from companion.games.locomotion.table.errors import (
    NEW_COLOURS,
    PIECES_DIFFER,
    PLACES_FOR_COLOURS,
    UNSURE,
    Mismatch,
    places_in,
)
from companion.games.locomotion.table.looks import Axes
from companion.games.locomotion.table.new_colours import about_colours
from companion.games.locomotion.table.put_right import NOTHING, PutRight
from companion.games.locomotion.table.seen import kinds_in
from companion.games.locomotion.table.setting_up import beginning, differences, lying_network
from companion.games.locomotion.wording import Paints
from vision.watching.network_reading import Cell, NetworkReading

CUT_OFF: Final = {"apart", "out-of-reach"}
"""What is against the rules where a part of a network is cut off from the rest."""
IN_THE_WAY: Final = {"overlap", "parallel"}
"""What is against them where one of two pieces has to lie elsewhere."""

_OF_VEHICLES: Final = {"LSET4", "LRUN1"}
"""The clauses that what stands there is against, and not what lies there."""


class Preparation:
    """What people set up, with a suggestion where they want one."""

    def __init__(self, wish: Wish, own: OwnSettings, *, is_seen: bool) -> None:
        """``is_seen``: the network can be laid as people like, for a camera reads it; else there is a suggestion."""
        self.wish = wish
        self._own = own
        is_told = own.piece != OWN or own.own_piece is not None or own.network not in {AS_IT_LIES, BY_LOT}
        self.draft = None if is_told else PieceDraft()
        """The people's own piece of rail, as long as it has not been told."""
        self.network: Network | None = None
        """The network that lies there, or should."""
        self.start: State | None = None
        """The game that begins as all lies and stands there; None where that is no set-up."""
        self.problem: RuleError | None = None
        """What is still wrong with it; None where nothing is seen yet."""
        self.put_right = PutRight(wish.piece)
        """What lies and stands there, with what people have put right on a page."""
        self.axes = Axes()
        """How its axes lie beside those of ``network``."""
        self._looked: NetworkReading | None = None
        self._is_told = self._is_laid = False
        self._laid: tuple[tuple[NetworkReading, RuleError | None, Paints], dict[str, Any]] | None = None
        """What a page is told, and of what: it is asked several times a second."""
        self.suggestion: State | None = None
        """What they are to set up, as the game before its first step; None where they lay as they like."""
        self.is_fixed = False
        """Whether it can only begin as it is suggested."""
        self._is_of_colours = False
        """Whether something is suggested as vehicles of other colours need places."""
        self._is_suggested = not is_seen or own.network != AS_IT_LIES
        self._drawn = Suggestion(wish, own)
        if self._is_suggested:
            self._drawn.draw(own.lot)
        self.suggestion = self._drawn.state

    def fix(self, start: State | None) -> None:
        """They are to set up exactly this; None: whatever was suggested before, or they like."""
        self.suggestion, self.is_fixed = start or self._drawn.state, start is not None
        self._looked = self.start = self.problem = None

    def draw_again(self, lot: int) -> None:
        """Another suggestion, by another lot; what was told in its place is dropped."""
        if self._is_told:
            self.put_right, self._is_told = PutRight(self.wish.piece), False
        self._drawn.draw(lot)
        self.suggestion = self._drawn.state
        self._looked = self.start = self.problem = None

    @property
    def is_drawing(self) -> bool:
        """Whether there will be a suggestion that people wait for."""
        return self._drawn.is_drawing and not self.is_fixed

    def take(self) -> None:
        """Takes the suggestion that was drawn meanwhile."""
        if self._drawn.take() and not self.is_fixed:
            self.suggestion = self._drawn.state
            self._looked = self.start = self.problem = None

    def wait(self, seconds: float) -> None:
        """Waits for the suggestion that is drawn, no longer than that, and takes it."""
        self._drawn.wait(seconds)
        self.take()

    def close(self) -> None:
        """Nothing is drawn any more."""
        self._drawn.close()

    @property
    def wanted(self) -> State | None:
        """What they are to set up: the suggestion, if nobody has told another network where no camera reads one."""
        return None if self._is_told else self.suggestion

    @property
    def shown(self) -> State | None:
        """What can be looked at: what can begin as it lies there, else what they are to set up."""
        return None if self.draft is not None else self.start or self.wanted

    def touch(self, tool: str, cell: Cell, to: Cell) -> bool:
        """People put right what lies there, from one cell of a page to another; says whether it can be so."""
        if self.draft is not None:
            return self.draft.touch(tool, cell, to)
        piece = self.wish.piece
        match tool:
            case editor.TURN:
                return self.put_right.turn(cell)
            case editor.TAKE:
                return self.put_right.take(cell)
            case _ if tool == editor.piece_name(piece):
                return self.put_right.lay(cell, to)
        told = vehicle_of(tool)
        return told is not None and self.put_right.stand(cell, told[0])

    def look(self, watch: Watch, *, is_blind: bool, has_own_colours: bool) -> None:
        """What lies there now; where the camera is ``is_blind`` all that people have told.

        ``has_own_colours``: the eye knows people's own vehicles.
        """
        if not self._is_suggested and not self.is_fixed and self.draft is None:
            # Where nobody sees what people lay as they like they need something that can begin; once they have laid
            # something they wait for the camera.
            self._is_laid |= bool(watch.reading and watch.reading.pieces)
            self.suggestion = self._unseen() if is_blind and not self._is_laid else None
        # Where it sees nothing for a while what was put right of its last reading is kept.
        if watch.reading is not None or not self.put_right:
            self.put_right.look(watch.reading or NOTHING)
        self._is_told = is_blind and self.put_right.is_of_people_alone
        is_known = watch.reading is not None or self.put_right
        reading = self.put_right.reading if is_known else None
        if reading is self._looked:
            return
        self._looked, self.start, self.problem = reading, None, None
        if reading is None:
            return
        try:
            self.start = self._fixed_start(reading, watch) if self.is_fixed else self._start_with(reading, watch)
        except RuleError as error:
            told = self._of_colours(reading, has_own=has_own_colours) if error.clause in _OF_VEHICLES else None
            self.problem = told or error
        if self._is_of_colours and self.problem is not None and self.problem.code in PIECES_DIFFER:
            # They go on laying: where vehicles are to stand is asked again.
            self._is_of_colours = self._is_suggested = False
            self._looked = self.suggestion = self._drawn.network = None

    def facts(self, paints: Paints) -> dict[str, Any]:
        """What a page shows (``Play.facts``): what is to be laid, and once most of that is there what lies there."""
        if self.draft is not None:
            return self.draft.facts()
        reading, wanted = self.put_right.reading, self.wanted
        if wanted is not None and not self._is_mostly_laid:
            return watched(wanted, paints)
        shown = reading, self.problem, paints
        if self._laid is None or any(one is not other for one, other in zip(self._laid[0], shown, strict=True)):
            marks = self.marks
            facts = editor.laid(self.wish.piece, reading, lambda cell: self.axes.cell(cell) in marks, paints)
            self._laid = shown, facts
        return self._laid[1]

    @property
    def marks(self) -> set[Dot]:
        """The cells of ``network`` that the problem is about."""
        if self.problem is None:
            return set()
        marks = places_in(self.problem)
        if self.problem.code in CUT_OFF and self.network is not None:
            most = max(parts_of(self.network), key=len)
            marks.update(dot for number, dot in enumerate(self.network.dots) if number not in most)
        elif isinstance(self.problem, BadNetwork) and self._looked is not None:
            pieces = [self._looked.pieces[number] for number in self.problem.pieces]
            marks.update(
                cell for seen in pieces for cell in cells_of(self.wish.piece, PlacedPiece(seen.cell, seen.heading))
            )
        return marks

    def confirm(self) -> bool:
        """People say that all lies as it was read, where that was not sure; says whether that was in question."""
        if self.problem is None or self.problem.code != UNSURE:
            return False
        self.put_right.confirm()
        return True

    def _of_colours(self, reading: NetworkReading, *, has_own: bool) -> Mismatch | None:
        """What is to be done about vehicles of other colours than the known ones, once the network lies there."""
        if self.network is None or self.draft is not None:
            return None
        wanted = self.wanted
        if wanted is None:
            start = self._placed(self.network)
            return None if start is None else about_colours(reading, kinds_in(start.setup), has_own=has_own)
        if wanted.setup.network is not self.network:
            return None
        kinds = kinds_in(wanted.setup)
        places = [self.network.dots[dot] for dot in wanted.stock.dots]
        wanted_there = dict(zip(places, kinds, strict=True))
        return about_colours(self.axes.reading(reading), kinds, wanted_there, has_own=has_own)

    @property
    def asks(self) -> bool:
        """Whether people are asked something that ROLL says yes to."""
        return self.problem is not None and self.problem.code in {UNSURE, NEW_COLOURS, PLACES_FOR_COLOURS}

    @property
    def new_paints(self) -> Paints:
        """The people's own paints, where they are seen and can be learnt."""
        problem = self.problem
        told = problem.details["paints"] if problem is not None and problem.code == NEW_COLOURS else ()
        return told if isinstance(told, tuple) else ()

    def show_places(self) -> bool:
        """Where vehicles of other colours may stand people are told where to put each; says whether that is so."""
        if self.network is None or self.problem is None or self.problem.code != PLACES_FOR_COLOURS:
            return False
        self._is_suggested = self._is_of_colours = True
        self._drawn.network = self.network
        self._drawn.draw(self._own.lot)
        self.suggestion = self._drawn.state
        self._looked = self.start = self.problem = None
        return True

    def _placed(self, network: Network) -> State | None:
        """A start on a network, drawn by lot; None where there is no room."""
        try:
            return placed(self.wish, network, self._own.lot)
        except (BadNetwork, NoRoom):
            return None

    @property
    def _is_mostly_laid(self) -> bool:
        pieces = 0 if self.suggestion is None else len(self.suggestion.setup.network.pieces)
        return 2 * len(self.put_right.reading.pieces) > pieces

    def tools(self, paints: Paints) -> Sequence[str]:
        """With which a page puts that right: there are none as long as it shows what people are to lay."""
        if self.draft is not None:
            return self.draft.tools
        if self._own.network != AS_IT_LIES and not self._is_mostly_laid:
            return ()
        return editor.tools(self.wish.piece, len(self.wish.names), self.wish.colours, paints)

    def _fixed_start(self, reading: NetworkReading, watch: Watch) -> State | None:
        suggestion = self.suggestion
        axes = None if suggestion is None else watch.axes(suggestion, reading)
        if suggestion is None or axes is None:
            return None
        self.network, self.axes = suggestion.setup.network, axes
        wrong = next(differences(reading, axes, suggestion), None)
        if wrong is not None:
            raise wrong
        watch.lies_so(axes)
        return suggestion

    def _start_with(self, reading: NetworkReading, watch: Watch) -> State:
        suggestion = self.wanted
        axes = None if suggestion is None else watch.axes(suggestion, reading)
        if suggestion is not None and axes is not None:
            self.network, self.axes = suggestion.setup.network, axes
            wrong = next(differences(reading, axes, suggestion), None)
            if wrong is None or "cells" not in wrong.details:
                watch.lies_so(axes)
                # What may be read otherwise than it is suggested may be read so as well.
                return suggestion if wrong is None else self._begun_on(axes.reading(reading), self.network, wrong)
            raise wrong
        # What may not lie so is shown so as well.
        self.network, self.axes = joined(self.wish.piece, self.put_right.placed), Axes()
        self.network = lying_network(reading, self.wish.piece)
        watch.lies_so(Axes())
        return self._begun_on(reading, self.network, None)

    def _begun_on(self, reading: NetworkReading, network: Network, wrong: RuleError | None) -> State:
        """Whatever is a set-up will do; what is none is told as what differs from the suggestion."""
        wish = self.wish
        try:
            return beginning(reading, network, wish.names, wish.colours, mode=wish.mode, knobs=wish.knobs)
        except RuleError as error:
            raise wrong or error from error

    def _unseen(self) -> State | None:
        if self._drawn.state is None and not self._drawn.is_drawing:
            self._drawn.draw(self._own.lot)
        return self._drawn.state
