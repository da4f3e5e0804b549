"""Runs in the machine from its start: notes each picture on the display, and when it came (seconds since the start)."""

import time
import zlib
from pathlib import Path

DOTS = Path("/sys/kernel/debug/rig_oled/gddram")
SECONDS = 300

shown = b""
with Path("/root/seen").open("w") as seen:
    while time.monotonic() < SECONDS:
        now = DOTS.read_bytes()
        if now != shown:
            seen.write(f"{time.monotonic()} {zlib.crc32(now)}\n")
            seen.flush()
        shown = now
        time.sleep(0.1)
