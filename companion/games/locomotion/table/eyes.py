"""The eye of the game: it reads networks of one piece, and what stands on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.locomotion.rules import PlacedPiece, Side, load_piece, piece_names
from companion.games.locomotion.table.looks import Axes, look_of

if TYPE_CHECKING:
    from companion.games.locomotion.rules import Piece
    from vision.deck_pictures import DeckPictures
    from vision.networks.network_eye import NetworkEye

_PICTURES_TO_BE_STILL: Final = 2
"""A change counts when so many pictures in a row show it: hands and cameras shake."""


def eyes(pictures: DeckPictures) -> NetworkEye:
    """The eye for the piece of these pictures. Of one of the people's own nobody knows more than its dots."""
    from vision.networks.network_eye import NetworkEye

    name = pictures.deck.faces[0].id
    is_known = name in piece_names()
    return NetworkEye(
        pictures,
        pictures.cells,
        has_print=is_known,
        is_same_turned=is_known and is_same_turned(load_piece(name)),
        pictures_to_be_still=_PICTURES_TO_BE_STILL,
    )


def is_same_turned(piece: Piece) -> bool:
    """Whether nobody can tell a piece from the same one turned by half, nor has to: all its tracks are the same."""
    one, other = (look_of(piece, PlacedPiece((0, 0), heading)) for heading in ("E", "W"))
    (x, y), (other_x, other_y) = one.corner, other.corner
    return one.is_like(other.moved(Axes(Side.E, (x - other_x, y - other_y))))
