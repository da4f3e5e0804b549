"""Another version under a real systemd, put in, refused and cut off; then a fresh memory card.

The companion is installed on the machine already.
``INSTALLED=1 pytest -s -v -p no:cacheprovider tests/appliance/upgrades_on_the_machine.py``: about half an hour.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from typing import Final

import pytest

from tests.appliance.installed import RECORD, install, lines, play, still, wait_for_service
from tests.appliance.machine import PROGRAM, STATE, Machine
from tests.appliance.supplies import bring_checkout

UPGRADE_SECONDS: Final = 400.0
HOME: Final = "/opt/companion"
GOOD, DEAD = "0.1.1", "0.1.2"
"""A version that runs, and one that can be imported and ends as soon as it is to show something."""
DIES: Final = "\n\nraise SystemExit('this version does not come up')\n"


@pytest.fixture(scope="module", autouse=True)
def versions(machine: Machine) -> None:
    """The machine has this checkout, and wheels of two more versions lie there."""
    bring_checkout(machine)
    for version in (GOOD, DEAD):
        made = machine.share / "made"
        shutil.rmtree(made, ignore_errors=True)
        shutil.copytree(machine.share / "checkout", made)
        project = made / "pyproject.toml"
        project.write_text(project.read_text().replace('version = "0.1.0"', f'version = "{version}"'))
        if version == DEAD:
            # Not imported before a session begins.
            module = made / "companion/device/between_games/load_question.py"
            module.write_text(module.read_text() + DIES)
        command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-index", "--no-deps", "--no-build-isolation"]
        subprocess.run([*command, "-w", machine.share / "dist", made], check=True, timeout=600)
    print(install(machine))


def version(machine: Machine) -> str:
    """The one that is in place."""
    code = "import importlib.metadata as m; print(m.version('table-companion'))"
    return machine.run(f'{HOME}/current/bin/python -I -c "{code}"').strip()


def ask(machine: Machine, what: str) -> None:
    """As the service asks."""
    wheel = f"/host/dist/table_companion-{what}-py3-none-any.whl"
    if what != "back":
        machine.run(f"install -o companion -g companion -m 600 {wheel} {STATE}/.wheel")
    asks = f"ask_for(Path('{STATE}/.wheel'), folder)" if what != "back" else "ask_for_version_before(folder)"
    code = (
        "from pathlib import Path;"
        "from companion.device.between_games.keeping.upgrading import ask_for, ask_for_version_before;"
        f"folder = Path('{STATE}'); {asks}"
    )
    machine.run(f'cd /run && runuser -u companion -- {HOME}/current/bin/python -I -c "{code}"')


def told(machine: Machine) -> str:
    return machine.run(f"cat {STATE}/upgrade/told 2>/dev/null || true").strip()


def is_over(machine: Machine) -> bool:
    """Whether the last request was answered, and nothing is left to do."""
    return bool(told(machine)) and not machine.succeeds(
        f"test -e {STATE}/upgrade/wanted -o -L {HOME}/fallback || systemctl is-active -q companion-upgrade.service ||"
        " systemctl show -p ActiveState --value companion-upgrade.service | grep -q activating"
    )


def wait_until_over(machine: Machine) -> str:
    machine.wait(lambda: is_over(machine), UPGRADE_SECONDS, "the request is answered")
    wait_for_service(machine)
    return told(machine)


def test_the_new_version_runs_with_the_game_and_the_old_one_is_kept(machine: Machine) -> None:
    wait_for_service(machine)
    play(machine, 2)
    machine.run("systemctl restart companion")
    record, screen = machine.run(f"cat {RECORD}"), still(machine)
    ask(machine, GOOD)
    assert wait_until_over(machine) == "installed"
    assert version(machine) == GOOD
    assert machine.run(f"cat {RECORD}") == record
    machine.wait(lambda: machine.screen().tobytes() == screen.tobytes(), 60, "the same screen as before")
    assert machine.run(f"ls -d {HOME}/version-* | wc -l").strip() == "2"
    assert not machine.succeeds(f"test -e {STATE}/upgrade/new.whl")


def test_one_that_does_not_come_up_gives_way_to_the_old_one(machine: Machine) -> None:
    ask(machine, DEAD)
    assert wait_until_over(machine) == "does-not-start"
    assert version(machine) == GOOD


def test_one_that_does_not_come_up_after_a_cut_gives_way_to_the_old_one(machine: Machine) -> None:
    count = lines(machine)
    ask(machine, DEAD)
    machine.wait(lambda: version(machine) == DEAD, UPGRADE_SECONDS, "it is in place")
    machine.powercut()
    machine.up()
    assert wait_until_over(machine) in {"does-not-start", "cut-off"}
    assert version(machine) == GOOD
    assert lines(machine) == count


def test_one_that_comes_up_after_a_cut_is_kept(machine: Machine) -> None:
    ask(machine, "back")
    machine.wait(lambda: version(machine) == "0.1.0", UPGRADE_SECONDS, "it is in place")
    time.sleep(3)
    machine.powercut()
    machine.up()
    assert wait_until_over(machine) == "went-back"
    assert version(machine) == "0.1.0"


@pytest.mark.parametrize("seconds", [1, 6, 15, 30, 50])
def test_whenever_the_power_is_cut_a_whole_version_runs(machine: Machine, seconds: int) -> None:
    before = version(machine)
    ask(machine, GOOD)
    time.sleep(seconds)
    machine.powercut()
    machine.up()
    word = wait_until_over(machine)
    print(f"cut after {seconds} s: {word}, {version(machine)} runs", flush=True)
    assert (word, version(machine)) in {("cut-off", before), ("installed", GOOD)}
    if version(machine) == GOOD:
        ask(machine, "back")
        assert wait_until_over(machine) == "went-back"


def test_what_was_saved_is_the_first_question_on_a_fresh_card_and_the_game_goes_on(machine: Machine) -> None:
    play(machine, 2)
    machine.run("systemctl restart companion")
    record, screen = machine.run(f"cat {RECORD}"), still(machine)
    saved = "/boot/firmware/companion-backup.zip"
    machine.run(
        f"systemctl stop companion; mkdir -p /boot/firmware; rm -f {saved};"
        f"{PROGRAM} backup {saved} --state {STATE} --devices /etc/companion/devices.toml;"
        f"rm -rf /root/old; mv {STATE} /root/old; systemctl start companion"
    )
    asked = still(machine)
    assert asked.tobytes() != screen.tobytes()
    machine.tap("roll")
    machine.wait(lambda: machine.succeeds(f"cmp -s {RECORD} /root/old/game.jsonl"), 120, "it is loaded")
    wait_for_service(machine)
    machine.wait(lambda: machine.screen().tobytes() == screen.tobytes(), 120, "the same screen as before")
    assert machine.run("systemctl show -p ExecMainStatus,Result --value companion").split() == ["success", "0"]
    assert machine.run(f"cat {RECORD}") == record
    machine.run(f"rm -rf /root/old {saved}")
    play(machine, 1)
