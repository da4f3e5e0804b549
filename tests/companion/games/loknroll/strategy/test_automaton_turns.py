"""The automaton's turns: what she draws, lays, drives, takes and puts down."""

from collections.abc import Callable

import pytest

from companion.games.loknroll.rules import (
    Discard,
    Draw,
    EndTurn,
    Game,
    Impossible,
    Lay,
    LayOpen,
    Mode,
    NotAllowed,
    NotNow,
    Pass,
    Phase,
    Put,
    Roll,
    State,
    allowed_steps,
    result,
)
from companion.games.loknroll.rules.building import legal_placements
from companion.games.loknroll.strategy.automaton import choose_placement
from vision.cards import Pose

Table = Callable[..., Game]
Do = Callable[..., State]
Row = Callable[..., str]
Laid = list[tuple[str, Pose]]


@pytest.fixture
def betsys_turn(table: Table) -> Table:
    """A game against Betsy in which she has the turn."""

    def build(railway: str | Laid = "1 1 1 1", emma: int = 2, pile: str = "", **more: object) -> Game:
        return table(railway, emma, Mode.BETSY, piles=["", pile], **more)

    return build


@pytest.mark.rule("BET1")
def test_her_card_is_drawn_openly(betsys_turn: Table, do: Do) -> None:
    game = betsys_turn()
    left = game.state.draw_pile
    with pytest.raises(NotAllowed) as refused:
        game.do(Draw())
    assert (refused.value.clause, refused.value.code) == ("BET1", "open-draw")
    state = do(game, Draw("track-2-left"))
    assert state.drawn.id == "track-2-left"
    assert state.draw_pile == left - 1
    assert state.players[1].hand == 0


@pytest.mark.rule("BET1", "TURN3")
def test_a_chaos_card_goes_onto_her_pile_and_ends_her_turn(betsys_turn: Table, do: Do, row: Row) -> None:
    game = betsys_turn("1 2 b3 b4", pile="1")
    before = game.state
    state = do(game, Draw("chaos-3"))
    assert row(state.players[1].pile) == "1 c3"
    assert (state.railway, state.emma) == (before.railway, before.emma)
    assert (state.phase, state.active) == (Phase.DRAWING, 0)


@pytest.mark.rule("BET1", "MAT1")
@pytest.mark.parametrize("face", ["track-1-straight", "track-9"])
def test_she_cannot_draw_a_card_that_lies_elsewhere_or_does_not_exist(betsys_turn: Table, face: str) -> None:
    game = betsys_turn("1 1 1 1")
    with pytest.raises(Impossible) as refused:
        game.do(Draw(face))
    assert refused.value.clause == "MAT1"


@pytest.mark.rule("BET2")
def test_she_lays_the_card_drawn_for_her(betsys_turn: Table, do: Do, row: Row) -> None:
    game = betsys_turn()
    assert set(allowed_steps(do(game, Draw("track-2-left")))) == {Lay, Pass}
    state = do(game, Lay("track-2-left"))
    assert row(state.railway.faces) == "1 1 1 1 2"
    assert state.drawn is None
    assert state.active == 0


@pytest.mark.rule("BET2")
def test_she_lays_no_other_card(betsys_turn: Table, do: Do) -> None:
    game = betsys_turn()
    do(game, Draw("track-2-left"))
    with pytest.raises(NotAllowed) as refused:
        game.do(Lay("track-2-right"))
    assert (refused.value.clause, refused.value.code) == ("BET2", "not-the-drawn")
    assert "track-2-left" in refused.value.allowed


@pytest.mark.rule("BET2", "LAY4")
@pytest.mark.parametrize("front", [1, 2, 3, 4])
@pytest.mark.parametrize("value", [1, 2, 3, 4])
def test_the_difference_rule_holds_for_her(betsys_turn: Table, do: Do, front: int, value: int) -> None:
    game = betsys_turn(f"1 1 1 {front}")
    do(game, Draw(f"track-{value}-right"))
    assert game.can(Lay(f"track-{value}-right")) is (abs(value - front) != 2)
    if abs(value - front) == 2:
        with pytest.raises(NotAllowed) as refused:
            game.do(Lay(f"track-{value}-right"))
        assert refused.value.clause == "LAY4"


@pytest.mark.rule("BET2", "MAT2")
def test_a_broken_track_is_laid_by_her_like_others(betsys_turn: Table, do: Do, row: Row) -> None:
    state = do(betsys_turn(emma=0), Draw("broken-2"), Lay("broken-2"))
    assert row(state.railway.faces) == "1 1 1 1 b2"
    assert state.emma == 2


