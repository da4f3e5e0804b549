"""An emulated Raspberry Pi with real systemd, to install the companion on: a folder beside the project boots it."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PIL import Image

PROJECT: Final = Path(__file__).parents[2]
RIG: Final = PROJECT.parent / "shared/rig/rig.sh"
PINS: Final = {"roll": 5, "pass": 6, "up": 13, "down": 19, "back": 26}
PROGRAM: Final = "/opt/companion/current/bin/companion"
STATE: Final = "/var/lib/companion"
SYSTEM: Final = "/etc/systemd/system"


class Failed(AssertionError):
    """A command in the machine ended badly, or did not end in time."""


class Machine:
    """The machine. Its disk forgets in a power cut what was not flushed."""

    def __init__(self, folder: Path) -> None:
        """``folder`` keeps what building it has made (3 GB)."""
        self.folder = folder
        self.share = folder / "share"
        self.share.mkdir(parents=True, exist_ok=True)
        self._starting: subprocess.Popen[bytes] | None = None
        self._environment = {
            **os.environ,
            "RIG_DIR": str(folder),
            "RIG_SHARE": str(self.share),
            "RIG_DISK": "volatile",
            # Stands for what apt installs on a Raspberry Pi. All else the companion brings along.
            "RIG_PIP": os.environ.get("RIG_PIP", "lgpio"),
        }

    def up(self, *, cold: bool = False, seconds: float = 3600) -> None:
        """Builds it if need be, and starts it."""
        self._rig("up", *(["--cold"] if cold else []), seconds=seconds)

    def switch_on(self) -> None:
        """Gives it power, and does not wait until it is up."""
        with (self.folder / "up.log").open("a") as log:
            self._starting = subprocess.Popen([RIG, "up"], stdout=log, stderr=log, env=self._environment)

    def off(self) -> None:
        """Shuts it down in order."""
        self._rig("off", seconds=300)
        self._end_starting()

    def powercut(self) -> None:
        """The power goes away this instant."""
        self._rig("powercut", seconds=60)
        self._end_starting()

    def forget(self) -> None:
        """The disk is that of a fresh system again."""
        if self.is_running():
            self.powercut()
        self._rig("reset", seconds=60)

    def is_running(self) -> bool:
        """Whether it has power."""
        return self._call("status", seconds=60).returncode == 0

    def run(self, command: str, seconds: float = 300) -> str:
        """What a command of root's prints there; raises Failed."""
        return self._rig("run", "-t", str(int(seconds)), command, seconds=seconds + 60)

    def succeeds(self, command: str, seconds: float = 300) -> bool:
        """Whether a command of root's ends with status 0 there."""
        return self._call("run", "-t", str(int(seconds)), command, seconds=seconds + 60).returncode == 0

    def tap(self, button: str) -> None:
        """Presses a button for 0.15 seconds."""
        self._rig("gpio", str(PINS[button]), "tap", seconds=60)

    def screen(self) -> Image.Image:
        """What the display shows (mode "1", 128 × 64 px)."""
        file = self.folder / "screen.pbm"
        self._rig("oled", str(file), seconds=60)
        width, height, *dots = file.read_text().removeprefix("P1").split()
        bits = "".join(dots)
        image = Image.new("1", (int(width), int(height)))
        image.putdata([255 * (bit == "1") for bit in bits])
        return image

    def wait(self, until: Callable[[], bool], seconds: float, what: str) -> None:
        """Waits until something is so; raises Failed with the service's journal."""
        end = time.monotonic() + seconds
        while not until():
            if time.monotonic() > end:
                journal = self.run("journalctl -u companion -n 30 --no-pager")
                raise Failed(f"{what}: not within {seconds} s.\n{journal}")
            time.sleep(0.5)

    def monotonic(self) -> float:
        """Seconds since it was started, by its own clock."""
        return float(self.run("cut -d' ' -f1 /proc/uptime"))

    def _end_starting(self) -> None:
        if self._starting is not None:
            self._starting.wait(60)
            self._starting = None

    def _rig(self, *arguments: str, seconds: float) -> str:
        done = self._call(*arguments, seconds=seconds)
        if done.returncode:
            raise Failed(f"{' '.join(arguments)}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def _call(self, *arguments: str, seconds: float) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [RIG, *arguments], capture_output=True, text=True, check=False, timeout=seconds, env=self._environment
        )
