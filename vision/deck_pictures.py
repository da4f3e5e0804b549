"""A deck with the pictures of its faces and its back, checked."""

import math
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Picture
from vision.cards import Deck, DeckError, Face
from vision.files import DeckFiles, FileError, read_deck_files
from vision.picture_files import PictureError, picture_in

SMALLEST_PX: Final = 60
"""Of a picture's shorter side: with fewer pixels a numeral cannot be read."""
PROPORTION: Final = 0.03
"""How far a picture's proportion may be from the card's."""
LARGEST_FACE_BYTES: Final = 25_000_000
"""Of a picture's file; a photograph of a whole table, out of a phone, has no more."""
LARGEST_FACE_PIXELS: Final = 6 * 63 * 6 * 88
"""A face is shrunk to so many: 6 px a mm, twice as fine as any camera above a table sees it. All of a deck's are kept:
with five times as many pixels they took 58 MB more."""


class DeckPictures(NamedTuple):
    """A deck, pictures of its upright faces by their ids, and of its back if that is known."""

    deck: Deck
    faces: dict[str, Picture]
    back: Picture | None = None


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
    return DeckPictures(files.deck, faces)


def _face_picture(files: DeckFiles, face: Face) -> Picture:
    if not face.image:
        raise DeckError("missing; give the file of its picture.")
    try:
        picture = picture_in(files.read(face.image, LARGEST_FACE_BYTES), face.image)
    except FileError as error:
        raise DeckError(f"{face.image} cannot be read ({error}).") from error
    except PictureError as error:
        raise DeckError(str(error)) from error
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
