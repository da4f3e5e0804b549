"""What stays from game to game at the virtual table: cards in hands, what people have set, and solo results."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.device.last_game import Order
from companion.device.settings_file import SettingsFile
from companion.device.table_file import TableFile
from companion.device.virtual_device import VirtualDevice
from companion.games.loknroll.gallery.rehearsal import dealt
from companion.games.loknroll.play.dialogs.choosing import BUTTONS
from companion.games.loknroll.record.recorded_game import start_recorded
from companion.games.loknroll.rules import AnyStep, Edition, LayOpen, Mode, State, load_edition, set_up
from companion.games.settings import Settings
from companion.virtual.things import Place
from hardware.buttons import Button
from tests.companion.device.running import choose, press, read, running
from tests.companion.device.whole_games import PERSONS, controller_of
from tests.companion.web.browsers import wait_until
from vision.cards import Pose, standard_deck

SOLO = Order("loknroll", "solo")


def recorded(record: Path, mode: Mode, steps: Sequence[AnyStep]) -> State:
    """Records a game that stands after these steps."""
    edition = load_edition()
    game, journal = start_recorded(record, set_up(edition, standard_deck(edition.deck), mode, PERSONS[: mode.persons]))
    for step in steps:
        game.do(step)
    journal.close()
    return game.state


def test_killed_it_goes_on_with_the_same_cards_in_the_same_hands(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    before.mkdir()
    state = recorded(before / "game.jsonl", Mode.TWO, dealt(Mode.TWO, 1).steps[:40])
    with running(before, seed=3, has_camera=False) as device:
        world = device.world
        assert [len(world.cards(Place.HAND, owner)) for owner in range(2)] == [each.hand for each in state.players]
        world.place_card(world.draw(1), Pose(700, 500, 20))
        world.draw(0)
        kept = TableFile(before / "table.json", before / "game.jsonl")
        wait_until(lambda: kept.read(state.setup.deck) == world.snapshot(), what="the table is not kept")
        shutil.copytree(before, after)  # what a killed program leaves behind
        things = world.snapshot()
    with running(after, seed=4, has_camera=False) as device:
        assert device.world.snapshot() == things


def edition_of(device: VirtualDevice) -> Edition:
    return controller_of(device).game.state.setup.edition


def leave(device: VirtualDevice) -> None:
    """Leaves the game for the list of games, by the buttons."""
    press(device, Button.UP, "Settings")
    choose(device, "Settings", "Switch off")
    choose(device, "New game", "Continue the game")


def test_what_people_set_stays_from_game_to_game(tmp_path: Path) -> None:
    with running(tmp_path, has_camera=False) as device:
        choose(device, "Rules: German", "Rules: Loose Caboose")
        choose(device, "Rules: Loose Caboose", "Rules: online")
        choose(device, "Rules: online", "Rules: Spanish")
        choose(device, "Large type: no", "Large type: yes")
        choose(device, "Against Laura", "Set-up")
        assert edition_of(device) == load_edition("spanish")
        leave(device)
        assert {"Rules: Spanish", "Large type: yes"} <= set(device.screen.choices)
        choose(device, "Two players", "Set-up")
        assert edition_of(device) == load_edition("spanish")
    with running(tmp_path, has_camera=False) as device:
        assert edition_of(device) == load_edition("spanish")
        device.begin(SOLO)
        wait_until(lambda: device.play is not None and device.play.kind == "solo")
        assert edition_of(device) == load_edition("spanish")
        assert controller_of(device).settings.large
        assert device.kept.settings.begun == (("loknroll", "solo"),)


@pytest.mark.parametrize("robot_helps", [False, True])
def test_the_result_of_a_persons_solo_game_is_on_the_next_curve_and_no_robots(
    tmp_path: Path, robot_helps: bool
) -> None:
    *steps, last = dealt(Mode.SOLO, 5).steps
    assert isinstance(last, LayOpen)
    recorded(tmp_path / "game.jsonl", Mode.SOLO, steps)
    SettingsFile(tmp_path / "settings.json").keep(Settings(names=PERSONS))
    with running(tmp_path, has_camera=False) as device:
        if robot_helps:
            device.let_robot_play("natural")
            wait_until(lambda: device.robot is not None)
            device.let_robot_play("off")
        for number in range(len(last.faces)):  # four values of a first shape, then a second one
            wait_until(lambda number=number: f"Show card {number + 1} of" in read(device))
            press(device, Button.ROLL, "Value?")
            press(device, BUTTONS[number % 4], "Which ")
            device.press(BUTTONS[number // 4])
        wait_until(lambda: device.play.is_over)
        (points,) = device.play.facts()["points"]
        wait_until(lambda points=points: device.screen.curve == (points,))
        press(device, Button.ROLL, "Solo")
        choose(device, "Solo", "Set-up")
        assert controller_of(device).desk.curve == (() if robot_helps else (points,))
