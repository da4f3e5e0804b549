"""What the pages promise is what happens."""

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Final

import cv2
import msgspec
import numpy as np
import pytest
from PIL import Image

from companion.games.drawing.raster import rasterized
from companion.games.loknroll.artwork.card import face_svg
from vision.cards import Deck, decode_deck, standard_deck

ROOT: Final = Path(__file__).parents[1]
README: Final = (ROOT / "README.md").read_text()
PAGES: Final = sorted(ROOT.glob("docs/*.md"))
COMMANDS: Final = re.findall(r"^\.venv/bin/companion (.+)$", README, re.MULTILINE)
MOST_WORDS: Final = 30
MAP_LINES: Final = 14

QUICKER: Final = {
    "simulate": "--games 8",
    "deck print": "--deck five.json",
    "deck faces": "--deck game.json --px-per-mm 4",
    "deck scene": "--deck faces --tables 2 --size 820x616 --difficulty easy",
    "gallery": "--language en",
    "web": "--no-browser",
}
"""What makes a command quick: it stands behind what the README says, and so instead of it."""
STATUS: Final = {"doctor": {1}, "table": {130}, "run": {0, 130}, "web": {0, 130}}
"""Of commands that need not end with 0: here are no pins, and who is stopped while it begins says so with 130."""
UNTIL_STOPPED: Final = {"web": "http://127.0.0.1", "table": "Player 1", "run": "I²C"}
"""Commands that go on until they are stopped, and a word of theirs once they have come up."""
OUTPUTS: Final = {"--out", "--record"}


def section(title: str) -> str:
    return re.split(r"^## ", README.split(f"## {title}\n")[1], maxsplit=1, flags=re.MULTILINE)[0]


def sentences(text: str) -> Iterator[str]:
    """The sentences of a page; those of a list too, but no tables and no code."""
    prose = re.sub(r"^```.*?^```$|^\|.*$", "\n\n", text, flags=re.DOTALL | re.MULTILINE)
    prose = re.sub(r"\]\([^)]*\)", "]", prose)
    prose = re.sub(r"`[^`\n]*`", "CODE", prose)
    for paragraph in re.split(r"\n\s*\n|\n(?=[-#]|\d+\. )", prose):
        yield from re.split(r"(?<=[.!?:;])\s+(?=[A-Z])", paragraph)


def paths(text: str) -> set[str]:
    """The paths that a page names: in links, and as code with a slash in it."""
    links = {link for link in re.findall(r"\]\(([^)#]+)", text) if "://" not in link}
    return links | set(re.findall(r"`(\w[\w.-]*/[\w./-]*)`", text))


def test_the_readmes_code_runs_and_prints_what_it_says() -> None:
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL)[1]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == re.findall(r"print\(.*\)  # (.*)", code)


def test_the_readmes_targets_exist() -> None:
    targets = set(re.findall(r"`?make ([a-z-]+)", README))
    makefile = (ROOT / "Makefile").read_text()
    assert targets
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)


def test_the_map_is_short_and_leads_three_walks() -> None:
    lines = [line for line in section("Where things are").splitlines() if line.strip()]
    assert len(lines) <= MAP_LINES
    assert len([line for line in lines if "→" in line]) == 3


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.name)
def test_every_path_that_is_named_exists(page: Path) -> None:
    named = paths(page.read_text())
    folders = (ROOT, page.parent, ROOT / "companion/games/loknroll")
    assert {name for name in named if not any((folder / name).exists() for folder in folders)} == set()


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.name)
def test_no_sentence_is_long(page: Path) -> None:
    assert [sentence for sentence in sentences(page.read_text()) if len(sentence.split()) > MOST_WORDS] == []


