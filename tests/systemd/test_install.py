"""The script that installs, in a system in which nothing is really changed: what it asks for, and when it refuses."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
INSIDE: Final = """
mount -t tmpfs opt /opt && mount -t tmpfs run /run && mkdir -p /run/systemd/system || exit 99
"$0"; status=$?
echo "left: $(ls -A /opt/companion 2>/dev/null | grep -v '^.lock$' | tr '\\n' ' ')"
exit $status
"""
PYTHON: Final = """#!/bin/sh
[ "$1 $2" = "-m venv" ] || exit 0
mkdir -p "$4/bin" && cp "$STUBS/pip" "$STUBS/companion" "$4/bin" && cp "$STUBS/inner-python" "$4/bin/python"
"""
PIP: Final = """#!/bin/sh
{ echo "in $TMPDIR"; for word; do echo "$word"; done; } >>"$STUBS/asked"
[ -d "$TMPDIR" ] && [ -e "$STUBS/pip-works" ]
"""
INNER_PYTHON: Final = """#!/bin/sh
case "$2" in *picamera2*) echo 'numpy.dtype size changed' >&2; exit 1;; esac
"""
NOTHING: Final = "#!/bin/sh\n"
FAILS: Final = "#!/bin/sh\nexit 1\n"


class System:
    """Programs that only look like those of a system, before the real ones."""

    def __init__(self, folder: Path) -> None:
        self.stubs = folder / "stubs"
        self.stubs.mkdir()
        self.program("python3", PYTHON)
        self.program("pip", PIP)
        self.program("inner-python", INNER_PYTHON)
        self.program("companion", NOTHING)
        self.program("dpkg", NOTHING)
        self.program("apt-get", FAILS)

    def program(self, name: str, text: str) -> None:
        (self.stubs / name).write_text(text)
        (self.stubs / name).chmod(0o755)

    def install(self, **environment: str) -> subprocess.CompletedProcess[str]:
        if os.geteuid() != 0 or shutil.which("unshare") is None:
            pytest.skip("a system in a system needs root, and unshare")
        told = subprocess.run(
            ["unshare", "--mount", "sh", "-c", INSIDE, ROOT / "systemd/install.sh"],
            env={**os.environ, "PATH": f"{self.stubs}:{os.environ['PATH']}", "STUBS": str(self.stubs), **environment},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if told.returncode == 99 or "unshare failed" in told.stderr:
            pytest.skip(f"nothing can be mounted here: {told.stderr}")
        return told

    @property
    def asked(self) -> str:
        return (self.stubs / "asked").read_text() if (self.stubs / "asked").exists() else ""


@pytest.fixture
def system(tmp_path: Path) -> System:
    return System(tmp_path)


def test_32_bits_are_refused_before_anything_is_done(system: System) -> None:
    system.program("getconf", "#!/bin/sh\necho 32\n")
    told = system.install()
    assert told.returncode == 1
    assert "64-bit" in told.stderr
    assert told.stderr.count("\n") == 1
    assert told.stdout == "left: \n"


def test_pip_takes_what_the_lock_names_and_unpacks_it_on_the_disk(system: System) -> None:
    told = system.install()
    assert told.returncode == 1
    assert "nothing has been changed" in told.stderr
    assert told.stdout.endswith("left: \n")
    where, *words = system.asked.splitlines()
    assert where.startswith("in /opt/companion/version-")
    assert words == [
        "install", "-q", "--no-cache-dir", "--require-hashes", "--only-binary", ":all:",
        "-r", str(ROOT / "systemd/locks/appliance.txt"),
    ]  # fmt: skip


def test_a_folder_of_wheels_may_have_spaces_in_its_name(system: System) -> None:
    system.install(WHEELS="/a folder/of  wheels")
    assert "--no-index\n--find-links\n/a folder/of  wheels\n-r\n" in system.asked


def test_a_camera_that_would_not_work_any_more_is_not_installed(system: System) -> None:
    (system.stubs / "pip-works").touch()
    told = system.install()
    assert told.returncode == 1
    assert "picamera2" in told.stderr
    assert "numpy.dtype" in told.stderr
    assert told.stdout.endswith("left: \n")


@pytest.mark.parametrize("address", ["http://versions.example/", "versions", "https://x/ y", "/a\nExecStart=/x"])
def test_where_newer_versions_cannot_lie_is_refused_before_anything_is_done(system: System, address: str) -> None:
    told = system.install(VERSIONS=address)
    assert (told.returncode, told.stdout) == (1, "left: \n")
    assert "VERSIONS=" in told.stderr
