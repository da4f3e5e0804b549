"""Which requests are let in: those that only this machine can be meant by, of pages that it has served."""

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from companion.web.guard import Guard


@pytest.mark.parametrize(
    ("port", "host", "status"),
    [
        (80, "127.0.0.1", 200),
        (80, "localhost", 200),
        (80, "127.0.0.1:80", 200),
        (80, "rebound.example", 403),
        (8055, "127.0.0.1", 403),
        (443, "localhost", 403),
    ],
)
def test_browsers_do_not_name_the_port_that_is_usual(port: int, host: str, status: int) -> None:
    client = TestClient(Guard(PlainTextResponse("here"), port))
    origins = [{}, {"origin": f"http://{host}"}]
    assert [client.get("/", headers={"host": host, **origin}).status_code for origin in origins] == [status] * 2
    assert client.get("/", headers={"host": host, "origin": "http://evil.example"}).status_code == 403


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("192.168.1.23:8055", 200),
        ("[fe80::1]:8055", 200),
        ("companion.local:8055", 200),
        ("Companion.local:8055", 200),
        ("companion.evil.example:8055", 403),
        ("evil.example:8055", 403),
        ("192.168.1.23.evil.example:8055", 403),
        ("192.168.1.23:80", 403),
        ("192.168.1.23", 403),
        ("[::1]", 403),
        (":8055", 403),
        ("", 403),
    ],
)
def test_in_a_network_it_is_called_by_its_number_or_by_its_own_name(host: str, status: int) -> None:
    client = TestClient(Guard(PlainTextResponse("here"), 8055, ("companion.local",)))
    assert client.get("/", headers={"host": host}).status_code == status
    # A page that came from elsewhere, be it from another name of this machine, asks for nothing.
    for origin in ("null", "http://192.168.1.24:8055", f"https://{host}", "http://evil.example"):
        assert client.get("/", headers={"host": host, "origin": origin}).status_code == 403
