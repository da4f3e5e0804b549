"""Sheets of paper. All lengths in mm."""

from typing import Final, NamedTuple

MARGIN_MM: Final = 7.0
"""What most printers leave white; cut marks may reach into it."""


class Paper(NamedTuple):
    """A sheet, upright."""

    name: str
    width: float
    height: float


PAPERS: Final = {"a4": Paper("a4", 210.0, 297.0), "letter": Paper("letter", 215.9, 279.4)}
