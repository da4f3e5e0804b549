"""Many games on all cores, whichever the game."""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from typing import TypeVar

Played = TypeVar("Played")


def play_many(
    play: Callable[[range], list[Played]], games: int, processes: int, *, at_a_time: int
) -> Generator[list[Played]]:
    """Plays the games of some numbers, from 0, and yields them as they end; raises what ``play`` raises.

    A core plays some ``at_a_time`` before it reports: few, so that Ctrl-C need not wait.
    ``play`` goes to the processes, so it is a function of a module. Closing the iterator stops the processes.
    """
    batches = iter(range(0, games, at_a_time))
    with ProcessPoolExecutor(processes, initializer=_ignore_interrupts) as pool:
        running: set[Future[list[Played]]] = set()
        try:
            while True:
                with _ctrl_c_waits():
                    # Only as many ahead as keep the cores busy: a million games must not wait in memory.
                    while len(running) < 2 * processes and (first := next(batches, None)) is not None:
                        numbers = range(first, min(first + at_a_time, games))
                        running.add(pool.submit(play, numbers))
                    if not running:
                        return
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    played = [batch.result() for batch in done]
                yield from played
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _ctrl_c_waits() -> Generator[None]:
    """While the processes are begun, given games and asked for them, Ctrl-C waits: a batch at most.

    It would leave some processes going, or leave a lock of theirs closed behind it for which their end waits forever.
    """
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if pressed:
            signal.raise_signal(signal.SIGINT)


def _ignore_interrupts() -> None:
    """Ctrl-C reaches every process of the terminal; the main one decides what becomes of it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
