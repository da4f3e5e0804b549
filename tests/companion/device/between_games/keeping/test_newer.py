"""A newer version is found where the owner has said, and nothing else is taken from there."""

from __future__ import annotations

import hashlib
import http.server
import json
import os
import shutil
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from companion.device.between_games.keeping import fetching
from companion.device.between_games.keeping.fetching import INDEX, fetch, is_address
from companion.device.between_games.keeping.newer import FOLDER, Found, is_newer, look, looked, take
from tests.companion.device.between_games.keeping.whole_companion import packed

RUNNING: Final = "0.2.0"
NOTHING: Final = Found()


def lay(folder: Path, version: str = "0.10.0", /, **told: Any) -> bytes:
    """A version lies there, and its index; ``told`` is what that says instead of the truth."""
    folder.mkdir(exist_ok=True)
    wheel = packed({f"table_companion-{version}.dist-info/METADATA": b"Name: table-companion"})
    name = f"table_companion-{version}-py3-none-any.whl"
    (folder / name).write_bytes(wheel)
    index = {"name": "table-companion", "version": version, "wheel": name, "sha256": hashlib.sha256(wheel).hexdigest()}
    (folder / INDEX).write_text(json.dumps(index | told))
    return wheel


def test_what_comes_after_what_runs_is_newer() -> None:
    assert is_newer("0.10.0", "0.9")
    assert is_newer("1", "0.9.9")
    for version in ("0.9", "0.9.0", "0.8.7", "1.0rc1", "", "9" * 5000):
        assert not is_newer(version, "0.9")


def test_one_that_is_newer_is_found_until_it_is_taken(tmp_path: Path) -> None:
    there, state = tmp_path / "there", tmp_path / "state"
    wheel = lay(there)
    assert looked(state, RUNNING) == (None, False, True)
    look(state)
    assert looked(state, RUNNING) == (None, True, False)
    assert fetch(str(there), state, RUNNING) == Found("0.10.0")
    assert looked(state, RUNNING) == (Found("0.10.0"), False, False)
    assert not (state / FOLDER / "wanted").exists()
    # Once it runs it is no longer newer.
    assert looked(state, "0.10.0").found == NOTHING
    take(state, tmp_path / "taken")
    assert (tmp_path / "taken").read_bytes() == wheel
    assert looked(state, RUNNING) == (None, False, False)


def test_it_is_looked_for_once_a_day(tmp_path: Path) -> None:
    lay(tmp_path / "there", RUNNING)
    assert fetch(str(tmp_path / "there"), tmp_path, RUNNING) == NOTHING
    now = time.time()
    for age, is_due in ((0, False), (23 * 3600, False), (25 * 3600, True), (-3600, True)):
        os.utime(tmp_path / FOLDER / "found.json", (now - age, now - age))
        assert looked(tmp_path, RUNNING) == (NOTHING, False, is_due)


@pytest.mark.parametrize(
    "told",
    [
        {"sha256": "0" * 64},
        {"version": "0.11.0"},
        {"name": "other"},
        {"wheel": "../table_companion-0.10.0-py3-none-any.whl"},
        {"wheel": "https://elsewhere/table_companion-0.10.0-py3-none-any.whl"},
        {"more": "x" * 10_000},
        {"sha256": None},
    ],
)
def test_what_is_not_as_the_index_says_is_not_taken(tmp_path: Path, told: dict[str, Any]) -> None:
    there, state = tmp_path / "there", tmp_path / "state"
    wheel = lay(there, **told)
    (tmp_path / "table_companion-0.10.0-py3-none-any.whl").write_bytes(wheel)
    assert fetch(str(there), state, RUNNING) == Found(trouble="wrong")
    assert looked(state, RUNNING).found == Found(trouble="wrong")
    assert {path.name for path in (state / FOLDER).iterdir()} == {"found.json"}


def test_what_is_too_large_or_finds_no_room_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(tmp_path / "there")
    monkeypatch.setattr(fetching, "LARGEST_WHEEL_BYTES", 20)
    assert fetch(str(tmp_path / "there"), tmp_path, RUNNING).trouble == "wrong"
    monkeypatch.undo()
    monkeypatch.setattr(fetching, "_RESERVED_BYTES", 1 << 60)
    assert fetch(str(tmp_path / "there"), tmp_path, RUNNING).trouble == "room"
    assert fetch(str(tmp_path / "nowhere"), tmp_path, RUNNING).trouble == "unreachable"


def test_only_a_folder_or_an_address_where_nobody_else_can_answer_is_asked() -> None:
    assert is_address("https://versions.example:8443/companion/")
    assert is_address("/media/stick/versions")
    for other in (
        "http://versions.example/",
        "file:///media",
        "ftp://x/",
        "versions",
        "",
        "https://x/ y",
        "https://a@b/",
    ):
        assert not is_address(other)


class Server(http.server.SimpleHTTPRequestHandler):
    """Sends what is below ``elsewhere`` somewhere else."""

    def do_GET(self) -> None:
        if self.path.startswith("/elsewhere/"):
            self.send_response(302)
            self.send_header("Location", self.path.removeprefix("/elsewhere"))
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            super().do_GET()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """Where a folder is served; its certificate lies in ``certificate.pem``."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1",
         "-keyout", key, "-out", certificate, "-subj", "/CN=here", "-addext", "subjectAltName=IP:127.0.0.1"],
        check=True, capture_output=True,
    )  # fmt: skip
    served = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Server, directory=str(tmp_path / "there")))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    served.socket = context.wrap_socket(served.socket, server_side=True)
    thread = threading.Thread(target=served.serve_forever, args=(0.05,))
    thread.start()
    yield f"https://127.0.0.1:{served.server_port}"
    served.shutdown()
    served.server_close()
    thread.join()


def test_in_the_network_only_who_can_prove_the_address_is_believed_and_nobody_leads_elsewhere(
    tmp_path: Path, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(tmp_path / "there")
    assert fetch(server, tmp_path, RUNNING).trouble == "unreachable"
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
    assert fetch(f"{server}/", tmp_path, RUNNING) == Found("0.10.0")
    assert fetch(f"{server}/elsewhere", tmp_path, RUNNING).trouble == "unreachable"
