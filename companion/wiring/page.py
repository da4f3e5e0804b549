"""The page about wiring and mounting: drawings, what goes where, and what to buy."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

import segno

from companion.texts.language import Texts
from companion.wiring.arm import draw_mounting
from companion.wiring.connections import RESISTOR_OHM, Shape, connected, shared_grounds, sockets
from companion.wiring.diagram import draw_wiring
from companion.wiring.mounting import LENSES, height_mm, view_of
from companion.wiring.sheet import Sheet
from hardware.settings import Settings

_STYLE: Final = """
body { font: 17px/1.5 "Open Sans", sans-serif; color: #22313a; max-width: 1100px; margin: 2em auto; padding: 0 1em }
svg { width: 100%; height: auto } .code { width: 5cm } table { border-collapse: collapse; margin: 1em 0 }
td, th { text-align: left; padding: .3em 1.2em .3em 0; border-bottom: 1px solid #dfe5e8 } h2 { margin-top: 1.5em }
@media print { body { max-width: none; font-size: 12px } h2 { break-after: avoid } table { break-inside: avoid } }
"""


class WiringPage:
    """Everything that can be said from the settings, a table's size (width, depth in mm) and a card's width in mm."""

    def __init__(self, settings: Settings, table_mm: tuple[float, float], card_mm: float, say: Texts) -> None:
        self._settings, self._table_mm, self._card_mm, self._say = settings, table_mm, card_mm, say
        self._parts = connected(settings)
        self._view = view_of(table_mm, (settings.camera.width, settings.camera.height))

    def drawing(self) -> Sheet:
        """Wiring above, mounting below."""
        return stacked(self.drawings())

    def html(self, address: str = "") -> str:
        """A page for a browser and for paper, in one file; ``address`` is where phones find the companion's page."""
        say = self._say
        drawings = "".join(sheet.svg() for sheet in self.drawings())
        lists = "".join(f"<li>{escape(line)}</li>" for line in self.parts())
        rows = [(say("wiring.from"), say("wiring.terminal"), say("wiring.to")), *self._connections()]
        table = "".join(_row(row, "th" if number == 0 else "td") for number, row in enumerate(rows))
        return (
            f'<!doctype html>\n<html lang="{say.language}"><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width"><title>{escape(say("wiring.title"))}</title>'
            f"<style>{_STYLE}</style>\n{drawings}\n<table>{table}</table>\n<h2>{escape(say('wiring.parts'))}</h2>"
            f"<ul>{lists}</ul>\n<p>{escape(say('wiring.after'))}</p>{self._for_phones(address)}</html>\n"
        )

    def _for_phones(self, address: str) -> str:
        """The address in words and as a code, which many phones cannot read from a screen that flickers."""
        if not address:
            return ""
        say = self._say
        title, code = escape(say("wiring.on-phone")), address_code(address)
        return f'\n<h2>{title}</h2><p>{escape(address)}</p><div class="code">{code}</div>'

    def drawings(self) -> list[Sheet]:
        """The wires, and the camera above the table if there is one."""
        sheets = [draw_wiring(self._parts, self._say)]
        if self._settings.camera.kind != "none":
            sheets.append(draw_mounting(self._view, self._table_mm, self._card_mm, self._say))
        return sheets

    def _connections(self) -> Iterable[tuple[str, str, str]]:
        for part in self._parts:
            name = part.name if part.shape in {Shape.SCREEN, Shape.BUTTON} else self._say(f"wiring.{part.name}")
            for wire in part.wires:
                to = f"{wire.pin}" if wire.gpio is None else f"{wire.pin} (GPIO {wire.gpio})"
                yield name, wire.terminal or "1", to
            yield name, "2" if part.shape is Shape.BUTTON else "GND", f"{part.ground} (GND)"

    def parts(self) -> Iterable[str]:
        """What is to be bought, a line for each kind."""
        say, settings = self._say, self._settings
        yield f"1 × {say('wiring.part-pi')}"
        yield f"1 × {say('wiring.part-supply')}"
        counts = {shape: sum(part.shape is shape for part in self._parts) for shape in Shape}
        if counts[Shape.SCREEN]:
            yield f"1 × {say('wiring.part-screen', controller=settings.display.controller.upper())}"
        if counts[Shape.BUTTON]:
            yield f"{counts[Shape.BUTTON]} × {say('wiring.part-buttons')}"
        if counts[Shape.LIGHT]:
            yield f"{counts[Shape.LIGHT]} × {say('wiring.part-lights', ohm=RESISTOR_OHM)}"
        if counts[Shape.BUZZER]:
            yield f"1 × {say('wiring.part-buzzer')}"
        yield f"{sockets(self._parts)} × {say('wiring.part-wires')}"
        if shared := shared_grounds(self._parts):
            yield say("wiring.part-joints", pins=", ".join(map(str, shared)))
        if settings.camera.kind in {"pi", "usb"}:
            yield f"1 × {say(f'wiring.part-camera-{settings.camera.kind}')}"
            heights = [height_mm(lens, self._view) / 10 for lens in LENSES]
            yield f"1 × {say('wiring.part-arm', height=f'{min(heights):.0f}–{max(heights):.0f}')}"


def address_code(address: str) -> str:
    """An address as a QR code: an SVG that stands in a page."""
    code: str = segno.make(address, micro=False).svg_inline(border=4, omitsize=True)
    return code


def stacked(sheets: list[Sheet]) -> Sheet:
    """Drawings one below the other."""
    whole = Sheet(max(sheet.size[0] for sheet in sheets), sum(sheet.size[1] for sheet in sheets))
    top = 0.0
    for sheet in sheets:
        whole.place(sheet, top)
        top += sheet.size[1]
    return whole


def _row(cells: Iterable[str], kind: str) -> str:
    return "<tr>" + "".join(f"<{kind}>{escape(cell)}</{kind}>" for cell in cells) + "</tr>"
