"""What anybody in the home network may try at a page that is really served, and what comes of it."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from companion.device.last_game import Order
from companion.device.session import Session
from companion.device.visitors import MOST_TRIES
from companion.web import connections
from companion.web.phone import door, server
from companion.web.phone.door import COOKIE
from hardware.buttons import Button
from tests.companion.web.browsers import wait_until
from tests.companion.web.phone.served_session import HERE, Phone, ServedSession

SECURE = {"content-security-policy", "x-content-type-options", "cross-origin-resource-policy", "referrer-policy"}
EVIL = "http://evil.example"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedSession]:
    with ServedSession(tmp_path_factory.mktemp("home")) as served:
        yield served


@pytest.fixture(autouse=True)
def quiet(served: ServedSession) -> None:
    """Each test finds a door at which nobody was."""
    served.visitors.__init__()  # type: ignore[misc]  # the session and the page have this one


def posted(served: ServedSession, path: str, body: object, **headers: str) -> tuple[int, dict[str, str]]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    status, _, answer = served.asked("POST", f"/phone/{path}", json.dumps(body).encode(), named)
    return status, json.loads(answer)


def test_no_header_chooses_the_address_that_is_shown_and_counted(served: ServedSession) -> None:
    asked = [posted(served, "knock", {}, x_forwarded_for=f"10.0.0.{number}") for number in range(MOST_TRIES + 1)]
    knock = served.visitors.now
    assert knock is not None
    assert knock.address == HERE
    assert [status for status, _ in asked] == [200, *[409] * (MOST_TRIES - 1), 429]


def test_a_thousand_wrong_digits_let_nobody_in(served: ServedSession) -> None:
    _, told = posted(served, "knock", {})
    wrong = f"{(int(served.visitors.now.digits) + 1) % 10**6:06}"  # type: ignore[union-attr]
    line = http.client.HTTPConnection(HERE, served.port)
    statuses = []
    for _ in range(1_000):
        line.request("POST", "/phone/digits", json.dumps({"knock": told["knock"], "digits": wrong}))
        answer = line.getresponse()
        statuses.append(answer.status)
        assert answer.headers["set-cookie"] is None
        answer.read()
    line.close()
    assert statuses == [*[200] * (MOST_TRIES - 1), *[429] * (1_000 - MOST_TRIES + 1)]


def test_a_key_that_was_made_up_opens_nothing(served: ServedSession) -> None:
    forged = (served.key[:-1], served.key + "x", served.key.swapcase(), "*", "x" * 5_000, '"\\377"', "")
    for key in forged:
        assert served.asked("GET", "/phone/keys", headers={"Cookie": f"{COOKIE}={key}"})[0] == 403
        with Phone(served.port, key) as phone:
            phone.says("press", button="down")
            wait_until(lambda phone=phone: phone.refused == ["outside"])
    assert served.asked("GET", "/phone/keys", headers={"Cookie": f"{COOKIE}={served.key}"})[0] == 200


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW"])
def test_other_pages_ask_in_vain_whatever_they_ask_and_all_answers_are_guarded(
    served: ServedSession, method: str
) -> None:
    port = served.port
    for path in ("/phone", "/phone/knock", "/phone/revoke", "/shared/base.css", "/nothing"):
        for headers in (
            {"Origin": EVIL},
            {"Host": f"evil.example:{port}"},
            {"Origin": f"http://{HERE}"},
            {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
            {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"},
        ):
            status, told, body = served.asked(method, path, headers={**headers, "Cookie": f"{COOKIE}={served.key}"})
            assert status == 403
            assert {name.lower() for name in told} >= SECURE
            assert EVIL.encode() not in body
        status, told, _ = served.asked(method, path)
        assert status in {200, 400, 403, 404, 405}
        assert {name.lower() for name in told} >= SECURE
        assert "access-control-allow-origin" not in told


def test_a_link_on_another_page_leads_here(served: ServedSession) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert served.asked("GET", "/phone", headers=headers)[0] == 200


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET /phone HTTP/1.0\r\n\r\n", b"403"),
        (b"GET /phone HTTP/1.1\r\nConnection: close\r\n\r\n", b"400"),
        (b"GET /phone HTTP/1.1\r\nHost: %(here)b\r\nHost: evil.example\r\n\r\n", b"400"),
        (
            b"GET /phone HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: %(here)b\r\nConnection: close\r\n\r\n",
            b"403",
        ),
        (b"GET http://evil.example/phone HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", b"403"),
        (b"GET http://evil.example/phone HTTP/1.1\r\nHost: %(here)b\r\nConnection: close\r\n\r\n", b"404"),
        (b"GET //evil.example/phone/ HTTP/1.1\r\nHost: %(here)b\r\nConnection: close\r\n\r\n", b"404"),
        (b"GET /<script>alert(1)</script> HTTP/1.1\r\nHost: %(here)b\r\nConnection: close\r\n\r\n", b"404"),
        (b"GET /phone/page/%%00 HTTP/1.1\r\nHost: %(here)b\r\nConnection: close\r\n\r\n", b"404"),
        (b"GET /phone/page/%%ff.js HTTP/1.1\r\nHost: %(here)b\r\nConnection: close\r\n\r\n", b"404"),
        (b"GET /phone/page/%(long)b HTTP/1.1\r\nHost: %(here)b\r\nConnection: close\r\n\r\n", b"404"),
        (b"GET /phone/page/../../../../etc/passwd HTTP/1.1\r\nHost: %(here)b\r\nConnection: close\r\n\r\n", b"404"),
        (b"GET /phone/page/..%%2f..%%2fphone/keys.py HTTP/1.1\r\nHost: %(here)b\r\nConnection: close\r\n\r\n", b"404"),
        (b"GET /phone/faces/%%00.webp HTTP/1.1\r\nHost: %(here)b\r\nConnection: close\r\n\r\n", b"404"),
        (b"GET /phone/texts/../../en.json HTTP/1.1\r\nHost: %(here)b\r\nConnection: close\r\n\r\n", b"404"),
        (b"GET /%(huge)b HTTP/1.1\r\nHost: %(here)b\r\nConnection: close\r\n\r\n", b"404"),
        (b"POST /phone/knock HTTP/1.1\r\nHost: %(here)b\r\nContent-Length: -1\r\n\r\n", b"400"),
        (b"POST /phone/knock HTTP/1.1\r\nHost: %(here)b\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", b"400"),
        (b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03", b"400"),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"403"),
        (b"GET /phone/line HTTP/1.1\r\nHost: %(here)b\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", b"400"),
    ],
)
def test_what_no_browser_sends_is_answered_clearly(served: ServedSession, request_: bytes, status: bytes) -> None:
    filled = {b"here": f"{HERE}:{served.port}".encode(), b"long": b"x" * 5_000, b"huge": b"x" * 100_000}
    answer = served.raw(request_ % filled)
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.split()[1] == status
    assert b"<script" not in body
    assert b"Traceback" not in body
    assert b"evil.example" not in answer


def test_a_body_byte_by_byte_is_not_waited_for(served: ServedSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "BODY_SECONDS", 0.3)
    monkeypatch.setattr(connections, "SILENT_SECONDS", 0.6)
    with socket.create_connection((HERE, served.port)) as line:
        head = f"POST /phone/knock HTTP/1.1\r\nHost: {HERE}:{served.port}\r\nContent-Length: 900\r\n\r\n"
        line.sendall(head.encode())
        began = time.monotonic()
        with contextlib.suppress(ConnectionError):
            wait_until(lambda: line.sendall(b" ") or not served.connections, 10)
        assert time.monotonic() - began < 5
        assert line.recv(100).startswith(b"HTTP/1.1 400")


def test_who_goes_in_the_middle_of_a_body_leaves_no_trace(
    served: ServedSession, caplog: pytest.LogCaptureFixture
) -> None:
    with socket.create_connection((HERE, served.port)) as line:
        line.sendall(f"POST /phone/knock HTTP/1.1\r\nHost: {HERE}:{served.port}\r\nContent-Length: 9\r\n\r\n ".encode())
        wait_until(lambda: served.server.server_state.tasks)
    wait_until(lambda: not served.server.server_state.tasks)
    assert not caplog.records


def test_who_was_let_in_finds_a_line_where_all_are_taken(
    served: ServedSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served.phones, "_most", 3)
    with contextlib.ExitStack() as stack:
        inside = stack.enter_context(Phone(served.port, served.key))
        outside = [stack.enter_context(Phone(served.port)) for _ in range(2)]
        with pytest.raises(InvalidStatus, match="403"):
            Phone(served.port)
        newer = [stack.enter_context(Phone(served.port, served.key)) for _ in range(2)]
        wait_until(lambda: not any(phone.is_open for phone in outside))
        with pytest.raises(InvalidStatus, match="403"):
            Phone(served.port, served.key)
        assert all(phone.is_open for phone in (inside, *newer))


def test_only_the_people_at_the_table_say_who_comes_in(served: ServedSession) -> None:
    with Phone(served.port, served.key) as inside:
        knock = posted(served, "knock", {})[1]["knock"]
        digits = served.visitors.now.digits  # type: ignore[union-attr]
        assert posted(served, "digits", {"knock": knock, "digits": digits}) == (200, {"answer": "people"})
        for button in ("roll", "back"):
            inside.says("press", button=button)
        wait_until(lambda: inside.refused == ["door", "door"])
        time.sleep(1.0)
        assert posted(served, "digits", {"knock": knock}) == (200, {"answer": "people"})
        served.buttons.press(Button.ROLL)
        wait_until(lambda: posted(served, "digits", {"knock": knock}) == (200, {"answer": "come-in"}))
        inside.says("press", button="down")
        wait_until(lambda: served.visitors.now is None)
        assert inside.refused == ["door", "door"]


def test_while_digits_are_shown_no_picture_is_told(served: ServedSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.Views, "camera", lambda _: b"a picture with digits in it")
    assert served.asked("GET", "/phone/camera.jpg")[0] == 200
    posted(served, "knock", {})
    assert served.asked("GET", "/phone/camera.jpg")[0] == 204


def test_pictures_of_the_cards_are_made_once_however_often_they_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ServedSession(tmp_path, Order("loknroll", "2")) as served:
        served.playing()
        made, make = [], served.session.pictures_on_the_table
        monkeypatch.setattr(served.session, "pictures_on_the_table", lambda: made.append(1) or make())
        for face, status in 2 * [("track-1-left", 200), ("broken-1", 200), ("back", 200), ("no-such-card", 404)]:
            assert served.asked("GET", f"/phone/faces/{face}.webp")[0] == status
        assert len(made) == 1


def test_malformed_and_oversized_messages_are_answered_or_end_the_line(served: ServedSession) -> None:
    with Phone(served.port, served.key) as phone:
        bad = (
            "",
            "{",
            "null",
            "[" * 1_900,
            '{"type":"press"}',
            '{"type":"press","button":"x"}',
            "x" * 12_000,
            "\0",
            "9" * 400,
        )
        for number, text in enumerate(bad):
            phone._line.send(text)
            wait_until(lambda number=number: phone.refused == ["message"] * (number + 1))
        phone._line.send(b"\xff\xfe")
        wait_until(lambda: len(phone.refused) == len(bad) + 1)
        with contextlib.suppress(ConnectionClosed):
            phone._line.send("x" * 30_000)
        wait_until(lambda: not phone.is_open)
    assert served.asked("GET", "/phone")[0] == 200


def test_more_than_can_be_done_is_not_kept_waiting(served: ServedSession, monkeypatch: pytest.MonkeyPatch) -> None:
    with Phone(served.port, served.key) as phone:
        monkeypatch.setattr(Session, "is_behind", True)
        phone.says("press", button="down")
        wait_until(lambda: phone.refused == ["behind"])


@pytest.mark.further
def test_a_silent_phone_stays_and_one_that_is_gone_is_noticed(served: ServedSession) -> None:
    with Phone(served.port) as phone, socket.create_connection((HERE, served.port)) as gone:
        gone.sendall(
            f"GET /phone/line HTTP/1.1\r\nHost: {HERE}:{served.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        wait_until(lambda: len(served.phones) == 2)
        wait_until(lambda: len(served.phones) == 1, 60)
        assert phone.is_open