@pytest.mark.rule("BET2")
def test_while_her_card_can_be_laid_she_does_not_pass(betsys_turn: Table, do: Do, column: Laid) -> None:
    game = betsys_turn(column)
    do(game, Draw("track-2-left"))
    with pytest.raises(NotAllowed) as refused:
        game.do(Pass())
    assert (refused.value.clause, refused.value.code) == ("BET2", "can-be-laid")


@pytest.mark.rule("BET2", "LAY2", "LAY3")
def test_rails_and_room_hold_for_her(betsys_turn: Table, do: Do, hook: Laid, into_the_wall: Pose) -> None:
    game = betsys_turn([*hook, ("track-1-left", into_the_wall)])
    state = do(game, Draw("track-1-right"))
    assert legal_placements(state, state.drawn) == []
    assert choose_placement(state, state.drawn) is None
    with pytest.raises(NotAllowed) as refused:
        game.do(Lay("track-1-right", Pose(0, -144.5, 90)))
    assert refused.value.clause in {"LAY2", "LAY3"}
    assert game.can(Pass())


@pytest.mark.rule("BET2", "BET3", "LAY5")
@pytest.mark.parametrize(
    ("loops", "dead_end", "passes"),
    [("allowed", "free", False), ("allowed", "warn", False), ("forbidden", "free", True), ("allowed", "forbid", True)],
)
def test_she_passes_where_the_only_place_is_a_forbidden_loop_or_dead_end(
    betsys_turn: Table, almost_a_loop: Laid, loops: str, dead_end: str, passes: bool
) -> None:
    game = betsys_turn(almost_a_loop, loops=loops, dead_end=dead_end)
    game.do(Draw("track-2-left"))
    assert game.can(Pass()) is passes
    assert game.can(Lay("track-2-left", Pose(0, 31.5, 90))) is not passes


@pytest.mark.rule("BET2", "LAY5")
def test_a_warning_of_a_dead_end_is_told_for_her_card_too(
    betsys_turn: Table, do: Do, hook: Laid, into_the_wall: Pose
) -> None:
    state = do(betsys_turn(hook), Draw("track-2-left"), Lay("track-2-left", into_the_wall))
    assert state.outcome.dead_end


@pytest.mark.rule("BET3")
def test_without_rails_people_say_whether_her_card_finds_a_place(betsys_turn: Table, do: Do) -> None:
    game = betsys_turn("1 1 1 1")
    do(game, Draw("track-2-left"))
    assert game.can(Lay("track-2-left"))
    assert game.can(Pass())


@pytest.mark.rule("BET2")
@pytest.mark.parametrize("face", ["track-2-straight", "track-2-left", "track-1-right", "broken-2", "track-4-across"])
def test_the_place_named_for_her_is_legal_and_always_the_same(
    betsys_turn: Table, do: Do, hook: Laid, face: str
) -> None:
    game = betsys_turn(hook)
    state = do(game, Draw(face))
    choice = choose_placement(state, state.drawn)
    assert choice == choose_placement(state, state.drawn)
    assert choice.placement in legal_placements(state, state.drawn)
    assert do(game, Lay(face, choice.placement.pose)).railway.front.face.id == face


@pytest.mark.rule("BET2")
def test_the_documented_policy_keeps_away_from_a_dead_end(
    betsys_turn: Table, do: Do, hook: Laid, into_the_wall: Pose
) -> None:
    game = betsys_turn(hook)
    state = do(game, Draw("track-2-left"))
    choice = choose_placement(state, state.drawn)
    assert {way.pose for way in legal_placements(state, state.drawn)} == {into_the_wall, Pose(-75.5, -157, 90)}
    assert choice.placement.pose == Pose(-75.5, -157, 90)
    assert (choice.reason, choice.other_ways) == ("room", 0)


@pytest.mark.rule("BET3", "PASS2", "PASS3")
def test_if_it_cannot_be_laid_she_passes_and_the_drawn_card_goes_into_the_box(
    betsys_turn: Table, do: Do, row: Row
) -> None:
    state = do(betsys_turn("2 1 1 1"), Draw("track-3-left"), Pass())
    assert row(state.box) == "3"
    assert row(state.players[1].pile) == "2"
    assert row(state.railway.faces) == "1 1 1"
    assert state.emma == 2
    assert (state.drawn, state.phase, state.active) == (None, Phase.DRAWING, 0)


