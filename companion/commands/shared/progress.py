"""A progress bar on the error output of a terminal, gone when the work is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """Gives what is to be told how much is done, and of how much."""
    columns = (TextColumn("{task.description}"), BarColumn(40), MofNCompleteColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(what, total=None)

        def told(done: int, of: int) -> None:
            progress.update(task, completed=done, total=of)

        yield told
