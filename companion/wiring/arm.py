"""Where the camera hangs, drawn from the side, with the heights for other lenses beside it."""

from __future__ import annotations

from typing import Final

from companion.texts.language import Texts
from companion.wiring.diagram import WIDTH
from companion.wiring.mounting import LENSES, View, height_mm
from companion.wiring.sheet import FAINT, INK, Sheet
from vision.cards import LEAST_PX_PER_MM

HEIGHT: Final = 560
_MARGIN: Final = 60
_FLOOR: Final = 470.0
_MIDDLE: Final = 330.0
_HIGHEST: Final = 330.0
_WIDEST: Final = 380.0
_WOOD: Final = "#b08968"
_VIEW: Final = "#d8ecf5"
_COLUMNS: Final = (690, 990, 1240)
_RIGHT: Final = 1340


def draw_mounting(view: View, table_mm: tuple[float, float], card_mm: float, say: Texts) -> Sheet:
    """The first camera above the table, and a row for each; ``card_mm`` is a card's width."""
    sheet = Sheet(WIDTH, HEIGHT)
    sheet.text(_MARGIN, 52, say("wiring.mounting"), size=30, bold=True)
    sheet.text(_MARGIN, 80, say("wiring.mounting-how"), size=16, fill=FAINT)
    _draw_arm(sheet, view, table_mm, say)
    bottom = _draw_rows(sheet, view, say)
    _draw_fineness(sheet, bottom, view, card_mm, say)
    return sheet


def _draw_arm(sheet: Sheet, view: View, table_mm: tuple[float, float], say: Texts) -> None:
    height = height_mm(LENSES[0], view)
    scale = min(_HIGHEST / height, _WIDEST / view.mm[0])
    top, half, seen = _FLOOR - height * scale, table_mm[0] / 2 * scale, view.mm[0] / 2 * scale
    sheet.path([(_MIDDLE - seen, _FLOOR), (_MIDDLE, top), (_MIDDLE + seen, _FLOOR)], stroke="none", fill=_VIEW)
    for side in (-1, 1):
        sheet.path([(_MIDDLE, top), (_MIDDLE + side * seen, _FLOOR)], stroke="#7fb2c9", dash="7 6")
    sheet.rectangle(_MIDDLE - half, _FLOOR, 2 * half, 14, fill=_WOOD, radius=3)
    pole = _MIDDLE + seen + 48
    sheet.path([(pole, _FLOOR + 14), (pole, top - 16), (_MIDDLE, top - 16)], line=8)
    sheet.rectangle(pole - 34, _FLOOR + 8, 68, 12, fill=INK, radius=5)
    sheet.rectangle(_MIDDLE - 20, top - 24, 40, 20, fill=INK, radius=4)
    sheet.circle(_MIDDLE, top - 2, 8, fill="#3d5a98")
    left = _MIDDLE - seen - 36
    for y in (top, _FLOOR):
        sheet.path([(left - 8, y), (left + 8, y)], stroke=FAINT)
    sheet.path([(left, top), (left, _FLOOR)], stroke=FAINT)
    sheet.text(left - 10, (top + _FLOOR) / 2, f"{height / 10:.0f} cm", size=20, anchor="end", bold=True)
    words = say("wiring.table", width=f"{table_mm[0] / 10:.0f}", depth=f"{table_mm[1] / 10:.0f}")
    sheet.text(_MIDDLE, _FLOOR + 44, words, size=17, anchor="middle")
    sheet.text(_MIDDLE, _FLOOR + 68, LENSES[0].name, size=15, anchor="middle", fill=FAINT)


def _draw_rows(sheet: Sheet, view: View, say: Texts) -> float:
    """The height for each lens; returns where the rows end."""
    for x, name in zip(_COLUMNS, ("lens", "angle", "height"), strict=True):
        sheet.text(x, 150, say(f"wiring.{name}"), size=14, fill=FAINT)
    y = 190.0
    for number, lens in enumerate(LENSES):
        sheet.path([(_COLUMNS[0], y - 34), (_RIGHT, y - 34)], stroke="#dfe5e8", line=1)
        told = (lens.name, f"{lens.across_deg:.0f}° × {lens.down_deg:.0f}°", f"{height_mm(lens, view) / 10:.0f} cm")
        for x, words in zip(_COLUMNS, told, strict=True):
            sheet.text(x, y, words, size=18, bold=number == 0)
        y += 46
    return y


def _draw_fineness(sheet: Sheet, top: float, view: View, card_mm: float, say: Texts) -> None:
    """Once for all lenses: each hangs where it sees the same."""
    numbers = {
        "picture": f"{view.px[0]} × {view.px[1]}",
        "sees": f"{view.mm[0] / 10:.0f} × {view.mm[1] / 10:.0f}",
        "wide": f"{view.px_per_mm * card_mm:.0f}",
        "least": f"{LEAST_PX_PER_MM * card_mm:.0f}",
    }
    sheet.text(_COLUMNS[0], top, say("wiring.same-view", **numbers), size=15)
    colour = "#2f7d4f" if view.is_fine_enough else "#c8553d"
    words = say("wiring.enough" if view.is_fine_enough else "wiring.coarse", **numbers)
    sheet.text(_COLUMNS[0], top + 26, words, size=15, fill=colour, bold=True)
