"""What the page's server lets phones do: all may watch, and only who was let in steers."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
import resvg_py
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from companion.screen.screen import Screen
from companion.texts.language import LANGUAGES
from companion.web import SHARED
from companion.web.phone.door import COOKIE
from companion.web.phone.server import PAGE, page_texts
from hardware.buttons import Button
from tests.companion.web.browsers import wait_until
from tests.companion.web.phone.home import PORT, Home

LINE = f"ws://127.0.0.1:{PORT}/phone/line"
PATHS = ("/phone/keys",)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    home = Home(tmp_path_factory.mktemp("home"))
    yield home
    home.close()


@pytest.fixture
def phone(home: Home) -> Iterator[TestClient]:
    with home.client() as client:
        # Each is another address: no test is hindered by what another one has tried.
        home.device.visitors._tried.clear()
        yield client


def told(line: WebSocketTestSession, kind: str, is_so: Callable[[Any], bool] = lambda _: True) -> Any:
    """The next message of this kind of which something is so."""
    for _ in range(200):
        message = line.receive_json()
        if message["type"] == kind and is_so(message.get(kind)):
            return message.get(kind, message)
    raise AssertionError(kind)


def test_everybody_may_watch(phone: TestClient) -> None:
    with phone.websocket_connect(LINE) as line:
        assert line.receive_json() == {"type": "you", "inside": False}
        assert told(line, "facts", bool) == {"room": "lobby"}
        screen = told(line, "screen", lambda screen: screen["choices"])
        assert msgspec.convert(screen, Screen).choices


@pytest.mark.parametrize("cookie", ["", "x", "x" * 4000])
def test_who_was_not_let_in_steers_nothing(home: Home, phone: TestClient, cookie: str) -> None:
    if cookie:
        phone.cookies.set(COOKIE, cookie)
    before = home.device.screen
    with phone.websocket_connect(LINE) as line:
        line.send_text(json.dumps({"type": "press", "button": "down"}))
        assert told(line, "refused")["reason"] == "outside"
    assert home.device.screen == before
    for path in PATHS:
        assert phone.get(path).status_code == 403


def test_who_was_let_in_presses_the_buttons(home: Home, phone: TestClient) -> None:
    key = home.let_in(phone)
    with phone.websocket_connect(LINE) as line:
        assert line.receive_json() == {"type": "you", "inside": True}
        chosen = told(line, "screen", lambda screen: screen["choices"])["chosen"]
        line.send_text(json.dumps({"type": "press", "button": "down"}))
        assert told(line, "screen", lambda screen: screen["chosen"] != chosen)["chosen"] == chosen + 1
        line.send_text(json.dumps({"type": "press", "button": "up"}))
    # Only what nobody can steer with is on the disk.
    assert key not in (home.folder / "phones.json").read_text()


def test_what_a_page_cannot_be_told_does_not_end_what_runs(
    home: Home, phone: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    handler, chosen = home.device.session.handler, home.device.screen.chosen

    def mistake() -> dict[str, object]:
        raise KeyError("a mistake")

    monkeypatch.setattr(handler, "facts", mistake)
    home.device.press(Button.DOWN)
    wait_until(lambda: home.device.screen.chosen == chosen + 1, seconds=5)
    home.device.press(Button.UP)
    wait_until(lambda: home.device.screen.chosen == chosen, seconds=5)
    with phone.websocket_connect(LINE) as line:
        assert told(line, "screen")["chosen"] == chosen
    # Time enough for a turn in which nothing comes onto the screen.
    time.sleep(0.6)
    assert home.device.session.handler is handler


def test_the_key_is_kept_from_pages_and_from_other_sites(home: Home, phone: TestClient) -> None:
    home.let_in(phone)
    cookie = next(each for each in phone.cookies.jar if each.name == COOKIE)
    assert cookie.has_nonstandard_attr("HttpOnly")
    assert cookie.get_nonstandard_attr("SameSite") == "strict"


def test_who_is_sent_away_steers_nothing_from_then_on(home: Home, phone: TestClient) -> None:
    home.let_in(phone, "Tablet")
    with phone.websocket_connect(LINE) as line:
        entry = next(each for each in phone.get("/phone/keys").json()["keys"] if each["me"])
        assert entry["name"] == "Tablet"
        with home.client() as other:
            home.device.visitors._tried.clear()
            home.let_in(other, "Other")
            other.post("/phone/revoke", json={"id": entry["id"]})
            line.send_text(json.dumps({"type": "press", "button": "down"}))
            assert told(line, "refused")["reason"] == "outside"
            assert [each["name"] for each in other.get("/phone/keys").json()["keys"]].count("Tablet") == 0
    assert phone.get("/phone/keys").status_code == 403


def test_nobody_else_sees_the_digits_of_the_screen(home: Home, phone: TestClient) -> None:
    with home.client() as watcher, watcher.websocket_connect(LINE) as line:
        knock = phone.post("/phone/knock", json={}).json()["knock"]
        digits = home.digits()
        half = len(digits) // 2
        phone.post("/phone/digits", json={"knock": knock, "digits": digits})

        home.answer(Button.BACK)
        wait_until(lambda: home.device.screen.choices)
        chosen = home.device.screen.chosen + 1
        home.device.press(Button.DOWN)
        heard = [line.receive_json()]
        while heard[-1].get("screen", {}).get("chosen") != chosen:
            heard.append(line.receive_json())
        assert {"type": "screen", "screen": json.loads(msgspec.json.encode(Screen()))} in heard
        assert not any(part in json.dumps(heard) for part in (digits[:half], digits[half:]))
    home.device.visitors._quiet_until = 0.0


def test_another_phone_is_led_here_by_a_code(phone: TestClient) -> None:
    svg = phone.get("/phone/address.svg")
    assert svg.headers["content-type"] == "image/svg+xml"
    png = np.frombuffer(bytes(resvg_py.svg_to_bytes(svg_string=svg.text, width=400, background="white")), np.uint8)
    told, _, _ = cv2.QRCodeDetector().detectAndDecode(cv2.imdecode(png, cv2.IMREAD_COLOR))
    assert told == f"http://127.0.0.1:{PORT}/"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_are_said_in_the_readers_language(phone: TestClient, language: str) -> None:
    games = phone.get(f"/phone/rules/{language}.json").json()["games"]
    assert [game["title"] for game in games] == ["LOK'n'ROLL", "Locomotion"]
    clauses = {clause["id"]: clause["text"] for chapter in games[0]["chapters"] for clause in chapter["clauses"]}
    assert {"en": "Emma", "de": "Gleis", "es": "locomotora"}[language] in "".join(clauses.values())
    assert clauses["PEN2"]
    assert phone.get("/phone/rules/fr.json").status_code == 404


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("knock", b""),
        ("knock", b"{"),
        ("knock", b"[" * 5000),
        ("knock", b'{"name":"' + b"x" * 41 + b'"}'),
        ("digits", b'{"digits":"1"}'),
        ("digits", b'{"knock":"' + b"x" * 100_000 + b'"}'),
        ("digits", b'{"knock":1,"digits":[]}'),
        ("digits", b"\xff\xfe"),
        ("withdraw", b"{}"),
    ],
)
def test_what_no_page_sends_is_not_understood(phone: TestClient, path: str, body: bytes) -> None:
    assert phone.post(f"/phone/{path}", content=body).status_code == 400


@pytest.mark.parametrize("headers", [{"origin": "http://evil.example"}, {"host": "evil.example"}])
def test_no_other_page_asks_or_listens(phone: TestClient, headers: dict[str, str]) -> None:
    for path in ("/phone", "/phone/keys", "/phone/camera.jpg"):
        assert phone.get(path, headers=headers).status_code == 403
    for path in ("/phone/knock", "/phone/digits", "/phone/withdraw", "/phone/revoke"):
        assert phone.post(path, json={}, headers=headers).status_code == 403
    with pytest.raises(WebSocketDisconnect), phone.websocket_connect(LINE, headers=headers):
        pass


def test_what_is_served_stays_within_the_page(phone: TestClient) -> None:
    for path in (
        "/phone/page/../server.py",
        "/phone/page/%2e%2e/keys.py",
        "/phone/page//etc/passwd",
        "/shared/../guard.py",
    ):
        assert phone.get(path).status_code in {403, 404}, path
    assert phone.get("/phone/texts/fr.json").status_code == 404
    assert phone.get("/phone/faces/..%2F..%2Fphones.json.webp").status_code == 404


def test_the_page_asks_nobody_else_and_says_all_in_each_language() -> None:
    files = [file for folder in (PAGE, SHARED) for file in folder.rglob("*") if file.is_file()]
    texts = [page_texts(language) for language in LANGUAGES]
    assert texts[0].keys() == texts[1].keys() == texts[2].keys()
    for file in files:
        said = file.read_text()
        assert "https://" not in said
        assert said.count("http://") == said.count("http://www.w3.org/"), file
    assert sum(file.stat().st_size for file in files) < 300_000
