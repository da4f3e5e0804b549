"""Picture files of every kind that people and cameras make."""

import os
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from vision.picture_files import MOST_PASSES, PictureError, read_picture

PICTURE = np.random.default_rng(1).integers(0, 256, (150, 200, 3), dtype=np.uint8)


def test_depths_and_channels_come_out_alike(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), PICTURE[..., 0])
    cv2.imwrite(str(tmp_path / "deep.png"), PICTURE.astype(np.uint16) * 257)
    cv2.imwrite(str(tmp_path / "alpha.png"), np.dstack([PICTURE, np.full((150, 200), 80, np.uint8)]))
    for name in ("grey.png", "deep.png", "alpha.png"):
        picture = read_picture(tmp_path / name)
        assert picture.shape == (150, 200, 3)
        assert picture.dtype == np.uint8
    assert np.abs(read_picture(tmp_path / "deep.png").astype(int) - PICTURE).max() <= 1


def test_a_turned_photograph_comes_out_upright(tmp_path: Path) -> None:
    picture = Image.fromarray(np.zeros((150, 200, 3), np.uint8))
    exif = picture.getexif()
    exif[0x0112] = 6
    picture.save(tmp_path / "turned.jpg", exif=exif)
    assert read_picture(tmp_path / "turned.jpg").shape == (200, 150, 3)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b"hello", "no picture"),
        (b"\xff\xd8\xff\xe0" + b"\0" * 50, "no picture"),
        (None, "No such file"),
    ],
)
def test_what_is_no_picture_is_named(tmp_path: Path, content: bytes | None, reason: str) -> None:
    path = tmp_path / "file.jpg"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(PictureError, match=reason):
        read_picture(path)


def test_a_stamp_is_too_small(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "stamp.png"), PICTURE[:40, :40])
    with pytest.raises(PictureError, match="40 x 40 px"):
        read_picture(tmp_path / "stamp.png", 120)


@pytest.mark.parametrize("size", [(208_000, 120), (120, 208_000), (10_001, 1)])
def test_a_picture_no_camera_takes_is_refused_with_the_bound(tmp_path: Path, size: tuple[int, int]) -> None:
    Image.new("L", size).save(tmp_path / "long.png")
    with pytest.raises(PictureError, match="side of more than 10,000 px"):
        read_picture(tmp_path / "long.png")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    with pytest.raises(PictureError, match="cannot be read"):
        read_picture(tmp_path / "pipe.jpg")


def test_a_jpeg_of_many_passes_is_refused_with_the_bound(tmp_path: Path) -> None:
    Image.new("L", (200, 150), 90).save(tmp_path / "few.jpg", progressive=True)
    data = (tmp_path / "few.jpg").read_bytes()
    assert read_picture(tmp_path / "few.jpg").shape == (150, 200, 3)
    last = data[data.rindex(b"\xff\xda") : -2]
    (tmp_path / "many.jpg").write_bytes(data[:-2] + last * MOST_PASSES + data[-2:])
    with pytest.raises(PictureError, match="more than 40 passes"):
        read_picture(tmp_path / "many.jpg")


def test_what_lies_behind_a_jpeg_are_no_passes(tmp_path: Path) -> None:
    (tmp_path / "moving.jpg").write_bytes(cv2.imencode(".jpg", PICTURE)[1].tobytes() + b"\xff\xda" * 1000)
    assert read_picture(tmp_path / "moving.jpg").shape == PICTURE.shape


def test_kinds_for_which_opencvs_decoders_have_known_holes_are_refused(tmp_path: Path) -> None:
    for ending in (".tiff", ".jp2"):
        (tmp_path / "named-so.jpg").write_bytes(cv2.imencode(ending, PICTURE)[1].tobytes())
        with pytest.raises(PictureError, match="give a JPEG or PNG"):
            read_picture(tmp_path / "named-so.jpg")
