"""The piece of rail as data (LMAT2): one file for the one shape of which all pieces of a game are."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

import msgspec

from companion.games.locomotion.rules.errors import BadPiece
from companion.games.locomotion.rules.sides import Dot, Passage, Side, beyond

MOST_CELLS: Final = 16
"""Of a piece. It keeps a hostile file small."""
MOST_LENGTH: Final = 16
"""How far a cell may lie from the first one, in cells."""
PIECES: Final = 45
"""That the game has (LMAT1)."""
_NAME_LENGTH: Final = 40
_FOLDER = files(__package__) / "pieces"


class Track(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A way through a cell, from side to side."""

    cell: tuple[int, int]
    sides: tuple[str, str]

    @property
    def passage(self) -> Passage:
        """The two sides in their order."""
        first, second = sorted(Side[side] for side in self.sides)
        return first, second


class Piece(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The shape of a piece that heads east.

    ``cells`` are the cells of its dots (x to the right, y down); the first is where it is said to lie. ``passages``
    are its tracks; one that ends at a side beyond which the piece has no cell ends at a port. ``long_sides`` are the
    sides along which two pieces must not be joined in parallel (LSET2).
    """

    name: str
    cells: tuple[tuple[int, int], ...]
    passages: tuple[Track, ...]
    long_sides: tuple[str, ...] = ("N", "S")

    def ports(self) -> tuple[tuple[Dot, Side], ...]:
        """Where tracks leave it: cell and side."""
        ends = {(track.cell, side) for track in self.passages for side in track.passage}
        return tuple(sorted((cell, side) for cell, side in ends if beyond(cell, side) not in self.cells))


def read_piece(content: bytes | str, source: str = "piece") -> Piece:
    """A piece from JSON; raises BadPiece, which names the source."""
    try:
        piece = msgspec.json.decode(content, type=Piece)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadPiece(source, str(error)) from None
    return checked_piece(piece, source)


def checked_piece(piece: Piece, source: str) -> Piece:
    """The piece, if there can be such a one; raises BadPiece, which names the source."""
    reason = reason_against(piece)
    if reason:
        raise BadPiece(source, reason)
    return piece


def piece_names() -> tuple[str, ...]:
    """The names of the pieces that ship with the program, the default first."""
    return ("T", "X", "D")


def load_piece(name: str) -> Piece:
    """A piece that ships with the program; raises BadPiece."""
    if name not in piece_names():
        raise BadPiece(str(name)[:_NAME_LENGTH], f"there is no such piece; there are {', '.join(piece_names())}")
    return read_piece((_FOLDER / f"{name}.json").read_bytes(), name)


def reason_against(piece: Piece) -> str:
    """Why there can be no such piece; "" if there can."""
    if not 1 <= len(piece.cells) <= MOST_CELLS:
        return f"cells: 1 to {MOST_CELLS}"
    if len(set(piece.cells)) < len(piece.cells):
        return "cells: one stands twice"
    if any(abs(length) > MOST_LENGTH for cell in piece.cells for length in cell):
        return f"cells: at most {MOST_LENGTH} apart"
    names = [side for track in piece.passages for side in track.sides] + list(piece.long_sides)
    if not set(names) <= set(Side.__members__):
        return f"sides are {', '.join(Side.__members__)}"
    return _reason_of_tracks(piece)


def _reason_of_tracks(piece: Piece) -> str:
    tracks = [(track.cell, track.passage) for track in piece.passages]
    if any(first == second for _, (first, second) in tracks):
        return "passages: each joins two different sides"
    if len(set(tracks)) < len(tracks):
        return "passages: one stands twice"
    if {cell for cell, _ in tracks} != set(piece.cells):
        return "passages: each cell has one or more, and there are none elsewhere"
    return "" if piece.ports() else "passages: none leaves the piece"
