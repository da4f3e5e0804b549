"""Whole games in a real browser: one against Betsy by dragging cards, then every mode by itself, also for hours.

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
from typing import Final, NamedTuple

import cv2
from playwright.sync_api import Page

from companion.games.game import RobotError
from companion.games.loknroll.robot.robot import Robot
from companion.games.loknroll.rules import Game, Mode, Phase
from companion.record.file import read_record
from companion.virtual.camera import PICTURE_PX
from tests.companion.web.browsers import Chromium, MouseHands, ServedTable, wait_until

_MOST_GROWTH: Final = 0.05


def main() -> int:
    """Plays the games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--modes", nargs="*", default=[mode.value for mode in Mode], help="played by itself")
    parser.add_argument(
        "--minutes", type=float, default=0.0, help="the modes again and again for so long (default: once)"
    )
    parser.add_argument("--no-dragging", action="store_true", help="leave the game by dragging out")
    parser.add_argument("--seed", type=int, default=7, help="of the game by dragging")
    parser.add_argument("--evidence", type=Path, metavar="DIR", help="what was seen when a game failed goes there")
    options = parser.parse_args()
    plays: list[Callable[[ServedTable, Page], bool]] = []
    if not options.no_dragging:
        plays.append(drag_game)
    if options.modes:
        plays.append(partial(watch_games, modes=[Mode(mode) for mode in options.modes], minutes=options.minutes))
    with Chromium() as chromium:
        failures = sum(not is_played(chromium, play, options) for play in plays)
    return 1 if failures else 0


def is_played(chromium: Chromium, play: Callable[[ServedTable, Page], bool], options: argparse.Namespace) -> bool:
    """Plays at a table of its own; says whether all was as it must be."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            with (
                ServedTable(Path(folder), Mode.BETSY, seed=options.seed, picture_px=PICTURE_PX) as served,
                chromium.page(served.address) as page,
                kept_on_failure(served, page, options.evidence),
            ):
                return play(served, page)
        except (AssertionError, RobotError) as error:
            print(f"Failed: {error}", flush=True)
            return False


@contextmanager
def kept_on_failure(served: ServedTable, page: Page, folder: Path | None) -> Iterator[None]:
    """When something fails, the page, what the camera saw last, and the game's record go to a folder."""
    try:
        yield
    except (AssertionError, RobotError):
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=folder / "page.png")
            eye = served.device.session.eye
            seen = None if eye is None else eye.drawn()
            if seen is not None:
                cv2.imwrite(str(folder / "camera.png"), seen)
            shutil.copy(served.record, folder)
        raise


def drag_game(served: ServedTable, page: Page) -> bool:
    """Plays a game against Betsy to its end with the mouse, and presses the page's buttons."""
    device, began = served.device, time.perf_counter()
    controller = served.controller
    hands = MouseHands(device.world, page, 3)
    robot = Robot(controller, hands, 3, lambda button: page.click(f"[data-button={button}]"), pause_seconds=0.2)
    while controller.game.state.phase is not Phase.OVER:
        robot.act(device.clock())
        time.sleep(0.02)
    check_uncorrected(served, controller.game)
    print(
        f"betsy by dragging: {controller.game.state.turn + 1} turns, {time.perf_counter() - began:.0f} s,"
        f" {hands.drags} drags, {hands.pushes} pushes, {len(robot.presses_made)} presses, done twice: {robot.repeats}",
        flush=True,
    )
    return robot.repeats == 0


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
    device, before, began = served.device, served.controller, time.perf_counter()
    page.check("[name=robot][value=off]")
    page.click("#new-game")
    page.check(f"[name=mode][value='loknroll {mode}']")
    page.click("#new-dialog [value=begin]")
    wait_until(lambda: served.controller is not before, what="no other game has begun")
    controller, over, pictures = served.controller, device.games_over, device.pictures_taken
    assert controller.game.state.setup.mode is mode
    page.check("[name=robot][value=fast]")
    wait_until(lambda: device.robot is not None)
    robot = device.robot  # it leaves when the game is over
    wait_until(lambda: device.games_over > over or device.robot_trouble, 3600)
    assert not device.robot_trouble, device.robot_trouble
    check_uncorrected(served, controller.game)
    print(
        f"{mode} by itself: {controller.game.state.turn + 1} turns, {time.perf_counter() - began:.0f} s,"
        f" {device.pictures_taken - pictures} pictures, done twice: {robot.repeats}",
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
