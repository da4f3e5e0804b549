"""Runs in the machine: presses buttons as it is told in FOLDER/plan.json, and tells in FOLDER/answered what happened.

``answered G N C T``: the screen has answered a press after which the record of game G has N lines with checksum C; that
has to outlive a cut. ``press N T``: a press comes now after which it has N lines. ``lost P N L saw ... not ...``: no
answer to a press of P; the record has L lines, the screen has shown this instead of that. T are seconds.
"""

import json
import sys
import time
import zlib
from pathlib import Path

DOTS = Path("/sys/kernel/debug/rig_oled/gddram")
RECORD = Path("/var/lib/companion/game.jsonl")
DOWN_SECONDS = 0.12
HELD_SECONDS = 1.4
PAUSE_SECONDS = 0.1
TWICE_SECONDS = 0.9
"""A second press of the same button sooner may be taken for a button that was pressed twice."""
ANSWER_SECONDS = 8.0
START_SECONDS = 150.0
MOST_LOST = 3

folder = Path(sys.argv[1])


def tell(*words: object) -> None:
    with (folder / "answered").open("a") as file:
        file.write(" ".join(map(str, words)) + "\n")


def shown() -> int:
    return zlib.crc32(DOTS.read_bytes())


def lines() -> list[bytes]:
    try:
        return RECORD.read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return []


def press(pin: int, held: bool) -> None:
    pull = next(Path("/sys/devices/platform").glob(f"gpio-sim.*/gpiochip*/sim_gpio{pin}/pull"))
    pull.write_text("pull-down")
    time.sleep(HELD_SECONDS if held else DOWN_SECONDS)
    pull.write_text("pull-up")


def answer(tap: dict, before: set[int], changes: bool) -> tuple[bool, set[int]]:
    """Waits until the screen shows what follows, and, where lines are added, nothing that was to be seen before.

    Whether it did; and what else was to be seen, neither before nor wanted.
    """
    wanted = set(tap["dots"]) - (before if changes else set())
    end, seen = time.monotonic() + ANSWER_SECONDS, set()
    while time.monotonic() < end:
        now = shown()
        if now in wanted and len(lines()) == tap["lines"]:
            return True, set()
        seen.add(now)
        time.sleep(0.03)
    return False, seen - before - wanted


def main() -> None:
    plan = folder / "plan.json"
    while not plan.exists():
        time.sleep(0.1)
    told = json.loads(plan.read_text())
    end = time.monotonic() + START_SECONDS
    while shown() not in told["start"] and time.monotonic() < end:
        time.sleep(0.1)
    tell("start", int(time.monotonic() < end), time.monotonic())
    before, last, count, lost = set(told["start"]), None, len(lines()), 0
    for tap in told["taps"]:
        time.sleep(TWICE_SECONDS if last == tap["pin"] == 6 else PAUSE_SECONDS)
        changes = tap["lines"] != count
        if changes:
            tell("press", tap["lines"], time.monotonic())
        press(tap["pin"], tap["held"])
        is_answered, others = answer(tap, before, changes)
        if is_answered:
            lost = 0
            if changes:
                kept = lines()
                tell("answered", zlib.crc32(kept[0]), len(kept), zlib.crc32(b"".join(kept)), time.monotonic())
        else:
            lost += 1
            tell("lost", tap["pin"], tap["lines"], len(lines()), "saw", *others, "not", *tap["dots"])
        if lost == MOST_LOST:
            break
        before, last, count = set(tap["dots"]), tap["pin"], tap["lines"]
    tell("end", time.monotonic())


main()
