"""Cuts the power again and again while a game is played, and looks whether anything answered has been lost.

``python -m tests.appliance.power_cuts --cuts 50`` runs on a machine on which the companion is installed already. Each
cut falls while people press buttons; half of them at the moment when a step is written. After it the machine starts by
itself, the record is compared with what the screen had answered, and only a game that goes on makes it count.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import msgspec

from tests.appliance.button_people import SETTINGS, plan
from tests.appliance.machine import STATE, SYSTEM, Failed, Machine

HERE: Final = Path(__file__).parent
MOST_LINES: Final = 3
"""So many are answered at most before a cut."""
ANYWHERE_SECONDS: Final = 2.0
WRITING_SECONDS: Final = 0.6
"""A press is answered within these on the emulated machine; a cut at a write falls somewhere in them."""
STEPS_AHEAD: Final = 20
START_SECONDS: Final = 240.0
PLAY_SECONDS: Final = 60.0

_UNITS: Final = {
    # What a cut has left is told to the host before the companion sees it.
    "found": (
        "DefaultDependencies=no\\nAfter=local-fs.target systemd-modules-load.service\\nBefore=companion.service",
        "Type=oneshot\\nExecStart=/bin/sh /root/guest_found.sh",
    ),
    "player": (
        "After=companion.service found.service",
        "ExecStart=/usr/bin/python3 -S /root/guest_player.py /host",
    ),
}

_NOT_NEEDED: Final = (
    "systemd-logind.service serial-getty@ttyS0.service systemd-update-utmp.service systemd-sysusers.service "
    "systemd-update-utmp-runlevel.service systemd-user-sessions.service dev-mqueue.mount sys-kernel-tracing.mount"
)
"""Not started, so that the emulated machine is up sooner: none has to do with disk, devices or the companion."""
_CAMERAS: Final = "/etc/modules-load.d/rig.conf"
"""Where the machine is told to have simulated cameras, which nobody looks through here."""


class Round(NamedTuple):
    """From one start to the cut, and what the next start found.

    ``instant``: when it fell. ``at_start``, ``last``, ``found``: lines of the record at the start, when the last answer
    came, and after the cut. ``answered``: how many lines were answered between start and cut. ``torn_bytes``: of a line
    that nobody has seen. ``lost``: lines answered and gone. ``goes_on``: the next press is answered by the same game,
    without a repair. ``seconds``: from the cut to that answer.
    """

    instant: str
    at_start: int
    answered: int
    last: int
    found: int
    torn_bytes: int
    lost: int
    goes_on: bool
    seconds: float


class Answer(NamedTuple):
    """A step whose screen was seen: the game's checksum, its lines, their checksum."""

    game: int
    lines: int
    checksum: int


