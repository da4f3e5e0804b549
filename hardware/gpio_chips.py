"""The chips that pins belong to, as the kernel numbers them: which of them has the header differs."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

HEADER_LABELS: Final = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""What the chip with the header's pins is called: on a Raspberry Pi 5, on a 4, and on all before."""
_CHIP_INFO: Final = 0x8044B401
"""The kernel's GPIO_GET_CHIPINFO_IOCTL: name and label of 32 bytes each, and the number of lines."""
_INFO_BYTES: Final = 68


class Chip(NamedTuple):
    """A chip; ``label`` is empty where it does not tell."""

    number: int
    label: str


def label_of(device: Path) -> str:
    """The label that the kernel tells of a chip, or nothing."""
    told = bytearray(_INFO_BYTES)
    try:
        opened = os.open(device, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.ioctl(opened, _CHIP_INFO, told)
        finally:
            os.close(opened)
    except OSError:
        return ""
    return bytes(told[32:64]).partition(b"\0")[0].decode("ascii", "replace")


def find_chips(folder: Path = Path("/dev"), label: Callable[[Path], str] = label_of) -> list[Chip]:
    """All chips of a machine, by their numbers."""
    numbers = (path.name.removeprefix("gpiochip") for path in folder.glob("gpiochip*"))
    return [
        Chip(number, label(folder / f"gpiochip{number}")) for number in sorted(map(int, filter(str.isdecimal, numbers)))
    ]


def header_chip(chips: list[Chip]) -> Chip | None:
    """The chip that has the pins of the header; None where none says so."""
    # A Raspberry Pi 5 may have the same chip under two numbers: either is right.
    return next((chip for chip in chips if chip.label in HEADER_LABELS), None)
