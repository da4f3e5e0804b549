"""``companion gallery`` as a person types it."""

from pathlib import Path

import pytest
from PIL import Image

from companion.commands.cli import main


def test_writes_a_picture_of_every_screen_and_a_sheet(tmp_path: Path) -> None:
    assert main(["gallery", str(tmp_path / "screens"), "--language", "de"]) == 0
    with Image.open(tmp_path / "screens" / "de" / "laid-two.png") as picture:
        assert picture.size == (128 * 6 + 48, 64 * 6 + 48)
    with Image.open(tmp_path / "screens" / "de.png") as sheet:
        assert sheet.width > 1000
    assert not (tmp_path / "screens" / "en.png").exists()


def test_large_type_looks_different(tmp_path: Path) -> None:
    for name, words in (("plain", []), ("large", ["--large"])):
        assert main(["gallery", str(tmp_path / name), "--language", "en", *words]) == 0
    plain, large = ((tmp_path / name / "en" / "lobby-2.png").read_bytes() for name in ("plain", "large"))
    assert plain != large


def test_never_overwrites(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").touch()
    assert main(["gallery", str(tmp_path)]) == 1
    assert "not overwritten" in capsys.readouterr().err
