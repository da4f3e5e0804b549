"""No name, path or record steers the terminal: every command that tells foreign text shows what it is made of."""

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest

from companion.commands.cli import main
from companion.games.loknroll.record.recorded_game import save_recorded
from companion.games.loknroll.rules import Game, Mode, load_edition, set_up
from companion.record.file import read_record, write_record
from companion.texts.harmless import LONGEST, harmless, shortened
from vision.cards import standard_deck

EVIL = "A\x1b[31m\x1b]0;title\x07\x9b2J\u202e\u2066\nAll 5 steps are legal.\r\x08\x7f\u2028[/x]:bomb:"
NAME = EVIL.replace("/", "")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    return tmp_path


def check_harmless(*arguments: str, capsys: pytest.CaptureFixture[str]) -> str:
    with contextlib.suppress(SystemExit):
        main(arguments)
    told = "".join(capsys.readouterr())
    assert {character for character in told if not character.isprintable()} <= {"\n"}
    return told


def write_game(path: Path, **changes: Any) -> None:
    save_recorded(path, Game(set_up(load_edition(), standard_deck("standard-55"), Mode.BETSY, ["Ann"], rails=False)))
    header = {name: value for name, value in read_record(path).header.items() if name not in {"format", "version"}}
    path.unlink()
    write_record(path, header | changes, [])


def write_deck(path: Path, **changes: object) -> Path:
    face = {"id": EVIL, "value": 1, "kind": "chaos", "count": 2}
    path.mkdir()
    (path / "deck.json").write_text(json.dumps({"name": EVIL, "faces": [face], **changes}))
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        f"replay|{EVIL}",
        f"replay|x|{EVIL}",
        f"play|--seed|1|--knob|automaton={EVIL}",
        f"play|--seed|1|--knob|title={EVIL}",
        f"play|--knob|{EVIL}=1",
        f"play|--deck|{EVIL}",
        f"play|--mode|{EVIL}",
        f"play|--seed|1|--record|no/{EVIL}",
        f"simulate|--games|2|--processes|1|--knob|automaton={EVIL}",
        f"odds|--railway|{EVIL}|--emma|1|--lay|1",
        f"odds|--railway|1|--emma|{EVIL}|--lay|1",
        f"dice|{EVIL}",
        f"see|x.png|--deck|{EVIL}",
        f"teach|{EVIL}|--deck|deck|--out|taught",
        f"deck|print|--deck|{EVIL}|--out|x.pdf",
        f"deck|faces|--px-per-mm|2|--deck|deck|--out|{NAME}",
        f"deck|scene|--deck|{EVIL}|--out|x",
        f"wiring|--out|{NAME}.svg",
        f"wiring|--devices|{EVIL}|--out|x.svg",
        f"run|--devices|{EVIL}",
        f"run|--deck|{EVIL}",
        f"gallery|no/{NAME}",
        EVIL,
    ],
    ids=lambda arguments: arguments.replace(EVIL, "EVIL").replace(NAME, "NAME"),
)
def test_arguments(arguments: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_deck(folder / "deck")
    told = check_harmless(*arguments.split("|"), capsys=capsys)
    assert "1b[31m" in told


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_names_and_titles_in_a_record(more: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edition = read_edition()
    write_game(folder / "game.jsonl", players=[EVIL], edition=edition | {"title": EVIL, "automaton": EVIL})
    told = check_harmless("replay", "game.jsonl", *more, capsys=capsys)
    assert "legal" in told


@pytest.mark.parametrize("header", [{"game": EVIL}, {"mode": EVIL}, {"deck": {EVIL: 1}}, {"edition": {EVIL: 1}}])
def test_what_is_wrong_with_a_record(
    header: dict[str, object], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_game(folder / "game.jsonl", **header)
    assert check_harmless("replay", "game.jsonl", capsys=capsys).count("\n") == 1


@pytest.mark.parametrize("command", ["play", "deck print --out x.pdf", "see x.png", "run", "teach x --out taught"])
def test_what_is_wrong_with_a_deck(command: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_deck(folder / "deck", **{EVIL: 1})
    assert check_harmless(*command.split(), "--deck", "deck", capsys=capsys).count("\n") == 1


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_what_the_doctor_finds(more: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    quoted = json.dumps(EVIL).replace("\\u007f", "\x7f")
    (folder / "devices.toml").write_text(f"[display]\n{quoted} = 1\n[camera]\nkind = 'none'\n")
    check_harmless("doctor", "--devices", "devices.toml", *more, capsys=capsys)


def test_photographs_and_faces(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_deck(folder / "deck")
    Path(f"{NAME}.jpg").write_bytes(b"")
    check_harmless("teach", ".", "--deck", "deck", "--out", "taught", capsys=capsys)


def test_letters_of_every_writing_stay() -> None:
    text = "Zoë Ñandú Łódź Ελένη Ольга 花子 ×●▶ [x]"
    assert harmless(text) == text


def test_a_long_text_is_told_in_a_glance() -> None:
    assert len(shortened("x" * 10**6)) < LONGEST + 10
    assert shortened("x" * LONGEST) == "x" * LONGEST


def read_edition() -> dict[str, Any]:
    import msgspec

    told: dict[str, Any] = msgspec.to_builtins(load_edition())
    return told
