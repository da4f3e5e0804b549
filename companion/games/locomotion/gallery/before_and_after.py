"""Screens before the first turn and after the last one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from companion.games.events import Touched
from companion.games.locomotion.gallery.rehearsal import (
    NAMES,
    Rehearsal,
    dealt,
    ending,
    in_other_paints,
    reading_of,
)
from companion.games.locomotion.printing.outline import CELL_MM
from companion.games.locomotion.rules import Mode
from companion.games.locomotion.rules.piece import PIECES
from companion.games.locomotion.settings import BY_LOT, OWN, with_own
from companion.games.settings import Settings
from companion.screen.screen import Screen
from hardware.buttons import Button
from vision.watching.network_reading import SeenPiece, SeenVehicle

_OTHER_PAINTS: Final = ((130, 50, 160), (245, 245, 240), (110, 70, 40), (235, 130, 40))
Shots = Iterator[tuple[str, Screen]]


def laying(settings: Settings) -> Shots:
    """A network that people lay as they like, and what is not right with it."""
    start = dealt(Mode.DIE, 0, 2).states[0]
    settings = with_own(replace(settings, names=NAMES), colours=3)
    whole = reading_of(start)
    people = Rehearsal.preparing("die", settings)
    yield "lay", people.screen
    people.look(replace(whole, vehicles=()))
    yield "laid-empty", people.screen
    people.look(replace(whole, pieces=(*whole.pieces, SeenPiece((40, 40), "E"))))
    yield "laid-apart", people.screen
    beside = SeenPiece((0, 0), "E")
    people.look(replace(whole, pieces=(beside, replace(beside, cell=(1, 0))), vehicles=()))
    yield "laid-overlap", people.screen
    # Arcs of two pieces that meet along their long sides.
    people.look(replace(whole, pieces=(beside, SeenPiece((2, 1), "W")), vehicles=()))
    yield "laid-parallel", people.screen
    people.look(replace(whole, pieces=(*whole.pieces[1:], replace(whole.pieces[0], is_sure=False))))
    yield "laid-unsure", people.screen
    people.look(replace(whole, vehicles=whole.vehicles[:-1]))
    yield "laid-one-missing", people.screen
    free = next(dot for dot in start.setup.network.dots if dot not in {seen.dot for seen in whole.vehicles})
    people.look(replace(whole, vehicles=(*whole.vehicles, SeenVehicle(free, 1, is_locomotive=True))))
    yield "laid-one-too-many", people.screen
    people.look(replace(whole, stray=1))
    yield "laid-stray", people.screen
    people.look(whole)
    yield "laid-ready", people.screen
    people.press(Button.UP)
    yield "laid-look", people.screen


def suggested(settings: Settings) -> Shots:
    """A network that is suggested."""
    settings = with_own(replace(settings, names=NAMES), network="pinwheel-with-tail", colours=2)
    people = Rehearsal.preparing("die", settings)
    yield "suggested", people.screen
    preparation = people.controller.desk.preparation
    if preparation is None or preparation.suggestion is None:
        raise LookupError("nothing is suggested")
    start = preparation.suggestion
    network, stock = start.setup.network, start.stock
    people.put(start, {5: None})
    yield "suggested-one-missing", people.screen
    free = next(dot for dot in range(len(network.dots)) if dot not in stock.dots)
    people.put(start, {5: free})
    yield "suggested-one-elsewhere", people.screen
    people.put(start)
    people.press(Button.ROLL)
    people.wait(0.3)
    yield "roll-off-tumbling", people.screen
    people.wait(0.6)
    yield "roll-off", people.screen
    people.wait(2.5)
    yield "first-turn", people.screen
    blind = Rehearsal.preparing("die", replace(settings, has_camera=False))
    yield "suggested-without-camera", blind.screen
    by_lot = Rehearsal.preparing("die", with_own(settings, network=BY_LOT, pieces=PIECES))
    yield "suggested-by-lot", by_lot.screen
    by_lot.controller.close()


def own_colours(settings: Settings) -> Shots:
    """Vehicles of other colours than the printed ones are put onto the dots, and learnt."""
    settings = with_own(replace(settings, names=NAMES), colours=3)
    start = dealt(Mode.DIE, 0, 2).states[0]
    people = Rehearsal.preparing("die", settings)
    people.look(in_other_paints(reading_of(start), _OTHER_PAINTS))
    yield "other-colours", people.screen
    people.press(Button.ROLL)
    shown = people.controller.desk.preparation
    if shown is None or shown.wanted is None:
        raise LookupError("nobody is told where to put them")
    whole = reading_of(shown.wanted)
    people.look(in_other_paints(whole, _OTHER_PAINTS, without=2))
    yield "other-colours-two-missing", people.screen
    people.look(in_other_paints(whole, (_OTHER_PAINTS[0], *_OTHER_PAINTS[:2])))
    yield "other-colours-alike", people.screen
    odd = in_other_paints(whole, _OTHER_PAINTS)
    people.look(replace(odd, paints=(*odd.paints[:-1], replace(odd.paints[-1], colour=odd.paints[0].colour))))
    yield "other-colours-odd", people.screen
    people.look(odd)
    yield "other-colours-all-there", people.screen
    people.press(Button.ROLL)
    people.look(whole)
    yield "other-colours-learnt", people.screen
    people.look(replace(whole, vehicles=whole.vehicles[:-1]))
    yield "other-colours-called", people.screen


def own_piece(settings: Settings) -> Shots:
    """The people's own piece is told on a page."""
    people = Rehearsal.preparing("die", with_own(settings, piece=OWN))
    yield "own-piece", people.screen

    def touched(tool: str, cell: tuple[int, int], to: tuple[int, int]) -> None:
        places = [((x + 0.5) * CELL_MM, (y + 0.5) * CELL_MM) for x, y in (cell, to)]
        people.tell(Touched(tool, *places[0], *places[1]))

    draft = people.controller.desk.preparation
    if draft is None or draft.draft is None:
        raise LookupError("the piece is known")
    touched(draft.draft.tools[0], (0, 0), (3, 0))
    yield "own-piece-told", people.screen


def over(settings: Settings) -> Shots:
    """Who has won."""
    told = ending(2)
    people = Rehearsal.at(told, settings)
    people.put(told.first.state, seconds=6)
    yield "over", people.screen


SCENES: Final = (laying, suggested, own_colours, own_piece, over)
