"""Whole games in a real browser: some by hand, with mouse or fingers, then every mode by itself, also for hours.

Prints for each game: turns, seconds, what was dragged and what had to be done twice, and the memory. Fails where a game
does not end, a card was corrected, something had to be done twice, memory grows, or the page complains.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import cv2
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page

from companion.games.game import RobotError
from companion.games.loknroll.robot.robot import Robot
from companion.games.loknroll.rules import Game, Mode, Phase
from companion.record.file import read_record
from companion.screen.screen import Screen
from companion.virtual.camera import PICTURE_PX
from companion.virtual.pace import PRESS_SECONDS
from hardware.buttons import Button
from tests.companion.web.browsers import NARROW, WIDE, Chromium, ServedTable, said, wait_until
from tests.companion.web.virtual_table.hands import MouseHands, TouchHands

_MOST_GROWTH: Final = 0.05
_DESKTOP: Final = (1280, 800)
_MODES: Final = (
    *(Mode.BETSY, Mode.TWO, Mode.SOLO, Mode.BETSY, Mode.SOLO_HARD),
    *(Mode.THREE, Mode.BETSY, Mode.SOLO, Mode.FOUR, Mode.BETSY),
)
"""Of the games by hand."""
_STILL_SECONDS: Final = 60.0
"""A game in which nothing moves for so long has come to a dead end."""
_SILENT_SECONDS: Final = 8.0
"""What stands still for so long is worth a look."""
_ANSWER_SECONDS: Final = 0.4
"""So long somebody looks at an answer before going on."""
_RESULT_SECONDS: Final = 3.0
"""So long the result is looked at."""


def main() -> int:
    """Plays the games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--modes", nargs="*", default=[mode.value for mode in Mode], help="played by itself")
    parser.add_argument(
        "--minutes", type=float, default=0.0, help="the modes again and again for so long (default: once)"
    )
    parser.add_argument("--games", type=int, default=1, help="played by hand")
    parser.add_argument("--first", type=int, default=0, help="the number of the first of them")
    parser.add_argument("--hands", choices=["mouse", "touch"], help="what they are played with (default: by turns)")
    parser.add_argument("--seed", type=int, default=7, help="of the first game by hand")
    parser.add_argument("--evidence", type=Path, metavar="DIR", help="what was seen when a game failed goes there")
    options = parser.parse_args()
    failures = 0
    with Chromium() as chromium:
        for number in range(options.first, options.first + options.games):
            by_hand = by_hand_of(number, options.hands)
            failures += not is_played(
                chromium, partial(drag_game, by_hand=by_hand, evidence=options.evidence), options, by_hand, number
            )
        if options.modes:
            watch = partial(watch_games, modes=[Mode(mode) for mode in options.modes], minutes=options.minutes)
            failures += not is_played(chromium, watch, options, ByHand(), 0)
    return 1 if failures else 0


class ByHand(NamedTuple):
    """How a game is played by hand."""

    mode: Mode = Mode.BETSY
    hands: str = "mouse"
    language: str = "en"
    size: tuple[int, int] = WIDE

    @property
    def browser(self) -> dict[str, Any]:
        """What its browser is opened with."""
        return {"has_touch": True, "is_mobile": self.size == NARROW} if self.hands == "touch" else {}

    def __str__(self) -> str:
        return f"{self.mode} by {self.hands}, {self.language}, {self.size[0]}x{self.size[1]}"


