"""LRUN1 to LRUN7, LCPL1 to LCPL7: what stands on the dots, and the steps that change it."""

from __future__ import annotations

from typing import Final, NamedTuple

from tests.companion.games.locomotion.plain.network import Network, joined
from tests.companion.games.locomotion.plain.pieces import Dot, Lie, Side, side_towards

What = tuple[str, int]
"""("locomotive", its player) or ("wagon", its colour)."""


class Vehicle(NamedTuple):
    dot: Dot
    what: What
    lie: Lie


Row = tuple[Vehicle, ...]
"""Vehicles that are coupled, end to end: a train from its locomotive on, a cut from its end with the smaller dot."""
Place = tuple[Row, ...]
"""All rows, by their first dot. Two that stand alike are equal: wagons of one colour are as good as one another."""
Step = tuple[object, ...]
Outcome = tuple[Step, Place]


class Knobs(NamedTuple):
    reverse_in_turn: bool = True
    gap: str = "on_the_dots"
    """Or "a_dot"."""
    behind: str = "either_end"
    """Or "back_only"."""


DEFAULTS: Final = Knobs()


def place_of(rows: list[Row]) -> Place:
    return tuple(sorted(row if is_train(row) else min(row, row[::-1]) for row in rows))


def is_train(row: Row) -> bool:
    return row[0].what[0] == "locomotive"


def train_of(place: Place, player: int) -> Row:
    return next(row for row in place if row[0].what == ("locomotive", player))


def colours_of(row: Row) -> list[int]:
    return [colour for kind, colour in (vehicle.what for vehicle in row) if kind == "wagon"]


def steps(network: Network, place: Place, player: int, knobs: Knobs) -> list[Outcome]:
    """Each step that a player may make, whatever the turn, and how all stands after it.

    LRUN6, LCPL4: only the own locomotive's train moves, couples and uncouples.
    """
    train = train_of(place, player)
    rest = [row for row in place if row is not train]
    return [
        *runs(network, train, rest, knobs),
        *couplings(network, train, rest, knobs),
        *uncouplings(network, train, rest, knobs),
    ]


def set_down(network: Network, dot: Dot, what: What, knobs: Knobs) -> Vehicle:
    """LRUN2, set up: all passages of its dot. LCPL7, back_only: a locomotive either way round, see ``__init__``."""
    lie = network.passages[dot]
    if what[0] == "locomotive" and knobs.behind == "back_only":
        lie |= {passage[::-1] for passage in lie}
    return Vehicle(dot, what, lie)


# Running


def runs(network: Network, train: Row, rest: list[Row], knobs: Knobs) -> list[Outcome]:
    """LRUN3: forwards with the locomotive ahead, backwards with the rearmost wagon ahead. Each is one step."""
    forwards = run(network, train, rest, knobs)
    backwards = [] if len(train) == 1 else run(network, train[::-1], rest, knobs)
    outcomes: list[Outcome] = []
    for leader, moved_rows in ((train[0], forwards), (train[-1], backwards)):
        for moved in moved_rows:
            to_dot = next(vehicle.dot for vehicle in moved if vehicle.what == leader.what)
            outcomes.append((("run", leader.dot, to_dot), place_of([*rest, moved])))
    return outcomes


def run(network: Network, row: Row, rest: list[Row], knobs: Knobs) -> list[Row]:
    """A train after one step with the first of the row ahead, once for each way it can take; its locomotive first.

    LRUN2: the first leaves by a side of its lie on which none of its own stands, onto a dot on which nobody stands
    before the step. LRUN5: nothing is jumped over or pushed.
    """
    taken = {vehicle.dot for other in [row, *rest] for vehicle in other}
    moved_rows = []
    for side in free_sides(row):
        to_dot = joined(network, row[0].dot, side)
        if to_dot is not None and to_dot not in taken:
            moved = follow(network, row, to_dot, knobs)
            moved_rows.append(moved if is_train(moved) else moved[::-1])
    return moved_rows


def free_sides(row: Row) -> list[Side]:
    """The sides in the lie of the first of a row that no neighbour of its own row takes."""
    sides = {side for passage in row[0].lie for side in passage}
    return sorted(sides - ({side_towards(row[0].dot, row[1].dot)} if len(row) > 1 else set()))


