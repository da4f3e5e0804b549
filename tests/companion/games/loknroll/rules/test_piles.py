"""The discard piles: putting penalty cards down and combining them."""

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
)

Table = Callable[..., Game]
Do = Callable[..., State]
Row = Callable[..., str]


@pytest.fixture
def penalised(table: Table, do: Do) -> Callable[..., Game]:
    """A game in which player 1 has derailed and has to put down the given cards, at most four."""

    def build(taken: str, pile: str = "") -> Game:
        count = len(taken.split())
        game = table(f"{taken} 1 4", count + 1, piles=[pile])
        do(game, Draw(), Lay("track-4-right"), Lay("track-4-right"), Roll((1,) * (count + 2) + (0,) * (6 - count)))
        return game

    return build


@pytest.mark.rule("PEN3")
def test_penalty_cards_go_face_up_onto_the_own_pile_at_the_end_of_the_turn(
    penalised: Callable[..., Game], do: Do, row: Row
) -> None:
    game = penalised("1 2", "4")
    assert row(game.state.players[0].pile) == "4"
    state = do(game, Put("track-1-straight"), Put("track-2-straight"))
    assert row(state.players[0].pile) == "4 1 2"
    assert state.players[1].pile == ()
    assert (state.phase, state.active) == (Phase.DRAWING, 1)


@pytest.mark.rule("PEN3")
@pytest.mark.parametrize("order", ["1 2 3", "1 3 2", "2 1 3", "2 3 1", "3 1 2", "3 2 1"])
def test_they_go_singly_in_any_order(penalised: Callable[..., Game], do: Do, row: Row, order: str) -> None:
    state = do(penalised("1 2 3"), *(Put(f"track-{value}-straight") for value in order.split()))
    assert row(state.players[0].pile) == order


@pytest.mark.rule("PEN3")
def test_while_one_is_left_the_turn_is_not_over(penalised: Callable[..., Game], do: Do, row: Row) -> None:
    game = penalised("1 2 3")
    state = do(game, Put("track-2-straight"))
    assert row(state.taken) == "1 3"
    assert not game.can(Draw())
    assert not game.can(EndTurn())


@pytest.mark.rule("PEN3")
def test_broken_tracks_and_equal_cards_are_put_down_one_by_one(
    penalised: Callable[..., Game], do: Do, row: Row
) -> None:
    game = penalised("2 b3 2")
    state = do(game, Put("track-2-straight"))
    assert row(state.taken) == "b3 2"
    state = do(game, Put("broken-3"), Put("track-2-straight"))
    assert row(state.players[0].pile) == "2 b3 2"


@pytest.mark.rule("PEN3")
def test_only_cards_taken_in_this_turn_are_put_down(penalised: Callable[..., Game]) -> None:
    game = penalised("1 2")
    with pytest.raises(NotAllowed) as refused:
        game.do(Put("track-3-left"))
    assert (refused.value.clause, refused.value.code) == ("PEN3", "not-a-penalty")
    assert "track-1-straight, track-2-straight" in refused.value.allowed


@pytest.mark.rule("PEN3")
def test_a_card_is_put_down_once(penalised: Callable[..., Game], do: Do) -> None:
    game = penalised("1 2")
    do(game, Put("track-1-straight"))
    with pytest.raises(NotAllowed) as refused:
        game.do(Put("track-1-straight"))
    assert refused.value.code == "not-a-penalty"


@pytest.mark.rule("PEN3", "MAT1")
def test_a_card_the_deck_does_not_have_is_not_put_down(penalised: Callable[..., Game]) -> None:
    with pytest.raises(Impossible) as refused:
        penalised("1 2").do(Put("track-9"))
    assert (refused.value.clause, refused.value.code) == ("MAT1", "unknown-card")


@pytest.mark.rule("PEN3")
def test_there_is_nothing_to_put_down_without_a_penalty(table: Table, do: Do) -> None:
    game = table()
    do(game, Draw())
    with pytest.raises(NotNow) as refused:
        game.do(Put("track-1-straight"))
    assert refused.value.clause == "PEN3"


