"""Whole tables are read rightly that were never seen before: cards, places and Emma, of two quite different decks."""

import pytest

from tests.vision.reading.scores import score_of
from tests.vision.reading.taught_eye import Eye
from tests.vision.reading.unseen_tables import DIFFICULTIES, table_of

EASIER = DIFFICULTIES[:2]
CORNERS_MM = 3.0
"""How far off a card's corners may be."""


@pytest.fixture(params=["own", "second"])
def eye(request: pytest.FixtureRequest) -> Eye:
    """Has learnt one of the two decks."""
    eye: Eye = request.getfixturevalue(f"{request.param}_eye")
    return eye


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.further) for seed in (2, 3))])
def test_every_table_is_read_rightly(eye: Eye, seed: int) -> None:
    score = eye.result(seed, EASIER[seed % len(EASIER)]).score
    assert score.wrong == []
    assert score.found == score.need > 0
    assert max(score.corners_mm) < CORNERS_MM


def test_another_table_than_the_one_that_was_read_is_wrong(own_eye: Eye) -> None:
    """The judge itself: what was read of one table does not pass for another."""
    shown, other = (table_of(own_eye.pictures, seed, "easy") for seed in (0, 1))
    read = own_eye.reader.read(shown.picture)
    emma = own_eye.finder.find(shown.picture, read)
    assert score_of(shown.truth, read, emma).wrong == []
    wrong = " ".join(score_of(other.truth, read, emma).wrong)
    assert "missed" in wrong
    assert "false" in wrong
    assert "Emma" in wrong
