"""The commands as a person types them, in processes of their own."""

import json
import os
import re
import subprocess
import sys
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from companion.games.loknroll.record.solo_scores import SoloScore, SoloScores
from companion.games.loknroll.rules import load_edition

COMMANDS = ["play", "replay", "simulate", "odds"]
MODES = ["2", "3", "4", "solo", "solo-hard", "betsy"]
DRAW_PILE = {"en": "draw pile", "de": "Nachziehstapel", "es": "mazo"}
"""As it is told in each language."""


def companion(*arguments: object, home: Path | None = None, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "80", **more}
    if home is not None:
        environment |= {"XDG_STATE_HOME": str(home)}
    command = [sys.executable, "-m", "companion", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, encoding="utf-8", errors="replace", check=False, env=environment, timeout=60
    )


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    assert companion("play", "--seed", 5, "--record", path).returncode == 0
    return path


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example_that_works(command: str, tmp_path: Path, record: Path) -> None:
    told = companion(command, "--help")
    assert told.returncode == 0
    examples = re.findall(r"^  companion (.+)$", told.stdout, re.MULTILINE)
    assert examples
    for example in examples:
        words = example.replace("game.jsonl", str(record)).replace("games/", f"{tmp_path}/games/").split()
        if "1000" in words:
            words[words.index("1000")] = "10"
        assert companion(*words).returncode == 0, example


def test_help_imports_nothing_heavy() -> None:
    told = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "companion", "--help"], capture_output=True, text=True, check=True
    )
    imported = {line.rsplit("|", 1)[1].strip() for line in told.stderr.splitlines() if "|" in line}
    assert not imported & {"msgspec", "rich", "companion.games.loknroll.rules", "vision.cards"}


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ("", "for example"),
        ("fly", "choose from"),
        ("play --mode 5", "choose from"),
        ("play --edition french", "choose from"),
        ("play --seed -1", "whole number"),
        ("play --seed ²", "whole number"),
        ("play --knob loops", "NAME=VALUE"),
        ("simulate --games 0", "from 1"),
        ("simulate --games many", "whole number"),
        ("simulate --games 99999999999999999999999", "whole number"),
        ("replay", "for example"),
        ("odds --railway 1,2 --emma 1 --lay 5", "1 to 4"),
        ("odds --railway , --emma 1 --lay 2", "1 to 4"),
        ("odds --lay 2", "--railway"),
    ],
)
def test_bad_arguments_get_one_line_that_says_what_to_write(arguments: str, hint: str) -> None:
    told = companion(*arguments.split())
    assert told.returncode == 2
    assert told.stdout == ""
    assert told.stderr.count("\n") == 1
    assert hint in told.stderr


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("play --knob loops=maybe", "loops"),
        ("play --knob speed=9", "no knob"),
        ("play --edition loose_caboose", "mode betsy"),
        ("play --deck /nowhere", "deck.json"),
        ("replay /nowhere", "No such file"),
        ("replay /", "directory"),
        ("odds --railway 1,2 --emma 3 --lay 2", "2 cards"),
        ("odds --railway 1,3 --emma 1 --lay 1", "LAY4"),
        ("odds --railway 1,2 --emma 1 --lay 1,2", "LAY0"),
        ("simulate --games 1 --record /dev/null", "name another"),
        ("play --record /nowhere/game.jsonl", "No such file"),
    ],
)
def test_what_cannot_be_done_gets_one_line_with_the_reason(arguments: str, reason: str) -> None:
    told = companion(*arguments.split())
    assert told.returncode == 1
    assert told.stderr.count("\n") == 1
    assert reason in told.stderr


