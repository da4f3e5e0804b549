"""Which places of a picture are looked at, and how often."""

import numpy as np
import pytest

from tests.vision.reading.taught_eye import Eye
from tests.vision.reading.unseen_tables import table_of
from vision.faces.fit import Fit
from vision.reading.found_cards import FoundCards
from vision.reading.place_search import PlaceSearch
from vision.reading.recognition import Recognizer
from vision.reading.searched_picture import SearchedPicture


def search_with_one_beside(eye: Eye, surprise: float) -> tuple[PlaceSearch, FoundCards, Fit]:
    """A table of which one card, the last of those found, was read beside where it lies; and where that is."""
    table = table_of(eye.pictures, 1, difficulty="easy")
    picture, deck = SearchedPicture(table.picture, None), eye.reader._learnt
    first, *others = (eye.reader._fit(card)._replace(surprise=40.0) for card in eye.reader.read(table.picture))
    cards = FoundCards(picture, deck, [])
    cards.all[:] = [*others, first._replace(corners=first.corners + 4.0, surprise=surprise)]
    return PlaceSearch(picture, deck, cards, Recognizer(picture, deck)), cards, first


@pytest.mark.parametrize(("surprise", "is_looked_at"), [(8.0, True), (20.0, False)])
def test_a_card_that_is_not_sure_is_looked_at_once_more(own_eye: Eye, surprise: float, *, is_looked_at: bool) -> None:
    """Read a little beside where it lies: in the dark whatever it leads to was missed."""
    search, cards, lying = search_with_one_beside(own_eye, surprise)
    search._read_again()
    assert (np.abs(cards.all[-1].corners - lying.corners).max() < 1.0) == is_looked_at
    assert (cards.all[-1].surprise > surprise) == is_looked_at


def test_where_nothing_surer_is_read_it_is_not_looked_at_again(own_eye: Eye, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dark table is searched several times over, and most of its cards are not sure."""
    search, cards, _ = search_with_one_beside(own_eye, 8.0)
    looks: list[object] = []
    monkeypatch.setattr(Recognizer, "read", lambda _, places: looks.append(places))
    search._read_again()
    search._read_again()
    assert len(looks) == 1
    assert cards.all[-1].surprise == 8.0
