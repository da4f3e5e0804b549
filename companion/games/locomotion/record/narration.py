"""A game told step by step: what each did, and how the trains stand after each turn."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.locomotion.rules.state import Mode, Phase, State
from companion.games.locomotion.rules.steps import (
    AnyStep,
    ChooseSpeed,
    Couple,
    DrawLots,
    EndTurn,
    Roll,
    RollOff,
    Run,
    Uncouple,
)
from companion.games.locomotion.wording import Wording
from companion.games.recorded_game import Line, Tone


def opening(state: State, say: Wording) -> Iterator[Line]:
    """What is played, by whom, and on how many pieces."""
    setup = state.setup
    title = say(f"setting-up.title-{setup.mode}", players=setup.names, pieces=len(setup.network.pieces))
    yield Line(Tone.HEADING, title)


def telling(before: State, step: AnyStep, state: State, say: Wording) -> Iterator[Line]:
    """What a step did; after the last step of a turn also how all trains stand."""
    if isinstance(step, Roll | ChooseSpeed):
        name = state.setup.names[before.active]
        yield Line(Tone.HEADING, say("turn.title", turn=before.turns, player=name))
    for text in (*_step_texts(before, step, say), *_outcome_texts(before, state, say)):
        yield Line(Tone.EVENT, text)
    if before.turns and state.turns != before.turns:
        yield Line(Tone.TABLE, trains(state, say))


def taking_back(state: State, count: int, say: Wording) -> Iterator[Line]:
    """How many steps were taken back, and how the trains stand once more."""
    yield Line(Tone.EVENT, say("turn.taken-back", count=count))
    if state.drawn:
        yield Line(Tone.TABLE, trains(state, say))


def closing(state: State, say: Wording, least: int | None = None) -> Iterator[Line]:
    """Who has won, and in how many turns and steps; ``least`` would have done, if that is known."""
    yield Line(Tone.HEADING, say("result.title"))
    if state.winner is None:
        yield Line(Tone.EVENT, say("result.unfinished"))
        return
    name = state.setup.names[state.winner]
    yield Line(Tone.HEADING, say("result.wins", player=name, turns=state.turns, steps=state.steps))
    if state.setup.players == 1 and least is not None:
        yield Line(Tone.EVENT, say("result.least", count=least))


def trains(state: State, say: Wording) -> str:
    """All trains in one line: of each player the colours from the locomotive on."""
    return "   ".join(
        say("table.train", player=name, wagons=_wagons(state, locomotive, say))
        for name, locomotive in zip(state.setup.names, state.drawn, strict=True)
    )


def _wagons(state: State, locomotive: int, say: Wording) -> str:
    wagons = state.stock.row_of(locomotive)[1:]
    return say.colours(tuple(state.setup.colours[wagon] for wagon in wagons)) or say("table.alone")


def _step_texts(before: State, step: AnyStep, say: Wording) -> Iterator[str]:
    setup = before.setup
    match step:
        case DrawLots(locomotives=locomotives, order=order):
            for name, locomotive in zip(setup.names, locomotives, strict=True):
                yield say("setting-up.locomotive", player=name, colour=say.colour(locomotive))
            yield say("setting-up.order", order=say.colours(order))
        case RollOff(rolls=rolls):
            names = [setup.names[player] for player in before.contenders]
            yield say("setting-up.rolls", rolls=[f"{name} {roll}" for name, roll in zip(names, rolls, strict=True)])
        case Roll(number=number):
            yield say("turn.rolls", number=number)
        case ChooseSpeed(speed=speed):
            yield say("turn.speed", speed=speed)
        case Run(to=to, backwards=backwards):
            yield say("turn.backs" if backwards else "turn.runs", dot=to)
        case Couple(wagon=wagon):
            yield say("turn.couples", wagon=say.colour(setup.colours[wagon]))
        case Uncouple(count=count):
            left = before.train[-count:]
            yield say("turn.uncouples", wagons=say.colours(tuple(setup.colours[wagon] for wagon in left)))
        case EndTurn():
            yield say.counted("turn.lapses", count=before.left)


def _outcome_texts(before: State, state: State, say: Wording) -> Iterator[str]:
    names = state.setup.names
    if before.phase is Phase.ROLLING_OFF:
        yield say("setting-up.again") if state.contenders else say("setting-up.begins", player=names[state.active])
    if state.waited is not None:
        yield say("turn.waits")
    if state.braked is not None:
        yield say("turn.brakes")
    if state.winner is not None and state.setup.mode is Mode.DIE:
        yield say.counted("turn.wins", count=state.left)
    elif state.winner is not None:
        yield say("turn.wins-none")
