"""What a screen is to the program: a place that shows images of 128 × 64 dots that are on or off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from PIL import Image

WIDTH: Final = 128
HEIGHT: Final = 64


class Display(Protocol):
    """A screen of 128 × 64 dots."""

    def show(self, image: Image.Image) -> None:
        """Shows an image (mode "1", 128 × 64 px) until the next one; raises DeviceError while the screen is away."""

    def contrast(self, level: int) -> None:
        """Sets the brightness, 0 (dim, not dark) to 255; raises DeviceError while the screen is away."""

    def close(self) -> None:
        """Switches the screen off; never raises."""


class VirtualDisplay:
    """A screen in memory: keeps the last image and the brightness."""

    def __init__(self) -> None:
        self.image: Image.Image | None = None
        self.level = 127
        self.is_closed = False

    def show(self, image: Image.Image) -> None:
        """Keeps a copy of an image (mode "1", 128 × 64 px)."""
        check_image(image)
        self.image = image.copy()

    def contrast(self, level: int) -> None:
        """Keeps the brightness, 0 to 255."""
        self.level = check_level(level)

    def close(self) -> None:
        """Nothing is left on the screen."""
        self.image = None
        self.is_closed = True


def check_image(image: Image.Image) -> None:
    """Raises ValueError for anything but 128 × 64 dots that are on or off."""
    if image.mode != "1" or image.size != (WIDTH, HEIGHT):
        raise ValueError(f'The screen shows images of mode "1" and 128 x 64 px, not "{image.mode}" and {image.size}.')


def check_level(level: int) -> int:
    """A brightness from 0 to 255; raises ValueError otherwise."""
    if not 0 <= level <= 255:
        raise ValueError(f"The brightness of the screen goes from 0 to 255, not {level}.")
    return level
