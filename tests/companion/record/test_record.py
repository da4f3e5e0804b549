"""The file of lines: what survives, what is noticed, what is refused."""

import errno
import os
import pickle
import signal
import subprocess
import sys
from io import FileIO
from pathlib import Path
from typing import Any

import pytest

from companion.record import file as file_module
from companion.record.file import (
    LONGEST_LINE_BYTES,
    VERSION,
    RecordError,
    RecordWriter,
    read_record,
    write_record,
)

HEADER = {"game": "test"}
LINES: list[dict[str, Any]] = [
    {"step": "one", "at": [1.5, -2.0]},
    {"step": "zwei", "name": "Jürgen"},
    {"step": "three"},
]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    with RecordWriter.create(path, HEADER) as writer:
        for line in LINES:
            writer.append(line)
    return path


def test_what_was_appended_is_read_again(record: Path) -> None:
    recording = read_record(record)
    assert recording.header["game"] == "test"
    assert recording.lines == LINES
    assert recording.torn_bytes == 0


def test_written_at_once_is_the_same_file(record: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    write_record(other, HEADER, LINES)
    assert other.read_bytes() == record.read_bytes()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_cut_at_any_byte_loses_at_most_the_line_being_written(record: Path) -> None:
    whole = record.read_bytes()
    first = whole.index(b"\n") + 1
    for length in range(first, len(whole) + 1):
        record.write_bytes(whole[:length])
        acknowledged = whole[:length].count(b"\n") - 1
        writer, recording = RecordWriter.resume(record)
        with writer:
            # a line whose newline alone is missing is complete, and kept
            assert recording.lines in (LINES[:acknowledged], LINES[: acknowledged + 1])
            if len(recording.lines) == acknowledged:
                assert recording.torn_bytes == length - whole[:length].rindex(b"\n") - 1
            writer.append({"step": "on"})
        assert read_record(record).lines == [*recording.lines, {"step": "on"}]


def test_zeros_where_data_should_have_come_are_a_torn_line(record: Path) -> None:
    whole = record.read_bytes()
    for tail in (b"\0" * 40, b'{"step":"fo' + b"\0" * 30, b'{"st' + b"\0" * 20 + b"\n"):
        record.write_bytes(whole + tail)
        writer, recording = RecordWriter.resume(record)
        writer.close()
        assert recording.lines == LINES
        assert recording.torn_bytes == len(tail)
        assert record.read_bytes() == whole


def test_reading_does_not_repair(record: Path) -> None:
    torn = record.read_bytes() + b'{"step":"fo'
    record.write_bytes(torn)
    assert read_record(record).torn_bytes == 11
    assert record.read_bytes() == torn


@pytest.mark.parametrize(
    ("change", "line"),
    [
        pytest.param(lambda lines: [lines[0], lines[1].replace(b"1.5", b"1.6"), *lines[2:]], 2, id="a number changed"),
        pytest.param(lambda lines: [lines[0], *lines[2:]], 2, id="a line lost"),
        pytest.param(lambda lines: [*lines[:2], lines[1], *lines[2:]], 3, id="a line repeated"),
        pytest.param(lambda lines: [lines[0], lines[2], lines[1], lines[3]], 2, id="lines swapped"),
        pytest.param(lambda lines: [*lines[:2], b"\n", *lines[2:]], 3, id="an empty line"),
        pytest.param(lambda lines: [*lines[:2], b"\xff\xfe\x00\n", *lines[2:]], 3, id="binary"),
        pytest.param(lambda lines: [*lines[:2], b"[" * 100_000 + b"\n", *lines[2:]], 3, id="deeply nested"),
        pytest.param(lambda lines: [*lines[:2], b"x" * (LONGEST_LINE_BYTES + 5) + b"\n"], 3, id="endless line"),
        pytest.param(lambda lines: [*lines, b'{"step":"four"}\n'], 5, id="a line added by hand"),
        pytest.param(lambda lines: [*lines[:3], lines[3].replace(b"three", b"four").rstrip()], 4, id="last line"),
        pytest.param(lambda lines: [lines[0].replace(b"test", b"west"), *lines[1:]], 1, id="set-up changed"),
    ],
)
def test_damage_is_named_by_its_line_and_left_alone(record: Path, change: Any, line: int) -> None:
    damaged = b"".join(change(record.read_bytes().splitlines(keepends=True)))
    record.write_bytes(damaged)
    for read in (read_record, RecordWriter.resume):
        with pytest.raises(RecordError) as caught:
            read(record)
        assert caught.value.line == line
        assert f"line {line}" in str(caught.value)
        assert record.read_bytes() == damaged


def test_one_wrong_bit_anywhere_is_noticed(record: Path) -> None:
    whole = record.read_bytes()
    for index in range(0, len(whole), 3):
        if whole[index : index + 1] == b"\n":
            continue
        record.write_bytes(whole[:index] + bytes([whole[index] ^ 1]) + whole[index + 1 :])
        with pytest.raises(RecordError):
            read_record(record)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(b"", "empty", id="empty"),
        pytest.param(b"hello\n", "not the record", id="text"),
        pytest.param(b'{"a": 1}\n', "not the record", id="other JSON"),
        pytest.param(b"[1, 2]\n", "not the record", id="a JSON list"),
        pytest.param(os.urandom(5000), "not the record", id="noise"),
        pytest.param(b'{"format":"companion record","version":99}\n', "newer companion", id="newer version"),
        pytest.param(b'{"format":"companion record","version":"x"}\n', "no version", id="odd version"),
        pytest.param(b'{"format":"companion record","version":1}\n', "checksum", id="no checksum"),
    ],
)
def test_foreign_files_are_refused_and_left_alone(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "foreign"
    path.write_bytes(content)
    for read in (read_record, RecordWriter.resume):
        with pytest.raises(RecordError, match=reason):
            read(path)
    assert path.read_bytes() == content


def test_what_is_larger_than_any_game_is_not_read_into_memory(tmp_path: Path) -> None:
    write_record(tmp_path / "large.jsonl", {"game": "x"}, ({"said": "x" * 900_000} for _ in range(5)))
    with pytest.raises(RecordError, match="larger than 4,000,000 bytes"):
        read_record(tmp_path / "large.jsonl")


def test_nothing_is_overwritten(record: Path) -> None:
    before = record.read_bytes()
    with pytest.raises(RecordError, match="not overwritten"):
        RecordWriter.create(record, HEADER)
    with pytest.raises(RecordError, match="not overwritten"):
        write_record(record, HEADER, LINES)
    assert record.read_bytes() == before


@pytest.mark.parametrize("path", ["missing/folder/game.jsonl", ".", "na\0me"])
def test_places_where_no_file_can_be(tmp_path: Path, path: str) -> None:
    for use in (read_record, RecordWriter.resume, lambda name: RecordWriter.create(name, HEADER)):
        with pytest.raises(RecordError):
            use(tmp_path / path)


def test_a_second_writer_is_kept_out(record: Path) -> None:
    first, _ = RecordWriter.resume(record)
    with first, pytest.raises(RecordError, match="another companion"):
        RecordWriter.resume(record)
    RecordWriter.resume(record)[0].close()


def test_version_is_written(record: Path) -> None:
    assert read_record(record).header["version"] == VERSION


FILL = """
import resource, signal, sys
from pathlib import Path
from companion.record import file as file_module
from companion.record.file import RecordError, RecordWriter
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
path = Path(sys.argv[1])
writer, recording = RecordWriter.resume(path)
size = path.stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, resource.RLIM_INFINITY))
try:
    writer.append({"step": "too long for the room that is left on the disk"})
except RecordError as error:
    print(error)
assert path.stat().st_size == size
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
writer.append({"step": "room again"})
"""


def test_a_full_disk_leaves_the_record_as_it_was_and_play_goes_on_when_there_is_room(record: Path) -> None:
    done = subprocess.run([sys.executable, "-c", FILL, str(record)], capture_output=True, text=True, check=True)
    assert "make room" in done.stdout
    assert read_record(record).lines == [*LINES, {"step": "room again"}]


class _Stubborn(FileIO):
    """A file on a disk that takes no change any more: nothing can be cut off."""

    fails = True

    def truncate(self, size: int | None = None) -> int:
        if self.fails:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return super().truncate(size)


def test_a_line_that_was_refused_and_cannot_be_cut_off_is_never_written_behind(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As a file system whose journal has failed: it takes what is written into memory, and keeps it for readers.
    kept = record.read_bytes()

    def fsync(_: int) -> None:
        if file.fails:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    writer, _ = RecordWriter.resume(record)
    with writer._file, _Stubborn(os.dup(writer._file.fileno()), "r+b") as file:
        monkeypatch.setattr(writer, "_file", file)
        monkeypatch.setattr(os, "fsync", fsync)
        for _ in range(3):
            with pytest.raises(RecordError, match="cannot be written"):
                writer.append({"step": "refused"})
        # Who reads meanwhile, as a program that is started again, finds a whole record.
        assert read_record(record).lines == [*LINES, {"step": "refused"}]
        file.fails = False
        writer.append({"step": "good again"})
        monkeypatch.undo()
    assert read_record(record).lines == [*LINES, {"step": "good again"}]
    assert record.read_bytes().startswith(kept)


APPEND = """
import sys
from pathlib import Path
from companion.record import file as file_module
from companion.record.file import RecordWriter
writer, recording = RecordWriter.resume(Path(sys.argv[1]))
number = len(recording.lines)
while True:
    writer.append({"step": number})
    print(number, flush=True)
    number += 1
"""


def test_killed_at_any_moment_no_acknowledged_line_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    RecordWriter.create(path, HEADER).close()
    acknowledged = -1
    for lines_before_kill in (1, 7, 40):
        process = subprocess.Popen([sys.executable, "-c", APPEND, str(path)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        for _ in range(lines_before_kill):
            acknowledged = int(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read().split()
        process.stdout.close()
        process.wait()
        acknowledged = int(rest[-1]) if rest and rest[-1].isdigit() else acknowledged
        steps = [line["step"] for line in read_record(path).lines]
        assert steps == list(range(len(steps)))
        assert len(steps) > acknowledged


@pytest.mark.parametrize("line", [None, 7])
def test_an_error_comes_whole_out_of_another_process(line: int | None) -> None:
    error = RecordError(Path("game.jsonl"), "cannot be written.", line)
    told = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert str(told) == str(error)
    assert (told.path, told.reason, told.line) == (error.path, error.reason, line)


TOGETHER = [{"step": "take-back", "count": 2}, {"step": "other"}]


def test_lines_that_belong_together_are_all_there_or_none(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = record.read_bytes()
    with RecordWriter.create(tmp_path / "begun", HEADER) as begun:
        begun.append_together(LINES)
    assert (tmp_path / "begun").read_bytes() == before
    (tmp_path / "begun").unlink()
    writer, _ = RecordWriter.resume(record)

    def cut(*_: object) -> None:
        raise KeyboardInterrupt

    for name in ("fsync", "write_and_go_on"):
        with monkeypatch.context() as patched:
            patched.setattr(os if name == "fsync" else file_module, name, cut)
            with pytest.raises(KeyboardInterrupt):
                writer.append_together(TOGETHER)
        assert record.read_bytes() == before
    writer.append_together(TOGETHER)
    assert read_record(record).lines == [*LINES, *TOGETHER]
    with pytest.raises(RecordError, match="another companion"):
        RecordWriter.resume(record)
    writer.append({"step": "next"})
    writer.close()
    assert read_record(record).lines == [*LINES, *TOGETHER, {"step": "next"}]
    assert [path.name for path in record.parent.iterdir()] == [record.name]
