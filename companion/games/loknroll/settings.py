"""What people set for LOK'n'ROLL alone."""

from __future__ import annotations

from typing import Final

import msgspec

from companion.games.loknroll.rules import Edition, edition_names, load_edition, with_knobs
from companion.games.loknroll.rules.errors import BadEdition
from companion.games.settings import Settings

NAME: Final = "loknroll"


class OwnSettings(msgspec.Struct, frozen=True):
    """The game's own part of the settings.

    ``real_dice``: people roll their own dice and enter the wheels. ``people_place``: people choose where the
    automaton's card lies. ``puts_by_itself``: penalty cards are put down in the best order without a question.
    ``edition``: the rules of the next game; ``knobs`` of it that are set otherwise, each by its name.
    """

    real_dice: bool = False
    people_place: bool = False
    puts_by_itself: bool = False
    edition: str = "german"
    knobs: dict[str, str] = {}

    def rules(self) -> Edition:
        """The edition with its knobs; the usual one where there is none of that name, or it cannot be set so."""
        if self.edition not in edition_names():
            return load_edition()
        try:
            return with_knobs(load_edition(self.edition), self.knobs)
        except BadEdition:
            return load_edition(self.edition)


def own(settings: Settings) -> OwnSettings:
    """The game's part of the settings."""
    return settings.part(NAME, OwnSettings)


def with_own(settings: Settings, **changes: object) -> Settings:
    """The settings with some of the game's own changed."""
    return settings.with_part(NAME, msgspec.structs.replace(own(settings), **changes))
