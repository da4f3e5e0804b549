"""Whatever may lie where a file is kept: none of it can be read as that."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_folder(path: Path) -> None:
    path.mkdir()
    (path / "x").touch()


def a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def a_socket(path: Path) -> None:
    os.chdir(path.parent)  # a socket's name is short
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)


def a_link_to_itself(path: Path) -> None:
    path.symlink_to(path)


def holding(data: bytes) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.write_bytes(data)

    return make


BAD: dict[str, Callable[[Path], None]] = {
    "pipe": a_pipe,
    "folder": a_folder,
    "device": a_device,
    "socket": a_socket,
    "link": a_link_to_itself,
    "empty": holding(b""),
    "zeros": holding(bytes(5000)),
    "huge": holding(b"[" * 5_000_000),
    "deep": holding(b'{"games":' * 50_000),
    "list": holding(b"[1, 2, 3]"),
    "number": holding(b"1" + b"0" * 5000),
    "no UTF-8": holding(b'{"names":["\xc1nn"], "hand":["\xc1"], "game":"\xc1"}'),
    "UTF-16": holding(json.dumps({"language": "de"}).encode("utf-16")),
    "types": holding(b'{"names": 3, "large": "x", "hand": 1, "redo": {}, "game": 7}'),
    "escapes": holding(b'{"names": ["\\u001b[2J"], "hand_at": "x", "things": 1}'),
}
