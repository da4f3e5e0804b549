"""A deck in one file: packed and read again, and refused where it is made to do harm."""

import io
import json
import struct
import warnings
import zipfile
from pathlib import Path
from typing import Final
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile, ZipInfo

import numpy as np
import pytest

from vision.cards import Deck, DeckError, Face, Kind, decode_deck
from vision.deck_pictures import read_deck_pictures
from vision.files import (
    LARGEST_ARCHIVE_BYTES,
    LARGEST_DECK_BYTES,
    MOST_ENTRIES,
    DeckFiles,
    FileError,
    TooLarge,
    archive,
    deck_archive,
    read_deck,
    read_deck_files,
    with_images,
)
from vision.picture_files import png_of

DECK: Final = Deck("two", (Face("mess", 4, Kind.CHAOS, 2), Face("Über/all", 3, Kind.CHAOS, 1)))
PICTURES: Final = {
    face: np.random.default_rng(seed).integers(0, 256, (88, 63, 3), np.uint8)
    for seed, face in enumerate(("mess", "Über/all"))
}
PNGS: Final = {face: png_of(picture) for face, picture in PICTURES.items()}
DATA: Final = json.dumps(
    {"name": "one", "faces": [{"id": "mess", "value": 4, "kind": "chaos", "count": 2, "image": "faces/mess.png"}]}
).encode()
FILES: Final = [("deck.json", DATA), ("faces/mess.png", PNGS["mess"])]


def packed(*files: tuple[str, bytes], compression: int = ZIP_DEFLATED) -> bytes:
    data = io.BytesIO()
    with warnings.catch_warnings(action="ignore"), ZipFile(data, "w", compression) as made:  # it warns of same names
        for name, content in files:
            made.writestr(name, content)
    return data.getvalue()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "my-deck.zip"


def opened(file: Path, data: bytes) -> DeckFiles:
    file.write_bytes(data)
    return read_deck_files(file)


class TestPacking:
    def test_what_is_packed_is_read_again(self, file: Path) -> None:
        file.write_bytes(deck_archive(DECK, PNGS))
        deck, pictures, back, *_ = read_deck_pictures(file)
        assert deck == read_deck(file) == with_images(DECK, DECK)
        assert [face.image for face in deck.faces] == ["faces/mess.png", "faces/face 1.png"]
        assert back is None
        assert all(np.array_equal(pictures[face], PICTURES[face]) for face in PICTURES)

    def test_the_same_deck_gives_the_same_bytes_with_the_deck_first(self) -> None:
        data = deck_archive(DECK, PNGS)
        assert data == deck_archive(DECK, dict(reversed(PNGS.items())))
        with ZipFile(io.BytesIO(data)) as read:
            assert read.namelist() == ["deck.json", "faces/mess.png", "faces/face 1.png"]
            assert {entry.date_time for entry in read.infolist()} == {(1980, 1, 1, 0, 0, 0)}
            assert {entry.compress_type for entry in read.infolist()} == {ZIP_STORED}
            assert {entry.external_attr >> 16 for entry in read.infolist()} == {0o644}
            assert decode_deck(read.read("deck.json")) == with_images(DECK, DECK)

    def test_a_face_without_a_picture_has_none_whatever_its_deck_says(self, file: Path) -> None:
        deck = opened(file, deck_archive(with_images(DECK, DECK), {"mess": PNGS["mess"]})).deck
        assert [face.image for face in deck.faces] == ["faces/mess.png", None]

    def test_the_card_size_stands_in_it(self, file: Path) -> None:
        square = decode_deck(json.dumps({**json.loads(DATA), "card_mm": [70, 70]}))
        assert opened(file, deck_archive(square, {})).deck.card_mm == (70, 70)

    def test_the_largest_pictures_that_are_kept_fit_and_stay_as_they_are(self, file: Path) -> None:
        noise = np.random.default_rng(1).integers(0, 256, (1430, 1000, 3), np.uint8)
        file.write_bytes(deck_archive(DECK, dict.fromkeys(PNGS, png_of(noise))))
        once = read_deck_pictures(file).faces
        pngs = {face: png_of(picture) for face, picture in once.items()}
        assert 110 * max(map(len, pngs.values())) < LARGEST_ARCHIVE_BYTES
        file.write_bytes(deck_archive(DECK, pngs))
        again = read_deck_pictures(file).faces
        assert all(np.array_equal(once[face], again[face]) for face in once)


