"""What is seen on the dots of a network that is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.games.locomotion.rules.state import Setup, Stock
from companion.games.locomotion.wording import Kind
from vision.watching.network_reading import NetworkReading, SeenVehicle


class Seen(NamedTuple):
    """The kinds of vehicle that may stand on each dot, the likeliest first, by the numbers of the dots.

    Something may stand on ``hidden`` dots; ``stray`` counts vehicles that stand on no dot of the network.
    """

    kinds: Mapping[int, Sequence[Kind]]
    hidden: frozenset[int] = frozenset()
    stray: int = 0


def kinds_of(vehicle: SeenVehicle) -> Sequence[Kind]:
    """All that a vehicle may be, the likeliest first."""
    return Kind(vehicle.colour, vehicle.is_locomotive), *(Kind(*other) for other in vehicle.others)


def kinds_in(setup: Setup) -> Sequence[Kind]:
    """What each vehicle of a game is."""
    return [Kind(colour, setup.is_locomotive(vehicle)) for vehicle, colour in enumerate(setup.colours)]


def standing_so(setup: Setup, stock: Stock) -> Seen:
    """What is to be seen where everything stands so."""
    return Seen({dot: (kind,) for dot, kind in zip(stock.dots, kinds_in(setup), strict=True)})


def seen_by(reading: NetworkReading, setup: Setup) -> Seen:
    """A reading in the axes of a game's network.

    Where more of a kind are seen than there are in the game one of them is misread for sure: each of them may be what
    is short as well.
    """
    numbers = {dot: number for number, dot in enumerate(setup.network.dots)}
    kinds = {numbers[seen.dot]: kinds_of(seen) for seen in reading.vehicles if seen.dot in numbers}
    hidden = frozenset(numbers[dot] for dot in reading.hidden if dot in numbers) - set(kinds)
    stray = reading.stray + sum(seen.dot not in numbers for seen in reading.vehicles)
    played, counts = Counter(kinds_in(setup)), Counter(likeliest for likeliest, *_ in kinds.values())
    short, surplus = sorted(played - counts), counts - played
    for dot, told in kinds.items():
        if told[0] in surplus:
            kinds[dot] = *told, *(other for other in short if other not in told)
    return Seen(kinds, hidden, stray)
