"""All that the doctor looks at, one part after the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion.doctor import devices, system
from companion.doctor.findings import Finding, bad, good, note
from companion.doctor.machine import Machine
from hardware.settings import SettingsError, load_settings


def examine(machine: Machine, file: Path | None, state: Path, *, holds_devices: bool = False) -> Iterator[Finding]:
    """Looks at every part; ``file`` is that of the devices, ``state`` the folder of the games. Raises nothing.

    ``holds_devices``: pins and camera are in the hands of who asks, and are left alone.
    """
    yield from system.check_versions(machine)
    yield from system.check_service(machine)
    try:
        settings = load_settings(file)
    except SettingsError as error:
        yield bad("settings", "settings-bad", error=error)
        settings = load_settings()
    else:
        yield good("settings", "settings-own" if file else "settings", file=file)
    yield from devices.check_permissions(machine)
    is_running = holds_devices or machine.service() == "active"
    held = "held-here" if holds_devices else "held-by-service"
    if is_running:
        yield note("pins", held)
    else:
        yield from devices.check_pins(machine, settings.buttons)
    yield from devices.check_screen(machine, settings.display)
    if is_running and settings.camera.kind not in {"none", "folder"}:
        yield note("camera", held)
    else:
        yield from devices.check_camera(machine, settings.camera)
    yield from system.check_disk(machine, state)
    yield from system.check_clock(machine)
    yield from system.check_temperature(machine)
    yield from system.check_power(machine)
