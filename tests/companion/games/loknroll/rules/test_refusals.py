"""Steps that are refused, in every moment of a game, and how it is said."""

import math
import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import pytest

from companion.games.loknroll.rules import (
    AnyStep,
    Begin,
    Discard,
    Draw,
    EndTurn,
    Game,
    IllegalPlacement,
    Impossible,
    Lay,
    LayOpen,
    Mode,
    NotAllowed,
    NotNow,
    Pass,
    Put,
    Roll,
    RuleError,
    SetAside,
    StartCard,
    State,
    after,
    allowed_steps,
)
from companion.games.loknroll.rules.clauses import CLAUSES
from companion.games.loknroll.rules.errors import TEXTS
from vision.cards import Pose

Table = Callable[..., Game]
Laid = list[tuple[str, Pose]]
Moments = dict[str, Game]


@pytest.fixture
def rail_moments(table: Table, column: Laid, hook: Laid, into_the_wall: Pose, almost_a_loop: Laid) -> Moments:
    """Games with rails, in each of which a person acts."""
    games = {
        "acting with rails": table(column),
        "before a wall": table(hook, dead_end="forbid"),
        "at a wall": table([*hook, ("track-1-left", into_the_wall)]),
        "before a loop": table(almost_a_loop, loops="forbidden"),
    }
    for game in games.values():
        game.do(Draw())
    return games


@pytest.fixture
def moments(new_game: Table, table: Table, do: Callable[..., State], column: Laid, rail_moments: Moments) -> Moments:
    """Games by what they wait for."""
    games = rail_moments | {
        "fresh": new_game(),
        "one card": new_game(),
        "one card with rails": new_game(rails=True),
        "ready": new_game(),
        "ready for Betsy": new_game(Mode.BETSY),
        "drawing": table(),
        "acting": table(),
        "building": table(hands=[1]),
        "building with the last card": table(hands=[0]),
        "discarding": table(),
        "discarding the last card": table(hands=[0]),
        "putting": table("1 2 3 b4", piles=["3"]),
        "putting onto nothing": table("1 2 3 b4"),
        "Betsy draws": table("1 1 1 1", 2, Mode.BETSY),
        "Betsy acts": table(column, 2, Mode.BETSY),
        "laying open": table(draw_pile=1, hands=[2, 0]),
        "over": table(draw_pile=1, hands=[0, 0]),
        "lost": table("1 1 1 1", 3, Mode.SOLO_HARD, derailments=3),
        "lost in the last turn": table("1 1 1 1", 3, Mode.SOLO_HARD, derailments=3, draw_pile=1),
    }
    start = StartCard("track-1-straight")
    do(games["one card"], start)
    do(games["one card with rails"], StartCard("track-1-straight", Pose(0, 0)))
    do(games["ready"], *[start] * 4)
    do(games["ready for Betsy"], *[start] * 4)
    do(games["acting"], Draw())
    for name in ("building", "building with the last card", "laying open", "over"):
        do(games[name], Draw(), Lay("track-1-right"))
    for name in ("laying open", "over"):
        do(games[name], Roll((0,)))
    for name in ("lost", "lost in the last turn"):
        do(games[name], Draw(), Lay("track-2-right"), Roll((1, 1)))
    for name in ("discarding", "discarding the last card"):
        do(games[name], Draw(), Discard("chaos-1"))
    for name in ("putting", "putting onto nothing"):
        do(games[name], Draw(), Pass())
    do(games["Betsy acts"], Draw("track-2-left"))
    return games


NOWHERE = Pose(math.nan, 0)


class Refused(NamedTuple):
    moment: str
    step: AnyStep
    kind: type[RuleError]
    clause: str
    code: str


