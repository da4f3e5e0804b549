"""Archives that are made to take memory and time: each is refused at once, and takes next to none of either."""

import io
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from vision.cards import DeckError
from vision.deck_pictures import read_deck_pictures
from vision.files import LARGEST_ARCHIVE_BYTES

MOST_MORE_BYTES: Final = 20_000_000
"""Than the file itself has."""
MOST_SECONDS: Final = 0.5

DECK: Final = '{"name": "x", "faces": [{"id": "x", "value": 4, "kind": "chaos", "count": 2, "image": "x.png"}]}'

READS: Final = """
import sys
import time
from pathlib import Path
from vision.deck_pictures import read_deck_pictures
from vision.cards import DeckError

def peak():
    # Not getrusage: there the peak of the process that has begun this one counts too.
    status = Path("/proc/self/status").read_text()
    return 1024 * int(status.partition("VmHWM:")[2].split()[0])

path = Path(sys.argv[1])
before, began = peak(), time.process_time()
try:
    read_deck_pictures(path)
except DeckError as error:
    print(peak() - before - path.stat().st_size, time.process_time() - began, str(error).removeprefix(f"{path}: "))
"""


def an_entry(name: bytes, more: bytes = b"", note: bytes = b"") -> bytes:
    """An entry of an archive's directory, of a file that is not there."""
    sizes = struct.pack("<3L3H2H2L", 0, 0, 0, len(name), len(more), len(note), 0, 0, 0, 0)
    return b"PK\x01\x02" + bytes((20, 0, 20, 0)) + bytes(8) + sizes + name + more + note


def with_end(directory: bytes, *, told: int = 1, size: int | None = None) -> bytes:
    size = len(directory) if size is None else size
    return directory + b"PK\x05\x06" + struct.pack("<4H2LH", 0, 0, told, told, size, 0, 0)


def two_million_entries() -> bytes:
    entry = an_entry(b"x")
    return with_end(entry * (LARGEST_ARCHIVE_BYTES // len(entry) - 1))


def long_names() -> bytes:
    entries = (an_entry(b"%065535d" % number, struct.pack("<2H", 9, 65_496) + bytes(65_496)) for number in range(700))
    return with_end(b"".join(entries))


def a_list_longer_than_the_file() -> bytes:
    return with_end(bytes(1000), size=0xFFFFFFF0)


def an_end_for_more_than_4_gb() -> bytes:
    directory = an_entry(b"x") * 1_000_000
    large = b"PK\x06\x06" + struct.pack("<Q2H2L4Q", 44, 45, 45, 0, 0, 10**6, 10**6, len(directory), 0)
    return directory + with_end(large + b"PK\x06\x07" + struct.pack("<LQL", 0, len(directory), 1), size=0xFFFFFFFF)


def zeros_that_unpack_to_a_thousand_times_as_much() -> bytes:
    data = io.BytesIO()
    with ZipFile(data, "w", ZIP_DEFLATED) as made:
        made.writestr("deck.json", DECK)
        made.writestr("x.png", bytes(24_000_000))
    return data.getvalue()


HOSTILE: Final[dict[Callable[[], bytes], str]] = {
    two_million_entries: "more than 1,000 files",
    long_names: "names too long",
    a_list_longer_than_the_file: "no ZIP, or a broken one",
    an_end_for_more_than_4_gb: "more than 4 GB",
    zeros_that_unpack_to_a_thousand_times_as_much: "100 times",
}

MORE: Final = (two_million_entries, a_list_longer_than_the_file)
"""Which show what others show as well."""


@pytest.mark.parametrize(
    "made",
    [pytest.param(made, marks=[pytest.mark.further] if made in MORE else [], id=made.__name__) for made in HOSTILE],
)
def test_it_is_refused_at_once_and_with_little_memory(made: Callable[[], bytes], tmp_path: Path) -> None:
    file = tmp_path / "deck.zip"
    file.write_bytes(made())
    told = subprocess.run([sys.executable, "-c", READS, file], capture_output=True, text=True, check=True).stdout
    more_bytes, seconds, reason = told.split(maxsplit=2)
    assert HOSTILE[made] in reason
    assert int(more_bytes) < MOST_MORE_BYTES
    assert float(seconds) < MOST_SECONDS


def test_files_that_share_their_bytes_are_refused(tmp_path: Path) -> None:
    """So a small archive would unpack to a thousand large pictures."""
    data = io.BytesIO()
    with ZipFile(data, "w", ZIP_DEFLATED) as made:
        made.writestr("deck.json", DECK)
        made.writestr("x.png", b"no picture")
        made.writestr("y.png", b"no picture")
    raw = bytearray(data.getvalue())
    outer, inner = raw.index(b"PK\x01\x02", raw.index(b"PK\x01\x02") + 1), raw.rindex(b"PK\x01\x02")
    (start,) = struct.unpack_from("<L", raw, outer + 42)
    struct.pack_into("<L", raw, inner + 42, start + 4)
    file = tmp_path / "deck.zip"
    file.write_bytes(raw)
    with pytest.raises(DeckError, match="overlaps another file"):
        read_deck_pictures(file)
