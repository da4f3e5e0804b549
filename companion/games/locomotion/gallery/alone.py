"""Screens of a game for one: which puzzle, hints, and how few steps would have done."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

from companion.games.locomotion.gallery.rehearsal import Moment, Rehearsal, Remembered, dealt, ending, moment
from companion.games.locomotion.play.desk.advice import Advice, Standing
from companion.games.locomotion.play.desk.puzzles import Puzzles
from companion.games.locomotion.play.offering import wish_of
from companion.games.locomotion.record.agreement import Agreement
from companion.games.locomotion.record.solo_starts import SoloStart
from companion.games.locomotion.rules import Couple, Mode, Motion, Run, Uncouple, legal_motions
from companion.games.locomotion.settings import with_own
from companion.games.locomotion.strategy.outlook import Outlook
from companion.games.settings import Settings
from companion.screen.screen import Screen
from hardware.buttons import Button

Shots = Iterator[tuple[str, Screen]]
_SEARCHING_SECONDS: Final = 60.0
"""A small puzzle is found long before."""
_TODAY: Final = 20261130


class Told(Advice):
    """Knows this and no more; searches, if it does, for ever."""

    def __init__(self, outlook: Outlook, *, searches: bool = False) -> None:
        super().__init__()
        self._outlook, self._searches = outlook, searches

    def of(self, standing: Standing) -> Outlook:  # noqa: ARG002 - whatever stands there
        return self._outlook

    def is_searching(self, standing: Standing) -> bool:  # noqa: ARG002 - as above
        return self._searches

    def search(self, standing: Standing) -> None:
        """It is told what it knows."""


def puzzles(settings: Settings) -> Shots:
    """Which puzzle it is to be."""
    settings = with_own(settings, colours=2, puzzle_pieces=6, puzzle=1)
    start = dealt(Mode.DIE, 0, 1).states[0]
    again = SoloStart(start, Agreement("solo", order=(1, 2, 3)))
    people = _choosing(settings, again)
    for number in range(5):
        yield f"puzzle-{number}", people.screen
        people.press(Button.DOWN)
    people.press(Button.ROLL)
    yield "puzzle-again", people.screen
    people.press(Button.PASS)
    people.press(Button.DOWN, Button.ROLL)
    yield "puzzle-looking", people.screen
    end = time.monotonic() + _SEARCHING_SECONDS
    while people.controller.desk.chooses_puzzle and time.monotonic() < end:
        time.sleep(0.01)
        people.wait(0.1)
    yield "puzzle-found", people.screen
    people.controller.close()
    people = _choosing(settings, None)
    people.controller.desk.puzzles = _None(wish_of("solo", settings), 6)
    people.press(Button.ROLL)
    people.wait(0.5)
    yield "puzzle-none", people.screen


class _None(Puzzles):
    """There is no such puzzle."""

    is_looking = False
    is_found = True

    def take(self) -> None:
        self._thought = None


def _choosing(settings: Settings, again: SoloStart | None) -> Rehearsal:
    return Rehearsal.preparing(
        "solo", settings, puzzles=Puzzles(wish_of("solo", settings), 6, today=_TODAY, again=again)
    )


def hints(settings: Settings) -> Shots:
    """How many steps, what first, and the next step."""
    run = moment(lambda each: each.before.turns > 2 and isinstance(_next(each), Run), players=1)
    plan = run.first.motions
    for name, advice in {
        "proven": Told(Outlook(len(plan), plan)),
        "one": Told(Outlook(1, plan[:1])),
        "known": Told(Outlook(1, plan), searches=True),
        "least": Told(Outlook(9), searches=True),
        "no-more": Told(Outlook(9)),
        "impossible": Told(Outlook(0, is_impossible=True)),
    }.items():
        people = Rehearsal.at(run, settings)
        people.controller.desk.advice = advice
        if name == "proven":
            yield "alone", people.screen
        people.press(Button.DOWN)
        yield f"hint-{name}", people.screen
    for kind in (Run, Couple, Uncouple):
        for is_back in (False, True):
            told = _with_motion(kind, is_back=is_back)
            if told is None:
                continue
            moment_, motion = told
            people = Rehearsal.at(moment_, settings)
            people.controller.desk.advice = Told(Outlook(1, (motion,)))
            people.press(Button.DOWN, Button.ROLL)
            yield f"hint-first-{kind.__name__.lower()}-{is_back}", people.screen
            people.press(Button.ROLL)
            yield f"hint-next-{kind.__name__.lower()}-{is_back}", people.screen


def _next(told: Moment) -> Motion | None:
    return (told.first.motions or (None,))[0]


def _with_motion(kind: type[Motion], *, is_back: bool) -> tuple[Moment, Motion] | None:
    """A turn in which the train can do this."""

    def fits(motion: Motion) -> bool:
        return isinstance(motion, kind) and getattr(motion, "backwards", False) == is_back

    try:
        told = moment(lambda each: any(map(fits, legal_motions(each.before))), players=1)
    except LookupError:
        return None
    return told, next(filter(fits, legal_motions(told.before)))


def results(settings: Settings) -> Shots:
    """How few steps would have done."""
    told = ending(1)
    steps = told.first.state.steps
    for name, (advice, before) in {
        "best": (Told(Outlook(steps, told.first.motions)), ()),
        "least": (Told(Outlook(len(told.first.motions), told.first.motions)), (steps + 9, steps + 3)),
        "fewer": (Told(Outlook(1, told.first.motions)), (steps + 1,)),
        "searching": (Told(Outlook(7), searches=True), ()),
        "bound": (Told(Outlook(7)), ()),
    }.items():
        agreement = Agreement("solo", least=steps if name == "best" else None)
        people = Rehearsal.at(told, settings, agreement=agreement, past=Remembered(steps=before))
        people.controller.desk.advice = advice
        people.put(told.first.state, seconds=6)
        yield f"alone-{name}", people.screen


SCENES: Final = (puzzles, hints, results)
