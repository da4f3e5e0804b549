"""The wiring, drawn: the header of the Raspberry Pi, the parts above it, and a wire from each to its pin."""

from __future__ import annotations

from typing import Final, NamedTuple

from companion.texts.language import Texts
from companion.wiring.connections import RESISTOR_OHM, Connected, Shape, column
from companion.wiring.sheet import FAINT, INK, Sheet
from hardware.header import FIVE_VOLT_PINS, GPIO_PINS, GROUND_PINS, THREE_VOLT_PINS

WIDTH: Final = 1400
_PITCH: Final = 52
_LANE: Final = 17
_PARTS_TOP: Final = 110
_PARTS_BOTTOM: Final = 306
_MARGIN: Final = 60
_COLOURS: Final = ("#0b7a75", "#c8553d", "#3d5a98", "#b58900", "#7b4b94", "#4f772d", "#b23a77", "#2a6f97", "#8d5524")
_GROUND: Final = "#1b1b1b"
_POWER: Final = "#d62828"
_BOARD: Final = "#2f7d4f"
_WIDTHS: Final = {Shape.SCREEN: 230.0, Shape.BUTTON: 120.0, Shape.LIGHT: 96.0, Shape.BUZZER: 96.0}
_GAP: Final = 26.0
_SHIFTS: Final = range(-24, 25, 3)


class _Run(NamedTuple):
    """A wire that is still to be led: from a pin to a terminal above."""

    pin: int
    x: float
    colour: str


class _Placed(NamedTuple):
    part: Connected
    left: float
    width: float


def draw_wiring(parts: list[Connected], say: Texts) -> Sheet:
    """The wiring of all parts, as wide as WIDTH px."""
    placed = max((_placed(parts, shift) for shift in _SHIFTS), key=_clearance)
    runs = _runs(placed)
    header_top = _PARTS_BOTTOM + (len(runs) + 3) * _LANE
    sheet = Sheet(WIDTH, header_top + 250)
    sheet.text(_MARGIN, 52, say("wiring.title"), size=30, bold=True)
    sheet.text(_MARGIN, 80, say("wiring.above"), size=16, fill=FAINT)
    _draw_board(sheet, header_top, say)
    for colour, ways in _by_pin(runs, header_top):
        sheet.wires(ways, colour)
    used = {run.pin: run.colour for run in runs}
    _draw_pins(sheet, header_top, used)
    for each in placed:
        _draw_part(sheet, each, say)
    return sheet


def _placed(parts: list[Connected], shift: float) -> list[_Placed]:
    """The parts side by side, in the order of their pins, so far from the middle of the sheet."""
    widths = [_WIDTHS[part.shape] for part in parts]
    space = WIDTH - 2 * _MARGIN - sum(widths)
    gap = min(_GAP + 20, space / max(len(parts) - 1, 1))
    left = (WIDTH - sum(widths) - gap * (len(parts) - 1)) / 2 + shift
    placed = []
    for part, width in zip(parts, widths, strict=True):
        placed.append(_Placed(part, left, width))
        left += width + gap
    return placed


def _clearance(placed: list[_Placed]) -> float:
    """How near a wire that comes down from a part runs beside one that goes down to a pin; more is clearer."""
    runs = _runs(placed)
    return min((abs(run.x - _down(other.pin)) for run in runs for other in runs if run != other), default=0.0)


def _terminals(each: _Placed) -> dict[int, float]:
    """Where the wire to each pin begins. On what has two legs the wire to the left begins at the left one."""
    part = each.part
    pins = [*(wire.pin for wire in part.wires), part.ground]
    if part.shape is Shape.SCREEN:
        return {pin: each.left + each.width * (index + 1) / (len(pins) + 1) for index, pin in enumerate(pins)}
    if part.shape is Shape.BUTTON:
        pins.sort(key=_down)
    return dict(zip(pins, (each.left + each.width / 4, each.left + 3 * each.width / 4), strict=True))


