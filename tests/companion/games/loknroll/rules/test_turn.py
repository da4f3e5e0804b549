"""A turn: drawing, exactly one action, passing, discarding chaos cards, and the next player."""

from collections.abc import Callable

import pytest

from companion.games.loknroll.rules import (
    AnyStep,
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
    Outcome,
    Pass,
    Phase,
    Put,
    Roll,
    State,
    allowed_steps,
)

Table = Callable[..., Game]
Do = Callable[..., State]
Row = Callable[..., str]

ACTIONS = [Lay("track-2-right"), Pass(), Discard("chaos-1")]


@pytest.mark.rule("TURN1")
def test_a_turn_begins_with_one_card_drawn_into_the_hand(table: Table, do: Do) -> None:
    game = table()
    before = game.state
    state = do(game, Draw())
    assert state.player.hand == before.player.hand + 1
    assert state.draw_pile == before.draw_pile - 1


@pytest.mark.rule("TURN1")
@pytest.mark.parametrize("step", [*ACTIONS, EndTurn(), Roll((1,)), Put("track-1-straight"), LayOpen(0, ())])
def test_nothing_can_be_done_before_the_draw(table: Table, step: AnyStep) -> None:
    with pytest.raises(NotNow) as refused:
        table().do(step)
    assert "draw" in refused.value.allowed


@pytest.mark.rule("TURN1")
def test_only_one_card_is_drawn(table: Table, do: Do) -> None:
    game = table()
    do(game, Draw())
    with pytest.raises(NotNow) as refused:
        game.do(Draw())
    assert refused.value.clause == "TURN1"


@pytest.mark.rule("TURN1")
def test_there_is_no_hand_limit(table: Table, do: Do) -> None:
    game = table("1", 0, Mode.SOLO)
    do(game, *[Draw(), Pass()] * 20)
    assert game.state.player.hand == 22


@pytest.mark.rule("TURN1", "SET7")
def test_a_persons_draw_stays_secret(table: Table) -> None:
    with pytest.raises(NotAllowed) as refused:
        table().do(Draw("track-1-left"))
    assert (refused.value.clause, refused.value.code) == ("TURN1", "hidden-draw")


@pytest.mark.rule("TURN1", "TURN3")
@pytest.mark.parametrize("starter", [0, 1, 2, 3])
def test_play_goes_clockwise_from_who_begins(table: Table, do: Do, starter: int) -> None:
    game = table("1 1 1 1", 0, Mode.FOUR, starter=starter)
    order = []
    for face in ["track-1-right"] * 3 + ["track-1-left"] * 3:
        order.append(game.state.active)
        do(game, Draw(), Lay(face), Roll((0,)))
    assert order == [(starter + number) % 4 for number in range(6)]


@pytest.mark.rule("TURN3")
def test_each_turn_is_counted(table: Table, do: Do) -> None:
    game = table()
    assert game.state.turn == 0
    assert do(game, Draw(), Lay("track-1-right"), Roll((0,))).turn == 1


@pytest.mark.rule("TURN2")
def test_after_the_draw_there_are_three_actions(table: Table, do: Do) -> None:
    state = do(table(), Draw())
    assert set(allowed_steps(state)) == {Lay, Pass, Discard}


@pytest.mark.rule("TURN2")
@pytest.mark.parametrize("step", [Pass(), Discard("chaos-1"), EndTurn(), Draw()])
def test_who_builds_does_nothing_else(table: Table, do: Do, step: AnyStep) -> None:
    game = table()
    do(game, Draw(), Lay("track-2-right"))
    with pytest.raises(NotNow):
        game.do(step)


@pytest.mark.rule("TURN2")
@pytest.mark.parametrize("step", [Pass(), Lay("track-2-right"), Roll(()), Draw()])
def test_who_discards_does_nothing_else(table: Table, do: Do, step: AnyStep) -> None:
    game = table()
    do(game, Draw(), Discard("chaos-1"))
    with pytest.raises(NotNow):
        game.do(step)


@pytest.mark.rule("TURN2")
@pytest.mark.parametrize("step", [*ACTIONS, EndTurn(), Draw(), Roll((1,))])
def test_who_passes_does_nothing_else(table: Table, do: Do, step: AnyStep) -> None:
    game = table()
    do(game, Draw(), Pass())
    with pytest.raises(NotNow) as refused:
        game.do(step)
    assert "put" in refused.value.allowed


@pytest.mark.rule("TURN2")
def test_a_turn_cannot_be_ended_without_an_action(table: Table, do: Do) -> None:
    game = table()
    do(game, Draw())
    with pytest.raises(NotNow) as refused:
        game.do(EndTurn())
    assert refused.value.clause == "TURN2"


