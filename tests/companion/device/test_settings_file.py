"""What people have set, over a restart."""

from pathlib import Path

import pytest

from companion.device.settings_file import SettingsFile
from companion.games.settings import Settings


def test_what_was_set_is_there_after_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "companion" / "settings.json"
    SettingsFile(file).keep(Settings(language="es", sounds=False))
    assert SettingsFile(file).settings == Settings(language="es", sounds=False)
    assert list(file.parent.iterdir()) == [file]


def test_a_language_that_nobody_speaks_here_is_the_machines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    file = tmp_path / "settings.json"
    file.write_text('{"language": "../en", "large": true}')
    assert SettingsFile(file).settings == Settings(language="de", large=True)


def test_where_people_play_is_kept_with_what_else_they_have_set(tmp_path: Path) -> None:
    file, told = tmp_path / "settings.json", Settings(place="Zum Bären", round="2", table="B")
    SettingsFile(file).keep(told)
    assert SettingsFile(file).settings.occasion.fields() == {"place": "Zum Bären", "round": "2", "table": "B"}


@pytest.mark.parametrize("words", ["x" * 41, "\\u001b[2J"])
def test_a_place_that_cannot_be_shown_is_none(tmp_path: Path, words: str) -> None:
    file = tmp_path / "settings.json"
    file.write_text(f'{{"place": "{words}"}}')
    kept = SettingsFile(file)
    assert kept.were_damaged
    assert kept.settings.place == ""
