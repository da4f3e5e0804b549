"""How soon the page is there, and what fifty phones, and a thousand connections that mean no good, cost the game.

A game is played at random; for some seconds nobody is there, then for as long the load, and again. The load comes from
another process, at the lowest priority. Prints figures and judges none of them: on a busy machine they are larger.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import multiprocessing
import os
import random
import resource
import statistics
import tempfile
import threading
import time
from array import array
from collections.abc import Awaitable
from itertools import pairwise
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import cv2
import msgspec
import numpy as np
from websockets.asyncio.client import connect

from companion.device.last_game import Order
from companion.games.events import Effect, Show
from tests.companion.web.browsers import Chromium, weights
from tests.companion.web.phone.served_session import Restless, ServedSession
from tests.companion.web.phone.test_pages import opened

PHONES: Final = 50
CONNECTIONS: Final = 1_000
_MEET: Final = (
    "GET /phone/line HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
Told = list[tuple[float, int]]
"""When something was shown, or told, and what, as a checksum: what is measured must not grow by it."""


# The loads, each in a process of its own


async def phone(port: int, told: Told, pictures: list[float]) -> None:
    """Listens, and looks through the camera twice a second."""

    async def looks() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while True:
            await asyncio.sleep(0.5)
            began = time.monotonic()
            writer.write(f"GET /phone/camera.jpg HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            if b"content-length: " in head:
                await reader.readexactly(int(head.split(b"content-length: ")[1].split(b"\r\n")[0]))
            pictures.append(time.monotonic() - began)

    async with connect(f"ws://127.0.0.1:{port}/phone/line", compression=None) as line:
        looking = asyncio.create_task(looks())
        try:
            async for text in line:
                if '"type":"screen"' in str(text)[:30]:
                    told.append((time.monotonic(), crc32(str(text).encode())))
        finally:
            looking.cancel()


async def drips(writer: asyncio.StreamWriter, what: bytes) -> None:
    """Byte by byte, as slowly as just not to be silent."""
    for byte in what:
        if writer.is_closing():
            return
        writer.write(bytes([byte]))
        await asyncio.sleep(1)


async def trouble(port: int, kind: int) -> None:
    """A connection that means no good, one after the other."""
    host = f"Host: 127.0.0.1:{port}\r\n"
    head = f"GET /phone HTTP/1.1\r\n{host}".encode()
    body = f"POST /phone/digits HTTP/1.1\r\n{host}Content-Length: %d\r\n\r\n"
    ping = b"\x89\xfd\0\0\0\0" + bytes(125)
    at_once, slowly = (
        (b"", b""),
        (b"", head),
        ((body % 900).encode(), b" " * 30),
        (_MEET.format(port=port).encode() + ping * 100, b""),
        (random.randbytes(200), b""),
        ((body % 1_000_000).encode() + bytes(100_000), b""),
    )[kind % 6]
    while True:
        await asyncio.sleep(random.uniform(0, 8))
        with contextlib.suppress(OSError):
            # Nothing that is answered is read.
            _, writer = await asyncio.open_connection("127.0.0.1", port, limit=1)
            writer.write(at_once)
            await drips(writer, slowly)
            await asyncio.sleep(20)
            writer.transport.abort()


async def wrong_digits(port: int) -> None:
    """A hundred tries a second."""
    body = json.dumps({"knock": "x" * 22, "digits": "123456"})
    while True:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            while True:
                head = f"POST /phone/digits HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {len(body)}\r\n\r\n"
                writer.write((head + body).encode())
                told = await reader.readuntil(b"\r\n\r\n")
                await reader.readexactly(int(told.lower().split(b"content-length: ")[1].split(b"\r\n")[0]))
                await asyncio.sleep(0.01)


def load(which: str, port: int, ends: Any, results: Any) -> None:
    """Runs a load until it is ended; tells the screens that came and how long each picture took."""
    if which != "one":
        os.nice(19)
    logging.disable()
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    told: list[Told] = [[] for _ in range(1 if which == "one" else PHONES)]
    pictures: list[float] = []
    works: list[Awaitable[None]] = (
        [phone(port, each, pictures) for each in told]
        if which != "trouble"
        else [*(trouble(port, kind) for kind in range(CONNECTIONS)), wrong_digits(port)]
    )

    async def all_of_them() -> None:
        tasks = [asyncio.ensure_future(work) for work in works]
        while not ends.is_set():
            await asyncio.sleep(0.1)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(all_of_them())
    results.put((told, pictures))


# What is measured


class Watched:
    """A game at which somebody presses buttons at random, what it has shown, and its turns; a context manager."""

    def __init__(self, folder: Path) -> None:
        self.turns = array("d")
        self.shown: Told = []
        self.screen: dict[str, Any] | None = None
        # Noted before phones are told: else one may have been told already, of a screen that was there before as well.
        self.served = ServedSession(
            folder, Order("loknroll", "2"), turned=lambda: self.turns.append(time.monotonic()), heard=self._note
        )
        # What a camera would have seen last: packing it for those that look is part of the load.
        colours = np.random.default_rng(1).integers(0, 255, (39, 52, 3), np.uint8)
        picture = cv2.resize(colours, (1640, 1232), interpolation=cv2.INTER_CUBIC)
        self.served.session.drawn = lambda: picture  # type: ignore[method-assign]
        self._is_over = threading.Event()
        self._fingers = threading.Thread(target=self._press, daemon=True)

    def __enter__(self) -> Watched:
        self.served.__enter__()
        self._fingers.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._fingers.join()
        self.served.__exit__()

    def _press(self) -> None:
        restless = Restless("fingers")
        while not self._is_over.wait(0.2):
            self.served.playing()
            self.served.buttons.press(restless.button(self.screen))

    def _note(self, effect: Effect) -> None:
        if isinstance(effect, Show) and not effect.is_private:
            self.screen = {"choices": effect.screen.choices}
            text = msgspec.json.encode({"type": "screen", "screen": effect.screen})
            self.shown.append((time.monotonic(), crc32(text)))

    def plays(self, seconds: float) -> list[float]:
        """The seconds between turns, in so much time."""
        first = len(self.turns)
        time.sleep(seconds)
        turns = self.turns[first:]
        return [later - turn for turn, later in pairwise(turns)]


def opening(watched: Watched, times: int) -> None:
    """Each place, in a browser that has never been here."""
    with Chromium() as chromium:
        for place in ("watch", "rules"):
            seconds = []
            for _ in range(times):
                began = time.monotonic()
                with opened(chromium, watched.served, f"#{place}") as page:
                    seconds.append(time.monotonic() - began)
                    page.wait_for_load_state("networkidle")
                    asked = weights(page)
            cards = sum(size for url, size in asked.items() if "/faces/" in url)
            print(
                f"{place}: there after {statistics.median(seconds):.2f} s (slowest {max(seconds):.2f} s of {times}),"
                f" {sum(asked.values()) / 1000:.0f} kB, of which {cards / 1000:.0f} kB are cards",
                flush=True,
            )


def memory_mb() -> float:
    """What the process has now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


