"""Prints a game's story in the terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style

from companion.games.recorded_game import Line, Tone
from companion.texts.harmless import harmless

_STYLES: Final = {Tone.HEADING: Style(bold=True), Tone.EVENT: Style(), Tone.TABLE: Style(color="cyan")}


class Story:
    """Headings stand out, what happens is indented below them, the table is coloured."""

    def __init__(self) -> None:
        """Whether there are colours is asked only once: a line printed by rich takes a third of a millisecond."""
        colours = Console().color_system
        self._colours = None if colours is None else ColorSystem.STANDARD

    def tell(self, lines: Iterable[Line]) -> None:
        """Prints these lines."""
        for line in lines:
            is_heading = line.tone is Tone.HEADING
            text = f"{'' if is_heading else '  '}{harmless(line.text)}"
            if is_heading:
                print()
            print(_STYLES[line.tone].render(text, color_system=self._colours) if self._colours else text)
