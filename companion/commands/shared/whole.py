"""Files and folders that appear as a whole or not at all, and never in the place of others."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.commands.shared.errors import CommandError


def check_is_free(target: Path) -> None:
    """Raises CommandError where something is there already, or no folder to put it into; an empty folder is nothing."""
    try:
        if not target.absolute().parent.exists():
            raise CommandError(f"{target}: cannot be written ({os.strerror(errno.ENOENT)}); name another.")
        if target.exists() and not (target.is_dir() and not any(target.iterdir())):
            raise CommandError(f"{target} is there already and is not overwritten; name another.")
    except OSError as error:
        raise CommandError(f"{target}: cannot be looked at ({error.strerror}); name another.") from error


@contextmanager
def appearing(target: Path) -> Iterator[Path]:
    """Gives a place to write to; what is there in the end becomes the target, unless an exception comes first."""
    target = target.absolute()
    try:
        with TemporaryDirectory(prefix=".companion-", dir=target.parent) as folder:
            unfinished = Path(folder) / target.name
            yield unfinished
            check_is_free(target)
            unfinished.rename(target)
    except OSError as error:
        raise CommandError(f"{target}: cannot be written ({error.strerror}); name another.") from error
