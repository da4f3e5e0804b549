"""Cuts the power again and again while a game is played, and looks whether anything answered has been lost.

``python -m tests.appliance.power_cuts --cuts 50`` runs on a machine on which the companion is installed already.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import zlib
from pathlib import Path
from random import Random
from typing import NamedTuple

from companion.recorded_game import resume_recorded
from tests.appliance.machine import STATE, Machine

PLAYING_SECONDS = (0.0, 10.0)
STARTING_SECONDS = 40.0
WITHOUT_NEWS = 3
"""After so many rounds without a new line another game is begun."""


class Round(NamedTuple):
    """From one start to the cut: lines in the record at the start, answered before the cut, and found after it."""

    at_start: int
    answered: int
    found: int


class PowerCuts:
    """A machine whose power fails."""

    def __init__(self, machine: Machine, seed: int) -> None:
        """The companion is installed; the machine is switched on or off."""
        self.machine = machine
        self.random = Random(seed)
        self.rounds: list[Round] = []
        self._quiet = 0
        self._key = f"{seed}-{os.getpid()}"

    def round(self) -> Round:
        """Plays for a random time, cuts the power, starts again and compares; raises AssertionError for a loss."""
        machine, number = self.machine, f"{self._key}-{len(self.rounds)}"
        if not machine.is_running():
            machine.up()
        if self._quiet >= WITHOUT_NEWS:
            machine.run(f"systemctl stop companion; mv {STATE}/game.jsonl {STATE}/game-{number}.jsonl; sync")
            machine.run("systemctl start companion")
            self._quiet = 0
        at_start = self.rounds[-1].found if self.rounds else self.record("game.jsonl").count(b"\n")
        machine.run(f"systemd-run -q python3 -S /host/guest_player.py {number} {self.random.randrange(1 << 30)}")
        answers = machine.share / f"answered-{number}"
        end = time.monotonic() + STARTING_SECONDS
        while time.monotonic() < end and not (answers.exists() and answers.stat().st_size):
            time.sleep(0.2)
        time.sleep(self.random.uniform(*PLAYING_SECONDS))
        machine.powercut()
        machine.up()
        machine.wait(lambda: machine.succeeds("systemctl is-active -q companion"), 60, "the service is up again")
        done = self._compare(number, at_start)
        self._quiet = 0 if done.found > done.at_start else self._quiet + 1
        self.rounds.append(done)
        return done

    def record(self, name: str) -> bytes:
        """A record as it lies on the machine's disk now; empty where there is none."""
        copy = self.machine.share / name
        self.machine.run(f"cp {STATE}/{name} /host/ 2>/dev/null || : > /host/{name}")
        return copy.read_bytes()

    def _compare(self, number: str, at_start: int) -> Round:
        lines = self.record("game.jsonl").split(b"\n")[:-1]
        file = self.machine.share / f"answered-{number}"
        told = [line.split() for line in file.read_text().split("\n")[:-1]] if file.exists() else []
        last = [tuple(map(int, words)) for words in told if len(words) == 3][-1:]
        for game, count, checksum in last:
            if count == 0:
                continue
            kept = lines
            if not (lines and zlib.crc32(lines[0]) == game):  # meanwhile another one was begun
                kept = self.record("game.before.jsonl").split(b"\n")[:-1]
            assert len(kept) >= count, f"round {number}: {count} lines were answered, {len(kept)} are left"
            same = zlib.crc32(b"".join(kept[:count])) == checksum
            assert same, f"round {number}: the first {count} lines are others than those answered"
        if lines:
            resume_recorded(self.machine.share / "game.jsonl").journal.close()
        return Round(at_start, last[0][1] if last else at_start, len(lines))


def main() -> int:
    """Cuts and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuts", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    machine = Machine(Path(os.environ["RIG_DIR"]))
    (machine.share / "guest_player.py").write_bytes((Path(__file__).parent / "guest_player.py").read_bytes())
    cuts = PowerCuts(machine, options.seed)
    began = time.monotonic()
    for number in range(options.cuts):
        done = cuts.round()
        print(f"cut {number + 1}: {done}, {time.monotonic() - began:.0f} s", flush=True)
    written = sum(max(0, done.found - done.at_start) for done in cuts.rounds)
    print(f"{len(cuts.rounds)} cuts, {written} lines written meanwhile, no answered line lost.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
