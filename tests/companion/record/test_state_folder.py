"""Where things are kept."""

from pathlib import Path

import pytest

from companion.record.state_folder import state_folder


def test_the_service_keeps_things_in_its_own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    assert state_folder() == tmp_path / "companion"
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/companion")
    assert state_folder() == Path("/var/lib/companion")
