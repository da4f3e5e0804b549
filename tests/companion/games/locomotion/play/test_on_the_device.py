"""Locomotion on a device: what is set up has no record yet, and is come back to."""

import shutil
from pathlib import Path

from companion.device.last_game import Order
from companion.device.settings_file import SettingsFile
from companion.device.table_file import TableFile
from companion.games.locomotion.settings import AS_IT_LIES
from companion.virtual.things import Place
from hardware.buttons import Button
from tests.companion.device.running import choose, press, running
from tests.companion.games.locomotion.play.people_at_table import settings_of
from tests.companion.web.browsers import wait_until
from vision.cards import Pose


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


def test_pieces_on_a_virtual_table_lie_where_they_lay_after_a_power_cut_before_the_game(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    SettingsFile(before / "settings.json").keep(settings_of(network=AS_IT_LIES))
    with running(before, Order("locomotion", "die"), has_camera=False) as device:
        wait_until(lambda: device.play is not None and device.screen.heading == "Set-up")
        world = device.world
        for at in range(3):
            world.place_card(world.cards(Place.AWAY)[-1].number, Pose(300 + 54 * at, 300))
        world.place_figure(world.figures[0].number, Pose(300, 300, 90))
        kept = TableFile(before / "table.json", before / "game.jsonl")
        deck, looks = device.pictures.deck, device.pictures.figures
        wait_until(lambda: kept.read(deck, looks) == world.snapshot(), what="the table is not kept")
        shutil.copytree(before, after)  # what a killed program leaves behind
        things = world.snapshot()
        device.press(Button.ROLL)
        wait_until(lambda: device.play is not None and device.play.is_set_up)
        wait_until(lambda: kept.read(deck, looks) == world.snapshot(), what="it is not that of the game then")
    with running(after, has_camera=False) as device:
        assert device.screen.heading == "Set-up"
        assert device.world.snapshot() == things
        wait_until(lambda: device.screen.map is not None, what="no network is drawn")
        press(device, Button.UP, "Info")
        choose(device, "Settings", "New game")
        choose(device, "New game", "Continue the game")
        choose(device, "Continue the game", "")
        wait_until(lambda: device.screen.heading == "Set-up")
        assert device.world.snapshot() == things
        # Another game begins with everything beside the table.
        device.begin(Order("locomotion", "die"))
        wait_until(lambda: device.world.snapshot() != things)
        assert device.world.cards(Place.TABLE) == []
