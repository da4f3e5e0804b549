"""Laying cards: values, rails, room; and the dice and the drive that follow."""

from collections.abc import Callable

import msgspec
import pytest

from companion.games.loknroll.rules import (
    Draw,
    Game,
    IllegalPlacement,
    Impossible,
    Lay,
    NotAllowed,
    NotNow,
    Pass,
    Phase,
    Put,
    Roll,
    State,
)
from companion.games.loknroll.rules.building import legal_placements
from vision.cards import Deck, Pose, standard_deck

Table = Callable[..., Game]
Do = Callable[..., State]
Laid = list[tuple[str, Pose]]

STRAIGHT_FACE = "track-2-straight"


@pytest.mark.rule("LAY0")
def test_one_card_may_be_laid(table: Table, do: Do) -> None:
    state = do(table(), Draw(), Lay("track-2-right"))
    assert state.railway.front.face.id == "track-2-right"
    assert state.laid == 1
    assert state.player.hand == 2


@pytest.mark.rule("LAY0")
def test_all_cards_of_the_hand_may_be_laid_if_they_have_one_value(table: Table, do: Do) -> None:
    state = do(table(), Draw(), Lay("track-2-right"), Lay("track-2-left"), Lay("broken-2"))
    assert [face.value for face in state.railway.faces] == [1, 1, 1, 1, 2, 2, 2]
    assert state.player.hand == 0


@pytest.mark.rule("LAY0")
@pytest.mark.parametrize("other", ["track-1-left", "track-3-left", "track-4-left"])
def test_a_second_card_of_another_value_is_refused(table: Table, do: Do, other: str) -> None:
    game = table()
    do(game, Draw(), Lay("track-2-right"))
    with pytest.raises(NotAllowed) as refused:
        game.do(Lay(other))
    assert (refused.value.clause, refused.value.code) == ("LAY0", "another-value")


@pytest.mark.rule("LAY0")
def test_no_card_is_laid_from_an_empty_hand(table: Table, do: Do) -> None:
    game = table(hands=[0])
    do(game, Draw(), Lay("track-2-right"))
    with pytest.raises(Impossible) as refused:
        game.do(Lay("track-2-left"))
    assert (refused.value.clause, refused.value.code) == ("LAY0", "hand-empty")


@pytest.mark.rule("LAY0")
def test_building_takes_at_least_one_card(table: Table, do: Do) -> None:
    game = table()
    do(game, Draw())
    with pytest.raises(NotNow):
        game.do(Roll(()))


@pytest.mark.rule("LAY0", "MAT2")
def test_a_chaos_card_is_never_laid(table: Table, do: Do) -> None:
    game = table()
    do(game, Draw())
    with pytest.raises(NotAllowed) as refused:
        game.do(Lay("chaos-1"))
    assert (refused.value.clause, refused.value.code) == ("LAY0", "not-a-track")


@pytest.mark.rule("LAY0")
def test_cards_are_laid_to_the_end_of_the_railway_not_to_its_start(table: Table, do: Do, column: Laid) -> None:
    game = table(column)
    do(game, Draw())
    assert game.can(Lay(STRAIGHT_FACE, Pose(0, -396)))
    with pytest.raises(IllegalPlacement) as refused:
        game.do(Lay(STRAIGHT_FACE, Pose(0, 44)))
    assert refused.value.clause == "LAY2"


@pytest.mark.rule("LAY1")
@pytest.mark.parametrize(
    ("face", "pose"),
    [
        (STRAIGHT_FACE, Pose(0, -396, 0)),
        (STRAIGHT_FACE, Pose(0, -396, 180)),
        ("track-2-across", Pose(0, -383.5, 90)),
        ("track-2-across", Pose(0, -383.5, 270)),
        ("track-2-across", Pose(0, -383.5, -90)),
        ("track-2-left", Pose(0, -383.5, 270)),
        ("track-2-right", Pose(0, -383.5, 90)),
    ],
)
def test_cards_lie_upright_or_across(table: Table, do: Do, column: Laid, face: str, pose: Pose) -> None:
    game = table(column)
    do(game, Draw())
    assert game.can(Lay(face, pose))


