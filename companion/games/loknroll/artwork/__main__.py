"""Writes PNGs of a deck's faces and of its back to standard output, each after its length (``drawn_deck``)."""

import struct
import sys

from companion.games.drawing.png import png_of
from companion.games.loknroll.artwork.back import back_svg
from companion.games.loknroll.artwork.card import face_svg
from vision.cards import standard_deck


def main(name: str, px_per_mm: float) -> None:
    """Draws the deck of this name."""
    deck = standard_deck(name)
    for svg in (*map(face_svg, deck.faces), back_svg(deck.card_mm)):
        png = png_of(svg, px_per_mm)
        sys.stdout.buffer.write(struct.pack("<I", len(png)) + png)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
