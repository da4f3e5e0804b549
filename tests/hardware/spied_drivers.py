"""Between our code and its drivers stands somebody who writes down each call, and makes one that is named fail."""

from __future__ import annotations

import ast
import builtins
import errno
import importlib
import os
import sys
from collections.abc import Callable
from concurrent.futures import CancelledError
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import gpiozero.exc
import luma.core.error
import numpy as np

HARDWARE = Path(__file__).parents[2] / "hardware"
DRIVERS = frozenset({"cv2", "gpiozero", "lgpio", "libcamera", "luma", "picamera2", "smbus2"})
"""The libraries that reach for something outside of the program."""
_PLAIN = (type(None), bool, int, float, str, bytes, tuple, list, dict, np.ndarray, np.generic)


class Spy:
    """Keeps the names of the calls; the one that is ``victim`` raises what ``error`` makes."""

    def __init__(self) -> None:
        self.calls: dict[str, None] = {}
        self.victim: str | None = None
        self.error: Callable[[], Exception] = RuntimeError

    def note(self, call: str) -> None:
        self.calls[call] = None
        if call == self.victim:
            raise self.error()

    def wrap(self, path: str, value: Any) -> Any:
        is_error = isinstance(value, type) and issubclass(value, BaseException)
        return value if is_error or isinstance(value, (*_PLAIN, Spied)) else Spied(self, path, value)


class Spied:
    """A module, class, function or thing of a driver."""

    def __init__(self, spy: Spy, path: str, target: Any) -> None:
        object.__setattr__(self, "_spied", (spy, path, target))

    def __getattr__(self, name: str) -> Any:
        spy, path, target = self._spied
        if name.startswith("__"):
            return getattr(target, name)
        value = getattr(target, name)
        if not callable(value):
            spy.note(f"{path}.{name}")
        return spy.wrap(f"{path}.{name}", value)

    def __setattr__(self, name: str, value: Any) -> None:
        spy, path, target = self._spied
        spy.note(f"{path}.{name} =")
        setattr(target, name, bare(value))

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        spy, path, target = self._spied
        spy.note(f"{path}()")
        given = {name: bare(value) for name, value in named.items()}
        return spy.wrap(f"{path}()", target(*map(bare, arguments), **given))


def bare(value: Any) -> Any:
    """What stands behind it."""
    return value._spied[2] if isinstance(value, Spied) else value


@cache
def driver_imports() -> dict[str, list[ast.Import | ast.ImportFrom]]:
    """The modules of hardware/ that import a driver, with these imports."""
    found: dict[str, list[ast.Import | ast.ImportFrom]] = {}
    for path in HARDWARE.rglob("*.py"):
        name = ".".join(path.relative_to(HARDWARE.parent).with_suffix("").parts).removesuffix(".__init__")
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import | ast.ImportFrom) and roots(node) & DRIVERS:
                found.setdefault(name, []).append(node)
    return found


def roots(node: ast.Import | ast.ImportFrom) -> set[str]:
    """The libraries that a statement imports."""
    names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [str(node.module)]
    return {name.partition(".")[0] for name in names}


def stand_between(monkeypatch: Any, spy: Spy) -> None:
    """From now on each module of hardware/ has every driver through ``spy``, also those imported in functions."""
    for name, nodes in driver_imports().items():
        module = importlib.import_module(name)
        for node in nodes:
            for alias in node.names:
                own = alias.asname or alias.name
                if hasattr(module, own):
                    monkeypatch.setattr(module, own, spy.wrap(own, getattr(module, own)))
    really = builtins.__import__

    def imported(name: str, where: Any = None, *rest: Any) -> Any:
        if name.partition(".")[0] not in DRIVERS or not str((where or {}).get("__name__")).startswith("hardware"):
            return really(name, where, *rest)
        spy.note(f"import {name}")
        return spy.wrap(name, really(name, where, *rest))

    monkeypatch.setattr(builtins, "__import__", imported)


class FakeLgpio:
    """The module lgpio, as far as gpiozero needs it, with pins that float up."""

    SET_PULL_NONE, SET_PULL_UP, SET_PULL_DOWN = 128, 32, 64
    RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3

    class error(Exception):  # noqa: N801 - its name there
        """Of any kind."""

    def __init__(self) -> None:
        self.opened: list[int] = []
        self.levels: dict[int, int] = {}
        self.modes: dict[int, int] = {}
        self.tones: list[tuple[float, float]] = []

    def gpiochip_open(self, chip: int) -> int:
        self.opened.append(chip)
        return 1

    def gpiochip_close(self, handle: int) -> None:
        """Nothing."""

    def gpio_claim_input(self, handle: int, pin: int, flags: int = 0) -> None:
        self.modes[pin] = flags

    def gpio_claim_output(self, handle: int, pin: int) -> None:
        self.modes[pin] = 2

    def gpio_claim_alert(self, handle: int, pin: int, edges: int, flags: int) -> None:
        self.modes[pin] = flags

    def gpio_free(self, handle: int, pin: int) -> None:
        self.modes.pop(pin, None)

    def gpio_get_mode(self, handle: int, pin: int) -> int:
        return self.modes.get(pin, 0)

    def gpio_read(self, handle: int, pin: int) -> int:
        return self.levels.get(pin, 1)

    def gpio_write(self, handle: int, pin: int, level: int) -> None:
        self.levels[pin] = int(level)

    def gpio_set_debounce_micros(self, handle: int, pin: int, micros: int) -> None:
        """Nothing."""

    def tx_pwm(self, handle: int, pin: int, hertz: float, share: float) -> None:
        self.tones.append((hertz, share))

    def callback(self, handle: int, pin: int, edges: int, call: Any) -> Any:
        return FakeCallback()


class FakeCallback:
    """What lgpio gives for a function that it calls."""

    def cancel(self) -> None:
        """Nothing."""


def put_lgpio(monkeypatch: Any, module: Any) -> None:
    """A Raspberry Pi 3 on which gpiozero imports this module as lgpio, for the first time."""
    import gpiozero.pins.local
    from gpiozero import Device

    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
    monkeypatch.setitem(sys.modules, "lgpio", module)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setattr(gpiozero.pins.local, "get_pi_revision", lambda: 0xA02082)
    monkeypatch.setattr(Device, "pin_factory", None)
    gpiozero.pins.local.LocalPiFactory.pins.clear()
    gpiozero.pins.local.LocalPiFactory._reservations.clear()


ERRORS: tuple[Callable[[], Exception], ...] = (
    lambda: OSError(errno.EIO, os.strerror(errno.EIO)),
    lambda: OSError("no number"),
    lambda: RuntimeError("Camera __init__ sequence did not complete."),
    lambda: ValueError("numpy.dtype size changed, may indicate binary incompatibility"),
    lambda: KeyError("ColourGains"),
    lambda: IndexError("list index out of range"),
    lambda: TypeError("'NoneType' object is not subscriptable"),
    lambda: AttributeError("module 'lgpio' has no attribute 'gpiochip_open'"),
    MemoryError,
    TimeoutError,
    lambda: ImportError("libGL.so.1: cannot open shared object file"),
    CancelledError,
    lambda: FakeLgpio.error("GPIO busy"),
    lambda: gpiozero.exc.PinInvalidPin("77 is not a valid pin name"),
    lambda: gpiozero.exc.GPIODeviceClosed("closed"),
    lambda: luma.core.error.DeviceNotFoundError("I2C device not found"),
    lambda: luma.core.error.DeviceDisplayModeError("Unsupported display mode"),
    lambda: cv2.error("(-215:Assertion failed) !buf.empty()"),
)
