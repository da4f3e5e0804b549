"""Screens beside the game: what can be looked at, what is taken back, and what does not work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.games.events import Fault, TakenBack
from companion.games.locomotion.gallery.rehearsal import Rehearsal, moment
from companion.games.locomotion.rules import Mode
from companion.games.settings import Settings
from companion.screen.screen import Screen
from companion.texts.faults import FAULTS
from hardware.buttons import Button

Shots = Iterator[tuple[str, Screen]]


def looking(settings: Settings) -> Shots:
    """What can be looked at."""
    for mode in Mode:
        told = moment(lambda each: each.before.turns > 5 and len(each.before.train) > 1, mode)
        people = Rehearsal.at(told, settings)
        people.press(Button.UP)
        count = len(people.screen.choices)
        for number in range(count):
            yield f"look-{mode}-{number}", people.screen
            people.press(Button.ROLL)
            yield f"looked-{mode}-{number}", people.screen
            if people.screen.map:
                people.press(Button.DOWN)
                yield f"looked-{mode}-{number}-vehicle", people.screen
            people = Rehearsal.at(told, settings)
            people.press(Button.UP, *[Button.DOWN] * (number + 1))
        people = Rehearsal.at(told, settings)
        people.put(told.first.state, seconds=1)
        people.press(Button.ROLL)
        people.wait(4)
        people.press(Button.UP, *[Button.DOWN] * (count - 2), Button.ROLL)
        yield f"last-{mode}", people.screen
    people = Rehearsal.at(moment(lambda each: each.before.turns > 3), settings)
    people.press(Button.UP, Button.UP, Button.ROLL)
    for number in range(len(people.screen.choices)):
        yield f"settings-{number}", people.screen
        people.press(Button.DOWN)


def taking_back(settings: Settings) -> Shots:
    """What was done is taken back."""
    told = moment(lambda each: each.before.turns > 3)
    people = Rehearsal.at(told, settings)
    people.press(Button.BACK)
    yield "hold-back", people.screen
    people.press(Button.BACK, held=True)
    yield "taken-back", people.screen
    people.tell(TakenBack("another"))
    yield "changed-meanwhile", people.screen


def faults(settings: Settings) -> Shots:
    """What does not work."""
    told = moment(lambda each: each.before.turns > 3)
    for device in sorted(FAULTS):
        people = Rehearsal.at(told, settings)
        people.tell(Fault(device, ""))
        yield f"fault-{device}", people.screen


SCENES: Final = (looking, taking_back, faults)
