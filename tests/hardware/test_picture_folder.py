"""A folder of pictures as a camera."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera import EndOfPictures
from hardware.camera.picture_folder import PictureFolder
from hardware.errors import DeviceError, Fault


def grey(level: int) -> np.ndarray:
    return np.full((48, 64, 3), level, np.uint8)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, level in (("b.png", 20), ("a.PNG", 10), ("c.jpg", 30)):
        cv2.imwrite(str(tmp_path / name), grey(level))
    (tmp_path / "truth.json").write_text("{}")
    return tmp_path


def levels(camera, count: int) -> list[int]:
    return [int(camera.read().mean()) for _ in range(count)]


def test_folder_gives_its_pictures_in_order_and_then_the_last_again(folder: Path) -> None:
    camera = PictureFolder(folder)
    picture = camera.read()
    assert (picture.shape, picture.dtype) == ((48, 64, 3), np.uint8)
    assert levels(camera, 4) == [20, 30, 30, 30]


def test_folder_can_end(folder: Path) -> None:
    camera = PictureFolder(folder, repeat_last=False)
    assert levels(camera, 3) == [10, 20, 30]
    for _ in range(2):
        with pytest.raises(EndOfPictures, match=r"c.jpg was the last"):
            camera.read()


def test_colours_are_in_the_order_b_g_r(tmp_path: Path) -> None:
    blue = np.zeros((8, 8, 3), np.uint8)
    blue[:, :, 0] = 255
    cv2.imwrite(str(tmp_path / "blue.png"), blue)
    assert np.array_equal(PictureFolder(tmp_path).read(), blue)


def test_broken_picture_is_named_and_passed_over(folder: Path) -> None:
    (folder / "b.png").write_bytes(b"")
    (folder / "a.PNG").write_bytes(b"\x89PNG what?")
    camera = PictureFolder(folder)
    for name in ("a.PNG", "b.png"):
        with pytest.raises(DeviceError, match=f"{name} is no picture") as raised:
            camera.read()
        assert raised.value.fault is Fault.UNREADABLE
    assert levels(camera, 2) == [30, 30]
    (folder / "c.jpg").unlink()
    with pytest.raises(DeviceError, match=r"c.jpg cannot be read"):
        camera.read()


@pytest.mark.parametrize("ending", [".tiff", ".jp2"])
def test_a_name_does_not_open_decoders_with_known_holes(tmp_path: Path, ending: str) -> None:
    (tmp_path / "named-so.jpg").write_bytes(cv2.imencode(ending, grey(90))[1].tobytes())
    with pytest.raises(DeviceError, match=r"named-so.jpg is no picture"):
        PictureFolder(tmp_path).read()


def test_folder_without_pictures_is_told(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="holds no pictures"):
        PictureFolder(tmp_path)
    with pytest.raises(DeviceError, match="cannot be read"):
        PictureFolder(tmp_path / "nowhere")
