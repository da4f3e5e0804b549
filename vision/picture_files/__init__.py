"""Picture files as cameras and people make them, and our own; strangers' ones are decoded in a process of its own."""

from vision.picture_files.apart import picture_apart
from vision.picture_files.decoding import (
    LARGEST_BYTES,
    LARGEST_PIXELS,
    LONGEST_SIDE_PX,
    MOST_PASSES,
    PictureError,
    Reason,
    picture_in,
    png_of,
    read_picture,
)

__all__ = [
    "LARGEST_BYTES",
    "LARGEST_PIXELS",
    "LONGEST_SIDE_PX",
    "MOST_PASSES",
    "PictureError",
    "Reason",
    "picture_apart",
    "picture_in",
    "png_of",
    "read_picture",
]
