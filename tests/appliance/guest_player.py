"""Runs in the machine: presses buttons at random, and tells the host which lines of the record have been answered.

A line counts as answered once the screen has changed and stands still after a press: then it has to outlive a cut.
"""

import random
import sys
import time
import zlib
from pathlib import Path

PINS = [5] * 50 + [6] * 20 + [13] * 8 + [19] * 20 + [26] * 2
DOTS = Path("/sys/kernel/debug/rig_oled/gddram")
RECORD = Path("/var/lib/companion/game.jsonl")
STILL_SECONDS = 0.25
LONGEST_SECONDS = 3.0


def press(line: int) -> None:
    pull = next(Path("/sys/devices/platform").glob(f"gpio-sim.*/gpiochip*/sim_gpio{line}/pull"))
    pull.write_text("pull-down")
    time.sleep(0.1)
    pull.write_text("pull-up")


def wait_until_still() -> None:
    end = time.monotonic() + LONGEST_SECONDS
    shown, since = DOTS.read_bytes(), time.monotonic()
    while time.monotonic() < end and time.monotonic() - since < STILL_SECONDS:
        time.sleep(0.05)
        now = DOTS.read_bytes()
        if now != shown:
            shown, since = now, time.monotonic()


def main() -> None:
    number, seed = sys.argv[1], int(sys.argv[2])
    chance = random.Random(seed)
    answered = Path(f"/host/answered-{number}")
    while True:
        press(chance.choice(PINS))
        wait_until_still()
        try:
            text = RECORD.read_bytes()
        except FileNotFoundError:
            continue
        *lines, _ = text.split(b"\n")
        game = zlib.crc32(lines[0]) if lines else 0
        with answered.open("a") as file:
            file.write(f"{game} {len(lines)} {zlib.crc32(b''.join(lines))}\n")


main()
