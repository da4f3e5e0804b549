"""Prints a game's story in the terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rich.console import Console
from rich.text import Text

from companion.games.game import Line, Tone
from companion.texts.harmless import harmless

_STYLES: Final = {Tone.HEADING: "bold", Tone.EVENT: "", Tone.TABLE: "cyan"}


class Story:
    """Headings stand out, what happens is indented below them, the table is coloured."""

    def __init__(self) -> None:
        self._console = Console(highlight=False, soft_wrap=True)

    def tell(self, lines: Iterable[Line]) -> None:
        """Prints these lines."""
        for line in lines:
            if line.tone is Tone.HEADING:
                self._console.print()
            indent = "" if line.tone is Tone.HEADING else "  "
            self._console.print(Text(indent + harmless(line.text), style=_STYLES[line.tone]))
