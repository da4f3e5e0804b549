"""A state of the rules as the plain program tells it (``tests.companion.games.locomotion.plain``)."""

from typing import Any

from companion.games.locomotion.rules import Behind, Side, State
from companion.games.locomotion.rules.state import Row


def rows(state: State) -> list[dict[str, Any]]:
    """All that stands there, as the plain program tells it."""
    told = [_row(state, row) for row in state.stock.rows]
    return sorted(told, key=lambda row: row["dots"][0])


def _row(state: State, row: Row) -> dict[str, Any]:
    setup, stock = state.setup, state.stock
    dots = [list(setup.network.dots[stock.dots[vehicle]]) for vehicle in row]
    is_train = setup.is_locomotive(row[0])
    if not is_train and dots[-1] < dots[0]:
        return _row(state, row[::-1])
    return {
        "player": state.drawn.index(row[0]) if is_train else None,
        "colours": [setup.colours[vehicle] for vehicle in row if not setup.is_locomotive(vehicle)],
        "dots": dots,
        "lies": [sorted(_passage(state, vehicle, way) for way in stock.lies[vehicle]) for vehicle in row],
    }


def _passage(state: State, vehicle: int, way: tuple[Side, Side]) -> str:
    if state.setup.is_locomotive(vehicle) and state.setup.knobs.behind is Behind.BACK_ONLY:
        return way[1].name + way[0].name  # its back is named first there
    return "".join(sorted(side.name for side in way))
