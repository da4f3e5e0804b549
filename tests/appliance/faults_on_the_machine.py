"""Faults of all kinds on an emulated Raspberry Pi (`make test-appliance-faults`); each test counts on the one before.

KILLS and PULLS are how many times the service is killed and devices are pulled; fewer are for trying the tests out.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from companion.games.loknroll.settings import own
from companion.games.settings import decode_settings
from tests.appliance.button_people import SETTINGS, plan
from tests.appliance.installed import (
    RECORD,
    install,
    lines,
    play,
    press,
    set_camera,
    still,
    told_of_service,
    wait_for_service,
)
from tests.appliance.machine import STATE, Machine
from tests.appliance.power_cuts import roll_by_hand

KILLS = int(os.environ.get("KILLS", "300"))
PULLS = int(os.environ.get("PULLS", "100"))
GOOD = b'{"real_dice":true}'
"""Settings that plans can be made with, and no longer: each of their bits costs a start."""
ROUND_SECONDS = 400.0
DISPLAY = "/sys/module/rig_oled/parameters/present"
CAMERA = "/sys/bus/platform/drivers/vivid"
DOTS = "/sys/kernel/debug/rig_oled/gddram"
LEARNING_SECONDS = 180.0
"""The eye takes so long to learn the cards, on an emulated machine."""
LOOKS = 8
DISK = "/root/state.img"
DISK_BYTES = 8_000_000


def test_it_is_installed_and_a_game_is_begun(machine: Machine) -> None:
    if not os.environ.get("INSTALLED"):
        assert "installed and running" in install(machine)
    set_camera(machine, "none")
    roll_by_hand(machine)
    play(machine, 3)


def test_killed_at_any_moment_and_with_any_bit_of_its_settings_flipped_it_is_up_again(machine: Machine) -> None:
    assert own(decode_settings(GOOD)) == own(SETTINGS)
    assert decode_settings(GOOD).language == SETTINGS.language
    told = _Kills(machine).run(_rounds(8 * len(GOOD)))
    seconds = sorted(each["seconds"] for each in told)
    print(
        f"{sum(each['kills'] for each in told)} kills, {sum(each['early'] for each in told)} of them in a start, "
        f"{told[-1]['restarts']} restarts; "
        f"{sum(each['bit'] is not None for each in told)} of {8 * len(GOOD)} bits flipped; "
        f"{sum(each['answered'] for each in told)} lines answered, none lost; "
        f"up again after {seconds[len(seconds) // 2]} s, at most {seconds[-1]} s"
    )
    roll_by_hand(machine)
    play(machine, 1)


def _rounds(bits: int) -> list[tuple[int | None, int]]:
    """Which bit is flipped, or none, and how many starts are killed before one is let be: all in all KILLS kills."""
    random = Random(1)
    flips: list[int | None] = [*range(bits), *[None] * (bits // 3)]
    random.shuffle(flips)
    flips = flips[: KILLS * 2 // 3]
    early = [0] * len(flips)
    for _ in range(KILLS - len(flips)):
        early[random.randrange(len(flips))] += 1
    return list(zip(flips, early, strict=True))


class _Kills:
    """Kills that a program in the machine makes; what it needs is brought, what it tells is judged."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._folder = machine.share / "kills"
        self._games = 0

    def run(self, rounds: list[tuple[int | None, int]]) -> list[dict[str, Any]]:
        """What was told of each round; the first that is not as it should be fails."""
        self._begin(rounds)
        told: list[dict[str, Any]] = []
        end = time.monotonic() + ROUND_SECONDS
        while len(told) < len(rounds):
            assert time.monotonic() < end, self._machine.run("journalctl -u kills -u companion -n 60 --no-pager")
            self._plan()
            file = self._folder / "told"
            new = file.read_text().split("\n")[len(told) : -1] if file.exists() else []
            for line in new:
                print(line, flush=True)
                done = json.loads(line)
                assert done["is_up"], line
                assert done["is_kept"], line
                assert done.get("goes_on", True), line
                told.append(done)
                end = time.monotonic() + ROUND_SECONDS
            time.sleep(0.05)
        return told

    def _begin(self, rounds: list[tuple[int | None, int]]) -> None:
        self._machine.run(
            "systemctl stop kills 2>/dev/null; systemctl reset-failed kills 2>/dev/null; rm -rf /host/kills; true"
        )
        self._folder.mkdir()
        orders = {"settings": GOOD.decode(), "rounds": rounds, "seed": 1}
        (self._folder / "orders.json").write_text(json.dumps(orders))
        self._machine.run("systemd-run -q --unit=kills python3 -S /host/guest_kills.py /host/kills")

    def _plan(self) -> None:
        """What to press, where somebody in the machine waits for it."""
        found = self._folder / "found.jsonl"
        if not found.exists():
            return
        made = plan(found.read_bytes(), 3, self._games)
        found.unlink()
        self._games += any(tap.lines == 1 for tap in made.taps)
        (self._folder / "plan.new").write_bytes(msgspec.json.encode(made))
        (self._folder / "plan.new").rename(self._folder / "plan.json")


