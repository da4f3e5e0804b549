"""Faces that the camera reads, where people know better."""

from __future__ import annotations

from msgspec.structs import replace

from vision.watching.table_reading import SeenCard, TableReading


class ReadFaces:
    """What people have said that cards are, by the cards' numbers, and as what cards of the railway were laid."""

    def __init__(self) -> None:
        self._renamed: dict[int, str] = {}
        self._taken_as: dict[int, str] = {}

    def rename(self, card: SeenCard, face: str) -> None:
        """The camera reads this card wrongly: it is that face, as long as it lies there."""
        self._renamed[card.serial] = face

    def forget_all_but(self, serials: set[int]) -> None:
        """Only these cards lie there still."""
        self._renamed = {serial: face for serial, face in self._renamed.items() if serial in serials}

    def corrected(self, reading: TableReading) -> TableReading:
        """The reading with the faces that people have told."""
        cards = tuple(replace(card, face=self._renamed.get(card.serial, card.face)) for card in reading.cards)
        return replace(reading, cards=cards)

    def take(self, card: SeenCard) -> None:
        """This card has become part of the railway."""
        self._taken_as[card.serial] = card.face

    def reads_otherwise(self, card: SeenCard) -> bool:
        """Whether a card of the railway is taken for another one than when it was laid."""
        return self._taken_as.get(card.serial, card.face) != card.face
