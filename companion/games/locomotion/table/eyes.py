"""The eye of the game: it reads networks of one piece, and what stands on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.locomotion.rules import PlacedPiece, Side
from companion.games.locomotion.table.looks import Axes, look_of

if TYPE_CHECKING:
    from companion.games.locomotion.rules import Piece
    from vision.deck_pictures import DeckPictures
    from vision.networks.network_eye import NetworkEye

_PICTURES_TO_BE_STILL: Final = 2
"""A change counts when so many pictures in a row show it: hands and cameras shake."""


def eyes(pictures: DeckPictures, piece: Piece) -> NetworkEye:
    """The eye for this piece, whose picture these are."""
    from vision.networks.network_eye import NetworkEye

    return NetworkEye(
        pictures,
        piece.cells,
        is_same_turned=is_same_turned(piece),
        pictures_to_be_still=_PICTURES_TO_BE_STILL,
    )


def is_same_turned(piece: Piece) -> bool:
    """Whether nobody can tell a piece from the same one turned by half, nor has to: all its tracks are the same."""
    one, other = (look_of(piece, PlacedPiece((0, 0), heading)) for heading in ("E", "W"))
    (x, y), (other_x, other_y) = one.corner, other.corner
    return one.is_like(other.moved(Axes(Side.E, (x - other_x, y - other_y))))