@pytest.fixture
def own_disk(machine: Machine) -> Iterator[str]:
    """The state folder lies on a small disk of its own; its name in /sys."""
    machine.run(
        f"set -e; systemctl stop companion; truncate -s {DISK_BYTES} {DISK}; mkfs.ext4 -q -F {DISK};"
        f"mount -o loop {DISK} /mnt; rmdir /mnt/lost+found; cp -a {STATE}/. /mnt;"
        f"chown companion:companion /mnt; chmod 750 /mnt; umount /mnt;"
        f"mount -o loop,errors=remount-ro {DISK} {STATE}; systemctl start companion"
    )
    yield machine.run(f"basename $(findmnt -n -o SOURCE {STATE})").strip()
    # What was played there goes on where the folder lies usually.
    machine.run(
        f"set -e; systemctl stop companion; mkdir /root/kept; cp -a {STATE}/. /root/kept; umount {STATE};"
        f"cp -a /root/kept/. {STATE}; rm -rf /root/kept {DISK}; systemctl start companion"
    )


def _is_told(told: str) -> bool:
    """Whether the first press without an answer has brought something else to the screen."""
    lost = [line.split() for line in told.splitlines() if line.startswith("lost")]
    return bool(lost) and lost[0].index("not") > lost[0].index("saw") + 1


def _press_until_told(machine: Machine, most: int) -> None:
    """The service, started again each time, goes on with the game until a step cannot be kept; the screen says so."""
    for _ in range(most):
        machine.run("systemctl restart companion")
        wait_for_service(machine)
        process, record = told_of_service(machine, "MainPID"), machine.run(f"cat {RECORD}")
        told = press(machine, 1)
        assert told_of_service(machine, "MainPID") == process
        now = machine.run(f"cat {RECORD}")
        if now == record:
            assert _is_told(told), told
            return
        assert now.startswith(record)
        print(f"a step was kept: {lines(machine)} lines", flush=True)
    raise AssertionError(f"{most} steps were kept on such a disk")


def test_a_disk_that_turns_read_only_is_told_and_the_game_goes_on_after_it(machine: Machine, own_disk: str) -> None:
    play(machine, 1)
    machine.run("systemctl restart companion")
    wait_for_service(machine)
    process, record = told_of_service(machine, "MainPID"), machine.run(f"cat {RECORD}")
    # As the kernel does with a disk that fails; an ordinary mount refuses while the record is open.
    machine.run(f"echo 1 >/sys/fs/ext4/{own_disk}/trigger_fs_error")
    assert not machine.succeeds(f"touch {STATE}/file")
    told = press(machine, 1)
    assert _is_told(told), told
    assert told_of_service(machine, "MainPID") == process
    # After a start it is told before anybody presses a button.
    machine.run("systemctl restart companion")
    wait_for_service(machine)
    still(machine)
    # The step that was refused may be in memory still; on the disk it is not.
    found = machine.run(f"cat {RECORD}")
    assert found.startswith(record)
    shown = machine.run(f'python3 -S -c \'import zlib; print(zlib.crc32(open("{DOTS}", "rb").read()))\'')
    assert int(shown) not in plan(found.encode(), 1).start
    # Back, as with the next start of the machine.
    machine.run(
        f"systemctl stop companion; umount {STATE}; e2fsck -fy {DISK}; mount -o loop {DISK} {STATE} &&"
        "systemctl start companion"
    )
    play(machine, 1)
    assert machine.run(f"cat {RECORD}").startswith(record)


