"""Locomotion on a device: what is set up has no record yet, and is come back to."""

from pathlib import Path

from companion.device.last_game import Order
from companion.device.settings_file import SettingsFile
from hardware.buttons import Button
from tests.companion.device.running import choose, press, running
from tests.companion.games.locomotion.play.people_at_table import settings_of
from tests.companion.web.browsers import wait_until


def test_who_leaves_the_set_up_for_the_dice_comes_back_to_it(tmp_path: Path) -> None:
    SettingsFile(tmp_path / "settings.json").keep(settings_of())
    with running(tmp_path, Order("locomotion", "die"), has_camera=False) as device:
        wait_until(lambda: device.screen.heading == "Set-up")
        press(device, Button.UP, "Info")
        choose(device, "Settings", "Dice box")
        choose(device, "Dice box", "")
        wait_until(lambda: device.screen.keys[0] == "roll", seconds=5)
        device.press(Button.BACK)
        wait_until(lambda: device.screen.heading == "Set-up", what=str(device.screen), seconds=5)
        assert not device.session.record.exists()
        device.press(Button.ROLL)
        wait_until(lambda: device.play is not None and device.play.is_set_up)
        assert device.session.record.exists()
