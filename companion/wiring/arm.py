"""Where the camera hangs, drawn from the side, with the heights for other lenses beside it."""

from __future__ import annotations

from typing import Final

from companion.texts.language import Texts
from companion.wiring.diagram import WIDTH
from companion.wiring.mounting import Mounting
from companion.wiring.sheet import FAINT, INK, Sheet

HEIGHT: Final = 560
_MARGIN: Final = 60
_FLOOR: Final = 470.0
_MIDDLE: Final = 330.0
_HIGHEST: Final = 330.0
_WIDEST: Final = 380.0
_WOOD: Final = "#b08968"
_VIEW: Final = "#d8ecf5"
_COLUMNS: Final = (690, 960, 1060, 1200, 1340)


def draw_mounting(mountings: list[Mounting], table_mm: tuple[float, float], card_mm: float, say: Texts) -> Sheet:
    """The first camera above the table, and a row for each; ``card_mm`` is a card's width."""
    sheet = Sheet(WIDTH, HEIGHT)
    sheet.text(_MARGIN, 52, say("wiring.mounting"), size=30, bold=True)
    sheet.text(_MARGIN, 80, say("wiring.mounting-how"), size=16, fill=FAINT)
    _draw_arm(sheet, mountings[0], table_mm, say)
    _draw_rows(sheet, mountings, card_mm, say)
    return sheet


def _draw_arm(sheet: Sheet, first: Mounting, table_mm: tuple[float, float], say: Texts) -> None:
    scale = min(_HIGHEST / first.height_mm, _WIDEST / max(first.sees_mm[0], table_mm[0]))
    top, half = _FLOOR - first.height_mm * scale, table_mm[0] / 2 * scale
    seen = first.sees_mm[0] / 2 * scale
    sheet.path([(_MIDDLE - seen, _FLOOR), (_MIDDLE, top), (_MIDDLE + seen, _FLOOR)], stroke="none", fill=_VIEW)
    for side in (-1, 1):
        sheet.path([(_MIDDLE, top), (_MIDDLE + side * seen, _FLOOR)], stroke="#7fb2c9", dash="7 6")
    sheet.rectangle(_MIDDLE - half, _FLOOR, 2 * half, 14, fill=_WOOD, radius=3)
    pole = _MIDDLE + max(half, seen) + 24
    sheet.path([(pole, _FLOOR + 14), (pole, top - 16), (_MIDDLE, top - 16)], line=8)
    sheet.rectangle(pole - 34, _FLOOR + 8, 68, 12, fill=INK, radius=5)
    sheet.rectangle(_MIDDLE - 20, top - 24, 40, 20, fill=INK, radius=4)
    sheet.circle(_MIDDLE, top - 2, 8, fill="#3d5a98")
    left = _MIDDLE - max(half, seen) - 36
    for y in (top, _FLOOR):
        sheet.path([(left - 8, y), (left + 8, y)], stroke=FAINT)
    sheet.path([(left, top), (left, _FLOOR)], stroke=FAINT)
    sheet.text(left - 10, (top + _FLOOR) / 2, f"{first.height_mm / 10:.0f} cm", size=20, anchor="end", bold=True)
    words = say("wiring.table", width=f"{table_mm[0] / 10:.0f}", depth=f"{table_mm[1] / 10:.0f}")
    sheet.text(_MIDDLE, _FLOOR + 44, words, size=17, anchor="middle")
    sheet.text(_MIDDLE, _FLOOR + 68, first.lens.name, size=15, anchor="middle", fill=FAINT)


def _draw_rows(sheet: Sheet, mountings: list[Mounting], card_mm: float, say: Texts) -> None:
    lens, height, sees, fine, _ = _COLUMNS
    for x, name in ((lens, "lens"), (height, "height"), (sees, "sees")):
        sheet.text(x, 150, say(f"wiring.{name}"), size=14, fill=FAINT)
    sheet.text(_COLUMNS[-1], 150, say("wiring.fineness"), size=14, fill=FAINT, anchor="end")
    for row, each in enumerate(mountings):
        y = 190 + 54 * row
        sheet.path([(lens, y - 34), (_COLUMNS[-1], y - 34)], stroke="#dfe5e8", line=1)
        sheet.text(lens, y, each.lens.name, size=18, bold=row == 0)
        sheet.text(height, y, f"{each.height_mm / 10:.0f} cm", size=18, bold=row == 0)
        sheet.text(sees, y, f"{each.sees_mm[0] / 10:.0f} × {each.sees_mm[1] / 10:.0f} cm", size=18, bold=row == 0)
        colour = "#2f7d4f" if each.is_fine_enough else "#c8553d"
        sheet.text(fine + 60, y, f"{each.px_per_mm * card_mm:.0f}", size=18, fill=colour, bold=True, anchor="end")
        verdict = say("wiring.enough" if each.is_fine_enough else "wiring.coarse")
        sheet.text(fine + 72, y, verdict, size=13, fill=colour)
