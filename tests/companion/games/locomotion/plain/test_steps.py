"""Running and coupling as the clauses say, tried by hand on small networks."""

from __future__ import annotations

from typing import Any

from tests.companion.games.locomotion.plain.game import (
    begin_turn,
    do,
    end_turn,
    legal_steps,
    set_up,
)
from tests.companion.games.locomotion.plain.network import (
    network_of,
)
from tests.companion.games.locomotion.plain.pieces import Laid
from tests.companion.games.locomotion.plain.standing import (
    LINE,
    PINWHEEL,
    cut,
    driven,
    golden,
    kinds,
    lie_at,
    lie_of_locomotive,
    standing,
    train,
)
from tests.companion.games.locomotion.plain.steps import Knobs, train_of


def test_a_train_on_a_turnout_does_not_change_its_branch_by_reversing() -> None:
    """LRUN2."""
    game = begin_turn(golden(1, 4, 2, 3), 6)
    assert legal_steps(game) == [("run", (2, 0), (1, 0))]
    game = driven(game, (2, 0), (1, 0))
    assert lie_of_locomotive(game) == {"EW"}
    assert ("run", (1, 0), (1, 1)) not in legal_steps(game)
    game = driven(game, (1, 0), (0, 0), (1, 0))
    assert lie_of_locomotive(game) == {"EW", "SW"}  # it has cleared the turnout, and come back
    assert ("run", (1, 0), (1, 1)) in legal_steps(game)


def test_wagons_follow_the_locomotive_and_go_ahead_backwards() -> None:
    """LRUN2, LRUN3: what follows lies as those ahead went; what goes ahead may yet take each way."""
    rows: list[dict[str, Any]] = [{"player": 0, "dots": [(0, 0), (-1, 0)], "colours": [1], "lies": [["EW"], ["ES"]]}]
    game = begin_turn(standing("die", rows, PINWHEEL), 6)
    ahead = driven(game, (0, 0), (1, 0), (1, 1))
    assert [vehicle.dot for vehicle in train_of(ahead.place, 0)] == [(1, 1), (1, 0)]
    assert lie_at(ahead, (1, 0)) == {"SW"}
    back = driven(game, (-1, 0), (-1, 1))
    assert [vehicle.dot for vehicle in train_of(back.place, 0)] == [(-1, 0), (-1, 1)]
    assert lie_of_locomotive(back) == {"ES"}


def test_a_train_cannot_take_the_dot_that_its_own_tail_clears() -> None:
    """LRUN2: all eight dots of the ring are taken by one train."""
    ring = [(0, 0), (1, 0), (1, 1), (1, 2), (0, 2), (-1, 2), (-1, 1), (-1, 0)]
    lies = [["EW"], ["SW"], ["NS"], ["NW"], ["EW"], ["EN"], ["NS"], ["ES"]]
    rows: list[dict[str, Any]] = [{"player": 0, "dots": ring, "colours": [1, 2, 3, 4, 5, 6, 7], "lies": lies}]
    game = begin_turn(standing("die", rows, PINWHEEL), 6)
    assert kinds(legal_steps(game)) == {"uncouple"}


def test_nothing_is_pushed_and_who_cannot_move_waits() -> None:
    """LRUN5, LRUN6, LRUN7: between the end of the track and another's locomotive."""
    game = begin_turn(standing("die", [train(0), train(1, player=1), cut(2, colours=(1,))]), 3)
    assert legal_steps(game) == []
    game = begin_turn(end_turn(game), 2)
    assert legal_steps(game) == [("couple", (1, 0), (2, 0))]


# Coupling


def test_coupling_takes_the_whole_cut_and_narrows_both_lies() -> None:
    """LCPL1, LCPL2."""
    game = begin_turn(standing("die", [train(3), cut(4, 5, 6, colours=(1, 2, 3)), cut(1, colours=(4,))]), 3)
    assert kinds(legal_steps(game)) == {"run", "couple"}
    game = do(game, ("couple", (3, 0), (4, 0)))
    assert train_of(game.place, 0)[0].what == ("locomotive", 0)
    assert [vehicle.what[1] for vehicle in train_of(game.place, 0)[1:]] == [1, 2, 3]
    game = driven(game, (3, 0), (2, 0))
    assert kinds(legal_steps(game)) == {"run", "uncouple"}  # LCPL5: nothing comes to the locomotive's other end
    game = begin_turn(standing("die", [train(3), cut(4, colours=(1,))]), 3)
    assert lie_at(do(game, ("couple", (3, 0), (4, 0))), (4, 0)) == {"EW", "SW"}  # both have the west


