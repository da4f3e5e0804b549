"""Files that are saved and loaded from a phone: all of the companion, its deck, another version of its program."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import tracemalloc
from collections import namedtuple
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest
from starlette.requests import ClientDisconnect
from starlette.testclient import TestClient

from companion.device.between_games.keeping.changing_over import change_over
from companion.device.between_games.keeping.fetching import fetch
from companion.device.between_games.keeping.loading import LARGEST_FILE_BYTES
from companion.device.between_games.keeping.saving import TITLE, saved
from companion.device.settings_file import SettingsFile
from companion.doctor.machine import Machine
from companion.games.settings import Settings
from companion.web.phone.care.uploads import Uploads
from companion.web.phone.door import COOKIE
from hardware.buttons import Button
from tests.companion.device.between_games.keeping.test_newer import lay
from tests.companion.device.between_games.keeping.whole_companion import made, packed
from tests.companion.web.browsers import wait_until
from tests.companion.web.phone.home import CARE, Home, ServedHome, files_in, set_to
from vision.cards import Deck, standard_deck
from vision.files import deck_archive
from vision.picture_files import png_of

# Saved and loaded


def test_the_next_game_goes_on_where_it_stood_on_another_card(tmp_path: Path, machine: Machine, looks: None) -> None:
    first = Home(made(tmp_path / "first"), machine=machine)
    try:
        wait_until(lambda: first.device.session.play is not None)
        record, names = first.device.session.record.read_bytes(), first.device.session.play.seats.names
        facts = first.device.session.play.facts()
        with first.inside() as phone:
            told = phone.get(CARE + "saved").json()
            assert (told["saves"], told["before"]) == (True, False)
            file = phone.get(CARE + "companion-backup.zip")
            # While a game is played its devices and its deck are left alone.
            assert phone.post(CARE + "trial").status_code == phone.post(CARE + "deck", content=b"PK").status_code == 409
            # Nor is it looked for newer versions.
            not_now = phone.post(CARE + "look", json={"now": False}).json()["newer"]
            assert not_now == {"looking": False, "looked": False}
            assert "while a game is being played" in phone.post(CARE + "look", json={"now": True}).json()["refused"]
            assert not (first.folder / "newer").exists()
    finally:
        first.close()
    assert "companion-backup.zip" in file.headers["content-disposition"]

    second = Home(tmp_path / "second")
    second.device.kept.keep(Settings(language="es"))
    try:
        with second.inside() as phone:
            assert phone.post(CARE + "before?language=de").json() == {
                "refused": "Hier wurde nichts geladen, also gibt es kein Zurück."
            }
            assert phone.post(CARE + "load", content=file.content).json()["saved"]
            second._thread.join(15)
            assert second.device.session.begins_anew
    finally:
        second.close()
    assert change_over(second.folder)
    third = Home(second.folder)
    try:
        wait_until(lambda: third.device.session.play is not None)
        assert (third.device.session.play.seats.names, third.device.session.play.facts()) == (names, facts)
        assert third.device.session.record.read_bytes() == record
        with third.client() as phone:
            phone.cookies.set(COOKIE, second.key)
            assert phone.get(CARE + "saved").json()["before"] is True
            assert phone.post(CARE + "before").status_code == 200
            third._thread.join(15)
    finally:
        third.close()
    assert change_over(third.folder)
    assert SettingsFile(third.folder / "settings.json").settings.language == "es"


def title(version: int = 1) -> bytes:
    return json.dumps({"format": "companion backup", "version": version}).encode()


def deflated(files: dict[str, bytes]) -> bytes:
    data = BytesIO()
    with ZipFile(data, "w", compression=8) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        (lambda: b"", "not arrived"),
        (lambda: b"GIF89a", "not a backup"),
        (lambda: packed({"deck.json": b"{}"}), "not a backup"),
        (lambda: packed({TITLE: title(2), "settings.json": b"{}"}), "newer"),
        (lambda: packed({TITLE: title(), "../settings.json": b"{}"}), "no"),
        (lambda: packed({TITLE: title(), "phones.json": b"[]"}), "does not belong in a backup"),
        (lambda: packed({TITLE: title(), "settings.json": b"{"}), "cannot be read"),
        (lambda: deflated({TITLE: title(), "deck.zip": b"\0" * 9_000_000}), "damaged"),
        (lambda: deflated({TITLE: title(), "settings.json": b" " * 900_000}), "cannot be read"),
        (lambda: b"".join(saved(COMPANION))[:-2000], "not a backup"),
    ],
)
def test_of_what_cannot_be_loaded_nothing_is_left(
    home: Home, phone: TestClient, sent: Callable[[], bytes], why: str
) -> None:
    before = files_in(home.folder)
    answer = phone.post(CARE + "load", content=sent())
    assert answer.status_code == 409
    assert why in answer.json()["refused"]
    assert files_in(home.folder) == before
    assert not home.device.session.begins_anew


COMPANION = Path()


@pytest.fixture(scope="module", autouse=True)
def companion(tmp_path_factory: pytest.TempPathFactory) -> None:
    global COMPANION  # noqa: PLW0603 - parametrized above
    COMPANION = made(tmp_path_factory.mktemp("whole"))


def test_what_is_too_much_is_refused_before_it_comes(
    home: Home, phone: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never() -> Iterator[bytes]:
        yield b"x"
        raise AssertionError("it is read")

    for path, most in (("load", LARGEST_FILE_BYTES), ("deck", 100_000_000), ("wheel", 50_000_000)):
        answer = phone.post(CARE + path, content=b"x", headers={"content-length": str(most + 1)})
        assert "too large" in answer.json()["refused"], path
    usage = namedtuple("usage", "free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(20_000_100))
    assert "not enough room" in phone.post(CARE + "load?language=en", content=b"x" * 200).json()["refused"]
    assert "zu wenig Platz" in phone.post(CARE + "load?language=de", content=iter([b"x" * 200])).json()["refused"]
    assert not (home.folder / ".incoming/file").exists()


def test_nothing_is_left_of_a_file_that_is_cut_off_and_the_next_one_comes(tmp_path: Path) -> None:
    home = ServedHome(tmp_path)
    head = f"POST {CARE}load HTTP/1.1\r\nhost: 127.0.0.1:{home.port}\r\ncookie: {COOKIE}={home.key}\r\ncontent-length: "
    at, file = ("127.0.0.1", home.port), home.folder / ".incoming/file"
    try:
        before = files_in(home.folder)
        with socket.create_connection(at) as line:
            line.sendall(f"{head}10000000\r\n\r\n".encode() + b"x" * 3_000_000)
            wait_until(lambda: file.exists() and file.stat().st_size)
            with socket.create_connection(at) as other:
                other.sendall(f"{head}3\r\n\r\nabc".encode())
                assert b"Another file" in answered(other)
        wait_until(lambda: not file.exists())
        assert files_in(home.folder) == before
        with socket.create_connection(at) as line:
            line.sendall(f"{head}3\r\n\r\nabc".encode())
            assert b"not a backup" in answered(line)
    finally:
        home.close()


def answered(line: socket.socket) -> bytes:
    """The first kilobytes of an answer, up to the end of its JSON."""
    data = b""
    while not data.endswith(b"}") and (more := line.recv(4096)):
        data += more
    return data


class Sending:
    """A request whose body comes in pieces."""

    headers: Mapping[str, str] = MappingProxyType({})

    def __init__(self, pieces: int) -> None:
        self._pieces = pieces

    async def stream(self) -> AsyncIterator[bytes]:
        for _ in range(self._pieces):
            yield bytes(60_000)
        raise ClientDisconnect


def test_a_large_file_takes_little_memory(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path)

    async def receive() -> None:
        async with uploads.received(Sending(1000), LARGEST_FILE_BYTES):  # type: ignore[arg-type]
            pass

    tracemalloc.start()
    try:
        # In a thread: a browser that is driven has a loop in this one.
        with pytest.raises(Exception, match="cut"), ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, receive()).result()
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()
    assert files_in(tmp_path) == set()


def test_what_was_left_when_the_power_was_cut_is_removed(tmp_path: Path) -> None:
    (tmp_path / ".incoming").mkdir()
    (tmp_path / ".incoming/file").write_bytes(b"half")
    Uploads(tmp_path)
    assert files_in(tmp_path) == set()


# The deck


def deck_file(deck: Deck | None = None) -> bytes:
    deck = deck or standard_deck("standard-55")
    picture = np.zeros((88, 63, 3), np.uint8)
    return deck_archive(deck, {face.id: png_of(picture) for face in deck.faces})


def test_a_deck_goes_from_one_companion_to_another(home: Home, phone: TestClient) -> None:
    assert phone.get(CARE + "deck").json()["cards"] == 0
    assert phone.get(CARE + "deck.zip").status_code == 409
    file = deck_file()
    assert phone.post(CARE + "deck", content=file).json()["cards"] == standard_deck("standard-55").size
    wait_until(lambda: "Cards: my own" in home.device.screen.choices)
    assert phone.get(CARE + "deck.zip").content == file
    assert phone.get(CARE + "settings/en.json").json()["own_deck"] is True
    small = Deck("small", standard_deck("standard-55").faces[:2])
    for wrong in (b"PK", b"{}", deck_file(small), file[: len(file) // 2], packed({"deck.json": b"{}"})):
        answer = phone.post(CARE + "deck", content=wrong)
        assert "not a deck to play with" in answer.json()["refused"]
    assert (home.folder / "deck.zip").read_bytes() == file
    assert not (home.folder / ".incoming/file").exists()
    set_to(phone, "own_deck", value=False)
    wait_until(lambda: "Cards: home-printed" in home.device.screen.choices)


# Another version


def wheel(version: str = "9.8.7") -> bytes:
    return packed({f"table_companion-{version}.dist-info/METADATA": b"Name: table-companion"})


def asked(phone: TestClient, what: str) -> str:
    secret: str = phone.post(CARE + "version", json={"what": what}).json()["ask"]
    return secret


def decided(home: Home, phone: TestClient, secret: str, button: Button) -> Any:
    assert phone.post(CARE + "answer", json={"ask": secret}).json() == {"answer": "people"}
    wait_until(lambda: home.device.screen.keys[0] == "yes")
    home.device.press(button)
    answers: list[Any] = []
    wait_until(
        lambda: (
            (answers.append(phone.post(CARE + "answer", json={"ask": secret}).json()) or answers)[-1]
            != {"answer": "people"}
        )
    )
    home.device.visitors._quiet_until = 0.0
    return answers[-1]


def test_another_version_is_put_in_once_people_at_the_table_say_yes(home: Home, phone: TestClient) -> None:
    upgrade = home.folder / "upgrade"
    assert phone.post(CARE + "version", json={"what": "install"}).status_code == 400
    for wrong, why in ((b"x", "not a version"), (packed({"a": b""}), "not a version"), (wheel()[:-3], "not a version")):
        assert why in phone.post(CARE + "wheel", content=wrong).json()["refused"]
    told = phone.post(CARE + "wheel", content=wheel()).json()
    assert (told["loaded"], told["can"], told["told"]) == ("9.8.7", True, "")

    secret = asked(phone, "install")
    wait_until(lambda: "9.8.7" in home.device.screen.main)
    assert "no" in decided(home, phone, secret, Button.BACK)["refused"]
    assert not upgrade.exists()

    other = wheel("6.6.6")
    assert phone.post(CARE + "wheel", content=other).json()["loaded"] == "6.6.6"
    secret = asked(phone, "install")
    # What people are asked about does not become another one meanwhile.
    assert "being asked" in phone.post(CARE + "wheel", content=wheel("6.6.7")).json()["refused"]
    assert decided(home, phone, secret, Button.ROLL) == {"answer": "come-in"}
    assert (upgrade / "wanted").read_bytes() == b"install"
    assert (upgrade / "new.whl").read_bytes() == other
    assert phone.get(CARE + "version").json()["loaded"] == ""


def test_the_version_before_comes_back_once_people_at_the_table_say_yes(home: Home, phone: TestClient) -> None:
    secret = asked(phone, "back")
    wait_until(lambda: "previous" in home.device.screen.main)
    assert decided(home, phone, secret, Button.ROLL) == {"answer": "come-in"}
    assert (home.folder / "upgrade/wanted").read_bytes() == b"back"
    (home.folder / "upgrade/told").write_text("went-back")
    assert phone.get(CARE + "version").json()["told"] == "went-back"


def test_no_other_answer_lets_a_version_in(phone: TestClient) -> None:
    assert phone.post(CARE + "answer", json={"ask": "x"}).status_code == 409
    assert phone.post(CARE + "answer", json={"ask": 1}).status_code == 400
    assert phone.post(CARE + "version", json={"what": "reboot"}).status_code == 400


# A newer version


@pytest.fixture
def looks(machine: Machine) -> Iterator[None]:
    """The owner has said where newer versions lie."""
    unit = machine.root / "etc/systemd/system/companion-newer.path"
    unit.touch()
    yield
    unit.unlink()


def test_where_the_owner_has_said_nothing_nothing_is_looked_up(home: Home, phone: TestClient) -> None:
    assert phone.get(CARE + "version").json()["newer"] is None
    assert phone.post(CARE + "look", json={"now": True}).status_code == 400
    assert not (home.folder / "newer").exists()


def test_a_newer_version_is_looked_for_once_and_put_in_once_people_say_yes(
    home: Home, phone: TestClient, looks: None, tmp_path: Path
) -> None:
    wanted = home.folder / "newer/wanted"
    assert phone.post(CARE + "look", json={"now": False}).json()["newer"] == {"looking": True, "looked": False}
    assert wanted.exists()
    file = lay(tmp_path / "there", "9.8.8")
    fetch(str(tmp_path / "there"), home.folder, "0.1.0")
    found = {"looking": False, "looked": True, "version": "9.8.8", "trouble": ""}
    assert phone.get(CARE + "version").json()["newer"] == found
    # It is not due, and was not asked for.
    phone.post(CARE + "look", json={"now": False})
    assert not wanted.exists()
    secret = asked(phone, "newer")
    wait_until(lambda: "9.8.8" in home.device.screen.main)
    assert decided(home, phone, secret, Button.ROLL) == {"answer": "come-in"}
    assert (home.folder / "upgrade/new.whl").read_bytes() == file
    assert phone.post(CARE + "version", json={"what": "newer"}).status_code == 400
    phone.post(CARE + "look", json={"now": True})
    assert wanted.exists()