@pytest.mark.rule("PEN4")
def test_the_own_pile_can_be_looked_through_at_any_time(penalised: Callable[..., Game], do: Do, row: Row) -> None:
    game = penalised("1 2", "4 3")
    do(game, Put("track-2-straight"), Put("track-1-straight"), Draw(), Pass())
    assert row(game.state.players[0].pile) == "4 3 2 1"
    assert [row(state.players[0].pile) for state in game.states][-4:] == ["4 3 2", "4 3 2 1", "4 3 2 1", "4 3 2 1"]


@pytest.mark.rule("CMB1")
def test_a_card_of_the_same_value_as_the_top_goes_with_it_into_the_box(
    penalised: Callable[..., Game], do: Do, row: Row
) -> None:
    state = do(penalised("2", "3 2"), Put("track-2-straight", combine=True))
    assert row(state.players[0].pile) == "3"
    assert row(state.box) == "2 2"
    assert state.outcome.put[0].combined


@pytest.mark.rule("CMB1")
@pytest.mark.parametrize("top", ["b2", "c2", "track-2-right"])
def test_only_the_value_counts_for_combining(penalised: Callable[..., Game], do: Do, top: str) -> None:
    state = do(penalised("2", top), Put("track-2-straight", combine=True))
    assert state.players[0].pile == ()


@pytest.mark.rule("CMB1")
@pytest.mark.parametrize("pile", ["3", "2 3", "2 1"])
def test_only_the_top_of_the_pile_combines(penalised: Callable[..., Game], pile: str) -> None:
    game = penalised("2", pile)
    with pytest.raises(NotAllowed) as refused:
        game.do(Put("track-2-straight", combine=True))
    assert (refused.value.clause, refused.value.code) == ("CMB1", "cannot-combine")
    assert len(game.state.taken) == 1


@pytest.mark.rule("CMB1")
def test_nothing_combines_with_an_empty_pile(penalised: Callable[..., Game]) -> None:
    with pytest.raises(NotAllowed) as refused:
        penalised("2").do(Put("track-2-straight", combine=True))
    assert (refused.value.clause, refused.value.code) == ("CMB1", "cannot-combine-empty")


@pytest.mark.rule("CMB1")
def test_nothing_combines_with_another_players_pile(table: Table, do: Do) -> None:
    game = table("2 1 1 1", 3, piles=["", "2"])
    do(game, Draw(), Pass())
    assert not game.can(Put("track-2-straight", combine=True))


@pytest.mark.rule("CMB2", "CMB3")
def test_several_cards_combine_downwards_through_the_pile(penalised: Callable[..., Game], do: Do, row: Row) -> None:
    game = penalised("1 2 3", "3 2 1")
    do(game, Put("track-1-straight", combine=True))
    assert row([game.state.player.top]) == "2"
    state = do(game, Put("track-2-straight", combine=True), Put("track-3-straight", combine=True))
    assert state.players[0].pile == ()
    assert len(state.box) == 6


@pytest.mark.rule("CMB2")
def test_a_card_combines_with_one_put_down_in_the_same_turn(penalised: Callable[..., Game], do: Do, row: Row) -> None:
    state = do(penalised("2 2", "3"), Put("track-2-straight"), Put("track-2-straight", combine=True))
    assert row(state.players[0].pile) == "3"
    assert row(state.box) == "2 2"


@pytest.mark.rule("CMB2")
def test_a_card_combines_once(penalised: Callable[..., Game], do: Do, row: Row) -> None:
    game = penalised("2 2", "3 2")
    do(game, Put("track-2-straight", combine=True))
    assert not game.can(Put("track-2-straight", combine=True))
    state = do(game, Put("track-2-straight"))
    assert row(state.players[0].pile) == "3 2"


@pytest.mark.rule("CMB2", "PEN3")
def test_the_order_decides_what_combines(penalised: Callable[..., Game], do: Do, row: Row) -> None:
    game = penalised("1 2", "2")
    do(game, Put("track-1-straight"))
    assert not game.can(Put("track-2-straight", combine=True))
    game.take_back()
    do(game, Put("track-2-straight", combine=True), Put("track-1-straight"))
    assert row(game.state.players[0].pile) == "1"


@pytest.mark.rule("CMB3")
def test_a_person_may_decline_to_combine(penalised: Callable[..., Game], do: Do, row: Row) -> None:
    state = do(penalised("2", "3 2"), Put("track-2-straight"))
    assert row(state.players[0].pile) == "3 2 2"
    assert state.box == ()
    assert not state.outcome.put[0].combined


