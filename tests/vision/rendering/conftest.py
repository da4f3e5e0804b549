"""A deck whose faces are easy to tell apart, drawn here, and a camera above it."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.rendering import Camera, camera_above

FaceImages = dict[str, NDArray[np.uint8]]


@pytest.fixture(scope="session")
def faces() -> FaceImages:
    """White cards with a big letter, and one that is all white."""
    plain = np.full((880, 630, 3), 255, dtype=np.uint8)
    lettered = {}
    for letter in "AFJ":
        picture = plain.copy()
        cv2.putText(picture, letter, (90, 640), cv2.FONT_HERSHEY_SIMPLEX, 20, (30, 30, 160), 60)
        lettered[letter] = picture
    return {"plain": plain, **lettered}


@pytest.fixture(scope="session")
def back() -> NDArray[np.uint8]:
    return np.full((880, 630, 3), (90, 40, 30), dtype=np.uint8)


@pytest.fixture(scope="session")
def slanted() -> Camera:
    """A camera that looks askew through a lens that bends lines."""
    return camera_above(
        (400, 300),
        820,
        (1640, 1232),
        tilt_deg=16,
        heading_deg=8,
        roll_deg=3,
        distortion=(-0.09, 0.02, 0.001, -0.0005, 0.0),
    )
