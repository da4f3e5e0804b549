"""The deck that the eye is to read: one that was taught, or our own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision.cards import Deck

PX_PER_MM: Final = 4.0
"""Finer faces would only take more memory: a camera sees them at about 2 px/mm."""


class TaughtDeck(NamedTuple):
    """A deck, pictures (B, G, R) of its faces by their ids, and of its back if that is known."""

    deck: Deck
    faces: dict[str, NDArray[np.uint8]]
    back: NDArray[np.uint8] | None


def taught_deck(folder: Path | None) -> TaughtDeck:
    """The deck that was taught into a folder, else our own; raises DeckError."""
    from companion.games.loknroll.robot.pictures import drawn_deck
    from companion.games.loknroll.rules import load_edition
    from vision.deck_pictures import read_face_images

    if folder is None:
        return TaughtDeck(*drawn_deck(load_edition().deck, PX_PER_MM))
    return TaughtDeck(*read_face_images(folder), None)
