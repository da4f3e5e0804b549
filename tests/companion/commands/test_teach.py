"""``companion teach`` as a person types it: whole, continued, with bad photographs."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image as Pillow

from companion.commands.teaching.taught_folder import TaughtFolder
from tests.vision.teaching.drawn_deck import cut_out, faces
from vision.arrays import Picture
from vision.cards import Deck, Face, Kind
from vision.deck_pictures import read_deck_pictures
from vision.picture_files import read_picture

Image = NDArray[np.uint8]
SHARED = Path(__file__).parents[4] / "shared"
IDS = ["one", "two", "three"]


def teach(*arguments: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "80"}
    command = [sys.executable, "-m", "companion", "teach", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=120)


def photograph(text: str, blur: float = 0.8, turn_deg: float = 8.0) -> Image:
    """A card lying on a dark cloth."""
    card = np.full((352, 252, 3), 245, np.uint8)
    cv2.rectangle(card, (12, 12), (239, 339), (60, 150, 90), -1)
    cv2.putText(card, text, (70, 220), cv2.FONT_HERSHEY_SIMPLEX, 5, (20, 20, 40), 16)
    table = np.random.default_rng(len(text)).normal(60, 3, (480, 640, 3)).clip(0, 255).astype(np.uint8)
    turn = cv2.getRotationMatrix2D((126, 176), turn_deg, 0.8) + np.array([[0, 0, 180.0], [0, 0, 60.0]])
    cv2.warpAffine(card, turn, (640, 480), dst=table, borderMode=cv2.BORDER_TRANSPARENT, flags=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(table, (0, 0), blur), np.uint8)


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    faces = [{"id": name, "value": value, "kind": "chaos", "count": 1} for value, name in enumerate(IDS, 1)]
    path = tmp_path / "deck.json"
    path.write_text(json.dumps({"name": "three", "faces": faces}))
    return path


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    folder.mkdir()
    for number, letter in enumerate("OTH"):
        cv2.imwrite(str(folder / f"{number}.png"), photograph(letter))
    return folder


def taught_faces(out: Path) -> list[str]:
    data: dict[str, Any] = json.loads((out / "deck.json").read_text())
    return [face["id"] for face in data["faces"] if "image" in face]


def are_red(out: Path, count: int) -> list[bool]:
    """Which faces are framed in red on the contact sheet, which has six in a row."""
    sheet = read_picture(out / "contact-sheet.png")
    rows = np.array_split((sheet == (40, 40, 220)).all(axis=2), -(-count // 6))
    return [bool(cell.any()) for row in rows for cell in np.array_split(row, 6, axis=1)][:count]


@pytest.mark.further
def test_a_folder_of_photographs_becomes_a_deck(deck: Path, photos: Path, tmp_path: Path) -> None:
    out = tmp_path / "taught"
    told = teach(photos, "--deck", deck, "--out", out)
    assert (told.returncode, told.stdout, told.stderr) == (0, "Taught: 3 of 3 faces.\n", "")
    read, images, *_ = read_deck_pictures(out)
    assert [face.id for face in read.faces] == IDS
    assert all(image.shape[1] > 200 for image in images.values())
    assert sorted(path.name for path in out.rglob("*")) == [
        "contact-sheet.png",
        "deck.json",
        "faces",
        "one.png",
        "three.png",
        "two.png",
    ]
    again = teach(photos, "--deck", deck, "--out", out)
    assert again.returncode == 0
    assert again.stdout.count("taught already") == 3


@pytest.mark.further
def test_teaching_is_continued(deck: Path, photos: Path, tmp_path: Path) -> None:
    out = tmp_path / "taught"
    cv2.imwrite(str(photos / "1.png"), photograph("T", blur=6))
    (photos / "2.png").write_bytes(b"")
    first = teach(photos, "--deck", deck, "--out", out)
    assert first.returncode == 1
    assert "Taught: 2 of 3 faces.\nStill missing: three\nToo blurred: two\n" in first.stdout
    assert "2.png (three): " in first.stdout
    assert "2.png is empty" in first.stdout
    assert taught_faces(out) == ["one", "two"]
    before = read_picture(out / "faces" / "two.png")
    for name, text in (("x.png", "T"), ("y.png", "H")):
        cv2.imwrite(str(tmp_path / name), photograph(text))
    second = teach(tmp_path / "x.png", tmp_path / "y.png", "--deck", deck, "--out", out)
    assert (second.returncode, second.stderr) == (0, "")
    assert "x.png (two): sharper than before" in second.stdout
    assert taught_faces(out) == IDS
    assert not np.array_equal(before, read_picture(out / "faces" / "two.png"))


def test_a_photograph_named_as_a_face_is_that_face(deck: Path, photos: Path, tmp_path: Path) -> None:
    (photos / "0.png").rename(photos / "three.png")
    (photos / "1.png").unlink()
    (photos / "2.png").unlink()
    told = teach(photos, "--deck", deck, "--out", tmp_path / "taught")
    assert told.returncode == 1
    assert "Still missing: one, two" in told.stdout
    assert taught_faces(tmp_path / "taught") == ["three"]


@pytest.mark.further
def test_one_card_photographed_twice_is_said(deck: Path, photos: Path, tmp_path: Path) -> None:
    cv2.imwrite(str(photos / "2.png"), photograph("O", turn_deg=-12))
    told = teach(photos, "--deck", deck, "--out", tmp_path / "taught", "--language", "en")
    assert told.returncode == 1
    assert "one and three cannot be told apart" in told.stdout
    assert told.stdout.count("told apart") == 1
    assert are_red(tmp_path / "taught", 3) == [True, False, True]


def test_photographs_that_are_mixed_up_are_said(tmp_path: Path) -> None:
    deck = Deck("drawn", tuple(faces()))
    (tmp_path / "deck.json").write_bytes(msgspec.json.encode(deck))
    folder = TaughtFolder(tmp_path / "taught", deck)
    exchanged = {"track-2-left": "track-3-left", "track-3-left": "track-2-left"}
    for number, face in enumerate(deck.faces):
        folder.taught.teach(face.id, cut_out(deck[exchanged.get(face.id, face.id)], number))
        folder.save(face.id)
    cv2.imwrite(str(tmp_path / "chaos-1.png"), np.full((480, 640, 3), 90, np.uint8))  # no more is taught by that
    told = teach(tmp_path / "chaos-1.png", "--deck", tmp_path / "deck.json", "--out", tmp_path / "taught")
    assert told.returncode == 1
    assert "track-2-left and track-3-left each show the other's value" in told.stdout
    assert "told apart" not in told.stdout
    red = are_red(tmp_path / "taught", len(deck.faces))
    assert [face.id for face, is_red in zip(deck.faces, red, strict=True) if is_red] == [*exchanged]


@pytest.mark.parametrize(("language", "word"), [("de", "Gelernt"), ("es", "Registradas")])
def test_other_languages(deck: Path, photos: Path, tmp_path: Path, language: str, word: str) -> None:
    told = teach(photos / "0.png", "--deck", deck, "--out", tmp_path / "taught", "--language", language)
    assert word in told.stdout


def test_photographs_of_any_kind(deck: Path, photos: Path, tmp_path: Path) -> None:
    grey = cv2.cvtColor(photograph("O"), cv2.COLOR_BGR2GRAY)
    cv2.imwrite(str(photos / "0.png"), grey)
    cv2.imwrite(str(photos / "1.png"), photograph("T").astype(np.uint16) * 257)
    turned = Pillow.fromarray(np.ascontiguousarray(np.rot90(photograph("H"))[:, :, ::-1]))
    exif = turned.getexif()
    exif[0x0112] = 6
    turned.save(photos / "2.jpg", exif=exif, quality=95)
    (photos / "2.png").unlink()
    told = teach(photos, "--deck", deck, "--out", tmp_path / "taught")
    assert (told.returncode, told.stdout) == (0, "Taught: 3 of 3 faces.\n")


def test_bad_photographs_are_named_one_by_one(deck: Path, photos: Path, tmp_path: Path) -> None:
    cv2.imwrite(str(photos / "0.png"), np.full((480, 640, 3), 90, np.uint8))
    cv2.imwrite(str(photos / "1.png"), np.full((2, 2, 3), 90, np.uint8))
    Pillow.new("1", (12000, 9000)).save(photos / "2.png")
    told = teach(photos, "--deck", deck, "--out", tmp_path / "taught")
    assert (told.returncode, told.stderr) == (1, "")
    lines = told.stdout.splitlines()
    assert lines[0].startswith("0.png (one): there is nothing like a card")
    assert lines[1].startswith("1.png (two): too few pixels")
    assert lines[2].endswith("has more than 25 million pixels; make it smaller.")
    assert lines[3:] == ["Taught: 0 of 3 faces.", "Still missing: one, two, three"]
    assert not (tmp_path / "taught").exists()


def write_other_deck(out: Path) -> None:
    faces = [{"id": "else", "value": 1, "kind": "chaos", "count": 1}]
    (out / "deck.json").write_text(json.dumps({"name": "three", "faces": faces}))


def write_own_pictures(out: Path) -> None:
    faces = [
        {"id": name, "value": value, "kind": "chaos", "count": 1, "image": f"{name}.jpg"}
        for value, name in enumerate(IDS, 1)
    ]
    (out / "deck.json").write_text(json.dumps({"name": "three", "faces": faces}))


@pytest.mark.parametrize(
    ("write", "reason"),
    [
        (lambda out: (out / "letter.txt").write_text("Dear"), "no taught deck"),
        (write_other_deck, "another deck"),
        (write_own_pictures, "pictures of its own"),
    ],
    ids=["letter", "other deck", "own pictures"],
)
def test_other_folders_are_left_alone(deck: Path, photos: Path, tmp_path: Path, write: Any, reason: str) -> None:
    out = tmp_path / "taken"
    out.mkdir()
    write(out)
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    told = teach(photos, "--deck", deck, "--out", out)
    assert (told.returncode, told.stderr.count("\n")) == (1, 1)
    assert reason in told.stderr
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("/nowhere --deck {deck} --out {out}", "no such file"),
        ("{empty} --deck {deck} --out {out}", "no photographs"),
        ("{photos} --deck /nowhere --out {out}", "deck.json"),
        ("{photos} {photos} --deck {deck} --out {out}", "only 3 faces"),
        ("{photos} --out {out}", "3 photographs do not tell"),
        ("{photos} --out /dev/null", "there already"),
        ("{photos} --deck {deck} --out /dev/null", "no taught deck"),
        ("{photos} --deck {deck} --out /proc/taught", "cannot be written"),
    ],
)
def test_what_cannot_be_done_gets_one_line(
    deck: Path, photos: Path, tmp_path: Path, arguments: str, reason: str
) -> None:
    (tmp_path / "empty").mkdir()
    places = {"deck": deck, "photos": photos, "out": tmp_path / "taught", "empty": tmp_path / "empty"}
    told = teach(*arguments.format(**places).split())
    assert (told.returncode, told.stderr.count("\n")) == (1, 1)
    assert reason in told.stderr


def lying_alone(card: Picture, seed: int) -> Picture:
    """A photograph of a card on a dark cloth."""
    random = np.random.default_rng(seed)
    table = random.normal(60, 3, (400, 480, 3)).clip(0, 255).astype(np.uint8)
    turn = cv2.getRotationMatrix2D((94, 132), random.normal(0, 4), 1.0) + np.array([[0, 0, 140.0], [0, 0, 60.0]])
    cv2.warpAffine(card, turn, (480, 400), dst=table, borderMode=cv2.BORDER_TRANSPARENT, flags=cv2.INTER_LINEAR)
    return np.asarray(cv2.GaussianBlur(table, (0, 0), 0.7), np.uint8)


def enough_faces() -> list[Face]:
    """Four of each of three ways that rails take, and those without any: other tests read the whole deck's cut-outs."""
    return [face for face in faces() if face.shape != "across" and face.kind is not Kind.BROKEN]


