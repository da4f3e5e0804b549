"""Which chip has the pins of the header: on a Raspberry Pi 5 its number depends on the kernel."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from hardware.errors import DeviceError, Fault, Part
from hardware.gpio_chips import Chip, find_chips, header_chip, label_of
from hardware.gpio_pins import open_pins
from tests.hardware.spied_drivers import FakeLgpio, put_lgpio

PI_5_NEW = {11: "pinctrl-rp1", 12: "gpio-brcmstb@107d508500", 13: "gpio-brcmstb@107d508520", 14: "", 15: ""}
PI_5 = {0: "gpio-brcmstb@107d508500", 4: "pinctrl-rp1", 10: "gpio-brcmstb@107d517c00"}
PI_4 = {0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"}
PI_ZERO = {0: "pinctrl-bcm2835"}


@pytest.mark.parametrize(("labels", "number"), [(PI_5_NEW, 11), (PI_5, 4), (PI_4, 0), (PI_ZERO, 0)])
def test_the_chip_of_the_header_is_found_by_its_label(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, labels: dict[int, str], number: int
) -> None:
    for each in labels:
        (tmp_path / f"gpiochip{each}").touch()
    chips = find_chips(tmp_path, lambda path: labels[int(path.name.removeprefix("gpiochip"))])
    assert chips == [Chip(each, label) for each, label in labels.items()]
    assert header_chip(chips) == Chip(number, labels[number])
    lgpio = FakeLgpio()
    put_lgpio(monkeypatch, lgpio)
    monkeypatch.setattr("hardware.gpio_pins.find_chips", lambda: chips)
    assert open_pins(Part.BUTTONS).chip == number
    assert lgpio.opened == [number]


def test_a_machine_that_says_nothing_is_left_to_gpiozero(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gpiochip0").touch()
    assert label_of(tmp_path / "gpiochip0") == label_of(tmp_path / "nowhere") == ""
    assert header_chip(find_chips(tmp_path)) is None
    put_lgpio(monkeypatch, FakeLgpio())
    monkeypatch.setattr("hardware.gpio_pins.find_chips", list)
    assert open_pins(Part.BUTTONS).chip == 0


def test_an_lgpio_that_is_an_empty_file_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    put_lgpio(monkeypatch, SimpleNamespace())
    with pytest.raises(DeviceError, match="lgpio is not installed") as raised:
        open_pins(Part.BUTTONS)
    assert raised.value.fault is Fault.NOT_INSTALLED
