"""``companion gallery`` as a person types it; what it writes is seen where the README's commands run."""

from pathlib import Path

import pytest

from companion.commands.cli import main


@pytest.mark.further
def test_large_type_looks_different(tmp_path: Path) -> None:
    assert main(["gallery", str(tmp_path / "plain"), "--language", "de"]) == 0
    assert main(["gallery", str(tmp_path / "large"), "--language", "de", "--large"]) == 0
    plain, large = ((tmp_path / folder / "de/lobby-loknroll-2.png").read_bytes() for folder in ("plain", "large"))
    assert plain != large


def test_never_overwrites(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").touch()
    assert main(["gallery", str(tmp_path)]) == 1
    assert "not overwritten" in capsys.readouterr().err
