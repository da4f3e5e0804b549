"""Aiming the camera from the list: what the eyes want is shown, and the buttons answer it."""

from typing import cast

import numpy as np
import pytest

from companion.device.between_games.aiming import Aiming
from companion.device.between_games.lobby import Lobby
from companion.doctor.aiming_eyes import AimingEyes, Judged
from companion.doctor.hints import Hint
from companion.games.events import Fault, Leave, Pressed, Restored, Show, Sound, Tick
from companion.games.registry import games
from companion.games.settings import Settings
from hardware.buttons import Button
from tests.companion.doctor.reading_person import Person
from vision.cards import CARD_MM
from vision.deck_pictures import DeckPictures


class ToldEyes(AimingEyes):
    """Eyes that want what they are told to want."""

    def want(self, hint: Hint) -> None:
        nothing = np.zeros((8, 8, 3), np.uint8)
        self.judged = cast("Judged", Judged(nothing, hint, None, None))  # type: ignore[arg-type]


def test_the_list_has_a_line_for_it_where_there_is_a_camera() -> None:
    lobby = Lobby(Settings(), games(), can_aim=True)
    for _ in range(lobby.entries.index("aim")):
        lobby.handle(Pressed(Button.DOWN))
    assert lobby.handle(Pressed(Button.ROLL)) == [Leave("aim")]
    assert "aim" not in Lobby(Settings(), games()).entries


def test_one_thing_is_said_and_roll_leaves_it_or_ends() -> None:
    eyes = ToldEyes(CARD_MM)
    aiming = Aiming(Settings(), eyes)
    eyes.want(Hint("beside", "left"))
    (shown,) = aiming.handle(Tick(0.0))
    assert isinstance(shown, Show)
    assert (shown.screen.main, shown.screen.keys[0]) == ("Further left", "")
    eyes.want(Hint("focus", turn="unknown"))
    aiming.handle(Tick(0.1))
    assert aiming.screen().keys[0] == "skip"
    aiming.handle(Pressed(Button.ROLL))
    assert eyes._accepted == {"focus"}
    eyes.want(Hint("well"))
    assert Sound("right") in aiming.handle(Tick(0.2))
    assert aiming.handle(Pressed(Button.ROLL)) == [Leave("lobby")]


def test_without_pictures_no_old_word_is_said() -> None:
    eyes = ToldEyes(CARD_MM)
    aiming = Aiming(Settings(), eyes)
    eyes.want(Hint("low"))
    aiming.handle(Tick(0.0))
    aiming.handle(Fault("camera", "away"))
    assert (aiming.screen().main, aiming.screen().lines) == ("Looking ...", ("No picture: check the cable.",))
    aiming.handle(Restored("camera"))
    assert aiming.screen().main == "Higher"
    aiming.handle(Fault("dark"))
    assert aiming.screen().main == "Too dark"
    assert aiming.handle(Pressed(Button.BACK)) == [Leave("lobby")]


@pytest.mark.further
@pytest.mark.parametrize("seed", range(100, 106))
def test_who_only_reads_the_words_ends_sharp_and_well_aimed(seed: int, coarse_own: DeckPictures) -> None:
    ended = Person(seed, coarse_own).aim()
    assert ended.wrong == [], ended.said