REFUSED = [
    Refused("fresh", Draw(), NotNow, "TURN1", "not-now"),
    Refused("fresh", Begin(0), NotNow, "SET2", "not-now"),
    Refused("fresh", Lay("track-1-left"), NotNow, "TURN2", "not-now"),
    Refused("fresh", StartCard("chaos-1"), NotAllowed, "SET3", "starting-chaos"),
    Refused("fresh", StartCard("track-1-left", Pose(0, 0)), NotAllowed, "LAY2", "needs-no-pose"),
    Refused("fresh", StartCard("no such card"), Impossible, "MAT1", "unknown-card"),
    Refused("fresh", SetAside("track-1-left"), NotAllowed, "SET3", "set-aside-fits"),
    Refused("one card with rails", StartCard("track-1-left"), NotAllowed, "LAY2", "needs-pose"),
    Refused("one card with rails", StartCard("track-1-left", Pose(300, 0)), IllegalPlacement, "LAY2", "rails-apart"),
    Refused("one card with rails", StartCard("track-1-left", Pose(0, -88, 45)), IllegalPlacement, "LAY1", "skewed"),
    Refused("one card with rails", SetAside("track-1-left"), NotAllowed, "SET3", "set-aside-fits"),
    Refused("ready", StartCard("track-2-left"), NotNow, "SET2", "not-now"),
    Refused("ready", SetAside("chaos-1"), NotNow, "SET3", "not-now"),
    Refused("ready", Begin(2), NotAllowed, "SET9", "starter"),
    Refused("ready", Begin(0, reverse=True), NotAllowed, "SET5", "direction"),
    Refused("ready for Betsy", Begin(0), NotAllowed, "SET9", "starter"),
    Refused("drawing", Pass(), NotNow, "TURN2", "not-now"),
    Refused("drawing", Draw("track-2-left"), NotAllowed, "TURN1", "hidden-draw"),
    Refused("acting", Draw(), NotNow, "TURN1", "not-now"),
    Refused("acting", Roll((1,)), NotNow, "ROLL1", "not-now"),
    Refused("acting", Begin(0), NotNow, "SET2", "not-now"),
    Refused("acting", EndTurn(), NotNow, "TURN2", "not-now"),
    Refused("acting", Lay("chaos-1"), NotAllowed, "LAY0", "not-a-track"),
    Refused("acting", Lay("track-3-left"), IllegalPlacement, "LAY4", "difference"),
    Refused("acting", Lay("track-1-straight"), Impossible, "MAT1", "no-more-of-it"),
    Refused("acting", Lay("no such card"), Impossible, "MAT1", "unknown-card"),
    Refused("acting", Lay("track-1-left", Pose(0, 0)), NotAllowed, "LAY2", "needs-no-pose"),
    Refused("acting", Lay("track-1-left", NOWHERE), NotAllowed, "LAY2", "needs-no-pose"),
    Refused("acting with rails", Lay("track-1-left", NOWHERE), NotAllowed, "LAY2", "needs-pose"),
    Refused("acting with rails", Lay("track-1-left", Pose(1e308, 1e308)), NotAllowed, "LAY2", "off-any-table"),
    Refused("fresh", StartCard("track-1-left", NOWHERE), NotAllowed, "LAY2", "needs-no-pose"),
    Refused("acting", Discard("track-1-left"), NotAllowed, "CHA1", "not-chaos"),
    Refused("acting", Discard("chaos-1", combine=True), NotAllowed, "CMB1", "cannot-combine-empty"),
    Refused("acting with rails", Lay("track-1-left"), NotAllowed, "LAY2", "needs-pose"),
    Refused("acting with rails", Lay("track-1-left", Pose(0, -396, 30)), IllegalPlacement, "LAY1", "skewed"),
    Refused("acting with rails", Lay("track-1-left", Pose(60, -396)), IllegalPlacement, "LAY2", "rails-apart"),
    Refused("acting with rails", Lay("track-2-straight", Pose(44, -352, 90)), IllegalPlacement, "LAY2", "rails-turned"),
    Refused("at a wall", Lay("track-2-straight", Pose(0, -144.5, 90)), IllegalPlacement, "LAY3", "overlap"),
    Refused("before a wall", Lay("track-2-left", Pose(-75.5, -144.5, 180)), IllegalPlacement, "LAY5", "dead-end"),
    Refused("before a loop", Lay("track-2-left", Pose(0, 31.5, 90)), IllegalPlacement, "LAY5", "loop"),
    Refused("building", Lay("track-2-left"), NotAllowed, "LAY0", "another-value"),
    Refused("building", Roll(()), NotAllowed, "ROLL1", "dice-count"),
    Refused("building", Roll((2,)), NotAllowed, "MAT3", "dice-face"),
    Refused("building", Pass(), NotNow, "TURN2", "not-now"),
    Refused("building with the last card", Lay("track-1-left"), Impossible, "LAY0", "hand-empty"),
    Refused("discarding", Pass(), NotNow, "TURN2", "not-now"),
    Refused("discarding", Discard("chaos-2", combine=True), NotAllowed, "CMB1", "cannot-combine"),
    Refused("discarding", Discard("chaos-1"), Impossible, "MAT1", "no-more-of-it"),
    Refused("discarding the last card", Discard("chaos-2"), Impossible, "CHA1", "no-hand-to-discard"),
    Refused("putting", Draw(), NotNow, "TURN1", "not-now"),
    Refused("putting", Put("track-3-left"), NotAllowed, "PEN3", "not-a-penalty"),
    Refused("putting", Put("track-1-straight", combine=True), NotAllowed, "CMB1", "cannot-combine"),
    Refused("putting onto nothing", Put("track-1-straight", combine=True), NotAllowed, "CMB1", "cannot-combine-empty"),
    Refused("Betsy draws", Draw(), NotAllowed, "BET1", "open-draw"),
    Refused("Betsy draws", Draw("track-1-straight"), Impossible, "MAT1", "no-more-of-it"),
    Refused("Betsy acts", Lay("track-2-right", Pose(0, -396)), NotAllowed, "BET2", "not-the-drawn"),
    Refused("Betsy acts", Pass(), NotAllowed, "BET2", "can-be-laid"),
    Refused("Betsy acts", Discard("chaos-1"), NotNow, "TURN2", "not-now"),
    Refused("laying open", Draw(), Impossible, "END1", "pile-empty"),
    Refused("laying open", LayOpen(0, ("chaos-1",)), Impossible, "END2", "hand-size"),
    Refused("laying open", LayOpen(1, ()), NotAllowed, "END2", "already-open"),
    Refused("laying open", LayOpen(0, ("chaos-1", "chaos-1")), Impossible, "MAT1", "no-more-of-it"),
    Refused("over", Draw(), Impossible, "END1", "pile-empty"),
    Refused("over", Pass(), NotNow, "END1", "game-over"),
    Refused("over", LayOpen(0, ()), NotNow, "END1", "game-over"),
    Refused("lost", Draw(), NotNow, "SOLO2", "game-lost"),
    Refused("lost", Put("track-1-straight"), NotNow, "SOLO2", "game-lost"),
    Refused("lost in the last turn", Draw(), NotNow, "SOLO2", "game-lost"),
]


