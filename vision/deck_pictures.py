"""A deck with the pictures of its faces and its back, checked."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Flags, Picture
from vision.cards import Deck, DeckError, EmmaFigure, Face
from vision.files import DeckFiles, FileError, read_deck_files
from vision.picture_files import PictureError, picture_in

if TYPE_CHECKING:
    from vision.rendering.scene import VehicleLook

SMALLEST_PX: Final = 60
"""Of a picture's shorter side: with fewer pixels a numeral cannot be read."""
LARGEST_EMMA_PX: Final = 1_000
LARGEST_EMMA_BYTES: Final = 4_000_000
EMMA_PROPORTION: Final = 0.2
"""A side of a few pixels is rounded to whole ones."""
LEAST_EMMA: Final = 0.05
"""The part of her picture that she fills at least: a stick that lies aslant fills more."""
PROPORTION: Final = 0.03
"""How far a picture's proportion may be from the card's."""
LARGEST_FACE_BYTES: Final = 25_000_000
"""Of a picture's file; a photograph of a whole table, out of a phone, has no more."""
LARGEST_FACE_PIXELS: Final = 6 * 63 * 6 * 88
"""A face is shrunk to so many: 6 px a mm, twice as fine as any camera above a table sees it. All of a deck's are kept:
with five times as many pixels they took 58 MB more."""


class EmmaPicture(NamedTuple):
    """What stands for Emma, seen from above in the light of the faces; what is quite black is not she.

    ``size_mm`` are the width and height of the picture.
    """

    picture: Picture
    size_mm: tuple[float, float]

    @property
    def mask(self) -> Flags:
        """Where she is (h × w)."""
        return np.asarray(self.picture.any(axis=2), np.bool_)


class DeckPictures(NamedTuple):
    """A deck, pictures of its upright faces by their ids, of its back if known, and of Emma if she was taught.

    ``figures`` are the vehicles that stand on it, by what each look is called. ``cell_mm`` is the side of the square
    cells that a piece is made of; 0 where they are cards. ``cells`` are those of its upright face, x to the right, y
    down.
    """

    deck: Deck
    faces: dict[str, Picture]
    back: Picture | None = None
    emma: EmmaPicture | None = None
    figures: Mapping[str, VehicleLook] = MappingProxyType({})
    cell_mm: float = 0.0
    cells: tuple[tuple[int, int], ...] = ()

    @property
    def grid(self) -> tuple[tuple[int, int], ...]:
        """The cells, counted from the top left of the rectangle around them; all of that where none are known."""
        if not self.cell_mm:
            return ()
        if not self.cells:
            return tuple(self._whole)
        left, top = (min(side) for side in zip(*self.cells, strict=True))
        return tuple((x - left, y - top) for x, y in self.cells)

    @property
    def gaps(self) -> tuple[tuple[float, float, float], ...]:
        """The cells of that rectangle which the piece has not: left, top and side of each, in mm."""
        cells = set(self.grid)
        return tuple((self.cell_mm * x, self.cell_mm * y, self.cell_mm) for x, y in self._whole if (x, y) not in cells)

    @property
    def _whole(self) -> Iterator[tuple[int, int]]:
        if self.cell_mm:
            yield from product(*(range(round(side / self.cell_mm)) for side in self.deck.card_mm))


def read_deck_pictures(deck_path: Path) -> DeckPictures:
    """The deck in a ``deck.json``, its folder or a ZIP of that, with the pictures that it names; none is of its back.

    Raises DeckError that names the place where a picture is missing, cannot be read or is not of the card's shape.
    """
    files = read_deck_files(deck_path)
    faces = {}
    for index, face in enumerate(files.deck.faces):
        try:
            faces[face.id] = _face_picture(files, face)
        except DeckError as error:
            raise DeckError(f"{files.file}: faces[{index}] ({face.id}).image: {error}") from error
    try:
        emma = None if files.deck.emma is None else _emma_picture(files, files.deck.emma)
    except DeckError as error:
        raise DeckError(f"{files.file}: emma.image: {error}") from error
    return DeckPictures(files.deck, faces, None, emma)


def _picture(files: DeckFiles, name: str, largest_bytes: int) -> Picture:
    try:
        return picture_in(files.read(name, largest_bytes), name)
    except FileError as error:
        raise DeckError(f"{name} cannot be read ({error}).") from error
    except PictureError as error:
        raise DeckError(str(error)) from error


def _emma_picture(files: DeckFiles, emma: EmmaFigure) -> EmmaPicture:
    return checked_emma_picture(_picture(files, emma.image, LARGEST_EMMA_BYTES), emma)


def checked_emma_picture(picture: Picture, emma: EmmaFigure) -> EmmaPicture:
    """Her picture; raises DeckError where it cannot be that."""
    height, width = picture.shape[:2]
    if max(width, height) > LARGEST_EMMA_PX:
        raise DeckError(f"{emma.image} has {width} x {height} pixels; {LARGEST_EMMA_PX} a side are the most.")
    if abs(width / height / (emma.size_mm[0] / emma.size_mm[1]) - 1) > EMMA_PROPORTION:
        size = " x ".join(f"{side:g}" for side in emma.size_mm)
        raise DeckError(f"{emma.image} has {width} x {height} pixels, not the proportion of {size} mm.")
    shown = EmmaPicture(picture, emma.size_mm)
    if not shown.mask.mean() >= LEAST_EMMA:
        raise DeckError(f"{emma.image} shows nothing but black; teach Emma again.")
    return shown


def _face_picture(files: DeckFiles, face: Face) -> Picture:
    if not face.image:
        raise DeckError("missing; give the file of its picture.")
    picture = _picture(files, face.image, LARGEST_FACE_BYTES)
    height, width = picture.shape[:2]
    if min(width, height) < SMALLEST_PX:
        raise DeckError(f"{face.image} has only {width} x {height} pixels; {SMALLEST_PX} are the least.")
    wanted = face.size_mm[0] / face.size_mm[1]
    if abs(width / height / wanted - 1) > PROPORTION:
        size = " x ".join(f"{side:g}" for side in face.size_mm)
        raise DeckError(f"{face.image} has {width} x {height} pixels, not the proportion of a card of {size} mm.")
    return _shrunk(picture)


def _shrunk(picture: Picture) -> Picture:
    height, width = picture.shape[:2]
    scale = math.sqrt(LARGEST_FACE_PIXELS / (width * height))
    if scale > 0.99:  # also what was shrunk before, and whose sides were rounded up: it stays as it is
        return picture
    size = round(scale * width), round(scale * height)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
