"""A table served to a real browser."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any

from msgspec.structs import replace
from playwright.sync_api import Browser, Page, sync_playwright

from companion.commands.shared.virtual_table import without_pins
from companion.device.last_game import Order
from companion.device.virtual_device import TABLETOP, VirtualDevice
from companion.games.loknroll.play.controller import Controller
from companion.games.loknroll.record.recorded_game import start_recorded
from companion.games.loknroll.rules import Edition, Mode, set_up
from companion.games.registry import games
from companion.games.settings import Settings
from companion.virtual.camera import WorldCamera
from companion.web.connections import make_server
from companion.web.virtual_table.server import make_app
from vision.cards import standard_deck

PERSONS = ("Ann", "Ben", "Cleo", "Dan")
CHROMIUM = Path("/usr/bin/chromium")
OUT_OF_USE = [
    # Chromium draws its own address bar's lists as pages: two for every page of ours, loaded though nobody types there
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    # A process ahead of the next page, which has a context of its own here and does not take it
    "SpareRendererForSitePerProcess",
    # Playwright's own, as the last list counts
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
]
"""Features of the browser without which it shows a page in half the time."""
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(OUT_OF_USE)}",
]
WIDE = (1440, 900)
NARROW = (390, 844)
REFUSED = ("WebSocket connection to", "Failed to load resource")
"""What a browser itself says of a server that is not there."""
SMALL_PX = (738, 554)
"""Pictures as small as can be read: tests are quicker with them."""


def small_camera(*parts: Any, size: tuple[int, int] = SMALL_PX) -> WorldCamera:
    """A camera above the page's table whose pictures are small."""
    return WorldCamera(*parts, size=size, tabletop=TABLETOP)


class ServedTable:
    """A host and its page at a free port, in threads of this process; a context manager."""

    def __init__(
        self,
        folder: Path,
        mode: Mode | None = Mode.BETSY,
        *,
        port: int = 0,
        seed: int = 7,
        language: str = "en",
        edition: Edition | None = None,
        order: Order | None = None,
        settings: Settings | None = None,
        picture_px: tuple[int, int] = SMALL_PX,
    ) -> None:
        """``mode`` is that of a new game; None goes on with the one in the folder, or begins the ``order``.

        ``settings`` are the people's. Any free ``port`` is taken for 0.
        """
        self.device = VirtualDevice(
            without_pins(),
            folder,
            games(),
            seed=seed,
            source=Random(seed),
            camera=partial(small_camera, size=picture_px),
        )
        self.device.kept.settings = settings or Settings(language=language, names=PERSONS)
        self.record = self.device.session.record
        if edition is None and mode is not None:
            order = Order("loknroll", mode.value)
        if order is not None:
            self.device.session.order(order)
        elif edition is not None and mode is not None:
            # A game of an edition that is not among the offers has just been begun, and goes on.
            start = set_up(edition, standard_deck(edition.deck), mode, PERSONS[: mode.persons])
            start_recorded(self.record, start)[1].close()
        self._socket = socket.create_server(("127.0.0.1", port))
        self.port = self._socket.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}/"
        self._server = make_server(make_app(self.device, self.port))
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],), daemon=True)
        self._game = threading.Thread(target=self.device.run, daemon=True)

    @property
    def controller(self) -> Controller:
        """What leads through the game that is played."""
        wait_until(lambda: self.device.play is not None)
        controller: Controller = self.device.play.controller
        return controller

    def __enter__(self) -> ServedTable:
        self._thread.start()
        self._game.start()
        assert self.device.is_laid.wait(60), self.device.failure
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the page's server and the game, as when the program ends."""
        self._server.should_exit = True
        self._thread.join(10)
        self.device.stop()
        self._game.join(15)
        assert not self._game.is_alive()
        assert self.device.failure is None


def unplugged(served: ServedTable) -> ServedTable:
    """Without a camera no eye has to get to know the deck."""
    world = served.device.world
    world.disturb(replace(world.disturbances, camera=False))
    return served


class Chromium:
    """The system's browser; a context manager."""

    def __enter__(self) -> Chromium:
        self._playwright = sync_playwright().start()
        self.browser: Browser = self._playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.browser.close()
        self._playwright.stop()

    @contextmanager
    def page(
        self,
        address: str,
        size: tuple[int, int] = WIDE,
        *,
        language: str = "en",
        forgiven: tuple[str, ...] = (),
        **context: Any,
    ) -> Iterator[Page]:
        """The page, ready to be played; of what it complains about only what begins as ``forgiven`` is."""
        opened = self.browser.new_context(viewport={"width": size[0], "height": size[1]}, locale=language, **context)
        page, complaints = opened.new_page(), []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.goto(address)
        page.wait_for_selector("#things.ready :is(.pile, .card:not([hidden]))")
        yield page
        opened.close()
        unforgiven = [each for each in complaints if not each.startswith(forgiven)]
        assert not unforgiven, unforgiven


def wait_until(is_so: Any, seconds: float = 45.0, what: str = "") -> float:
    """Waits for something; returns how long it took."""
    began = time.perf_counter()
    while not is_so():
        assert time.perf_counter() - began < seconds, what or "It has not happened."
        time.sleep(0.02)
    return time.perf_counter() - began


def wait_until_still(page: Page) -> None:
    """Waits until the page shows every thing where the world has it: nothing is held, sent or gliding."""
    page.wait_for_function(
        """() => !document.querySelector("#things > .mine") && !document.getAnimations().some((moving) =>
            moving instanceof CSSTransition && moving.effect.target.parentElement?.id === "things")"""
    )


def said(page: Page) -> str:
    """What the screen says, as a screen reader is told."""
    return page.locator("#said").inner_text()


def weights(page: Page) -> dict[str, int]:
    """What the page has asked for, and how many bytes each answer had."""
    entries = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
        .map((entry) => [entry.name, entry.decodedBodySize])"""
    return dict(page.evaluate(entries))
