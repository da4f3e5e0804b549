"""Pictures of the pages, to be looked at, in each language, size and look: every state of the phone's, and the main
ones of the virtual table's.

One of them, ``page.png``, is the one that the README shows.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image
from playwright.sync_api import Page

from companion.device.last_game import Order
from companion.games.locomotion.settings import with_own
from companion.games.loknroll.robot.robot import Robot
from companion.games.loknroll.rules import Mode, Phase, State
from companion.games.settings import Settings
from companion.texts.language import LANGUAGES
from companion.virtual.things import Place
from tests.companion.web.browsers import NARROW, REFUSED, Chromium, ServedTable, said, wait_until, wait_until_still
from tests.companion.web.phone.every_place.photograph import SIZES, photograph
from tests.companion.web.virtual_table.hands import MouseHands, middle
from vision.cards import Pose

_DESKTOP: Final = (1280, 800)
_SIZES: Final = {"phone": (NARROW, 2), "desktop": (_DESKTOP, 1), "large": ((640, 400), 2)}
"""The window in px of the page, and how many of the screen's px each of those has; large: letters at 200 %."""
_LOOKS: Final = ("light", "dark")
_CARDS: Final = 4
"""That lie on the table at least when the README's picture is taken."""

Take = Callable[[Page, str], None]


class Kind(NamedTuple):
    """How a page is looked at."""

    look: str
    size: str
    language: str

    @contextmanager
    def page(self, chromium: Chromium, served: ServedTable) -> Iterator[Page]:
        """The page, looked at so."""
        size, scale = _SIZES[self.size]
        phone = {"has_touch": True, "is_mobile": True} if self.size == "phone" else {}
        with chromium.page(
            served.address,
            size,
            language=self.language,
            color_scheme=self.look,
            device_scale_factor=scale,
            forgiven=REFUSED,
            **phone,
        ) as page:
            wait_until(lambda: said(page))
            yield page