def test_coupling_settles_on_which_branch_a_wagon_lies() -> None:
    """LCPL2, LRUN2: from the south only the arc leads to it, and after uncoupling it still lies along that."""
    rows: list[dict[str, Any]] = [
        {"player": 0, "dots": [(1, 1)], "colours": []},
        {"player": None, "dots": [(1, 0)], "colours": [1]},
    ]
    game = do(begin_turn(standing("die", rows, PINWHEEL), 6), ("couple", (1, 1), (1, 0)))
    assert lie_at(game, (1, 0)) == {"SW"}
    game = do(game, ("uncouple", 1, None))
    assert lie_at(game, (1, 0)) == {"SW"}
    game = standing("die", [*rows, {"player": 1, "dots": [(2, 0)], "colours": []}], PINWHEEL)
    game = do(do(begin_turn(game, 2), ("couple", (1, 1), (1, 0))), ("uncouple", 1, None))
    assert legal_steps(begin_turn(game, 6)) == []  # from the spur it can no longer be coupled


def test_a_side_that_is_in_one_lie_only_does_not_couple() -> None:
    rows: list[dict[str, Any]] = [
        {"player": 0, "dots": [(1, 0)], "colours": [], "lies": [["EW"]]},
        {"player": None, "dots": [(1, 1)], "colours": [1]},
    ]
    assert "couple" not in kinds(legal_steps(begin_turn(standing("die", rows, PINWHEEL), 6)))


def test_a_cut_that_is_touched_at_both_ends_can_be_taken_by_either() -> None:
    """LCPL2, on four arcs in a square."""
    square: list[Laid] = [((0, 0), "N"), ((1, 0), "E"), ((1, 1), "S"), ((0, 1), "W")]
    rows: list[dict[str, Any]] = [
        {"player": 0, "dots": [(0, 0)], "colours": []},
        {"player": None, "dots": [(1, 0), (1, 1), (0, 1)], "colours": [1, 2, 3]},
    ]
    steps = legal_steps(begin_turn(standing("die", rows, square, "D"), 6))
    assert {("couple", (0, 0), (1, 0)), ("couple", (0, 0), (0, 1))} <= set(steps)


def test_never_two_of_a_colour_and_never_anothers() -> None:
    """LCPL4, LCPL6, LRUN6."""
    rows = [train(3, 4, colours=(1,)), cut(5, 6, colours=(2, 1)), train(7, 8, colours=(3,), player=1)]
    game = begin_turn(standing("die", rows), 6)
    assert kinds(legal_steps(game)) == {"run", "uncouple"}
    rows = [train(3, 4, colours=(1,)), train(6, 5, colours=(2,), player=1)]
    assert kinds(legal_steps(begin_turn(standing("die", rows), 6))) == {"run", "uncouple"}


def test_wagons_are_left_as_one_cut_and_the_knob_gap_moves_the_train_off() -> None:
    """LCPL3."""
    rows = [train(3, 4, 5, 6, colours=(1, 2, 3))]
    game = begin_turn(standing("die", rows), 6)
    left = do(game, ("uncouple", 2, None))
    assert [[vehicle.dot[0] for vehicle in row] for row in left.place] == [[3, 4], [5, 6]]
    game = game._replace(knobs=Knobs(gap="a_dot"))
    moved = do(game, ("uncouple", 2, (2, 0)))
    assert [[vehicle.dot[0] for vehicle in row] for row in moved.place] == [[2, 3], [5, 6]]
    at_the_end = standing("die", [train(0, 1, 2, colours=(1, 2))], knobs=Knobs(gap="a_dot"))
    assert kinds(legal_steps(begin_turn(at_the_end, 6))) == {"run"}


def test_the_knob_behind_tells_the_back_at_the_first_coupling() -> None:
    """LCPL7."""
    back_only = Knobs(behind="back_only")
    wagons = [((3, 0), 1), ((5, 0), 2)]
    either = begin_turn(set_up(network_of("T", LINE), "die", (1, 2), [(4, 0)], wagons), 6)
    either = do(do(either, ("couple", (4, 0), (3, 0))), ("uncouple", 1, None))
    assert {step for step in legal_steps(either) if step[0] == "couple"} == {
        ("couple", (4, 0), (3, 0)),
        ("couple", (4, 0), (5, 0)),
    }
    game = begin_turn(set_up(network_of("T", LINE), "die", (1, 2), [(4, 0)], wagons, back_only), 6)
    game = do(do(game, ("couple", (4, 0), (3, 0))), ("uncouple", 1, None))
    assert lie_of_locomotive(game) == {"WE", "WS"}
    assert [step for step in legal_steps(game) if step[0] == "couple"] == [("couple", (4, 0), (3, 0))]
    away = game._replace(place=tuple(row for row in game.place if row[0].dot != (5, 0)))
    assert lie_of_locomotive(driven(away, (4, 0), (5, 0), (4, 0))) == {"WE"}  # running does not turn it
