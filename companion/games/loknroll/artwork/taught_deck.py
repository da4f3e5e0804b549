"""The deck that the eye is to read: one that was taught, or our own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from vision.deck_pictures import DeckPictures

PX_PER_MM: Final = 4.0
"""Finer faces would only take more memory: a camera sees them at about 2 px/mm."""


def taught_deck(folder: Path | None) -> DeckPictures:
    """The deck that was taught into a folder, else our own; raises DeckError."""
    from companion.games.loknroll.robot.pictures import drawn_deck
    from companion.games.loknroll.rules import load_edition
    from vision.deck_pictures import read_deck_pictures

    return drawn_deck(load_edition().deck, PX_PER_MM) if folder is None else read_deck_pictures(folder)