def test_a_disk_that_is_full_is_told_and_the_game_goes_on_after_it(machine: Machine, own_disk: str) -> None:
    play(machine, 1)
    record = machine.run(f"cat {RECORD}")
    for size in ("64k", "1k", "1"):
        machine.succeeds(f"dd if=/dev/zero of={STATE}/fill-{size} bs={size} status=none; sync")
    print(machine.run(f"df {STATE} | tail -1").strip())
    # What is left of the record's last block takes some lines still.
    _press_until_told(machine, 12)
    machine.run(f"rm {STATE}/fill-*")
    play(machine, 1)
    assert machine.run(f"cat {RECORD}").startswith(record)


def test_camera_and_display_are_pulled_again_and_again_and_the_game_is_on_the_screen(machine: Machine) -> None:
    set_camera(machine, "usb", width=320, height=180)
    machine.run("systemctl restart companion")
    wait_for_service(machine)
    machine.wait(lambda: _has_camera_open(machine), 120, "the camera is looked through")
    time.sleep(LEARNING_SECONDS)
    before = _settled(machine)
    process, memory = told_of_service(machine, "MainPID"), told_of_service(machine, "MemoryCurrent")
    restarts, record = told_of_service(machine, "NRestarts"), machine.run(f"cat {RECORD}")
    random, pulled_open = Random(1), 0
    for number in range(1, PULLS + 1):
        what = random.choice(("camera", "display", "both"))
        seconds = random.uniform(10, 25) if number % 10 == 0 else random.uniform(0.2, 4)
        was_open, *told = _pull(machine, process, what, seconds)
        pulled_open += what != "display" and was_open == "open"
        print(f"pull {number}: {what} for {seconds:.1f} s; {was_open} {' '.join(told)}", flush=True)
        assert {"ActiveState=active", f"MainPID={process}", f"NRestarts={restarts}"} <= set(told)
        time.sleep(random.uniform(0, 3))
    machine.wait(lambda: _has_camera_open(machine), 120, "the camera is looked through again")
    machine.wait(lambda: machine.screen().tobytes() == before, 180, "the same screen as before")
    assert _settled(machine) == before
    print(
        f"{PULLS} pulls, {pulled_open} of them of a camera that was looked through; "
        f"memory {int(memory) / 1e6:.0f} MB before, {int(told_of_service(machine, 'MemoryCurrent')) / 1e6:.0f} MB after"
    )
    assert machine.run(f"cat {RECORD}") == record
    set_camera(machine, "none")
    play(machine, 1)


def _settled(machine: Machine) -> bytes:
    """What the display shows when it has shown nothing else for a while, in which the camera was looked through."""
    shown = still(machine).tobytes()
    for _ in range(LOOKS):
        time.sleep(5)
        now = machine.screen().tobytes()
        if now != shown:
            return _settled(machine)
    return shown


def _has_camera_open(machine: Machine) -> bool:
    return machine.run(_open_or_not(told_of_service(machine, "MainPID"))).strip() == "open"


def _open_or_not(process: str) -> str:
    return f"ls -l /proc/{process}/fd | grep -q '/dev/video[0-9]*$' && echo open || echo closed"


def _pull(machine: Machine, process: str, what: str, seconds: float) -> list[str]:
    """Camera, display or both are gone for so long; whether the camera was open, and how the service is after it."""
    gone, back = [], []
    if what != "camera":
        gone.append(f"echo N >{DISPLAY}")
        back.append(f"echo Y >{DISPLAY}")
    if what != "display":
        gone.append(f"echo vivid.0 >{CAMERA}/unbind")
        back.append(f"echo vivid.0 >{CAMERA}/bind")
    show = "systemctl show -p ActiveState,MainPID,NRestarts,MemoryCurrent companion"
    return machine.run("; ".join([_open_or_not(process), *gone, f"sleep {seconds:.2f}", *back, show])).split()