def measured(watched: Watched, which: str, slices: int, seconds: float) -> None:
    """Quiet and load, one after the other, so many times."""
    context = multiprocessing.get_context("spawn")
    rates, slow, memory, told, pictures = [], [], [], [], []
    rested, worked = [], []
    for _ in range(slices):
        cpu = time.process_time()
        quiet = watched.plays(seconds)
        rested.append((time.process_time() - cpu) / seconds)
        ends, results, answers = context.Event(), context.Queue(), context.Queue()
        # How late the news are is asked of one that does not wait for a processor longer than the game does.
        both = [
            context.Process(target=load, args=(which, watched.served.port, ends, results)),
            context.Process(target=load, args=("one", watched.served.port, ends, answers)),
        ]
        for loading in both:
            loading.start()
        time.sleep(4.0)
        cpu = time.process_time()
        loaded = watched.plays(seconds)
        worked.append((time.process_time() - cpu) / seconds)
        memory.append(memory_mb())
        ends.set()
        results.get(timeout=30)
        screens, took = answers.get(timeout=30)
        for loading in both:
            loading.join(20)
        told += screens
        pictures += took
        rates.append(len(loaded) / len(quiet))
        slow.append(quantile(loaded, 0.95) / quantile(quiet, 0.95))
        time.sleep(1.0)
    print(
        f"{which}: turns with the load as a share of those without {statistics.median(rates):.3f} (of {slices} pairs:"
        f" {', '.join(f'{rate:.2f}' for rate in sorted(rates))})"
    )
    print(f"  the slowest of twenty turns, as a share of those without {statistics.median(slow):.2f}")
    print(
        f"  the program works {statistics.median(worked):.2f} of a processor, without {statistics.median(rested):.2f}"
    )
    print(f"  memory at the end of each: {', '.join(f'{each:.1f}' for each in memory)} MB", flush=True)
    late = lateness(watched.shown, told)
    print(
        f"  from the screen to one more phone: median {statistics.median(late) * 1000:.0f} ms,"
        f" 99 of 100 {quantile(late, 0.99) * 1000:.0f} ms, worst {max(late) * 1000:.0f} ms of {len(late)}"
    )
    print(
        f"  a picture: median {statistics.median(pictures) * 1000:.0f} ms, worst {max(pictures) * 1000:.0f} ms of"
        f" {len(pictures)}",
        flush=True,
    )


def quantile(values: list[float], share: float) -> float:
    """So many of the values are below it."""
    return sorted(values)[int(share * (len(values) - 1))]


def lateness(shown: Told, told: list[Told]) -> list[float]:
    """How long after each screen was shown it was told, to each phone; what it was told when it came is left out."""
    late = []
    for messages in told:
        for at, text in messages[1:]:
            shows = [when for when, screen in shown if screen == text and when <= at]
            if shows:
                late.append(at - shows[-1])
    return late


def main() -> None:
    """Measures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slices", type=int, default=6, help="of each load")
    parser.add_argument("--seconds", type=float, default=8.0, help="of each slice")
    parser.add_argument("--loads", nargs="*", default=["phones", "trouble"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Watched(Path(folder)) as watched:
        opening(watched, 8)
        for which in options.loads:
            measured(watched, which, options.slices, options.seconds)


if __name__ == "__main__":
    main()
