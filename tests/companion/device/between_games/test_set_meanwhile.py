"""What somebody sets on a page counts, whatever is on the screen meanwhile, and is kept."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.device.between_games.aiming import Aiming
from companion.device.between_games.dice_table import DiceTable
from companion.device.between_games.lobby import Lobby
from companion.device.between_games.page_address import PageAddress
from companion.doctor.aiming_eyes import AimingEyes
from companion.games.events import Changed, Kept, Show, Tick
from companion.games.game import Handler
from companion.games.registry import games
from companion.games.settings import Change, Settings
from vision.cards import CARD_MM


@pytest.mark.parametrize(
    "room",
    [
        lambda settings: Lobby(settings, games()),
        DiceTable,
        lambda settings: Aiming(settings, AimingEyes(CARD_MM)),
        lambda settings: PageAddress(settings, lambda: ["table.local:8055"]),
    ],
    ids=["lobby", "dice", "aiming", "address"],
)
def test_it_is_kept_and_shown_at_once(room: Callable[[Settings], Handler]) -> None:
    handler = room(Settings())
    handler.handle(Tick(0.0))
    effects = handler.handle(Changed(Change("language", "de")))
    assert Kept(Settings(language="de")) in effects
    assert handler.settings.language == "de"
    assert any(isinstance(effect, Show) for effect in effects)
    # The size of what is shown is none of its words.
    effects = handler.handle(Changed(Change("large", value=True)))
    assert Kept(Settings(language="de", large=True)) in effects
    assert any(isinstance(effect, Show) for effect in effects)
