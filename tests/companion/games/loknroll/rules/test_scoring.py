"""The end of a game: points, ties, and who has won."""

from collections.abc import Callable

import pytest

from companion.games.loknroll.rules import (
    Draw,
    Game,
    Lay,
    LayOpen,
    Mode,
    Pass,
    Phase,
    Put,
    Result,
    Roll,
    State,
    result,
    scores,
)

Table = Callable[..., Game]
Do = Callable[..., State]


@pytest.fixture
def final(table: Table, do: Do) -> Callable[..., Result]:
    """The result of a game whose piles in the end are these, after a last turn without a penalty."""

    def play(*piles: str) -> Result:
        mode = Mode(str(len(piles)))
        game = table("1 1 1 1", 2, mode, draw_pile=1, hands=[0] * len(piles), piles=piles)
        state = do(game, Draw(), Lay("track-1-right"), Roll((0,)))
        assert state.phase is Phase.OVER
        return result(state)

    return play


@pytest.mark.rule("END3")
def test_before_the_end_there_is_no_result(table: Table, do: Do) -> None:
    game = table("1 1 1 1", 2, Mode.SOLO, draw_pile=1, hands=[1])
    assert result(game.state) is None
    state = do(game, Draw(), Lay("track-1-right"), Roll((0,)))
    assert state.phase is Phase.LAYING_OPEN
    assert result(state) is None
    assert result(do(game, LayOpen(0, ("chaos-4",)))).scores[0].points == 4


@pytest.mark.rule("END3")
def test_all_values_in_the_pile_are_points_chaos_and_broken_too(final: Callable[..., Result]) -> None:
    told = final("1 2 b3 c4 c1", "4 4")
    assert [score.points for score in told.scores] == [11, 8]
    assert [score.cards for score in told.scores] == [5, 2]


@pytest.mark.rule("END3", "END2")
def test_cards_left_in_the_hand_count(table: Table, do: Do) -> None:
    game = table(draw_pile=1, hands=[1, 1], piles=["1", ""])
    do(game, Draw(), Lay("track-1-right"), Roll((0,)), LayOpen(0, ("chaos-2",)), LayOpen(1, ("chaos-4",)))
    assert [score.points for score in result(game.state).scores] == [3, 4]


@pytest.mark.rule("END3", "CMB1")
def test_combined_cards_count_no_more(table: Table, do: Do) -> None:
    game = table("4 1 1 1", 3, draw_pile=1, hands=[0, 0], piles=["c4 c1", "1"])
    do(game, Draw(), Pass(), Put("track-4-straight"), LayOpen(0, ("chaos-3",)))
    assert result(game.state).scores[0].points == 12
    game = table("4 1 1 1", 3, draw_pile=1, hands=[0, 0], piles=["c1 c4", "1"])
    do(game, Draw(), Pass(), Put("track-4-straight", combine=True), LayOpen(0, ("chaos-3",)))
    assert result(game.state).scores[0].points == 4


@pytest.mark.rule("END3")
@pytest.mark.parametrize(
    ("piles", "winner"),
    [(("1 2", "4"), 0), (("4", "1 2"), 1), (("", "1"), 0), (("4", "3", "2"), 2), (("1 1", "1", "3", "4"), 1)],
)
def test_the_fewest_points_win(final: Callable[..., Result], piles: tuple[str, ...], winner: int) -> None:
    assert final(*piles).winners == (winner,)


@pytest.mark.rule("END3")
def test_points_come_before_the_number_of_cards(final: Callable[..., Result]) -> None:
    assert final("1 1 1", "4").winners == (0,)


@pytest.mark.rule("END4")
@pytest.mark.parametrize(
    ("piles", "winners"),
    [
        (("1 3", "4"), (1,)),
        (("4", "1 3"), (0,)),
        (("4 1", "3 2"), (1,)),
        (("3 2", "4 1"), (0,)),
        (("3 1", "2 2"), (1,)),
        (("4 3 1", "4 2 2"), (1,)),
        (("4 1 1", "3 2 1", "2 2 2"), (2,)),
        (("4 4 1", "3 3 3", "4 3 2"), (1,)),
        (("4 2 2 2", "3 3 3 1"), (1,)),
    ],
    ids=[
        "cards",
        "cards turned",
        "fours",
        "fours turned",
        "threes",
        "threes after equal fours",
        "of 3",
        "fours of 3",
        "fours before ones",
    ],
)
def test_ties_go_to_the_fewest_cards_then_fours_then_threes(
    final: Callable[..., Result], piles: tuple[str, ...], winners: tuple[int, ...]
) -> None:
    told = final(*piles)
    assert len({score.points for score in told.scores}) == 1
    assert told.winners == winners


@pytest.mark.rule("END4")
@pytest.mark.parametrize(
    ("piles", "winners"),
    [
        (("1 2", "2 1"), (0, 1)),
        (("", ""), (0, 1)),
        (("4 2 c1", "b1 4 2", "4"), (2,)),
        (("4", "c4", "4 1"), (0, 1)),
        (("3 1", "4", "c4"), (1, 2)),
        (("2", "b2", "c2", "2"), (0, 1, 2, 3)),
    ],
)
def test_what_is_still_equal_shares_the_victory(
    final: Callable[..., Result], piles: tuple[str, ...], winners: tuple[int, ...]
) -> None:
    assert final(*piles).winners == winners


