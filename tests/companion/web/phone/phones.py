"""Phones, tablets and desktops that have the companion's page open in a real browser."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page, WebSocketRoute

from companion.device.virtual_device import VirtualDevice
from companion.screen.screen import Screen
from companion.texts.language import Texts
from hardware.buttons import Button
from tests.companion.web.browsers import Chromium, wait_until

PHONE, TABLET, DESKTOP = (360, 740), (820, 1180), (1440, 900)


class Line:
    """The companion's end of a phone's line, which tells what a test wants."""

    def __init__(self, page: Page) -> None:
        self._sockets: list[WebSocketRoute] = []
        self._heard: list[dict[str, Any]] = []
        page.route_web_socket("**/phone/line*", self._open)

    def _open(self, socket: WebSocketRoute) -> None:
        self._sockets.append(socket)
        socket.on_message(lambda text: self._heard.append(json.loads(text)))

    def heard(self, kind: str) -> list[dict[str, Any]]:
        """What the page has said of a kind."""
        return [said for said in self._heard if said["type"] == kind]

    def tell(self, topic: str, **told: object) -> None:
        self._sockets[-1].send(json.dumps({"type": topic, **told}))

    def show(self, screen: Screen) -> None:
        told = {field: getattr(screen, field) for field in screen.__struct_fields__}
        self.tell("screen", screen=told)


@contextmanager
def page_open(
    chromium: Chromium, address: str, place: str = "watch", size: tuple[int, int] = PHONE, **context: Any
) -> Iterator[Page]:
    """The page at a place, ready; nothing that it complains about is forgiven."""
    context = {"locale": "en"} | context
    opened = chromium.browser.new_context(viewport={"width": size[0], "height": size[1]}, **context)
    page, complaints = opened.new_page(), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.goto(f"{address}phone#{place}")
    page.wait_for_selector("body.ready:not(.lost)")
    page.wait_for_selector("#spoken:not(:empty)", state="attached")
    yield page
    opened.close()
    assert complaints == []


def digits_of(device: VirtualDevice) -> str:
    """What people read on the companion's screen, to type it on the phone."""
    wait_until(lambda: device.screen.main.replace(" ", "").isdecimal())
    return device.screen.main.replace(" ", "")


def say_yes(device: VirtualDevice) -> None:
    """People press, once the question has been there for long enough to be read."""
    wait_until(lambda: device.screen.keys[0] == Texts(device.kept.settings.language)("visitors.key-yes"))
    time.sleep(1.0)
    device.press(Button.ROLL)


def let_in(page: Page, device: VirtualDevice) -> None:
    """The phone's owner asks, types and presses."""
    device.visitors._tried.clear()
    page.locator("#come-in").click()
    page.locator("#digits").fill(digits_of(device))
    page.locator("#door-send").click()
    say_yes(device)
    page.wait_for_selector("#ask-in", state="hidden")
    page.wait_for_selector("#door", state="hidden")
