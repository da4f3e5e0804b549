"""The file that says how the devices are connected."""

import os
import time
from pathlib import Path

import pytest

from companion.device.presses import OFF_SECONDS
from hardware.buttons import Button
from hardware.settings import DEFAULTS, LEAST_STUCK_SECONDS, SettingsError, load_settings


def written(folder: Path, text: str) -> Path:
    path = folder / "devices.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_only_what_differs_has_to_be_written(tmp_path: Path) -> None:
    own = load_settings(written(tmp_path, '[display]\ncontroller = "sh1106"\n[buttons]\npass = 21\ndown = 0\n'))
    assert (own.display.controller, own.display.address) == ("sh1106", 0x3C)
    assert own.buttons.pins() == {Button.ROLL: 5, Button.PASS: 21, Button.UP: 13, Button.BACK: 26}
    assert own.camera == load_settings().camera


def test_every_default_value_is_explained() -> None:
    said = DEFAULTS.read_text(encoding="utf-8")
    unexplained = [line for line in said.splitlines() if "=" in line and "#" not in line]
    assert all(line.split()[0] in {"up", "down", "back", "good", "wrong", "busy", "buzzer", "height", "read_seconds"}
               for line in unexplained)  # fmt: skip
    assert not [line for line in said.splitlines() if len(line) > 120]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[display]\nrotation = 90", "`display.rotation`"),
        ("[display]\ncontroler = 'sh1106'", "unknown field `controler`"),
        ("[screen]\nrotation = 0", "unknown field `screen`"),
        ("[buttons]\nroll = 'five'", "Expected `int`, got `str`: see `buttons.roll`"),
        ("[buttons]\nroll = 40", "<= 27: see `buttons.roll`"),
        ("[buttons]\nroll = 6", "GPIO 6 is used by button roll and by button pass"),
        ("[lights]\nbuzzer = 26", "GPIO 26 is used by button back and by the buzzer"),
        ("[lights]\ngood = 2", r"GPIO 2 is used by the screen \(I2C\) and by light good"),
        ("buttons = 3", "see `buttons`"),
        ("[buttons]\nstuck_seconds = 5", "`buttons.stuck_seconds` is 5, it has to be at least 8: else two buttons"),
        ("[camera]\nmains_hertz = 55", "see `camera.mains_hertz`"),
        ("[camera]\nread_seconds = -1", "see `camera.read_seconds`"),
        ("[display\n", "are no TOML"),
    ],
)
def test_mistake_is_named_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(SettingsError, match=told) as raised:
        load_settings(path)
    assert str(path) in str(raised.value)


def test_pins_of_the_bus_are_free_without_a_screen(tmp_path: Path) -> None:
    path = written(tmp_path, '[display]\ncontroller = "none"\n[lights]\ngood = 2\n')
    assert load_settings(path).lights.good == 2


def test_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"nowhere.toml cannot be read"):
        load_settings(tmp_path / "nowhere.toml")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(SettingsError, match="are no TOML"):
        load_settings(tmp_path / "binary")


def test_buttons_that_are_held_to_switch_off_are_not_stuck_before() -> None:
    assert LEAST_STUCK_SECONDS >= OFF_SECONDS + 2  # nobody presses both at the same moment


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 7_000,
        "a = " + "{b = " * 3_000,
        "a." * 7_000 + "b = 1",
        "[" + "a." * 7_000 + "b]",
        "[display]\nbus = " + "9" * 5_000,
        "[display]\nbus = nan",
        "[display]\nbus." + "a." * 7_000 + "b = 1",
        "display = 1",
        "display = [1]",
        "\ufeff[display]\nbus = 1",
        "x" * 20_000,
    ],
    ids=[
        "lists", "tables", "dots", "dotted title", "digits", "NaN", "dots in a table", "number", "list",
        "byte order mark", "large",
    ],
)  # fmt: skip
def test_no_content_makes_more_than_a_sentence(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, text)
    begun = time.monotonic()
    with pytest.raises(SettingsError) as refused:
        load_settings(path)
    assert str(path) in str(refused.value)
    assert len(str(refused.value)) < 400
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_other_encodings_are_refused(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "devices.toml"
    path.write_bytes("[display]\nbus = 1 # \xe4".encode(encoding))
    with pytest.raises(SettingsError, match="are no TOML"):
        load_settings(path)


def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero"), tmp_path, tmp_path / ("x" * 5000), tmp_path / "a\0b"):
        with pytest.raises(SettingsError, match="cannot be read"):
            load_settings(path)
