"""The printed game as a camera sees it: pictures of its pieces of rail, and how its vehicles look."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from companion.games.drawing.png import png_of
from companion.games.drawing.raster import decoded
from companion.games.drawing.svg import document, rectangle
from companion.games.locomotion.artwork.vehicles import COLOURS
from companion.games.locomotion.printing.deck import card_mm, deck_of
from companion.games.locomotion.printing.outline import CELL_MM
from companion.games.locomotion.printing.pieces import face_drawing
from companion.games.locomotion.printing.vehicles import CAB_HIGH, HIGH, LONG, WIDE
from companion.games.locomotion.rules import Piece
from companion.games.locomotion.wording import Paints, swatches
from vision.deck_pictures import DeckPictures
from vision.networks.told import picture_of_words
from vision.rendering.scene import Make, VehicleLook

PX_PER_MM: Final = 6.0
"""Three times as fine as a camera above a table sees a piece."""
_WOOD: Final = {1: "#b8262a", 2: "#f0b429", 3: "#2f7d3e", 4: "#234f9e"}
"""Paints of toys, by the numbers of the colours."""
_CARDBOARD: Final = "#b9ae9c"


@lru_cache(maxsize=1)
def drawn_pieces(piece: Piece, make: Make = "folded", paints: Paints = (), own_print: str = "") -> DeckPictures:
    """The pieces of a game as a deck with one face, and vehicles of four colours, or the people's own, of this make.

    ``own_print`` is how the people's own piece looks, in the words of the eye.

    The upright face heads east; its id is the piece's name, and its size that of the rectangle around its cells.
    """
    deck = deck_of(piece)
    picture, back = map(decoded, _pictures(piece))
    if own_print:
        picture = picture_of_words(own_print)
    return DeckPictures(
        deck, {piece.name: picture}, back, figures=vehicle_looks(make, paints), cell_mm=CELL_MM, cells=piece.cells
    )


def vehicle_looks(make: Make = "folded", paints: Paints = ()) -> Mapping[str, VehicleLook]:
    """How the vehicles look, by what they are called: ``locomotive-1`` to ``wagon-4``."""
    colours = (_WOOD if make == "wood" else COLOURS) | dict(swatches(paints))
    kinds = {"locomotive": (LONG, WIDE, CAB_HIGH), "wagon": (LONG, WIDE, HIGH)}
    return {
        f"{kind}-{colour}": VehicleLook(kind == "locomotive", _rgb(paint), make, size, sign=colour)
        for kind, size in kinds.items()
        for colour, paint in colours.items()
    }


@lru_cache(maxsize=2)
def _pictures(piece: Piece) -> tuple[bytes, bytes]:
    """PNGs of the face and of the back, of plain cardboard."""
    width, height = card_mm(piece)
    back = document(width, height, rectangle(0, 0, width, height, _CARDBOARD))
    return png_of(face_drawing(piece), PX_PER_MM), png_of(back, PX_PER_MM)


def _rgb(paint: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(paint.removeprefix("#"))
    return red, green, blue
