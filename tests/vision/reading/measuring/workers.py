"""Processes that work through decks one by one: they tell how far they are, and stop at once on Ctrl-C."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Any

from tests.vision.reading.measuring.teaching_session import tell


def work_through(decks: Mapping[int, tuple[Any, ...]], work: Callable[..., object], processes: int) -> None:
    """Calls ``work`` with each deck's number and what else is given for it; it keeps what it finds by itself.

    Raises RuntimeError where it fails at a deck.
    """
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # each worker is one thread
    pool = ProcessPoolExecutor(processes, get_context("spawn"), _begin)
    try:
        running = {pool.submit(work, deck, *more): deck for deck, more in decks.items()}
        for done, task in enumerate(as_completed(running), 1):
            if (error := task.exception()) is not None:
                raise RuntimeError(f"Deck {running[task]}: {error!r}") from error
            tell(f"\r{done} of {len(decks)} decks read            \n")
    except KeyboardInterrupt:
        # Workers stop at once: what they have read is kept.
        for worker in list(pool._processes.values()):
            worker.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process tells the others when to stop
