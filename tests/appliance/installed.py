"""The companion on the emulated machine: how it is installed, whether its service is up, and games with its buttons."""

from __future__ import annotations

import time
from typing import Final

import msgspec
from PIL import Image

from tests.appliance.button_people import plan
from tests.appliance.machine import STATE, SYSTEM, Machine
from tests.appliance.power_cuts import roll_by_hand

INSTALL: Final = 'cd /host/checkout && make install WHEELS="/host/the wheels"'
RECORD: Final = f"{STATE}/game.jsonl"


def install(machine: Machine) -> str:
    """Installs it without a camera, with settings that plans are made with; returns what the installation has told."""
    machine.run(
        # The machine pretends to be a Raspberry Pi by a mount that no sandbox with a /proc of its own would see.
        f"mkdir -p {SYSTEM}/companion.service.d;"
        f"printf '[Service]\\nBindReadOnlyPaths=/run/cpuinfo:/proc/cpuinfo\\n' >{SYSTEM}/companion.service.d/rig.conf"
    )
    told = machine.run(INSTALL, seconds=3000)
    set_camera(machine, "none")
    roll_by_hand(machine)
    return told


def set_camera(machine: Machine, kind: str, **sizes: int) -> None:
    """From its next start on the companion has this camera, as its devices' settings call it."""
    told = "".join(f"{name} = {value}\n" for name, value in sizes.items())
    (machine.share / "devices.toml").write_text(f'[camera]\nkind = "{kind}"\n{told}')
    machine.run("cp /host/devices.toml /etc/companion")


def wait_for_service(machine: Machine) -> None:
    machine.wait(lambda: machine.succeeds("systemctl is-active -q companion"), 90, "the service is up")


def told_of_service(machine: Machine, name: str) -> str:
    """A property of the service, as systemd calls it."""
    return machine.run(f"systemctl show -p {name} --value companion").strip()


def lines(machine: Machine) -> int:
    return int(machine.run(f"cat {RECORD} 2>/dev/null | wc -l"))


def still(machine: Machine) -> Image.Image:
    """What the display shows once it has stood still for a while."""
    shown = machine.screen()
    while True:
        time.sleep(4)
        now = machine.screen()
        if now.tobytes() == shown.tobytes():
            return now
        shown = now


def press(machine: Machine, more: int) -> str:
    """Presses what makes the record so many lines longer, in a program just started; returns what the player told."""
    found = machine.run(f"cat {RECORD} 2>/dev/null || true").encode()
    (machine.share / "plan.json").write_bytes(msgspec.json.encode(plan(found, more)))
    (machine.share / "answered").unlink(missing_ok=True)
    machine.run("python3 -S /host/guest_player.py /host", seconds=400)
    return (machine.share / "answered").read_text()


def play(machine: Machine, more: int) -> None:
    """The program is started again, and a game is played with the buttons until its record is so many lines longer."""
    machine.run("systemctl restart companion")
    before = lines(machine)
    told = press(machine, more)
    assert lines(machine) >= before + more, told
