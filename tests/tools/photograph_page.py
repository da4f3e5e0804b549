"""Pictures of the page at the virtual table in its main states, light and dark, wide and narrow, to be looked at."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

from companion.games.loknroll.rules import Mode
from companion.virtual.things import Place
from tests.companion.web.browsers import NARROW, REFUSED, WIDE, Chromium, ServedTable, said, wait_until
from tests.companion.web.hands import MouseHands
from vision.cards import Pose

_WIDE, _NARROW, _AT_200_PERCENT = ("wide", WIDE, 1), ("narrow", NARROW, 2), ("large", (640, 400), 2)


def main() -> None:
    """Takes them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--looks", nargs="*", default=["light", "dark"])
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with Chromium() as chromium, tempfile.TemporaryDirectory() as folder:
        for look, (name, size, scale), language in (
            ("light", _WIDE, "en"),
            ("dark", _NARROW, "de"),
            ("dark", _WIDE, "es"),
            ("light", _AT_200_PERCENT, "de"),
        ):
            if look not in options.looks:
                continue
            kind = f"{look}-{name}"
            with (
                ServedTable(Path(folder), Mode.BETSY, language=language) as served,
                chromium.page(
                    served.address,
                    size,
                    language=language,
                    color_scheme=look,
                    device_scale_factor=scale,
                    forgiven=REFUSED,
                ) as page,
            ):
                _photograph(served, page, lambda name, kind=kind, page=page: _take(page, options.folder, name, kind))


def _take(page: Page, folder: Path, name: str, kind: str) -> None:
    time.sleep(0.7)
    path = folder / f"{name}-{kind}.png"
    page.screenshot(path=path)
    print(path, flush=True)


def _photograph(served: ServedTable, page: Page, take: Callable[[str], None]) -> None:
    world = served.device.world
    wait_until(lambda: said(page))
    take("1-empty")
    page.click("#start-here")
    take("2-tour")
    for _ in range(3):
        page.click("#tour-next")
    take("3-tour-later")
    page.click("#tour-end")
    page.click("#new-game")
    take("4-new-game")
    page.keyboard.press("Escape")
    page.click("#set-up")
    wait_until(lambda: world.is_dealt and served.device.robot_speed == "off", 120)
    take("5-set-up")
    hands = MouseHands(world, page, 1)
    page.mouse.move(*hands.point(world.cards(Place.TABLE)[0].pose))
    pile = page.locator(".pile").bounding_box()
    page.mouse.move(pile["x"] + 20, pile["y"] + 20)
    page.mouse.down()
    page.mouse.move(*hands.point(Pose(620.0, 300.0)), steps=6)
    take("6-dragging")
    page.mouse.up()
    time.sleep(3)
    take("7-answered")
    page.click("#closer")
    page.click("#closer")
    take("8-closer")
    page.keyboard.press("0")
    _photograph_panels(page, take)
    served.close()
    page.locator("#lost").wait_for()
    take("13-away")


def _photograph_panels(page: Page, take: Callable[[str], None]) -> None:
    page.click("#camera-panel summary")
    time.sleep(1)
    take("9-camera")
    page.click("#disturb-panel summary")
    page.check("[name=light][value=dusk]")
    page.check("[name=glare]")
    page.check("[name=hand]")
    take("10-disturbed")
    page.check("[name=light][value=day]")
    page.uncheck("[name=glare]")
    page.uncheck("[name=hand]")
    page.click("#camera-panel summary")
    page.click("#disturb-panel summary")
    page.click("#robot-panel summary")
    page.check("[name=robot][value=natural]")
    time.sleep(25)
    take("11-by-itself")
    page.click("#robot-panel summary")
    page.click("#help-panel summary")
    take("12-help")


if __name__ == "__main__":
    main()