@pytest.mark.parametrize("case", REFUSED, ids=[f"{case.moment}-{case.step.name}-{case.code}" for case in REFUSED])
class TestRefusals:
    def test_says_by_which_clause(self, moments: Moments, case: Refused) -> None:
        with pytest.raises(RuleError) as refused:
            moments[case.moment].do(case.step)
        assert type(refused.value) is case.kind
        assert (refused.value.clause, refused.value.code) == (case.clause, case.code)
        assert case.clause in CLAUSES

    def test_says_what_is_wrong_and_what_is_allowed_instead(self, moments: Moments, case: Refused) -> None:
        with pytest.raises(case.kind) as refused:
            moments[case.moment].do(case.step)
        error = refused.value
        for sentence in (error.message, error.allowed):
            assert re.fullmatch(r"[^{}]+\.", sentence)
        assert str(error) == f"{error.message} {error.allowed} ({case.clause})"

    def test_changes_nothing(self, moments: Moments, case: Refused) -> None:
        game = moments[case.moment]
        states, steps, text = game.states, game.steps, repr(game.state)
        assert not game.can(case.step)
        for attempt in (game.check, game.do, partial(after, game.state)):
            with pytest.raises(case.kind):
                attempt(case.step)
        assert (game.states, game.steps) == (states, steps)
        assert repr(game.state) == text


def test_every_objection_of_the_rules_to_a_step_is_tried() -> None:
    before_the_first_step = {"cards-in-deck", "too-few-tracks", "mode", "names", "rails"}
    assert {case.code for case in REFUSED} == set(TEXTS) - before_the_first_step - {
        "start-incomplete",
        "nothing-played",
        "not-so-many-steps",
    }


def test_a_rule_error_is_a_value_error() -> None:
    assert issubclass(RuleError, ValueError)
    for kind in (NotNow, NotAllowed, Impossible):
        assert issubclass(kind, RuleError)
    assert issubclass(IllegalPlacement, NotAllowed)


@pytest.mark.rule("TURN2")
@pytest.mark.parametrize("moment", ["fresh", "ready", "drawing", "acting", "building", "discarding", "putting"])
def test_a_step_at_the_wrong_moment_is_told_those_that_are_right(moments: Moments, moment: str) -> None:
    state = moments[moment].state
    wrong = next(step for step in (EndTurn(), Begin(0)) if type(step) not in allowed_steps(state))
    with pytest.raises(NotNow) as refused:
        after(state, wrong)
    right = [kind.__struct_config__.tag for kind in allowed_steps(state)]
    assert refused.value.details["allowed"] == right
    assert refused.value.allowed.count(",") == len(right) - 1


def test_a_card_named_like_a_step_is_told_by_its_name(moments: Moments) -> None:
    with pytest.raises(Impossible) as refused:
        moments["acting"].do(Lay("put"))
    assert refused.value.message == "The deck has no card named put."


@pytest.mark.rule("END1")
def test_after_the_game_nothing_is_allowed(moments: Moments) -> None:
    assert allowed_steps(moments["over"].state) == ()