class TestReading:
    @pytest.mark.parametrize("compression", [ZIP_STORED, ZIP_DEFLATED])
    @pytest.mark.parametrize(
        "files",
        [
            FILES,
            [("my deck/", b""), *((f"my deck/{name}", data) for name, data in FILES)],
            [
                *((f"deck/{name}", data) for name, data in FILES),
                ("deck/.DS_Store", b"x"),
                ("__MACOSX/deck/._deck.json", b"x"),
            ],
            [*FILES, ("contact-sheet.png", b"x"), ("back.png", b"x")],
        ],
        ids=["files", "folder", "folder packed by a Mac", "more than is needed"],
    )
    def test_an_archive_from_a_file_manager(self, file: Path, files: list[tuple[str, bytes]], compression: int) -> None:
        file.write_bytes(packed(*files, compression=compression))
        assert np.array_equal(read_deck_pictures(file).faces["mess"], PICTURES["mess"])

    @pytest.mark.parametrize("name", ["deck", "deck.json", "my deck (1).ZIP"])
    def test_an_archive_is_known_whatever_it_is_called(self, tmp_path: Path, name: str) -> None:
        (tmp_path / name).write_bytes(packed(*FILES))
        assert read_deck(tmp_path / name).size == 2

    def test_nothing_is_unpacked_to_the_disk(self, file: Path) -> None:
        file.write_bytes(packed(*FILES))
        read_deck_pictures(file)
        assert list(file.parent.iterdir()) == [file]

    def test_as_many_bytes_are_read_as_are_allowed(self, file: Path) -> None:
        read = opened(file, packed(*FILES, ("x", bytes(5000)))).read
        assert read("x", 5000) == bytes(5000)
        with pytest.raises(TooLarge, match="more than 4,999 bytes"):
            read("x", 4999)

    @pytest.mark.parametrize("image", ["../deck.json", "/etc/hostname", "./faces/mess.png", "faces//mess.png", "x\0y"])
    def test_a_picture_has_just_the_name_that_the_deck_gives_it(self, file: Path, image: str) -> None:
        read = opened(file, packed(*((f"deck/{name}", data) for name, data in FILES))).read
        with pytest.raises(FileError, match="not in the archive"):
            read(image, 1000)


def patched(data: bytes, of_local: int, of_directory: int, form: str, value: int, entry: int = 1) -> bytes:
    """An archive with another number in both headers of an entry, at these places."""
    made, at = bytearray(data), [-1, -1]
    for _ in range(entry + 1):
        at = [made.index(mark, start + 1) for mark, start in zip((b"PK\3\4", b"PK\1\2"), at, strict=True)]
    for start, place in zip(at, (of_local, of_directory), strict=True):
        struct.pack_into(form, made, start + place, value)
    return bytes(made)


def with_byte_changed(data: bytes) -> bytes:
    at = data.index(PNGS["mess"][-200:])
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def named(*names: str) -> bytes:
    return packed(*FILES, *((name, b"x") for name in names))


def with_raw_name(name: bytes) -> bytes:
    """zipfile itself would not write it."""
    return packed(*FILES, ("x" * len(name), b"x")).replace(b"x" * len(name), name)


