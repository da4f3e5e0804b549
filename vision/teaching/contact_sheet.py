"""A picture of all faces of a deck with what each was taken for, to be looked over at one glance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Picture
from vision.cards import Edge, Face

_CARD_PX: Final = 168
"""The width of a card on the sheet."""
_ACROSS: Final = 6
_ROOM_PX: Final = 14
_LINE_PX: Final = 20
_LINES: Final = 3
_LETTERS: Final = 23
"""So many fit on a line below a card."""
_FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
_PAPER: Final = (245, 245, 245)
_INK: Final = (40, 40, 40)
_SURE: Final = (60, 160, 40)
_DOUBT: Final = (40, 40, 220)
_PORT_PX: Final = 7


class SheetEntry(NamedTuple):
    """A face's picture, what it was taken for, where it is from, and whether that, or its value alone, is doubtful."""

    picture: Picture
    face: Face
    source: str
    is_doubtful: bool
    is_value_guessed: bool = False


def contact_sheet(entries: Sequence[SheetEntry], card_mm: tuple[float, float]) -> Picture:
    """The faces (BGR) in rows, their ports drawn on them, doubtful ones framed in red with a question mark."""
    height = round(_CARD_PX * card_mm[1] / card_mm[0])
    cell = (_CARD_PX + 2 * _ROOM_PX, height + _ROOM_PX + _LINES * _LINE_PX + _ROOM_PX)
    rows = max(1, -(-len(entries) // _ACROSS))
    sheet = np.full((rows * cell[1], _ACROSS * cell[0], 3), _PAPER, np.uint8)
    for number, entry in enumerate(entries):
        left, top = number % _ACROSS * cell[0] + _ROOM_PX, number // _ACROSS * cell[1] + _ROOM_PX
        sheet[top : top + height, left : left + _CARD_PX] = cv2.resize(
            entry.picture, (_CARD_PX, height), interpolation=cv2.INTER_AREA
        )
        colour = _DOUBT if entry.is_doubtful else _SURE
        cv2.rectangle(sheet, (left - 2, top - 2), (left + _CARD_PX + 1, top + height + 1), colour, 3)
        for port in entry.face.ports:
            spot = _spot(port.edge, port.offset_mm, (left, top), (_CARD_PX, height), card_mm)
            cv2.circle(sheet, spot, _PORT_PX, (255, 255, 255), -1, cv2.LINE_AA)
            cv2.circle(sheet, spot, _PORT_PX - 2, (200, 0, 200), -1, cv2.LINE_AA)
        mark = " ?" if entry.is_doubtful else ""
        details = f"value {entry.face.value}{' ?' if entry.is_value_guessed else ''}, {entry.face.kind}"
        for line, text in enumerate((f"{_short(entry.face.id)}{mark}", details, _short(entry.source))):
            place = (left, top + height + (line + 1) * _LINE_PX)
            cv2.putText(sheet, text, place, _FONT, 0.45, colour if line == 0 else _INK, 1, cv2.LINE_AA)
    return sheet


def _spot(
    edge: Edge, offset_mm: float, corner: tuple[int, int], size: tuple[int, int], card_mm: tuple[float, float]
) -> tuple[int, int]:
    """Where a port lies on the sheet."""
    along = 0 if edge in {Edge.N, Edge.S} else 1
    place = [corner[0] + size[0] / 2, corner[1] + size[1] / 2]
    place[along] += offset_mm * size[along] / card_mm[along]
    place[1 - along] += (1 if edge in {Edge.E, Edge.S} else -1) * size[1 - along] / 2
    return round(place[0]), round(place[1])


def _short(text: str) -> str:
    """As much as there is room for, in letters that the sheet's font has."""
    plain = text.encode("ascii", "replace").decode()
    return plain if len(plain) <= _LETTERS else f"{plain[: _LETTERS - 2]}.."
