"""The folder of a companion as an earlier version left it: settings, solo scores, a game in the midst of something."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from msgspec.structs import replace

from companion.device.last_game import Order
from companion.device.session import Session
from companion.device.settings_file import SettingsFile
from companion.games.events import Pressed
from companion.games.game import Play
from companion.games.loknroll.game import GAME
from companion.games.loknroll.play.notes import Notes
from companion.games.loknroll.play.recorded_play import RecordedPlay
from companion.games.loknroll.record.solo_scores import solo_scores_in
from companion.games.loknroll.rules import load_edition
from companion.games.loknroll.settings import OwnSettings, own
from companion.games.recorded_game import Keep
from companion.games.settings import Settings
from companion.record.file import read_record
from hardware.buttons import Button
from hardware.devices import Devices, open_devices
from hardware.display.oled_memory import OledMemory
from hardware.settings import load_settings

RECORDS: Final = Path(__file__).parents[1] / "records" / "loknroll"
FACTS: Final[dict[str, Any]] = json.loads((RECORDS / "facts.json").read_text("utf-8"))
SET: Final = Settings("es", large=True, sounds=False, has_camera=False, names=("Zoë", "", "Ñandú O'Neil", "4"))
OWN: Final = OwnSettings(real_dice=True, people_place=True, puts_by_itself=True, edition="loose_caboose")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return shutil.copytree(RECORDS / "left", tmp_path / "state")


@pytest.fixture
def devices(tmp_path: Path) -> Iterator[Devices]:
    file = tmp_path / "devices.toml"
    file.write_text('[camera]\nkind = "none"\n')
    opened = open_devices(load_settings(file), bus=OledMemory("ssd1306"), pins=MockFactory(pin_class=MockPWMPin))
    yield opened
    opened.close()


class Evening:
    """A session in a folder that is switched on and, a moment later, stopped."""

    def __init__(self, folder: Path, devices: Devices) -> None:
        self.plays: list[tuple[RecordedPlay, object]] = []
        """The games that it began or went on with, and how each stood then."""
        kept = SettingsFile(folder / "settings.json")
        self.session = Session(devices, kept, folder, (GAME,), began=self._began, on_turn=self._stop, source=Random(1))
        assert not self.session.run()

    def _began(self, _: object, play: Play) -> None:
        assert isinstance(play, RecordedPlay)
        self.plays.append((play, play.facts()))

    def _stop(self) -> None:
        self.session.stop()


def test_all_that_was_set_is_read(folder: Path) -> None:
    settings = SettingsFile(folder / "settings.json").settings
    assert replace(settings, games={}) == SET
    assert own(settings) == OWN


def test_all_that_was_set_stays_so_when_something_else_is_changed(folder: Path) -> None:
    kept = SettingsFile(folder / "settings.json")
    kept.keep(replace(kept.settings, language="de"))
    settings = SettingsFile(folder / "settings.json").settings
    assert replace(settings, games={}) == replace(SET, language="de")
    assert own(settings) == OWN


def test_solo_scores_are_read_and_the_curve_goes_on(folder: Path) -> None:
    scores, german = solo_scores_in(folder), load_edition("german").title
    assert [score.points for score in scores.past(("Zoë", german, "solo"))] == [27, 24, 19, 91]
    assert [score.is_lost for score in scores.past(("", german, "solo-hard"))] == [True, False]
    assert [score.game for score in scores.past(("Ben", load_edition("spanish").title, "solo"))] == [""]


def test_a_result_that_was_not_kept_yet_is_kept_once(folder: Path, devices: Devices) -> None:
    copied("played/online-solo-hard-list-finished", folder)
    for _ in range(2):
        assert Evening(folder, devices).plays == []
        (score,) = solo_scores_in(folder).past(("Zoë", load_edition("online").title, "solo-hard"))
        assert score.is_lost


@pytest.mark.parametrize("name", ["left/game", "noted/hand", "noted/redo", "taken-back/unfinished", "torn/zeros"])
def test_switched_on_it_goes_on_with_the_game_that_was_left(name: str, folder: Path, devices: Devices) -> None:
    copied(name, folder)
    facts, evening = FACTS[f"{name}.jsonl"], Evening(folder, devices)
    ((play, stood),) = evening.plays
    assert stood == facts
    assert evening.session.left() == Order("loknroll", facts["mode"])
    assert (play.settings.language, own(play.settings)) == (SET.language, OWN)


def test_a_hand_half_shown_is_shown_to_its_end(folder: Path) -> None:
    with taken_up(copied("noted/hand", folder)) as play:
        assert play.controller.desk.hand == ("track-1-right",)


def test_a_correction_that_was_cut_off_is_finished_once(folder: Path) -> None:
    record = copied("noted/redo", folder)
    begun = len(read_record(record).lines)
    for _ in range(2):
        with taken_up(record) as play:
            assert play.controller.desk.notes.read() == Notes()
        assert len(read_record(record).lines) == begun + 3


def test_dice_that_were_taken_back_fall_again(folder: Path) -> None:
    record = copied("taken-back/unfinished", folder)
    known = read_record(record).lines
    with taken_up(record) as play:
        play.handle(Pressed(Button.ROLL))
    *_, roll, _, _, back = known
    assert (back["step"], back["count"]) == ("take-back", 3)
    assert read_record(record).lines[len(known)] == roll


def copied(name: str, folder: Path) -> Path:
    """The record of the game that was left in a folder: another one now, with its notes if it has any."""
    for path in (RECORDS / name).parent.glob(f"{Path(name).name}.*"):
        shutil.copy(path, (folder / "game").with_suffix(path.suffix))
    return folder / "game.jsonl"


@contextmanager
def taken_up(record: Path) -> Iterator[RecordedPlay]:
    """A recorded game that goes on."""
    play = GAME.resume(Keep(record, record.parent), SET, Random(1))
    assert isinstance(play, RecordedPlay)
    yield play
    play.close()