def _runs(placed: list[_Placed]) -> list[_Run]:
    colours = iter(_COLOURS * 3)
    known = dict.fromkeys(THREE_VOLT_PINS, _POWER) | dict.fromkeys(GROUND_PINS, _GROUND)
    return [
        _Run(pin, x, known[pin] if pin in known else next(colours))
        for each in placed
        for pin, x in _terminals(each).items()
    ]


def _lanes(runs: list[_Run]) -> dict[int, float]:
    """The height at which the wires to each pin go sideways, so that few cross."""
    leftwards = sorted({run.pin for run in runs if run.x >= _down(run.pin)}, key=_down)
    rightwards = sorted({run.pin for run in runs} - set(leftwards), key=lambda pin: -_down(pin))
    top = _PARTS_BOTTOM + 2 * _LANE
    return {pin: float(top + index * _LANE) for index, pin in enumerate([*rightwards, *leftwards])}


def _by_pin(runs: list[_Run], header_top: float) -> list[tuple[str, list[list[tuple[float, float]]]]]:
    """The ways of the wires: those to one pin together, the black ones first."""
    lanes = _lanes(runs)
    ordered = sorted(lanes, key=lambda pin: pin not in GROUND_PINS)
    together = [[run for run in runs if run.pin == pin] for pin in ordered]
    return [(these[0].colour, [_way(run, lanes[run.pin], header_top) for run in these]) for these in together]


def _x(pin: int) -> float:
    """The column of a pin on the sheet."""
    return (WIDTH - 19 * _PITCH) / 2 + column(pin) * _PITCH


def _down(pin: int) -> float:
    """Where a wire goes down to a pin; for those of the inner row that is between the pins of the outer."""
    return _x(pin) - (_PITCH / 2 if pin % 2 else 0.0)


def _way(run: _Run, lane: float, header_top: float) -> list[tuple[float, float]]:
    """From the part down to the lane, along it, and down to the pin; those of the inner row pass between others."""
    x, start = _x(run.pin), (run.x, float(_PARTS_BOTTOM))
    if run.pin % 2 == 0:
        return [start, (run.x, lane), (x, lane), (x, header_top + 40)]
    beside = _down(run.pin)
    return [start, (run.x, lane), (beside, lane), (beside, header_top + 66), (x, header_top + 92)]


def _draw_board(sheet: Sheet, top: float, say: Texts) -> None:
    left, right = _x(1) - 110, _x(39) + 110
    sheet.rectangle(left, top, right - left, 220, fill=_BOARD, radius=22)
    for x in (left + 34, right - 34):
        sheet.circle(x, top + 34, 15, fill="#fff", stroke="#e9c46a", line=7)
    sheet.rectangle(_x(1) - 30, top + 14, 19 * _PITCH + 60, 104, fill="#20272b", radius=6)
    sheet.text((left + right) / 2, top + 190, "Raspberry Pi", size=24, fill="#fff", anchor="middle", bold=True)
    sheet.text(left + 24, top + 190, say("wiring.card"), size=15, fill="#dcefe3")
    sheet.text(right - 24, top + 190, say("wiring.ribbon"), size=15, fill="#dcefe3", anchor="end")


def _draw_pins(sheet: Sheet, top: float, used: dict[int, str]) -> None:
    names = {pin: f"GPIO {gpio}" for gpio, pin in GPIO_PINS.items()}
    names |= dict.fromkeys(GROUND_PINS, "GND") | dict.fromkeys(THREE_VOLT_PINS, "3V3")
    names |= dict.fromkeys(FIVE_VOLT_PINS, "5V")
    for pin in range(1, 41):
        x, y = _x(pin), top + (92 if pin % 2 else 40)
        colour = used.get(pin)
        sheet.circle(x, y, 15, fill=colour or "#4b555b", stroke="#fff" if colour else "#e9c46a", line=2.5)
        sheet.text(x, y + 5, str(pin), size=13, fill="#fff", anchor="middle", bold=colour is not None)
        if colour and pin % 2:
            for line, word in enumerate(names[pin].split()):
                sheet.text(x, top + 136 + 15 * line, word, size=12, fill="#fff", anchor="middle", bold=True)


