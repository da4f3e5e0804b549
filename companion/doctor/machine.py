"""The machine that is looked at: its files and the ways to its devices, so that another one can stand in."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from hardware import devices, gpio_pins
from hardware.camera import Camera
from hardware.errors import Part
from hardware.settings import CameraSettings

SERVICE_STATE = Path("var/lib/companion")
"""Where the service keeps the games, below the root."""


class ProbedBus(Protocol):
    """An I²C bus that can be asked who is there."""

    def read_byte(self, address: int) -> int:
        """A byte from a device; raises OSError where nobody answers."""

    def close(self) -> None:
        """Gives the bus back."""


def open_bus(number: int) -> ProbedBus:
    """The kernel's bus; raises OSError."""
    from smbus2 import SMBus

    bus: ProbedBus = SMBus(number)
    return bus


def open_pins() -> Any:
    """The pins, by gpiozero; raises DeviceError."""
    return gpio_pins.open_pins(Part.BUTTONS)


def open_camera(settings: CameraSettings) -> Camera | None:
    """The camera of the settings, which opens with the first picture."""
    return devices.open_camera(settings)


def service_state() -> str:
    """What systemd says of the companion: active, failed, ..., or nothing where there is no systemd."""
    try:
        done = subprocess.run(
            ["systemctl", "is-active", "companion.service"],  # noqa: S607 - wherever the system keeps it
            capture_output=True,
            text=True,
            check=False,
            timeout=10,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()


class Machine(NamedTuple):
    """The machine on which the doctor runs, or one for tests."""

    root: Path = Path("/")
    may: Callable[[Path, int], bool] = os.access
    bus: Callable[[int], ProbedBus] = open_bus
    pins: Callable[[], Any] = open_pins
    camera: Callable[[CameraSettings], Camera | None] = open_camera
    statvfs: Callable[[Path], os.statvfs_result] = os.statvfs
    service: Callable[[], str] = service_state
    now: Callable[[], float] = time.time
    """Seconds since 1970."""

    def text(self, path: str) -> str | None:
        """What a file says, or None where there is none."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip("\0\n ")
        except OSError:
            return None
