"""The companion on an emulated Raspberry Pi with real systemd (`make test-appliance`); each test builds on the last."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import pytest

from tests.appliance.installed import INSTALL, RECORD, install, play, still, wait_for_service
from tests.appliance.machine import PROGRAM, STATE, SYSTEM, Machine
from tests.appliance.power_cuts import PowerCuts

FIRST_SCREEN_SECONDS = 20.0
WHEEL = "/host/dist/table_companion-*.whl"
DOTS = "/sys/kernel/debug/rig_oled/gddram"


def goodbye(machine: Machine) -> bytes:
    """The last screen of the installed program."""
    code = (
        "from companion.games.settings import Settings; from companion.texts.language import Texts;"
        "from companion.screen import draw; from companion.screen.screen import Screen;"
        "say = Texts(Settings().language);"
        "screen = Screen(main=say('run.goodbye'), lines=(say('run.stopped'),));"
        "print(draw(screen).tobytes().hex())"
    )
    environment = {**os.environ, "PYTHONPATH": str(machine.share / "checkout")}
    command = [sys.executable, "-c", code]
    told = subprocess.run(command, capture_output=True, text=True, check=True, env=environment, cwd=machine.share)
    return bytes.fromhex(told.stdout)


def test_an_installation_that_is_cut_short_leaves_nothing_half_installed(machine: Machine) -> None:
    machine.run(f"systemd-run -q --unit=install sh -c '{INSTALL}'")
    machine.wait(lambda: machine.succeeds("ls -d /opt/companion/version-*/lib"), 600, "the program is being installed")
    machine.run("systemctl kill -s KILL install; systemctl stop install 2>/dev/null || true")
    assert not machine.succeeds(f"test -e {SYSTEM}/companion.service -o -e /opt/companion/current")
    assert not machine.succeeds("command -v companion")


def test_it_is_installed(machine: Machine) -> None:
    told = install(machine)
    assert "installed and running" in told
    assert machine.run("ls -d /opt/companion/version-* | wc -l").strip() == "1"


def test_the_first_screen_comes_after_a_restart(machine: Machine) -> None:
    unit = "[Service]\\nExecStart=python3 -S /root/guest_watch.py\\n[Install]\\nWantedBy=sysinit.target\\n"
    machine.run(
        f"cp /host/guest_watch.py /root; rm -f /root/seen {RECORD};"
        f"printf '{unit}' >{SYSTEM}/watch.service; systemctl daemon-reload; systemctl -q enable watch; sync"
    )
    machine.off()
    machine.up()
    wait_for_service(machine)
    # The list of games stands still, and answers.
    time.sleep(5)
    first = machine.run(f'python3 -c \'import zlib; print(zlib.crc32(open("{DOTS}", "rb").read()))\'').strip()
    listed = still(machine)
    machine.tap("down")
    machine.wait(lambda: machine.screen().tobytes() != listed.tobytes(), 30, "a button is answered")
    seen = [line.split() for line in machine.run("cat /root/seen; systemctl disable -q --now watch").splitlines()]
    at = next(float(when) for when, checksum in seen if checksum == first)
    started = machine.run("systemctl show -p ExecMainStartTimestampMonotonic --value companion")
    seconds = at - float(started) / 1e6
    print(f"first screen {seconds:.1f} s after the service's start, {at:.1f} s after the machine's")
    assert 0 < seconds < FIRST_SCREEN_SECONDS


def test_the_service_is_shut_in_and_its_unit_is_clean(machine: Machine) -> None:
    assert not machine.run("systemd-analyze verify companion.service").strip()
    exposure = machine.run("systemd-analyze security --no-pager companion.service").splitlines()[-1]
    print(exposure)
    assert float(exposure.split(":")[1].split()[0]) <= 1.0


def test_the_doctor_finds_all_parts_as_the_services_user(machine: Machine) -> None:
    machine.run("systemctl stop companion")
    try:
        told = machine.run(f"cd /run && runuser -u companion -- {PROGRAM} doctor --json || true")
        verdicts = {finding["part"]: finding["verdict"] for finding in json.loads(told)["findings"]}
        parts = ("settings", "permissions", "pins", "i2c", "screen", "disk")
        assert {verdicts[part] for part in parts} == {"good"}, told
        for parameter, wrong, right, code in (("present", "N", "Y", "screen-silent"), ("stuck", "Y", "N", "i2c-stuck")):
            machine.run(f"echo {wrong} >/sys/module/rig_oled/parameters/{parameter}")
            told = machine.run(f"cd /run && {PROGRAM} doctor --json || true")
            machine.run(f"echo {right} >/sys/module/rig_oled/parameters/{parameter}")
            assert code in {finding["code"] for finding in json.loads(told)["findings"]}, told
    finally:
        machine.run("systemctl start companion")


@pytest.mark.parametrize("way", ["SIGKILL", "SIGTERM"])
def test_a_game_goes_on_after_its_program_was_ended(machine: Machine, way: str) -> None:
    wait_for_service(machine)
    play(machine, 3)
    # A card that is only half entered is not part of the game: after a restart nothing is.
    machine.run("systemctl restart companion")
    record, screen = machine.run(f"cat {RECORD}"), still(machine)
    restarts = int(machine.run("systemctl show -p NRestarts --value companion"))
    if way == "SIGKILL":
        machine.run("systemctl kill -s KILL companion")
        machine.wait(
            lambda: int(machine.run("systemctl show -p NRestarts --value companion")) > restarts, 60, "it is restarted"
        )
    else:
        machine.run("systemctl stop companion")
        assert machine.screen().tobytes() == goodbye(machine)
        machine.run("systemctl start companion")
    wait_for_service(machine)
    machine.wait(lambda: machine.screen().tobytes() == screen.tobytes(), 60, "the same screen as before")
    assert machine.run(f"cat {RECORD}") == record


def test_a_loop_that_stands_still_is_restarted_by_the_watchdog(machine: Machine) -> None:
    wait_for_service(machine)
    record = machine.run(f"cat {RECORD}")
    process = machine.run("systemctl show -p MainPID --value companion").strip()
    machine.run(f"systemd-run -q --unit=wedge python3 /host/guest_wedge.py {process}")
    machine.wait(lambda: machine.succeeds("journalctl -u companion | grep -q 'Watchdog timeout'"), 120, "the watchdog")
    machine.wait(
        lambda: machine.run("systemctl show -p MainPID --value companion").strip() not in {process, "0"},
        120,
        "another process",
    )
    wait_for_service(machine)
    assert machine.run(f"cat {RECORD}") == record
    play(machine, 1)


def test_a_screen_that_was_unplugged_shows_the_game_again(machine: Machine) -> None:
    machine.run("systemctl restart companion")
    before = still(machine)
    machine.run("echo N >/sys/module/rig_oled/parameters/present")
    time.sleep(5)
    machine.run("echo Y >/sys/module/rig_oled/parameters/present")
    machine.wait(lambda: machine.screen().tobytes() == before.tobytes(), 60, "the same screen as before")


def test_held_buttons_switch_the_machine_off_and_the_game_is_there_again(machine: Machine) -> None:
    record = machine.run(f"cat {RECORD}")
    machine.run("for line in 6 26; do rig-devices gpio $line press; done")
    end = time.monotonic() + 180
    while machine.is_running() and time.monotonic() < end:
        time.sleep(1)
    assert not machine.is_running()
    machine.up()
    wait_for_service(machine)
    assert machine.run(f"cat {RECORD}").startswith(record)


def test_the_power_is_cut_again_and_again_and_nothing_answered_is_lost(machine: Machine) -> None:
    cuts = PowerCuts(machine, seed=1)
    for number in range(1, int(os.environ.get("CUTS", "50")) + 1):
        done = cuts.round()
        print(f"cut {number}: {done}", flush=True)
        assert not done.lost
        assert done.goes_on
    print(cuts.summary())
    assert all(done.answered for done in cuts.rounds)
    wait_for_service(machine)
    cuts.end()


def test_an_upgrade_from_a_wheel_keeps_settings_and_games(machine: Machine) -> None:
    kept = f"cat /etc/companion/devices.toml; cat {STATE}/*.jsonl"
    before = machine.run(kept)
    machine.run(f"rm -rf /root/unpacked; python3 -m zipfile -e {WHEEL} /root/unpacked")
    script = "/root/unpacked/*.data/data/share/companion/install.sh"
    machine.run(f"WHEELS='/host/the wheels' sh {script} {WHEEL}", seconds=3000)
    assert machine.run(kept) == before
    assert machine.run("ls -d /opt/companion/version-* | wc -l").strip() == "1"


def test_the_games_outlive_the_companion(machine: Machine) -> None:
    games = machine.run(f"cat {STATE}/*.jsonl")
    machine.run("cd /host/checkout && make uninstall")
    assert not machine.succeeds(
        f"test -e {SYSTEM}/companion.service -o -e /opt/companion -o -e /usr/local/bin/companion"
    )
    assert machine.run(f"cat {STATE}/*.jsonl") == games