@pytest.mark.parametrize("command", ["play", "simulate --games 20 --processes 2"])
@pytest.mark.parametrize(("language", "words"), [("en", "no other card fits"), ("de", "Misch neu"), ("es", "vía")])
def test_a_deck_with_which_no_game_can_begin_gets_one_line_that_says_so(
    tmp_path: Path, command: str, language: str, words: str
) -> None:
    """Tracks that turn back at once: the second card would lead into the first."""
    ports = [{"edge": "S", "offset_mm": -1}, {"edge": "S", "offset_mm": 1}]
    track = {"id": "u", "value": 1, "kind": "track", "count": 55, "ports": ports}
    deck = tmp_path / "deck.json"
    deck.write_text(json.dumps({"name": "turns", "faces": [track]}))
    told = companion(*command.split(), "--deck", deck, "--language", language, "--seed", 1)
    assert told.returncode == 1
    (line,) = told.stderr.strip().splitlines()
    assert "1" in line
    assert "4" in line
    assert words in line


def test_play_is_told_turn_by_turn_to_the_result() -> None:
    told = companion("play", "--seed", 3).stdout
    assert [int(number) for number in re.findall(r"^Turn (\d+):", told, re.MULTILINE)] == list(range(1, 39))
    assert "Betsy begins." in told
    assert re.search(r"^(Random|Betsy) wins\.$", told, re.MULTILINE)


@pytest.mark.parametrize(
    ("mode", "language"),
    [
        pytest.param(mode, language, marks=[] if language == spoken else pytest.mark.further)
        for mode, spoken in zip(MODES, cycle(DRAW_PILE), strict=False)
        for language in DRAW_PILE
    ],
)
def test_play_and_replay_tell_the_same_in_every_mode_and_language(tmp_path: Path, mode: str, language: str) -> None:
    path = tmp_path / "game.jsonl"
    options = ["--language", language]
    played = companion("play", "--mode", mode, "--seed", 11, "--record", path, *options, home=tmp_path)
    replayed = companion("replay", path, *options)
    assert (played.returncode, replayed.returncode) == (0, 0)
    assert DRAW_PILE[language] in played.stdout
    story = played.stdout.splitlines()
    assert story == replayed.stdout.splitlines()[: len(story)] or mode.startswith("solo")


def test_replay_as_json(record: Path) -> None:
    told = json.loads(companion("replay", record, "--json").stdout)
    assert told["legal"]
    assert told["finished"]
    assert told["steps"][-1]["table"]["draw_pile"] == 0
    assert len(told["points"]) == 2
    assert set(told["winners"]) <= {"Random", "Betsy"}


def test_replay_names_the_line_that_is_wrong(record: Path) -> None:
    record.write_bytes(record.read_bytes().replace(b'"dice":[1', b'"dice":[0', 1))
    number = next(n for n, line in enumerate(record.read_text().splitlines(), 1) if '"roll"' in line)
    told = companion("replay", record)
    assert told.returncode == 1
    assert told.stderr.startswith(f"Line {number} of {record}: changed after it was written")
    as_json = companion("replay", record, "--json")
    assert as_json.returncode == 1
    assert json.loads(as_json.stdout)["line"] == number


def test_replay_of_an_unfinished_and_torn_game(record: Path) -> None:
    record.write_bytes(record.read_bytes()[:-40])
    told = companion("replay", record)
    assert told.returncode == 0
    assert "The game is not finished." in told.stdout
    assert "cut off" in told.stdout


def test_simulate_is_repeatable_whatever_the_processes() -> None:
    runs = [
        companion("simulate", "--games", 30, "--mode", 3, "--seed", 4, "--json", "--processes", processes)
        for processes in (1, 2)
    ]
    games: list[Any] = [sorted(map(str, json.loads(run.stdout)["games"])) for run in runs]
    assert games[0] == games[1]
    assert len(games[0]) == 30


