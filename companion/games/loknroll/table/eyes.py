"""The eyes for cards in a row and Emma on them, which can show what they have read."""

from __future__ import annotations

from collections.abc import Collection

from vision.arrays import Picture
from vision.deck_pictures import DeckPictures
from vision.reading.reader import Reader
from vision.report.joints import railway_order
from vision.report.overlay import overlay
from vision.watching.steady_view import SteadyView, Still
from vision.watching.table_eye import TableEye
from vision.watching.table_reading import TableReading

_PICTURES_TO_BE_STILL = 2
"""One that shows the same as the one before: a hand that is out of sight for a moment is not gone."""


class CardEyes:
    """What reads the table (``companion.games.game.Eyes``)."""

    def __init__(self, pictures: DeckPictures) -> None:
        """Gets to know the faces: slow."""
        self._deck = pictures.deck
        reader = Reader(pictures.deck, pictures.faces, pictures.back, pictures.emma)
        self._eye = TableEye(
            pictures.deck, SteadyView(reader, reader.emma_finder, pictures_to_be_still=_PICTURES_TO_BE_STILL)
        )

    def look(self, picture: Picture, expected: Collection[str], still: Still) -> TableReading:
        return self._eye.look(picture, expected, still)

    def forget(self) -> None:
        self._eye.forget()

    def drawn(self) -> Picture | None:
        last = self._eye.last
        if last is None:
            return None
        picture, sight = last
        if sight.is_dark:
            return picture
        order = railway_order(sight.cards, self._deck, None if sight.emma is None else sight.emma.card)
        return overlay(picture, sight.cards, order, sight.emma)
