"""Light-emitting diodes and a passive buzzer on pins of the Raspberry Pi, each between its pin and ground."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, Literal

from hardware.errors import DeviceError, Part
from hardware.gpio_pins import give_back, on_pin
from hardware.lights import Light, Tone

_LEAVE_SECONDS: Final = 5.0
_LOUDEST: Final = 0.5
"""The share of each swing of a tone in which the buzzer is on."""


class GpioLights:
    """Real lights and a buzzer. ``faults`` says which could not be had; the others work."""

    def __init__(self, pins: Mapping[Light, int], buzzer_pin: int | None, factory: Any) -> None:
        """Takes the pins by their GPIO numbers; ``factory`` is gpiozero's (``open_pins``, or a mock one)."""
        self.faults: list[DeviceError] = []
        self._lights: dict[Light, Any] = {}
        for light, pin in pins.items():
            made = self._made(f"Light {light}", pin, "DigitalOutputDevice", factory)
            if made is not None:
                self._lights[light] = made
        self._buzzer: _Buzzer | None = None
        if buzzer_pin is not None:
            made = self._made("The buzzer", buzzer_pin, "PWMOutputDevice", factory)
            self._buzzer = None if made is None else _Buzzer(made)

    def light(self, lit: Collection[Light]) -> None:
        """Exactly these lights are on; one whose pin fails is tried again the next time."""
        for light, device in self._lights.items():
            with contextlib.suppress(Exception):
                device.value = light in lit

    def sound(self, tune: Sequence[Tone]) -> None:
        """Begins a tune and returns at once."""
        if self._buzzer is not None:
            self._buzzer.play(tune)

    def close(self) -> None:
        """All is dark and silent; the pins are given back."""
        if self._buzzer is not None:
            self._buzzer.close()
            self._buzzer = None
        for device in self._lights.values():
            give_back(device)
        self._lights.clear()

    def _made(self, name: str, pin: int, kind: Literal["DigitalOutputDevice", "PWMOutputDevice"], factory: Any) -> Any:
        def make() -> Any:
            import gpiozero  # noqa: PLC0415 - a machine without pins need not have it

            return getattr(gpiozero, kind)(pin, pin_factory=factory)

        try:
            return on_pin(Part.LIGHTS, name, pin, make)
        except DeviceError as fault:
            self.faults.append(fault)
            return None


class _Buzzer:
    """Plays tunes in a thread of its own, always the newest."""

    def __init__(self, device: Any) -> None:
        self._device = device
        self._tunes: queue.SimpleQueue[tuple[Tone, ...] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="buzzer", daemon=True)
        self._thread.start()

    def play(self, tune: Sequence[Tone]) -> None:
        self._tunes.put(tuple(tune))

    def close(self) -> None:
        self._tunes.put(None)
        # A driver that hangs is left to the end of the program.
        self._thread.join(_LEAVE_SECONDS)
        give_back(self._device)

    def _run(self) -> None:
        tune = self._tunes.get()
        while tune is not None:
            tune = self._played(tune)

    def _played(self, tune: tuple[Tone, ...]) -> tuple[Tone, ...] | None:
        """Plays a tune, to its end or until there is another; returns the next one, or None at the end of all."""
        try:
            for tone in tune:
                # A tone that fails is silent; the thread and the tunes after it go on.
                with contextlib.suppress(Exception):
                    if tone.hertz:
                        self._device.frequency = tone.hertz
                    self._device.value = _LOUDEST if tone.hertz else 0
                try:
                    # Waits on the queue instead of sleeping: a newer tune breaks this one off at once.
                    return self._tunes.get(timeout=tone.seconds)
                except queue.Empty:
                    continue
        finally:
            with contextlib.suppress(Exception):
                self._device.value = 0
        return self._tunes.get()
