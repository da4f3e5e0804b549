"""The cards of a picture of which the edges are seen, whatever deck they are of: none is read."""

from __future__ import annotations

from vision.arrays import Corners, Picture
from vision.outlines.place_finder import LIKELY
from vision.reading import place_search
from vision.reading.searched_picture import SearchedPicture
from vision.reading.seen_places import edged, places_at


def seen_cards(picture: Picture) -> list[Corners]:
    """Where networks see cards whose edges show (each 4 × 2, px, those of a shorter side first), to a few mm.

    They have learnt what only looks like one: squares of a cloth that lie together are of any proportion.
    """
    searched = SearchedPicture(picture, None)
    for searched_px in place_search.SEARCHED_PX:
        places = (place for place in places_at(searched, searched_px).places if place.probability >= LIKELY)
        cards = [edged(searched, place.corners) for place in places]
        seen = [card.corners for card in cards if card.probability >= place_search.EDGES]
        if seen:
            return seen
    return []
