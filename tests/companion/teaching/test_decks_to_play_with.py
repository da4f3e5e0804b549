"""Which cards a game is played with: the people's own once they are taught, or the printed ones."""

from __future__ import annotations

import errno
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from companion.commands.shared.virtual_table import without_pins
from companion.device.last_game import Order
from companion.device.settings_file import SettingsFile
from companion.device.virtual_device import VirtualDevice
from companion.games.loknroll.rules import Mode
from companion.games.registry import games
from companion.teaching.own_deck import OwnDeck
from tests.companion.device.running import choose, read, running
from tests.companion.device.test_from_game_to_game import recorded
from tests.companion.web.browsers import wait_until
from vision.cards import Deck, standard_deck
from vision.deck_pictures import DeckPictures
from vision.files import deck_archive

TWO = Order("loknroll", Mode.TWO.value)
PRINTED = standard_deck("standard-55")
OWN = replace(PRINTED, name="own", faces=tuple(replace(face, id=f"own-{face.id}") for face in PRINTED.faces))


def taught(folder: Path, deck: Deck = OWN) -> None:
    """A deck has been taught before."""
    picture = cv2.imencode(".png", np.full((176, 126, 3), 90, np.uint8))[1].tobytes()
    (folder / "deck.zip").write_bytes(deck_archive(deck, {face.id: picture for face in deck.faces}))


def names(deck: Deck) -> set[str]:
    return {face.id for face in deck.faces}


def test_a_new_game_is_played_with_the_own_deck(tmp_path: Path) -> None:
    taught(tmp_path)
    with running(tmp_path, TWO, has_camera=False) as device:
        wait_until(lambda: device.play is not None)
        assert device.play is not None
        assert names(device.play.deck) == names(OWN)
        assert device.pictures is not None
        assert names(device.pictures.deck) == names(OWN)


def test_the_list_changes_between_the_own_deck_and_the_printed_one(tmp_path: Path) -> None:
    taught(tmp_path)
    with running(tmp_path, has_camera=False) as device:
        choose(device, "Cards: my own", "Cards: home-printed")
        assert not SettingsFile(tmp_path / "settings.json").settings.own_deck
        choose(device, device.session.offers("en")[0].title, "")
        wait_until(lambda: device.play is not None)
        assert device.play is not None
        assert names(device.play.deck) == names(PRINTED)


def test_without_an_own_deck_there_is_nothing_to_choose(tmp_path: Path) -> None:
    with running(tmp_path, has_camera=False) as device:
        wait_until(lambda: device.screen.choices != ())
        assert "Cards" not in read(device)


def test_a_game_that_was_begun_with_other_cards_goes_on_with_them(tmp_path: Path) -> None:
    recorded(tmp_path / "game.jsonl", Mode.TWO, [])
    taught(tmp_path)
    with running(tmp_path, has_camera=False) as device:
        wait_until(lambda: device.play is not None)
        assert device.pictures is not None
        assert names(device.pictures.deck) == names(PRINTED)


def test_a_game_of_the_own_deck_goes_on_with_it_when_the_printed_one_is_chosen(tmp_path: Path) -> None:
    taught(tmp_path)
    with running(tmp_path, TWO, has_camera=False) as device:
        wait_until(lambda: device.play is not None)
    kept = SettingsFile(tmp_path / "settings.json")
    kept.keep(replace(kept.settings, own_deck=False))
    with running(tmp_path, has_camera=False) as device:
        wait_until(lambda: device.play is not None)
        assert device.pictures is not None
        assert names(device.pictures.deck) == names(OWN)


def test_a_damaged_deck_is_told_and_the_printed_one_is_there(tmp_path: Path) -> None:
    (tmp_path / "deck.zip").write_bytes(b"PK no deck")
    with running(tmp_path, has_camera=False) as device:
        wait_until(lambda: "Your deck cannot be read" in read(device))
        assert "Cards" not in read(device)


def test_a_deck_that_cannot_be_read_just_now_is_not_put_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taught(tmp_path)

    def fails(*_: object) -> bytes:
        raise OSError(errno.EIO, "the card does not answer")

    with monkeypatch.context() as patched:
        patched.setattr("os.read", fails)
        assert OwnDeck(tmp_path / "deck.zip").was_damaged
    own = OwnDeck(tmp_path / "deck.zip")
    assert not own.was_damaged
    assert own.pictures is not None


def test_a_deck_that_was_measured_anew_is_the_same_for_a_game_that_goes_on(tmp_path: Path) -> None:
    taught(tmp_path)
    with running(tmp_path, TWO, has_camera=False) as device:
        wait_until(lambda: device.play is not None)
    ports = {face.id: tuple(replace(port, offset_mm=port.offset_mm + 0.3) for port in face.ports) for face in OWN.faces}
    taught(tmp_path, replace(OWN, faces=tuple(replace(face, ports=ports[face.id]) for face in OWN.faces)))
    with running(tmp_path, has_camera=False) as device:
        wait_until(lambda: device.play is not None)
        assert device.pictures is not None
        assert names(device.pictures.deck) == names(OWN)


@pytest.mark.parametrize("is_given", [False, True])
def test_a_deck_is_taught_only_where_games_are_then_played_with_it(tmp_path: Path, *, is_given: bool) -> None:
    picture = np.full((176, 126, 3), 90, np.uint8)
    cards = DeckPictures(OWN, {face.id: picture for face in OWN.faces})
    device = VirtualDevice(without_pins(), tmp_path, games(), cards if is_given else None, strange=cards)
    thread = threading.Thread(target=device.run, daemon=True)
    thread.start()
    try:
        wait_until(lambda: device.screen.choices != ())
        assert ("Teach my cards" in device.screen.choices) is not is_given
    finally:
        device.stop()
        thread.join(20)