@pytest.mark.rule("TURN3")
def test_the_next_players_turn_waits_for_the_last_penalty_card(table: Table, do: Do) -> None:
    game = table("1 2 3 b4 1", 2)
    assert do(game, Draw(), Pass()).active == 0
    assert do(game, Put("track-2-straight")).active == 0
    assert do(game, Put("track-1-straight")).active == 1


@pytest.mark.rule("PASS1")
@pytest.mark.parametrize("railway", ["1", "b1", "1 2", "1 1 1 1", "4 b4 b3"])
def test_passing_is_always_allowed(table: Table, do: Do, railway: str) -> None:
    for emma in range(len(railway.split())):
        game = table(railway, emma)
        do(game, Draw())
        assert game.can(Pass())


@pytest.mark.rule("PASS2", "PASS3")
def test_passing_moves_emma_one_card_and_costs_one(table: Table, do: Do, row: Row) -> None:
    state = do(table("1 2 3 4 1", 1), Draw(), Pass())
    assert state.railway.faces[state.emma].value == 3
    assert state.outcome.moved == 1
    assert row(state.taken) == "1"
    assert row(state.railway.faces) == "2 3 4 1"


@pytest.mark.rule("PASS2", "PASS3")
def test_with_no_card_before_her_emma_stays_and_does_not_derail(table: Table, do: Do, row: Row) -> None:
    state = do(table("1 2 3 4", 3), Draw(), Pass())
    assert (state.outcome.moved, state.outcome.missing) == (0, 0)
    assert state.player.derailments == 0
    assert state.railway.faces[state.emma].value == 4
    assert row(state.taken) == "1"


@pytest.mark.rule("PASS3", "PEN2")
def test_on_the_rear_card_with_no_card_before_her_passing_costs_nothing(table: Table, do: Do) -> None:
    state = do(table("1", 0), Draw(), Pass())
    assert (state.outcome.moved, state.outcome.taken, state.outcome.waived) == (0, (), 1)
    assert (state.phase, state.active) == (Phase.DRAWING, 1)


@pytest.mark.rule("PASS2", "PASS3")
def test_from_the_rear_card_emma_goes_first_and_leaves_a_card_to_take(table: Table, do: Do, row: Row) -> None:
    state = do(table("1 2", 0), Draw(), Pass())
    assert row(state.taken) == "1"
    assert row(state.railway.faces) == "2"


@pytest.mark.rule("PASS4", "BRK1")
@pytest.mark.parametrize(("knob", "taken"), [(True, "1 2"), (False, "1")])
def test_a_step_onto_a_broken_track_costs_a_card_more_by_the_knob(
    table: Table, do: Do, row: Row, knob: bool, taken: str
) -> None:
    state = do(table("1 2 3 b4", 2, broken_on_pass=knob), Draw(), Pass())
    assert row(state.taken) == taken
    assert state.outcome.broken == int(knob)
    assert row([state.railway.faces[state.emma]]) == "b4"


@pytest.mark.rule("PASS4")
def test_by_default_the_broken_track_costs_when_passing(table: Table, do: Do) -> None:
    assert len(do(table("1 2 3 b4", 2), Draw(), Pass()).taken) == 2


@pytest.mark.rule("PASS4", "BRK2")
@pytest.mark.parametrize("railway", ["1 2 b3 4", "1 2 b3"])
def test_passing_away_from_or_on_a_broken_track_costs_one_card(table: Table, do: Do, row: Row, railway: str) -> None:
    state = do(table(railway, 2), Draw(), Pass())
    assert row(state.taken) == "1"
    assert state.outcome.broken == 0


@pytest.mark.rule("PASS4", "PEN2")
def test_where_only_one_card_is_left_the_second_penalty_is_waived(table: Table, do: Do, row: Row) -> None:
    state = do(table("1 b2 3", 0), Draw(), Pass())
    assert row(state.taken) == "1"
    assert (state.outcome.broken, state.outcome.waived, state.emma) == (1, 1, 0)


@pytest.mark.rule("CHA1")
def test_one_chaos_card_is_discarded(table: Table, do: Do, row: Row) -> None:
    game = table()
    state = do(game, Draw(), Discard("chaos-3"))
    assert row(state.players[0].pile) == "c3"
    assert state.players[0].hand == 2
    assert state.phase is Phase.DISCARDING
    assert do(game, EndTurn()).active == 1


@pytest.mark.rule("CHA1")
def test_several_chaos_cards_of_any_values_go_singly_in_any_order(table: Table, do: Do, row: Row) -> None:
    state = do(table(), Draw(), Discard("chaos-3"), Discard("chaos-1"), Discard("chaos-4"), EndTurn())
    assert row(state.players[0].pile) == "c3 c1 c4"
    assert state.players[0].hand == 0


