"""The real driver of luma.oled on a virtual bus: what arrives in the controller's memory, dot by dot."""

import gc
import random

import pytest
from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, ssd1306
from PIL import Image, ImageChops, ImageDraw

from hardware.display import VirtualDisplay
from hardware.display.oled import OledDisplay
from hardware.display.oled_memory import OledMemory
from hardware.errors import DeviceError, Fault, Part
from hardware.settings import load_settings

CONTROLLERS = ("ssd1306", "sh1106")


def settings(controller: str = "ssd1306", **changes):
    """The default screen with some settings changed."""
    from msgspec.structs import replace

    return replace(load_settings().display, controller=controller, **changes)


def picture(seed: int = 0) -> Image.Image:
    """A picture without any symmetry."""
    chance = random.Random(seed)
    image = Image.frombytes("1", (128, 64), chance.randbytes(1024))
    ImageDraw.Draw(image).text((2, 2), "Emma 4", fill=1)
    return image


def is_same(one: Image.Image, other: Image.Image) -> bool:
    return ImageChops.logical_xor(one, other).getbbox() is None


@pytest.mark.parametrize("controller", CONTROLLERS)
@pytest.mark.parametrize("rotation", [0, 180])
def test_every_dot_arrives(controller: str, rotation: int) -> None:
    memory = OledMemory(controller)
    display = OledDisplay(settings(controller, rotation=rotation), memory)
    for seed in range(3):
        display.show(picture(seed))
        seen = memory.image().rotate(rotation)
        assert is_same(seen, picture(seed))
    assert memory.contrast == 127


@pytest.mark.parametrize("controller", CONTROLLERS)
def test_memory_is_what_lumas_own_drawing_makes_it(controller: str) -> None:
    ours, lumas = OledMemory(controller), OledMemory(controller)
    OledDisplay(settings(controller), ours).show(picture())
    device = {"ssd1306": ssd1306, "sh1106": sh1106}[controller](i2c(bus=lumas))
    device.display(picture())
    assert is_same(ours.image(), lumas.image())


def test_sh1106_begins_at_its_third_column_unless_told_otherwise() -> None:
    for fitted, configured, shifted in ((2, 2, 0), (0, 0, 0), (0, 2, 2)):
        memory = OledMemory("sh1106", column_offset=fitted)
        OledDisplay(settings("sh1106", column_offset=configured), memory).show(picture())
        seen = memory.image().crop((shifted, 0, 128, 64))
        assert is_same(seen, picture().crop((0, 0, 128 - shifted, 64)))


@pytest.mark.parametrize("controller", CONTROLLERS)
def test_only_what_changed_is_sent(controller: str) -> None:
    memory = OledMemory(controller)
    display = OledDisplay(settings(controller), memory, clock=lambda: 0.0)
    display.show(picture())
    sent = memory.bytes_sent
    display.show(picture())
    assert memory.bytes_sent == sent
    changed = picture()
    ImageDraw.Draw(changed).rectangle((40, 17, 49, 22), fill=0)
    display.show(changed)
    assert is_same(memory.image(), changed)
    assert memory.bytes_sent - sent <= 20


@pytest.mark.parametrize("controller", CONTROLLERS)
def test_screen_that_went_away_is_told_and_comes_back_whole(controller: str) -> None:
    memory = OledMemory(controller)
    display = OledDisplay(settings(controller, contrast=20), memory)
    display.show(picture(1))
    memory.unplug()
    for _ in range(3):
        with pytest.raises(DeviceError, match="does not answer: check its four wires") as raised:
            display.show(picture(2))
        assert (raised.value.part, raised.value.fault) == (Part.DISPLAY, Fault.MISSING)
    with pytest.raises(DeviceError, match="0x3c of I²C bus 1"):
        display.contrast(200)
    memory.plug_in()
    assert not is_same(memory.image(), picture(2))
    display.show(picture(2))
    assert is_same(memory.image(), picture(2))
    assert memory.contrast == 200


def test_screen_that_is_away_at_the_start_is_found_later() -> None:
    memory = OledMemory()
    memory.unplug()
    display = OledDisplay(settings(), memory)
    with pytest.raises(DeviceError):
        display.show(picture())
    memory.plug_in()
    display.show(picture())
    assert is_same(memory.image(), picture())


