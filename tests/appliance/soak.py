"""A long game evening without a pause: game after game in one process, with camera, pins and screen.

``python -m tests.appliance.soak --turns 2000`` plays as many turns as eight hours at a table hold, four a minute.
Memory, threads and open files are looked at after each game; they must stay as they were after the first few.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Final, NamedTuple

from companion.loknroll import Mode, Phase, load_edition
from companion.pictures import drawn_deck
from tests.companion.whole_games import play_whole_game

_WARMING_GAMES: Final = 3
"""Libraries and caches fill up in the first games."""
_MOST_GROWTH: Final = 0.05
_MOST_LOG_BYTES: Final = 48_000_000
"""The journal's limit in systemd/journal.conf."""
_MODES: Final = (Mode.BETSY, Mode.TWO, Mode.SOLO, Mode.THREE)


class Seen(NamedTuple):
    """What a process holds: memory in MB, threads, open files; and what it has written in all, in bytes."""

    megabytes: float
    threads: int
    files: int
    written: int


def look() -> Seen:
    """This process, by /proc."""
    gc.collect()
    about = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    written = dict(line.split(":", 1) for line in Path("/proc/self/io").read_text().splitlines())["write_bytes"]
    megabytes = int(about["VmRSS"].split()[0]) / 1024
    return Seen(megabytes, threading.active_count(), sum(1 for _ in Path("/proc/self/fd").iterdir()), int(written))


def main() -> int:
    """Plays, and compares the last games with the first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=2000)
    options = parser.parse_args()
    pictures = drawn_deck(load_edition("german").deck, 4.0)
    turns, game, seen = 0, 0, []
    began = time.monotonic()
    while turns < options.turns or len(seen) < 2 * _WARMING_GAMES:
        mode = _MODES[game % len(_MODES)]
        with tempfile.TemporaryDirectory() as folder:
            played = play_whole_game(Path(folder), pictures, mode, seed=game, size=(820, 616))
            if played.game.state.phase is not Phase.OVER:
                sys.exit(f"game {game} did not come to its end")
            played.virtual.devices.close()
            turns += played.game.state.turn + 1
            del played
        game += 1
        seen.append(look())
        print(f"{game} games, {turns} turns, {time.monotonic() - began:.0f} s: {seen[-1]}", flush=True)
    return judge(seen[_WARMING_GAMES:])


def judge(seen: list[Seen]) -> int:
    """Prints how much has grown; 1 if it is too much."""
    third = max(1, len(seen) // 3)
    first, last = (sorted(each.megabytes for each in part)[len(part) // 2] for part in (seen[:third], seen[-third:]))
    growth = last / first - 1
    print(f"memory {first:.0f} MB, then {last:.0f} MB: {growth:+.1%}")
    print(f"threads {seen[0].threads}, then {seen[-1].threads}; files {seen[0].files}, then {seen[-1].files}")
    print(f"written {(seen[-1].written - seen[0].written) / 1e6:.1f} MB")
    is_flat = abs(growth) <= _MOST_GROWTH
    is_closed = seen[-1].threads <= seen[0].threads and seen[-1].files <= seen[0].files
    return 0 if is_flat and is_closed and seen[-1].written - seen[0].written <= _MOST_LOG_BYTES else 1


if __name__ == "__main__":
    sys.exit(main())
