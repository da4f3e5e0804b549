"""Files written as a whole, whatever happens meanwhile."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.record.whole_file import write_whole

OLD, NEW = b"old" * 100, b"new" * 1000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "deck.json"
    file.write_bytes(OLD)
    return file


def test_a_file_is_made_and_replaced(tmp_path: Path) -> None:
    file = tmp_path / "deck.json"
    for data in (OLD, NEW, b""):
        write_whole(file, data)
        assert file.read_bytes() == data
    assert list(tmp_path.iterdir()) == [file]


def test_the_data_are_on_the_disk_before_the_name_and_the_name_before_it_returns(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[tuple[bytes, bool]] = []
    really = os.fsync

    def fsync(descriptor: int) -> None:
        is_folder = Path(f"/proc/self/fd/{descriptor}").readlink() == file.parent
        synced.append((file.read_bytes(), is_folder))
        really(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    write_whole(file, NEW)
    assert synced == [(OLD, False), (NEW, True)]


FILL = """
import resource, signal, sys
from pathlib import Path
from companion.record.whole_file import write_whole
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
try:
    write_whole(Path(sys.argv[1]), bytes(3000))
except OSError as error:
    print(error.errno)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert len(list(Path(sys.argv[1]).parent.iterdir())) == 1
"""


def test_a_full_disk_leaves_the_old_file_and_nothing_else(file: Path) -> None:
    done = subprocess.run([sys.executable, "-c", FILL, str(file)], capture_output=True, text=True, check=True)
    assert int(done.stdout) == errno.EFBIG
    assert file.read_bytes() == OLD


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "missing" / "deck.json", NEW)


def test_a_folder_in_the_way_stays_and_nothing_half_written_is_left(tmp_path: Path) -> None:
    (tmp_path / "deck.json").mkdir()
    with pytest.raises(IsADirectoryError):
        write_whole(tmp_path / "deck.json", NEW)
    assert list(tmp_path.iterdir()) == [tmp_path / "deck.json"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_an_error(file: Path) -> None:
    file.parent.chmod(0o555)
    try:
        with pytest.raises(PermissionError):
            write_whole(file, NEW)
    finally:
        file.parent.chmod(0o755)
    assert file.read_bytes() == OLD


WRITE = """
import sys
from pathlib import Path
from companion.record.whole_file import write_whole
print("begins", flush=True)
while True:
    for byte in b"on":
        write_whole(Path(sys.argv[1]), bytes([byte]) * 3_000_000)
"""


def test_killed_at_any_moment_the_file_is_whole_and_what_is_left_beside_it_does_not_matter(file: Path) -> None:
    for pause_seconds in (0.01, 0.02, 0.04, 0.08):
        process = subprocess.Popen([sys.executable, "-c", WRITE, str(file)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        process.stdout.readline()
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(pause_seconds)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        assert file.read_bytes() in {OLD, b"o" * 3_000_000, b"n" * 3_000_000}
    write_whole(file, NEW)
    assert list(file.parent.iterdir()) == [file]
