"""A companion that shows its list of games, and its page."""

from __future__ import annotations

import socket
import threading
import time
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace
from starlette.testclient import TestClient

from companion.commands.shared.virtual_table import without_pins
from companion.device.virtual_device import VirtualDevice
from companion.games.registry import games
from companion.games.settings import Settings
from companion.web.connections import make_server
from companion.web.phone.door import COOKIE
from companion.web.phone.keys import Keys
from companion.web.phone.news import SessionNews
from companion.web.phone.served import make_app
from hardware.buttons import Button
from tests.companion.web.browsers import wait_until

PORT: Final = 8055
CARE: Final = "/phone/care/"


class Home:
    """A companion that shows its list of games, and its page; people at its table."""

    def __init__(self, folder: Path, *, port: int = PORT, **care: Any) -> None:
        """One phone has been let in before: ``key`` is what it keeps. ``care`` goes to the page's app."""
        self.folder = folder
        self.key = Keys(folder / "phones.json").make("Phone that is in")
        self.device = VirtualDevice(without_pins(), folder, games())
        self.device.kept.settings = Settings(language="en")
        # No eye has to get to know a deck.
        self.device.world.disturb(replace(self.device.world.disturbances, camera=False))
        self._thread = threading.Thread(target=self.device.run, daemon=True)
        news = SessionNews(self.device.session)
        self.app = make_app(self.device.session, news, self.device.visitors, folder, port, **care)
        self._thread.start()
        assert self.device.is_laid.wait(30)

    def client(self) -> TestClient:
        return TestClient(self.app, base_url=f"http://127.0.0.1:{PORT}")

    def inside(self) -> TestClient:
        """The phone that was let in before."""
        client = self.client()
        client.cookies.set(COOKIE, self.key)
        return client

    def close(self) -> None:
        self.device.stop()
        self._thread.join(15)

    def digits(self) -> str:
        """What people read on the screen."""
        wait_until(lambda: self.device.screen.main.replace(" ", "").isdecimal())
        return self.device.screen.main.replace(" ", "")

    def answer(self, button: Button) -> None:
        """People press, once the question has been there for long enough to be read."""
        wait_until(lambda: self.device.screen.keys[0] == "let in")
        time.sleep(1.0)
        self.device.press(button)

    def let_in(self, client: TestClient, name: str = "Phone") -> str:
        """A phone asks, its owner types what the screen says and presses; what the phone keeps."""
        knock = client.post("/phone/knock", json={"name": name}).json()["knock"]
        asked = {"knock": knock, "name": name}
        assert client.post("/phone/digits", json={**asked, "digits": self.digits()}).json() == {"answer": "people"}
        self.answer(Button.ROLL)
        wait_until(lambda: client.post("/phone/digits", json=asked).json() == {"answer": "come-in"})
        return client.cookies[COOKIE]


class ServedHome(Home):
    """The same, served at a free port for browsers."""

    def __init__(self, folder: Path, **care: Any) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}/phone"
        super().__init__(folder, port=self.port, **care)
        self._server = make_server(self.app)
        self._serving = threading.Thread(target=self._server.run, args=([self._listening],), daemon=True)
        self._serving.start()
        wait_until(lambda: self._server.started)

    def close(self) -> None:
        """Ends the server, too."""
        self._server.should_exit = True
        self._serving.join(10)
        super().close()


def set_to(phone: TestClient, name: str, value: object, **at: object) -> Any:
    """A phone sets one of the settings; what it is told then."""
    answer = phone.post(CARE + "settings", json={"name": name, "value": value, **at})
    assert answer.status_code == 200
    return answer.json()


def files_in(folder: Path) -> set[str]:
    """The names of all files below a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
