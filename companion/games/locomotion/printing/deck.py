"""The pieces of a game as a deck: what all that deals with cards needs to know of them."""

from __future__ import annotations

from companion.games.locomotion.printing.outline import CELL_MM
from companion.games.locomotion.rules import Piece
from companion.games.locomotion.rules.piece import PIECES
from vision.cards import Deck, Face, Kind


def deck_of(piece: Piece) -> Deck:
    """A deck with one face, which heads east where it is upright; its id is the piece's name."""
    size = card_mm(piece)
    return Deck(f"locomotion-{piece.name}", (Face(piece.name, 1, Kind.TRACK, PIECES, size_mm=size),), size)


def card_mm(piece: Piece) -> tuple[float, float]:
    """Width and height of the rectangle around the cells of a piece that heads east."""
    width, height = (CELL_MM * (max(side) - min(side) + 1) for side in zip(*piece.cells, strict=True))
    return width, height
