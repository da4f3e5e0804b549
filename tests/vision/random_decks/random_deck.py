"""A deck that nobody has seen before, drawn and printed from a number."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Final

import cv2
import numpy as np
from msgspec.structs import replace

from tests.vision.random_decks.backs import back_drawing
from tests.vision.random_decks.designer import random_style
from tests.vision.random_decks.faces import face_drawing, ground_of
from tests.vision.random_decks.prints import Press
from tests.vision.random_decks.style import Style
from vision.arrays import Picture
from vision.cards import Deck, Face, Port, standard_deck
from vision.cards.deck import checked_deck
from vision.deck_pictures import DeckPictures

_AT_HAND: Final = 4
"""So many decks lie ready (15 MB each): drawing one takes more than a second, and tests ask for the same in a row."""


@lru_cache(_AT_HAND)
def random_deck(seed: int, *, keeps_track: bool = False) -> DeckPictures:
    """The deck with this number, and pictures of its faces and its back; the same number gives the same deck.

    Its cards are those of the standard edition, as far as the rules see them, but for where their rails leave them.
    Of a broken track both ends are laid anew, as most who draw one do; for comparison it ``keeps_track`` as the whole
    one lies but for the gap.
    """
    style = random_style(seed)
    deck = deck_of(style, seed)
    press = Press(style, seed)
    pictures = {
        face.id: press.printed(face_drawing(style, face, seed, keeps_track=keeps_track), ground_of(style, face))
        for face in deck.faces
    }
    return DeckPictures(deck, pictures, press.printed(back_drawing(style, Random(f"{seed} back"))))


def as_photographed(face: Picture) -> Picture:
    """A face about as a camera shows it: small, soft, and darker."""
    small = cv2.resize(face, None, fx=0.2, fy=0.2, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 0.8) * 0.85, np.uint8)


def deck_of(style: Style, seed: int) -> Deck:
    """The cards of a deck in this style."""
    faces = tuple(
        replace(face, ports=_ports(style, face), size_mm=style.card_mm) for face in standard_deck("standard-55").faces
    )
    return checked_deck(Deck(f"random {seed}", faces, style.card_mm))


def _ports(style: Style, face: Face) -> tuple[Port, ...]:
    return tuple(Port(port.edge, style.ports[port.edge]) for port in face.ports)
