"""The folder of the games at a virtual table."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.commands.shared.errors import CommandError
from companion.commands.shared.virtual_table import add_arguments, kept_folder, laid_table
from companion.device.last_game import Order
from companion.device.session import Session
from companion.device.settings_file import SettingsFile
from companion.games.settings import Settings, player_names


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    return tmp_path


def test_one_virtual_table_at_a_time() -> None:
    with kept_folder() as folder:
        assert folder.is_dir()
        with pytest.raises(CommandError, match="open already"), kept_folder():
            pass
    with kept_folder():
        pass


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir], ids=["pipe", "folder"])
def test_where_no_game_can_be_kept_it_is_said_at_once(state: Path, make: Callable[[Path], None]) -> None:
    (state / "virtual").mkdir()
    make(state / "virtual" / ".lock")
    with pytest.raises(CommandError, match="no game can be kept there"), kept_folder():
        pass


def test_a_file_in_place_of_the_folder_is_said(state: Path) -> None:
    (state / "virtual").touch()
    with pytest.raises(CommandError, match="no game can be kept there"), kept_folder():
        pass


def test_nobody_has_a_name_that_nobody_gave(state: Path) -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    device = laid_table(parser.parse_args(["--mode", "2", "--seed", "7"]), state)
    assert player_names(device.kept.settings, 2) == ("Player 1", "Player 2")


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [([], ("locomotion", "speed")), (["--new"], ("locomotion", "speed")), (["--mode", "2"], ("loknroll", "2"))],
    ids=" ".join,
)
def test_what_was_played_last_is_played_again_unless_another_game_is_asked_for(
    state: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], wanted: tuple[str, str]
) -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    SettingsFile(state / "settings.json").keep(
        Settings().with_begun("loknroll", "solo").with_begun("locomotion", "speed")
    )
    ordered: list[Order] = []
    monkeypatch.setattr(Session, "order", lambda _, order: ordered.append(order))
    laid_table(parser.parse_args(arguments), state)
    assert ordered == [Order(*wanted)]


@pytest.mark.parametrize(("left", "is_new"), [("loknroll", False), ("rising", True)])
def test_a_game_goes_on_only_if_it_is_the_one_that_was_asked_for(
    state: Path, monkeypatch: pytest.MonkeyPatch, left: str, *, is_new: bool
) -> None:
    """Kinds of two games may have the same name."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    monkeypatch.setattr(Session, "left", lambda _: Order(left, "solo"))
    device = laid_table(parser.parse_args(["--mode", "solo"]), state)
    assert device.session.is_ordered == is_new
