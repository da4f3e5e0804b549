"""The search for the cards of a picture: where they lie, on which of them Emma stands, and which they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from vision.arrays import Corners, Picture, Region
from vision.faces.fit import Fit
from vision.reading.card_names import CardNames
from vision.reading.cards_apart import add_cards_apart
from vision.reading.emmas_card import EmmasCard
from vision.reading.found_cards import SURE_OF_THE_TABLE, FoundCards, is_one_of
from vision.reading.learnt_deck import LearntDeck
from vision.reading.place_search import PlaceSearch
from vision.reading.recognition import Recognizer
from vision.reading.searched_picture import SearchedPicture

_LESS_LIKELY: Final = 0.1
"""So much less a card may look like itself where a flat one would lie; else it is bent, or the table badly known."""


def find_cards(
    picture: Picture,
    deck: LearntDeck,
    known: Sequence[Fit],
    regions: Sequence[Region] | None,
    before: Sequence[Corners],
) -> list[Fit]:
    """All cards of a picture, those first that are ``known``; others are looked for in these regions, or everywhere.

    Where some lay ``before`` they are looked for first.
    """
    searched = SearchedPicture(picture, regions)
    cards, recognizer = FoundCards(searched, deck, known), Recognizer(searched, deck)
    if deck.namer is not None:
        add_cards_apart(cards, searched, deck.namer, deck.shape.card_mm)
        return cards.all
    places = PlaceSearch(searched, deck, cards, recognizer)
    places.find(before)
    hers = EmmasCard(picture, deck, cards, recognizer).find(places.unread())

    def flat(fit: Fit) -> Fit:
        """The card as a flat one of the right size lies there, if that looks about as much like it."""
        if len(cards.wholly_seen()) < SURE_OF_THE_TABLE or is_one_of(fit, known):
            return fit
        corners = cards.straight(fit.corners)
        as_flat = deck.patterns.likeness(searched.half, corners, fit.face)
        return fit._replace(corners=corners) if as_flat > fit.pattern - _LESS_LIKELY else fit

    return CardNames(picture, deck).named(
        [flat(fit) for fit in cards.all],
        [not is_one_of(fit, cards.known) for fit in cards.all],
        [hers if hers is not None and fit is hers.fit else None for fit in cards.all],
    )
