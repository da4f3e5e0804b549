"""A card that is not known yet is taught on the page of a companion that sees it: by keys alone, and by a finger."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from companion.web.connections import make_server
from companion.web.phone.door import COOKIE
from companion.web.phone.keys import Keys
from companion.web.virtual_table.server import make_app
from hardware.buttons import Button
from tests.companion.teaching.owner import Owner, teaching_table
from tests.companion.web.browsers import Chromium, wait_until
from tests.companion.web.phone.every_place.showcase import tab_to
from tests.companion.web.phone.phones import PHONE
from vision.deck_pictures import read_deck_pictures

DECK = Path(__file__).parents[6] / "shared/decks/ticket"


@contextmanager
def phone_beside(owner: Owner, folder: Path, chromium: Chromium, **more: Any) -> Iterator[Page]:
    """The page of the owner's companion, on a phone that is in."""
    key = Keys(folder / "phones.json").make("Phone")
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    server = make_server(make_app(owner.device, port))
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    context = chromium.browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}, locale="en", **more)
    context.add_cookies([{"name": COOKIE, "value": key, "url": f"http://127.0.0.1:{port}"}])
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{port}/phone#teach")
    page.wait_for_selector("#teach-begin:enabled")
    yield page
    context.close()
    server.should_exit = True
    thread.join(10)


@pytest.mark.further
@pytest.mark.skipif(not DECK.exists(), reason="there is no strange deck here")
@pytest.mark.parametrize("way", ["keys", "finger"])
def test_a_card_is_taught(tmp_path: Path, chromium: Chromium, way: str) -> None:
    with (
        teaching_table(tmp_path, read_deck_pictures(DECK), seed=2) as owner,
        phone_beside(owner, tmp_path, chromium, has_touch=way == "finger") as page,
    ):

        def press(wanted: str) -> None:
            if way == "finger":
                page.tap(wanted)
            else:
                tab_to(page, wanted)
                page.keyboard.press("Enter")

        def facts() -> Any:
            return owner.device.session.handler.facts()  # type: ignore[union-attr]

        press("#teach-begin")
        wait_until(lambda: facts()["room"] == "teaching")
        wait_until(lambda: owner.device.camera is not None and owner.device.camera.pictures > 6)
        name, face = next((name, face) for name, face in owner.faces.items() if face.ports)
        owner.lay(name)
        page.wait_for_selector("#right:visible", timeout=60_000)
        wanted = face.value % 4 + 1
        if way == "finger":
            page.tap(f"#values label:has([value='{wanted}'])")
        else:
            tab_to(page, "[name=value]")
            page.keyboard.press("Space")
            while page.locator("[name=value]:checked").get_attribute("value") != str(wanted):
                page.keyboard.press("ArrowRight")
            tab_to(page, "#card g[role=slider]")
            before = facts()["asked"]["ports"][0]
            for _ in range(3):
                page.keyboard.press("ArrowRight")
        press("#right")
        wait_until(lambda: facts()["cards"])
        (card,) = facts()["cards"]
        assert card["value"] == wanted
        if way == "keys":
            edge, offset = card["ports"][0]
            assert edge == before[0]
            assert abs(abs(offset - before[1]) - 3) < 0.2
        # What lies there is taken away: the next one is waited for.
        page.wait_for_selector("#taught li:nth-child(1)")
        owner.device.press(Button.BACK)
