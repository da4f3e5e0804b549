"""What the eye says of a network of dots: its pieces, and the vehicles on it, by the cells of a square grid."""

from __future__ import annotations

import msgspec

Cell = tuple[int, int]
"""A cell of the grid that all dots lie on: x and y. Where the first one is and which way x runs, the eye chooses."""


class SeenPiece(msgspec.Struct, frozen=True):
    """A piece that lies there: its first cell, and its heading as one of E, S, W and N.

    ``is_sure`` is false where it may lie otherwise as well, as far as any picture has told.
    """

    cell: Cell
    heading: str
    is_sure: bool = True


class SeenVehicle(msgspec.Struct, frozen=True):
    """A vehicle on a dot: the number of its colour, from 1, and whether it is a locomotive.

    ``others`` are what it may be as well, the likeliest first.
    """

    dot: Cell
    colour: int
    is_locomotive: bool
    others: tuple[tuple[int, bool], ...] = ()


class SeenPaint(msgspec.Struct, frozen=True):
    """The colour (R, G, B) of whatever stands on a dot, and whether it is the paint of a known vehicle."""

    dot: Cell
    colour: tuple[int, int, int]
    is_known: bool = True


class NetworkReading(msgspec.Struct, frozen=True):
    """A network, in axes that stay as they are while it lies there, whatever happens to the camera.

    ``hidden`` are dots of which nobody can say whether something stands there; ``stray`` counts vehicles that stand on
    no dot. ``paints`` are those of all that stands on dots, also of what is no known vehicle, where somebody has asked.
    ``own_print`` is what a piece looks like (``Told.own_print``), where that was asked and has come to light.
    """

    pieces: tuple[SeenPiece, ...] = ()
    vehicles: tuple[SeenVehicle, ...] = ()
    hidden: tuple[Cell, ...] = ()
    stray: int = 0
    paints: tuple[SeenPaint, ...] = ()
    own_print: str = ""
