"""Small picture files whose headers promise huge pictures."""

import struct
import zlib
from random import Random

import cv2
import numpy as np


def bomb(ending: str, width: int, height: int, random: Random) -> bytes:
    """A PNG, JPEG, BMP, PPM or TIFF of that size, by its header; a PNG that is not too large has all its pixels."""
    if ending == "png":
        return _png_bomb(width, height, keeps_promise=width * height < 10**8)
    if ending == "jpg":
        data = bytearray(cv2.imencode(".jpg", np.zeros((64, 64, 3), np.uint8))[1])
        frame = data.index(b"\xff\xc0")
        data[frame + 5 : frame + 9] = struct.pack(">HH", min(height, 65_535), min(width, 65_535))
        return bytes(data)
    if ending == "bmp":
        return b"BM" + struct.pack("<IHHIIiiHHIIiiII", 1000, 0, 0, 54, 40, width, height, 1, 24, *[0] * 6) + bytes(999)
    if ending == "ppm":
        return f"P6\n{width} {height}\n255\n".encode() + random.randbytes(1000)
    entries = [(256, 4, width), (257, 4, height), (258, 3, 8), (259, 3, 1), (262, 3, 1), (273, 4, 122), (277, 3, 1)]
    entries += [(278, 4, height), (279, 4, min(width * height, 2**32 - 1))]
    tags = b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in entries)
    return b"II*\x00\x08\x00\x00\x00" + struct.pack("<H", len(entries)) + tags + bytes(4) + random.randbytes(1000)


def _png_bomb(width: int, height: int, *, keeps_promise: bool) -> bytes:
    """A grey PNG; one that keeps its promise has all its rows, each black."""
    packer = zlib.compressobj(9)
    row = bytes(min(width, 100_000) + 1)
    rows = (packer.compress(row) for _ in range(height if keeps_promise else 3))
    pixels = b"".join(rows) + packer.flush()
    chunks = ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)), (b"IDAT", pixels), (b"IEND", b""))
    packed = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)
