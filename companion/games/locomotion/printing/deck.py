"""The pieces of a game as a deck: what all that deals with cards needs to know of them."""

from __future__ import annotations

import zlib
from typing import Final

import msgspec

from companion.games.locomotion.printing.outline import CELL_MM
from companion.games.locomotion.rules import Piece
from companion.games.locomotion.rules.piece import PIECES
from vision.cards import Deck, Face, Kind

_pieces: Final[dict[str, Piece]] = {}
"""Those of which there are decks, by the decks' names: people may have several of their own, all of one name."""


def deck_of(piece: Piece) -> Deck:
    """A deck with one face, which heads east where it is upright; its id is the piece's name."""
    size, shape = card_mm(piece), zlib.crc32(msgspec.json.encode(piece))
    deck = Deck(f"locomotion-{piece.name}-{shape:08x}", (Face(piece.name, 1, Kind.TRACK, PIECES, size_mm=size),), size)
    _pieces[deck.name] = piece
    return deck


def piece_of(deck: Deck) -> Piece:
    """The piece that ``deck_of`` has made a deck of; raises KeyError for any other deck."""
    return _pieces[deck.name]


def card_mm(piece: Piece) -> tuple[float, float]:
    """Width and height of the rectangle around the cells of a piece that heads east."""
    width, height = (CELL_MM * (max(side) - min(side) + 1) for side in zip(*piece.cells, strict=True))
    return width, height
