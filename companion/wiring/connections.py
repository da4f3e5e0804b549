"""What is connected to which pin of the header: worked out of the settings."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Sequence
from itertools import combinations_with_replacement
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
    """A part; its other end goes to ``ground``, a pin of its own as long as the header has enough of them."""

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
    grounds = _grounds([part[2][-1].pin for part in parts])
    return [Connected(*part, ground) for part, ground in zip(parts, grounds, strict=True)]


def sockets(parts: Sequence[Connected]) -> int:
    """On how many pins of the header something is put."""
    return sum(len(part.wires) for part in parts) + len({part.ground for part in parts})


def shared_grounds(parts: Sequence[Connected]) -> list[int]:
    """The pins at which more parts end than one: there are more of them than grounds."""
    ends = Counter(part.ground for part in parts)
    return [pin for pin, count in ends.items() if count > 1]


def column(pin: int) -> int:
    """Where along the header a pin is, 0 to 19."""
    return (pin - 1) // 2


def _grounds(pins: Sequence[int]) -> tuple[int, ...]:
    """A ground for each of these pins, in their order: as few are shared as can be, then as near as can be."""

    def cost(grounds: tuple[int, ...]) -> tuple[int, int]:
        ways = (abs(column(ground) - column(pin)) for ground, pin in zip(grounds, pins, strict=True))
        return len(grounds) - len(set(grounds)), sum(ways)

    return min(combinations_with_replacement(GROUND_PINS, len(pins)), key=cost)
