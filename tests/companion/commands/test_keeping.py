"""``companion backup`` and ``companion restore`` as a person types them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.commands.cli import main
from companion.commands.run import BEGINS_ANEW, SWITCHED_OFF
from companion.commands.shared.virtual_table import kept_folder
from companion.device.between_games.keeping.loading import load
from companion.device.session import Session
from companion.device.settings_file import SettingsFile
from companion.games.registry import games
from hardware.buttons import VirtualButtons
from hardware.devices import Devices
from hardware.display import VirtualDisplay
from hardware.lights import VirtualLights
from tests.companion.device.between_games.keeping.whole_companion import DEVICES, all_in, made

WITHOUT_PINS = "roll = 0\npass = 0\nup = 0\ndown = 0\nback = 0\n"


def test_saved_loaded_and_taken_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, other = made(tmp_path / "old"), made(tmp_path / "other")
    (tmp_path / "devices.toml").write_bytes(DEVICES)
    (other / "game.jsonl").unlink()
    file = str(tmp_path / "saved.zip")
    assert main(["backup", file, "--state", str(old), "--devices", str(tmp_path / "devices.toml")]) == 0
    assert main(["backup", file, "--state", str(old)]) == 1
    assert "is not overwritten" in capsys.readouterr().err
    assert main(["restore", file, "--state", str(other)]) == 0
    assert "next start" in capsys.readouterr().out
    assert not (other / "game.jsonl").exists()
    assert main(["restore", "--back", "--state", str(other)]) == 1
    assert "Nothing was loaded here" in capsys.readouterr().err


def test_who_saves_is_told_what_is_damaged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = made(tmp_path / "old")
    data = (old / "deck.zip").read_bytes()
    (old / "deck.zip").write_bytes(data.replace(b"IDAT", b"IDAU"))
    assert main(["backup", str(tmp_path / "saved.zip"), "--state", str(old)]) == 0
    assert capsys.readouterr().err == f"Not in it, as it is damaged: {old / 'deck.zip'}\n"


def test_what_cannot_be_loaded_or_saved_is_told_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "no.zip").write_bytes(b"no ZIP")
    for words, why in (
        (["restore", str(tmp_path / "no.zip")], "not a backup"),
        (["backup", str(tmp_path / "x.zip")], "nothing to back up"),
    ):
        assert main([*words, "--state", str(tmp_path / "state")]) == 1
        told = capsys.readouterr().err
        assert told.count("\n") == 1
        assert why in told
    assert not (tmp_path / "x.zip").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_nothing_is_loaded_that_the_service_could_not_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.chown(made(tmp_path / "state"), 65534, 65534)
    assert main(["restore", "x.zip", "--state", str(tmp_path / "state")]) == 1
    assert "sudo -u companion" in capsys.readouterr().err


def test_a_session_that_is_to_begin_anew_ends_and_says_so(tmp_path: Path) -> None:
    devices = Devices(VirtualDisplay(), VirtualButtons(), VirtualLights(), None, ())
    session = Session(devices, SettingsFile(tmp_path / "settings.json"), tmp_path, games())
    session.begin_anew()
    assert not session.run()
    assert session.begins_anew


def test_the_program_puts_in_place_what_was_loaded_before_it_reads_anything(tmp_path: Path) -> None:
    state, file = tmp_path / "state", tmp_path / "saved.zip"
    devices = tmp_path / "devices.toml"
    devices.write_text(f'[display]\ncontroller = "none"\n[camera]\nkind = "none"\n[buttons]\n{WITHOUT_PINS}')
    assert main(["backup", str(file), "--state", str(made(tmp_path / "old"))]) == 0
    load(file, state)
    ends = "from companion.device.session import Session; Session.run = lambda self: self.begin_anew() or False; "
    script = f"import sys; {ends}from companion.commands.cli import main; sys.exit(main(sys.argv[1:]))"
    words = [sys.executable, "-c", script, "run", "--devices", str(devices)]
    service = {"STATE_DIRECTORY": str(state), "NOTIFY_SOCKET": str(tmp_path / "nobody")}
    program = subprocess.run(words, env=os.environ | service, check=False)
    assert program.returncode == BEGINS_ANEW
    shutil.rmtree(state / "before-loading")
    assert all_in(state) == all_in(tmp_path / "old")


def test_what_was_loaded_for_a_virtual_table_is_there_when_it_is_laid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    file = tmp_path / "saved.zip"
    assert main(["backup", str(file), "--state", str(made(tmp_path / "old"))]) == 0
    load(file, tmp_path / "virtual")
    with kept_folder() as folder:
        assert (folder / "game.jsonl").read_bytes() == (tmp_path / "old/game.jsonl").read_bytes()


def test_by_hand_it_starts_again_itself_with_what_was_loaded(tmp_path: Path) -> None:
    state = made(tmp_path / "state")
    devices = tmp_path / "devices.toml"
    devices.write_text(f'[display]\ncontroller = "none"\n[camera]\nkind = "none"\n[buttons]\n{WITHOUT_PINS}')
    # Somebody loads something, and then switches it off with its buttons.
    ends = (
        "from companion.device.session import Session; from pathlib import Path; note = Path(sys.argv.pop(1)); "
        "Session.run = lambda self: note.exists() or (note.touch(), self.begin_anew()) and False; "
    )
    script = f"import sys; {ends}from companion.commands.cli import main; sys.exit(main(sys.argv[1:]))"
    words = [sys.executable, "-c", script, str(tmp_path / "note"), "run", "--page", "off", "--devices", str(devices)]
    environment = {name: value for name, value in os.environ.items() if name != "NOTIFY_SOCKET"}
    program = subprocess.run(
        words, env=environment | {"STATE_DIRECTORY": str(state)}, capture_output=True, text=True, check=False
    )
    assert (program.returncode, program.stdout) == (SWITCHED_OFF, "Starting again with what was loaded.\n")
