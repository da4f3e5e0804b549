"""A session on virtual devices whose page is served at a real port, and phones that have real lines to it."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from companion.commands.shared.virtual_table import without_pins
from companion.device.last_game import Order
from companion.device.session import Session
from companion.device.settings_file import SettingsFile
from companion.device.visitors import Visitors
from companion.games.events import Effect
from companion.games.registry import games
from companion.web.connections import make_server
from companion.web.lines import Lines
from companion.web.phone.door import COOKIE
from companion.web.phone.keys import Keys
from companion.web.phone.news import SessionNews
from companion.web.phone.served import make_app
from hardware.buttons import Button, VirtualButtons
from hardware.devices import open_devices
from hardware.display.oled_memory import OledMemory
from tests.companion.web.browsers import wait_until

HERE: Final = "127.0.0.1"
MENU_CHOICES: Final = 6


class Judged:
    """What came of what phones said: noted where a play hears it."""

    def __init__(self) -> None:
        self.taken = {"Corrected": 0, "TakenBack": 0}
        self.refused = {"Corrected": 0, "TakenBack": 0}

    @property
    def has_seen_all(self) -> bool:
        """Whether something of each kind was done, and something refused."""
        return all([*self.taken.values(), *self.refused.values()])

    def watch(self, play: Any) -> None:
        """From now on this one is listened to."""
        handle = play.handle

        def noted(event: Any) -> Any:
            name = type(event).__name__
            if name not in self.taken:
                return handle(event)
            before = play.present().moment
            effects = handle(event)
            count = self.refused if play.present().moment == before else self.taken
            count[name] += 1
            return effects

        play.handle = noted


class ServedSession:
    """What ``companion run`` is without a camera: a session, and its page at a free port; a context manager."""

    def __init__(
        self,
        folder: Path,
        order: Order | None = None,
        *,
        seed: int = 7,
        turned: Callable[[], None] = lambda: None,
        heard: Callable[[Effect], None] = lambda _: None,
    ) -> None:
        """``turned`` is called once a turn of the loop, ``heard`` with every effect before phones are told of it."""
        self.turns, self.judged, self.order = 0, Judged(), order
        self._is_over, self._has_turned = False, turned
        self.buttons = VirtualButtons()
        opened = open_devices(without_pins(), bus=OledMemory())
        self.devices = opened._replace(buttons=self.buttons, camera=None)
        self.visitors = Visitors()
        self.session = Session(
            self.devices,
            SettingsFile(folder / "settings.json"),
            folder,
            games(),
            source=Random(seed),
            visitors=self.visitors,
            began=lambda _, play: self.judged.watch(play),
            on_turn=self._turned,
        )
        if order is not None:
            self.session.order(order)
        self.session.mirror(heard, lambda: None)
        news = SessionNews(self.session)
        # As somebody who was let in yesterday: how they are let in is tried elsewhere.
        self.key = Keys(folder / "phones.json").make("Yesterday")
        self._socket = socket.create_server((HERE, 0))
        self.port: int = self._socket.getsockname()[1]
        self.address = f"http://{HERE}:{self.port}"
        app = make_app(self.session, news, self.visitors, folder, self.port)
        self.phones: Lines = next(route.endpoint.__self__.lines for route in app.routes if route.path == "/phone/line")
        self.server = make_server(app)
        self._threads = [
            threading.Thread(target=self.server.run, args=([self._socket],), daemon=True),
            threading.Thread(target=self._play, daemon=True),
        ]

    def _turned(self) -> None:
        self.turns += 1
        self._has_turned()

    def _play(self) -> None:
        """Whoever switches it off at random switches it on again."""
        while not self._is_over:
            self.session.run()

    def playing(self) -> Any:
        """What is played; begun anew where it was left."""
        while self.session.play is None:
            if self.order is not None and not self.session.is_ordered:
                self.session.order(self.order)
            time.sleep(0.01)
        return self.session.play

    def __enter__(self) -> ServedSession:
        for thread in self._threads:
            thread.start()
        wait_until(lambda: self.server.started and self.turns)
        return self

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self._threads[0].join(10)
        self._is_over = True
        self.session.stop()
        self._threads[1].join(15)
        assert not any(thread.is_alive() for thread in self._threads)
        self.devices.close()

    @property
    def connections(self) -> int:
        """How many there are."""
        return len(self.server.server_state.connections)

    def asked(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] = {}
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        """The answer to a request: status, headers, body."""
        line = http.client.HTTPConnection(HERE, self.port, timeout=20)
        try:
            line.request(method, path, body, dict(headers))
            answer = line.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            line.close()

    def raw(self, request: bytes) -> bytes:
        """All that comes of these bytes."""
        with socket.create_connection((HERE, self.port), timeout=20) as line:
            line.sendall(request)
            return line.makefile("rb").read()


class Phone:
    """A phone with a line: the newest of each topic, noted in a thread; a context manager."""

    def __init__(self, port: int, key: str = "", *, heard: Callable[[str], None] = lambda _: None) -> None:
        """``heard`` is told the name of each topic that comes."""
        self.newest: dict[str, Any] = {}
        self.counts: dict[str, int] = {}
        self.refused: list[str] = []
        self._heard = heard
        headers = {"Cookie": f"{COOKIE}={key}"} if key else {}
        self._open = contextlib.ExitStack()
        line = connect(
            f"ws://{HERE}:{port}/phone/line",
            origin=f"http://{HERE}:{port}",  # type: ignore[arg-type]  # a NewType of str
            additional_headers=headers,
            compression=None,
        )
        self._line = self._open.enter_context(line)
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def __enter__(self) -> Phone:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()
        self._thread.join(10)

    def _listen(self) -> None:
        try:
            for text in self._line:
                told = json.loads(text)
                kind = told["type"]
                if kind == "refused":
                    self.refused.append(told["reason"])
                else:
                    self.newest[kind] = told.get(kind, told)
                self.counts[kind] = self.counts.get(kind, 0) + 1
                self._heard(kind)
        except ConnectionClosed:
            pass

    @property
    def is_open(self) -> bool:
        """Whether its line has not been ended."""
        return self._thread.is_alive()

    def says(self, kind: str, **told: Any) -> None:
        """Sends a message."""
        self._line.send(json.dumps({"type": kind, **told}))


class Restless:
    """Presses, corrects and takes back at random, by what it was told last."""

    BUTTONS: Final = {Button.ROLL: 6, Button.PASS: 2, Button.UP: 3, Button.DOWN: 5, Button.BACK: 1}

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)
        self.said = {"press": 0, "correct": 0, "back": 0}

    def button(self, screen: Any = None) -> Button:
        """Any button, but out of the menu, where games are left for other things."""
        if screen is not None and len(screen["choices"]) >= MENU_CHOICES:
            return Button.BACK
        return self.random.choices(list(self.BUTTONS), list(self.BUTTONS.values()))[0]

    def acts(self, phone: Phone) -> None:
        """Says one thing."""
        present, random = phone.newest.get("present"), self.random
        cards = present["cards"] if present else []
        kind = random.choices(("press", "correct", "back"), (6, 3 if cards else 0, 1 if present else 0))[0]
        self.said[kind] += 1
        if kind == "press":
            phone.says(kind, button=self.button(phone.newest.get("screen")))
        elif kind == "back":
            phone.says(kind, moment=present["moment"])
        else:
            card = random.choice(cards)
            phone.says(kind, card=card["card"], was=card["face"], face=random.choice(card["may"] or [card["face"]]))


def all_agree(phones: list[Phone], play: Any, seconds: float = 20.0) -> None:
    """Waits until every phone was told how the play stands."""

    def agrees(phone: Phone) -> bool:
        present = play.present()
        cards = [{**card._asdict(), "may": play.corrections(card.card)} for card in present.cards]
        wanted = {**present._asdict(), "cards": cards}
        about = {"room": "game", "game": play.game, "kind": play.kind, "players": play.seats.names}
        told = json.loads(msgspec.json.encode({"facts": {**about, **play.facts()}, "present": wanted}))
        return bool({topic: phone.newest.get(topic) for topic in told} == told)

    for phone in phones:
        wait_until(lambda phone=phone: agrees(phone), seconds, "a phone was told something else")


def anything_happens(served: ServedSession, phones: list[Phone], *, seconds: float, steps: int, seed: int) -> Restless:
    """All phones, and fingers at the buttons, do things at random; returns one that has counted all of them."""
    restless = Restless(f"anything {seed}")
    until, done = time.monotonic() + seconds, 0
    while (done < steps or not served.judged.has_seen_all) and time.monotonic() < until:
        actor = restless.random.choice([*phones, None])
        served.playing()
        if actor is None:
            served.buttons.press(restless.button(phones[0].newest.get("screen")))
            restless.said["press"] += 1
        elif served.session.is_behind:
            time.sleep(0.01)
            continue
        else:
            restless.acts(actor)
        done += 1
        time.sleep(restless.random.choice((0.0, 0.002, 0.01)))
    return restless
