"""Progress bars on the error output of a terminal, gone when the work is done."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

_BAR_WIDTH = 40
Part = TypeVar("Part")


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """Gives what is to be told how much is done, and of how much."""
    columns = (TextColumn("{task.description}"), BarColumn(_BAR_WIDTH), MofNCompleteColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(what, total=None)

        def told(done: int, of: int) -> None:
            progress.update(task, completed=done, total=of)

        yield told


def gathered(what: str, parts: Generator[list[Part]], wanted: int) -> tuple[list[Part], bool]:
    """All parts as they come, and whether Ctrl-C stopped them; raises what they raise."""
    columns = (TextColumn("{task.description}"), BarColumn(_BAR_WIDTH), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    done: list[Part] = []
    try:
        with (
            Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress,
            closing(parts),
        ):
            task = progress.add_task(what, total=wanted)
            for part in parts:
                done += part
                progress.advance(task, len(part))
    except KeyboardInterrupt:
        return done, True
    return done, False
