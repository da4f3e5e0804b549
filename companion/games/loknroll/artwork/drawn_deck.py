"""Decks with our own drawings on them."""

from __future__ import annotations

import struct
import subprocess
import sys
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Final

from companion.games.drawing.raster import decoded, rasterized
from companion.games.loknroll.artwork.back import back_svg
from vision.cards import standard_deck
from vision.deck_pictures import DeckPictures, read_deck_pictures

FACE_PX_PER_MM: Final = 12.0


def drawn_deck(name: str, px_per_mm: float = FACE_PX_PER_MM) -> DeckPictures:
    """A deck that comes with the program, drawn by us."""
    deck = standard_deck(name)
    *faces, back = map(decoded, _drawings(name, px_per_mm))
    return DeckPictures(deck, {face.id: picture for face, picture in zip(deck.faces, faces, strict=True)}, back)


@lru_cache(maxsize=1)
def _drawings(name: str, px_per_mm: float) -> list[bytes]:
    """PNGs of all faces and of the back: they take a second to draw, and kept as images they would take 6 MB.

    They are drawn in a process of its own: fonts and all else that draws take as much again, and would stay.
    """
    program = (sys.executable, "-P", "-m", "companion.games.loknroll.artwork", name, str(px_per_mm))
    # In a group of its own: else Ctrl-C would reach it too, which would tell of it at length.
    run = subprocess.run(program, stdout=subprocess.PIPE, check=True, process_group=0)  # noqa: S603 - it is ours
    drawn = BytesIO(run.stdout)
    return [drawn.read(*struct.unpack("<I", length)) for length in iter(lambda: drawn.read(4), b"")]


def read_with_our_back(path: Path) -> DeckPictures:
    """Somebody else's deck with the pictures of its faces, and our back; raises DeckError."""
    pictures = read_deck_pictures(path)
    return pictures._replace(back=rasterized(back_svg(pictures.deck.card_mm), FACE_PX_PER_MM))
