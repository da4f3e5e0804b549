"""A network is laid on the page with fingers alone, and the game that is played on it is watched there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from companion.device.last_game import Order
from companion.record.file import read_record
from companion.web.phone.door import COOKIE
from tests.companion.web.browsers import Chromium, wait_until
from tests.companion.web.phone.phones import PHONE
from tests.companion.web.phone.served_session import ServedSession

pytestmark = pytest.mark.further
CELL_MM = 20.0


@pytest.fixture
def session(tmp_path: Path) -> Iterator[ServedSession]:
    """A companion without a camera at which two people begin the game."""
    with ServedSession(tmp_path, Order("locomotion", "die")) as session:
        session.playing()
        yield session


class Finger:
    """Touches cells of the table."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def take(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def swipe(self, start: tuple[int, int], to: tuple[int, int]) -> None:
        self.page.mouse.move(*self._at(start))
        self.page.mouse.down()
        self.page.mouse.move(*self._at(to), steps=2)
        self.page.mouse.up()

    def _at(self, cell: tuple[int, int]) -> tuple[float, float]:
        found = self.page.evaluate(
            "([x, y]) => { const svg = document.getElementById('railway');"
            " const point = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM()); return [point.x, point.y]; }",
            [CELL_MM * (length + 0.5) for length in cell],
        )
        return found[0], found[1]

    def pieces(self) -> int:
        return self.page.locator("#railway [data-card]").count()

    def figures(self) -> int:
        return self.page.locator("#railway [data-figure]").count()


def test_a_network_is_laid_and_played_on(session: ServedSession, chromium: Chromium, tmp_path: Path) -> None:
    context = chromium.browser.new_context(
        viewport={"width": PHONE[0], "height": PHONE[1]}, locale="en", has_touch=True
    )
    context.add_cookies([{"name": COOKIE, "value": session.key, "url": session.address}])
    page, wrong = context.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.goto(f"{session.address}/phone#watch")
    page.wait_for_selector("#tools button")
    finger = Finger(page)
    # What was suggested goes with the first piece of another network; where that lies can be seen at once.
    finger.swipe((0, 0), (2, 0))
    for count, column in enumerate((3, 6, 9, 12), 1):
        wait_until(lambda count=count: finger.pieces() == count)
        finger.swipe((column, 0), (column + 2, 0))
    wait_until(lambda: finger.pieces() == 5)
    standing = 0
    for name, columns in {
        "Red locomotive": [0],
        "Yellow locomotive": [14],
        "Red wagon": [2, 3],
        "Yellow wagon": [4, 5],
        "Green wagon": [7, 8],
        "Blue wagon": [10, 11],
    }.items():
        finger.take(name)
        for column in columns:
            finger.swipe((column, 0), (column, 0))
            standing += 1
            wait_until(lambda count=standing: finger.figures() == count)
    assert Axe().run(page).response["violations"] == []
    expect(page.locator("[data-button=roll]")).not_to_have_class("idle")
    page.locator("[data-button=roll]").click()
    page.wait_for_selector("#wanted:visible", timeout=20_000)
    expect(page.locator("#editor")).to_be_hidden()
    assert finger.pieces() == 1
    assert page.locator("#players tbody .train img").count() == 2
    assert Axe().run(page).response["violations"] == []
    assert len(read_record(tmp_path / "game.jsonl").header["pieces"]) == 5
    # The rules of the game stand beside it.
    page.goto(f"{session.address}/phone#rules")
    page.wait_for_selector("#chapters dt")
    assert page.locator("#chapters dt", has_text="LRUN").count() > 0
    assert wrong == []
    context.close()
