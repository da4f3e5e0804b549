"""Whole random games at a table that people keep in order: nobody presses more than ROLL, PASS and what is a choice."""

from collections import Counter

import pytest

from companion.games.loknroll.rules import Lay, Mode, Pass, Phase, Roll, StartCard, result
from companion.games.loknroll.settings import with_own
from companion.games.settings import Settings
from hardware.buttons import Button
from tests.companion.games.loknroll.play.scripted_table import dealt, seat
from vision.cards import Motion


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("seed", [0, 1, 2, *(pytest.param(seed, marks=pytest.mark.further) for seed in (3, 4))])
def test_a_game_ends_as_it_was_played(mode: Mode, seed: int) -> None:
    source = dealt(mode, seed)
    people = seat(mode, seed, settings=Settings(language=("en", "de", "es")[seed % 3]))
    people.play(source)
    assert people.game.state.phase is Phase.OVER
    faces = [[getattr(step, name, None) for name in ("face", "dice", "faces", "combine")] for step in source.steps]
    assert [type(step) for step in people.game.steps] == [type(step) for step in source.steps]
    assert faces == [
        [getattr(step, name, None) for name in ("face", "dice", "faces", "combine")] for step in people.game.steps
    ]
    assert result(people.game.state) == result(source.state)
    assert not any(screen.alert for screen in people.screens)


@pytest.mark.parametrize("mode", [Mode.TWO, Mode.BETSY])
def test_building_and_passing_take_one_press_each(mode: Mode) -> None:
    source = dealt(mode, 5)
    people = seat(mode, 5)
    people.play(source)
    presses = Counter(why for why, _ in people.pressed)
    steps = Counter(type(step) for step in source.steps)
    automatic = sum(
        isinstance(step, Pass) and state.is_automatons_turn
        for state, step in zip(source.states, source.steps, strict=False)
    )
    assert presses["roll"] == steps[Roll]
    assert presses["pass"] == steps[Pass] - automatic
    assert presses.keys() <= {"roll", "pass", "put", "combine", "lot", "begin"}


def test_the_railway_does_not_drift_away_in_a_game() -> None:
    source = dealt(Mode.TWO, 1)
    people = seat(Mode.TWO, 1)
    people.table.shift = Motion()
    people.play(source)
    pairs = [
        (told.pose, seen.pose)
        for told, seen in zip(source.steps, people.game.steps, strict=True)
        if isinstance(told, (Lay, StartCard)) and isinstance(seen, (Lay, StartCard))
    ]
    assert pairs
    for told, seen in pairs:
        assert told is not None
        assert seen is not None
        assert abs(told.x_mm - seen.x_mm) < 12
        assert abs(told.y_mm - seen.y_mm) < 12


def test_who_lets_the_best_order_happen_presses_nothing_for_penalty_cards() -> None:
    people = seat(Mode.TWO, 3, settings=with_own(Settings(), puts_by_itself=True))
    source = dealt(Mode.TWO, 3)
    at = next(index for index, state in enumerate(source.states) if state.phase is Phase.PUTTING)
    people.play(source, at)
    assert people.game.state.phase is not Phase.PUTTING
    assert Button.DOWN not in [button for _, button in people.pressed]
