"""Inputs that a fuzzer has found, the fewest and smallest that reach every line which any of them reached."""

from __future__ import annotations

import sys
import zlib
from pathlib import Path
from types import FrameType
from typing import Any, Final

from tests.fuzzing.figures import Figures
from tests.fuzzing.readers import CHECKOUT

CORPORA: Final = Path(__file__).parent / "corpora"
_OURS: Final = tuple(str(CHECKOUT / part) for part in ("companion", "vision", "hardware"))

Line = tuple[str, int]


def kept(name: str) -> list[bytes]:
    """The corpus of a reader."""
    return [file.read_bytes() for file in sorted((CORPORA / name).glob("*"))]


def distilled(inputs: set[bytes], figures: Figures, folder: Path) -> None:
    """Puts a reader's corpus there in place of the one before; what is known to everybody is not part of it."""
    reached = set[Line]()
    for data in figures.corpus:
        reached |= lines_reached(data, figures)
    corpus = folder / figures.name
    corpus.mkdir(parents=True, exist_ok=True)
    for file in corpus.iterdir():
        file.unlink()
    for data in sorted(inputs, key=lambda data: (len(data), data)):
        lines = lines_reached(data, figures)
        if not lines <= reached:
            reached |= lines
            (corpus / f"{zlib.crc32(data):08x}").write_bytes(data)


def lines_reached(data: bytes, figures: Figures) -> set[Line]:
    """The program's lines that reading these bytes passes through."""
    lines = set[Line]()

    def in_frame(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            lines.add((frame.f_code.co_filename, frame.f_lineno))
        return in_frame

    def at_call(frame: FrameType, _: str, __: Any) -> Any:
        return in_frame if frame.f_code.co_filename.startswith(_OURS) else None

    sys.settrace(at_call)
    try:
        figures.take(data)
    finally:
        sys.settrace(None)
    return lines
