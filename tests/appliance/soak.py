"""A long game evening without a pause: game after game in one process, with camera, pins and screen.

``python -m tests.appliance.soak --turns 2000`` plays as many turns as eight hours at a table hold, four a minute; with
``--minutes`` it stops sooner, and judges what has been played. Memory, threads and open files are looked at after each
game; once every mode has been played they must stay as they are. Run it with the unit's MALLOC_ARENA_MAX.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from companion.games.loknroll.artwork.drawn_deck import drawn_deck
from companion.games.loknroll.rules import Mode, Phase, load_edition
from tests.companion.device.whole_games import play_whole_game
from vision.deck_pictures import DeckPictures

_MOST_GROWTH: Final = 0.05
_MOST_LOG_BYTES: Final = 48_000_000
"""The journal's limit in systemd/journal.conf."""
_MODES: Final = (Mode.BETSY, Mode.TWO, Mode.SOLO, Mode.THREE)
_WARMING_GAMES: Final = len(_MODES)
"""Libraries and caches fill up in the first game of each mode."""
_LEAST_GAMES: Final = 6
"""So many games are compared at least: two of the beginning with two of the end."""
_SIZE: Final = (738, 554)


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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=2000)
    parser.add_argument("--minutes", type=float, default=10.0, help="then it stops (default: %(default)s)")
    options = parser.parse_args()
    pictures = drawn_deck(load_edition("german").deck, 4.0)
    turns, seen = 0, list[Seen]()
    began = time.monotonic()
    while turns < options.turns and time.monotonic() - began < 60 * options.minutes:
        turns += play(pictures, len(seen))
        seen.append(look())
        print(f"{len(seen)} games, {turns} turns, {time.monotonic() - began:.0f} s: {seen[-1]}", flush=True)
    compared = seen[_WARMING_GAMES:]
    print(f"{len(seen)} games, {turns} turns: {turns / 4 / 60:.1f} hours at a table; {len(compared)} games compared")
    if len(compared) < _LEAST_GAMES:
        print(f"No verdict: {_LEAST_GAMES} games are needed after the first {_WARMING_GAMES}.")
        return 2
    return judge(compared)


def play(pictures: DeckPictures, game: int) -> int:
    """A whole game, the device made for it and given back; returns its turns."""
    with tempfile.TemporaryDirectory() as folder:
        played = play_whole_game(Path(folder), pictures, _MODES[game % len(_MODES)], seed=game, size=_SIZE)
        if played.game.state.phase is not Phase.OVER:
            sys.exit(f"game {game} did not come to its end")
        return played.game.state.turn + 1


def judge(seen: list[Seen]) -> int:
    """Prints how much has grown; 1 if it is too much."""
    third = len(seen) // 3
    first, last = (median(each.megabytes for each in part) for part in (seen[:third], seen[-third:]))
    growth = last / first - 1
    print(f"memory {first:.0f} MB, then {last:.0f} MB: {growth:+.1%} (at most ±{_MOST_GROWTH:.0%})")
    print(f"threads {seen[0].threads}, then {seen[-1].threads}; files {seen[0].files}, then {seen[-1].files}")
    print(f"written {(seen[-1].written - seen[0].written) / 1e6:.1f} MB")
    is_flat = abs(growth) <= _MOST_GROWTH
    is_closed = seen[-1].threads <= seen[0].threads and seen[-1].files <= seen[0].files
    is_good = is_flat and is_closed and seen[-1].written - seen[0].written <= _MOST_LOG_BYTES
    print("Good." if is_good else "Not good: memory, threads, files or what was written has grown.")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
