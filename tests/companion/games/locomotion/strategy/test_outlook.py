"""What is known of the way on: proven, or told as a bound, and kept along a plan."""

import pytest

from companion.games.locomotion.networks import Puzzle
from companion.games.locomotion.rules import Couple, Motion, Phase, Roll, Run, State, Uncouple, after, legal_motions
from companion.games.locomotion.strategy.outlook import Outlook, Outlooks, looked_ahead
from tests.companion.games.locomotion.rules.networks import LINE, PINWHEEL, network

PUZZLE = Puzzle(network(PINWHEEL), (2, 0), ((1, 3), (-2, 2), (-1, -1), (0, 2)), (1, 4, 2, 3))
FEWEST = 18


def looked(state: State) -> Outlook:
    return looked_ahead([state], lambda: True, lambda _: None)


def done(state: State, motion: Motion) -> State:
    """The state after a motion, in this turn or the next one."""
    if state.phase is Phase.ROLLING:
        state = after(state, Roll(6))
    return after(state, motion)


@pytest.mark.rule("LSOLO1")
def test_the_fewest_steps_are_proven_and_known_all_along_the_plan() -> None:
    state, outlooks = PUZZLE.start(), Outlooks()
    outlooks.learn(state, looked(state))
    for left in range(FEWEST, 0, -1):
        outlook = outlooks.of(state)
        assert outlook is not None
        assert (outlook.least, outlook.is_proven) == (left, True)
        assert outlook.plan is not None
        state = done(state, outlook.plan[0])
    assert state.phase is Phase.OVER


def test_the_first_change_is_what_is_coupled_or_uncoupled_before_all_else() -> None:
    outlook = looked(PUZZLE.start())
    assert outlook.plan is not None
    changes = [motion for motion in outlook.plan if isinstance(motion, Couple | Uncouple)]
    assert outlook.first_change == changes[0]


def test_off_the_plan_nothing_is_known_until_somebody_looks() -> None:
    state, outlooks = PUZZLE.start(), Outlooks()
    outlook = looked(state)
    outlooks.learn(state, outlook)
    assert outlook.plan is not None
    rolled = after(state, Roll(6))
    others = [after(rolled, motion) for motion in legal_motions(rolled) if motion != outlook.plan[0]]
    assert [outlooks.of(other) for other in others] == [None] * len(others)
    for other in others:
        outlooks.learn(other, looked(other))
        known = outlooks.of(other)
        assert known is not None
        assert known.is_proven
        assert known.least >= FEWEST - 1


def test_what_cannot_be_done_is_told_so() -> None:
    start = Puzzle(network(LINE), (0, 0), ((2, 0), (4, 0), (6, 0)), (2, 1, 3)).start()
    assert looked(start).is_impossible


def test_who_stops_it_is_told_a_bound_and_nothing_more() -> None:
    start, told = PUZZLE.start(), list[Outlook]()
    outlook = looked_ahead([start], lambda: len(told) < 6, told.append)
    assert [each.least for each in told] == sorted(each.least for each in told)
    assert not outlook.is_proven
    assert 0 < outlook.least < FEWEST
    assert outlook.plan is None


def test_a_worse_answer_does_not_hide_a_better_one() -> None:
    state, outlooks = PUZZLE.start(), Outlooks()
    best = looked(state)
    for outlook in (best, Outlook(3), Outlook(7, (*_there_and_back(state), *(best.plan or ())))):
        outlooks.learn(state, outlook)
    assert outlooks.of(state) == best


def _there_and_back(state: State) -> list[Motion]:
    """Two steps that change nothing but lies."""
    rolled = after(state, Roll(6))
    here = rolled.setup.network.dots[rolled.stock.dots[0]]
    return [next(motion for motion in legal_motions(rolled) if isinstance(motion, Run)), Run(here)]
