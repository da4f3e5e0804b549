"""``companion deck`` as a person types it, in processes of its own."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from msgspec.structs import replace

from companion.games.drawing.raster import rasterized
from companion.games.loknroll.artwork.back import back_svg
from companion.games.loknroll.artwork.card import face_svg
from vision.cards import standard_deck
from vision.deck_pictures import read_deck_pictures
from vision.files import read_deck

TRACK = {"id": "s", "value": 1, "kind": "track", "count": 2, "ports": [{"edge": "S"}, {"edge": "N", "offset_mm": 6}]}
CHAOS = {"id": "Über/all", "value": 3, "kind": "chaos", "count": 1}


def companion(*arguments: object, directory: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "80"}
    command = [sys.executable, "-m", "companion", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env=environment, timeout=120, cwd=directory
    )


@pytest.fixture
def small_deck(tmp_path: Path) -> Path:
    """Three cards."""
    path = tmp_path / "small.json"
    path.write_text(json.dumps({"name": "small", "faces": [TRACK, CHAOS]}))
    return path


def left_behind(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(
    "subcommand", ["faces", *(pytest.param(each, marks=pytest.mark.further) for each in ("", "print"))]
)
def test_help_has_an_example_that_works(subcommand: str, tmp_path: Path, small_deck: Path) -> None:
    told = companion("deck", *subcommand.split(), "--help")
    assert told.returncode == 0
    examples = re.findall(r"^  companion (.+)$", told.stdout, re.MULTILINE)
    assert examples
    for example in examples:
        run = companion(*example.split(), "--deck", small_deck, directory=tmp_path)
        assert run.returncode == 0, run.stderr
        assert (tmp_path / example.split("--out ")[1].split()[0]).exists()
        for path in tmp_path.glob("deck.pdf"):
            path.unlink()


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys; from companion.commands.cli import main\n"
        "try: main(['deck', 'print', '--help'])\nfinally: print(*sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "--paper" in told.stdout
    assert not {"cv2", "numpy", "fpdf", "fontTools", "resvg_py"} & set(told.stdout.split())


@pytest.mark.parametrize(
    "arguments",
    [
        "deck",
        "deck fly",
        "deck print",
        "deck print --paper a0 --out x",
        "deck faces",
        "deck faces --out x --px-per-mm 0",
        "deck pack",
        "deck pack taught",
    ],
)
def test_bad_arguments_get_one_line(arguments: str) -> None:
    told = companion(*arguments.split())
    assert told.returncode == 2
    assert told.stderr.count("\n") == 1


def test_print_writes_a_pdf_and_never_over_another(tmp_path: Path, small_deck: Path) -> None:
    arguments = ("deck", "print", "--paper", "letter", "--out", tmp_path / "deck.pdf", "--deck", small_deck)
    told = companion(*arguments)
    assert told.returncode == 0
    assert "3 cards" in told.stdout
    assert "55 cards" in told.stdout
    data = (tmp_path / "deck.pdf").read_bytes()
    assert len(pypdfium2.PdfDocument(data)) == 4
    again = companion(*arguments)
    assert again.returncode == 1
    assert "not overwritten" in again.stderr
    assert (tmp_path / "deck.pdf").read_bytes() == data
    assert left_behind(tmp_path) == ["deck.pdf", "small.json"]


@pytest.mark.further
def test_faces_are_a_taught_deck(tmp_path: Path) -> None:
    folder = tmp_path / "faces"
    told = companion("deck", "faces", "--out", folder, "--px-per-mm", 5)
    assert told.returncode == 0
    assert told.stderr == ""
    deck, images, *_ = read_deck_pictures(folder)
    assert [(face.id, face.value, face.kind, face.count, face.ports) for face in deck.faces] == [
        (face.id, face.value, face.kind, face.count, face.ports) for face in standard_deck("standard-55").faces
    ]
    assert deck.assumed
    for face in deck.faces:
        assert np.array_equal(images[face.id], rasterized(face_svg(face), 5))
    assert np.array_equal(cv2.imread(str(folder / "back.png")), rasterized(back_svg((63, 88)), 5))
    assert left_behind(tmp_path) == ["faces"]
    again = companion("deck", "faces", "--out", folder)
    assert again.returncode == 1
    assert "not overwritten" in again.stderr


def test_faces_of_other_decks_sizes_and_names(tmp_path: Path) -> None:
    file = tmp_path / "tall.json"
    file.write_text(json.dumps({"name": "tall", "card_mm": [57, 100], "faces": [TRACK, CHAOS]}))
    (tmp_path / "empty").mkdir()
    assert companion("deck", "faces", "--out", tmp_path / "empty", "--deck", file).returncode == 0
    deck, *_ = read_deck_pictures(tmp_path / "empty")
    assert deck.card_mm == (57, 100)
    assert "size_mm" not in (tmp_path / "empty" / "deck.json").read_text()
    images = [cv2.imread(str(tmp_path / "empty" / str(face.image))) for face in deck.faces]
    assert {image.shape for image in images} == {(1200, 684, 3)}
    assert all(re.fullmatch(r"faces/[a-z0-9 ._-]+\.png", str(face.image)) for face in deck.faces)
    assert read_deck(tmp_path / "empty") == deck


@pytest.fixture
def painted_deck(small_deck: Path) -> Path:
    """The three cards in a folder, with pictures in two forms: one is larger than those that are kept."""
    folder = small_deck.with_name("taught")
    folder.mkdir()
    noise = np.random.default_rng(1).integers(0, 256, (1408, 1008, 3), np.uint8)
    cv2.imwrite(str(folder / "s.png"), noise)
    cv2.imwrite(str(folder / "chaos.jpg"), noise[:704, :504])
    faces = [{**TRACK, "image": "s.png"}, {**CHAOS, "image": "chaos.jpg"}]
    (folder / "deck.json").write_text(json.dumps({"name": "small", "faces": faces}))
    return folder


def test_a_packed_deck_is_the_one_in_the_folder(tmp_path: Path, painted_deck: Path) -> None:
    told = companion("deck", "pack", painted_deck, "--out", tmp_path / "my.zip")
    assert (told.returncode, told.stderr) == (0, "")
    assert "deck.json and 2 faces" in told.stdout
    known, packed = read_deck_pictures(painted_deck), read_deck_pictures(tmp_path / "my.zip")
    assert [replace(face, image=None) for face in packed.deck.faces] == [
        replace(face, image=None) for face in known.deck.faces
    ]
    assert packed.faces.keys() == known.faces.keys()
    assert all(np.array_equal(packed.faces[face], known.faces[face]) for face in known.faces)
    data = (tmp_path / "my.zip").read_bytes()
    assert companion("deck", "pack", tmp_path / "my.zip", "--out", tmp_path / "again.zip").returncode == 0
    assert (tmp_path / "again.zip").read_bytes() == data
    again = companion("deck", "pack", painted_deck, "--out", tmp_path / "my.zip")
    assert again.returncode == 1
    assert "not overwritten" in again.stderr
    assert (tmp_path / "my.zip").read_bytes() == data
    assert left_behind(tmp_path) == ["again.zip", "my.zip", "small.json", "taught"]


def test_packs_help_has_an_example_that_works(tmp_path: Path, painted_deck: Path) -> None:
    example = re.search(r"^  companion (.+)$", companion("deck", "pack", "--help").stdout, re.MULTILINE)
    assert companion(*example[1].split(), directory=tmp_path).returncode == 0


def test_a_deck_without_pictures_is_not_packed(tmp_path: Path, small_deck: Path) -> None:
    told = companion("deck", "pack", small_deck, "--out", tmp_path / "my.zip")
    assert told.returncode == 1
    assert told.stderr.count("\n") == 1
    assert "faces[0] (s).image: missing" in told.stderr
    assert left_behind(tmp_path) == ["small.json"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"value": 5}, "faces[0] (s).value: 5"),
        ({"count": 0}, "faces[0] (s).count: 0"),
        (
            {"ports": [{"edge": "S"}, {"edge": "N", "offset_mm": 40}]},
            "faces[0] (s).ports[1].offset_mm: 40 is off the card",
        ),
        ({"ports": []}, "s: its rails are not known"),
        ({"kind": "bridge"}, "faces[0].kind"),
    ],
)
@pytest.mark.parametrize("subcommand", ["print", "faces"])
def test_a_bad_deck_is_refused_in_one_line_with_the_place(
    tmp_path: Path, subcommand: str, change: dict[str, object], reason: str
) -> None:
    file = tmp_path / "bad.json"
    file.write_text(json.dumps({"name": "bad", "faces": [{**TRACK, **change}]}))
    told = companion("deck", subcommand, "--out", tmp_path / "out", "--deck", file)
    assert told.returncode == 1
    assert told.stderr.count("\n") == 1
    assert reason in told.stderr
    assert left_behind(tmp_path) == ["bad.json"]


@pytest.mark.parametrize(
    ("out", "reason"),
    [("/nowhere/at/all", "No such file"), ("/dev/null", "not overwritten"), ("/proc/new", "name another")],
)
@pytest.mark.parametrize("subcommand", ["print", "faces"])
def test_where_nothing_can_be_written_one_line_says_so(
    small_deck: Path, subcommand: str, out: str, reason: str
) -> None:
    told = companion("deck", subcommand, "--out", out, "--deck", small_deck)
    assert told.returncode == 1
    assert told.stderr.count("\n") == 1
    assert reason in told.stderr


def test_a_card_larger_than_the_paper_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "huge.json"
    file.write_text(json.dumps({"name": "huge", "card_mm": [300, 400], "faces": [CHAOS]}))
    told = companion("deck", "print", "--out", tmp_path / "out.pdf", "--deck", file)
    assert told.returncode == 1
    assert "300 x 400 mm does not fit on a4" in told.stderr


@pytest.mark.parametrize(
    "arguments", [("print", "--out", "deck.pdf"), ("faces", "--out", "faces", "--px-per-mm", "40")]
)
def test_ctrl_c_leaves_nothing_behind(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", "deck", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        start_new_session=True,
    )
    while not left_behind(tmp_path):
        assert process.poll() is None
        time.sleep(0.02)
    time.sleep(1)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert left_behind(tmp_path) == []