def test_simulate_shows_spread_and_histogram_and_records_every_game(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    arguments = ("simulate", "--games", 12, "--mode", "solo-hard", "--seed", 4, "--record", folder)
    told = companion(*arguments)
    assert told.returncode == 0
    assert "12 games, mode solo-hard" in told.stdout
    assert "█" in told.stdout
    assert max(map(len, told.stdout.splitlines())) <= 80
    files = sorted(folder.iterdir())
    assert len(files) == 12
    assert companion("replay", files[-1]).returncode == 0
    again = companion(*arguments)
    assert again.returncode == 1
    assert "not overwritten" in again.stderr


def test_a_record_in_the_way_of_the_last_of_a_billion_games_is_found_before_the_first(tmp_path: Path) -> None:
    (tmp_path / "game-1000000000.jsonl").touch()
    told = companion("simulate", "--games", 10**9, "--record", tmp_path)
    assert told.returncode == 1
    assert "game-1000000000.jsonl is there already" in told.stderr


def test_what_else_is_in_the_folder_is_in_nobodys_way(tmp_path: Path) -> None:
    others = ["game-000003.jsonl", "game-1.jsonl", "game-000000.jsonl", "game-000001.jsonl.old", "notes.txt"]
    for name in others:
        (tmp_path / name).touch()
    assert companion("simulate", "--games", 2, "--seed", 1, "--record", tmp_path).returncode == 0
    assert {path.name for path in tmp_path.iterdir()} == {*others, "game-000001.jsonl", "game-000002.jsonl"}


def test_odds_as_table_and_as_json() -> None:
    situation = ["odds", "--railway", "1,3b,2,1", "--emma", 3, "--lay", "2,2", "--pile", "4,1"]
    table = companion(*situation)
    assert "Derailing: 19.8%" in table.stdout
    assert max(map(len, table.stdout.splitlines())) <= 80
    told = json.loads(companion(*situation, "--json").stdout)
    assert told["dice"] == 4
    assert [chance["exact"] for chance in told["chances"]] == ["1/81", "8/81", "8/27", "32/81", "16/81"]


@pytest.mark.parametrize(
    ("arguments", "status", "german", "spanish"),
    [
        ("", 2, "Noch anzugeben: --railway, --emma, --lay", "Falta indicar --railway, --emma, --lay"),
        (
            "--railway 1,2 --lay 2",
            2,
            "Noch anzugeben: --emma; zum Beispiel: companion odds",
            "Falta indicar --emma; por ejemplo:",
        ),
        ("--railway 1,7 --emma 1 --lay 2", 2, "--railway: 7 ist keine Karte", "--railway: 7 no es una carta"),
        ("--railway 1 --emma 1 --lay 1 --pile x", 2, "--pile: x ist keine Karte", "--pile: x no es una carta"),
        ("--railway 1,2 --emma x --lay 2", 2, "von 1 bis 2", "del 1 al 2"),
        ("--railway 1,2 --emma 3 --lay 2", 1, "von 1 bis 2", "del 1 al 2"),
        ("--railway 1,3 --emma 1 --lay 1", 1, "1 an 3: Differenz 2", "1 junto a 3: diferencia 2"),
        ("--railway 1,2 --emma 1 --lay 1,2", 1, "haben denselben Wert", "tienen el mismo valor"),
    ],
)
def test_odds_says_what_is_wrong_in_the_language_asked_for(
    arguments: str, status: int, german: str, spanish: str
) -> None:
    for language, words in (("de", german), ("es", spanish)):
        told = companion("odds", *arguments.split(), "--language", language)
        assert told.returncode == status
        assert told.stderr.count("\n") == 1
        assert words in told.stderr


@pytest.mark.parametrize(
    ("language", "words"),
    [("de", ["Räder", "Stapel", "entgleist, 1 zu viel"]), ("es", ["Ruedas", "Pila", "descarrila, sobra 1"])],
)
def test_odds_fit_the_terminal_in_each_language(language: str, words: list[str]) -> None:
    situation = ["--railway", "1,3b,2,1,1,1,1,1,1,1,1,1,1", "--emma", 3, "--lay", "2,2,2,2,2,2,2"]
    told = companion("odds", *situation, "--language", language).stdout
    assert max(map(len, told.splitlines())) <= 80
    assert "…" not in told
    situation = ["--railway", "1,3b,2,1", "--emma", 3, "--lay", "2,2"]
    told += companion("odds", *situation, "--language", language).stdout
    for word in words:
        assert re.search(rf"{word}\b", told), word


def test_solo_scores_are_kept_across_games(tmp_path: Path) -> None:
    told = [companion("play", "--mode", "solo", "--seed", seed, home=tmp_path).stdout for seed in (1, 2, 3)]
    points = [int(re.search(r"Random ends with (\d+) points", text)[1]) for text in told]
    assert f"New best score for Random: {points[0]} (games: 1)" in told[0]
    assert f": {min(points)} (games: 3)" in told[2]


def test_an_automatic_player_leaves_the_scores_of_people_alone(tmp_path: Path) -> None:
    """Also of somebody who is called as the automatic player is."""
    edition = load_edition("german").title
    people = SoloScores(tmp_path / "companion/solo-scores.jsonl")
    people.add(SoloScore("Random", edition, "solo", points=1, cards=1, is_lost=False))
    before = people.path.read_bytes()
    told = companion("play", "--mode", "solo", "--seed", 1, home=tmp_path).stdout
    assert people.path.read_bytes() == before
    assert "(games: 1)" in told


PLAIN_OUTPUTS = {
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "latin-1": {"PYTHONIOENCODING": "latin-1"},
    "C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}


@pytest.mark.parametrize(
    "output", ["C", *(pytest.param(each, marks=pytest.mark.further) for each in ("ascii", "latin-1"))]
)
def test_an_output_that_knows_few_characters_gets_plainer_ones(tmp_path: Path, output: str) -> None:
    environment = PLAIN_OUTPUTS[output]
    game = tmp_path / "Größe.jsonl"
    told = {
        words: companion(*words.split(), *more, **environment)
        for words, more in {
            "play --mode 2 --seed 3": ["--record", game],
            "replay": [game],
            "simulate --games 4 --seed 1": [],
            "odds --railway 1,3b,2,1 --emma 3 --lay 2,2": [],
            "deck faces --px-per-mm 2": ["--out", tmp_path / "Entwürfe"],
            "replay ": [tmp_path / "größer.jsonl"],
            "locomotion network pinwheel": [],
        }.items()
    }
    for words, done in told.items():
        assert "Traceback" not in done.stderr, words
        assert done.returncode == int(words == "replay "), words
    story = told["play --mode 2 --seed 3"].stdout
    assert story == told["replay"].stdout[: len(story)]
    assert re.search(r"^  rolls [*o]( [*o])*$", story, re.MULTILINE)
    assert "> front of the railway" in story
    assert "##" in told["simulate --games 4 --seed 1"].stdout
    assert "--*----*+---*---+*\n" in told["locomotion network pinwheel"].stdout
    assert "##" in told["odds --railway 1,3b,2,1 --emma 3 --lay 2,2"].stdout


def test_a_file_name_is_printed_as_it_is_though_it_is_no_text(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "companion", "deck", "faces", "--px-per-mm", "2", "--out", b"pictures-\xff"]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, capture_output=True, check=False, cwd=tmp_path, env=environment)
    assert done.stderr == b""
    assert done.stdout.startswith(b"pictures-\xff: deck.json")


def test_a_reader_that_stops_reading_gets_no_trace(record: Path) -> None:
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m companion replay {record} | head -n 1"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""


@pytest.mark.parametrize("command", ["odds --railway 1,2 --emma 1 --lay 2", "locomotion network --list"])
def test_an_output_that_has_no_room_left_is_told_in_a_line(command: str) -> None:
    with Path("/dev/full").open("w") as full:
        words = [sys.executable, "-m", "companion", *command.split()]
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert "no room is left" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(("command", "status"), [("solve -", 1), ("play --players Ann", 0)])
def test_a_closed_input_is_an_empty_one(command: str, status: int) -> None:
    words = f"{sys.executable} -m companion locomotion {command} <&-"
    done = subprocess.run(["bash", "-c", words], capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (status, False)


@pytest.mark.parametrize(
    ("command", "status"),
    [("play --seed 1", 0), ("odds --railway 1,2 --emma 1 --lay 2", 0), ("dice", 0), ("play --mode none", 2)],
)
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_a_closed_output_gets_nothing_and_no_trace(command: str, status: int, closed: str) -> None:
    words = f"{sys.executable} -m companion {command} {closed}"
    done = subprocess.run(["bash", "-c", words], capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert "Traceback" not in done.stderr
