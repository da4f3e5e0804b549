"""A picture's sharpness while the lens is turned, in the terminal and on the screen at the table."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

from companion.doctor.picture import sharpness_of
from hardware.camera import Camera, EndOfPictures
from hardware.display import Display
from hardware.errors import DeviceError


class Sharpness(NamedTuple):
    """Of the last picture, and the best so far (0 to 100); or what keeps the camera from giving one."""

    now: int | None
    best: int
    trouble: str = ""


def watch(camera: Camera) -> Iterator[Sharpness]:
    """The sharpness of one picture after the other, until there are no more."""
    best = 0
    while True:
        try:
            now = sharpness_of(camera.read())
        except DeviceError as error:
            yield Sharpness(None, best, str(error))
            continue
        except EndOfPictures:
            return
        best = max(best, now or 0)
        yield Sharpness(now, best)


def show_on(display: Display, seen: Sharpness, line: Callable[[Sharpness], str]) -> None:
    """The number, large: who turns the lens does not see the terminal. A screen that is away is passed over."""
    from companion.screen import draw
    from companion.screen.screen import Screen

    main = "?" if seen.now is None else str(seen.now)
    with contextlib.suppress(DeviceError):
        display.show(draw(Screen(main=main, lines=(line(seen),))))
