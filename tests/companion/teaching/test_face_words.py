"""What people call cards, in words that tell those of a deck apart."""

from __future__ import annotations

import pytest

from companion.teaching.face_words import face_in_words, usual_places
from companion.teaching.lesson import CardFacts
from companion.texts.language import Texts
from vision.cards import Edge, Kind, Port

STRAIGHT = (Port(Edge.S), Port(Edge.N))
ASIDE = (Port(Edge.S, 10), Port(Edge.N, -10))
LOW = (Port(Edge.S), Port(Edge.W, 6))


def cards(*ports: tuple[Port, ...]) -> list[CardFacts]:
    return [CardFacts(1, Kind.TRACK if some else Kind.CHAOS, some) for some in ports]


@pytest.mark.parametrize(
    ("some", "usual"),
    [
        ([STRAIGHT, STRAIGHT, ASIDE], {Edge.S: 0, Edge.N: 0}),
        ([ASIDE, STRAIGHT, ASIDE, STRAIGHT], {Edge.S: 0, Edge.N: 0}),  # half way between them nothing leaves
        ([ASIDE, ASIDE, STRAIGHT], {Edge.S: 10, Edge.N: -10}),
        ([LOW, STRAIGHT, LOW], {Edge.S: 0, Edge.N: 0, Edge.W: 6}),
        ([()], {}),
    ],
)
def test_where_rails_usually_leave(some: list[tuple[Port, ...]], usual: dict[Edge, float]) -> None:
    assert usual_places(cards(*some)) == usual


def test_beside_a_whole_deck_rails_that_leave_elsewhere_lie_aside() -> None:
    deck = cards(STRAIGHT, STRAIGHT, ASIDE, LOW)
    told = [face_in_words(Texts("en"), card, usual_places(deck)) for card in deck]
    assert told == ["1, straight", "1, straight", "1, straight, off-centre", "1, curve left"]


@pytest.mark.parametrize(
    ("card", "told"),
    [
        (CardFacts(3, Kind.TRACK, ASIDE), "3, straight"),
        (CardFacts(2, Kind.BROKEN, LOW), "2, broken, curve left"),
        (CardFacts(4, Kind.CHAOS), "4, chaos"),
        (CardFacts(4, Kind.TRACK, (Port(Edge.W), Port(Edge.N))), "4, other"),
    ],
)
def test_a_single_card_is_called_by_its_value_and_its_rails(card: CardFacts, told: str) -> None:
    assert face_in_words(Texts("en"), card) == told
