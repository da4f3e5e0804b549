"""Whole games in a real browser: one against Betsy by dragging cards, then every mode by itself.

Prints for each game: turns, seconds, what was dragged and what had to be done twice. Fails where a game does not end,
a card was corrected, or the page complains.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page

from companion.loknroll import Game, Mode, Phase
from companion.record import read_record
from companion.robot import RobotError
from companion.virtual_table import PICTURE_PX
from companion.web.robot_hands import WorldRobot
from tests.companion.web.browsers import Chromium, MouseHands, ServedTable, wait_until
from tests.companion.whole_games import short_edition


def main() -> int:
    """Plays the games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--modes", nargs="*", default=[mode.value for mode in Mode], help="played by itself")
    parser.add_argument("--no-dragging", action="store_true", help="leave the game by dragging out")
    parser.add_argument("--drawn", type=int, help="so many cards are left to draw: short games")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--evidence", type=Path, metavar="DIR", help="the page as it was when a game failed")
    options = parser.parse_args()
    failures = 0
    with Chromium() as chromium, tempfile.TemporaryDirectory() as folder:
        wanted = [] if options.no_dragging else [(Mode.BETSY, True)]
        for mode, is_dragged in [*wanted, *((Mode(mode), False) for mode in options.modes)]:
            began = time.perf_counter()
            edition = None if options.drawn is None else short_edition(mode, options.drawn, 2)
            try:
                with (
                    ServedTable(
                        Path(folder), mode, seed=options.seed, edition=edition, picture_px=PICTURE_PX
                    ) as served,
                    chromium.page(served.address) as page,
                    kept_on_failure(page, options.evidence, f"{mode}-{options.seed}.png"),
                ):
                    game, told = drag_game(served, page) if is_dragged else watch_game(served, page)
            except (AssertionError, RobotError) as error:
                failures += 1
                print(f"{mode}: failed: {error}", flush=True)
                continue
            how = "by dragging" if is_dragged else "by itself"
            print(f"{mode} {how}: {game.state.turn + 1} turns, {time.perf_counter() - began:.0f} s, {told}", flush=True)
    return 1 if failures else 0


@contextmanager
def kept_on_failure(page: Page, folder: Path | None, name: str) -> Iterator[None]:
    """What the page shows when something fails goes to a file."""
    try:
        yield
    except (AssertionError, RobotError):
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=folder / name)
        raise


def drag_game(served: ServedTable, page: Page) -> tuple[Game, str]:
    """Plays a game to its end with the mouse, and presses the page's buttons."""
    host = served.host
    wait_until(lambda: host.controller is not None)
    controller = host.controller
    hands = MouseHands(host.world, page, 3)
    robot = WorldRobot(
        controller, host.world, 3, lambda button: page.click(f"[data-button={button}]"), hands, pause_seconds=0.2
    )
    while controller.game.state.phase is not Phase.OVER:
        robot.act(host.clock())
        time.sleep(0.02)
    check_uncorrected(served, controller.game)
    return (
        controller.game,
        f"{hands.drags} drags, {hands.pushes} pushes, {len(robot.presses_made)} presses, done twice: {robot.repeats}",
    )


def watch_game(served: ServedTable, page: Page) -> tuple[Game, str]:
    """Lets the page's robot play a game to its end."""
    host = served.host
    wait_until(lambda: host.controller is not None)
    controller = host.controller
    page.click("#robot-panel summary")
    page.check("[name=robot][value=fast]")
    wait_until(lambda: host.games_over > 0 or host.robot_trouble, 3600)
    assert not host.robot_trouble, host.robot_trouble
    check_uncorrected(served, controller.game)
    robot = host.robot
    return controller.game, f"done twice: {robot.repeats if robot else '?'}, {host.pictures_taken} pictures"


def check_uncorrected(served: ServedTable, game: Game) -> None:
    """The game is over, nothing was taken back, and every step is one that the rules know."""
    assert game.state.phase is Phase.OVER
    lines = read_record(served.record).lines
    assert not [line for line in lines if line.get("step") == "take-back"]
    assert sum("step" in line for line in lines) == len(game.steps)


if __name__ == "__main__":
    sys.exit(main())
