"""Pictures of drawings."""

from xml.etree import ElementTree as ET

import cv2
import numpy as np
import resvg_py
from numpy.typing import NDArray


def rasterized(svg: str, px_per_mm: float) -> NDArray[np.uint8]:
    """The drawing as an image, BGR with 8 bits a channel."""
    return decoded(png_of(svg, px_per_mm))


def png_of(svg: str, px_per_mm: float) -> bytes:
    """The drawing as a PNG, which takes a sixth of the image's memory."""
    width, height = size_mm(svg)
    png: bytes = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=round(width * px_per_mm),
        height=round(height * px_per_mm),
        dpi=25.4,  # with its own 0 a mm has no pixels
        skip_system_fonts=True,
        background="#ffffff",
    )
    return png


def decoded(png: bytes) -> NDArray[np.uint8]:
    """The image in a PNG of a drawing: height × width × 3, B, G, R."""
    return np.asarray(cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def size_mm(svg: str) -> tuple[float, float]:
    """Width and height that a drawing of ours gives itself."""
    root = ET.fromstring(svg)  # noqa: S314 - only drawings made here
    width, height = (float(root.attrib[side].removesuffix("mm")) for side in ("width", "height"))
    return width, height
