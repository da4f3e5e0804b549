"""The words of a game at the table, in the people's language."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from companion.games.at_table import words
from companion.games.loknroll.wording import Wording
from vision.cards import Face, Kind

_SIGNS: Final = {
    "straight": "↕",
    "left": "↰",
    "right": "↱",
    "bend": "⌒",
    "across": "↔",
    Kind.BROKEN: "×",
    Kind.CHAOS: "∴",
}
"""What is on a card as a sign: the way of its rails over the upright card, or a heap of stones."""


class Words(words.Words):
    """Those that every game has, and what cards are called."""

    def __init__(self, language: str) -> None:
        """Raises ValueError if the language is none of LANGUAGES."""
        self._cards = Wording(language)
        super().__init__(self._cards)

    def face(self, face: Face) -> str:
        """A card's name."""
        return self._cards.face(face)

    def shape(self, face: Face) -> str:
        """What tells a face from others of its value, shortly."""
        told = _told_by(face)
        return self(f"shape-{told}") if told in _SIGNS else told

    @staticmethod
    def sign(face: Face) -> str:
        """The same as a sign for a key."""
        told = _told_by(face)
        return _SIGNS.get(told, told)

    def apart(self, faces: Sequence[Face], among: Collection[Face]) -> list[str]:
        """Cards' names, with their shape where another one of that name is among those that lie there."""
        named: dict[str, set[str]] = {}
        for face in (*faces, *among):
            named.setdefault(self.face(face), set()).add(face.id)
        names = [(face, self.face(face)) for face in faces]
        return [f"{name} {self.shape(face)}" if len(named[name]) > 1 else name for face, name in names]


def _told_by(face: Face) -> str:
    return face.kind if face.kind is not Kind.TRACK else face.shape or face.id
