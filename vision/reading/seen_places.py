"""Where in a picture cards are seen to lie, whatever is printed on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Corners
from vision.outlines.corner_finder import card_about, first_look
from vision.outlines.place_finder import CARD_PX, LIKELY, Place, seen_in
from vision.reading.searched_picture import SearchedPicture

_LEEWAY: Final = 1.5
"""Where cards are so many times larger or smaller than the network knows them best, it looks again."""
_ABOUT: Final = 1.15
"""What was seen at so nearly the right scale is not looked at again, where nothing is left unread: 141 tables of 47
decks for building are all read just as with a second look."""
_AROUND: Final = 1.5
"""How much of what is around a changed part is looked at as well, in sides of a card."""


class Edged(NamedTuple):
    """A card of which the edges are seen: its corners (4 × 2, px), those of a shorter side first, and how probable."""

    corners: Corners
    probability: float


class SeenPlaces(NamedTuple):
    """Where cards may lie, the most probable first, and at which scale of the picture that was seen."""

    places: list[Place]
    scale: float

    def suit(self, card_px: float) -> bool:
        """Whether that was about the scale for cards of which the sides are so long in the picture, on average."""
        return 1 / _ABOUT < self.scale * card_px / CARD_PX < _ABOUT


def places_at(picture: SearchedPicture, searched_px: int) -> SeenPlaces:
    """Where cards may lie in the picture made so wide or high, whichever is more."""
    seen = _seen_at(picture, searched_px / max(picture.size))
    sizes = [_mean_side(place.corners) for place in seen.places if place.probability >= LIKELY]
    larger = seen.scale * float(np.median(sizes)) / CARD_PX if sizes else 1.0
    return seen if 1 / _LEEWAY < larger < _LEEWAY else _seen_at(picture, seen.scale / larger)


def places_of(picture: SearchedPicture, card_px: float) -> SeenPlaces:
    """The same where it is known how long the sides of a card are in the picture, on average."""
    return _seen_at(picture, CARD_PX / card_px)


def edged(picture: SearchedPicture, place: Corners) -> Edged:
    """The edges of the card that lies about there (4 × 2, px), if one does."""
    card = card_about(picture.half, _in_half(place))
    return Edged((card.corners + 0.5) * 2 - 0.5, card.probability)


def edge_probability(picture: SearchedPicture, place: Corners) -> float:
    """How probable (0 to 1) the edges of a card about there are at the first look."""
    return first_look(picture.half, _in_half(place))


def _in_half(corners: Corners) -> Corners:
    return (corners + 0.5) / 2 - 0.5


def of_one_size(places: Sequence[Corners], larger: float) -> list[Corners]:
    """Those that are about as large as most of them are, up to so many times as large."""
    sizes = np.array([np.linalg.norm(corners[2] - corners[0]) for corners in places])
    usual = float(np.median(sizes)) if places else 0.0
    return [corners for corners, size in zip(places, sizes, strict=True) if usual / larger < size < usual * larger]


def _seen_at(picture: SearchedPicture, scale: float) -> SeenPlaces:
    scale = min(1.0, scale)
    places = [
        place._replace(corners=(place.corners + part.corner + 0.5) / part.scale - 0.5)
        for part in picture.parts(scale, round(_AROUND * CARD_PX / scale))
        for place in seen_in(part.picture).places
    ]
    return SeenPlaces(sorted(places, key=lambda place: -place.probability), scale)


def _mean_side(corners: Corners) -> float:
    return float(np.linalg.norm(np.roll(corners, 1, axis=0) - corners, axis=1).mean())
