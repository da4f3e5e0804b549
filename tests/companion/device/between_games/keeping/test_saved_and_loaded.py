"""All that a companion has become, saved as one file and loaded elsewhere."""

from __future__ import annotations

import io
import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Final
from zipfile import ZipFile, ZipInfo

import pytest

from companion.device.between_games.keeping.changing_over import BEFORE, change_over, has_before, take_back
from companion.device.between_games.keeping.loading import load, title_of
from companion.device.between_games.keeping.parts import KeepingError, devices_file
from companion.device.between_games.keeping.saving import TITLE, left_out, saved
from companion.device.settings_file import SettingsFile
from companion.games.loknroll.game import GAME
from companion.games.settings import Settings
from companion.record.file import RecordWriter, read_record
from hardware.settings import load_settings
from tests.companion.device.between_games.keeping.whole_companion import (
    DEVICES,
    STAYS,
    all_in,
    made,
    packed,
    record_game,
)

OURS: Final = {"format": "companion backup", "version": 1, "saved": "2026-11-30", "language": "de"}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A companion, with what stays on its card."""
    folder = made(tmp_path / "old")
    for name in STAYS:
        (folder / name).write_bytes(b"x")
    return folder


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "companion-backup.zip"


def kept_in(folder: Path) -> dict[str, bytes]:
    return {name: data for name, data in all_in(folder).items() if not name.startswith(BEFORE)}


def test_on_a_fresh_card_all_is_as_it_was_but_what_is_the_cards_own(old: Path, file: Path, tmp_path: Path) -> None:
    devices = tmp_path / "devices.toml"
    devices.write_bytes(DEVICES)
    file.write_bytes(b"".join(saved(old, devices)))
    fresh = tmp_path / "fresh"
    title = load(file, fresh)
    assert title.language == "de"
    assert "game.jsonl" not in all_in(fresh)
    assert change_over(fresh)
    before = {name: data for name, data in all_in(old).items() if name not in STAYS}
    assert all_in(fresh) == before | {"devices.toml": DEVICES}
    recording = read_record(fresh / "game.jsonl")
    assert not GAME.standing(fresh / "game.jsonl", recording).is_over
    assert SettingsFile(fresh / "settings.json").settings.names == ("Ann", "Ben")
    assert not change_over(fresh)
    assert left_out(old, devices) == []


def test_what_was_there_before_can_be_had_back_and_forth(old: Path, file: Path, tmp_path: Path) -> None:
    file.write_bytes(b"".join(saved(old)))
    other = tmp_path / "other"
    other.mkdir()
    record_game(other / "game.jsonl", 5)
    (other / "phones.json").write_bytes(b"secret")
    before = kept_in(other)
    with pytest.raises(KeepingError, match="before"):
        take_back(other)
    load(file, other)
    change_over(other)
    loaded = kept_in(other)
    assert loaded["game.jsonl"] != before["game.jsonl"]
    assert loaded["phones.json"] == b"secret"
    assert has_before(other)
    for expected in (before, loaded, before):
        take_back(other)
        change_over(other)
        assert kept_in(other) == expected


def test_while_a_game_is_played_the_file_can_always_be_loaded(old: Path, file: Path, tmp_path: Path) -> None:
    stops = threading.Event()
    kept = SettingsFile(old / "settings.json")

    def play() -> None:
        writer, _ = RecordWriter.resume(old / "game.jsonl")
        with writer:
            for number in range(100_000):
                writer.append({"number": number, "told": "x" * 500})
                kept.keep(Settings(names=(f"player {number}",)))
                if stops.is_set():
                    return

    thread = threading.Thread(target=play)
    thread.start()
    try:
        for number in range(12):
            file.write_bytes(b"".join(saved(old)))
            load(file, tmp_path / str(number))
            change_over(tmp_path / str(number))
            assert read_record(tmp_path / str(number) / "game.jsonl").lines
    finally:
        stops.set()
        thread.join()


def test_one_damaged_file_does_not_keep_people_from_the_others(old: Path, file: Path, tmp_path: Path) -> None:
    (old / "games/0001-2026-11-28.jsonl").write_bytes(b"no record")
    (old / "settings.json").write_bytes(b"{")
    deck = (old / "deck.zip").read_bytes()
    (old / "deck.zip").write_bytes(deck.replace(b"IDAT", b"IDAU"))
    gone = {"games/0001-2026-11-28.jsonl", "settings.json", "deck.zip"}
    assert set(left_out(old)) == gone
    file.write_bytes(b"".join(saved(old)))
    load(file, tmp_path / "fresh")
    change_over(tmp_path / "fresh")
    assert set(all_in(tmp_path / "fresh")) == set(all_in(old)) - set(STAYS) - gone


@pytest.mark.parametrize("data", [b"", b"\0" * 5_000])
def test_what_became_of_a_photograph_does_not_keep_people_from_the_others(
    data: bytes, old: Path, file: Path, tmp_path: Path
) -> None:
    (old / "lesson/002.jpg").write_bytes(data)
    (old / "lesson/003.jpg").unlink()
    os.mkfifo(old / "lesson/003.jpg")
    (old / "lesson/004.jpg").mkdir()
    file.write_bytes(b"".join(saved(old)))
    fresh = tmp_path / "fresh"
    load(file, fresh)
    change_over(fresh)
    assert sorted(path.name for path in (fresh / "lesson").iterdir()) == ["001.jpg", "cards.json"]


def test_nothing_is_saved_of_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeepingError, match="nothing"):
        list(saved(tmp_path))


def ours(**files: bytes) -> bytes:
    """A backup with these files; ``__`` stands for a dot, ``_of_`` for a slash."""
    named = {name.replace("__", ".").replace("_of_", "/"): data for name, data in files.items()}
    return packed({TITLE: json.dumps(OURS).encode(), **named})


def titled(**told: object) -> bytes:
    return packed({TITLE: json.dumps(OURS | told).encode(), "settings.json": b"{}"})


def with_entry(name: str, data: bytes = b"{}", **more: int) -> bytes:
    packed_data = io.BytesIO(titled())
    with ZipFile(packed_data, "a") as archive:
        entry = ZipInfo("x")
        entry.filename = name
        for field, value in more.items():
            setattr(entry, field, value)
        archive.writestr(entry, data)
    return packed_data.getvalue()


def damaged() -> bytes:
    data = bytearray(ours(table__json=b'{"number": 12345678}'))
    data[data.index(b"12345678")] ^= 1
    return bytes(data)


def encrypted() -> bytes:
    data = bytearray(titled())
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


HOSTILE: Final[dict[str, tuple[Callable[[], bytes], str]]] = {
    "empty": (lambda: b"", "unknown"),
    "text": (lambda: b"no ZIP at all", "unknown"),
    "cut off": (lambda: titled()[:-10], "unknown"),
    "no title": (lambda: packed({"settings.json": b"{}"}), "unknown"),
    "title alone": (lambda: packed({TITLE: json.dumps(OURS).encode()}), "unknown"),
    "other title": (lambda: titled(format="x"), "unknown"),
    "title is deep": (lambda: packed({TITLE: b"[" * 900, "settings.json": b"{}"}), "unknown"),
    "title is long": (lambda: titled(saved="x" * 2000), "unknown"),
    "newer": (lambda: titled(version=2), "newer"),
    "tokens of phones": (lambda: ours(phones__json=b"{}"), "foreign"),
    "above": (lambda: with_entry("../settings.json"), "unknown"),
    "absolute": (lambda: with_entry("/etc/passwd"), "unknown"),
    "folder": (lambda: with_entry("lesson/"), "foreign"),
    "deep folder": (lambda: ours(lesson_of_x_of_cards__json=b"[]"), "foreign"),
    "the note of a change-over": (lambda: with_entry(".loading/step", b"moved"), "foreign"),
    "too many": (lambda: packed({f"games/{number}.jsonl": b"" for number in range(5_002)}), "unknown"),
    "encrypted": (encrypted, "damaged"),
    "other bytes": (damaged, "damaged"),
    "settings": (lambda: ours(settings__json=b'{"large": 3}'), "part"),
    "a deep table": (lambda: ours(table__json=b"[" * 100_000), "part"),
    "record": (lambda: ours(game__jsonl=b"no record"), "part"),
    "game of the past": (lambda: ours(games_of_0001__jsonl=b"no record"), "part"),
    "deck": (lambda: ours(deck__zip=b"PK no deck"), "part"),
    "devices": (lambda: ours(devices__toml=b"[display]\nbus = 1000"), "part"),
    "photograph": (lambda: ours(lesson_of_001__jpg=b"GIF89a"), "part"),
    "large record": (lambda: ours(game__jsonl=os.urandom(4_000_001)), "part"),
}


@pytest.mark.parametrize(("make", "reason"), HOSTILE.values(), ids=HOSTILE)
def test_what_is_no_saved_companion_is_refused_and_changes_nothing(
    make: Callable[[], bytes], reason: str, old: Path, file: Path
) -> None:
    before = all_in(old)
    file.write_bytes(make())
    with pytest.raises(KeepingError) as refused:
        load(file, old)
    assert refused.value.reason == reason
    assert len(refused.value.told("de")) < 80
    assert not change_over(old)
    assert all_in(old) == before


def test_what_is_not_there_or_no_file_is_refused(old: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path / "gone", tmp_path):
        with pytest.raises(KeepingError, match="unknown"):
            load(path, old)


def test_it_tells_the_day_and_the_language_only_if_they_are_some(file: Path) -> None:
    file.write_bytes(titled(saved="\x1b[2J", language="../x"))
    assert (title_of(file).saved, title_of(file).language) == ("", "")
    file.write_bytes(titled())
    assert (title_of(file).saved, title_of(file).language) == ("2026-11-30", "de")


def test_without_room_nothing_is_unpacked(old: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_bytes(b"".join(saved(old)))
    before = all_in(old)
    monkeypatch.setattr(
        "companion.device.between_games.keeping.loading.shutil.disk_usage", lambda _: SimpleNamespace(free=1000)
    )
    with pytest.raises(KeepingError, match="room"):
        load(file, old)
    assert all_in(old) == before


def test_loaded_devices_count_where_the_cards_own_settings_say_nothing(tmp_path: Path) -> None:
    own, folder = tmp_path / "own.toml", tmp_path / "state"
    folder.mkdir()
    own.write_text("# nothing differs\n")
    assert devices_file(own, folder) == own
    (folder / "devices.toml").write_bytes(DEVICES)
    assert load_settings(devices_file(own, folder)).display.rotation == 180
    assert devices_file(None, folder) == folder / "devices.toml"
    for told in ('[camera]\nkind = "unknown"\n', "[[[ wrong"):
        own.write_text(told)
        assert devices_file(own, folder) == own
