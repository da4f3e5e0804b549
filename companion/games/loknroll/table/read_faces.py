"""Faces that the camera reads, where people know better."""

from __future__ import annotations

from msgspec.structs import replace

from vision.watching.table_reading import SeenCard, TableReading


class ReadFaces:
    """What people have said that cards are, by the cards' numbers, and as what cards of the railway were laid."""

    def __init__(self) -> None:
        self._renamed: dict[int, tuple[str, float]] = {}
        self._taken_as: dict[int, str] = {}

    def rename(self, card: SeenCard, face: str, turn_deg: float = 0.0) -> None:
        """It is that face, as long as it lies there; turned by so much from the way in which others were read."""
        self._renamed[card.serial] = (face, turn_deg)

    def forget_all_but(self, serials: set[int]) -> None:
        """Only these cards lie there still."""
        self._renamed = {serial: told for serial, told in self._renamed.items() if serial in serials}
        self._taken_as = {serial: face for serial, face in self._taken_as.items() if serial in serials}

    def corrected(self, reading: TableReading) -> TableReading:
        """The reading with the faces that people have told."""
        return replace(reading, cards=tuple(map(self._corrected, reading.cards)))

    def _corrected(self, card: SeenCard) -> SeenCard:
        if card.serial not in self._renamed:
            return card
        face, turn_deg = self._renamed[card.serial]
        pose = card.pose if card.face == face else card.pose.moved(0, 0, turn_deg)
        return replace(card, face=face, pose=pose, others=())

    def take(self, card: SeenCard) -> None:
        """This card has become part of the railway."""
        self._taken_as[card.serial] = card.face

    def reads_otherwise(self, card: SeenCard) -> bool:
        """Whether a card of the railway is clearly another one than was laid there: read better, or put there since.

        Where the eye knows no card that it has seen laid, it has begun anew, and its numbers tell nothing.
        """
        return not card.others and bool(self._taken_as) and self._taken_as.get(card.serial) != card.face
