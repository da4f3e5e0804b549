"""The folder of games: each comes there whole, whatever happens meanwhile, and none is overwritten."""

from __future__ import annotations

import errno
import io
import os
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.record import archive as archive_module
from companion.record.archive import AlreadyKept, Archive
from companion.record.file import LARGEST_BYTES, RecordError, read_record, write_record

LINES = [{"step": number} for number in range(4)]
DATE = "2026-11-28T20:15:00+01:00"


def recorded(path: Path, game: str = "1", count: int = 3, **header: object) -> bytes:
    write_record(path, {"game": "test", "id": game, **header}, LINES[:count])
    return path.read_bytes()


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path / "games")


def test_games_are_numbered_as_they_come_and_named_by_their_dates(tmp_path: Path, archive: Archive) -> None:
    record = tmp_path / "game.jsonl"
    whole = []
    for number, header in enumerate(({"date": DATE}, {}, {"date": "../../etc"}, {"date": DATE})):
        whole.append(recorded(record, str(number), **header))
        archive.take_in(record)
        assert not record.exists()
    names = ["0004-2026-11-28.jsonl", "0003.jsonl", "0002.jsonl", "0001-2026-11-28.jsonl"]
    assert archive.names() == names
    assert [archive.exported(name) for name in reversed(names)] == whole


def test_a_gap_is_no_place_for_another_game(tmp_path: Path, archive: Archive) -> None:
    record = tmp_path / "game.jsonl"
    for number in range(3):
        recorded(record, str(number))
        archive.take_in(record)
    archive.path("0001.jsonl").unlink()
    recorded(record, "new")
    assert archive.take_in(record) == "0004.jsonl"


def test_a_game_without_a_step_is_none(tmp_path: Path, archive: Archive) -> None:
    record = tmp_path / "game.jsonl"
    recorded(record, count=0)
    assert archive.take_in(record) is None
    assert not record.exists()
    assert archive.names() == []


def test_a_torn_game_is_kept_as_it_is(tmp_path: Path, archive: Archive) -> None:
    record = tmp_path / "game.jsonl"
    torn = recorded(record) + b'{"step":'
    record.write_bytes(torn)
    name = archive.take_in(record)
    assert name is not None
    assert archive.exported(name) == torn


def test_what_is_damaged_is_put_aside(tmp_path: Path, archive: Archive) -> None:
    record = tmp_path / "game.jsonl"
    record.write_bytes(b"noise")
    assert archive.take_in(record) is None
    assert (tmp_path / "game.jsonl.damaged-1").read_bytes() == b"noise"


def test_whatever_lies_where_the_folder_is_to_be_games_are_kept(tmp_path: Path, archive: Archive) -> None:
    (tmp_path / "games").write_bytes(b"a file")
    recorded(tmp_path / "game.jsonl")
    assert archive.names() == []
    assert archive.take_in(tmp_path / "game.jsonl") == "0001.jsonl"
    assert (tmp_path / "games.damaged-1").read_bytes() == b"a file"


class PowerCutError(BaseException):
    """Nothing that is done after it reaches the disk."""


# Not close: with the power the lock of the folder goes, too.
CALLS: list[tuple[Any, str]] = [
    (os, "fsync"), (os, "open"), (os, "unlink"), (Path, "replace"), (Path, "mkdir"), (Path, "unlink"),
]  # fmt: skip


def cut_at(number: int, monkeypatch: pytest.MonkeyPatch, done: Callable[[], object]) -> bool:
    """Does it on a machine that loses its power before this call (from 0); says whether it came to that."""
    left = iter(range(number))

    def instead(really: Callable[..., Any]) -> Callable[..., Any]:
        def call(*what: Any, **more: Any) -> Any:
            if next(left, None) is None:
                raise PowerCutError
            return really(*what, **more)

        return call

    with monkeypatch.context() as patch:
        for owner, name in CALLS:
            patch.setattr(owner, name, instead(getattr(owner, name)))
        try:
            done()
        except PowerCutError:
            return True
    return False


def cuts(
    monkeypatch: pytest.MonkeyPatch, folder: Path, prepare: Callable[[Path], Callable[[], object]]
) -> Iterator[Path]:
    """A folder for each moment at which the power can be cut, as it is then."""
    for number in range(100):
        here = folder / str(number)
        here.mkdir()
        if not cut_at(number, monkeypatch, prepare(here)):
            assert number > 5, "hardly anything was tried"
            return
        yield here
    raise AssertionError("it never ends")


