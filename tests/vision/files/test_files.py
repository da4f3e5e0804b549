"""Files that people bring: whatever stands under the name given, it is read or refused at once."""

import json
import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from vision.cards import DeckError, decode_deck
from vision.files import LARGEST_DECK_BYTES, FileError, TooLarge, read_deck, read_outside, within

DECK: dict[str, Any] = {"name": "small", "faces": [{"id": "mess", "value": 4, "kind": "chaos", "count": 2}]}


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))


def a_circle(path: Path) -> None:
    path.symlink_to(path)


NO_FILES: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "endless device": lambda path: path.symlink_to("/dev/zero"),
    "folder": Path.mkdir,
    "socket": a_socket,
    "circle of links": a_circle,
    "nothing": lambda _: None,
}


def promptly(what: Callable[[], object]) -> None:
    """Does it, in a thread of its own: where it hangs the test fails, and does not hang too."""
    errors: list[BaseException] = []

    def run() -> None:
        try:
            what()
        except BaseException as error:  # noqa: BLE001  # raised again
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(10)
    assert not thread.is_alive(), "it hangs"
    if errors:
        raise errors[0]


@pytest.mark.parametrize("make", NO_FILES.values(), ids=NO_FILES)
def test_what_is_no_file_with_data_is_refused_at_once(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "deck")
    with pytest.raises(FileError):
        promptly(lambda: read_outside(tmp_path / "deck", 100))


@pytest.mark.parametrize("name", ["x" * 5000, "x\0y", "x/" * 3000, "\ud800"], ids=["long", "zero", "deep", "surrogate"])
def test_names_that_no_file_can_have_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileError):
        read_outside(tmp_path / name, 100)
    with pytest.raises(FileError):
        read_outside(within(tmp_path, name), 100)
    with pytest.raises(DeckError):
        read_deck(tmp_path / name)


def test_as_many_bytes_are_read_as_are_allowed(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(bytes(100))
    assert read_outside(tmp_path / "file", 100) == bytes(100)
    with pytest.raises(TooLarge, match="more than 99 bytes"):
        read_outside(tmp_path / "file", 99)


def test_a_file_behind_a_link_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"data")
    (tmp_path / "link").symlink_to("file")
    assert read_outside(tmp_path / "link", 100) == b"data"
    assert within(tmp_path, "link") == tmp_path.resolve() / "file"


@pytest.mark.parametrize("name", ["/etc/hostname", "../outside.png", "faces/../../outside.png", "link.png", "up/x.png"])
def test_what_lies_outside_a_folder_is_not_taken_from_it(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "deck"
    folder.mkdir()
    (tmp_path / "outside.png").write_bytes(b"secret")
    (folder / "link.png").symlink_to(tmp_path / "outside.png")
    (folder / "up").symlink_to(tmp_path)
    with pytest.raises(FileError, match="outside the deck's folder"):
        within(folder, name)


class TestDecks:
    def test_a_file_and_its_folder_hold_the_same_deck(self, tmp_path: Path) -> None:
        (tmp_path / "deck.json").write_text(json.dumps(DECK))
        assert read_deck(tmp_path) == read_deck(tmp_path / "deck.json") == decode_deck(json.dumps(DECK))

    def test_a_folder_without_a_deck_is_refused_with_the_file_it_lacks(self, tmp_path: Path) -> None:
        with pytest.raises(DeckError) as refused:
            read_deck(tmp_path)
        assert str(tmp_path / "deck.json") in str(refused.value)

    def test_a_file_that_is_not_there_is_refused_by_name(self, tmp_path: Path) -> None:
        with pytest.raises(DeckError, match="nowhere"):
            read_deck(tmp_path / "nowhere" / "deck.json")

    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b"\x00\x01\xfe\xff" * 64,
            json.dumps(DECK).encode("utf-16"),
            b"\xef\xbb\xbf" + json.dumps(DECK).encode(),
            b"[" * 100_000,
            b'{"name":' + b"[" * 400_000,
            b'{"name":"x","faces":' + b'[{"id":' * 40_000,
            json.dumps({**DECK, "card_mm": [float("nan"), 88]}).encode(),
            json.dumps({**DECK, "card_mm": [float("inf"), 88]}).encode(),
            json.dumps(DECK).replace('"count": 2', '"count": ' + "9" * 5000).encode(),
            json.dumps(DECK).replace('"count": 2', '"count": 1e400').encode(),
            json.dumps({**DECK, "faces": 7}).encode(),
        ],
        ids=[
            "empty", "binary", "UTF-16", "byte order mark", "deep", "deep in a field", "deep in a face",
            "NaN", "infinite", "huge", "endless float", "another type",
        ],
    )  # fmt: skip
    def test_an_unreadable_file_is_refused_by_name_in_a_line(self, tmp_path: Path, content: bytes) -> None:
        file = tmp_path / "mine.json"
        file.write_bytes(content)
        with pytest.raises(DeckError) as refused:
            read_deck(file)
        assert str(file) in str(refused.value)
        assert len(str(refused.value)) < len(str(file)) + 200

    def test_wrong_data_are_refused_with_file_and_place(self, tmp_path: Path) -> None:
        file = tmp_path / "mine.json"
        file.write_text(json.dumps(DECK).replace('"value": 4', '"value": 9'))
        with pytest.raises(DeckError) as refused:
            read_deck(file)
        assert str(file) in str(refused.value)
        assert "faces[0] (mess).value" in str(refused.value)

    def test_the_largest_file_is_read_and_a_larger_one_refused(self, tmp_path: Path) -> None:
        file = tmp_path / "deck.json"
        file.write_text(json.dumps(DECK).ljust(LARGEST_DECK_BYTES))
        assert read_deck(file).size == 2
        file.write_text(json.dumps(DECK).ljust(LARGEST_DECK_BYTES + 1))
        with pytest.raises(DeckError, match="too large"):
            read_deck(file)

    def test_a_pipe_and_an_endless_device_are_refused_at_once(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "deck.json")
        for path in (tmp_path, tmp_path / "deck.json", Path("/dev/zero")):
            with pytest.raises(DeckError, match="cannot be read"):
                promptly(lambda path=path: read_deck(path))
