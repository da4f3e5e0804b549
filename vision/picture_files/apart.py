"""Pictures of strangers: decoded in a process of its own with limits, so that none can hurt the one that plays."""

from __future__ import annotations

import os
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Final, get_args

import numpy as np

from vision.arrays import Picture
from vision.picture_files.decoding import LARGEST_PIXELS, LONGEST_SIDE_PX, PictureError, Reason

LARGEST_FILE_BYTES: Final = 25_000_000
"""A photograph out of a phone has a quarter of it."""
CPU_SECONDS: Final = 30
"""Ten times what the largest photograph takes on a Zero 2 W."""

ANSWER: Final = struct.Struct("<cII")
"""What the process answers first: which of both, and the height and the width of the picture whose pixels follow."""
IS_PICTURE: Final = b"P"
IS_REFUSED: Final = b"R"
LONGEST_ANSWER_BYTES: Final = 1_000

PATIENCE_SECONDS: Final = 2.0 * CPU_SECONDS
"""Until a process is ended that decodes: a game may want the processor too."""

_PROGRAM: Final = (sys.executable, "-P", "-m", "vision.picture_files.limited")
_TAKEN_ALONG: Final = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH")
_ENVIRONMENT: Final = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1"}
_alone: Final = threading.Lock()
"""A small computer has memory for one at a time."""


def picture_apart(data: bytes, name: str) -> Picture:
    """The picture in a file's bytes: height × width × 3, B, G, R, 8 bits, upright; raises PictureError with the name.

    One of more than 12 million pixels comes with half its sides. It takes seconds: not for the thread that plays.
    """
    if len(data) > LARGEST_FILE_BYTES:
        told = f"{name} has more than {LARGEST_FILE_BYTES:,} bytes; make it smaller."
        raise PictureError(told, "bytes")
    if not _alone.acquire(timeout=PATIENCE_SECONDS):
        raise PictureError(f"{name} has to wait, other pictures are being read; give it again.", "busy")
    try:
        return _decoded(data, name)
    finally:
        _alone.release()


def _decoded(data: bytes, name: str) -> Picture:
    with _running() as (program, is_late):
        with suppress(BrokenPipeError):
            _pipe(program.stdin).write(data)
            _pipe(program.stdin).close()
        answer = _pipe(program.stdout)
        kind, height, width = ANSWER.unpack(answer.read(ANSWER.size).ljust(ANSWER.size, b"\0"))
        if kind == IS_PICTURE and (picture := _received(answer, height, width)) is not None:
            return picture
        if kind == IS_REFUSED:
            reason, _, told = answer.read(LONGEST_ANSWER_BYTES).decode(errors="replace").partition("\n")
            raise PictureError(f"{name}{told}", _reason(reason))
        program.wait()
    if is_late.is_set() or program.returncode == -signal.SIGXCPU:
        raise PictureError(f"{name} takes too long to read; save it anew, as a JPEG.", "time")
    raise PictureError(f"{name} takes more memory than there is; make it smaller.", "memory")


@contextmanager
def _running() -> Iterator[tuple[subprocess.Popen[bytes], threading.Event]]:
    """The process, and whether it has been ended because it took too long."""
    environment = {key: os.environ[key] for key in _TAKEN_ALONG if key in os.environ} | _ENVIRONMENT
    is_late = threading.Event()
    with subprocess.Popen(  # noqa: S603 - nothing of it comes from outside
        _PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as program:

        def end() -> None:
            is_late.set()
            program.kill()

        timer = threading.Timer(PATIENCE_SECONDS, end)
        timer.start()
        try:
            yield program, is_late
        finally:
            timer.cancel()
            timer.join()
            program.kill()
            # What was not taken is not waited for.
            with suppress(BrokenPipeError):
                _pipe(program.stdin).close()


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise ValueError("opened without a pipe")
    return pipe


def _received(answer: IO[bytes], height: int, width: int) -> Picture | None:
    """None where the process has ended before the last pixel, or tells of more than there can be."""
    if not 0 < height * width <= LARGEST_PIXELS or max(height, width) > LONGEST_SIDE_PX:
        return None
    picture = np.empty((height, width, 3), np.uint8)
    left = picture.data.cast("B")
    # Into its place at once: a copy would take its memory twice.
    while left and (count := answer.readinto(left)):  # type: ignore[attr-defined]
        left = left[count:]
    return None if left else picture


def _reason(told: str) -> Reason:
    return next((reason for reason in get_args(Reason) if reason == told), "broken")