def test_wherever_the_power_is_cut_a_game_is_here_or_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = recorded(tmp_path / "source.jsonl")

    def prepare(folder: Path) -> Callable[[], object]:
        (folder / "game.jsonl").write_bytes(whole)
        return lambda: Archive(folder / "games").take_in(folder / "game.jsonl")

    there = 0
    for folder in cuts(monkeypatch, tmp_path, prepare):
        archive = Archive(folder / "games")
        found = [folder / "game.jsonl", *map(archive.path, archive.names())]
        assert [path.read_bytes() for path in found if path.exists()] == [whole]
        there += not found[0].exists()
        # The next start goes on as if nothing had happened.
        if found[0].exists():
            assert archive.take_in(found[0]) == "0001.jsonl"
        assert [archive.exported(name) for name in archive.names()] == [whole]
    assert there, "it was never cut after the game was moved"


def test_wherever_the_power_is_cut_an_import_is_whole_or_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, other = recorded(tmp_path / "source.jsonl"), recorded(tmp_path / "other.jsonl", "2", date=DATE)
    for folder in cuts(monkeypatch, tmp_path, lambda folder: lambda: Archive(folder / "games").add(whole)):
        archive = Archive(folder / "games")
        assert [archive.exported(name) for name in archive.names()] in ([], [whole])
        kept = archive.add(other)
        # Nothing half-written is left, whatever the next game is called.
        assert {path.name for path in archive.folder.iterdir()} - {"0001.jsonl"} <= {kept}


def test_a_full_disk_costs_nothing_and_is_told(
    tmp_path: Path, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    record = tmp_path / "game.jsonl"
    whole = recorded(record)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "mkdir", full)
        with pytest.raises(RecordError, match="No space left"):
            archive.take_in(record)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", full)
        with pytest.raises(OSError, match="No space left"):
            archive.take_in(record)
        with pytest.raises(RecordError, match="make room"):
            archive.add(whole)
    assert record.read_bytes() == whole
    assert list((tmp_path / "games").iterdir()) == []


def test_an_import_is_kept_once(tmp_path: Path, archive: Archive) -> None:
    record = tmp_path / "game.jsonl"
    whole = recorded(record)
    name = archive.add(whole)
    in_part = b"".join(whole.splitlines(keepends=True)[:-1])
    for again in (whole, whole.replace(b"\n", b"\r\n"), whole.rstrip(), in_part, in_part + b'{"st'):
        with pytest.raises(AlreadyKept) as caught:
            archive.add(again)
        assert caught.value.kept == name
    record.unlink()
    # The same game, played on since.
    longer = recorded(record, count=4)
    assert archive.exported(archive.add(longer)) == longer
    assert archive.exported(name) == whole


def test_what_was_torn_of_an_import_is_left_away(tmp_path: Path, archive: Archive) -> None:
    whole = recorded(tmp_path / "game.jsonl")
    assert archive.exported(archive.add(whole + b'{"step":3,')) == whole
    assert read_record(archive.path("0001.jsonl")).torn_bytes == 0


@pytest.mark.parametrize(
    "data", [b"", b"noise", b"{}\n" * 1000, b"[" * 100_000, b"x" * (LARGEST_BYTES + 1), os.urandom(1000)]
)
def test_what_is_no_record_is_refused(archive: Archive, data: bytes) -> None:
    with pytest.raises(RecordError):
        archive.add(data)
    assert archive.names() == []


@pytest.mark.parametrize(
    "name", ["../game.jsonl", "/etc/passwd", "0001.jsonl/../x", "", "summaries.jsonl", "1\n.jsonl"]
)
def test_no_name_leads_out_of_the_folder(tmp_path: Path, archive: Archive, name: str) -> None:
    recorded(tmp_path / "game.jsonl")
    with pytest.raises(RecordError):
        archive.exported(name)


def test_all_together_they_are_a_zip_with_the_last_ones_first(
    tmp_path: Path, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = {archive.add(data): data for data in (recorded(tmp_path / f"{game}.jsonl", game) for game in "abc")}
    (archive.folder / "0004.jsonl").mkdir()
    file = io.BytesIO()
    assert archive.export_all(file) == []
    with zipfile.ZipFile(file) as told:
        assert {name: told.read(f"games/{name}") for name in whole} == whole
        assert len(told.namelist()) == 3
    monkeypatch.setattr(archive_module, "MOST_TOGETHER_BYTES", 2 * len(whole["0001.jsonl"]))
    assert archive.export_all(io.BytesIO()) == ["0001.jsonl"]


def test_games_that_come_at_once_get_names_of_their_own(tmp_path: Path, archive: Archive) -> None:
    records = [recorded(tmp_path / f"{number}.jsonl", str(number)) for number in range(12)]
    threads = [threading.Thread(target=Archive(archive.folder).add, args=(data,)) for data in records]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(archive.exported, archive.names())) == sorted(records)
