"""Vehicles of other colours than are known: where they are to stand to be learnt, and whether they can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from companion.games.locomotion.rules import Dot
from companion.games.locomotion.table.errors import (
    COLOURS_ALIKE,
    NEW_COLOURS,
    ODD_COLOUR,
    OTHER_COLOURS,
    PLACES_FOR_COLOURS,
    Mismatch,
)
from companion.games.locomotion.wording import Kind, Paint, Paints
from vision.watching.network_reading import NetworkReading

_DOUBTS: Final = (2, 4)
"""So many vehicles at least, and one of so many, have to be unlike all that are known: some are always misread. (Of
known ones on 16 rendered tables at most 2, of 10; of others on 10 of 16 tables half and more.)"""


def about_colours(
    reading: NetworkReading,
    kinds: Sequence[Kind],
    wanted: Mapping[Dot, Kind] | None = None,
    *,
    has_own: bool = False,
) -> Mismatch | None:
    """What is to be done about vehicles of other colours; None where they are those that are known.

    ``kinds`` are all that belong to the game; ``has_own``: other colours than the printed ones are known. ``wanted`` is
    what is to stand on each dot, in the axes of the reading; None where nobody has said. New colours can be learnt
    where NEW_COLOURS is told, with ``paints`` (Paints).
    """
    seen = {paint.dot: paint.colour for paint in reading.paints}
    # A locomotive that is taken for a wagon has no other colour.
    named, needed = Counter(vehicle.colour for vehicle in reading.vehicles), Counter(kind.colour for kind in kinds)
    wrong = max((needed - named).total(), (named - needed).total())
    strange = sum(not paint.is_known for paint in reading.paints)
    if not seen or not wrong or (has_own and not strange):
        return None
    if wanted is not None and set(seen) == set(wanted):
        return _learnt(seen, wanted)
    doubts = max(strange, wrong if len(seen) == needed.total() else 0)
    least, one_of = _DOUBTS
    if doubts < least or one_of * doubts < len(seen):
        return None
    if wanted is None:
        return Mismatch("LSET4", PLACES_FOR_COLOURS)
    return Mismatch("LSET4", OTHER_COLOURS, cells=sorted({*wanted} ^ {*seen}))


def _learnt(seen: Mapping[Dot, Paint], wanted: Mapping[Dot, Kind]) -> Mismatch:
    from vision.networks.vehicles.paints import learnt
    from vision.networks.vehicles.vehicle_shapes import Kind as Vehicle

    own = learnt(seen, {dot: Vehicle(*kind) for dot, kind in wanted.items()})
    if own.alike is not None:
        first, second = own.alike
        return Mismatch("LSET4", COLOURS_ALIKE, first=first, second=second)
    if own.odd:
        return Mismatch("LSET4", ODD_COLOUR, cells=own.odd)
    paints: Paints = tuple(own.colours.get(number) for number in range(1, max(own.colours) + 1))
    return Mismatch("LSET4", NEW_COLOURS, paints=paints)