def main() -> None:
    """Takes them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--looks", nargs="*", default=_LOOKS, choices=_LOOKS)
    parser.add_argument("--sizes", nargs="*", default=list(SIZES), choices=SIZES)
    parser.add_argument("--languages", nargs="*", default=LANGUAGES, choices=LANGUAGES)
    parser.add_argument("--phone", action="store_true", help="only the page on the phone")
    parser.add_argument("--page", action="store_true", help="only the picture of the README")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with Chromium() as chromium:
        if options.page:
            _photograph_for_readme(chromium, options.folder / "page.png")
            return
        for language in options.languages:
            photograph(chromium, options.folder, language, options.looks, options.sizes)
            sizes = [] if options.phone else [size for size in options.sizes if size in _SIZES]
            kinds = [Kind(look, size, language) for look, size in product(options.looks, sizes)]
            if kinds:
                _photograph(chromium, options.folder, language, kinds)
                _photograph_pieces(chromium, options.folder, language, kinds)


def _photograph(chromium: Chromium, folder: Path, language: str, kinds: list[Kind]) -> None:
    """All kinds at one table, so that they can be compared."""
    with tempfile.TemporaryDirectory() as games, ServedTable(Path(games), language=language) as served:
        for kind in kinds:
            with kind.page(chromium, served) as page:
                _photograph_start(page, partial(_take, folder, kind))
        with kinds[0].page(chromium, served) as page:
            _set_up(served, page)
        for kind in kinds:
            with kind.page(chromium, served) as page:
                _photograph_game(served, page, partial(_take, folder, kind))
        with kinds[-1].page(chromium, served) as page:
            take = partial(_take, folder, kinds[-1])
            page.click("#robot-panel summary")
            page.check("[name=robot][value=natural]")
            time.sleep(25)
            take(page, "10-by-itself")
            served.close()
            page.locator("#lost").wait_for()
            take(page, "11-away")


def _photograph_pieces(chromium: Chromium, folder: Path, language: str, kinds: list[Kind]) -> None:
    """A table of pieces and vehicles, as the game that is played with them lays it out, and a vehicle in the hand."""
    order, settings = Order("locomotion", "die"), with_own(Settings(language=language), network="by-lot", colours=4)
    with (
        tempfile.TemporaryDirectory() as games,
        ServedTable(Path(games), None, order=order, settings=settings) as served,
    ):
        for kind in kinds:
            with kind.page(chromium, served) as page:
                take = partial(_take, folder, kind)
                wait_until_still(page)
                take(page, "12-pieces")
                page.mouse.move(*middle(page.locator(".figure").first))
                page.mouse.down()
                page.mouse.move(*middle(page.locator("#frame")), steps=6)
                take(page, "13-vehicle")
                page.keyboard.press("Escape")


def _take(folder: Path, kind: Kind, page: Page, name: str) -> None:
    time.sleep(0.7)
    path = folder / f"{name}-{kind.size}-{kind.look}-{kind.language}.png"
    page.screenshot(path=path)
    print(path, flush=True)


def _set_up(served: ServedTable, page: Page) -> None:
    """By the robot; then somebody lays a card from the pile, and the screen has something to say."""
    world = served.device.world
    page.click("#set-up")
    wait_until(lambda: world.is_dealt and served.device.robot_speed == "off", 120)
    MouseHands(world, page, 1).place(world.cards(Place.PILE)[-1].number, Pose(620.0, 300.0))
    time.sleep(3)


def _photograph_start(page: Page, take: Take) -> None:
    take(page, "1-empty")
    page.click("#start-here")
    take(page, "2-tour")
    for _ in range(3):
        page.click("#tour-next")
    take(page, "3-tour-later")
    page.click("#tour-end")
    page.click("#new-game")
    take(page, "4-new-game")
    page.keyboard.press("Escape")


def _photograph_game(served: ServedTable, page: Page, take: Take) -> None:
    take(page, "5-game")
    hands, pile = MouseHands(served.device.world, page, 1), middle(page.locator(".pile"))
    page.mouse.move(*pile)
    page.mouse.down()
    page.mouse.move(*hands.point(Pose(500.0, 420.0)), steps=6)
    take(page, "6-dragging")
    page.mouse.move(*pile, steps=6)
    page.mouse.up()
    page.click("#closer")
    page.click("#closer")
    take(page, "7-closer")
    page.keyboard.press("0")
    for panel in ("camera", "disturb"):
        page.click(f"#{panel}-panel summary")
    for name in ("light][value=dusk", "glare", "hand"):
        page.check(f"[name={name}]")
    time.sleep(1)
    take(page, "8-disturbed")
    page.check("[name=light][value=day]")
    for name in ("glare", "hand"):
        page.uncheck(f"[name={name}]")
    for panel in ("camera", "disturb", "help"):
        page.click(f"#{panel}-panel summary")
    take(page, "9-help")


def _photograph_for_readme(chromium: Chromium, path: Path) -> None:
    """A game against the automaton, when it asks for a card to be laid."""
    with (
        tempfile.TemporaryDirectory() as games,
        ServedTable(Path(games), Mode.BETSY) as served,
        Kind("light", "desktop", "en").page(chromium, served) as page,
    ):
        device, game = served.device, served.controller
        hands = MouseHands(device.world, page, 3)
        robot = Robot(game, hands, 3, lambda button: page.click(f"[data-button={button}]"))
        while not _is_worth_a_picture(game.game.state):
            robot.act(device.clock())
            time.sleep(0.02)
        wait_until(lambda: device.screen.main in said(page))
        page.mouse.move(5, 5)
        time.sleep(13)  # what hands did last is no longer said
        page.screenshot(path=path)
    Image.open(path).convert("RGB").save(path, optimize=True)


def _is_worth_a_picture(state: State) -> bool:
    """The automaton's card is to be laid, and the person has had a turn."""
    is_asked = state.is_automatons_turn and state.phase is Phase.ACTING and state.drawn is not None
    return is_asked and state.turn > 0 and len(state.railway.cards) >= _CARDS


if __name__ == "__main__":
    main()