def follow(network: Network, row: Row, to_dot: Dot, knobs: Knobs) -> Row:
    """Each vehicle comes onto the dot of the one ahead."""
    moved: list[Vehicle] = []
    for vehicle, new_dot in zip(row, [to_dot, *(vehicle.dot for vehicle in row)], strict=False):
        ahead = moved[-1].dot if moved else None
        moved.append(Vehicle(new_dot, vehicle.what, lie_after(network, vehicle, new_dot, ahead, knobs)))
    return tuple(moved)


def lie_after(network: Network, vehicle: Vehicle, dot: Dot, ahead: Dot | None, knobs: Knobs) -> Lie:
    """LRUN2, coming onto a dot: the passages with the side it came by and the side towards its own that is ahead."""
    came_by = side_towards(dot, vehicle.dot)
    towards = came_by if ahead is None else side_towards(dot, ahead)
    lie = frozenset(passage for passage in network.passages[dot] if came_by in passage and towards in passage)
    if vehicle.what[0] == "locomotive" and knobs.behind == "back_only":
        return way_round(vehicle, side_towards(vehicle.dot, dot), came_by, lie)
    return lie


def way_round(locomotive: Vehicle, left_by: Side, came_by: Side, lie: Lie) -> Lie:
    """LCPL7, back_only: the lie of a locomotive tells its back before its front, and it is not turned by running."""
    back_first = frozenset(came_by + passage.replace(came_by, "") for passage in lie)
    front_ahead = any(passage[1] == left_by for passage in locomotive.lie)
    back_ahead = any(passage[0] == left_by for passage in locomotive.lie)
    return (back_first if front_ahead else frozenset()) | (
        frozenset(passage[::-1] for passage in back_first) if back_ahead else frozenset()
    )


# Coupling


def couplings(network: Network, train: Row, rest: list[Row], knobs: Knobs) -> list[Outcome]:
    """LCPL2: the last of the train and an end of a cut that touch; the whole cut is taken.

    LCPL4: no other train. LCPL5: with wagons behind it nothing comes to the locomotive itself.
    LCPL6: never two wagons of one colour.
    """
    outcomes: list[Outcome] = []
    for cut in rest:
        if is_train(cut) or set(colours_of(cut)) & set(colours_of(train)):
            continue
        for first_end in [cut] if len(cut) == 1 else [cut, cut[::-1]]:
            if touch(network, train[::-1], first_end, knobs):
                last, first = train[-1], first_end[0]
                row = (
                    *train[:-1],
                    narrowed(last, first.dot, knobs),
                    narrowed(first, last.dot, knobs),
                    *first_end[1:],
                )
                step = "couple", last.dot, first.dot
                outcomes.append((step, place_of([*(other for other in rest if other is not cut), row])))
    return outcomes


def touch(network: Network, row: Row, other: Row, knobs: Knobs) -> bool:
    """Whether the first of two rows stand on dots joined by a side that is free and in the lie of each."""
    one, two = row[0], other[0]
    return any(
        joined(network, one.dot, side) == two.dot
        and side_towards(two.dot, one.dot) in free_sides(other)
        and bool(narrowed(one, two.dot, knobs).lie)  # else it is the front of the locomotive: back_only
        for side in free_sides(row)
    )


def narrowed(vehicle: Vehicle, neighbour: Dot, knobs: Knobs) -> Vehicle:
    """LCPL2, being coupled: those passages stay that have the side towards the other. LCPL7: and that as their back."""
    side = side_towards(vehicle.dot, neighbour)
    if vehicle.what[0] == "locomotive" and knobs.behind == "back_only":
        return vehicle._replace(lie=frozenset(passage for passage in vehicle.lie if passage[0] == side))
    return vehicle._replace(lie=frozenset(passage for passage in vehicle.lie if side in passage))


def uncouplings(network: Network, train: Row, rest: list[Row], knobs: Knobs) -> list[Outcome]:
    """LCPL3: any number of wagons at the end are left as one cut; knob ``gap``: the train stays, or moves off a dot."""
    outcomes: list[Outcome] = []
    for count in range(1, len(train)):
        kept, left = train[:-count], train[-count:]
        if knobs.gap == "on_the_dots":
            outcomes.append((("uncouple", count, None), place_of([*rest, kept, left])))
        else:
            outcomes += [
                (("uncouple", count, moved[0].dot), place_of([*rest, moved, left]))
                for moved in run(network, kept, [*rest, left], knobs)
            ]
    return outcomes
