"""A deck with the pictures of its faces, checked."""

import io
import warnings
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow

from vision.cards import Deck, DeckError, Face, read_deck

Image = NDArray[np.uint8]

SMALLEST_PX: Final = 60
"""Of a picture's shorter side: with fewer pixels a numeral cannot be read."""
LARGEST_BYTES: Final = 50_000_000
_BROKEN: Final = "is no picture, or broken; give a JPEG or PNG"
PROPORTION: Final = 0.03
"""How far a picture's proportion may be from the card's."""


def read_face_images(deck_path: Path) -> tuple[Deck, dict[str, Image]]:
    """The deck in a ``deck.json`` or its folder, and by face id the pictures, BGR with 8 bits a channel.

    Raises DeckError that names the place where a picture is missing, cannot be read or is not of the card's shape.
    """
    deck = read_deck(deck_path)
    file = deck_path / "deck.json" if deck_path.is_dir() else deck_path
    images = {}
    for index, face in enumerate(deck.faces):
        try:
            images[face.id] = _face_image(file.parent, face)
        except DeckError as error:
            raise DeckError(f"{file}: faces[{index}] ({face.id}).image: {error}") from error
    return deck, images


def _face_image(folder: Path, face: Face) -> Image:
    if not face.image:
        raise DeckError("missing; give the file of its picture.")
    image = read_picture(folder / face.image)
    height, width = image.shape[:2]
    if min(width, height) < SMALLEST_PX:
        raise DeckError(f"{face.image} has only {width} x {height} pixels; {SMALLEST_PX} are the least.")
    wanted = face.size_mm[0] / face.size_mm[1]
    if abs(width / height / wanted - 1) > PROPORTION:
        size = " x ".join(f"{side:g}" for side in face.size_mm)
        raise DeckError(f"{face.image} has {width} x {height} pixels, not the proportion of a card of {size} mm.")
    return image


def read_picture(file: Path) -> Image:
    """A picture the right way up, BGR with 8 bits a channel, whatever it is in the file; raises DeckError."""
    try:
        with file.open("rb") as opened:
            data = opened.read(LARGEST_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        reason = error.strerror if isinstance(error, OSError) else error
        raise DeckError(f"{file} cannot be read ({reason}).") from error
    if len(data) > LARGEST_BYTES:
        raise DeckError(f"{file} is too large for a picture of a card.")
    fault = _fault(data)
    image = None if fault else cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise DeckError(f"{file} {fault or _BROKEN}.")
    return np.asarray(image, np.uint8)


def _fault(data: bytes) -> str | None:
    """Why a picture cannot be read to its end; OpenCV would fill up what is missing with grey."""
    try:
        with warnings.catch_warnings(action="error"), Pillow.open(io.BytesIO(data)) as picture:
            picture.load()
    except (Pillow.DecompressionBombWarning, Pillow.DecompressionBombError):
        return "has too many pixels; make it smaller"
    except (OSError, ValueError, SyntaxError, Warning):
        return _BROKEN
    return None