@pytest.mark.rule("CMB3")
def test_after_combining_the_next_card_is_the_new_top(penalised: Callable[..., Game], do: Do) -> None:
    game = penalised("2 3", "3 2")
    do(game, Put("track-2-straight", combine=True))
    assert game.can(Put("track-3-straight", combine=True))
    assert not game.can(Put("track-2-straight", combine=True))


@pytest.mark.rule("CMB1", "MAT1")
def test_what_has_gone_into_the_box_does_not_come_back(table: Table, do: Do) -> None:
    game = table(hands=[2, 2])
    do(game, Draw(), Discard("chaos-4"), Discard("chaos-4", combine=True), EndTurn(), Draw())
    with pytest.raises(Impossible) as refused:
        game.do(Discard("chaos-4"))
    assert refused.value.code == "no-more-of-it"


@pytest.mark.rule("END2")
def test_hands_go_onto_the_piles_without_combining(table: Table, do: Do, row: Row) -> None:
    game = table(draw_pile=1, hands=[1, 1], piles=["3", ""])
    do(game, Draw(), Lay("track-1-right"), Roll((0,)))
    state = do(game, LayOpen(0, ("track-3-right",)), LayOpen(1, ("chaos-4",)))
    assert row(state.players[0].pile) == "3 3"
    assert row(state.players[1].pile) == "c4"
    assert state.box == ()
    assert (state.phase, [player.hand for player in state.players]) == (Phase.OVER, [0, 0])


@pytest.mark.rule("END2")
def test_equal_cards_of_a_hand_do_not_combine_with_each_other(table: Table, do: Do, row: Row) -> None:
    game = table(draw_pile=1, hands=[2, 0])
    do(game, Draw(), Lay("track-1-right"), Roll((0,)))
    state = do(game, LayOpen(0, ("track-2-right", "broken-2")))
    assert row(state.players[0].pile) == "2 b2"


@pytest.fixture
def laying_open(table: Table, do: Do) -> Game:
    """The last turn is over; players 1 and 2 of three hold 2 cards each, the third none."""
    game = table("1 1 1 1", 2, Mode.THREE, draw_pile=1, hands=[2, 2, 0])
    do(game, Draw(), Lay("track-1-right"), Roll((0,)))
    return game


@pytest.mark.rule("END2")
@pytest.mark.parametrize("faces", [(), ("chaos-1",), ("chaos-1", "chaos-2", "chaos-3")])
def test_a_hand_is_laid_open_whole(laying_open: Game, faces: tuple[str, ...]) -> None:
    with pytest.raises(Impossible) as refused:
        laying_open.do(LayOpen(0, faces))
    assert (refused.value.clause, refused.value.code) == ("END2", "hand-size")
    assert refused.value.details == {"given": len(faces), "needed": 2}


@pytest.mark.rule("END2")
def test_hands_are_laid_open_in_any_order_and_once(laying_open: Game, do: Do) -> None:
    do(laying_open, LayOpen(1, ("chaos-1", "chaos-2")))
    for player in (1, 2, 7, -1):
        with pytest.raises(NotAllowed) as refused:
            laying_open.do(LayOpen(player, ()))
        assert (refused.value.clause, refused.value.code) == ("END2", "already-open")
    assert do(laying_open, LayOpen(0, ("chaos-3", "chaos-4"))).phase is Phase.OVER


@pytest.mark.rule("END2", "MAT1")
@pytest.mark.parametrize("faces", [("chaos-1", "chaos-1"), ("track-1-straight", "chaos-1"), ("track-9", "chaos-1")])
def test_a_hand_cannot_hold_cards_that_lie_elsewhere(laying_open: Game, faces: tuple[str, str]) -> None:
    before = laying_open.state
    with pytest.raises(Impossible) as refused:
        laying_open.do(LayOpen(0, faces))
    assert refused.value.clause == "MAT1"
    assert laying_open.state is before


@pytest.mark.rule("END2")
def test_hands_stay_hidden_before_the_end(table: Table, do: Do) -> None:
    game = table()
    do(game, Draw())
    with pytest.raises(NotNow) as refused:
        game.do(LayOpen(0, ("chaos-1", "chaos-2", "chaos-3")))
    assert refused.value.clause == "END2"