@pytest.mark.rule("LAY1")
@pytest.mark.parametrize("degrees", [20, 30, 45, -45, 70, 135])
def test_cards_do_not_lie_askew(table: Table, do: Do, column: Laid, degrees: float) -> None:
    game = table(column)
    do(game, Draw())
    with pytest.raises(IllegalPlacement) as refused:
        game.do(Lay(STRAIGHT_FACE, Pose(0, -396, degrees)))
    assert (refused.value.clause, refused.value.code, refused.value.between) == ("LAY1", "skewed", (3,))


@pytest.mark.rule("LAY1")
def test_the_measure_is_the_other_cards_not_the_table(table: Table, do: Do) -> None:
    game = table([("track-1-across", Pose(0, 0, 30)), ("track-1-across", Pose(54.56, 31.5, 30))], 0)
    do(game, Draw())
    assert game.can(Lay("track-2-across", Pose(109.12, 63, 30)))
    with pytest.raises(IllegalPlacement) as refused:
        game.do(Lay("track-2-across", Pose(109.12, 63, 0)))
    assert refused.value.clause == "LAY1"


@pytest.mark.rule("LAY1", "LAY2")
def test_the_imprecision_of_hands_is_no_breach(table: Table, do: Do, column: Laid) -> None:
    game = table(column)
    do(game, Draw())
    assert game.can(Lay(STRAIGHT_FACE, Pose(2, -394, 3)))
    assert game.can(Lay(STRAIGHT_FACE, Pose(-2, -398, -3)))


@pytest.mark.rule("LAY2")
@pytest.mark.parametrize(
    ("face", "pose"),
    [
        (STRAIGHT_FACE, Pose(31.5, -396)),
        (STRAIGHT_FACE, Pose(0, -420)),
        ("track-2-across", Pose(0, -396)),
        ("track-2-left", Pose(0, -396, 180)),
        (STRAIGHT_FACE, Pose(500, 500)),
    ],
    ids=["beside", "gap", "edge to edge only", "rails elsewhere", "far away"],
)
def test_rails_must_meet(table: Table, do: Do, column: Laid, face: str, pose: Pose) -> None:
    game = table(column)
    do(game, Draw())
    with pytest.raises(IllegalPlacement) as refused:
        game.do(Lay(face, pose))
    assert (refused.value.clause, refused.value.code, refused.value.between) == ("LAY2", "rails-apart", (3,))


@pytest.mark.rule("LAY2")
def test_a_card_across_may_lie_beside_an_upright_one(table: Table, do: Do, hook: Laid) -> None:
    game = table(hook[:3], 0)
    do(game, Draw())
    assert game.can(Lay("track-2-across", Pose(-63, -220, 0)))
    assert game.can(Lay("track-2-straight", Pose(-75.5, -220, 90)))


@pytest.fixture
def bent() -> Deck:
    """The standard deck with the rails of one face 10 mm beside the middle on both edges, each to its right."""
    data = msgspec.to_builtins(standard_deck("standard-55"))
    bend = next(face for face in data["faces"] if face["id"] == STRAIGHT_FACE)
    bend["ports"] = [{"edge": "S", "offset_mm": 10}, {"edge": "N", "offset_mm": -10}]
    return msgspec.convert(data, Deck)


@pytest.mark.rule("LAY2", "MAT4")
def test_only_rails_count_so_a_card_may_lie_shifted(table: Table, do: Do, column: Laid, bent: Deck) -> None:
    game = table(column, deck=bent)
    do(game, Draw())
    assert not game.can(Lay(STRAIGHT_FACE, Pose(0, -396)))
    do(game, Lay(STRAIGHT_FACE, Pose(-10, -396)))
    assert game.can(Lay("track-2-left", Pose(-20, -484)))
    assert not game.can(Lay("track-2-left", Pose(-10, -484)))


@pytest.mark.rule("LAY2")
@pytest.mark.parametrize("pose", [None, Pose(0, -396)])
def test_a_place_is_told_just_where_places_are_checked(table: Table, do: Do, column: Laid, pose: Pose | None) -> None:
    game = table("1 1 1 1" if pose else column)
    do(game, Draw())
    with pytest.raises(NotAllowed) as refused:
        game.do(Lay(STRAIGHT_FACE, pose))
    assert refused.value.code == ("needs-no-pose" if pose else "needs-pose")


@pytest.mark.rule("LAY3")
def test_cards_must_not_overlap(table: Table, do: Do, hook: Laid, into_the_wall: Pose) -> None:
    game = table([*hook, ("track-1-left", into_the_wall)])
    do(game, Draw())
    with pytest.raises(IllegalPlacement) as refused:
        game.do(Lay(STRAIGHT_FACE, Pose(0, -144.5, 90)))
    assert (refused.value.clause, refused.value.code, refused.value.between) == ("LAY3", "overlap", (1,))
    assert "card 2" in refused.value.message


