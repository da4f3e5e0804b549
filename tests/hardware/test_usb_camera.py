"""USB cameras, as OpenCV reads them: in which form their pictures come."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from hardware.camera.usb_camera import UsbCamera
from hardware.errors import DeviceError
from hardware.settings import load_settings


class _Flat:
    """Stands in for OpenCV 4.11: what it need not or cannot convert comes as one row of bytes."""

    def __init__(self, picture: np.ndarray, width: int = 64, height: int = 48) -> None:
        self._picture = picture
        self._size = {cv2.CAP_PROP_FRAME_WIDTH: float(width), cv2.CAP_PROP_FRAME_HEIGHT: float(height)}

    def get(self, which: int) -> float:
        return self._size[which]

    def grab(self) -> bool:
        return True

    def retrieve(self) -> tuple[bool, np.ndarray]:
        return True, self._picture.reshape(1, -1)


def test_a_picture_that_comes_as_a_row_of_bytes_gets_its_shape(tmp_path: Path) -> None:
    picture = np.random.default_rng(1).integers(0, 256, (48, 64, 3)).astype(np.uint8)
    film = cv2.VideoWriter(str(tmp_path / "film.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    film.write(picture)
    film.release()
    camera = UsbCamera(replace(load_settings().camera, device=str(tmp_path / "film.avi")))
    camera.close()
    camera._capture = _Flat(picture)
    assert np.array_equal(camera.read(), picture)
    camera._capture = _Flat(picture[:, :, :2].copy())
    with pytest.raises(DeviceError, match="in a form that cannot be read"):
        camera.read()