class Shell:
    """Runs commands in a folder, each once those before it have ended whose files it names."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {**os.environ, "LC_ALL": "C.UTF-8", "STATE_DIRECTORY": str(folder / "state")}
        self._written: dict[str, Future[str]] = {}

    def start(self, command: str, pool: ThreadPoolExecutor) -> Future[str]:
        words = shlex.split(command)
        name = next((name for name in (" ".join(words[:2]), words[0]) if name in QUICKER), words[0])
        words += QUICKER.get(name, "").split()
        needed = [future for name, future in self._written.items() if any(name in word.split("/") for word in words)]
        future = pool.submit(self._run, name, words, needed)
        self._written |= {word: future for option, word in pairwise(words) if option in OUTPUTS}
        return future

    def _run(self, name: str, words: list[str], needed: list[Future[str]]) -> str:
        """What was wrong with it, "" if nothing was."""
        if any(future.result() for future in needed):
            return f"{words[0]}: a command before it went wrong"
        command = [sys.executable, "-m", "companion", *words]
        with subprocess.Popen(
            command, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as process:
            assert process.stdout is not None
            told = ""
            if name in UNTIL_STOPPED:
                while UNTIL_STOPPED[name] not in told and (line := process.stdout.readline()):
                    told += line
                process.send_signal(signal.SIGINT)
            told += process.communicate(timeout=60)[0]
        is_well = process.returncode in STATUS.get(name, {0}) and UNTIL_STOPPED.get(name, "") in told
        return "" if is_well else f"{words}: {process.returncode}, {told}"


def five_faces(count: int) -> Deck:
    """A deck of so few faces that they are quickly drawn and learnt, each on so many cards."""
    deck = standard_deck("standard-55")
    faces = tuple(msgspec.structs.replace(face, count=count) for face in deck.faces[::5])
    return msgspec.structs.replace(deck, name="five", faces=faces)


def photograph(picture: np.ndarray) -> np.ndarray:
    """A card that lies alone on a dark cloth."""
    table = np.random.default_rng(1).normal(60, 3, (480, 640, 3)).clip(0, 255).astype(np.uint8)
    turn = cv2.getRotationMatrix2D((126, 176), 8.0, 0.8) + np.array([[0, 0, 180.0], [0, 0, 60.0]])
    cv2.warpAffine(picture, turn, (640, 480), dst=table, borderMode=cv2.BORDER_TRANSPARENT, flags=cv2.INTER_AREA)
    return table


def test_the_readmes_commands_run_in_their_order(tmp_path: Path) -> None:
    """Each finds what those before it have written. What a reader brings is there: photographs, and the checkout."""
    deck = five_faces(11)
    (tmp_path / "game.json").write_bytes(msgspec.json.encode(deck))
    (tmp_path / "five.json").write_bytes(msgspec.json.encode(five_faces(1)))
    (tmp_path / "hardware").symlink_to(ROOT / "hardware")
    (tmp_path / "photographs").mkdir()
    for face in deck.faces:
        path = tmp_path / "photographs" / f"{face.id}.png"
        cv2.imwrite(str(path), photograph(rasterized(face_svg(face), 4)))
    shell = Shell(tmp_path)
    with ThreadPoolExecutor(2) as pool:
        started = [shell.start(command, pool) for command in COMMANDS]
    assert [problem for future in started if (problem := future.result())] == []
    assert (tmp_path / "seen" / "0001.jpg").exists()
    check_gallery(tmp_path / "screens")


def check_gallery(folder: Path) -> None:
    """There is a picture of every screen, and a sheet of all in the language that was asked for: drawn once, here."""
    with Image.open(folder / "en" / "laid-two.png") as picture:
        assert picture.size == (128 * 6 + 48, 64 * 6 + 48)
    with Image.open(folder / "en.png") as sheet:
        assert sheet.width > 1000
    assert not (folder / "de.png").exists()


def test_the_example_of_a_deck_is_one() -> None:
    example = re.search(r"```json\n(.*?)```", (ROOT / "docs/deck.md").read_text(), re.DOTALL)[1]
    assert decode_deck(example).has_rails
