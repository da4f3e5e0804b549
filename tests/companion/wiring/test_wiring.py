"""What the page about wiring says is what the settings say."""

from __future__ import annotations

import re
from math import radians, tan
from pathlib import Path

import pytest

from companion.commands.cli import main
from companion.texts.language import LANGUAGES, Texts
from companion.wiring.connections import Shape, connected, shared_grounds, sockets
from companion.wiring.mounting import LENSES, height_mm, view_of
from companion.wiring.page import WiringPage
from hardware.header import GPIO_PINS, GROUND_PINS
from hardware.settings import load_settings

WIRE_PX = 4


def test_the_header_has_each_pin_once() -> None:
    pins = [*GPIO_PINS.values(), *GROUND_PINS, 1, 17, 2, 4]
    assert sorted(pins) == list(range(1, 41))
    assert sorted(GPIO_PINS) == list(range(28))


def test_the_header_is_that_of_gpiozero() -> None:
    from gpiozero.pins.mock import MockFactory

    header = MockFactory().board_info.headers["J8"]
    numbers = {int(re.sub(r"\D", "", pin.name)): number for number, pin in header.pins.items() if "GPIO" in pin.name}
    assert numbers == GPIO_PINS


def test_every_wire_goes_to_the_pin_of_the_settings(tmp_path: Path) -> None:
    file = tmp_path / "devices.toml"
    file.write_text("[buttons]\nup = 23\nback = 0\n[lights]\ngood = 17\nbuzzer = 12\n")
    settings = load_settings(file)
    parts = {part.name: part for part in connected(settings)}
    for button, gpio in settings.buttons.pins().items():
        (wire,) = parts[button.upper()].wires
        assert (wire.gpio, wire.pin) == (gpio, GPIO_PINS[gpio])
    assert parts["UP"].wires[0].pin == 16
    assert parts["good"].wires[0].pin == 11
    assert parts["buzzer"].shape is Shape.BUZZER
    assert "BACK" not in parts
    assert all(part.ground in GROUND_PINS for part in parts.values())
    used = [wire.pin for part in parts.values() for wire in part.wires]
    assert len(used) == len(set(used))


def test_every_wire_has_a_pin_of_its_own_and_the_list_of_parts_counts_them() -> None:
    parts = connected(load_settings())
    pins = [*(wire.pin for part in parts for wire in part.wires), *(part.ground for part in parts)]
    assert len(pins) == len(set(pins)) == sockets(parts)
    page = WiringPage(load_settings(), (800.0, 600.0), 63.0, Texts("en"))
    assert f"<li>{len(pins)} × wires" in page.html()
    assert "share a pin" not in page.html()
    drawn = page.drawing().svg()
    assert drawn.count(f'stroke="#1b1b1b" stroke-width="{WIRE_PX}"') == len(parts)


def test_with_more_parts_than_grounds_as_few_as_can_be_share_one(tmp_path: Path) -> None:
    file = tmp_path / "devices.toml"
    file.write_text("[lights]\ngood = 17\nwrong = 27\nbusy = 22\nbuzzer = 12\n")
    parts = connected(load_settings(file))
    assert {part.ground for part in parts} == set(GROUND_PINS)
    assert len(shared_grounds(parts)) == len(parts) - len(GROUND_PINS) == 2
    told = WiringPage(load_settings(file), (800.0, 600.0), 63.0, Texts("en")).html()
    assert f"share a pin ({', '.join(map(str, shared_grounds(parts)))})" in told


def test_names_of_neighbouring_pins_do_not_run_together() -> None:
    """Pins are 52 px apart; a word of four bold letters or figures at 12 px is narrower."""
    drawn = WiringPage(load_settings(), (800.0, 600.0), 63.0, Texts("en")).drawing().svg()
    names = re.findall(r'font-size="12" font-weight="bold" fill="#fff" text-anchor="middle">([^<]*)<', drawn)
    assert {"GPIO", "13", "19", "26", "GND"} <= set(names)
    assert max(map(len, names)) <= 4


@pytest.mark.parametrize("table", [(800.0, 600.0), (1800.0, 600.0), (600.0, 600.0)])
@pytest.mark.parametrize("lens", LENSES, ids=lambda lens: lens.name)
def test_a_camera_sees_the_whole_table_and_no_more_than_it_must(lens, table: tuple[float, float]) -> None:
    view = view_of(table, (1640, 1232))
    assert all(seen >= side - 1e-6 for seen, side in zip(view.mm, table, strict=True))
    assert min(seen / side for seen, side in zip(view.mm, table, strict=True)) == pytest.approx(1)
    assert view.mm[0] / view.mm[1] == pytest.approx(1640 / 1232)
    height = height_mm(lens, view)
    most = [2 * height * tan(radians(angle) / 2) for angle in (lens.across_deg, lens.down_deg)]
    assert all(seen <= side + 1e-6 for seen, side in zip(view.mm, most, strict=True))
    assert any(seen == pytest.approx(side) for seen, side in zip(view.mm, most, strict=True))


def test_how_fine_the_picture_is_is_said_once_for_all_lenses() -> None:
    drawn = WiringPage(load_settings(), (800.0, 600.0), 63.0, Texts("en")).drawing().svg()
    assert drawn.count("129") == 1
    assert "each of them sees 80 × 60 cm in 1640 × 1232 pixels" in drawn
    coarse = WiringPage(load_settings(), (1800.0, 600.0), 63.0, Texts("en")).drawing().svg()
    assert "too coarse" in coarse


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_names_every_pin_in_every_language(language: str) -> None:
    settings = load_settings()
    page = WiringPage(settings, (800.0, 600.0), 63.0, Texts(language))
    told = page.html()
    for button, gpio in settings.buttons.pins().items():
        assert f"<td>{button.upper()}</td><td>1</td><td>{GPIO_PINS[gpio]} (GPIO {gpio})</td>" in told
    assert "{" not in re.sub(r"<style>.*?</style>", "", told, flags=re.DOTALL)


def test_a_drawing_is_a_picture_and_replaces_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "wiring.png"
    assert main(["wiring", "--out", str(out)]) == 0
    assert out.read_bytes().startswith(b"\x89PNG")
    assert main(["wiring", "--out", str(out)]) == 1
    assert "is there already" in capsys.readouterr().err
    assert main(["wiring", "--out", str(tmp_path / "wiring.doc")]) == 1


def test_the_page_leads_phones_to_the_companion_where_an_address_is_named(tmp_path: Path) -> None:
    address = "http://companion.local:8055/"
    out = tmp_path / "wiring.html"
    assert main(["wiring", "--page", address, "--out", str(out)]) == 0
    assert address in out.read_text()
    bare = tmp_path / "bare.html"
    assert main(["wiring", "--out", str(bare)]) == 0
    codes = [svg for svg in re.findall(r"<svg[^>]*>", out.read_text()) if svg not in bare.read_text()]
    # The page stretches its drawings: without a view box the code stays small in the corner of a large white one.
    assert [("viewBox" in code, "width" in code) for code in codes] == [(True, False)]


@pytest.mark.parametrize("address", ["", "javascript:alert(1)", "http://" + "x" * 300, "http://a\x1b[2J"])
def test_what_is_no_address_is_refused(tmp_path: Path, address: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "wiring.html"
    with pytest.raises(SystemExit):
        main(["wiring", "--page", address, "--out", str(out)])
    assert "begins with http://" in capsys.readouterr().err
    assert not out.exists()
