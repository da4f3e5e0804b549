"""Screen and buttons are tried together with the person at the table."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from companion.doctor.findings import Finding, bad, good
from companion.texts.language import Texts
from hardware.buttons import Button, Buttons, Kind
from hardware.devices import Devices
from hardware.display import HEIGHT, WIDTH
from hardware.errors import DeviceError
from hardware.header import GPIO_PINS
from hardware.settings import ButtonSettings

if TYPE_CHECKING:
    from PIL import Image

_PATIENCE_SECONDS: Final = 15.0
_POLL_SECONDS: Final = 0.02


class Trial:
    """Asks for one thing after the other, and says what came of it."""

    def __init__(self, devices: Devices, ask: Callable[[str], str], tell: Callable[[str], None], say: Texts) -> None:
        """``ask`` gives the person's answer to a question in the terminal."""
        self._devices, self._ask, self._tell, self._say = devices, ask, tell, say

    def screen(self) -> Iterator[Finding]:
        """Whether the person sees what is drawn."""
        try:
            self._devices.display.show(frame())
        except DeviceError as error:
            yield bad("screen", "fails", error=error)
            return
        self._tell(self._say("doctor.see-screen"))
        is_right = self._ask(self._say("doctor.yes-no")).strip().lower().startswith(self._say("doctor.yes"))
        yield good("screen", "screen-seen") if is_right else bad("screen", "screen-wrong")

    def buttons(self, settings: ButtonSettings) -> Iterator[Finding]:
        """Each button in turn."""
        for button, gpio in settings.pins().items():
            details = {"button": button.upper(), "gpio": gpio, "pin": GPIO_PINS[gpio]}
            self._tell(self._say("doctor.press", **details))
            pressed = _first_press(self._devices.buttons, _PATIENCE_SECONDS)
            if pressed is button:
                yield good("pins", "pressed", **details)
            elif pressed is None:
                yield bad("pins", "pressed-nothing", **details)
            else:
                yield bad("pins", "pressed-other", other=pressed.upper(), **details)


def _first_press(buttons: Buttons, seconds: float) -> Button | None:
    """The next button that is pressed and let go."""
    buttons.poll()
    end = time.monotonic() + seconds
    pressed = None
    while time.monotonic() < end:
        for event in buttons.poll():
            if event.kind is Kind.PRESSED:
                pressed = pressed or event.button
            elif event.kind is Kind.RELEASED and event.button is pressed:
                return pressed
        time.sleep(_POLL_SECONDS)
    return pressed


def frame() -> Image.Image:
    """A picture (128 × 64 px) on which a wrong controller, offset or rotation can be seen."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("1", (WIDTH, HEIGHT))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, WIDTH - 1, HEIGHT - 1), outline=1)
    draw.text((5, 3), "TOP LEFT", fill=1, font=ImageFont.load_default_imagefont())
    for column in range(14):
        for row in range(4):
            if (column + row) % 2:
                left, top = 8 * column + 8, 8 * row + 24
                draw.rectangle((left, top, left + 7, top + 7), fill=1)
    return image
