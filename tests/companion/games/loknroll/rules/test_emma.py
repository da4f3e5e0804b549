"""Emma's way: wheels, derailing, broken tracks, and the cards taken from the rear."""

from collections.abc import Callable

import pytest

from companion.games.loknroll.rules import Draw, Game, Lay, Mode, Phase, Put, Roll, State

Table = Callable[..., Game]
Do = Callable[..., State]
Row = Callable[..., str]


def driven(game: Game, wheels: int, face: str = "track-4-right") -> State:
    """After a 4 was laid to the front and this many wheels rolled."""
    game.do(Draw())
    game.do(Lay(face))
    return game.do(Roll((1,) * wheels + (0,) * (4 - wheels)))


def emmas_card(state: State, row: Row) -> str:
    return row([state.railway.faces[state.emma]])


@pytest.mark.rule("DER1")
def test_on_the_front_card_after_the_last_step_emma_does_not_derail(table: Table) -> None:
    state = driven(table("1 1 1 1", 2), 2)
    assert (state.outcome.moved, state.outcome.missing) == (2, 0)
    assert state.players[0].derailments == 0
    assert state.phase is Phase.DRAWING


@pytest.mark.rule("DER1", "PEN1")
@pytest.mark.parametrize(("wheels", "taken"), [(3, "1"), (4, "1 2")])
def test_a_derailed_emma_stays_on_the_front_card_and_each_step_left_costs_a_card(
    table: Table, row: Row, wheels: int, taken: str
) -> None:
    state = driven(table("1 2 3 4", 2), wheels)
    assert emmas_card(state, row) == "4"
    assert state.emma == len(state.railway) - 1
    assert (state.outcome.moved, state.outcome.missing) == (2, wheels - 2)
    assert row(state.taken) == taken
    assert state.players[0].derailments == 1
    assert (state.phase, state.active) == (Phase.PUTTING, 0)


@pytest.mark.rule("DER1")
def test_the_example_of_the_rulebook(table: Table, do: Do, row: Row) -> None:
    state = do(table("1 1 1 2", 3), Draw(), Lay("track-3-right"), Roll((1, 1, 1)))
    assert (state.outcome.moved, state.outcome.missing) == (1, 2)
    assert row(state.taken) == "1 1"


@pytest.mark.rule("BRK1")
@pytest.mark.parametrize(("wheels", "taken"), [(0, ""), (1, "1"), (2, "1")])
def test_a_broken_track_costs_a_card_whether_run_over_or_stopped_on(
    table: Table, row: Row, wheels: int, taken: str
) -> None:
    state = driven(table("1 2 3 b4 4", 2), wheels)
    assert row(state.taken) == taken
    assert state.outcome.broken == (wheels > 0)
    assert state.outcome.moved == wheels


@pytest.mark.rule("BRK1", "DER1")
def test_a_broken_track_is_no_derailment_and_the_movement_is_completed(table: Table, row: Row) -> None:
    state = driven(table("1 2 3 b4 1", 2), 3)
    assert (state.outcome.moved, state.outcome.missing) == (3, 0)
    assert state.players[0].derailments == 0
    assert emmas_card(state, row) == "4"


@pytest.mark.rule("BRK1")
def test_several_broken_tracks_cost_one_card_each(table: Table, row: Row) -> None:
    state = driven(table("1 2 3 b1 4 b4", 2), 4)
    assert state.outcome.broken == 2
    assert row(state.taken) == "1 2"
    assert row(state.railway.faces) == "3 b1 4 b4 4"
    assert emmas_card(state, row) == "4"


@pytest.mark.rule("BRK1", "PEN1", "PEN2")
def test_the_card_for_a_broken_track_is_taken_at_that_moment(table: Table, row: Row) -> None:
    state = driven(table("1 b2 3", 0), 3)
    assert row(state.taken) == "1"
    assert state.outcome.waived == 0
    assert row(state.railway.faces) == "b2 3 4"


@pytest.mark.rule("BRK1", "PEN2")
def test_with_several_broken_tracks_each_leaves_the_card_emma_came_from_to_take(table: Table, row: Row) -> None:
    state = driven(table("1 b1 b4", 0), 3)
    assert row(state.taken) == "1 b1"
    assert (state.outcome.broken, state.outcome.waived) == (2, 0)
    assert row(state.railway.faces) == "b4 4"
    assert emmas_card(state, row) == "4"


