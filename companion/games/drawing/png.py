"""PNGs of drawings."""

from xml.etree import ElementTree as ET

import resvg_py


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


def size_mm(svg: str) -> tuple[float, float]:
    """Width and height that a drawing of ours gives itself."""
    root = ET.fromstring(svg)  # noqa: S314 - only drawings made here
    width, height = (float(root.attrib[side].removesuffix("mm")) for side in ("width", "height"))
    return width, height
