"""The last words on the screen, once nothing runs any more."""

from __future__ import annotations

import contextlib
from typing import Final, Literal

from companion.screen import draw
from companion.screen.screen import Screen
from companion.texts.language import Texts
from hardware.display import Display
from hardware.errors import DeviceError

_LEFT_ON: Final = 1
"""The brightness of the last words: they stand until the plug is pulled."""


def goodbye(say: Texts, why: Literal["unplug", "anew", "stopped"]) -> Screen:
    """What stays to be seen."""
    return Screen(main=say("run.goodbye"), lines=(say(f"run.{why}"),))


def leave_on(display: Display, screen: Screen) -> None:
    """Shows it faintly, without anything that would show it again; a display that is away is passed over."""
    with contextlib.suppress(DeviceError):
        display.contrast(_LEFT_ON)
        display.show(draw(screen))
