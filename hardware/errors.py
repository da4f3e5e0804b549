"""What can be wrong with a device, for the person at the table and for the program that tells it."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Final

_LONGEST_REASON: Final = 120


class Part(enum.StrEnum):
    """The parts that can be missing or fail, each by itself."""

    DISPLAY = "display"
    BUTTONS = "buttons"
    LIGHTS = "lights"
    CAMERA = "camera"


class Fault(enum.StrEnum):
    """What is wrong with a part; a program can tell it in its own language."""

    MISSING = "missing"
    """It does not answer: not connected, a loose cable, or not there at all."""
    NOT_INSTALLED = "not installed"
    NOT_ALLOWED = "not allowed"
    IN_USE = "in use"
    HANGING = "hanging"
    """A call did not come back in time."""
    LOST = "lost"
    """Its driver hangs in this program for good, or keeps it in use: only a program that is started anew has it."""
    FAILS = "fails"
    """Its driver raises what nobody expected."""
    FROZEN = "frozen"
    """The camera gives the same picture again and again."""
    DARK = "dark"
    """The camera sees nothing but black."""
    NOT_SHARP = "not sharp"
    """The camera gives pictures, but its lens may be wrong: it did not find its focus by itself."""
    LIGHT_CHANGES = "light changes"
    """The camera gives pictures, but does not keep light and colours as they were measured."""
    UNREADABLE = "unreadable"
    """A file that should be a picture is none."""
    STUCK = "stuck"
    """A button that stays down."""


class DeviceError(Exception):
    """A part does not work; the message says what happened, what it means and what to do.

    Calling again is always allowed: a part that is back works again without being opened anew.
    """

    def __init__(self, part: Part, fault: Fault, message: str) -> None:
        super().__init__(message)
        self.part = part
        self.fault = fault


class no_foreign:  # noqa: N801 - it reads like the functions of contextlib
    """Whatever a library raises within leaves as what ``tell`` makes of it; DeviceError and ``ours`` as they are.

    A traceback keeps alive what it went through, as a half opened camera or a pin. Whoever kept the fault would keep
    them too, and their drivers would take them for in use: so it leaves without the library's tracebacks.
    """

    def __init__(self, tell: Callable[[Exception], DeviceError], *ours: type[Exception]) -> None:
        self._tell, self._ours = tell, ours

    def __enter__(self) -> None:
        """Nothing to do."""

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        del traceback  # else it is kept by this very call, which is in the traceback of what is raised here
        if isinstance(error, Exception) and not isinstance(error, (DeviceError, *self._ours)):
            _drop_tracebacks(error)
            raise self._tell(error) from error


def reason(error: BaseException) -> str:
    """What an exception says, in a line; with its kind where its words alone say little."""
    words = " ".join(str(getattr(error, "strerror", None) or error).split())
    told = words if " " in words else f"{type(error).__name__}: {words}" if words else type(error).__name__
    return told if len(told) <= _LONGEST_REASON else f"{told[: _LONGEST_REASON - 1]}…"


def _drop_tracebacks(error: BaseException) -> None:
    told: BaseException | None = error
    while told is not None and told.__traceback__ is not None:
        told.__traceback__ = None
        told = told.__cause__ or told.__context__
