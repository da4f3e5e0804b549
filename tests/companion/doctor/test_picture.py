"""How sharp and how bright a picture is."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.doctor.focusing import watch
from companion.doctor.picture import SHARP_ENOUGH, light_of, sharpness_of
from companion.doctor.trying import Trial
from companion.texts.language import Texts
from hardware.buttons import Button, VirtualButtons
from hardware.camera import EndOfPictures, Picture, VirtualCamera
from hardware.devices import Devices, open_devices
from hardware.display import VirtualDisplay
from hardware.errors import DeviceError, Fault, Part
from hardware.lights import VirtualLights
from hardware.settings import load_settings
from tests.companion.doctor.test_examination import photograph

BLURS_PX = (0.0, 1.0, 2.0, 3.0, 5.0)


def blurred(sigma_px: float) -> Picture:
    seen = photograph()
    return np.asarray(cv2.GaussianBlur(seen, (0, 0), sigma_px), np.uint8) if sigma_px else seen


def test_it_falls_with_every_bit_of_blur() -> None:
    measured = [sharpness_of(blurred(sigma)) for sigma in BLURS_PX]
    assert all(here is not None and there is not None and here > there for here, there in pairwise(measured))
    assert measured[0] >= SHARP_ENOUGH > measured[-1]


@pytest.mark.parametrize("share", [0.3, 0.6, 1.0])
def test_light_hardly_changes_it(share: float) -> None:
    dimmed = (photograph() * share).astype(np.uint8)
    usual = sharpness_of(photograph())
    assert usual is not None
    assert sharpness_of(dimmed) == pytest.approx(usual, abs=12)


def test_noise_on_a_bare_table_is_not_sharp() -> None:
    noise = np.random.default_rng(1).normal(130, 5, (400, 600, 3))
    assert sharpness_of(noise.astype(np.uint8)) is None
    assert sharpness_of(np.zeros((4, 4, 3), np.uint8)) is None


def test_light() -> None:
    white = np.full((100, 100, 3), 255, np.uint8)
    assert light_of(white).has_glare
    assert light_of(white // 20).is_dark
    usual = light_of(photograph())
    assert not usual.is_dark
    assert not usual.has_glare


def test_the_lens_is_turned_until_the_number_falls_again() -> None:
    turned = iter((5.0, 2.0, None, 0.0, 3.0))

    def take() -> Picture:
        try:
            sigma = next(turned)
        except StopIteration:
            raise EndOfPictures("over") from None
        if sigma is None:
            raise DeviceError(Part.CAMERA, Fault.HANGING, "away")
        return blurred(sigma)

    seen = list(watch(VirtualCamera(take)))
    assert seen[2].trouble == "away"
    assert seen[3].now == seen[4].best == max(each.best for each in seen)
    assert [each.now is None for each in seen] == [False, False, True, False, False]


def trial(devices: Devices, answer: str) -> tuple[Trial, list[str]]:
    told: list[str] = []
    return Trial(devices, lambda _: answer, told.append, Texts("de")), told


def test_buttons_are_tried_in_turn_and_swapped_ones_are_found() -> None:
    buttons = VirtualButtons()
    devices = Devices(VirtualDisplay(), buttons, VirtualLights(), None, ())
    presses = iter((Button.ROLL, Button.UP, Button.UP, Button.DOWN, Button.BACK))

    def tell(_: str) -> None:
        # The person presses as soon as the question stands there.
        pressed.append(next(presses))

    pressed: list[Button] = []
    made = Trial(devices, lambda _: "j", tell, Texts("de"))
    drained = buttons.poll

    def poll() -> list:
        events = drained()
        if pressed:
            buttons.press(pressed.pop())
        return events

    buttons.poll = poll  # type: ignore[method-assign]
    codes = [finding.code for finding in made.buttons(load_settings().buttons)]
    assert codes == ["pressed", "pressed-other", "pressed", "pressed", "pressed"]


@pytest.mark.parametrize(("answer", "code"), [("Ja", "screen-seen"), ("nein", "screen-wrong"), ("", "screen-wrong")])
def test_the_screen_is_right_when_the_person_says_so(answer: str, code: str) -> None:
    display = VirtualDisplay()
    devices = Devices(display, VirtualButtons(), VirtualLights(), None, ())
    made, told = trial(devices, answer)
    (finding,) = made.screen()
    assert finding.code == code
    assert told
    image = display.image
    assert image is not None
    corners = [image.getpixel(corner) for corner in ((0, 0), (127, 0), (0, 63), (127, 63))]
    assert all(corners)


def test_a_screen_that_is_away_is_told() -> None:
    settings = load_settings()
    devices = open_devices(settings, pins=MockFactory(pin_class=MockPWMPin))
    made, _ = trial(devices, "j")
    (finding,) = made.screen()
    assert finding.verdict == "bad"
    devices.close()
