"""``companion gallery`` as a person types it."""

from pathlib import Path

import pytest
from PIL import Image

from companion.commands.cli import main


@pytest.fixture(scope="module")
def screens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Those in German: to draw all of them takes seconds."""
    folder = tmp_path_factory.mktemp("gallery") / "screens"
    assert main(["gallery", str(folder), "--language", "de"]) == 0
    return folder


def test_writes_a_picture_of_every_screen_and_a_sheet(screens: Path) -> None:
    with Image.open(screens / "de" / "laid-two.png") as picture:
        assert picture.size == (128 * 6 + 48, 64 * 6 + 48)
    with Image.open(screens / "de.png") as sheet:
        assert sheet.width > 1000
    assert not (screens / "en.png").exists()


@pytest.mark.further
def test_large_type_looks_different(screens: Path, tmp_path: Path) -> None:
    assert main(["gallery", str(tmp_path / "large"), "--language", "de", "--large"]) == 0
    plain, large = ((folder / "de" / "lobby-loknroll-2.png").read_bytes() for folder in (screens, tmp_path / "large"))
    assert plain != large


def test_never_overwrites(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").touch()
    assert main(["gallery", str(tmp_path)]) == 1
    assert "not overwritten" in capsys.readouterr().err
