"""The ways that are found to what is seen, beside all that a second, plain program can do in a turn."""

from collections import Counter
from random import Random

import pytest

from companion.games.locomotion.rules import Dot, Phase, State
from companion.games.locomotion.table.explanation import explained
from companion.games.locomotion.table.seen import Seen, kinds_in
from companion.games.locomotion.table.ways import ways
from companion.games.locomotion.wording import Kind, Wording
from tests.companion.games.locomotion.plain import game as plain
from tests.companion.games.locomotion.plain.search import runs_by_length
from tests.companion.games.locomotion.plain.steps import Vehicle
from tests.companion.games.locomotion.rules.test_beside_plain import BothPrograms

Hanging = tuple[tuple[tuple[Dot, Kind], ...], ...]
"""What stands on which dots and hangs together."""
Table = dict[Dot, Kind]
"""What stands on which dots: all that can be seen."""
STEPS = 300
"""Of a game at most."""
TABLES = 4
"""So many are looked at of what a turn can lead to."""


def kind_of(vehicle: Vehicle) -> Kind:
    name, number = vehicle.what
    return Kind(number + (name == "locomotive"), name == "locomotive")


def hanging(rows: list[list[tuple[Dot, Kind]]]) -> Hanging:
    return tuple(sorted(min(tuple(row), tuple(row[::-1])) for row in rows))


def hanging_in(state: State) -> Hanging:
    kinds, dots, stock = kinds_in(state.setup), state.setup.network.dots, state.stock
    return hanging([[(dots[stock.dots[vehicle]], kinds[vehicle]) for vehicle in row] for row in stock.rows])


def ends_by_plain(game: plain.Game) -> dict[Hanging, int]:
    """All that a turn can lead to, with the fewest steps."""
    left = game.left or 0
    ends: dict[Hanging, int] = {}
    for steps, layer in enumerate(runs_by_length(game, left, {})):
        for place, _ in layer:
            if game.kind == "die" or steps == left or plain.has_won(place, game.player, game.order):
                ends.setdefault(hanging([[(each.dot, kind_of(each)) for each in row] for row in place]), steps)
    return ends


def table_of(hanging: Hanging) -> Table:
    return {dot: kind for row in hanging for dot, kind in row}


def may_be_seen(table: Table, seen: Seen, dots: tuple[Dot, ...]) -> bool:
    told = {dots[number]: kinds for number, kinds in seen.kinds.items()}
    hidden = {dots[number] for number in seen.hidden}
    return told.keys() <= table.keys() and all(
        kind in told.get(dot, [kind] if dot in hidden else []) for dot, kind in table.items()
    )


def turn_of(seed: int) -> BothPrograms:
    """A random game at the beginning of a turn in which there is something to do."""
    both = BothPrograms(seed)
    turns = both.random.randint(1, 30)
    # Where nobody can ever move no turn has anything to do.
    for _ in range(STEPS):
        if both.game.state.phase is Phase.OVER:
            break
        if both.game.state.turns >= turns and both.game.state.phase is Phase.MOVING:
            return both
        both.go_on()
    return turn_of(seed + 1_000_000)


def seen_as(random: Random, table: Table, state: State, doubt: float) -> Seen:
    """A table as an eye sees it that doubts of so large a share of all: what it is, or whether anything is there."""
    all_kinds = sorted(set(kinds_in(state.setup)))
    kinds: dict[int, list[Kind]] = {}
    hidden = set()
    for number, dot in enumerate(state.setup.network.dots):
        if random.random() < doubt / 4:
            hidden.add(number)
        elif dot in table:
            others = random.sample(all_kinds, 2) if random.random() < doubt else []
            kinds[number] = list(dict.fromkeys(random.sample([table[dot], *others], 1 + len(others))))
    return Seen(kinds, frozenset(hidden))


def check_turn(seed: int) -> Counter[str]:
    """Whether the same ways are found to what may be seen; says how often there were none, one, and several.

    Where there are none it is told why.
    """
    both = turn_of(seed)
    random, state = both.random, both.game.state
    ends = ends_by_plain(both.plain)
    tables = [table_of(end) for end in random.sample(list(ends), min(TABLES, len(ends)))]
    told = Counter[str]()
    for table in (*tables, *(moved(random, table, state) for table in tables)):
        for doubt in (0.0, 0.3):
            seen = seen_as(random, table, state, doubt)
            wanted = {end: n for end, n in ends.items() if may_be_seen(table_of(end), seen, state.setup.network.dots)}
            found = ways(state, seen)
            assert {hanging_in(way.state): len(way.motions) for way in found} == wanted
            assert len(found) == len(wanted)
            if not found:
                assert all(Wording("de").reason(explained(state, seen)))
            told[("none", "one")[len(found)] if len(found) < 2 else "several"] += 1
    return told


def moved(random: Random, table: Table, state: State) -> Table:
    """The same table with two vehicles that have changed places, or one that stands elsewhere."""
    dot, other = random.choice(sorted(table)), random.choice(state.setup.network.dots)
    changed = {place: kind for place, kind in table.items() if place not in {dot, other}}
    return changed | {other: table[dot]} | ({dot: table[other]} if other in table else {})


@pytest.mark.rule("LRUN2", "LCPL2", "LSPD3", "LSPD4")
def test_each_end_of_a_turn_is_found_and_nothing_else() -> None:
    told = sum((check_turn(seed) for seed in range(6)), Counter[str]())
    assert {"none", "one", "several"} <= told.keys()


@pytest.mark.further
@pytest.mark.parametrize("part", range(10))
def test_so_it_is_in_thousands_of_turns(part: int) -> None:
    for seed in range(2000 + 100 * part, 2100 + 100 * part):
        check_turn(seed)