class FailsAfter(OledMemory):
    """Goes away in the middle of an image."""

    messages = 0

    def write_i2c_block_data(self, address: int, register: int, data: list[int]) -> None:
        self.messages -= 1
        if self.messages == 0:
            self.unplug()
        super().write_i2c_block_data(address, register, data)


@pytest.mark.parametrize("messages", [1, 2, 3, 9, 20, 33])
def test_screen_that_fails_in_the_middle_of_an_image_shows_the_next_one_whole(messages: int) -> None:
    memory = FailsAfter()
    display = OledDisplay(settings(), memory)
    display.show(picture(1))
    memory.messages = messages
    with pytest.raises(DeviceError):
        display.show(picture(2))
    memory.plug_in()
    display.show(picture(2))
    assert is_same(memory.image(), picture(2))


@pytest.mark.parametrize("controller", CONTROLLERS)
def test_screen_that_had_no_power_for_a_moment_is_set_up_anew_within_five_seconds(controller: str) -> None:
    memory, now = OledMemory(controller), [0.0]
    display = OledDisplay(settings(controller), memory, clock=lambda: now[0])
    display.show(picture())
    memory.unplug()
    memory.plug_in()
    now[0] = 4.9
    display.show(picture())
    assert memory.image().getbbox() is None
    now[0] = 5.0
    display.show(picture())
    assert is_same(memory.image(), picture())


class NeverDark(OledMemory):
    """Looks at the screen after each message."""

    seen: list[bool]

    def write_i2c_block_data(self, address: int, register: int, data: list[int]) -> None:
        super().write_i2c_block_data(address, register, data)
        self.seen.append(self.contrast == 40 and is_same(self.image(), picture()))


@pytest.mark.parametrize("controller", CONTROLLERS)
def test_refreshing_does_not_flicker(controller: str) -> None:
    memory, now = NeverDark(controller), [0.0]
    memory.seen = []
    display = OledDisplay(settings(controller, contrast=40), memory, clock=lambda: now[0])
    display.show(picture())
    memory.seen = []
    now[0] = 10.0
    display.show(picture())
    assert len(memory.seen) > 30
    assert all(memory.seen)


def test_screen_that_goes_away_while_nothing_changes_is_noticed() -> None:
    memory, now = OledMemory(), [0.0]
    display = OledDisplay(settings(), memory, clock=lambda: now[0])
    display.show(picture())
    memory.unplug()
    now[0] = 6.0
    with pytest.raises(DeviceError):
        display.show(picture())


def test_closed_screen_is_dark() -> None:
    memory = OledMemory()
    display = OledDisplay(settings(), memory)
    display.show(picture())
    display.close()
    assert memory.image().getbbox() is None
    display.close()


def test_a_closed_screen_is_not_kept() -> None:
    """luma keeps every device until the program ends, with all that it needs for 128 × 64 dots."""

    def opened_and_closed() -> int:
        display = OledDisplay(settings(), OledMemory())
        display.show(picture())
        display.close()
        return sum(isinstance(each, ssd1306) for each in gc.get_objects())

    assert opened_and_closed() == opened_and_closed()


def test_closing_a_screen_that_is_away_does_not_matter() -> None:
    memory = OledMemory()
    display = OledDisplay(settings(), memory)
    display.show(picture())
    memory.unplug()
    display.close()
    OledDisplay(settings(), memory).close()


def test_machine_without_the_bus_is_told_to_switch_it_on() -> None:
    with pytest.raises(DeviceError, match="There is no I²C bus 97: switch I²C on"):
        OledDisplay(settings(bus=97)).show(picture())


def test_wrong_address_is_named() -> None:
    with pytest.raises(DeviceError, match="0x3d"):
        OledDisplay(settings(address=0x3D), OledMemory()).show(picture())


@pytest.mark.parametrize("make", [lambda: OledDisplay(settings(), OledMemory()), VirtualDisplay])
def test_only_images_of_the_screen_are_taken(make) -> None:
    display = make()
    for image in (Image.new("L", (128, 64)), Image.new("1", (128, 32))):
        with pytest.raises(ValueError, match="128 x 64"):
            display.show(image)
    with pytest.raises(ValueError, match="0 to 255"):
        display.contrast(256)


def test_virtual_screen_keeps_what_was_shown() -> None:
    display = VirtualDisplay()
    image = picture()
    display.show(image)
    image.paste(0, (0, 0, 128, 64))
    assert is_same(display.image, picture())
