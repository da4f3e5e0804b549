"""The date, where the machine can know it: a Raspberry Pi without a network comes up with that of its last evening."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Final

_SYNCHRONIZED: Final = "run/systemd/timesync/synchronized"
_CHIP: Final = "sys/class/rtc/rtc0/since_epoch"
_LONGEST_ZONE_SECONDS: Final = 24 * 3600
"""A clock chip may keep local time; by more than that it differs only where its battery is empty."""


def date_now(root: Path = Path("/"), now: Callable[[], float] = time.time) -> str:
    """The date and time in ISO 8601 with the offset of the zone, "" where the machine's clock cannot be trusted.

    It can once a network has set it, or where a clock chip with a battery says about the same.
    """
    seconds = now()
    if not (root / _SYNCHRONIZED).exists() and not _chip_agrees(root / _CHIP, seconds):
        return ""
    try:
        return datetime.fromtimestamp(seconds).astimezone().isoformat(timespec="seconds")
    except (OverflowError, ValueError, OSError):
        return ""


def _chip_agrees(chip: Path, seconds: float) -> bool:
    try:
        return abs(int(chip.read_text()) - seconds) < _LONGEST_ZONE_SECONDS
    except (OSError, ValueError):
        return False
