"""What people set for themselves; kept from game to game."""

from __future__ import annotations

from typing import Final

import msgspec

MOST_NAMES: Final = 4


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a companion.

    ``real_dice``: people roll their own dice and enter the wheels. ``people_place``: people choose where the
    automaton's card lies. ``puts_by_itself``: penalty cards are put down in the best order without a question.
    ``has_camera``: there is a camera to wait for; without one every step is entered with the buttons. ``edition``: the
    rules of the next game. ``names``: of the players in the order of their seats, "" for one that has only a number.
    """

    language: str = "en"
    large: bool = False
    sounds: bool = True
    real_dice: bool = False
    people_place: bool = False
    puts_by_itself: bool = False
    has_camera: bool = True
    edition: str = "german"
    names: tuple[str, ...] = ()

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of MOST_NAMES players, "" for those that have only numbers."""
        return (*self.names, *[""] * MOST_NAMES)[:MOST_NAMES]