@pytest.mark.rule("LAY3", "PEN1")
def test_space_freed_by_cards_taken_from_the_rear_may_be_used(
    table: Table, do: Do, hook: Laid, into_the_wall: Pose
) -> None:
    game = table([*hook, ("track-1-left", into_the_wall)], 2)
    lay = Lay(STRAIGHT_FACE, Pose(0, -144.5, 90))
    do(game, Draw(), Pass(), Put("track-1-straight"), Draw())
    assert not game.can(lay)
    do(game, Pass(), Put("track-1-straight"), Draw())
    assert game.can(lay)


@pytest.mark.rule("LAY4")
@pytest.mark.parametrize("front", [1, 2, 3, 4])
@pytest.mark.parametrize("value", [1, 2, 3, 4])
def test_the_difference_is_never_2(table: Table, do: Do, front: int, value: int) -> None:
    game = table(f"1 1 1 {front}")
    do(game, Draw())
    forbidden = {(1, 3), (3, 1), (2, 4), (4, 2)}
    assert game.can(Lay(f"track-{value}-right")) is ((value, front) not in forbidden)


@pytest.mark.rule("LAY4")
def test_the_objection_tells_which_values_fit(table: Table, do: Do) -> None:
    game = table("1 1 1 4")
    do(game, Draw())
    with pytest.raises(IllegalPlacement) as refused:
        game.do(Lay("track-2-left"))
    assert (refused.value.clause, refused.value.code, refused.value.between) == ("LAY4", "difference", (3,))
    assert "1, 3, 4" in refused.value.allowed


@pytest.mark.rule("LAY4")
def test_only_the_front_card_counts_for_the_difference(table: Table, do: Do) -> None:
    assert do(table("3 3 3 2"), Draw(), Lay("track-1-left")).laid == 1


@pytest.mark.rule("LAY5")
def test_the_railway_may_curl_back_beside_itself(table: Table, do: Do, hook: Laid) -> None:
    game = table(hook)
    do(game, Draw())
    assert game.can(Lay(STRAIGHT_FACE, Pose(-75.5, -144.5, 180)))


@pytest.mark.rule("LAY5")
@pytest.mark.parametrize("knob", ["free", "warn"])
def test_a_dead_end_may_be_laid(table: Table, do: Do, hook: Laid, into_the_wall: Pose, knob: str) -> None:
    state = do(table(hook, dead_end=knob), Draw(), Lay("track-2-left", into_the_wall))
    assert len(state.railway) == 5
    assert state.outcome.dead_end is (knob == "warn")


@pytest.mark.rule("LAY5")
def test_a_dead_end_can_be_forbidden(table: Table, do: Do, hook: Laid, into_the_wall: Pose) -> None:
    game = table(hook, dead_end="forbid")
    do(game, Draw())
    with pytest.raises(IllegalPlacement) as refused:
        game.do(Lay("track-2-left", into_the_wall))
    assert (refused.value.clause, refused.value.code) == ("LAY5", "dead-end")
    assert not do(game, Lay("track-2-left", Pose(-75.5, -157, 90))).outcome.dead_end


@pytest.mark.rule("LAY5")
@pytest.mark.parametrize("knob", ["free", "warn", "forbid"])
def test_what_leaves_room_is_no_dead_end(table: Table, do: Do, hook: Laid, knob: str) -> None:
    state = do(table(hook, dead_end=knob), Draw(), Lay(STRAIGHT_FACE, Pose(-75.5, -144.5, 180)))
    assert not state.outcome.dead_end


@pytest.mark.rule("LAY5", "PASS1")
def test_before_a_dead_end_nothing_can_be_laid_and_one_may_pass(
    table: Table, do: Do, hook: Laid, into_the_wall: Pose
) -> None:
    game = table([*hook, ("track-1-left", into_the_wall)], 3)
    state = do(game, Draw())
    assert not any(legal_placements(state, face) for face in state.setup.deck.faces)
    assert game.can(Pass())


