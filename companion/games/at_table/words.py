"""The words of a game at the table, in the people's language."""

from __future__ import annotations

from companion.games.step import RuleError
from companion.games.wording import GameTexts
from companion.texts.faults import fault_line
from companion.texts.language import Texts


class Words:
    """Sentences of the controller, of the rules, and of the device that every game has."""

    def __init__(self, game: GameTexts) -> None:
        """``game`` has the sentences of the controller in its section ``play``."""
        self._device = Texts(game.language)
        self._game = game

    def __call__(self, key: str, **details: object) -> str:
        """A sentence of the controller; what is no word of the game is one of the device, as "back"."""
        if f"play.{key}" in self._game:
            return self._game.counted(f"play.{key}", **details)
        return self._device.counted(f"device.{key}", **details)

    def yes_or_no(self, value: bool) -> str:
        """Whether something is set."""
        return self("yes" if value else "no")

    def error(self, error: RuleError) -> str:
        """What the rules object to, what is allowed instead, and the clause."""
        return self._game.error(error)

    def reason(self, error: RuleError) -> tuple[str, str]:
        """What the rules object to, and what is allowed instead."""
        return self._game.reason(error)

    def fault(self, device: str, told: str) -> str:
        """What does not work; of buttons, which (``told`` are their names)."""
        return fault_line(self._device, device, told)