STORED: Final = packed(*FILES, compression=ZIP_STORED)
NO_ARCHIVES: Final[dict[str, tuple[bytes, str]]] = {
    "empty": (b"", "no ZIP"),
    "text": (b"not a ZIP at all", "no ZIP"),
    "JSON": (DATA, "no ZIP"),
    "cut off": (STORED[:-30], "no ZIP"),
    "beginning alone": (STORED[: len(STORED) // 2], "no ZIP"),
    "directory elsewhere": (STORED[:-6] + b"\xff\xff\xff\x7f" + STORED[-2:], "damaged"),
    "without a file": (packed(), "no deck.json"),
    "without a deck": (packed(FILES[1]), "no deck.json"),
    "deck too deep": (packed(("a/b/deck.json", DATA)), "no deck.json"),
    "deck twice": (packed(*FILES, FILES[0]), "two files named 'deck.json'"),
    "two decks": (packed(*FILES, ("old/deck.json", DATA)), "2 deck.json"),
    "name twice": (packed(*FILES, FILES[1]), "two files named 'faces/mess.png'"),
    "above": (named("../x"), "a file named '../x'"),
    "above, inside": (named("faces/../../x"), "a file named"),
    "dot": (named("./x"), "a file named"),
    "absolute": (named("/etc/x"), "a file named '/etc/x'"),
    "back slash": (named("faces\\x"), "a file named"),
    "drive": (named("C:\\x"), "a file named"),
    "double slash": (named("faces//x"), "a file named"),
    "zero": (with_raw_name(b"mess\0png"), r"a file named 'mess\\x00png'"),
    "no name": (named("/"), "a file named"),
    "long name": (named("../" + "x" * 60_000), "a file named"),
    "too many": (named(*map(str, range(MOST_ENTRIES - 1))), "more than 1,000 files"),
    "deck encrypted": (patched(STORED, 6, 8, "<H", 1, entry=0), "encrypted"),
    "deck too large": (packed(("deck.json", DATA.ljust(LARGEST_DECK_BYTES + 1))), "too large .*more than 1,000,000"),
    "deck says it is too large": (patched(STORED, 22, 24, "<I", LARGEST_DECK_BYTES + 1, entry=0), "too large"),
    "needs a newer program": (patched(STORED, 4, 6, "<H", 99, entry=0), "no ZIP"),
}


@pytest.mark.parametrize(("data", "reason"), NO_ARCHIVES.values(), ids=NO_ARCHIVES)
def test_what_is_no_archive_of_one_deck_is_refused_by_name_in_a_line(file: Path, data: bytes, reason: str) -> None:
    file.write_bytes(data)
    with pytest.raises(DeckError, match=reason) as refused:
        read_deck(file)
    told = str(refused.value)
    assert told.startswith(f"{file}: ")
    assert "\n" not in told
    assert len(told) < len(str(file)) + 250


BAD_PICTURES: Final[dict[str, tuple[bytes, str]]] = {
    "missing": (packed(FILES[0]), "cannot be read .it is not in the archive"),
    "in another folder": (packed(("deck/deck.json", DATA), FILES[1]), "it is not in the archive"),
    "no picture": (packed(FILES[0], ("faces/mess.png", b"no picture")), "faces/mess.png is no picture, or broken"),
    "of no bytes": (packed(FILES[0], ("faces/mess.png", b"")), "faces/mess.png is empty"),
    "cut off": (packed(FILES[0], ("faces/mess.png", PNGS["mess"][:-900])), "faces/mess.png is no picture, or broken"),
    "encrypted": (patched(STORED, 6, 8, "<H", 1), "encrypted"),
    "strongly encrypted": (patched(STORED, 6, 8, "<H", 0x40), "damaged"),
    "a patch": (patched(STORED, 6, 8, "<H", 0x20), "damaged"),
    "unknown compression": (patched(STORED, 8, 10, "<H", 99), "compressed in an unusual way"),
    "other checksum": (patched(STORED, 14, 16, "<I", 1), "damaged"),
    "other bytes": (with_byte_changed(STORED), "damaged"),
    "not deflated": (patched(STORED, 8, 10, "<H", ZIP_DEFLATED), "damaged"),
    "says it is smaller": (patched(packed(*FILES), 22, 24, "<I", 100), "damaged"),
    "says it is huge": (patched(STORED, 22, 24, "<I", 0xFFFFFFFE), "more than 25,000,000 bytes"),
    "elsewhere": (patched(STORED, 0, 42, "<I", 0x7FFFFFFF), "damaged"),
}


@pytest.mark.parametrize(("data", "reason"), BAD_PICTURES.values(), ids=BAD_PICTURES)
def test_a_bad_picture_in_an_archive_is_refused_with_the_place(file: Path, data: bytes, reason: str) -> None:
    file.write_bytes(data)
    with pytest.raises(DeckError, match=reason) as refused:
        read_deck_pictures(file)
    assert str(refused.value).startswith(f"{file}: faces[0] (mess).image: ")


@pytest.mark.parametrize("compression", [ZIP_BZIP2, ZIP_LZMA])
def test_other_compression_than_the_usual_is_refused(file: Path, compression: int) -> None:
    """Though zipfile would read it: how much memory that takes is for the archive to say."""
    with pytest.raises(DeckError, match="compressed in an unusual way"):
        opened(file, packed(*FILES, compression=compression))


def test_of_a_bomb_nothing_is_unpacked(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = packed(*FILES, ("bomb", bytes(50_000_000)))
    read, sizes = opened(file, bomb).read, []

    class Counting(zipfile.ZipExtFile):
        def read(self, n: int | None = -1) -> bytes:
            sizes.append(n)
            return super().read(n)

    monkeypatch.setattr(zipfile, "ZipExtFile", Counting)
    with pytest.raises(TooLarge, match="more than 1,000 bytes"):
        read("bomb", 1000)
    assert sizes == []


def test_all_that_is_unpacked_has_a_bound_too(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many faces may name the same small file that unpacks to a large one."""
    monkeypatch.setattr(archive, "LARGEST_ARCHIVE_BYTES", 25_000)
    read = opened(file, packed(*FILES, ("bomb", bytes(10_000)))).read
    assert len(read("bomb", 10_000)) == len(read("bomb", 10_000)) == 10_000
    with pytest.raises(TooLarge, match="the archive unpacks to more than 25,000 bytes"):
        read("bomb", 10_000)


def test_a_huge_archive_is_refused(file: Path) -> None:
    with file.open("wb") as made:
        made.write(b"PK")
        made.truncate(LARGEST_ARCHIVE_BYTES + 1)
    with pytest.raises(DeckError, match="too large"):
        read_deck(file)


def test_a_link_in_an_archive_leads_nowhere(file: Path) -> None:
    link = ZipInfo("faces/mess.png")
    link.external_attr = 0o120777 << 16
    data = io.BytesIO()
    with ZipFile(data, "w") as made:
        made.writestr("deck.json", DATA)
        made.writestr(link, b"/etc/hostname")
    file.write_bytes(data.getvalue())
    with pytest.raises(DeckError, match="is no picture"):
        read_deck_pictures(file)


def test_a_folder_called_like_an_archive_is_one(file: Path) -> None:
    file.mkdir()
    (file / "deck.json").write_bytes(DATA)
    (file / "faces").mkdir()
    (file / "faces/mess.png").write_bytes(PNGS["mess"])
    assert np.array_equal(read_deck_pictures(file).faces["mess"], PICTURES["mess"])
