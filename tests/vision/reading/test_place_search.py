"""Which places of a picture are looked at, and how often; that each way to look for cards is needed."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.vision.reading.taught_eye import Eye, nothing
from tests.vision.reading.unseen_tables import Table, table_of
from vision.arrays import Corners
from vision.faces.fit import Fit
from vision.reading import place_search, seen_places
from vision.reading.found_cards import FoundCards
from vision.reading.place_search import PlaceSearch
from vision.reading.recognition import Recognizer
from vision.reading.searched_picture import SearchedPicture
from vision.reading.seen_places import Edged, SeenPlaces

BESIDE_PX = 40.0
"""Of the middle of a card: what is found so near is that card."""


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


class Unseen:
    """A card of an easy table of which the edges are hardly seen where it lies."""

    def __init__(self, table: Table, monkeypatch: pytest.MonkeyPatch, card: Any) -> None:
        self.face = card["face"]
        self.middle = np.mean(card["corners_px"], axis=0)
        edged = place_search.edged

        def unseen(picture: SearchedPicture, place: Corners) -> Edged:
            seen = edged(picture, place)
            return seen._replace(probability=0.1) if self.is_at(seen.corners) else seen

        monkeypatch.setattr(place_search, "edged", unseen)

    def is_at(self, corners: Corners) -> bool:
        return bool(np.linalg.norm(corners.mean(axis=0) - self.middle) < BESIDE_PX)


@pytest.fixture
def table(own_eye: Eye) -> Table:
    return table_of(own_eye.pictures, 1, difficulty="easy")


@pytest.fixture
def unseen(table: Table, monkeypatch: pytest.MonkeyPatch) -> Unseen:
    hers = table.truth["emma"]["serial"]
    return Unseen(table, monkeypatch, next(card for card in table.truth["cards"] if card["serial"] != hers))


def test_a_card_whose_edges_are_not_seen_is_read_where_rails_lead(
    own_eye: Eye, table: Table, unseen: Unseen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PlaceSearch, "_read_about", nothing)
    assert own_eye.wrongly_read(table) == []
    monkeypatch.setattr(PlaceSearch, "_follow_rails", nothing)
    assert f"missed {unseen.face}" in own_eye.wrongly_read(table)


def test_where_rails_lead_to_no_edges_nothing_is_read(
    own_eye: Eye, table: Table, unseen: Unseen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PlaceSearch, "_read_about", nothing)
    edges = place_search.edge_probability

    def with_edges(probability: float) -> Callable[[SearchedPicture, Corners], float]:
        return lambda picture, place: probability if unseen.is_at(place) else edges(picture, place)

    monkeypatch.setattr(place_search, "edge_probability", with_edges(0.01))
    assert f"missed {unseen.face}" in own_eye.wrongly_read(table)
    monkeypatch.setattr(place_search, "edge_probability", with_edges(0.05))
    assert own_eye.wrongly_read(table) == []
    # Where none seems to lie more of its edges has to be seen.
    seen_at = seen_places._seen_at

    def not_there(picture: SearchedPicture, scale: float) -> SeenPlaces:
        places, scale = seen_at(picture, scale)
        return SeenPlaces([place for place in places if not unseen.is_at(place.corners)], scale)

    monkeypatch.setattr(seen_places, "_seen_at", not_there)
    assert f"missed {unseen.face}" in own_eye.wrongly_read(table)
    monkeypatch.setattr(place_search, "edge_probability", with_edges(0.15))
    assert own_eye.wrongly_read(table) == []


def test_places_are_looked_for_once_more_only_where_something_was_not_read(
    own_eye: Eye, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, seen_at = [], seen_places._seen_at
    monkeypatch.setattr(
        seen_places, "_seen_at", lambda picture, scale: [looks.append(scale), seen_at(picture, scale)][1]
    )
    assert len(own_eye.reader.read(table.picture)) == len(table.truth["cards"])
    assert len(looks) == 1
    monkeypatch.setattr(PlaceSearch, "unread", lambda _: [np.zeros((4, 2))])
    monkeypatch.setattr(PlaceSearch, "_read_about", nothing)
    own_eye.reader.read(table.picture)
    assert len(looks) > 2


def test_a_card_whose_edges_are_not_seen_is_read_about_where_it_seems_to_lie(
    own_eye: Eye, table: Table, unseen: Unseen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PlaceSearch, "_follow_rails", nothing)
    seen_at = seen_places._seen_at

    def a_little_off(picture: SearchedPicture, scale: float) -> SeenPlaces:
        places, scale = seen_at(picture, scale)
        off = [one._replace(corners=one.corners + 4.0) if unseen.is_at(one.corners) else one for one in places]
        return SeenPlaces(off, scale)

    monkeypatch.setattr(seen_places, "_seen_at", a_little_off)
    assert own_eye.wrongly_read(table) == []
    monkeypatch.setattr(PlaceSearch, "_read_about", nothing)
    assert f"missed {unseen.face}" in own_eye.wrongly_read(table)


def test_a_card_beside_where_rails_lead_is_read_where_its_edges_are(
    own_eye: Eye, table: Table, unseen: Unseen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PlaceSearch, "_read_about", nothing)
    about, beside = PlaceSearch._about, FoundCards.beside

    def askew(cards: FoundCards, fit: Any) -> Corners:
        return beside(cards, fit) + 15.0

    def with_edges(*given: Any, **least: float) -> Any:
        with monkeypatch.context() as patch:
            patch.setattr(place_search, "edged", seen_places.edged)
            return about(*given, **least)

    monkeypatch.setattr(FoundCards, "beside", askew)
    assert f"missed {unseen.face}" in own_eye.wrongly_read(table)
    monkeypatch.setattr(PlaceSearch, "_about", with_edges)
    assert own_eye.wrongly_read(table) == []
