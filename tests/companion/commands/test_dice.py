"""``companion dice`` as a person types it, through a pipe and in a terminal."""

import json
import os
import pty
import re
import select
import signal
import string
import subprocess
import sys
import time
import tomllib
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

import pytest
from PIL import Image

from companion.commands.dice_box.dice_drawing import drawn, plain
from companion.commands.dice_box.dice_drawing import test_line as line_of_test
from companion.commands.dice_box.dice_plot import WIDTH, plot
from companion.dice.box import KINDS, DiceBox, Listed
from companion.dice.fairness import fairness
from companion.texts.language import LANGUAGES, Texts

SAY = Texts("en")
ENVIRONMENT = {**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "80", "TERM": "xterm"}


def dice(*arguments: object, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "companion", "dice", *map(str, arguments)]
    environment = ENVIRONMENT | more
    return subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        env=environment,
        timeout=60,
    )


class Terminal:
    """The command in a terminal of its own."""

    def __init__(self, *arguments: str) -> None:
        self._ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "companion", "dice", *arguments]
        self._process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=ENVIRONMENT, start_new_session=True
        )
        os.close(theirs)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._ours)

    def until(self, expected: str) -> str:
        """What is on the screen anew, up to and with this."""
        seen = b""
        end = time.monotonic() + 30
        while expected.encode() not in seen:
            assert time.monotonic() < end, f"{expected!r} does not come after {seen.decode()!r}"
            if select.select([self._ours], [], [], 0.2)[0]:
                seen += os.read(self._ours, 4096)
        return seen.decode().replace("\r", "")

    def type(self, line: str) -> None:
        os.write(self._ours, f"{line}\n".encode())

    def interrupt(self, expected: str) -> str:
        """Ctrl-C, until something is said; one that comes just before Python waits for a line is not noticed by it."""
        for _ in range(10):
            os.killpg(self._process.pid, signal.SIGINT)
            if select.select([self._ours], [], [], 3)[0]:
                break
        return self.until(expected)

    def status(self) -> int:
        return self._process.wait(30)


def table(language: str) -> dict[str, str]:
    messages: dict[str, Any] = tomllib.loads(
        (files("companion.texts") / "messages" / f"{language}.toml").read_text("utf-8")
    )
    told: dict[str, str] = messages["dice"]
    return told


@pytest.mark.parametrize("language", ["de", "es"])
def test_every_sentence_is_translated_with_the_same_details(language: str) -> None:
    english, translated = table("en"), table(language)
    assert translated.keys() == english.keys()
    for key, sentence in english.items():
        details, expected = (
            {name for _, name, _, _ in string.Formatter().parse(text) if name} for text in (translated[key], sentence)
        )
        assert details == expected, key


def test_dice_alone_are_the_four_of_the_game() -> None:
    told = dice()
    assert told.returncode == 0
    faces = re.fullmatch(r"wheel: ([01]) ([01]) ([01]) ([01])\nWheels: (\d)\n", told.stdout)
    assert faces
    assert sum(int(face) for face in faces.groups()[:4]) == int(faces[5])


def test_mixed_dice_as_text_and_as_json() -> None:
    told = dice("3d6", "2d20")
    match = re.fullmatch(r"d6: (\d) (\d) (\d)\nd20: (\d+) (\d+)\nTotal: (\d+)\n", told.stdout)
    assert match
    *faces, total = map(int, match.groups())
    assert sum(faces) == total
    as_json = json.loads(dice("2d6", "wheel", "2", "--json").stdout)
    assert as_json["dice"] == ["d6", "d6", "wheel", "wheel"]
    assert as_json["total"] == sum(as_json["faces"][:2])
    assert as_json["wheels"] == sum(as_json["faces"][2:])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("3d7", "3d7: there is no such die; use wheel, d4"),
        ("3d6 2", "2: which kind of dice?"),
        ("2 3d6", "two counts"),
        ("101d6", "101 dice: choose 1 to 100"),
        ("d20 --check 10", "at least 100"),
        ("--plot out.png", "--check"),
        ("--check 100 --plot out.jpg", "PNG"),
        ("--check 100 --plot /nowhere/out.png", "cannot be written"),
        ("3d7 --language de", "3d7: einen solchen Würfel gibt es nicht"),
        ("3d7 --language es", "3d7: ese dado no existe"),
    ],
)
def test_what_cannot_be_done_gets_one_line(arguments: str, told: str) -> None:
    done = dice(*arguments.split())
    assert done.returncode == 1
    assert done.stderr.startswith("companion dice: ")
    assert done.stderr.count("\n") == 1
    assert told in done.stderr


