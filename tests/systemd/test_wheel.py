"""The wheel that `make dist` and the script that installs build: all that runs has to be in it."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final
from zipfile import ZipFile

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("companion", "vision", "hardware")
COMMAND: Final = (sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "-q")
ALONE: Final = ("--no-index", "--no-deps", "--no-build-isolation")


def test_it_has_every_file_that_lies_beside_the_code(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    left_out = shutil.ignore_patterns("__pycache__", "build", "*.egg-info")
    for folder in (*PACKAGES, "systemd"):
        shutil.copytree(ROOT / folder, checkout / folder, ignore=left_out)
    for file in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, checkout)

    subprocess.run([*COMMAND, *ALONE, "-w", tmp_path, checkout], check=True, timeout=300)

    (wheel,) = tmp_path.glob("*.whl")
    wanted = {
        file.relative_to(checkout).as_posix()
        for package in PACKAGES
        for file in (checkout / package).rglob("*")
        if file.is_file()
    }
    assert wanted - set(ZipFile(wheel).namelist()) == set()
