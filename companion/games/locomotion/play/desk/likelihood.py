"""Which of several ways people have gone: nobody tells what they have coupled, but they want to win."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.locomotion.rules import Phase, State
from companion.games.locomotion.strategy.players.farness import Farness
from companion.games.locomotion.strategy.players.yard import Yard
from companion.games.locomotion.table.ways import Way


def likeliest_first(before: State, ways: Sequence[Way]) -> Sequence[Way]:
    """The ways that end on the same dots: first what is read without doubt, of that what seems nearest to the goal.

    Of what seems as near the one with the fewest steps comes first.
    """
    if len(ways) < 2:
        return ways
    yard = Yard(before.setup, before.stock, before.locomotive, before.order)
    farness = Farness(yard)

    def far(way: Way) -> int:
        layout, trains = yard.standing(way.state.stock)
        return min(farness.of(layout, train) for train in trains)

    return sorted(ways, key=lambda way: (way.doubt, way.state.phase is not Phase.OVER, far(way), len(way.motions)))
