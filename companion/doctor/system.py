"""The doctor looks at the system: versions, disk, clock, temperature, power, and the service."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from companion.doctor.findings import Finding, bad, good, note
from companion.doctor.machine import SERVICE_STATE, Machine

_PACKAGE: Final = "table-companion"
_LITTLE_BYTES: Final = 200e6
_TOO_LITTLE_BYTES: Final = 20e6
_FLEETING: Final = frozenset({"tmpfs", "ramfs", "overlay"})
_RELEASED: Final = datetime(2025, 1, 1, tzinfo=UTC).timestamp()
_WARM: Final = 70.0
_HOT: Final = 80.0
_THROTTLED: Final = "sys/devices/platform/soc/soc:firmware/get_throttled"
_UNDERVOLTAGE: Final = 0x1
_SLOWED: Final = 0xE
_BEFORE: Final = 16
"""The firmware says by so many bits higher what has been the case since it was started."""


def check_versions(machine: Machine) -> Iterator[Finding]:
    """The board, the system and the libraries."""
    board = machine.text("proc/device-tree/model") or machine.text("sys/firmware/devicetree/base/model")
    if board and "Raspberry Pi" in board:
        yield good("board", "board", board=board)
    else:
        yield note("board", "no-pi", board=board or platform.machine())
    missing = []
    for line in requires(_PACKAGE) or []:
        name = re.split(r"[<>=!;\[ ]", line, maxsplit=1)[0]
        if "extra" not in line and not _is_installed(name):
            missing.append(name)
    if missing:
        yield bad("versions", "packages-missing", packages=", ".join(missing))
    else:
        opencv, python = version("opencv-python"), platform.python_version()
        yield good("versions", "versions", companion=version(_PACKAGE), python=python, opencv=opencv)
    lacking = [name for name in ("lgpio", "picamera2") if find_spec(name) is None]
    if lacking:
        yield note("versions", "system-packages", packages=" ".join(f"python3-{name}" for name in lacking))


def _is_installed(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True


class _Mount(NamedTuple):
    point: str
    kind: str
    options: str


def check_disk(machine: Machine, state: Path) -> Iterator[Finding]:
    """Whether games can be kept: ``state`` is their folder, or the service's where that is installed."""
    # Where the service is installed its games count, whoever calls the doctor.
    service = machine.root / SERVICE_STATE
    folder = service if service.exists() else state
    there = next(path for path in (folder, *folder.parents) if path.exists())
    disk = machine.statvfs(there)
    free = disk.f_bavail * disk.f_frsize
    mount = _mount(machine, there)
    is_own = folder == state and there == folder
    if mount is not None and mount.kind in _FLEETING:
        yield bad("disk", "disk-fleeting", folder=folder, kind=mount.kind)
    elif disk.f_flag & os.ST_RDONLY:
        yield bad("disk", "disk-read-only", folder=folder)
    elif is_own and not machine.may(there, os.W_OK):
        yield bad("disk", "disk-not-allowed", folder=folder)
    elif free < _LITTLE_BYTES:
        found = bad if free < _TOO_LITTLE_BYTES else note
        yield found("disk", "disk-full", folder=folder, megabytes=int(free / 1e6))
    else:
        yield good("disk", "disk", folder=folder, gigabytes=f"{free / 1e9:.1f}")


def _mount(machine: Machine, path: Path) -> _Mount | None:
    """The file system that a path lies in: the mount point nearest to it."""
    inside = "/" + str(path.resolve().relative_to(machine.root.resolve())) if machine.root != Path("/") else str(path)
    mounts = [_Mount(*line.split()[1:4]) for line in (machine.text("proc/mounts") or "").splitlines()]
    around = [mount for mount in mounts if f"{inside}/".startswith(f"{mount.point.rstrip('/')}/")]
    # Mounts lie within each other: the longest name is the innermost one.
    return max(around, key=lambda mount: len(mount.point), default=None)


def check_clock(machine: Machine) -> Iterator[Finding]:
    """Whether the date can be right. The game itself needs none."""
    now = machine.now()
    date = datetime.fromtimestamp(now, UTC).date()
    if now < _RELEASED:
        yield note("clock", "clock-wrong", date=date)
    elif not (machine.root / "run/systemd/timesync/synchronized").exists():
        yield note("clock", "clock-alone", date=date)
    else:
        yield good("clock", "clock", date=date)


def check_temperature(machine: Machine) -> Iterator[Finding]:
    """How warm the processor is (in °C)."""
    told = machine.text("sys/class/thermal/thermal_zone0/temp")
    if told is None or not told.lstrip("-").isdecimal():
        yield note("temperature", "temperature-unknown")
        return
    degrees = int(told) / 1000
    code = "temperature-hot" if degrees >= _HOT else "temperature-warm" if degrees >= _WARM else "temperature"
    found = bad if degrees >= _HOT else note if degrees >= _WARM else good
    yield found("temperature", code, degrees=round(degrees))


def check_power(machine: Machine) -> Iterator[Finding]:
    """Whether the firmware has seen too little voltage or slowed the processor down."""
    told = machine.text(_THROTTLED)
    try:
        bits = int(told or "", 16)
    except ValueError:
        yield note("power", "power-unknown")
        return
    ever = bits | bits >> _BEFORE
    if ever & _UNDERVOLTAGE:
        yield bad("power", "power-low" if bits & _UNDERVOLTAGE else "power-was-low")
    elif ever & _SLOWED:
        yield note("power", "power-slowed")
    else:
        yield good("power", "power")


def check_service(machine: Machine) -> Iterator[Finding]:
    """Whether the service runs, where it is installed."""
    if not (machine.root / "etc/systemd/system/companion.service").exists():
        yield note("service", "no-service")
        return
    state = machine.service()
    if state in {"active", "activating", "reloading"}:
        yield good("service", "service-runs")
    elif state == "failed":
        yield bad("service", "service-failed")
    else:
        yield note("service", "service-rests", state=state or "?")
