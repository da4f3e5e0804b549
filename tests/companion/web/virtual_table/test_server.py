"""The server: who may ask, what is served, and what bad, hostile and simultaneous messages do to the table."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from companion.texts.language import LANGUAGES
from companion.virtual.things import Place
from companion.web import SHARED
from companion.web.lines import LONGEST
from companion.web.virtual_table.messages import MessageError, read_message
from companion.web.virtual_table.server import PAGE, make_app
from tests.companion.web.browsers import ServedTable, wait_until
from vision.cards import Pose

PORT = 8055
LINE = f"ws://127.0.0.1:{PORT}/table"


@pytest.fixture(scope="module")
def client(served: ServedTable) -> Iterator[TestClient]:
    with TestClient(make_app(served.device, PORT), base_url=f"http://127.0.0.1:{PORT}") as client:
        yield client


def sent(line: WebSocketTestSession, **message: Any) -> None:
    line.send_text(json.dumps(message))


def told(line: WebSocketTestSession, kind: str, **wanted: Any) -> dict[str, Any]:
    """The next message of this type in which these values stand."""
    for _ in range(400):
        message: dict[str, Any] = line.receive_json()
        if message["type"] == kind and all(message.get(name) == value for name, value in wanted.items()):
            return message
    raise AssertionError(f"nothing was told of {kind} with {wanted}")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"host": f"localhost:{PORT}"}, 200),
        ({"origin": f"http://localhost:{PORT}"}, 200),
        ({"host": "rebound.example"}, 403),
        ({"host": f"rebound.example:{PORT}"}, 403),
        ({"host": "127.0.0.1:1"}, 403),
        ({"host": ""}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": f"https://127.0.0.1:{PORT}"}, 403),
    ],
)
def test_only_pages_of_this_machine_may_ask(client: TestClient, headers: dict[str, str], status: int) -> None:
    assert client.get("/", headers=headers).status_code == status


@pytest.mark.parametrize("headers", [{"host": "rebound.example"}, {"origin": "http://evil.example"}])
def test_no_other_page_gets_a_line_to_the_table(client: TestClient, headers: dict[str, str]) -> None:
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(LINE, headers=headers):
        pass


def test_what_is_served_stays_within_the_page(client: TestClient) -> None:
    for path in ("/page/../server.py", "/page/%2e%2e/server.py", "/page//etc/passwd", "/faces/../deck.json.webp"):
        assert client.get(path).status_code in {403, 404}, path
    assert client.get("/texts/fr.json").status_code == 404
    assert client.get("/faces/no-such-card.webp").status_code == 404
    policy = client.get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy


def test_the_page_asks_nobody_else() -> None:
    for file in filter(Path.is_file, [*PAGE.rglob("*"), *SHARED.rglob("*")]):
        text = file.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "https://" not in text, file
        assert "http://" not in text, file


def test_faces_texts_and_the_deck_are_served(client: TestClient) -> None:
    deck = client.get("/deck.json").json()
    assert len(deck["faces"]) == 24
    for face in [*list(deck["faces"])[:3], "back"]:
        picture = client.get(f"/faces/{face}.webp")
        assert picture.content[:4] == b"RIFF"
    texts = [client.get(f"/texts/{language}.json").json()["texts"] for language in LANGUAGES]
    assert len({frozenset(each) for each in texts}) == 1
    used = {word for file in PAGE.glob("*.html") for word in _marked(file.read_text("utf-8"))}
    assert used <= set(texts[0])


def _marked(html: str) -> set[str]:
    import re

    return set(re.findall(r'data-(?:text|label)="([^"]+)"', html))


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "null",
        "[]",
        "{}",
        '"hold"',
        "{",
        "\x00",
        '{"type":"hold"}',
        '{"type":"hold","number":-101}',
        '{"type":"hold","number":1e99}',
        '{"type":"hold","number":"1"}',
        '{"type":"hold","number":1,"by":"you"}',
        '{"type":"move","number":1,"x":NaN,"y":0,"turn":0}',
        '{"type":"move","number":1,"x":1e300,"y":0,"turn":0}',
        '{"type":"lay","number":1,"x":null,"y":0,"turn":0}',
        '{"type":"put","number":1,"place":"box"}',
        '{"type":"press","button":"self-destruct"}',
        '{"type":"play","speed":"ludicrous"}',
        '{"type":"new","game":"../../etc","kind":"2"}',
        '{"type":"disturb","bump":"yes"}',
        '{"type":"__class__"}',
        "[" * 1500,
        '{"type":"draw","owner":' + "9" * 1500 + "}",
    ],
)
def test_bad_messages_are_refused_and_change_nothing(client: TestClient, served: ServedTable, text: str) -> None:
    before = served.device.world.revision
    with client.websocket_connect(LINE) as line:
        line.send_text(text)
        refused = told(line, "refused")
        assert refused["reason"] == "message"
        assert len(refused["why"]) < 400
        sent(line, type="draw")  # the line is as good as before
        told(line, "world")
    assert served.device.world.revision <= before + 1
    served.device.world.begin(served.device.pictures.deck, ("Ann", "Betsy"), 1, 7)


@given(st.text(max_size=300) | st.recursive(st.none() | st.floats() | st.text(), st.lists).map(json.dumps))
def test_any_text_is_a_message_or_is_refused(text: str) -> None:
    with suppress(MessageError):
        read_message(text)


def test_long_messages_are_refused_and_huge_ones_end_the_line(client: TestClient) -> None:
    with client.websocket_connect(LINE) as line:
        line.send_text('{"type":"draw"}' + " " * LONGEST)
        assert told(line, "refused")["reason"] == "message"
        line.send_bytes(b"\xff\xfe\x00")
        assert told(line, "refused")["reason"] == "message"
        line.send_text("x" * 100 * LONGEST)
        with pytest.raises((WebSocketDisconnect, AssertionError)):
            told(line, "nothing")


def test_two_browsers_see_the_same_and_one_cannot_take_what_the_other_holds(
    client: TestClient, served: ServedTable
) -> None:
    world = served.device.world
    world.begin(served.device.pictures.deck, ("Ann", "Betsy"), 1, 7)
    with client.websocket_connect(LINE) as one, client.websocket_connect(LINE) as other:
        me = told(one, "you")["are"]
        assert told(other, "you")["are"] != me
        top = told(one, "world")["top"]
        sent(one, type="hold", number=top)
        sent(one, type="move", number=top, x=300, y=300, turn=10)
        wait_until(lambda: world.holds().get(top) is not None and world.holds()[top].pose is not None)
        sent(other, type="hold", number=top)
        assert told(other, "refused")["reason"] == "held"
        sent(other, type="lay", number=top, x=10, y=10, turn=0)
        assert told(other, "refused")["reason"] == "held"
        sent(one, type="lay", number=top, x=310, y=305, turn=20)
        seen = [told(line, "world", held={}) for line in (one, other)]
        while not any(card["place"] == "table" for card in seen[1]["cards"]):
            seen[1] = told(other, "world", held={})
        (card,) = [card for card in seen[1]["cards"] if card["place"] == "table"]
        assert (card["x"], card["y"], card["turn"]) == (310, 305, 20)
        sent(one, type="hold", number=top)
        wait_until(lambda: top in world.holds())
    wait_until(lambda: top not in world.holds(), what="who has gone still holds a card")
    assert [card.number for card in world.cards(Place.TABLE)] == [top]


def test_faces_that_nobody_sees_are_not_told(client: TestClient, served: ServedTable) -> None:
    world = served.device.world
    world.begin(served.device.pictures.deck, ("Ann", "Betsy"), 1, 7)
    with client.websocket_connect(LINE) as line:
        assert told(line, "world", pile=55)["cards"] == []


def test_buttons_screen_and_disturbances(client: TestClient, served: ServedTable) -> None:
    with client.websocket_connect(LINE) as line:
        first = told(line, "screen")
        assert len(first["dots"]) == 1368
        sent(line, type="press", button="up")
        assert told(line, "screen")["dots"] != first["dots"]
        sent(line, type="press", button="back")
        sent(line, type="disturb", display=False, light="dusk", bump=True)
        news = told(line, "world")
        while news["disturbances"]["light"] != "dusk":
            news = told(line, "world")
        assert news["disturbances"] == {
            "light": "dusk", "glare": False, "hand": False, "bumps": 1, "display": False, "camera": True,
        }  # fmt: skip
        dark = served.device.memory.image()
        assert dark.getbbox() is None
        sent(line, type="disturb", display=True, light="day")
        wait_until(lambda: served.device.memory.image().getbbox() is not None, what="the screen is not set up anew")


def test_the_camera_is_looked_through(client: TestClient, served: ServedTable) -> None:
    wait_until(lambda: served.device.camera is not None and served.device.camera.pictures)
    plain, read = client.get("/camera.jpg"), client.get("/camera.jpg?read")
    assert plain.content[:2] == read.content[:2] == b"\xff\xd8"


def test_an_unplugged_camera_is_told_on_the_screen_and_comes_back(client: TestClient, served: ServedTable) -> None:
    with client.websocket_connect(LINE) as line:
        sent(line, type="disturb", camera=False)
        wait_until(lambda: "camera" in served.controller.desk.faults, what="nobody noticed")
        sent(line, type="disturb", camera=True)
        wait_until(lambda: "camera" not in served.controller.desk.faults, what="it did not come back")


@pytest.mark.parametrize(("game", "kind"), [("chess", "2"), ("loknroll", "5")])
def test_what_cannot_be_played_ends_nothing(client: TestClient, served: ServedTable, game: str, kind: str) -> None:
    before = served.device.play
    with client.websocket_connect(LINE) as line:
        sent(line, type="new", game=game, kind=kind)
        assert told(line, "refused")["reason"] == "message"
    assert served.device.play is before


def test_another_language_is_spoken_and_another_game_begins_when_it_is_asked_for(
    client: TestClient, served: ServedTable
) -> None:
    with client.websocket_connect(LINE) as line:
        sent(line, type="speak", language="de")
        while "Karte" not in " ".join(told(line, "said")["text"]):
            pass
        sent(line, type="new", game="loknroll", kind="3")
        told(line, "world", game=["loknroll", "3"], names=["Ann", "Ben", "Cleo"], language="de")


def test_a_browser_that_comes_to_a_game_under_way_brings_no_language(served: ServedTable, client: TestClient) -> None:
    device, number = served.device, served.device.world.cards(Place.PILE)[-1].number
    device.speak("en")
    device.world.place_card(number, Pose(300, 300))
    with client.websocket_connect(f"{LINE}?language=es") as line:
        assert told(line, "world")["language"] == "en"
    device.world.put_away(number, Place.PILE)
    with client.websocket_connect(f"{LINE}?language=es") as line:
        assert told(line, "world")["language"] == "es"
    device.speak("en")
