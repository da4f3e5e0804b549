"""Which cards are played with: those that were given, the people's own, or the game's."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from companion.teaching.own_deck import OwnDeck

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from companion.device.settings_file import SettingsFile
    from companion.games.game import Game
    from vision.cards import Deck
    from vision.deck_pictures import DeckPictures


class Decks:
    """The decks that are there, and the one that is lying on the table."""

    def __init__(self, kept: SettingsFile, folder: Path, given: DeckPictures | None) -> None:
        """``given`` is played with whatever people have taught or set."""
        self.given = given
        self.own = OwnDeck(folder / "deck.zip")
        self._kept = kept
        self._played_with: Deck | None = None

    @property
    def wanted(self) -> DeckPictures | None:
        """The deck that new games are played with, if it is another one than their own."""
        return self.given or (self.own.pictures if self._kept.settings.own_deck else None)

    @property
    def has_choice(self) -> bool:
        """Whether people can choose between their own cards and the game's."""
        return self.own.pictures is not None and self.given is None

    def pictures(self, game: Game) -> DeckPictures:
        """The deck that a game is played with; slow at first."""
        # A game that was left may have been begun with other cards than people have chosen since.
        decks = [deck for deck in (self.wanted, self.own.pictures) if deck is not None and self._plays_with(deck.deck)]
        return decks[0] if decks else game.pictures(self._kept.settings, self._played_with)

    @contextmanager
    def played_with(self, deck: Deck) -> Iterator[None]:
        """While a game is played with this deck."""
        self._played_with = deck
        try:
            yield
        finally:
            self._played_with = None

    def _plays_with(self, deck: Deck) -> bool:
        """Whether the faces of a deck are those of the game that is played."""
        played = self._played_with
        return played is None or _what_they_are(played) == _what_they_are(deck)


def _what_they_are(deck: Deck) -> dict[str, tuple[object, ...]]:
    """The faces of a deck without their pictures, without how often each occurs, and without what is measured anew."""
    return {face.id: (face.value, face.kind, frozenset(port.edge for port in face.ports)) for face in deck.faces}
