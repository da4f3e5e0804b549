"""The unit as systemd reads it: clean, shut in, and with the devices within reach."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.commands.run import BEGINS_ANEW, SWITCHED_OFF
from companion.web.addresses import THIS_MACHINE, USUAL_PORT

SYSTEMD = Path(__file__).parents[2] / "systemd"
UNIT = SYSTEMD / "companion.service"
MOST_EXPOSED = 1.0
MOST_EXPOSED_TO_A_NETWORK = 1.5

needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The unit with a program that is there."""
    program = Path(sys.executable).with_name("companion")
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text().replace("/opt/companion/current/bin/companion", str(program)))
    return unit


@needs_systemd
def test_systemd_has_nothing_to_say_against_it(installed: Path) -> None:
    told = subprocess.run(["systemd-analyze", "verify", installed], capture_output=True, text=True, check=False)
    about_it = [line for line in told.stderr.splitlines() if UNIT.name in line]
    assert about_it == []
    assert told.returncode == 0


@needs_systemd
@pytest.mark.parametrize("is_open", [False, True])
def test_systemd_has_nothing_to_say_against_the_pages_socket(installed: Path, *, is_open: bool) -> None:
    unit = installed.with_name("companion.socket")
    unit.write_text((SYSTEMD / unit.name).read_text())
    if is_open:
        opened = installed.with_name("companion.socket.d") / "home-network.conf"
        opened.parent.mkdir()
        opened.write_text((SYSTEMD / opened.name).read_text())
    told = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert [line for line in told.stderr.splitlines() if "companion.s" in line or "home-network" in line] == []
    assert told.returncode == 0


def test_by_default_the_page_is_for_this_machine_alone() -> None:
    text = (SYSTEMD / "companion.socket").read_text()
    assert [line for line in text.splitlines() if line.startswith(("ListenStream", "IPAddress"))] == [
        f"ListenStream={THIS_MACHINE}:{USUAL_PORT}",
        "IPAddressDeny=any",
        "IPAddressAllow=localhost",
    ]
    assert "--page socket" in UNIT.read_text()


@needs_systemd
def test_it_is_shut_in(installed: Path) -> None:
    command = ["systemd-analyze", "security", "--offline=true", f"--threshold={int(10 * MOST_EXPOSED)}", installed]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout.splitlines()[-1]


@needs_systemd
def test_what_may_open_lines_to_a_network_is_shut_in_and_sees_nothing_of_the_companion(tmp_path: Path) -> None:
    unit = tmp_path / "companion-newer.service"
    program = Path(sys.executable).with_name("companion")
    text = (SYSTEMD / "newer" / unit.name).read_text()
    unit.write_text(text.replace("/opt/companion/current/bin/companion", str(program)))
    for words in (["verify"], ["security", "--offline=true", f"--threshold={int(10 * MOST_EXPOSED_TO_A_NETWORK)}"]):
        told = subprocess.run(["systemd-analyze", *words, unit], capture_output=True, text=True, check=False)
        assert told.returncode == 0, told.stdout + told.stderr
        assert unit.name not in told.stderr
    assert "TemporaryFileSystem=/var/lib/companion:ro\nBindPaths=/var/lib/companion/newer\n" in text


def test_one_that_grows_or_hangs_cannot_stop_the_machine() -> None:
    lines = dict(line.split("=", 1) for line in UNIT.read_text().splitlines() if "=" in line and line[0] != "#")
    assert lines["MemoryMax"] == "320M"
    assert int(lines.get("OOMScoreAdjust", "0")) >= 0
    assert int(lines["WatchdogSec"]) <= 30


def test_it_starts_again_where_something_was_loaded_and_stays_off_where_people_switched_it_off() -> None:
    lines = dict(line.split("=", 1) for line in UNIT.read_text().splitlines() if "=" in line and line[0] != "#")
    assert lines["RestartForceExitStatus"] == str(BEGINS_ANEW)
    assert lines["SuccessExitStatus"].split() == [str(SWITCHED_OFF), str(BEGINS_ANEW)]
    assert f"!= {SWITCHED_OFF} " in lines["ExecStopPost"]


@pytest.mark.parametrize("script", ["install.sh", "uninstall.sh"])
def test_the_scripts_can_be_read_and_ask_for_root(script: str) -> None:
    subprocess.run(["sh", "-n", SYSTEMD / script], check=True)
    if shutil.which("setpriv") is None:
        pytest.skip("setpriv is not installed")
    nobody = ["setpriv", "--reuid=65534", "--clear-groups"]
    text = (SYSTEMD / script).read_text()
    told = subprocess.run([*nobody, "sh", "-s"], input=text, capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert "sudo" in told.stderr