@pytest.mark.rule("CHA1", "CMB1")
def test_a_chaos_card_may_combine_with_the_top_of_the_pile(table: Table, do: Do, row: Row) -> None:
    state = do(table(piles=["1 3"]), Draw(), Discard("chaos-3", combine=True))
    assert row(state.players[0].pile) == "1"
    assert sorted(row(state.box).split()) == ["3", "c3"]
    assert state.players[0].hand == 2


@pytest.mark.rule("CHA1", "CMB2")
def test_two_chaos_cards_of_one_value_may_combine_with_each_other(table: Table, do: Do, row: Row) -> None:
    state = do(table(), Draw(), Discard("chaos-4"), Discard("chaos-4", combine=True))
    assert state.players[0].pile == ()
    assert row(state.box) == "c4 c4"


@pytest.mark.rule("CHA1", "CMB1")
def test_a_chaos_card_does_not_combine_with_another_value(table: Table, do: Do) -> None:
    game = table(piles=["3"])
    do(game, Draw())
    with pytest.raises(NotAllowed) as refused:
        game.do(Discard("chaos-1", combine=True))
    assert (refused.value.clause, refused.value.code) == ("CMB1", "cannot-combine")
    assert game.state.player.hand == 3


@pytest.mark.rule("CHA1")
@pytest.mark.parametrize("face", ["track-1-left", "broken-1"])
def test_only_chaos_cards_are_discarded(table: Table, do: Do, face: str) -> None:
    game = table()
    do(game, Draw())
    with pytest.raises(NotAllowed) as refused:
        game.do(Discard(face))
    assert (refused.value.clause, refused.value.code) == ("CHA1", "not-chaos")


@pytest.mark.rule("CHA1")
def test_from_an_empty_hand_nothing_is_discarded(table: Table, do: Do) -> None:
    game = table(hands=[0])
    do(game, Draw(), Discard("chaos-1"))
    with pytest.raises(Impossible) as refused:
        game.do(Discard("chaos-2"))
    assert (refused.value.clause, refused.value.code) == ("CHA1", "no-hand-to-discard")
    assert do(game, EndTurn()).active == 1


@pytest.mark.rule("CHA1", "MAT1")
def test_a_chaos_card_that_lies_open_already_is_not_discarded_again(table: Table, do: Do) -> None:
    game = table()
    do(game, Draw(), Discard("chaos-4"), Discard("chaos-4", combine=True))
    with pytest.raises(Impossible) as refused:
        game.do(Discard("chaos-4"))
    assert (refused.value.clause, refused.value.code) == ("MAT1", "no-more-of-it")


@pytest.mark.rule("CHA2")
def test_discarding_moves_nothing_and_costs_nothing(table: Table, do: Do) -> None:
    game = table("1 2 b3 b4", 2)
    before = game.state
    state = do(game, Draw(), Discard("chaos-1"), Discard("chaos-2"), EndTurn())
    assert (state.railway, state.emma) == (before.railway, before.emma)
    assert (state.taken, state.outcome) == ((), Outcome())


@pytest.mark.rule("END1")
def test_who_draws_the_last_card_completes_the_turn(table: Table, do: Do) -> None:
    game = table("1 2 3 4", 2, draw_pile=1)
    state = do(game, Draw())
    assert (state.draw_pile, state.phase) == (0, Phase.ACTING)
    assert do(game, Pass()).phase is Phase.PUTTING
    assert do(game, Put("track-1-straight")).phase is Phase.LAYING_OPEN


@pytest.mark.rule("END1")
@pytest.mark.parametrize(
    "steps",
    [
        [Lay("track-1-right"), Roll((0,))],
        [Lay("track-1-right"), Roll((1,))],
        [Discard("chaos-1"), EndTurn()],
    ],
)
def test_after_the_last_turn_the_hands_are_laid_open(table: Table, do: Do, steps: list[AnyStep]) -> None:
    state = do(table(draw_pile=1), Draw(), *steps)
    assert state.phase is Phase.LAYING_OPEN


@pytest.mark.rule("END1")
def test_nobody_draws_from_an_empty_pile(table: Table, do: Do) -> None:
    game = table(draw_pile=1)
    do(game, Draw(), Discard("chaos-1"), EndTurn())
    with pytest.raises(Impossible) as refused:
        game.do(Draw())
    assert (refused.value.clause, refused.value.code) == ("END1", "pile-empty")


@pytest.mark.rule("END1")
def test_one_card_before_the_end_the_next_player_still_has_a_turn(table: Table, do: Do) -> None:
    state = do(table(draw_pile=2), Draw(), Discard("chaos-1"), EndTurn())
    assert (state.phase, state.active, state.draw_pile) == (Phase.DRAWING, 1, 1)


@pytest.mark.rule("END1")
def test_where_nobody_holds_a_card_the_game_is_over_at_once(table: Table, do: Do) -> None:
    state = do(table(draw_pile=1, hands=[0, 0]), Draw(), Lay("track-1-right"), Roll((0,)))
    assert state.phase is Phase.OVER