@pytest.mark.further
def test_a_missing_photograph_does_not_move_those_that_follow(tmp_path: Path) -> None:
    photos, out = tmp_path / "photos", tmp_path / "taught"
    photos.mkdir()
    missing = 6
    for number, face in enumerate(enough_faces()):
        if number != missing:
            card = lying_alone(cut_out(face, number), number)
            cv2.imwrite(str(photos / f"{number:02}.png"), card[::-1, ::-1] if number == 2 else card)
    path = tmp_path / "deck.json"
    path.write_bytes(msgspec.json.encode(Deck("drawn", tuple(enough_faces()))))
    told = teach(photos, "--deck", path, "--out", out)
    assert (told.returncode, told.stderr) == (1, "")
    lines = told.stdout.splitlines()
    # 08.png is a bend to the right, and would be a bend to the left; those before it are bends to the left as well.
    assert lines[0].startswith("From 04.png on ")
    assert lines[1].startswith("02.png (track-3-straight): it was upside down")
    assert lines[2] == "Taught: 4 of 16 faces."
    assert (out / "contact-sheet.png").is_file()


@pytest.mark.further
def test_without_a_deck_everything_is_read_from_the_cards(tmp_path: Path) -> None:
    photos, out = tmp_path / "photos", tmp_path / "mine"
    photos.mkdir()
    for number, face in enumerate(enough_faces()):
        cv2.imwrite(str(photos / f"{number:02}.png"), lying_alone(cut_out(face, number), number)[::-1, ::-1])
    cv2.imwrite(str(photos / "99.png"), np.full((400, 480, 3), 90, np.uint8))
    told = teach(photos, "--out", out, "--language", "en")
    assert (told.returncode, told.stderr) == (1, "")
    lines = told.stdout.splitlines()
    assert lines[0].startswith("99.png: nothing like a card")
    assert lines[1].startswith("Read: 16 faces.")
    assert lines[1].endswith("contact-sheet.png")
    assert lines[2] == "All photographs were upside down; they have been turned the right way up."
    deck, *_ = read_deck_pictures(out)
    assert (deck.name, len(deck.faces), deck.has_rails) == ("mine", 16, True)
    for read, face in zip(deck.faces, enough_faces(), strict=True):
        assert {port.edge for port in read.ports} == {port.edge for port in face.ports}
    again = teach(photos, "--out", out)
    assert (again.returncode, again.stderr.count("\n")) == (1, 1)
    assert "there already" in again.stderr


@pytest.mark.parametrize("size", ["63", "63x", "0x88", "63x9999", "axb", "nanx88"])
def test_what_is_no_cards_size_is_refused(photos: Path, tmp_path: Path, size: str) -> None:
    told = teach(photos, "--out", tmp_path / "taught", "--card-mm", size)
    assert told.returncode == 2
    assert "is no card's size" in told.stderr


def test_pictures_that_somebody_else_made(tmp_path: Path) -> None:
    if not (SHARED / "frames" / "meadow-teach").is_dir():
        pytest.skip("the shared frames are not here")
    files = [SHARED / "frames" / "meadow-teach" / f"{number:04}.jpg" for number in range(3)]
    told = teach(*files, "--deck", SHARED / "decks" / "meadow", "--out", tmp_path / "taught")
    assert (told.returncode, told.stderr) == (1, "")
    first, missing = told.stdout.splitlines()
    assert first == "Taught: 3 of 26 faces."
    assert missing.startswith("Still missing: track-1-bend, ")
