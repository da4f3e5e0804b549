"""How many of some tables are read rightly; ``tests/benchmarks/network_tables.py`` measures hundreds."""

from __future__ import annotations

from random import Random

import pytest

from tests.benchmarks.network_tables import looked_at, measured
from tests.vision.networks.rendered_networks import rendered_network


@pytest.mark.further
@pytest.mark.parametrize("difficulty", ["easy", "normal"])
@pytest.mark.parametrize("make", ["folded", "wood"])
def test_tables_are_read_rightly(difficulty: str, make: str) -> None:
    results = []
    for number, (piece, pieces) in enumerate((("T", 9), ("X", 13), ("D", 30), ("T", 45))):
        table = rendered_network(piece, pieces, 200 + number, difficulty, make)  # type: ignore[arg-type]
        is_wood = make == "wood"
        results.append(measured(table, is_told=is_wood, has_print=not is_wood, random=Random(number)))
    assert [result.network for result in results] == ["right"] * len(results)
    assert sum(result.wrong_dots for result in results) == 0


@pytest.mark.further
@pytest.mark.parametrize("seed", [2003, 2007, 2015, 2024, 2027, 2036, 2054, 20087, 20192, 20210, 20660, 20840])
def test_tables_are_read_that_were_not_at_first(seed: int) -> None:
    """Noise, wooden locomotives, a grid known by a part, dark things near or far off, pieces wholly covered."""
    result = looked_at(seed).result
    assert result.network == "right"
    assert result.wrong_dots == 0
