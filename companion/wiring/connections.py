"""What is connected to which pin of the header: worked out of the settings."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Final, NamedTuple

from hardware.header import GPIO_PINS, GROUND_PINS, SCL_PIN, SDA_PIN, THREE_VOLT_PINS
from hardware.settings import Settings

RESISTOR_OHM: Final = 330
"""In front of each light-emitting diode."""


class Shape(enum.StrEnum):
    """What a part is drawn as."""

    SCREEN = "screen"
    BUTTON = "button"
    LIGHT = "light"
    BUZZER = "buzzer"


class Wire(NamedTuple):
    """From a terminal of a part to a pin of the header (1 to 40); ``gpio`` is that pin's number, if it has one."""

    terminal: str
    pin: int
    gpio: int | None = None


class Connected(NamedTuple):
    """A part; its other end goes to ``ground``, a pin that parts may share."""

    shape: Shape
    name: str
    wires: tuple[Wire, ...]
    ground: int


def connected(settings: Settings) -> list[Connected]:
    """All parts with wires, in the order of their first pins on the header."""
    parts: list[tuple[Shape, str, tuple[Wire, ...]]] = []
    if settings.display.controller != "none":
        named = (Wire("VCC", THREE_VOLT_PINS[0]), Wire("SDA", SDA_PIN, 2), Wire("SCL", SCL_PIN, 3))
        parts.append((Shape.SCREEN, settings.display.controller.upper(), named))
    for button, gpio in settings.buttons.pins().items():
        parts.append((Shape.BUTTON, button.upper(), (Wire("", GPIO_PINS[gpio], gpio),)))
    for light, gpio in settings.lights.pins().items():
        parts.append((Shape.LIGHT, str(light), (Wire("+", GPIO_PINS[gpio], gpio),)))
    if settings.lights.buzzer:
        parts.append((Shape.BUZZER, "buzzer", (Wire("+", GPIO_PINS[settings.lights.buzzer], settings.lights.buzzer),)))
    parts.sort(key=lambda part: column(part[2][0].pin))
    shared = _ground_of([part for part in parts if part[0] is not Shape.SCREEN])
    screens = _nearest(SCL_PIN, (pin for pin in GROUND_PINS if pin != shared))
    return [Connected(*part, screens if part[0] is Shape.SCREEN else shared) for part in parts]


def column(pin: int) -> int:
    """Where along the header a pin is, 0 to 19."""
    return (pin - 1) // 2


def _ground_of(parts: list[tuple[Shape, str, tuple[Wire, ...]]]) -> int:
    """One ground for all that are not the screen: the one nearest to the last of them."""
    return _nearest(parts[-1][2][-1].pin if parts else GROUND_PINS[-1], GROUND_PINS)


def _nearest(pin: int, grounds: Iterable[int]) -> int:
    return min(grounds, key=lambda ground: (abs(column(ground) - column(pin)), ground))
