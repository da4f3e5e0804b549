"""LSOLO1: the fewest steps with the die and the fewest turns with speed cards, found breadth first."""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.companion.games.locomotion.plain.game import Game, after, has_won, speeds_to_choose, unhindered
from tests.companion.games.locomotion.plain.pieces import Side
from tests.companion.games.locomotion.plain.steps import Place, Row, Step, steps


class Found(NamedTuple):
    fewest: int | None
    """Steps or turns; None if none are enough: it is impossible, or not done within the most that were asked for."""
    within: list[int]
    """How many states are found within 0, 1, 2 … steps or turns. If it is impossible the last number is all."""
    plan: list[Any]
    """The steps; or for each turn its speed and its steps."""


# With the die


def fewest_steps(game: Game, most: int | None = None, most_states: int | None = None) -> Found:
    """From how a game stands, for the player whose turn it is; others stand still. A layer is always found whole.

    With ``most_states`` no layer is begun once there are as many.

    A state is a place: positions, what is coupled to what, and lies. Knob ``reverse_in_turn`` does not matter: who
    must not change direction ends the turn and changes it in the next one.
    """
    came: dict[Place, tuple[Step, Place] | None] = {game.place: None}
    layer = [game.place]
    within = [1]
    same: dict[Row, Row] = {}
    while True:
        won = [place for place in layer if has_won(place, game.player, game.order)]
        if won:
            return Found(len(within) - 1, within, plan_to(won[0], came))
        if not layer or len(within) - 1 == most or (most_states is not None and len(came) >= most_states):
            return Found(None, within, [])
        next_layer = []
        for place in layer:
            for step, next_place in steps(game.network, place, game.player, game.knobs):
                if next_place not in came:
                    kept = tuple(same.setdefault(row, row) for row in next_place)  # a row once: less memory
                    came[kept] = step, place
                    next_layer.append(kept)
        layer = next_layer
        within.append(len(came))


def fewest_plans(game: Game) -> tuple[int | None, int]:
    """The fewest steps, and how many rows of so many steps win; None and 0 if it is impossible.

    Two rows are the same only if all their steps are. A step from a place leads to one other place: so those that lead
    to a place are as many as all that lead to the places before it.
    """
    layer, found = {game.place: 1}, {game.place}
    steps_done = 0
    while layer:
        won = sum(rows for place, rows in layer.items() if has_won(place, game.player, game.order))
        if won:
            return steps_done, won
        next_layer: dict[Place, int] = {}
        for place, rows in layer.items():
            for _, next_place in steps(game.network, place, game.player, game.knobs):
                if next_place not in found:
                    next_layer[next_place] = next_layer.get(next_place, 0) + rows
        found |= next_layer.keys()
        layer = next_layer
        steps_done += 1
    return None, 0


def plan_to(place: Place, came: dict[Place, tuple[Step, Place] | None]) -> list[Any]:
    plan: list[Any] = []
    while (origin := came[place]) is not None:
        step, place = origin
        plan.append(step)
    return plan[::-1]


# With speed cards

Moment = tuple[Place, Side | None]
"""Within a turn: how all stands, and by which side the locomotive came, if that matters."""
Run = tuple[Step, ...]
Known = dict[Moment, list[tuple[Step, Moment]]]
"""Moments from which steps have been looked for, and what was found."""
Between = tuple[Place, int | None]
"""Between turns: how all stands, and the speed."""


def fewest_turns(game: Game, most: int | None = None) -> Found:
    """LSPD1 to LSPD4, from between two turns, for the player whose turn it is; others stand still.

    A state is a place and a speed. States that have won are not counted; the last turn is not searched whole.
    """
    start: Between = game.place, game.speeds[game.player]
    if has_won(game.place, game.player, game.order):
        return Found(0, [1], [])
    found = {start}
    known: Known = {}
    layer: list[tuple[Between, list[Any]]] = [(start, [])]
    within = [1]
    while layer and len(within) - 1 != most:
        next_layer = []
        for between, plan in layer:
            for speed, run, after_it in turns_from(game, between, known):
                if after_it is None:
                    return Found(len(within), within, [*plan, (speed, run)])
                if after_it not in found:
                    found.add(after_it)
                    next_layer.append((after_it, [*plan, (speed, run)]))
        layer = next_layer
        within.append(len(found))
    return Found(None, within, [])


def turns_from(game: Game, between: Between, known: Known) -> list[tuple[int, Run, Between | None]]:
    """Each speed that can be chosen with each place it can lead to and one run that leads there; None: it wins."""
    place, before = between
    turn = game._replace(place=place, speeds=alone_with(game, before))
    choices = speeds_to_choose(turn)
    layers = runs_by_length(turn, max(choices), known)
    turns: list[tuple[int, Run, Between | None]] = []
    for speed in choices:
        lengths = [length for length in range(speed + 1) if layers[length]]
        for length in lengths[1:]:
            turns += [(speed, run, None) for (end, _), run in layers[length].items() if wins(game, end)]
        after_it = speed if lengths[-1] == speed else 0  # LSPD4: full brake
        longest = layers[lengths[-1]]
        turns += [(speed, run, (end, after_it)) for (end, _), run in longest.items() if not wins(game, end)]
    return turns


def runs_by_length(turn: Game, most: int, known: Known) -> list[dict[Moment, Run]]:
    """Where runs of exactly 0, 1, 2 … steps lead, each with one of them. A run that wins goes no further."""
    layers: list[dict[Moment, Run]] = [{(turn.place, None): ()}]
    for _ in range(most):
        layer: dict[Moment, Run] = {}
        for moment, run in layers[-1].items():
            if moment not in known:
                known[moment] = next_moments(turn, moment)
            for step, next_moment in known[moment]:
                layer.setdefault(next_moment, (*run, step))
        layers.append(layer)
    return layers


def next_moments(turn: Game, moment: Moment) -> list[tuple[Step, Moment]]:
    place, came_by = moment
    if wins(turn, place):
        return []
    now = turn._replace(place=place, came_by=came_by)
    outcomes = [(step, after(now, next_place)) for step, next_place in unhindered(now)]
    matters = not turn.knobs.reverse_in_turn
    return [(step, (then.place, then.came_by if matters else None)) for step, then in outcomes]


def wins(game: Game, place: Place) -> bool:
    return has_won(place, game.player, game.order)


def alone_with(game: Game, speed: int | None) -> tuple[int | None, ...]:
    """The speeds of all with another one for the player whose turn it is."""
    return *game.speeds[: game.player], speed, *game.speeds[game.player + 1 :]