@pytest.mark.rule("END4")
def test_a_score_tells_what_ties_are_broken_by(final: Callable[..., Result]) -> None:
    score = final("4 4 3 2 1 1 1", "").scores[0]
    assert score.cards == 7
    assert score.values == (2, 1, 1, 3)


@pytest.mark.rule("END3", "PEN4")
def test_the_scores_can_be_told_while_playing(table: Table) -> None:
    assert [score.points for score in scores(table(piles=["1 2", "4"]).state)] == [3, 4]


@pytest.mark.rule("SOLO1")
def test_alone_one_plays_to_the_end_of_the_pile_for_few_points(table: Table, do: Do) -> None:
    game = table("1 1 1 1", 2, Mode.SOLO, draw_pile=2, hands=[0], piles=["3"])
    do(game, Draw(), Lay("track-1-right"), Roll((0,)))
    assert (game.state.phase, game.state.active) == (Phase.DRAWING, 0)
    told = result(do(game, Draw(), Lay("track-1-left"), Roll((0,))))
    assert told.scores[0].points == 3
    assert told.winners == (0,)


@pytest.mark.rule("SOLO1", "SOLO2")
@pytest.mark.parametrize("mode", [Mode.SOLO, Mode.TWO])
def test_outside_the_hard_variant_derailments_end_nothing(table: Table, do: Do, mode: Mode) -> None:
    state = do(table("1 1 1 1", 3, mode, derailments=9), Draw(), Lay("track-2-right"), Roll((1, 1)))
    assert state.players[0].derailments == 10
    assert state.phase is Phase.PUTTING


@pytest.mark.rule("SOLO2")
def test_the_third_derailment_is_still_allowed(table: Table, do: Do) -> None:
    game = table("1 1 1 1", 3, Mode.SOLO_HARD, derailments=2)
    state = do(game, Draw(), Lay("track-2-right"), Roll((1, 1)))
    assert state.players[0].derailments == 3
    assert (state.phase, state.is_lost) == (Phase.PUTTING, False)
    assert do(game, Put("track-1-straight")).phase is Phase.DRAWING


@pytest.mark.rule("SOLO2")
def test_the_fourth_derailment_ends_the_game_at_once_and_it_is_lost(table: Table, do: Do) -> None:
    game = table("1 1 1 1", 3, Mode.SOLO_HARD, derailments=3)
    state = do(game, Draw(), Lay("track-2-right"), Roll((1, 1)))
    assert (state.phase, state.is_lost) == (Phase.OVER, True)
    assert result(state).winners == ()
    assert not game.can(Put("track-1-straight"))


@pytest.mark.rule("SOLO2")
def test_four_derailments_from_the_start(table: Table, do: Do) -> None:
    game = table("1 1 1 1", 3, Mode.SOLO_HARD)
    for number in range(4):
        assert game.state.players[0].derailments == number
        do(game, Draw(), Lay("track-2-right" if number < 3 else "track-2-left"), Roll((1, 1)))
        while game.state.phase is Phase.PUTTING:
            game.do(Put(game.state.taken[0].id))
    assert result(game.state).winners == ()


@pytest.mark.rule("SOLO2", "PEN2")
def test_a_fourth_derailment_without_a_card_to_take_loses_too(table: Table, do: Do) -> None:
    game = table("4", 0, Mode.SOLO_HARD, derailments=3)
    state = do(game, Draw(), Lay("broken-4"), Roll((1, 1, 0, 0)))
    assert (state.phase, state.is_lost) == (Phase.OVER, True)


@pytest.mark.rule("SOLO2", "PASS2")
def test_passing_at_the_front_never_loses(table: Table, do: Do) -> None:
    state = do(table("1 1 1 1", 3, Mode.SOLO_HARD, derailments=3), Draw(), Pass())
    assert (state.phase, state.is_lost) == (Phase.PUTTING, False)


@pytest.mark.rule("SOLO2", "END1")
def test_with_three_derailments_the_game_is_won_at_the_end_of_the_pile(table: Table, do: Do) -> None:
    game = table("1 1 1 1", 2, Mode.SOLO_HARD, draw_pile=1, hands=[0], derailments=3)
    assert result(do(game, Draw(), Lay("track-1-right"), Roll((0,)))).winners == (0,)


@pytest.mark.rule("SOLO3", "BRK1")
def test_a_broken_track_is_no_derailment(table: Table, do: Do) -> None:
    game = table("1 1 1 b1", 2, Mode.SOLO_HARD, derailments=3)
    state = do(game, Draw(), Lay("track-2-right"), Roll((1, 1)))
    assert state.outcome.broken == 1
    assert state.players[0].derailments == 3
    assert (state.phase, state.is_lost) == (Phase.PUTTING, False)
