"""What LOK'n'ROLL says in its own words: cards, kinds of steps, and what the rules object to."""

from __future__ import annotations

import re
from typing import Final

from companion.games.loknroll.rules import edition_names, load_edition
from companion.games.loknroll.rules.errors import STEP_WORDS
from companion.games.wording import GameTexts
from vision.cards import Face

_MARK: Final = re.compile("[0-9a-f]{16}")
_MARK_SHOWN: Final = 4
"""Of the letters of a mark so many tell the few variants apart that anybody plays."""


class Wording(GameTexts):
    """The game's sentences in a language; faces and kinds of steps among their details are named as in its rules."""

    def __init__(self, language: str) -> None:
        """Raises ValueError if the language is none of LANGUAGES."""
        super().__init__(language, "companion.games.loknroll", STEP_WORDS)

    def face(self, face: Face) -> str:
        """A card's name."""
        return self(f"card.{face.kind}", value=face.value)

    def edition(self, title: str) -> str:
        """An edition's title in this language; of one that is from elsewhere as it stands there."""
        named = {load_edition(name).title: name.replace("_", "-") for name in edition_names()}
        return self(f"edition.{named[title]}") if title in named else title

    def rules(self, comparable: str) -> str:
        """What ``rules.variant.comparable`` tells: the edition, and a mark where rules or cards are others."""
        title, _, mark = comparable.rpartition(", ")
        if not _MARK.fullmatch(mark):
            return self.edition(comparable)
        return self("edition.changed", edition=self.edition(title), mark=mark[:_MARK_SHOWN])

    def _word(self, value: object) -> str:
        return self.face(value) if isinstance(value, Face) else super()._word(value)
