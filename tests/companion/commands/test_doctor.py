"""``companion doctor`` as it is called, on whatever machine this is."""

import json
import os
from pathlib import Path

import pytest

from companion.commands.cli import main
from companion.commands.doctor import tell
from companion.doctor.findings import bad, good, note
from companion.texts.language import LANGUAGES, Texts


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))


@pytest.fixture
def devices(tmp_path: Path) -> Path:
    """Nothing is connected, and nothing is wanted."""
    file = tmp_path / "devices.toml"
    buttons = "\n".join(f"{name} = 0" for name in ("roll", "pass", "up", "down", "back"))
    file.write_text(f'[display]\ncontroller = "none"\n[buttons]\n{buttons}\n[camera]\nkind = "none"\n')
    return file


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_part_has_a_line(devices: Path, capsys: pytest.CaptureFixture[str], language: str) -> None:
    main(["doctor", "--devices", str(devices), "--language", language])
    *lines, empty, verdict = capsys.readouterr().out.splitlines()
    assert len(lines) >= 10
    assert not empty
    assert verdict


def test_programs_read_it(devices: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["doctor", "--devices", str(devices), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told["good"] is (status == 0)
    assert {"camera", "pins", "screen", "disk"} <= {each["part"] for each in told["findings"]}
    assert all(each["says"] and each["code"] for each in told["findings"])


def test_the_status_says_whether_something_is_to_be_mended(capsys: pytest.CaptureFixture[str]) -> None:
    say = Texts("en")
    assert tell([good("power", "power"), note("power", "power-unknown")], say, as_json=False) == 0
    assert tell([good("power", "power"), bad("power", "power-low")], say, as_json=False) == 1
    assert "To be fixed: 1" in capsys.readouterr().out


def test_questions_need_a_terminal(
    devices: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        assert main(["doctor", "--try", "--devices", str(devices)]) == 1
    assert "terminal" in capsys.readouterr().err


def test_there_is_nothing_to_focus_without_a_camera(devices: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--focus", "--devices", str(devices), "--language", "en"]) == 1
    assert "no camera" in capsys.readouterr().err
