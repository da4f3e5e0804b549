"""Runs in the machine: kills the service round after round, each time with other settings, and tells what it found.

FOLDER/orders.json has the good settings and, for each round, the bit of them that is flipped, or null: then a game is
played; and how many starts of the round are killed before one is let be. For a game FOLDER/found.jsonl is left for the
one who plans, and FOLDER/plan.json is waited for by the player, as guest_player.py says. FOLDER/told gets a line of
JSON for each round.
"""

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path

STATE = Path("/var/lib/companion")
RECORD = STATE / "game.jsonl"
GAMES = STATE / "games"
PROCESSES = Path("/sys/fs/cgroup/system.slice/companion.service/cgroup.procs")
PULLS = "gpio-sim.*/gpiochip*/sim_gpio{}/pull"
BUTTONS = (5, 6, 13, 19, 26)
HARMLESS = (13, 19)
"""Up and down: they add nothing to a game."""
UP_SECONDS = 90.0
EARLY_SECONDS = 15.0
"""So long a start takes; a kill comes rather at its beginning than at its end."""
LEAST_SECONDS = 4.0
"""Sooner no start is over, and asking for it slows it down."""
MOMENTS = {"start": 3.0, "press": 0.6, "answered": 2.0}
"""After what the player tells a kill comes, and so many seconds later at most."""
PLAY_SECONDS = 170.0

folder = Path(sys.argv[1])
chance = random.Random()


def processes() -> list[int]:
    try:
        return [int(word) for word in PROCESSES.read_text().split()]
    except OSError:
        return []


def kill() -> set[int]:
    """All that the service runs is gone, from one moment to the next; returns what it was."""
    killed = set()
    for process in processes():
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
            killed.add(process)
    return killed


def told_of_service() -> dict[str, str]:
    command = ["systemctl", "show", "-p", "ActiveState,MainPID,NRestarts", "companion"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return dict(line.split("=", 1) for line in lines)


def is_ready(killed: set[int]) -> bool:
    """Whether the service has told that it is ready, in a process that was not killed."""
    told = told_of_service()
    return told["ActiveState"] == "active" and int(told["MainPID"]) not in {0, *killed}


def wait_until_ready(killed: set[int]) -> bool:
    end = time.monotonic() + UP_SECONDS
    time.sleep(LEAST_SECONDS)
    while not is_ready(killed):
        if time.monotonic() > end:
            return False
        time.sleep(1)
    return True


def record() -> bytes:
    try:
        return RECORD.read_bytes()
    except FileNotFoundError:
        return b""


def is_kept(before: bytes) -> bool:
    """Whether all whole lines are there still, of a game that may be over since."""
    whole = before[: before.rfind(b"\n") + 1]
    return record().startswith(whole) or any(file.read_bytes().startswith(whole) for file in GAMES.glob("*.jsonl"))


def place(settings: bytes) -> None:
    """These are the settings of the next start."""
    file = STATE / "settings.new"
    file.write_bytes(settings)
    shutil.chown(file, "companion", "companion")
    file.chmod(0o640)
    file.replace(STATE / "settings.json")


def flipped(settings: bytes, bit: int | None) -> bytes:
    changed = bytearray(settings)
    if bit is not None:
        changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def pull(button: int, way: str) -> None:
    next(Path("/sys/devices/platform").glob(PULLS.format(button))).write_text(way)


def answers() -> list[list[str]]:
    file = folder / "answered"
    return [line.split() for line in file.read_text().split("\n")[:-1]] if file.exists() else []


def begin_player() -> subprocess.Popen[bytes]:
    for name in ("plan.json", "answered"):
        (folder / name).unlink(missing_ok=True)
    (folder / "found.new").write_bytes(record())
    (folder / "found.new").replace(folder / "found.jsonl")
    return subprocess.Popen([sys.executable, "-S", "/host/guest_player.py", folder])


def wait_for_play(moment: str) -> bool:
    """Waits until the player has told of such a moment; whether the game was on the screen."""
    end = time.monotonic() + PLAY_SECONDS
    while time.monotonic() < end:
        told = answers()
        if any(words[0] in {moment, "end"} for words in told):
            break
        time.sleep(0.02)
    return ["start", "1"] in [words[:2] for words in answers()]


def tap_harmless(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        button = chance.choice(HARMLESS)
        pull(button, "pull-down")
        time.sleep(0.1)
        pull(button, "pull-up")
        time.sleep(0.1)


def are_answers_kept(words: list[list[str]]) -> bool:
    """Whether the last line that the screen had answered is there, and all before it are the same."""
    last = next((each for each in reversed(words) if each[0] == "answered"), None)
    if last is None:
        return True
    game, count, checksum = map(int, last[1:4])
    for file in (RECORD, *GAMES.glob("*.jsonl")):
        kept = file.read_bytes().split(b"\n")[:-1] if file.exists() else []
        if kept and zlib.crc32(kept[0]) == game:
            return len(kept) >= count and zlib.crc32(b"".join(kept[:count])) == checksum
    return False


def kill_early(killed: set[int]) -> tuple[set[int], bool]:
    """Kills the start that follows on a kill, at some moment; what was killed, and whether it was not ready yet."""
    # Till then only what follows on an end may run; the start comes after RestartSec.
    time.sleep(1)
    end = time.monotonic() + UP_SECONDS
    while not set(processes()) - killed and time.monotonic() < end:
        time.sleep(0.02)
    time.sleep(EARLY_SECONDS * chance.random() ** 2)
    is_early = not is_ready(killed)
    while not (now := kill()):
        time.sleep(0.02)
    return now, is_early


def play_round(settings: bytes, bit: int | None, early: int, killed: set[int]) -> tuple[dict, set[int]]:
    """From just after a kill to just after the next one: what was found, and what was killed."""
    done: dict = {"bit": bit, "kills": 1 + early, "early": 0}
    place(flipped(settings, bit))
    before = record()
    for _ in range(early):
        killed, is_early = kill_early(killed)
        done["early"] += is_early
        # A start may have put away what it found damaged.
        place(flipped(settings, bit))
    began = time.monotonic()
    player = begin_player() if bit is None else None
    done["is_up"] = wait_until_ready(killed)
    done["seconds"] = round(time.monotonic() - began, 1)
    done["is_kept"] = is_kept(before)
    if player is None:
        tap_harmless(chance.uniform(0, 2))
    else:
        done["moment"] = moment = chance.choice(list(MOMENTS))
        done["goes_on"] = wait_for_play(moment)
        time.sleep(chance.uniform(0, MOMENTS[moment]))
    before = record()
    killed = kill()
    if player is not None:
        player.kill()
        player.wait()
        for button in BUTTONS:
            pull(button, "pull-up")
    words = answers() if player is not None else []
    done["answered"] = sum(each[0] == "answered" for each in words)
    done["is_kept"] = done["is_kept"] and is_kept(before) and are_answers_kept(words)
    done["lines"] = record().count(b"\n")
    done["restarts"] = int(told_of_service()["NRestarts"])
    return done, killed


def main() -> None:
    orders = json.loads((folder / "orders.json").read_text())
    settings = orders["settings"].encode()
    chance.seed(orders["seed"])
    killed = kill()
    for number, (bit, early) in enumerate(orders["rounds"], start=1):
        done, killed = play_round(settings, bit, early, killed)
        with (folder / "told").open("a") as file:
            file.write(json.dumps({"round": number, **done}) + "\n")
    place(settings)


main()
