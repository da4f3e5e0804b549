"""What a turn has done, and what is wanted, in short sentences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from companion.games.at_table.told import Story
from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.rules import Mode, Motion, Phase, Run, State, after
from companion.games.locomotion.rules.steps import AnyStep


def heading(desk: Desk) -> str:
    """Whose turn it is, with how many steps."""
    return desk.word("heading", player=desk.name, left=desk.word("steps-left", count=desk.state.left))


def with_locomotive(desk: Desk, told: str) -> str:
    """A heading with the colour of the locomotive of whoever is to play."""
    state = desk.state
    return desk.word("heading", player=told, left=desk.word.colour(state.setup.colours[state.locomotive]))


def others_speeds(desk: Desk) -> tuple[str, ...]:
    """The open speed cards of all who are not to play, in one line; none where there are none."""
    state = desk.state
    seats = [seat for seat in range(state.setup.players) if seat != state.active and state.speeds[seat] is not None]
    cards = [f"{state.setup.names[seat]}: {state.speeds[seat]}" for seat in seats]
    return (desk.word("speeds", cards=cards),) if cards else ()


def colours_of(desk: Desk, colours: Sequence[int]) -> list[str]:
    """Colours by their names."""
    return [desk.word.colour(colour) for colour in colours]


def order_line(desk: Desk) -> str:
    """The colours as they are wanted, from the locomotive on."""
    return desk.word("order", colours=colours_of(desk, desk.state.order))


def train_lines(desk: Desk) -> tuple[str, ...]:
    """What hangs on each locomotive, from it on."""
    state = desk.state
    lines = []
    for name, locomotive in zip(state.setup.names, state.drawn, strict=True):
        wagons = [state.setup.colours[wagon] for wagon in state.stock.row_of(locomotive)[1:]]
        colour = desk.word.colour(state.setup.colours[locomotive])
        told = colours_of(desk, wagons) or [desk.word("alone")]
        lines.append(desk.word("train", player=name, colour=colour, wagons=told))
    return tuple(lines)


def speed_lines(desk: Desk) -> tuple[str, ...]:
    """The speed cards that lie open."""
    state = desk.state
    cards = zip(state.setup.names, state.speeds, strict=True)
    return tuple(desk.word("speed-of", player=name, speed="–" if speed is None else speed) for name, speed in cards)


def steps_line(desk: Desk, before: State, after_turn: State) -> str:
    """How many of the steps of a turn were done."""
    done = after_turn.steps - before.steps
    return desk.word("steps-of", done=done, count=before.left)


def change_lines(desk: Desk, before: State, after_turn: State) -> tuple[str, ...]:
    """What the train has behind its locomotive that it had not before, and what it has left behind."""
    old, new = before.train, after_turn.stock.row_of(before.locomotive)
    told = {
        "coupled": [wagon for wagon in new if wagon not in old],
        "left-behind": [wagon for wagon in old if wagon not in new],
    }
    colours = before.setup.colours
    return tuple(
        desk.word(key, colours=colours_of(desk, [colours[wagon] for wagon in wagons]))
        for key, wagons in told.items()
        if wagons
    )


def tell_turn(desk: Desk, before: State) -> None:
    """Tells of the turn that has just ended, from the state in which it began."""
    now, name = desk.state, before.setup.names[before.active]
    lines = [desk.word("turn-of", player=name, told=[steps_line(desk, before, now), *change_lines(desk, before, now)])]
    if now.braked is not None:
        lines.append(desk.word("brakes", player=name))
    desk.told.tell(Story(name, tuple(lines), (), desk.now))
    desk.sound("end" if now.phase is Phase.OVER else "right")


def news(desk: Desk) -> tuple[str, ...]:
    """What happened last, as long as it is the next one's turn."""
    return () if desk.story is None else desk.story.lines[:2]


def plan_line(desk: Desk, state: State, plan: Sequence[AnyStep]) -> str:
    """The steps that are wanted of a train, runs in one direction together."""
    told = []
    for _, steps in groupby(enumerate(plan), key=lambda each: _together(*each)):
        motions = [step for _, step in steps if isinstance(step, Motion)]
        if motions and isinstance(motions[0], Run):
            told.append(desk.word("runs-back" if motions[0].backwards else "runs", count=len(motions)))
        elif motions:
            told.append(desk.word.sign(state, motions[0]))
        for motion in motions:
            state = after(state, motion)
    return ", ".join(told)


def _together(number: int, step: AnyStep) -> tuple[bool, int]:
    """The same for runs in one direction, for each other step something else."""
    return (step.backwards, -1) if isinstance(step, Run) else (False, number)


def is_with_speed(desk: Desk) -> bool:
    """Whether speed cards are played with."""
    return desk.state.setup.mode is Mode.SPEED
