"""Whole tables are read rightly that were never seen before: cards, places and Emma, of two quite different decks."""

import pytest

from companion.pictures import DeckPictures
from tests.measure_reading import DIFFICULTIES, Eye, score_of, table_of
from tests.second_deck import blueprint_deck

EASIER = DIFFICULTIES[:2]
CORNERS_MM = 3.0
"""How far off a card's corners may be."""


@pytest.fixture(scope="module")
def eyes(own: DeckPictures) -> dict[str, Eye]:
    decks = {"own": own, "second": blueprint_deck()}
    return {name: Eye(pictures, pictures.faces) for name, pictures in decks.items()}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("deck", ["own", "second"])
def test_every_table_is_read_rightly(eyes: dict[str, Eye], deck: str, seed: int) -> None:
    score = eyes[deck].result(seed, EASIER[seed % len(EASIER)]).score
    assert score.wrong == []
    assert score.found == score.need > 0
    assert max(score.corners_mm) < CORNERS_MM


def test_a_card_under_emma_is_read_in_dim_light_and_glare(eyes: dict[str, Eye]) -> None:
    assert eyes["second"].result(59, "hard").score.wrong == []


def test_another_table_than_the_one_that_was_read_is_wrong(eyes: dict[str, Eye]) -> None:
    """The judge itself: what was read of one table does not pass for another."""
    eye = eyes["own"]
    shown, other = (table_of(eye.pictures, seed, "easy") for seed in (0, 1))
    read = eye.reader.read(shown.picture)
    emma = eye.finder.find(shown.picture, read)
    assert score_of(shown.truth, read, emma).wrong == []
    wrong = " ".join(score_of(other.truth, read, emma).wrong)
    assert "missed" in wrong
    assert "false" in wrong
    assert "Emma" in wrong