def _draw_part(sheet: Sheet, each: _Placed, say: Texts) -> None:
    part, left, width = each
    {Shape.SCREEN: _draw_screen, Shape.BUTTON: _draw_button, Shape.LIGHT: _draw_light, Shape.BUZZER: _draw_buzzer}[
        part.shape
    ](sheet, left, width)
    middle = left + width / 2
    signals = {wire.pin: wire for wire in part.wires}
    if part.shape is Shape.SCREEN:
        sheet.text(middle, _PARTS_TOP + 66, f"128 × 64, {part.name}", size=15, fill="#9be7ff", anchor="middle")
        sheet.text(middle, _PARTS_TOP + 90, say("wiring.i2c"), size=13, fill="#9be7ff", anchor="middle")
    else:
        name = part.name if part.shape is Shape.BUTTON else say(f"wiring.{part.name}")
        sheet.text(middle, _PARTS_TOP + 14, name, size=19, anchor="middle", bold=True)
        told = [f"GPIO {wire.gpio} · {say('wiring.pin')} {wire.pin}" for wire in part.wires]
        size = 12.5 if part.shape is Shape.BUTTON else 11
        for line, words in enumerate([*told, f"GND · {say('wiring.pin')} {part.ground}"]):
            sheet.text(middle, _PARTS_TOP + 34 + 17 * line, words, size=size, fill=FAINT, anchor="middle")
    for pin, x in _terminals(each).items():
        terminal = signals[pin].terminal if pin in signals else "GND"
        sheet.circle(x, _PARTS_BOTTOM, 6, fill="#fff" if pin in signals else _GROUND, stroke=INK)
        if part.shape is Shape.SCREEN:
            sheet.text(x, _PARTS_BOTTOM - 14, terminal, size=13, fill="#fff", anchor="middle", bold=True)
        elif pin in signals:
            sheet.text(x - 12, _PARTS_BOTTOM - 4, terminal, size=16, anchor="end", bold=True)


def _draw_screen(sheet: Sheet, left: float, width: float) -> None:
    sheet.rectangle(left, _PARTS_TOP, width, _PARTS_BOTTOM - _PARTS_TOP, fill="#24507a", radius=12)
    sheet.rectangle(left + 16, _PARTS_TOP + 26, width - 32, 102, fill="#0c1418", radius=5)


def _draw_button(sheet: Sheet, left: float, width: float) -> None:
    top, side = _PARTS_TOP + 70, 84.0
    middle = left + width / 2
    for x in (left + width / 4, left + 3 * width / 4):
        sheet.path([(x, top + side), (x, _PARTS_BOTTOM)], stroke=FAINT, line=6)
    sheet.rectangle(middle - side / 2, top, side, side, fill="#3c464c", radius=9)
    sheet.circle(middle, top + side / 2, 27, fill="#f4f1ea", stroke="#c9c3b4", line=4)


def _draw_light(sheet: Sheet, left: float, width: float) -> None:
    top, middle = _PARTS_TOP + 70, left + width / 2
    first, second = left + width / 4, left + 3 * width / 4
    sheet.path([(first, top + 50), (first, _PARTS_BOTTOM)], stroke=FAINT, line=4)
    sheet.path([(second, top + 50), (second, _PARTS_BOTTOM)], stroke=FAINT, line=4)
    sheet.circle(middle, top + 26, 25, fill="#ffd166", stroke="#c99a2e", line=3)
    sheet.rectangle(middle - 30, top + 42, 60, 12, fill="#c99a2e", radius=3)
    sheet.rectangle(first - 8, top + 68, 16, 36, fill="#e8d5b0", stroke="#8d7440", radius=4)
    sheet.text(first + 14, top + 91, f"{RESISTOR_OHM} Ω", size=12)


def _draw_buzzer(sheet: Sheet, left: float, width: float) -> None:
    top, middle = _PARTS_TOP + 68, left + width / 2
    for x in (left + width / 4, left + 3 * width / 4):
        sheet.path([(x, top + 60), (x, _PARTS_BOTTOM)], stroke=FAINT, line=4)
    sheet.circle(middle, top + 42, 40, fill="#20272b")
    sheet.circle(middle, top + 42, 7, fill="#8a979e")
