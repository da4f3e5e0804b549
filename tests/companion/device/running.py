"""A virtual device that runs in a thread of the test, and a finger at its buttons."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from msgspec.structs import replace

from companion.commands.shared.virtual_table import without_pins
from companion.device.last_game import Order
from companion.device.virtual_device import VirtualDevice
from companion.games.registry import games
from hardware.buttons import Button
from tests.companion.web.browsers import small_camera, wait_until


@contextmanager
def running(
    folder: Path, order: Order | None = None, *, seed: int = 3, has_camera: bool = True
) -> Iterator[VirtualDevice]:
    """A virtual device, from its first screen; without a camera no eye has to get to know the deck."""
    device = VirtualDevice(without_pins(), folder, games(), seed=seed, source=Random(seed), camera=small_camera)
    device.world.disturb(replace(device.world.disturbances, camera=has_camera))
    if order is not None:
        device.session.order(order)
    thread = threading.Thread(target=device.run, daemon=True)
    thread.start()
    try:
        wait_until(lambda: any(device.screen.keys), what="nothing is to be seen")
        yield device
    finally:
        device.stop()
        thread.join(20)
    assert not thread.is_alive()
    assert device.failure is None


def press(device: VirtualDevice, button: Button, then: str) -> None:
    """Presses a button and waits until this is to be read."""
    device.press(button)
    wait_until(lambda: then in read(device), what=f"{button} does not bring {then!r} but {device.screen}", seconds=10)


def choose(device: VirtualDevice, entry: str, then: str) -> None:
    """Goes to an entry of the list that is seen, presses ROLL there and waits until this is to be read."""
    choices, at = device.screen.choices, device.screen.chosen
    for _ in range((choices.index(entry) - at) % len(choices)):
        device.press(Button.DOWN)
    wait_until(lambda: device.screen.choices[device.screen.chosen] == entry)
    press(device, Button.ROLL, then)


def read(device: VirtualDevice) -> str:
    """All that is to be read on the screen."""
    screen = device.screen
    return " · ".join((screen.heading, screen.main, *screen.lines, *screen.choices))
