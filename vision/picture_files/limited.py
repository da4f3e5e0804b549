"""The process that decodes one picture: it reads the file from its input, and answers with the pixels or a refusal.

Before it reads anything it gives up what a picture could do harm with: memory, time, files, lines to anywhere.
"""

from __future__ import annotations

import contextlib
import resource
import sys
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from PIL import Image as Pillow

from vision.picture_files.apart import (
    ANSWER,
    CPU_SECONDS,
    IS_PICTURE,
    IS_REFUSED,
    LARGEST_FILE_BYTES,
    LONGEST_ANSWER_BYTES,
)
from vision.picture_files.decoding import PictureError, picture_in, png_of

MOST_MORE_BYTES: Final = 5 * LARGEST_FILE_BYTES
"""Of memory for a picture: its file, a picture of HALVED_FROM_PIXELS, and what a decoder takes beside it."""
HALVED_FROM_PIXELS: Final = 12_500_000
"""What the largest camera of a companion has; more show no more of a card."""


def give_up() -> None:
    """From now on this process takes little memory and time, opens nothing and begins no other one."""
    # Where memory runs out this process is ended and not the game.
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", "ascii")
    taken = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    limits = {
        resource.RLIMIT_AS: taken + MOST_MORE_BYTES,
        resource.RLIMIT_CPU: CPU_SECONDS,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NPROC: 0,
        # Neither a file nor a socket can be opened without a number for it.
        resource.RLIMIT_NOFILE: 0,
    }
    for limit, most in limits.items():
        # Not setrlimit: the service may not call it. One second more, and a process that holds on is ended for good.
        resource.prlimit(0, limit, (most, most + (limit == resource.RLIMIT_CPU)))


def main() -> None:
    """Answers for the file in the standard input."""
    cv2.setNumThreads(1)
    # Both load some of their parts when they are used first, which is no longer possible then.
    Pillow.init()
    grey = np.zeros((8, 8, 3), np.uint8)
    for ending in (".jpg", ".webp"):
        picture_in(cv2.imencode(ending, picture_in(png_of(grey), ""))[1].tobytes(), "")
    out = sys.stdout.buffer
    give_up()
    try:
        data = sys.stdin.buffer.read(LARGEST_FILE_BYTES + 1)
        picture = picture_in(data, "", halved_from_pixels=HALVED_FROM_PIXELS)
        out.write(ANSWER.pack(IS_PICTURE, *picture.shape[:2]))
        out.write(picture.data)
    except PictureError as error:
        out.write(ANSWER.pack(IS_REFUSED, 0, 0) + f"{error.reason}\n{error}".encode()[:LONGEST_ANSWER_BYTES])
    except MemoryError:
        pass  # who waits for an answer knows what none means
    with contextlib.suppress(BrokenPipeError):
        out.flush()


if __name__ == "__main__":
    main()
