"""``companion locomotion print`` as it is typed."""

import json
from pathlib import Path

import pypdfium2
import pytest

from companion.commands.cli import main
from companion.games.drawing.paper import PAPERS

HALVES = {
    "name": "halves",
    "cells": [[0, 0], [1, 1]],
    "passages": [{"cell": [0, 0], "sides": ["W", "E"]}, {"cell": [1, 1], "sides": ["W", "E"]}],
}


def told(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    try:
        status = main(["locomotion", "print", *map(str, words)])
    except SystemExit as error:
        status = int(error.code or 0)
    return status, *capsys.readouterr()


@pytest.mark.further  # docs/locomotion.md is tried, and prints as well
def test_a_piece_of_somebodys_own_is_printed_on_the_paper_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine, out = tmp_path / "mine.json", tmp_path / "mine.pdf"
    mine.write_text(
        json.dumps(
            {**HALVES, "cells": [[0, 0], [1, 0]], "passages": [{"cell": [x, 0], "sides": ["W", "E"]} for x in (0, 1)]}
        )
    )
    words = ("--piece", mine, "--pieces", 2, "--paper", "letter", "--language", "es", "--out", out)
    status, printed, _ = told(capsys, *words)
    assert (status, printed.startswith(f"{out}: 2 piezas de vía")) == (0, True)
    pages = pypdfium2.PdfDocument(out)
    assert pages[0].get_size() == pytest.approx([side / 25.4 * 72 for side in PAPERS["letter"][1:]], abs=0.1)
    assert "Recortar las vías" in pages[0].get_textpage().get_text_range()
    before = out.read_bytes()
    status, _, refused = told(capsys, *words)
    assert (status, "is there already" in refused, out.read_bytes() == before) == (1, True, True)


@pytest.mark.parametrize(
    ("piece", "content", "says"),
    [
        ("Q", None, "Ein Teil Q gibt es nicht, nur T, X, D"),
        ("own.json", None, "own.json: No such file"),
        ("own.json", b"{}", "own.json is no piece of rail"),
        ("own.json", b" " * 100_001, "höchstens 100000 Byte"),
        ("own.json", json.dumps(HALVES).encode(), "Das Teil halves fiele auseinander"),
        ("own.json", json.dumps({**HALVES, "name": "\x1b[2J" * 500}).encode(), "\\u001b"),
    ],
)
def test_what_cannot_be_printed_is_said_in_a_line(
    piece: str,
    content: bytes | None,
    says: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    if content is not None:
        Path(piece).write_bytes(content)
    status, _, refused = told(capsys, "--piece", piece, "--language", "de", "--out", "game.pdf")
    assert status == 1
    assert says in refused
    assert refused.count("\n") == 1
    assert not Path("game.pdf").exists()