@pytest.mark.rule("BRK1", "PEN2")
def test_a_broken_rear_card_may_be_the_penalty_for_the_next(table: Table, row: Row) -> None:
    state = driven(table("b1 b4 4", 0), 2)
    assert row(state.taken) == "b1"
    assert state.outcome.waived == 0
    assert row(state.railway.faces) == "b4 4 4"


@pytest.mark.rule("BRK1", "DER1", "PEN1")
def test_cards_for_broken_tracks_come_before_those_for_derailing(table: Table, row: Row) -> None:
    state = driven(table("1 2 3 b4", 2), 4)
    assert (state.outcome.broken, state.outcome.missing) == (1, 2)
    assert row(state.taken) == "1 2 3"


@pytest.mark.rule("BRK1")
def test_a_broken_track_just_laid_costs_too(table: Table, row: Row) -> None:
    state = driven(table("1 2 3 1", 2), 2, "broken-4")
    assert state.outcome.broken == 1
    assert row(state.taken) == "1"


@pytest.mark.rule("BRK2")
@pytest.mark.parametrize("wheels", [0, 1, 2])
def test_the_broken_track_emma_sets_off_from_costs_nothing_again(table: Table, wheels: int) -> None:
    state = driven(table("1 2 b3 4", 2), wheels)
    assert state.outcome.broken == 0
    assert state.outcome.taken == ()


@pytest.mark.rule("BRK2", "DER1")
def test_derailing_from_a_broken_track_costs_only_the_steps_left(table: Table, row: Row) -> None:
    state = driven(table("1 2 3 4 b4", 4), 2)
    assert (state.outcome.broken, state.outcome.missing) == (0, 1)
    assert row(state.taken) == "1"


@pytest.mark.rule("BRK2")
def test_a_broken_track_met_in_one_turn_costs_nothing_in_the_next(table: Table, do: Do) -> None:
    game = table("1 2 3 b4", 2)
    state = driven(game, 1)
    assert len(state.taken) == 1
    do(game, Put(state.taken[0].id))
    assert driven(game, 1).outcome.broken == 0


@pytest.mark.rule("PEN1")
def test_penalty_cards_come_from_the_rear_oldest_first(table: Table, row: Row) -> None:
    state = driven(table("3 1 2 1 1 4", 5), 4)
    assert row(state.taken) == "3 1 2"
    assert row(state.railway.faces) == "1 1 4 4"
    assert emmas_card(state, row) == "4"


@pytest.mark.rule("PEN2", "DER1")
def test_emmas_card_is_never_taken_and_the_rest_is_waived(table: Table, row: Row) -> None:
    state = driven(table("1 1", 1), 4)
    assert (state.outcome.moved, state.outcome.missing) == (1, 3)
    assert row(state.taken) == "1 1"
    assert state.outcome.waived == 1
    assert row(state.railway.faces) == "4"
    assert state.emma == 0


@pytest.mark.rule("PEN2")
def test_nothing_waived_is_owed_in_a_later_turn(table: Table, do: Do) -> None:
    game = table("1 1", 1)
    driven(game, 4)
    state = do(game, Put("track-1-straight"), Put("track-1-straight"), Draw(), Lay("track-4-left"), Roll((0, 0, 0, 0)))
    assert state.outcome.taken == ()
    assert len(state.railway) == 2


@pytest.mark.rule("PEN2", "DER1")
def test_a_derailment_whose_penalty_is_waived_altogether_still_counts(table: Table, do: Do) -> None:
    state = do(table("4 b4", 0, Mode.SOLO), Draw(), Lay("track-4-right"), Roll((1, 1, 1, 1)))
    assert state.players[0].derailments == 1
    assert state.outcome.waived == 1
    assert len(state.railway) == 1


@pytest.mark.rule("PEN1", "PEN2")
def test_the_railway_goes_on_from_the_last_card_left(table: Table, do: Do, row: Row) -> None:
    game = table("1 1", 1)
    driven(game, 4)
    do(game, Put("track-1-straight"), Put("track-1-straight"), Draw(), Lay("track-1-right"))
    assert row(game.state.railway.faces) == "4 1"
