"""Pictures of strangers: whatever they are, the process that asks for them neither waits for ever nor fills up."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
import pytest
from PIL import Image

from tests.tools.picture_bombs import bomb
from vision.picture_files import PictureError, apart, picture_apart, picture_in
from vision.picture_files.apart import LARGEST_FILE_BYTES

PICTURE: Final = np.random.default_rng(1).integers(0, 256, (150, 200, 3), dtype=np.uint8)


def packed(kind: str, **more: object) -> bytes:
    data = io.BytesIO()
    Image.fromarray(PICTURE).save(data, kind, **more)
    return data.getvalue()


def turned() -> bytes:
    exif = Image.Exif()
    exif[0x0112] = 6
    return packed("JPEG", exif=exif)


@pytest.mark.parametrize(
    "data",
    [turned(), pytest.param(packed("PNG"), marks=pytest.mark.further), packed("WEBP", lossless=True)],
    ids=["JPEG", "PNG", "WebP"],
)
def test_it_comes_out_as_it_would_here(data: bytes) -> None:
    assert np.array_equal(picture_apart(data, "x"), picture_in(data, "x"))


def test_more_pixels_than_a_small_computer_has_memory_for_come_with_half_the_sides() -> None:
    data = io.BytesIO()
    Image.new("L", (5700, 4274), 90).save(data, "JPEG")
    picture = picture_apart(data.getvalue(), "x")
    assert picture.shape == (2137, 2850, 3)
    assert abs(float(picture.mean()) - 90) < 2


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (turned()[:-900], "broken"),
        (packed("GIF"), "broken"),
        pytest.param(packed("TIFF"), "broken", marks=pytest.mark.further),
        pytest.param(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "broken", marks=pytest.mark.further),
        (bomb("png", 30_000, 30_000, Random(1)), "large"),
        pytest.param(bomb("jpg", 65_500, 200, Random(1)), "long", marks=pytest.mark.further),
        (bytes(LARGEST_FILE_BYTES + 1), "bytes"),
    ],
    ids=["nothing", "cut off", "GIF", "TIFF", "PostScript", "bomb", "long", "huge"],
)
def test_what_is_no_picture_of_ours_is_refused_in_words(data: bytes, reason: str) -> None:
    with pytest.raises(PictureError, match=r"^photo\.jpg .*[a-zG]\.$") as refused:
        picture_apart(data, "photo.jpg")
    assert refused.value.reason == reason


def test_the_process_that_asks_takes_no_more_memory_than_what_it_gets() -> None:
    script = """
from pathlib import Path
from random import Random
from tests.tools.picture_bombs import bomb
from vision.picture_files import picture_apart

def peak():
    return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) << 10

data = bomb("png", 4999, 4999, Random(1))
before = peak()
print(picture_apart(data, "x").nbytes, peak() - before)
"""
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    got, more = map(int, told.split())
    assert 18_000_000 < got < 19_000_000
    assert more < got + 5_000_000


def answering(monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    monkeypatch.setattr(apart, "_PROGRAM", (sys.executable, "-S", "-c", f"import os, sys, time, struct\n{script}"))


@pytest.mark.parametrize("script", ["time.sleep(600)", "sys.stdin.buffer.read(); time.sleep(600)"])
def test_one_that_never_ends_is_ended(script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, script)
    monkeypatch.setattr(apart, "PATIENCE_SECONDS", 0.3)
    with pytest.raises(PictureError, match="takes too long") as refused:
        picture_apart(bytes(LARGEST_FILE_BYTES), "x")
    assert refused.value.reason == "time"


@pytest.mark.parametrize(
    "answer",
    [
        "b''",
        "b'P'",
        "struct.pack('<cII', b'P', 2, 2) + bytes(11)",
        "struct.pack('<cII', b'P', 0, 7)",
        "struct.pack('<cII', b'P', 2**32 - 1, 2**32 - 1) + bytes(1000)",
        "struct.pack('<cII', b'P', 10_001, 1) + bytes(30_003)",
    ],
)
def test_an_answer_that_cannot_be_right_is_a_refusal(answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, f"sys.stdin.buffer.read(); sys.stdout.buffer.write({answer})")
    with pytest.raises(PictureError) as refused:
        picture_apart(b"x", "x")
    assert refused.value.reason == "memory"


def test_while_it_decodes_it_opens_nothing_and_takes_little() -> None:
    script = """
import socket
from vision.picture_files.limited import give_up
give_up()
for harm in (
    lambda: open("/etc/hostname"),
    lambda: open("/tmp/x", "w"),
    lambda: socket.socket(),
    lambda: bytearray(200_000_000),
):
    try:
        harm()
    except (OSError, MemoryError) as error:
        print(type(error).__name__)
while True:
    pass
"""
    script = script.replace(
        "give_up()\n", "from vision.picture_files import limited\nlimited.CPU_SECONDS = 1\ngive_up()\n"
    )
    program = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert program.stdout.split() == ["OSError"] * 3 + ["MemoryError"]
    assert program.returncode == -24  # SIGXCPU


@pytest.mark.skipif(not os.access("/usr/bin/systemd-analyze", os.X_OK), reason="systemd-analyze is not installed")
def test_its_limits_can_be_set_under_the_service() -> None:
    unit = (Path(__file__).parents[3] / "systemd/companion.service").read_text()
    denied = next(line for line in unit.splitlines() if line.startswith("SystemCallFilter=~")).partition("~")[2].split()
    told = subprocess.run(["systemd-analyze", "syscall-filter", *denied], capture_output=True, text=True, check=True)
    assert "prlimit64" not in told.stdout.split()
    assert "OOMPolicy=continue" in unit.splitlines()