@pytest.mark.rule("BET3", "MAT1")
def test_the_card_in_the_box_cannot_come_again(betsys_turn: Table, do: Do) -> None:
    game = betsys_turn("2 1 1 1")
    do(game, Draw("broken-3"), Pass(), Draw())
    assert not game.can(Lay("broken-3"))
    assert game.state.unseen()["broken-3"] == 0


@pytest.mark.rule("BET3", "PASS2")
def test_passing_at_the_front_she_does_not_derail(betsys_turn: Table, do: Do, row: Row) -> None:
    state = do(betsys_turn("2 1 1 1", 3), Draw("track-3-left"), Pass())
    assert (state.outcome.moved, state.outcome.missing) == (0, 0)
    assert row(state.players[1].pile) == "2"


@pytest.mark.rule("BET3", "BET6", "PASS4")
@pytest.mark.parametrize(("knob", "pile"), [(True, "2 3"), (False, "2")])
def test_passing_onto_a_broken_track_costs_her_a_card_more_by_the_knob(
    betsys_turn: Table, do: Do, row: Row, knob: bool, pile: str
) -> None:
    state = do(betsys_turn("2 3 1 b1", broken_on_pass=knob), Draw("track-3-left"), Pass())
    assert row(state.players[1].pile) == pile


@pytest.mark.rule("BET3", "PEN2")
def test_emmas_card_is_not_taken_by_her_either(betsys_turn: Table, do: Do) -> None:
    state = do(betsys_turn("1", 0), Draw("track-3-left"), Pass())
    assert state.players[1].pile == ()
    assert state.outcome.waived == 1


@pytest.mark.rule("BET4")
@pytest.mark.parametrize("value", [1, 2, 4])
def test_emma_moves_by_the_value_laid_without_a_roll(betsys_turn: Table, do: Do, value: int) -> None:
    state = do(betsys_turn("1 1 1 1", 0), Draw(f"track-{value}-right"), Lay(f"track-{value}-right"))
    assert state.emma == state.outcome.moved == value
    assert (state.phase, state.active) == (Phase.DRAWING, 0)


@pytest.mark.rule("BET4")
@pytest.mark.parametrize("step", [Roll((1, 1)), Discard("chaos-1"), EndTurn(), Put("track-1-straight")])
def test_she_neither_rolls_nor_discards(betsys_turn: Table, do: Do, step: Roll) -> None:
    game = betsys_turn()
    do(game, Draw("track-2-left"))
    with pytest.raises(NotNow):
        game.do(step)


@pytest.mark.rule("BET5")
@pytest.mark.parametrize(("face", "missing"), [("track-2-right", 1), ("track-4-right", 3)])
def test_derailing_costs_her_exactly_one_card(betsys_turn: Table, do: Do, row: Row, face: str, missing: int) -> None:
    state = do(betsys_turn("3 2 1 1", 3), Draw(face), Lay(face))
    assert (state.outcome.moved, state.outcome.missing) == (1, missing)
    assert row(state.players[1].pile) == "3"
    assert state.railway.faces[state.emma].id == face


@pytest.mark.rule("BET4", "BET5")
def test_stopping_on_the_front_card_is_no_derailment_of_hers(betsys_turn: Table, do: Do) -> None:
    state = do(betsys_turn("1 1 1 1", 2), Draw("track-2-right"), Lay("track-2-right"))
    assert state.outcome.missing == 0
    assert state.players[1].pile == ()


@pytest.mark.rule("BET6", "BRK1")
def test_broken_tracks_cost_her_one_card_each(betsys_turn: Table, do: Do, row: Row) -> None:
    state = do(betsys_turn("3 1 2 b1 b4 4", 2), Draw("track-4-right"), Lay("track-4-right"))
    assert row(state.players[1].pile) == "3 1"
    assert (state.outcome.broken, state.outcome.missing) == (2, 0)


@pytest.mark.rule("BET5", "BET6")
def test_a_broken_track_and_a_derailment_cost_her_two(betsys_turn: Table, do: Do, row: Row) -> None:
    state = do(betsys_turn("3 2 1 b1", 2), Draw("track-4-right"), Lay("track-4-right"))
    assert (state.outcome.broken, state.outcome.missing) == (1, 2)
    assert row(state.players[1].pile) == "3 2"


@pytest.mark.rule("BET6", "BRK2")
def test_the_broken_track_emma_sets_off_from_costs_her_nothing(betsys_turn: Table, do: Do) -> None:
    state = do(betsys_turn("1 1 b1 1"), Draw("track-1-right"), Lay("track-1-right"))
    assert state.players[1].pile == ()