class PowerCuts:
    """A machine whose power fails while somebody plays."""

    def __init__(self, machine: Machine, seed: int) -> None:
        """The companion is installed; the machine is switched on or off."""
        self.machine = machine
        self.random = Random(seed)
        self.rounds: list[Round] = []
        self.unplayed = 0
        self.repairs = 0
        self._games = 0
        self._at_start = 0
        self._prepare()
        self._start()
        self._wait(lambda: bool(self._answers()), START_SECONDS, "a first game is played")

    def round(self) -> Round:
        """Plays on, cuts the power, starts again and compares; raises Failed where nothing can be played."""
        while not self._plays():
            self.unplayed += 1
            self.machine.powercut()
            self._start()
            self._wait_for_answer()
        instant, answers = self._cut(), self._answers()
        began = time.monotonic()
        at_start = self._at_start
        found = self._start()
        lost = self._lost(answers)
        goes_on = self._wait_for_answer()
        self.repairs += not goes_on
        torn = len(found) - found.rfind(b"\n") - 1
        seconds = time.monotonic() - began
        answered, last = acknowledged(at_start, answers), answers[-1].lines
        done = Round(instant, at_start, answered, last, found.count(b"\n"), torn, lost, goes_on, seconds)
        self.rounds.append(done)
        return done

    def summary(self) -> str:
        """All rounds in a line."""
        answered = sum(each.answered for each in self.rounds)
        lost = sum(each.lost for each in self.rounds)
        return (
            f"{len(self.rounds)} cuts, {answered} lines acknowledged between start and cut, {lost} lines lost, "
            f"{self.unplayed} rounds in which nothing was played (not counted), {self.repairs} repairs needed"
        )

    def _prepare(self) -> None:
        machine = self.machine
        if not machine.is_running():
            machine.up()
        for name in ("guest_player.py", "guest_found.sh"):
            (machine.share / name).write_bytes((HERE / name).read_bytes())
        roll_by_hand(machine)
        machine.run(
            f"systemctl stop companion; rm -f {STATE}/game.*; cp /host/guest_player.py /host/guest_found.sh /root"
        )
        for name, (when, what) in _UNITS.items():
            unit = f"[Unit]\\n{when}\\n[Service]\\n{what}\\n[Install]\\nWantedBy=multi-user.target\\n"
            machine.run(f"printf '{unit}' >{SYSTEM}/{name}.service; systemctl -q enable {name}.service")
        machine.run(f"systemctl -q mask {_NOT_NEEDED}; sed -i '/vivid/d; /v4l2loopback/d' {_CAMERAS}; sync")
        machine.off()

    def end(self) -> None:
        """The machine, which runs, is as it was before."""
        units = " ".join(f"{name}.service" for name in _UNITS)
        self.machine.run(f"systemctl -q disable --now {units} 2>/dev/null; systemctl -q unmask {_NOT_NEEDED}")
        self.machine.run(f"printf 'vivid\\nv4l2loopback\\n' >>{_CAMERAS}")

    def _start(self) -> bytes:
        """Switches on, and lets play as soon as it is known what is left; returns the record found."""
        share = self.machine.share
        for name in ("plan.json", "answered"):
            (share / name).unlink(missing_ok=True)
        old = share / "found"
        if old.exists():
            old.rename(share / f"found-{time.time_ns()}")
        self.machine.switch_on()
        self._wait(old.exists, START_SECONDS, "the machine starts")
        record = old / "game.jsonl"
        found = record.read_bytes() if record.exists() else b""
        self._at_start = found.count(b"\n")
        made = plan(found, STEPS_AHEAD, self._games)
        self._games += any(tap.lines == 1 for tap in made.taps)
        (share / "plan.new").write_bytes(msgspec.json.encode(made))
        (share / "plan.new").rename(share / "plan.json")
        return found

    def _plays(self) -> bool:
        """Waits until some more lines have been answered."""
        enough = len(self._answers()) + self.random.randint(1, MOST_LINES)
        end = time.monotonic() + PLAY_SECONDS
        while len(self._answers()) < enough and time.monotonic() < end and not self._told("end"):
            time.sleep(0.05)
        return bool(self._answers()) and not self._told("end")

    def _cut(self) -> str:
        """Takes the power away at an instant drawn at random; says at which."""
        if self.random.random() < 0.5:
            presses, end = len(self._told("press")), time.monotonic() + PLAY_SECONDS
            while len(self._told("press")) == presses and time.monotonic() < end and not self._told("end"):
                time.sleep(0.01)
            seconds, since = self.random.uniform(0, WRITING_SECONDS), "the press"
        else:
            seconds, since = self.random.uniform(0, ANYWHERE_SECONDS), "an answer"
        time.sleep(seconds)
        self.machine.powercut()
        lines = self._told("press")
        return f"{seconds:.2f} s after {since}; the last press was for line {lines[-1][0] if lines else 0}"

    def _wait_for_answer(self) -> bool:
        try:
            self._wait(lambda: bool(self._answers() or self._told("end")), START_SECONDS, "the game goes on")
        except Failed:
            return False
        return bool(self._answers())

    def _lost(self, answers: list[Answer]) -> int:
        """How many lines that were answered are not there any more, or are others."""
        if not answers:
            return 0
        last = answers[-1]
        kept = self._kept(last.game)
        for answer in reversed(answers):
            same = zlib.crc32(b"".join(kept[: answer.lines])) == answer.checksum
            if answer.game == last.game and len(kept) >= answer.lines and same:
                return last.lines - answer.lines
        return last.lines

    def _kept(self, game: int) -> list[bytes]:
        """The lines of a game's record as the start has found it; none if it is gone."""
        found = self.machine.share / "found"
        for file in (found / "game.jsonl", *found.glob("games/*.jsonl")):
            lines = file.read_bytes().split(b"\n")[:-1] if file.exists() else []
            if lines and zlib.crc32(lines[0]) == game:
                return lines
        return []

    def _answers(self) -> list[Answer]:
        return [Answer(*map(int, words[:3])) for words in self._told("answered")]

    def _told(self, what: str) -> list[list[str]]:
        """What the player in the machine has told of one kind."""
        file = self.machine.share / "answered"
        text = file.read_text() if file.exists() else ""
        return [words for first, *words in map(str.split, text.split("\n")[:-1]) if first == what]

    def _wait(self, until: Callable[[], bool], seconds: float, what: str) -> None:
        end = time.monotonic() + seconds
        while not until():
            if time.monotonic() > end:
                raise Failed(f"{what}: not within {seconds} s")
            time.sleep(0.05)


def roll_by_hand(machine: Machine) -> None:
    """The companion's settings are those that plans are made with."""
    (machine.share / "settings.json").write_bytes(msgspec.json.encode(SETTINGS))
    machine.run(f"install -o companion -g companion -m 640 /host/settings.json {STATE}")


def acknowledged(at_start: int, answers: list[Answer]) -> int:
    """How many lines were answered, of one game or two, after a start with so many."""
    count, lines = 0, at_start
    for answer in answers:
        count += answer.lines - lines if answer.lines > lines else answer.lines
        lines = answer.lines
    return count


def main() -> int:
    """Cuts and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cuts", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = time.monotonic()
    cuts = PowerCuts(Machine(Path(os.environ["RIG_DIR"])), options.seed)
    for number in range(1, options.cuts + 1):
        print(f"cut {number} ({time.monotonic() - began:.0f} s): {cuts.round()}", flush=True)
    print(cuts.summary(), flush=True)
    cuts.end()
    cuts.machine.off()
    return 1 if cuts.repairs or any(done.lost for done in cuts.rounds) else 0


if __name__ == "__main__":
    sys.exit(main())
