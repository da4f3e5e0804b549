"""The script that puts another version in place, in a system in which nothing is really changed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import pytest

from companion.device.between_games.keeping.parts import KeepingError
from companion.device.between_games.keeping.upgrading import ask_for, ask_for_version_before, told, version_in

ROOT: Final = Path(__file__).parents[2]
INSIDE: Final = """
mount -t tmpfs opt /opt || exit 99
mkdir -p /opt/companion && cp -a "$STUBS/version-old" "$STUBS/version-before" "$STUBS/version-older" /opt/companion
cd /opt/companion && ln -s /opt/companion/version-old current && ln -s /opt/companion/version-before before
"$0" "$1"; status=$?
# The power was cut: at its start the machine sees that something is to be brought to its end.
[ "$status" != 137 ] || { if [ -e "$1/wanted" ] || [ -L fallback ]; then "$0" "$1"; fi; status=$?; }
echo "fallback: $(readlink fallback)"
echo "current: $(cat current/program)"; echo "before: $(cat before/program)"
echo "left: $(ls -d version-* | wc -l)"
exit $status
"""
AS_USER: Final = '#!/bin/sh\nshift 3; exec "$@"\n'
PYTHON: Final = f"""#!/bin/sh
here=$(dirname "$0")/..
case "$*" in
*zipfile*) exec {sys.executable} "$@" ;;
*pip*) for wheel; do :; done; cp "$wheel" "$here/wheel" && {sys.executable} -m zipfile -e "$wheel" "$here" ;;
*import*) [ ! -e "$here/does-not-start" ] ;;
esac
"""
SYSTEMCTL: Final = """#!/bin/sh
program=$(cat /opt/companion/current/program)
case "$1" in
show) if [ "$program" = dies ]; then echo $$; else echo 1; fi ;;
*) echo "$@" >>"$STUBS/asked"; [ "$program" != hangs ] ;;
esac
"""
SYNC: Final = """#!/bin/sh
echo >>"$STUBS/synced"
[ "$(wc -l <"$STUBS/synced")" != "${CUT:-}" ] || kill -9 $PPID
"""
PROGRAM: Final = "table_companion-0.2.0.dist-info/METADATA"


class System:
    """Programs that only look like those of a system, and versions that only look like programs."""

    def __init__(self, folder: Path) -> None:
        self.stubs, self.state = folder / "stubs", folder / "state"
        self.state.mkdir()
        for name, text in (
            ("runuser", AS_USER),
            ("chown", "#!/bin/sh\n"),
            ("systemctl", SYSTEMCTL),
            ("sync", SYNC),
            ("sleep", "#!/bin/sh\n"),
        ):
            self._program(self.stubs / name, text)
        for version in ("old", "before", "older"):
            below = self.stubs / f"version-{version}"
            self._program(below / "bin/python", PYTHON)
            self._program(below / "bin/companion", "#!/bin/sh\n")
            (below / "program").write_text(version)
            (below / "share/companion").mkdir(parents=True)
            (below / "share/companion/companion.service").write_text("unit")

    @staticmethod
    def _program(path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def wheel(self, **files: str) -> Path:
        """A file that holds a version; ``__`` in the names of its files stands for a slash."""
        path = self.state / "upload"
        with ZipFile(path, "w") as made:
            for name, text in {"program": "new", **files}.items():
                made.writestr(name.replace("__", "/"), text)
            made.writestr(PROGRAM, "Name: table-companion")
        return path

    def answer(self, cut: int = 0) -> dict[str, str]:
        """What is there once the script has answered the request; at its ``cut``-th sync the power is cut."""
        if os.geteuid() != 0 or shutil.which("unshare") is None:
            pytest.skip("a system in a system needs root, and unshare")
        path = f"{self.stubs}:{os.environ['PATH']}"
        words = ["unshare", "--mount", "sh", "-c", INSIDE, ROOT / "systemd/upgrade.sh", self.state / "upgrade"]
        environment = {**os.environ, "PATH": path, "STUBS": str(self.stubs), "CUT": str(cut)}
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        if done.returncode == 99 or "unshare failed" in done.stderr:
            pytest.skip(f"nothing can be mounted here: {done.stderr}")
        assert done.returncode == 0, done.stderr
        # Else it would be started again and again.
        assert not (self.state / "upgrade/wanted").exists()
        assert "fallback: \n" in done.stdout
        lines = (line.split(": ") for line in done.stdout.splitlines() if ": " in line)
        return dict(lines) | {"told": told(self.state)}  # type: ignore[arg-type]


@pytest.fixture
def system(tmp_path: Path) -> System:
    return System(tmp_path)


def test_the_new_version_runs_and_the_old_one_is_kept(system: System) -> None:
    ask_for(system.wheel(), system.state)
    found = system.answer()
    assert (found["current"], found["before"], found["left"], found["told"]) == ("new", "old", "2", "installed")
    assert (system.stubs / "asked").read_text() == "restart companion.service\n"
    assert not (system.state / "upgrade/new.whl").exists()


def test_one_can_go_back_and_forth(system: System) -> None:
    ask_for_version_before(system.state)
    found = system.answer()
    assert (found["current"], found["before"], found["left"], found["told"]) == ("before", "old", "2", "went-back")


@pytest.mark.parametrize(
    ("files", "word"),
    [
        ({"does-not-start": ""}, "does-not-start"),
        ({"share__companion__companion.service": "User=root"}, "needs-a-terminal"),
        pytest.param({"share__companion__more.sh": "rm"}, "needs-a-terminal", marks=pytest.mark.further),
    ],
)
def test_a_version_that_does_not_start_or_wants_more_changes_nothing(
    files: dict[str, str], word: str, system: System
) -> None:
    ask_for(system.wheel(**files), system.state)
    found = system.answer()
    assert (found["current"], found["before"], found["told"], found["left"]) == ("old", "before", word, "2")
    assert not (system.stubs / "asked").exists()


@pytest.mark.parametrize("program", ["hangs", "dies"])
def test_where_the_service_does_not_come_up_or_does_not_stay_the_old_version_runs_again(
    program: str, system: System
) -> None:
    ask_for(system.wheel(program=program), system.state)
    found = system.answer()
    assert (found["current"], found["before"], found["left"]) == ("old", "before", "2")
    assert found["told"] == "does-not-start"
    asked = (system.stubs / "asked").read_text().splitlines()
    assert (asked[0], asked[-1]) == ("restart companion.service",) * 2


@pytest.mark.parametrize("program", ["new", "hangs"])
@pytest.mark.parametrize("cut", [*(pytest.param(cut, marks=pytest.mark.further) for cut in (1, 3, 5, 7)), 2, 4, 6])
def test_whenever_the_power_is_cut_a_proven_version_runs_and_what_came_of_it_is_told(
    cut: int, program: str, system: System
) -> None:
    ask_for(system.wheel(program=program), system.state)
    found = system.answer(cut)
    assert len((system.stubs / "synced").read_text()) > cut
    # Before the first nothing is begun; after the fourth the other version is in place, not tried yet.
    if program == "new" and cut not in {2, 3}:
        assert (found["current"], found["before"], found["told"]) == ("new", "old", "installed")
    else:
        word = "cut-off" if cut in {2, 3, 6} else "does-not-start"
        assert (found["current"], found["before"], found["told"]) == ("old", "before", word)
    assert found["left"] == "2"


def test_a_version_that_was_cut_off_twice_before_it_could_prove_itself_is_not_tried_again(system: System) -> None:
    ask_for(system.wheel(), system.state)
    (system.state / "upgrade/told").write_text("cut-off")
    found = system.answer(4)
    assert (found["current"], found["before"], found["told"]) == ("old", "before", "cut-off")


@pytest.mark.parametrize("data", [None, pytest.param(b"no wheel", marks=pytest.mark.further), bytes(50_000_001)])
def test_what_is_no_program_is_left(data: bytes | None, system: System) -> None:
    ask_for(system.wheel(), system.state)
    wheel = system.state / "upgrade/new.whl"
    wheel.unlink()
    if data is not None:
        wheel.write_bytes(data)
    found = system.answer()
    assert (found["current"], found["told"], found["left"]) == ("old", "not-readable", "2")


def test_only_an_undamaged_program_of_ours_is_asked_for(system: System, tmp_path: Path) -> None:
    wheel = system.wheel()
    assert version_in(wheel) == "0.2.0"
    data = bytearray(wheel.read_bytes())
    data[data.index(b"new")] ^= 1
    for reason, content in (("damaged", bytes(data)), ("unknown", b"no wheel"), ("unknown", data[:-9])):
        wheel.write_bytes(content)
        with pytest.raises(KeepingError, match=reason):
            ask_for(wheel, system.state)
    with ZipFile(wheel, "w") as other:
        other.writestr("other-1.0.dist-info/METADATA", "Name: other")
    with pytest.raises(KeepingError, match="unknown"):
        ask_for(wheel, system.state)
    assert not (system.state / "upgrade").exists()