@pytest.mark.rule("BET7")
def test_she_combines_a_penalty_card_at_once(betsys_turn: Table, do: Do, row: Row) -> None:
    state = do(betsys_turn("2 1 1 1", 3, pile="4 2"), Draw("track-4-right"), Lay("track-4-right"))
    assert row(state.players[1].pile) == "4"
    assert row(state.box) == "2 2"
    assert [put.combined for put in state.outcome.put] == [True]


@pytest.mark.rule("BET7", "BET1")
def test_she_combines_chaos_cards_too(betsys_turn: Table, do: Do, row: Row) -> None:
    state = do(betsys_turn(pile="4 3"), Draw("chaos-3"))
    assert row(state.players[1].pile) == "4"
    assert sorted(row(state.box).split()) == ["3", "c3"]


@pytest.mark.rule("BET7")
def test_each_card_goes_onto_her_pile_in_the_order_taken(betsys_turn: Table, do: Do, row: Row) -> None:
    state = do(betsys_turn("2 2 1 b1 b4 4", 2), Draw("track-4-right"), Lay("track-4-right"))
    assert state.players[1].pile == ()
    assert row(state.box) == "2 2"
    assert [put.combined for put in state.outcome.put] == [False, True]


@pytest.mark.rule("BET7", "CMB2")
def test_she_combines_only_with_the_top(betsys_turn: Table, do: Do, row: Row) -> None:
    state = do(betsys_turn("2 1 1 1", 3, pile="2 3"), Draw("track-4-right"), Lay("track-4-right"))
    assert row(state.players[1].pile) == "2 3 2"
    assert state.box == ()


@pytest.mark.rule("BET7")
def test_the_person_still_chooses(table: Table, do: Do, row: Row) -> None:
    game = table("2 1 1 1", 3, Mode.BETSY, automaton_starts=False, piles=["2"])
    state = do(game, Draw(), Pass(), Put("track-2-straight"))
    assert row(state.players[0].pile) == "2 2"


@pytest.mark.rule("BET8")
@pytest.mark.parametrize(
    ("own", "hers", "won"),
    [
        ("1", "4 4", True),
        ("2", "4 4", False),
        ("3", "4 4", False),
        ("", "1", True),
        ("", "", False),
        ("1 1", "4 3 4", True),
    ],
)
def test_the_person_wins_with_fewer_points_than_she_has_cards(
    table: Table, do: Do, own: str, hers: str, won: bool
) -> None:
    game = table("1 1 1 1", 2, Mode.BETSY, automaton_starts=False, draw_pile=1, hands=[0, 0], piles=[own, hers])
    told = result(do(game, Draw(), Lay("track-1-right"), Roll((0,))))
    assert told.scores[1].points == told.scores[1].cards == len(hers.split())
    assert (0 in told.winners) is won


@pytest.mark.rule("BET8", "END2")
def test_the_persons_hand_counts_and_she_has_none(table: Table, do: Do) -> None:
    game = table("1 1 1 1", 2, Mode.BETSY, automaton_starts=False, draw_pile=1, hands=[1], piles=["", "1 2 3"])
    do(game, Draw(), Lay("track-1-right"), Roll((0,)))
    assert not game.can(LayOpen(1, ()))
    told = result(do(game, LayOpen(0, ("chaos-4",))))
    assert [score.points for score in told.scores] == [4, 3]
    assert told.winners == (1,)


@pytest.mark.rule("BET9", "END1")
@pytest.mark.parametrize(
    "steps",
    [
        [Draw("chaos-1")],
        [Draw("track-2-left"), Lay("track-2-left")],
        [Draw("track-3-left"), Pass()],
        [Draw("track-4-left"), Lay("track-4-left")],
    ],
    ids=["chaos", "lays", "passes", "derails"],
)
def test_the_game_ends_also_when_she_draws_the_last_card(betsys_turn: Table, do: Do, steps: list[Draw]) -> None:
    game = betsys_turn("1 1 1 1", draw_pile=1)
    state = do(game, *steps)
    assert state.phase is Phase.LAYING_OPEN
    assert do(game, LayOpen(0, ("chaos-2", "chaos-3"))).phase is Phase.OVER


@pytest.mark.rule("BET9")
def test_with_no_card_in_the_persons_hand_her_last_card_ends_the_game_at_once(betsys_turn: Table, do: Do) -> None:
    state = do(betsys_turn(draw_pile=1, hands=[0]), Draw("chaos-1"))
    assert state.phase is Phase.OVER
    assert result(state).winners == (0,)
