"""How quickly the page is there, and how long the answer takes after a card is let go.

Prints figures and judges none of them: on a busy machine they are larger.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Locator, Page

from companion.games.loknroll.robot.robot import Robot
from companion.screen import draw
from companion.screen.screen import Screen
from companion.virtual.things import EMMA
from tests.companion.web.browsers import Chromium, ServedTable, wait_until, weights
from tests.companion.web.virtual_table.hands import MouseHands, Point
from vision.cards import Pose


class Answer(NamedTuple):
    """How long an answer took, and what the program worked for it, the browser not counted."""

    seconds: float
    cpu_seconds: float


class TimedHands(MouseHands):
    """Waits after each card that was laid or shown until the screen's memory holds another picture of the game."""

    def __init__(self, served: ServedTable, page: Page, seed: int) -> None:
        super().__init__(served.device.world, page, seed)
        self.answers: list[Answer] = []
        self._device = served.device
        self._let_go = (0.0, 0.0)

    def place(self, number: int, pose: Pose) -> None:
        """Drags a card or Emma to a place on the table; Emma is answered once the cards lie as well."""
        before = self._device.screen
        super().place(number, pose)
        if number != EMMA:
            self._await_answer(before)

    def _drag(self, thing: Locator, to: Point, quarters: int = 0, lying: Pose | None = None) -> None:
        super()._drag(thing, to, quarters, lying)
        self._let_go = (time.perf_counter(), time.process_time())

    def _await_answer(self, before: Screen) -> None:
        device, (began, cpu) = self._device, self._let_go
        wait_until(lambda: device.screen != before)
        wanted = draw(device.screen).tobytes()
        wait_until(lambda: device.screen.map is not None or device.memory.image().tobytes() == wanted)
        self.answers.append(Answer(time.perf_counter() - began, time.process_time() - cpu))


def main() -> None:
    """Measures."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    with Chromium() as chromium, tempfile.TemporaryDirectory() as folder, ServedTable(Path(folder)) as served:
        _print_loading(chromium, served)
        with chromium.page(served.address) as page:
            _print_answers(served, page)


def _print_loading(chromium: Chromium, served: ServedTable) -> None:
    seconds = []
    for _ in range(5):
        context = chromium.browser.new_context()
        page = context.new_page()
        began = time.perf_counter()
        page.goto(served.address)
        page.wait_for_selector("#things.ready .pile")
        seconds.append(time.perf_counter() - began)
        weight = sum(size for url, size in weights(page).items() if "/faces/" not in url)
        context.close()
    print(f"there after {statistics.median(seconds):.2f} s (of five times; the first {seconds[0]:.2f} s)")
    print(f"weighs {weight / 1000:.0f} kB without the cards' pictures")


def _print_answers(served: ServedTable, page: Page) -> None:
    """Of the cards of a set-up, and of some turns, dragged by the mouse."""
    device = served.device
    hands = TimedHands(served, page, 3)
    controller = served.controller
    robot = Robot(controller, hands, 3, lambda button: page.click(f"[data-button={button}]"))
    wait_until(lambda: robot.act(device.clock()) or controller.game.state.turn >= 5, 600)
    for what, answers in (("the first three", hands.answers[:3]), ("the others", hands.answers[3:])):
        seconds = [answer.seconds for answer in answers]
        print(
            f"from letting go to the answer, {what}: median {statistics.median(seconds):.2f} s, slowest"
            f" {max(seconds):.2f} s of {len(seconds)}; of the program's own work in it a median of"
            f" {statistics.median(answer.cpu_seconds for answer in answers):.2f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