def by_hand_of(number: int, hands: str | None) -> ByHand:
    """The game of a number: modes, languages, sizes and hands by turns, so that they meet each other."""
    return ByHand(
        _MODES[number % len(_MODES)],
        hands or ("mouse", "touch")[number % 2],
        ("en", "de", "es")[number % 3],
        (_DESKTOP, NARROW)[(number + number // 4) % 2],
    )


def is_played(
    chromium: Chromium,
    play: Callable[[ServedTable, Page], bool],
    options: argparse.Namespace,
    by_hand: ByHand,
    number: int,
) -> bool:
    """Plays at a table of its own; says whether all was as it must be."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            with (
                ServedTable(Path(folder), Mode.BETSY, seed=options.seed + number, picture_px=PICTURE_PX) as served,
                chromium.page(served.address, by_hand.size, language=by_hand.language, **by_hand.browser) as page,
                kept_on_failure(served, page, options.evidence),
            ):
                return play(served, page)
        except (AssertionError, RobotError, PlaywrightError) as error:
            print(f"Failed: {by_hand}: {error}", flush=True)
            return False


@contextmanager
def kept_on_failure(served: ServedTable, page: Page, folder: Path | None) -> Iterator[None]:
    """When something fails, what was seen goes to a folder."""
    try:
        yield
    except (AssertionError, RobotError, PlaywrightError):
        keep_evidence(served, page, folder)
        raise


def keep_evidence(served: ServedTable, page: Page, folder: Path | None) -> None:
    """The page, what the camera saw last, and the game's record."""
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=folder / "page.png")
    eye = served.device.session.eye
    seen = None if eye is None else eye.drawn()
    if seen is not None:
        cv2.imwrite(str(folder / "camera.png"), seen)
    shutil.copy(served.record, folder)


def drag_game(served: ServedTable, page: Page, *, by_hand: ByHand, evidence: Path | None) -> bool:
    """Plays a game to its end by hand, from the page's dialog on, and lets its result stand."""
    device, began = served.device, time.perf_counter()
    hands = (TouchHands if by_hand.hands == "touch" else MouseHands)(device.world, page, 3)
    begin_game(served, page, by_hand.mode, hands.click)
    controller, alerts = served.controller, len(device.alerts)
    presses = Presses(served, hands)
    robot = Robot(controller, hands, 3, presses.press, pause_seconds=0.2)
    stir, twice = Stir(served), list[str]()
    while controller.game.state.phase is not Phase.OVER:
        repeats, screen = robot.repeats, device.screen
        robot.act(presses.now())
        if robot.repeats > repeats:
            twice.append(
                f"turn {controller.game.state.turn + 1}, {controller.game.state.phase}: {screen.main}: {hands.did}"
            )
        if stir.has_gone():
            keep_evidence(served, page, evidence)
        time.sleep(0.02)
    check_uncorrected(served, controller.game)
    check_result_stands(served, page)
    print(
        f"{by_hand}: {controller.game.state.turn + 1} turns, {time.perf_counter() - began:.0f} s,"
        f" {hands.drags} drags, {hands.pushes} pushes, {len(robot.presses_made)} presses, corrected: 0,"
        f" warned: {device.alerts[alerts:]}, done twice: {twice}, clicked twice: {hands.again}",
        flush=True,
    )
    return robot.repeats == 0


class Presses:
    """Presses the page's buttons, and goes on as soon as the screen has answered: the robot would wait longer."""

    def __init__(self, served: ServedTable, hands: MouseHands) -> None:
        self._device, self._hands = served.device, hands
        self._ahead = 0.0
        self._pressed: tuple[float, Screen] | None = None

    def press(self, button: Button) -> None:
        """Presses a button, whose answer is another screen."""
        self._pressed = self._device.clock(), self._device.screen
        self._hands.click(f"[data-button={button}]")

    def now(self) -> float:
        """How late it is for the robot."""
        clock = self._device.clock()
        if self._pressed is not None:
            at, before = self._pressed
            if self._device.screen != before and clock - at > _ANSWER_SECONDS:
                self._ahead += max(0.0, PRESS_SECONDS - (clock - at))
                self._pressed = None
        return clock + self._ahead


class Stir:
    """Sees to it that something moves."""

    def __init__(self, served: ServedTable) -> None:
        self._served = served
        self._seen: object = None
        self._at = 0.0
        self._is_told = False

    def has_gone(self) -> bool:
        """Whether nothing has moved for some seconds, told once; fails where that lasts."""
        device, now = self._served.device, time.perf_counter()
        seen = device.world.revision, device.screen, device.games_over
        if seen != self._seen:
            self._seen, self._at, self._is_told = seen, now, False
        assert now - self._at < _STILL_SECONDS, f"a dead end: {device.screen}"
        was_told, self._is_told = self._is_told, now - self._at > _SILENT_SECONDS
        return self._is_told and not was_told


def check_result_stands(served: ServedTable, page: Page) -> None:
    """What is on the screen at the end, after the last dice, stays until somebody goes on, and the page says it."""
    device, played, since = served.device, served.controller, time.perf_counter()
    result = device.screen
    while time.perf_counter() - since < _RESULT_SECONDS:
        if device.screen != result:
            result, since = device.screen, time.perf_counter()
        time.sleep(0.1)
    time.sleep(_RESULT_SECONDS)
    assert device.screen == result, f"the result has gone: {device.screen}"
    assert served.controller is played, "another game has begun"
    assert result.main in said(page), f"the page does not say {result.main}"


def begin_game(served: ServedTable, page: Page, mode: Mode, click: Callable[[str], None]) -> None:
    """Begins a game by the page's dialog."""
    before = served.controller
    click("#new-game")
    click(f"label:has([name=mode][value='loknroll {mode}'])")
    click("#new-dialog [value=begin]")
    wait_until(lambda: served.controller is not before, what="no other game has begun")
    assert served.controller.game.state.setup.mode is mode


def watch_games(served: ServedTable, page: Page, *, modes: Sequence[Mode], minutes: float) -> bool:
    """Lets the page's robot play each mode to its end, and all of them again until the time is over."""
    began, seen = time.perf_counter(), list[Memory]()
    page.click("#robot-panel summary")
    while len(seen) < len(modes) or time.perf_counter() - began < 60 * minutes:
        repeats = watch_game(served, page, modes[len(seen) % len(modes)])
        seen.append(Memory(time.perf_counter() - began, resident_mb(), page_mb(page)))
        print(
            f"  {seen[-1].seconds:.0f} s, the program {seen[-1].program_mb:.0f} MB, the page {seen[-1].page_mb:.1f} MB"
        )
        assert not repeats, "Something had to be done twice."
    return is_flat(seen[len(modes) :])


def watch_game(served: ServedTable, page: Page, mode: Mode) -> int:
    """Begins a game by the page's dialog and lets the page's robot play it; returns what had to be done twice."""
    device, began = served.device, time.perf_counter()
    page.check("[name=robot][value=off]")
    begin_game(served, page, mode, page.click)
    assert device.camera is not None
    controller, over, pictures = served.controller, device.games_over, device.camera.pictures
    page.check("[name=robot][value=fast]")
    wait_until(lambda: device.robot is not None)
    robot = device.robot  # it leaves when the game is over
    assert isinstance(robot, Robot)
    wait_until(lambda: device.games_over > over or device.robot_trouble, 3600)
    assert not device.robot_trouble, device.robot_trouble
    check_uncorrected(served, controller.game)
    check_result_stands(served, page)
    print(
        f"{mode} by itself: {controller.game.state.turn + 1} turns, {time.perf_counter() - began:.0f} s,"
        f" {device.camera.pictures - pictures} pictures, done twice: {robot.repeats}",
        flush=True,
    )
    return robot.repeats


class Memory(NamedTuple):
    """What is held after so many seconds by this program, and by the page's scripts."""

    seconds: float
    program_mb: float
    page_mb: float


def resident_mb() -> float:
    """Of this process."""
    status = Path("/proc/self/status").read_text("ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1000


def page_mb(page: Page) -> float:
    """What the page's scripts hold, without what they have dropped already."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    used = float(session.send("Runtime.getHeapUsage")["usedSize"])
    session.detach()
    return used / 1e6


def is_flat(seen: Sequence[Memory]) -> bool:
    """Prints how much memory has grown since each mode had been played once, in the last third against the first."""
    third = len(seen) // 3
    if not third:
        return True
    growths = []
    for name, values in (("program", [each.program_mb for each in seen]), ("page", [each.page_mb for each in seen])):
        first, last = statistics.median(values[:third]), statistics.median(values[-third:])
        growths.append(last / first - 1)
        print(f"{name}: {first:.1f} MB, then {last:.1f} MB: {growths[-1]:+.1%} (at most {_MOST_GROWTH:.0%})")
    return max(growths) <= _MOST_GROWTH


def check_uncorrected(served: ServedTable, game: Game) -> None:
    """The game is over, nothing was taken back, and every step is one that the rules know."""
    assert game.state.phase is Phase.OVER
    lines = read_record(served.record).lines
    assert not [line for line in lines if line.get("step") == "take-back"]
    assert sum("step" in line for line in lines) == len(game.steps)


if __name__ == "__main__":
    sys.exit(main())
