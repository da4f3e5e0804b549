"""Pictures of drawings."""

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.drawing.png import png_of


def rasterized(svg: str, px_per_mm: float) -> NDArray[np.uint8]:
    """The drawing as an image, BGR with 8 bits a channel."""
    return decoded(png_of(svg, px_per_mm))


def decoded(png: bytes) -> NDArray[np.uint8]:
    """The image in a PNG of a drawing: height × width × 3, B, G, R."""
    return np.asarray(cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR), np.uint8)
