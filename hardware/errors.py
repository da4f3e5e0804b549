"""What can be wrong with a device, for the person at the table and for the program that tells it."""

import enum


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
    FROZEN = "frozen"
    """The camera gives the same picture again and again."""
    DARK = "dark"
    """The camera sees nothing but black."""
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
