"""The beginning of a pictured game through the eye and the controller; `make games` plays whole ones."""

import pytest

from companion.games.loknroll.rules import Phase
from tests.tools.play_pictured_games import SHARED, played

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the pictured games in ../shared are not here")


def test_the_first_turns_of_a_game_of_two_are_as_they_are_told() -> None:
    people = played("meadow-two", SHARED / "decks/meadow", pictures=8)
    assert people.checked == 3
    assert people.game.state.phase is Phase.ACTING
    assert people.pressed_count().keys() <= {"lot", "begin", "roll", "pass", "put"}
    assert not people.screen.alert
