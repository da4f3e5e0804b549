"""Decks with pictures: read as they are, refused with the place named where they cannot be."""

import io
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from vision.cards import DeckError
from vision.deck_pictures import DeckPictures, read_deck_pictures

ID = "track-1-straight"


def card(width: int = 126, height: int = 176) -> np.ndarray:
    """A picture with a red spot top left on noise, so that its way up and its colours can be told."""
    image = np.random.default_rng(1).integers(90, 130, (height, width, 3), dtype=np.uint8)
    image[: height // 4, : width // 4] = (20, 30, 220)
    return image


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A deck of one face with a good picture."""
    write_deck(tmp_path, image="face.png")
    cv2.imwrite(str(tmp_path / "face.png"), card())
    return tmp_path


def write_deck(folder: Path, **changes: object) -> None:
    face: dict[str, Any] = {"id": ID, "value": 1, "kind": "track", "count": 2}
    face |= {"ports": [{"edge": "S"}, {"edge": "N"}], **changes}
    (folder / "deck.json").write_text(json.dumps({"name": "one", "faces": [face]}))


def has_spot_top_left(image: np.ndarray) -> bool:
    height, width = image.shape[:2]
    blue, green, red = image[: height // 4 - 2, : width // 4 - 2].reshape(-1, 3).mean(axis=0)
    return bool(red > 180 and green < 80 and blue < 80)


@pytest.mark.parametrize("given", ["folder", "file"])
def test_pictures_of_a_folder_or_of_its_deck_json(folder: Path, given: str) -> None:
    deck, images, *_ = read_deck_pictures(folder if given == "folder" else folder / "deck.json")
    assert deck.name == "one"
    assert np.array_equal(images[ID], card())


def test_a_deck_that_somebody_else_drew(meadow: DeckPictures) -> None:
    deck, images, *_ = meadow
    assert set(images) == {face.id for face in deck.faces}
    assert {image.shape for image in images.values()} == {(528, 378, 3)}
    assert all(image.dtype == np.uint8 and image.std() > 20 for image in images.values())


def write_exif(folder: Path) -> None:
    """Lies on its side, and says so."""
    picture = Image.fromarray(np.ascontiguousarray(np.rot90(card())[:, :, ::-1]))
    exif = picture.getexif()
    exif[0x0112] = 6
    picture.save(folder / "face.jpg", exif=exif, quality=95)


def write_16_bit(folder: Path) -> None:
    cv2.imwrite(str(folder / "face.png"), card().astype(np.uint16) * 257)


def write_alpha(folder: Path) -> None:
    cv2.imwrite(str(folder / "face.png"), cv2.cvtColor(card(), cv2.COLOR_BGR2BGRA))


@pytest.mark.parametrize(
    ("write", "name"), [(write_exif, "face.jpg"), (write_16_bit, "face.png"), (write_alpha, "face.png")]
)
def test_pictures_come_upright_with_8_bits_and_3_channels(
    folder: Path, write: Callable[[Path], None], name: str
) -> None:
    write(folder)
    write_deck(folder, image=name)
    image = read_deck_pictures(folder).faces[ID]
    assert image.dtype == np.uint8
    assert image.shape == (176, 126, 3)
    assert has_spot_top_left(image)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_grey_pictures_become_colour(folder: Path, dtype: type[np.generic]) -> None:
    one = cv2.cvtColor(card(), cv2.COLOR_BGR2GRAY)
    cv2.imwrite(str(folder / "face.png"), one.astype(dtype) * (257 if dtype is np.uint16 else 1))
    image = read_deck_pictures(folder).faces[ID]
    assert image.shape == (176, 126, 3)
    assert np.array_equal(image[:, :, 0], one)


def encoded(kind: str, image: np.ndarray) -> bytes:
    return bytes(cv2.imencode(kind, image)[1].tobytes())


def with_thumbnail() -> bytes:
    """A JPEG whose data end in the middle of the picture, after the end of a small one inside."""
    exif = Image.Exif()
    exif[0x010E] = encoded(".jpg", card()[:40, :40]).decode("latin-1")
    buffer = io.BytesIO()
    Image.fromarray(card()).save(buffer, "JPEG", exif=exif)
    return buffer.getvalue()[:-2000]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is empty"),
        (b"not a picture at all", "no picture"),
        (encoded(".jpg", card())[:-900], "no picture, or broken"),
        (encoded(".png", card())[:-900], "no picture, or broken"),
        (with_thumbnail(), "no picture, or broken"),
        (encoded(".png", card())[:200] + bytes(40) + encoded(".png", card())[240:], "no picture, or broken"),
        (encoded(".png", card(42, 59)), "42 x 59 pixels"),
        (encoded(".png", card(1, 1)), "1 x 1 pixels"),
        (encoded(".png", card(126, 126)), "126 x 126 pixels, not the proportion of a card of 63 x 88 mm"),
        (encoded(".png", card(176, 126)), "not the proportion"),
        (encoded(".png", card(131, 176)), "not the proportion"),
    ],
)
def test_a_bad_picture_is_refused_with_the_place(folder: Path, data: bytes, reason: str) -> None:
    (folder / "face.png").write_bytes(data)
    with pytest.raises(DeckError) as caught:
        read_deck_pictures(folder)
    assert f"{folder / 'deck.json'}: faces[0] ({ID}).image: " in str(caught.value)
    assert reason in str(caught.value)


def test_3_percent_of_the_proportion_are_allowed(folder: Path) -> None:
    cv2.imwrite(str(folder / "face.png"), card(129, 176))
    assert read_deck_pictures(folder).faces[ID].shape == (176, 129, 3)


@pytest.mark.parametrize("image", [None, "", "none.png", ".", "a\0b", "x" * 5000])
def test_a_missing_picture_is_refused_with_the_place(folder: Path, image: str | None) -> None:
    write_deck(folder, image=image)
    with pytest.raises(DeckError, match=r"faces\[0\] \(track-1-straight\)\.image: "):
        read_deck_pictures(folder)


def test_bad_data_are_refused_like_everywhere(folder: Path) -> None:
    write_deck(folder, image="face.png", value=5)
    with pytest.raises(DeckError, match=r"faces\[0\] \(track-1-straight\)\.value: 5"):
        read_deck_pictures(folder)


def test_the_card_size_of_the_deck_counts(folder: Path) -> None:
    deck = json.loads((folder / "deck.json").read_text())
    (folder / "deck.json").write_text(json.dumps({**deck, "card_mm": [88, 63]}))
    with pytest.raises(DeckError, match="88 x 63 mm"):
        read_deck_pictures(folder)
    shutil.copy(folder / "face.png", folder / "upright.png")
    cv2.imwrite(str(folder / "face.png"), card(176, 126))
    assert read_deck_pictures(folder).deck.card_mm == (88, 63)


@pytest.mark.parametrize("image", ["/etc/passwd", "../face.png", "link.png", "pipe.png", "x" * 5000, "a\0b"])
def test_only_files_of_the_decks_folder_are_opened(folder: Path, image: str) -> None:
    deck = folder / "deck"
    deck.mkdir()
    (deck / "link.png").symlink_to(folder / "face.png")
    os.mkfifo(deck / "pipe.png")
    write_deck(deck, image=image)
    with pytest.raises(DeckError, match=r"image: .* cannot be read"):
        read_deck_pictures(deck)


def test_large_pictures_are_shrunk_so_that_a_deck_of_them_fits_into_a_small_computer(folder: Path) -> None:
    cv2.imwrite(str(folder / "face.png"), card(2520, 3520))
    image = read_deck_pictures(folder).faces[ID]
    assert 198_000 < image.shape[0] * image.shape[1] < 202_000
    assert abs(image.shape[1] / image.shape[0] - 63 / 88) < 0.001
    assert has_spot_top_left(image)
