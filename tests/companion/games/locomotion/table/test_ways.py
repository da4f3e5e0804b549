"""How a turn was played, seen from what stands there after it."""

from companion.games.locomotion.rules import Couple, Motion, Run, State
from companion.games.locomotion.table.ways import ways
from tests.companion.games.locomotion.rules.networks import LINE, game_on, rolled
from tests.companion.games.locomotion.table.sights import seen_in


def on_a_line(number: int, **other: object) -> State:
    """A locomotive at the left of nine dots in a row, red at 4 and yellow at 5."""
    return rolled(game_on(LINE, [(0, 0)], [[(4, 0)], [(5, 0)]], **other), number).state  # type: ignore[arg-type]


def played(state: State, **moved: tuple[int, int]) -> list[tuple[Motion, ...]]:
    return [way.motions for way in ways(state, seen_in(state, {(int(x[1:]), 0): to for x, to in moved.items()}))]


RUNS = (Run((1, 0)), Run((2, 0)), Run((3, 0)))


def test_what_was_not_moved_has_done_nothing() -> None:
    assert played(on_a_line(6))[0] == ()


def test_who_comes_to_a_wagon_with_a_step_left_couples_it() -> None:
    assert played(on_a_line(3), x0=(3, 0)) == [RUNS]
    # The second one behind it stands as the colour order has it.
    coupled = (*RUNS, Couple(1))
    assert played(on_a_line(4), x0=(3, 0)) == [coupled, RUNS]
    assert played(on_a_line(6), x0=(3, 0))[:3] == [(*coupled, Couple(2)), coupled, RUNS]
