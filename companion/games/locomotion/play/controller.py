"""The controller of a game at the table: events in, effects out.

controller = Controller(game, Settings(language="de"))
controller.handle(Tick(0.0))
controller.handle(Seen(reading))
for effect in controller.handle(Pressed(Button.ROLL)): ...
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from companion.dice.box import SYSTEM, Source
from companion.games.at_table.controller import TableController
from companion.games.at_table.tape import Tape
from companion.games.events import Event, Kept, Seen, TakenBack, Touched
from companion.games.locomotion.artwork.map import turned_map
from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.play.desk.desk import Opens
from companion.games.locomotion.play.desk.past import Past
from companion.games.locomotion.play.desk.preparation import Preparation
from companion.games.locomotion.play.desk.puzzles import Puzzles
from companion.games.locomotion.play.dialogs.stepping import Stepping
from companion.games.locomotion.play.dialogs.taking_back import go_back
from companion.games.locomotion.play.layers import OVER_THE_PHASE
from companion.games.locomotion.play.phases.current import CurrentPhase
from companion.games.locomotion.play.phases.preparing import touch
from companion.games.locomotion.record.agreement import Agreement
from companion.games.locomotion.rules import Game
from companion.games.locomotion.rules.state import Setup
from companion.games.locomotion.settings import with_own
from companion.games.locomotion.table.seen import kinds_in
from companion.games.locomotion.wording import Paints
from companion.games.settings import Settings
from companion.screen.screen import NetworkMap, Screen
from hardware.buttons import Button
from vision.watching.table_reading import TableReading

_MOST_STEPS_AT_ONCE: Final = 30


class Controller(TableController[Desk]):
    """Leads people through a game, from setting it up to its end."""

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
        """For a game that goes on, or one that is prepared first; the rest as for a ``Desk``."""
        self._phase = CurrentPhase()
        desk = Desk(
            begun, settings, source=source, agreement=agreement, tape=tape, opens=opens, puzzles=puzzles, past=past
        )
        super().__init__(desk, (*OVER_THE_PHASE, self._phase))

    @property
    def game(self) -> Game:
        """The game as it stands; raises LookupError as long as it is prepared."""
        return self.desk.game

    @property
    def expected_faces(self) -> Collection[str]:
        """What lies and stands there, or is to, as the game's eyes understand it; nothing where anything may."""
        desk = self.desk
        own = own_colours(desk.paints) | own_print(desk)
        if desk.has_begun:
            return expected(desk.state.setup) | own
        wanted = None if desk.preparation is None else desk.preparation.wanted
        if desk.draft is not None:
            return ()
        # Before the game it is seen whether the vehicles have other colours.
        return (frozenset() if wanted is None else expected(wanted.setup)) | own | {"paints"}

    @property
    def held_buttons(self) -> Collection[Button]:
        """The buttons that mean something else when they are held: their presses count when they are let go."""
        return {Button.PASS, Button.BACK}

    def close(self) -> None:
        """Nobody is asked any more."""
        self._phase.close()
        self.desk.leave()

    def _screen(self) -> Screen:
        """Its map lies as the network lies before the camera, whichever way people have laid it."""
        shown = super()._screen()
        if not isinstance(shown.map, NetworkMap):
            return shown
        return replace(shown, map=turned_map(shown.map, self.desk.turned))

    def _written(self) -> int:
        return self.game.changes if self.desk.has_begun else -1

    def _forget_table(self) -> None:
        self.desk.watch.forget()

    def _take(self, event: Event) -> None:
        match event:
            case Seen(reading=reading):
                self.desk.watch.see(reading, self.desk.now)
                _keep_print(self.desk, reading)
            case Touched() if self.desk.preparation is not None and not self.desk.chooses_puzzle:
                touch(self.desk, self.desk.preparation, event)
            case TakenBack():
                go_back(self.desk, event)
            case _:
                super()._take(event)

    def _advance(self) -> None:
        """Does what follows from the table as it lies, step after step."""
        self.desk.advice.look()
        # What people tell step by step counts, whatever is seen meanwhile.
        if isinstance(self.desk.dialog, Stepping):
            return
        for _ in range(_MOST_STEPS_AT_ONCE):
            if not self._phase.of(self.desk).watch(self.desk):
                return


def own_print(desk: Desk) -> frozenset[str]:
    """How the people's own piece looks, in words, or that the eye is to find out once people have said how all lie."""
    if not _is_own(desk):
        return frozenset()
    known = desk.own.own_print
    return frozenset({f"print {known}"} if known else {"print"} if desk.has_begun else ())


def _is_own(desk: Desk) -> bool:
    """Whether it is played with the people's own piece."""
    piece = desk.state.setup.network.piece if desk.preparation is None else desk.preparation.wish.piece
    return desk.own.own_piece == piece


def _keep_print(desk: Desk, reading: TableReading) -> None:
    """The eye has seen how the people's own piece looks: from now on it sees how each of them lies."""
    seen = None if reading.network is None else reading.network.own_print
    if seen and not desk.own.own_print and _is_own(desk):
        desk.use(with_own(desk.settings, own_print=seen))
        desk.send(Kept(desk.settings))


@lru_cache(maxsize=2)
def own_colours(paints: Paints) -> frozenset[str]:
    """The people's own colours, in words."""
    known = [(number, *paint) for number, paint in enumerate(paints, 1) if paint is not None]
    return frozenset(f"colour {number} {red} {green} {blue}" for number, red, green, blue in known)


@lru_cache(maxsize=2)
def expected(setup: Setup) -> frozenset[str]:
    """Where each piece lies and how it heads, and how many vehicles of each kind there are, in words."""
    pieces = (f"piece {placed.cell[0]} {placed.cell[1]} {placed.heading}" for placed in setup.network.pieces)
    counts = Counter(kinds_in(setup))
    vehicles = (
        f"vehicle {kind.colour} {'locomotive' if kind.is_locomotive else 'wagon'} {count}"
        for kind, count in counts.items()
    )
    return frozenset((*pieces, *vehicles))
