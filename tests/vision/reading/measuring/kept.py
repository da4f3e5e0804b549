"""What long runs have found, kept in a file as soon as it is there: an interrupted run goes on from it."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

Line = TypeVar("Line", bound=msgspec.Struct)


def kept_lines(path: Path, kind: type[Line]) -> list[Line]:
    """What is in a file, a line each; a line that an interrupted run left unfinished does not count.

    Raises msgspec.ValidationError where the file holds something else, as lines of an older form.
    """
    if not path.exists():
        return []
    lines = []
    for line in path.read_bytes().splitlines():
        try:
            lines.append(msgspec.json.decode(line, type=kind))
        except msgspec.ValidationError:
            raise
        except (msgspec.DecodeError, UnicodeError):
            continue
    return lines


def keep(line: msgspec.Struct, path: Path) -> None:
    """Appends a line; several processes may do so at once."""
    with path.open("ab", buffering=0) as file:
        file.write(b"\n" + msgspec.json.encode(line) + b"\n")
