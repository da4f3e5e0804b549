"""The pieces of a game as a deck: what all that deals with cards needs to know of them."""

from __future__ import annotations

import zlib

import msgspec

from companion.games.locomotion.printing.outline import CELL_MM
from companion.games.locomotion.rules import Piece
from companion.games.locomotion.rules.piece import PIECES
from vision.cards import Deck, Face, Kind


class PieceDeck(Deck, frozen=True, dict=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """A deck of which all cards are this piece of rail."""

    piece: Piece


def deck_of(piece: Piece) -> PieceDeck:
    """A deck with one face, which heads east where it is upright; its id is the piece's name."""
    size, shape = card_mm(piece), zlib.crc32(msgspec.json.encode(piece))
    # People may have several pieces of their own, all of one name.
    name = f"locomotion-{piece.name}-{shape:08x}"
    return PieceDeck(name, (Face(piece.name, 1, Kind.TRACK, PIECES, size_mm=size),), size, piece=piece)


def piece_of(deck: Deck) -> Piece:
    """The piece that ``deck_of`` has made a deck of; raises TypeError for any other deck."""
    if not isinstance(deck, PieceDeck):
        raise TypeError(f"{deck.name} is no deck of pieces of rail")
    return deck.piece


def card_mm(piece: Piece) -> tuple[float, float]:
    """Width and height of the rectangle around the cells of a piece that heads east."""
    width, height = (CELL_MM * (max(side) - min(side) + 1) for side in zip(*piece.cells, strict=True))
    return width, height