def test_examples_of_the_help_work() -> None:
    told = dice("--help").stdout
    examples = re.findall(r"^  companion dice *(.*)$", told, re.MULTILINE)
    assert len(examples) == 4
    for example in examples:
        assert dice(*example.replace("1000000", "1000").split()).returncode == 0, example


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_outputs_that_know_no_box_characters(encoding: str) -> None:
    for arguments in (["d6"], ["d6", "--check", 1000], ["3d7"]):
        told = dice(*arguments, "--language", "de", PYTHONIOENCODING=encoding, PYTHONUTF8="0")
        assert "Traceback" not in told.stderr


def test_drawn_dice() -> None:
    box = DiceBox([KINDS["d6"], KINDS["wheel"], KINDS["d20"], KINDS["wheel"]], Listed([2, 0, 16, 5]))
    box.roll()
    box.hold(0)
    assert list(drawn(box, SAY, 80)) == [
        " ┏━━━━━━━┓  ╭───────╮  ╭───────╮  ╭───────╮",
        " ┃ ●     ┃  │ ╭─┬─╮ │  │       │  │       │",
        " ┃   ●   ┃  │ ├─┼─┤ │  │  17   │  │       │",
        " ┃     ● ┃  │ ╰─┴─╯ │  │       │  │       │",
        " ┗━━━━━━━┛  ╰───────╯  ╰───────╯  ╰───────╯",
        "  [1] d6     2 wheel     3 d20     4 wheel",
        "Total: 20   Wheels: 1",
    ]
    assert list(plain(box, SAY)) == ["d6: 3", "wheel: 1", "d20: 17", "wheel: 0", "Total: 20   Wheels: 1"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("columns", [20, 40, 80, 200])
def test_any_dice_fit_into_the_terminal(language: str, columns: int) -> None:
    box = DiceBox(list(KINDS.values()) * 12)
    box.roll()
    for index in range(len(box.dice)):
        box.hold(index)
    *lines, _ = drawn(box, Texts(language), columns)
    assert max(map(len, lines)) <= columns
    labels = " ".join(lines[5::6])
    assert [int(number) for number in re.findall(r"\[(\d+)\]", labels)] == list(range(1, 97))


def test_pips_are_as_many_as_the_number() -> None:
    for face in range(1, 7):
        box = DiceBox([KINDS["d6"]], Listed([face - 1]))
        box.roll()
        assert "".join(drawn(box, SAY, 80)).count("●") == face


def test_in_a_terminal_dice_are_held_rolled_and_remembered() -> None:
    with Terminal("5d6") as terminal:
        assert terminal.until("quits: ").count("╭───────╮") == 5
        terminal.type("24")
        held = terminal.until("quits: ")
        assert held.count("┏━━━━━━━┓") == 2
        assert "Held: 2, 4" in held
        terminal.type("")
        terminal.until("quits: ")
        terminal.type("h")
        throws = re.findall(r"^(\d): (.*)$", terminal.until("quits: "), re.MULTILINE)
        (_, first), (_, second) = throws
        assert [f"[{face}]" for face in first.split()][1::2] == second.split()[1::2]
        terminal.type("wheel 3")
        assert terminal.until("quits: ").count("╭───────╮") == 3
        terminal.type("q")
        assert terminal.status() == 0


def test_in_a_terminal_mistakes_are_told_and_change_nothing() -> None:
    with Terminal("5d6") as terminal:
        terminal.until("quits: ")
        for typed, told in (
            ("26", "choose 1 to 5"),
            ("3d7", "no such die"),
            ("135", "Held: 1, 3, 5"),
            ("24", "Held: 1, 2, 3, 4, 5"),
            ("", "All dice are held"),
            ("?", "lets them go again"),
        ):
            terminal.type(typed)
            assert told in terminal.until("quits: ")
        terminal.type("0")
        assert "Held" not in terminal.until("quits: ")


def test_more_than_nine_dice_are_held_by_whole_numbers() -> None:
    with Terminal("12d4") as terminal:
        terminal.until("quits: ")
        terminal.type("1, 12")
        assert "Held: 1, 12" in terminal.until("quits: ")


def test_ctrl_c_ends_the_game_without_a_trace() -> None:
    with Terminal() as terminal:
        terminal.until("quits: ")
        assert "Traceback" not in terminal.interrupt("Stopped.")
        assert terminal.status() == 130


def test_check_prints_counts_test_and_bars() -> None:
    told = dice("d6", "wheel", "d6", "--check", 30_000)
    assert told.returncode == 0
    assert told.stderr == ""
    rows = re.findall(r"^ *(\w+) +(\d+) +(\d+\.\d) +([+-]\d+\.\d\d)  (█+[▏▎▍▌▋▊▉]?)$", told.stdout, re.MULTILINE)
    assert [face for face, *_ in rows] == ["1", "2", "3", "4", "5", "6", "blank", "wheel"]
    assert sum(int(count) for _, count, *_ in rows[:6]) == 30_000
    assert sum(int(count) for _, count, *_ in rows[6:]) == 30_000
    largest = max(rows[6:], key=lambda row: int(row[1]))
    assert largest[4] == "█" * 40
    assert told.stdout.count("Chi-square") == 2
    assert max(map(len, told.stdout.splitlines()[:8])) <= 80


def test_check_as_json_agrees_with_itself() -> None:
    (told,) = json.loads(dice("percent", "--check", 5000, "--json").stdout)["checks"]
    counts = told["counts"].values()
    assert sum(counts) == 5000
    assert len(counts) == 100
    assert told["chi_square"] == pytest.approx(sum((count - 50) ** 2 / 50 for count in counts))
    assert 1e-9 < told["p_value"] <= 1


def test_ctrl_c_stops_a_long_check_with_what_it_has() -> None:
    with Terminal("d6", "--check", "1000000000") as terminal:
        terminal.until("0000/1000000000")
        told = terminal.interrupt("of 1000000000 throws.")
        assert terminal.status() == 130
    assert "Traceback" not in told
    stopped = re.search(r"Stopped after ([1-9]\d*) of", told)
    assert stopped
    assert f"d6: {stopped[1]} throws\n" in told


def test_a_plot_is_written_once(tmp_path: Path) -> None:
    target = tmp_path / "dice.png"
    told = dice("d6", "--check", 1000, "--plot", target)
    assert told.returncode == 0
    with Image.open(target) as image:
        assert image.format == "PNG"
    before = target.read_bytes()
    again = dice("d6", "--check", 1000, "--plot", target)
    assert again.returncode == 1
    assert "not overwritten" in again.stderr
    assert target.read_bytes() == before


def test_bars_of_a_plot_are_as_high_as_the_counts() -> None:
    die = KINDS["wheel"]
    checked = fairness(die, Counter({1: 400, 0: 200}))
    picture = plot([checked], SAY)
    blue = (0x3F, 0x6F, 0x8F)
    heights = [
        sum(picture.getpixel((column, row)) == blue for row in range(picture.height))
        for column in (WIDTH // 4, 3 * WIDTH // 4)
    ]
    assert heights[1] == pytest.approx(2 * heights[0], abs=4)
    assert "p = 1" in line_of_test(checked, SAY)
