"""Screens of turns: the die, speed cards, trains that are moved, automatic players, and what cannot have been."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random
from typing import Final

from msgspec.structs import replace

from companion.games.locomotion.gallery.rehearsal import Moment, Rehearsal, moment, on_a_line
from companion.games.locomotion.record.agreement import Agreement
from companion.games.locomotion.rules import (
    Couple,
    Knobs,
    Mode,
    Phase,
    Run,
    State,
    Uncouple,
    after,
    legal_motions,
    legal_turns,
)
from companion.games.locomotion.rules.state import MOST_PLAYERS
from companion.games.locomotion.strategy.players.players import PLAYERS
from companion.games.settings import Settings
from companion.screen.screen import Screen
from hardware.buttons import Button

Shots = Iterator[tuple[str, Screen]]
_THINKING_SECONDS: Final = 20.0
"""An automatic player has chosen long before."""


def _train(told: Moment) -> tuple[int, int]:
    """How many vehicles a train has before and after the likeliest way."""
    row = told.first.state.stock.row_of(told.before.locomotive)
    return len(told.before.train), len(row)


def _runs(told: Moment) -> bool:
    return told.first.state.stock.dots != told.before.stock.dots


def rolling(settings: Settings) -> Shots:
    """The die, and a turn."""
    for name, wanted in TURNS.items():
        told = moment(lambda each, is_it=wanted: each.first.state.phase is not Phase.OVER and is_it(each))  # type: ignore[misc]
        number = told.before.left
        people = Rehearsal.at(told, settings, without=1, dice=[number])
        if name == "runs":
            yield "roll", people.screen
        people.press(Button.ROLL)
        if name == "runs":
            people.wait(0.3)
            yield "die-tumbling", people.screen
            people.wait(0.6)
            yield "die", people.screen
        people.wait(2.5)
        yield f"move-{name}", people.screen
        people.put(told.first.state, seconds=1.5)
        yield f"moved-{name}", people.screen
        if len(told.ways) > 1:
            people.press(Button.PASS)
            yield f"moved-{name}-otherwise", people.screen
        people.press(Button.ROLL)
        people.wait(4)
        yield f"after-{name}", people.screen


TURNS: Final = {
    "runs": lambda told: _runs(told) and _train(told) == (1, 1) and len(told.ways) == 1,
    "couples": lambda told: _runs(told) and _train(told) == (1, 2),
    "couples-two": lambda told: _runs(told) and _train(told)[1] > _train(told)[0] > 1,
    "leaves": lambda told: _runs(told) and _train(told)[0] > _train(told)[1],
    "stays": lambda told: not _runs(told) and any(way.motions for way in told.ways),
    "several": lambda told: _runs(told) and len(told.ways) > 1,
}


def trains(settings: Settings) -> Shots:
    """The train of each colour is to be moved."""
    for colour in range(1, MOST_PLAYERS + 1):
        told = moment(lambda each, wanted=colour: _colour(each.before) == wanted, players=MOST_PLAYERS)  # type: ignore[misc]
        yield f"move-colour-{colour}", Rehearsal.at(told, settings).screen


def _colour(state: State) -> int:
    return state.setup.colours[state.locomotive]


def waiting(settings: Settings) -> Shots:
    """Somebody cannot move."""
    # Another's locomotive stands before the own one, and nothing behind it.
    people = Rehearsal(on_a_line([0, 1], [4, 5], [6, 7]), settings, dice=[3])
    people.put(people.state)
    people.press(Button.ROLL)
    people.wait(4)
    yield "waits", people.screen


def speeds(settings: Settings) -> Shots:
    """Speed cards, used in full or not."""
    told = moment(_runs, Mode.SPEED)
    people = Rehearsal.at(told, settings, without=1)
    yield "speed", people.screen
    for _ in range(7):
        people.press(Button.UP)
    yield "speed-fastest", people.screen
    for _ in range(7):
        people.press(Button.DOWN)
    yield "speed-slowest", people.screen
    later = moment(lambda each: each.before.turns > 4 and _runs(each), Mode.SPEED)
    people = Rehearsal.at(later, settings, without=1)
    yield "speed-of-all", people.screen
    people = Rehearsal.at(later, settings)
    people.put(later.first.state, seconds=1.5)
    yield "speed-moved", people.screen
    # A train that may not turn back comes to its end before it has used the speed.
    cornered = on_a_line([5, 4], [0, 1], [2, 3], mode=Mode.SPEED, knobs=Knobs(reverse_in_turn=False))
    people = Rehearsal(cornered, settings)
    people.put(people.state)
    people.press(*[Button.DOWN] * 2, Button.ROLL)
    people.wait(1)
    end = next(legal_turns(people.state))
    after_turn = people.state
    for motion in end:
        after_turn = after(after_turn, motion)
    people.put(after_turn, seconds=7)
    yield "speed-braked", people.screen


def stepping(settings: Settings) -> Shots:
    """Each step is chosen with the buttons."""
    blind = replace(settings, has_camera=False)
    for name, kind in {"runs": Run, "couples": Couple, "leaves": Uncouple}.items():
        told = moment(lambda each, is_it=kind: any(isinstance(motion, is_it) for motion in legal_motions(each.before)))  # type: ignore[misc]
        people = Rehearsal(told.game(), blind)
        seen: list[Screen] = []
        while people.screen not in seen:
            seen.append(people.screen)
            yield f"step-{name}-{len(seen)}", people.screen
            people.press(Button.DOWN)
    told = moment(_runs)
    people = Rehearsal.at(told, settings)
    people.press(Button.PASS, held=True)
    yield "step-corrects", people.screen


def automatic(settings: Settings) -> Shots:
    """The turn of an automatic player."""
    agreement = Agreement(automatic=("", "good"))
    for mode in Mode:
        told = moment(lambda each: _runs(each) and each.before.active == 1 and len(each.first.motions) > 3, mode)
        for has_camera in (True, False):
            shown = replace(settings, has_camera=has_camera)
            people = Rehearsal.at(told, shown, without=1, agreement=agreement, dice=[told.before.left])
            people.wait(2.4)
            kind = f"{mode}{'' if has_camera else '-without-camera'}"
            yield f"automatic-{kind}", people.screen
            people.wait(2.5)
            _let_think(people)
            yield f"automatic-{kind}-moves", people.screen
            people.wait(6)
            yield f"automatic-{kind}-waits", people.screen
            people.press(Button.ROLL)
            people.controller.close()
    told = moment(_leaves_for_a_good_player)
    people = Rehearsal.at(told, settings, agreement=agreement)
    _let_think(people)
    yield "automatic-leaves", people.screen
    people.controller.close()


def _leaves_for_a_good_player(told: Moment) -> bool:
    """Whether the second player would leave a wagon behind."""
    if told.before.active != 1 or len(told.before.train) == 1:
        return False
    plan = PLAYERS["good"]().turn(told.before, Random(1))
    return any(isinstance(step, Uncouple) for step in plan) and any(isinstance(step, Run) for step in plan)


def _let_think(people: Rehearsal) -> None:
    """Waits until an automatic player has chosen."""
    end = time.monotonic() + _THINKING_SECONDS
    while people.controller.desk.goal is people.state and time.monotonic() < end:
        time.sleep(0.01)
        people.wait(0.3)


def objections(settings: Settings) -> Shots:
    """What cannot have been, or does not stand where it should."""
    told = moment(lambda each: _runs(each) and _train(each) == (1, 1) and each.before.left < 4)
    for name, moved in _impossible(told.before).items():
        people = Rehearsal.at(told, settings)
        people.put(told.before, moved, seconds=5)
        yield f"wrong-{name}", people.screen
    people = Rehearsal.at(told, settings, without=1)
    for name, moved in _impossible(told.before).items():
        people.put(people.state, moved, seconds=5)
        yield f"misplaced-{name}", people.screen
    people.press(Button.ROLL)
    yield "right-nevertheless", people.screen


def _impossible(before: State) -> dict[str, dict[int, int | None]]:
    """Vehicles that are put where they cannot have come to."""
    setup, stock = before.setup, before.stock
    free = [dot for dot in range(len(setup.network.dots)) if dot not in stock.dots]
    other = before.drawn[1 - before.active]
    wagon = next(vehicle for vehicle in range(setup.players, len(setup.colours)) if len(stock.row_of(vehicle)) == 1)
    return {
        "too-far": {before.locomotive: free[-1]},
        "other-locomotive": {other: free[0]},
        "wagon": {wagon: free[len(free) // 2]},
        "missing": {wagon: None},
        "exchanged": {wagon: stock.dots[other], other: stock.dots[wagon]},
    }


SCENES: Final = (rolling, trains, waiting, speeds, stepping, automatic, objections)