@pytest.mark.rule("LAY5")
def test_a_loop_may_be_laid_where_loops_are_allowed(table: Table, do: Do, almost_a_loop: Laid, closing: Pose) -> None:
    game = table(almost_a_loop, loops="allowed")
    assert len(do(game, Draw(), Lay("track-2-left", closing)).railway) == 6


@pytest.mark.rule("LAY5")
def test_a_loop_may_not_be_laid_where_loops_are_forbidden(
    table: Table, do: Do, almost_a_loop: Laid, closing: Pose
) -> None:
    game = table(almost_a_loop, loops="forbidden")
    do(game, Draw())
    with pytest.raises(IllegalPlacement) as refused:
        game.do(Lay("track-2-left", closing))
    assert (refused.value.clause, refused.value.code, refused.value.between) == ("LAY5", "loop", (0,))
    assert game.can(Lay(STRAIGHT_FACE, Pose(0, 31.5, 90)))


@pytest.mark.rule("LAY5", "DER1")
def test_in_a_loop_emma_never_runs_over_the_start_again(
    table: Table, do: Do, almost_a_loop: Laid, closing: Pose
) -> None:
    game = table(almost_a_loop, 4, dead_end="free")
    state = do(game, Draw(), Lay("track-2-left", closing), Roll((1, 1)))
    assert (state.outcome.moved, state.outcome.missing) == (1, 1)
    assert state.railway.faces[state.emma].id == "track-2-left"
    assert state.emma == len(state.railway) - 1


@pytest.mark.rule("LAY5", "PEN1")
def test_the_start_of_a_loop_moves_with_the_cards_taken(
    table: Table, do: Do, almost_a_loop: Laid, closing: Pose
) -> None:
    game = table(almost_a_loop, 2, loops="forbidden")
    do(game, Draw(), Pass(), Put("track-1-straight"), Draw())
    assert game.can(Lay("track-2-left", closing))


@pytest.mark.rule("ROLL1")
@pytest.mark.parametrize(
    ("laid", "dice"),
    [
        (["track-1-right"], 1),
        (["track-1-right", "broken-1"], 2),
        (["track-2-right", "track-2-right"], 4),
        (["track-2-right", "track-2-right", "broken-2"], 6),
        (["track-4-right", "track-4-right", "track-4-right"], 12),
    ],
)
def test_as_many_dice_as_the_laid_values_make_together(table: Table, do: Do, laid: list[str], dice: int) -> None:
    game = table()
    do(game, Draw(), *(Lay(face) for face in laid))
    assert game.can(Roll((0,) * dice))
    for wrong in (dice - 1, dice + 1):
        with pytest.raises(NotAllowed) as refused:
            game.do(Roll((0,) * wrong))
        assert (refused.value.clause, refused.value.code) == ("ROLL1", "dice-count")
        assert str(dice) in refused.value.allowed


@pytest.mark.rule("ROLL1", "ROLL2")
def test_more_than_4_dice_are_rolled_in_two_throws_and_all_wheels_count(table: Table, do: Do) -> None:
    game = table("1 1 1 2", 0)
    state = do(game, Draw(), Lay("track-3-right"), Lay("track-3-left"), Roll((1, 0, 1, 0, 1, 1)))
    assert (state.outcome.moved, state.outcome.missing) == (4, 0)


@pytest.mark.rule("ROLL1")
def test_only_the_cards_of_this_turn_count(table: Table, do: Do) -> None:
    game = table()
    do(game, Draw(), Lay("track-4-right"), Roll((0, 0, 0, 0)), Draw(), Lay("track-1-right"))
    assert game.can(Roll((0,)))
    assert not game.can(Roll((0,) * 5))


@pytest.mark.rule("ROLL2")
@pytest.mark.parametrize("dice", [(0, 0, 0, 0), (0, 1, 0, 0), (1, 0, 1, 0), (1, 1, 1, 0), (1, 1, 1, 1)])
def test_emma_goes_one_card_for_each_wheel(table: Table, do: Do, dice: tuple[int, ...]) -> None:
    state = do(table("1 1 1 1", 0), Draw(), Lay("track-4-right"), Roll(dice))
    assert state.emma == state.outcome.moved == sum(dice)
    assert state.outcome.taken == ()


@pytest.mark.rule("ROLL2", "TURN3")
def test_a_drive_without_penalty_ends_the_turn(table: Table, do: Do) -> None:
    state = do(table(), Draw(), Lay("track-1-right"), Roll((1,)))
    assert (state.phase, state.active) == (Phase.DRAWING, 1)
