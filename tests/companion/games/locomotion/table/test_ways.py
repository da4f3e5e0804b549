"""How a turn was played, seen from what stands there after it."""

from msgspec.structs import replace

from companion.games.locomotion.rules import ChooseSpeed, Couple, Dot, Game, Mode, Motion, Phase, Run, State, Uncouple
from companion.games.locomotion.table.seen import Seen, seen_by
from companion.games.locomotion.table.ways import ways
from companion.games.locomotion.wording import Kind
from tests.companion.games.locomotion.rules.networks import LINE, game_on, rolled
from tests.companion.games.locomotion.table.sights import reading_of, seen_in, with_others
from vision.watching.network_reading import SeenVehicle

RED, YELLOW = Kind(1, is_locomotive=False), Kind(2, is_locomotive=False)
TO_RED = (Run((1, 0)), Run((2, 0)), Run((3, 0)))
AT_RED = {(0, 0): (3, 0)}


def a_line(*order: int, mode: Mode = Mode.DIE) -> Game:
    """A locomotive at the left of nine dots in a row, red at 4 and yellow at 5."""
    return game_on(LINE, [(0, 0)], [[(4, 0)], [(5, 0)]], order=order, mode=mode)


def played(state: State, seen: Seen) -> list[tuple[Motion, ...]]:
    return [way.motions for way in ways(state, seen)]


def on_a_line(number: int, moved: dict[Dot, Dot], *order: int) -> list[tuple[Motion, ...]]:
    state = rolled(a_line(*order), number).state
    return played(state, seen_in(state, moved))


def test_what_was_not_moved_has_done_nothing() -> None:
    assert on_a_line(6, {}) == [()]


def test_who_comes_to_the_wagon_that_is_wanted_couples_it_if_a_step_is_left() -> None:
    assert on_a_line(3, AT_RED) == [TO_RED]
    assert on_a_line(4, AT_RED) == [(*TO_RED, Couple(1)), TO_RED]
    assert on_a_line(4, AT_RED, 2, 1) == [TO_RED, (*TO_RED, Couple(1))]


def test_who_can_have_won_has_won() -> None:
    state = rolled(a_line(), 5).state
    first, *others = ways(state, seen_in(state, AT_RED))
    assert (first.motions, first.state.phase) == ((*TO_RED, Couple(1), Couple(2)), Phase.OVER)
    assert [way.motions for way in others] == [(*TO_RED, Couple(1)), TO_RED]


def test_what_is_not_wanted_is_left_behind_if_a_step_is_left() -> None:
    game = rolled(game_on(LINE, [(3, 0)], [[(4, 0)], [(0, 0)]], order=(2, 1)), 1)
    game.do(Couple(1))
    state = rolled(game, 2).state
    moved = seen_in(state, {(3, 0): (2, 0), (4, 0): (3, 0)})
    assert played(state, moved) == [(Run((2, 0)), Uncouple(1)), (Run((2, 0)),)]


def test_a_speed_is_used_in_full_to_and_fro_too() -> None:
    game = a_line(mode=Mode.SPEED)
    state = game.do(ChooseSpeed(3))
    assert played(state, seen_in(state, AT_RED)) == [TO_RED]
    (back,) = played(state, seen_in(state, {(0, 0): (1, 0)}))
    assert len(back) == 3
    assert played(state, seen_in(state, {(0, 0): (2, 0)})) == []


def test_no_turn_goes_on_between_turns() -> None:
    state = a_line().state
    assert played(state, seen_in(state)) == []


def test_what_may_be_several_things_is_what_can_be_there() -> None:
    state = rolled(a_line(2, 1), 3).state
    seen = with_others(seen_in(state, AT_RED), state, (5, 0), RED, YELLOW)
    (way,) = ways(state, seen)
    assert (way.motions, way.doubt) == (TO_RED, 1)
    assert played(state, with_others(seen, state, (5, 0), RED)) == []


def test_what_is_seen_more_often_than_there_is_one_is_misread_somewhere() -> None:
    state = rolled(a_line(2, 1), 3).state
    reading = reading_of(state, AT_RED)
    *rest, _ = reading.vehicles
    wrong = replace(reading, vehicles=(*rest, SeenVehicle((5, 0), *RED)))
    assert played(state, seen_by(wrong, state.setup)) == [TO_RED]


def test_what_is_hidden_stands_where_it_can() -> None:
    state = rolled(a_line(2, 1), 2).state
    seen = seen_in(state, AT_RED)
    far, near = (state.setup.network.number(dot) for dot in ((3, 0), (2, 0)))
    assert far is not None
    assert near is not None
    gone = {dot: kinds for dot, kinds in seen.kinds.items() if dot != far}
    assert played(state, Seen(gone, frozenset({far, near}))) == [TO_RED[:2]]
