"""What reads things from outside, each with inputs that it takes and the errors with which it may refuse others."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

RECORDS: Final = Path(__file__).parents[1] / "companion/games/records/loknroll"
CHECKOUT: Final = Path(__file__).parents[2]

Read = Callable[[bytes], object]


class Reader(NamedTuple):
    """Something that reads what comes from outside: what it is given at first, and the errors it may refuse with."""

    read: Read
    corpus: list[bytes]
    refusals: tuple[type[Exception], ...]
    is_json: bool = True


def record(folder: Path) -> Reader:
    """Records are read, told, and gone on with. Their checksums are made to fit: else no change would get through."""
    from companion.games.loknroll.game import GAME
    from companion.games.recorded_game import Keep
    from companion.games.settings import Settings
    from companion.record.file import RecordError, read_record

    path = folder / "game.jsonl"

    def read(data: bytes) -> None:
        path.write_bytes(fitting(data))
        recording = read_record(path)
        for _ in GAME.told(path, recording, "en"):
            pass
        GAME.resume(Keep(path, folder), Settings(), no_chance()).close()

    return Reader(read, [begun(file, 8) for file in sorted((RECORDS / "played").glob("*.jsonl"))], (RecordError,))


def shunting(folder: Path) -> Reader:
    """Records of Locomotion, told, summed up, and drawn at their end."""
    from companion.games.locomotion.game import GAME
    from companion.record.file import RecordError, read_record

    path = folder / "game.jsonl"

    def read(data: bytes) -> None:
        path.write_bytes(fitting(data))
        recording = read_record(path)
        for _ in GAME.told(path, recording, "en"):
            pass
        GAME.summary(path, recording)
        for _ in GAME.rolls(recording):
            pass
        GAME.picture(path, recording)
        GAME.face(path, recording, "network")

    known = sorted((RECORDS.parent / "locomotion").glob("*-*.jsonl"))
    return Reader(read, [begun(file, 12) for file in known], (RecordError,))


def notes(folder: Path) -> Reader:
    """Notes beside a game that goes on with them."""
    from companion.games.loknroll.game import GAME
    from companion.games.recorded_game import Keep
    from companion.games.settings import Settings
    from companion.record.file import RecordError

    known = sorted((RECORDS / "noted").glob("*.jsonl"))
    games = [begun(file, 4) for file in known]

    def read(data: bytes) -> None:
        number, data = (data[0], data[1:]) if data else (0, b"")
        path = folder / "game.jsonl"
        path.write_bytes(games[number % len(games)])
        path.with_suffix(".notes").write_bytes(data)
        GAME.resume(Keep(path, folder), Settings(), no_chance()).close()

    corpus = [bytes([number]) + file.with_suffix(".notes").read_bytes() for number, file in enumerate(known)]
    return Reader(read, corpus, (RecordError,))


def settings(folder: Path) -> Reader:
    """The settings that people have changed; whatever stands there, there are settings."""
    from companion.device.settings_file import SettingsFile
    from companion.games.loknroll.game import GAME
    from companion.games.settings import player_names

    path = folder / "settings.json"

    def read(data: bytes) -> None:
        path.write_bytes(data)
        kept = SettingsFile(path).settings
        GAME.offers(kept, None)
        GAME.options(kept, None)
        player_names(kept, 4)

    return Reader(read, [(RECORDS / "left/settings.json").read_bytes()], ())


def deck(folder: Path) -> Reader:
    """The data of a deck, and whether it can be played with."""
    from companion.games.loknroll.rules import Mode, RuleError, load_edition, set_up
    from companion.games.loknroll.rules.variant import comparable
    from vision.cards import DeckError
    from vision.files import read_deck

    def read(data: bytes) -> None:
        (folder / "deck.json").write_bytes(data)
        cards = read_deck(folder)
        edition = load_edition("loose_caboose" if cards.size == 50 else "german")
        comparable(set_up(edition, cards, Mode.TWO, ["Ann", "Ben"]).setup)

    known = CHECKOUT / "vision/cards"
    return Reader(read, [file.read_bytes() for file in sorted(known.glob("*.json"))], (DeckError, RuleError))


def archive(folder: Path) -> Reader:
    """A deck and its picture in one file: packed by us, and by a file manager."""
    import io
    from zipfile import ZIP_DEFLATED, ZipFile

    import numpy as np

    from vision.cards import Deck, DeckError, Face, Kind
    from vision.deck_pictures import read_deck_pictures
    from vision.files import deck_archive
    from vision.picture_files import png_of

    path = folder / "deck.zip"

    def read(data: bytes) -> None:
        path.write_bytes(data)
        read_deck_pictures(path)

    one = Deck("one", (Face("mess", 4, Kind.CHAOS, 2),))
    ours = deck_archive(one, {"mess": png_of(np.zeros((88, 63, 3), np.uint8))})
    theirs = io.BytesIO()
    with ZipFile(io.BytesIO(ours)) as packed, ZipFile(theirs, "w", ZIP_DEFLATED) as again:
        again.mkdir("my deck")
        for name in packed.namelist():
            again.writestr(f"my deck/{name}", packed.read(name))
    return Reader(read, [ours, theirs.getvalue()], (DeckError,), is_json=False)


def saved(folder: Path) -> Reader:
    """A companion in one file; what is not refused is put in place and saved again."""
    from companion.device.between_games.keeping.changing_over import change_over
    from companion.device.between_games.keeping.loading import load
    from companion.device.between_games.keeping.parts import KeepingError
    from companion.device.between_games.keeping.saving import saved as pieces

    path, state = folder / "saved.zip", folder / "state"
    state.mkdir()
    for name, data in (("settings.json", b"{}"), ("table.json", b"[1]"), ("devices.toml", b"[camera]\nwidth = 64")):
        (state / name).write_bytes(data)
    (state / "game.jsonl").write_bytes(begun(min((RECORDS / "played").glob("*.jsonl")), 3))

    def read(data: bytes) -> None:
        path.write_bytes(data)
        load(path, state)
        change_over(state)
        assert b"".join(pieces(state))

    return Reader(read, [b"".join(pieces(state))], (KeepingError,), is_json=False)


def devices(folder: Path) -> Reader:
    """The settings of the devices."""
    from hardware.settings import DEFAULTS, SettingsError, load_settings

    path = folder / "devices.toml"

    def read(data: bytes) -> None:
        path.write_bytes(data)
        load_settings(path)

    some = b'[display]\ncontroller = "sh1106"\n[camera]\nkind = "folder"\ndevice = "x"\nwidth = 640\n'
    return Reader(read, [DEFAULTS.read_bytes(), some], (SettingsError,), is_json=False)


def pictures(folder: Path) -> Reader:
    """The headers of pictures, and what comes behind them."""
    import cv2
    import numpy as np

    from vision.picture_files import PictureError, read_picture

    path = folder / "picture"

    def read(data: bytes) -> None:
        path.write_bytes(data)
        read_picture(path)

    picture = np.random.default_rng(1).integers(0, 256, (24, 16, 3), np.uint8)
    endings = (".jpg", ".png", ".bmp", ".webp", ".ppm")
    return Reader(
        read, [cv2.imencode(ending, picture)[1].tobytes() for ending in endings], (PictureError,), is_json=False
    )


def messages(_: Path) -> Reader:
    """What a page sends."""
    from companion.web.virtual_table.messages import MessageError, read_message

    def read(data: bytes) -> None:
        read_message(data.decode("utf-8", "surrogatepass"))

    known = [
        {"type": "move", "number": 3, "x": 1.5, "y": -2, "turn": 90},
        {"type": "put", "number": 3, "place": "hand", "owner": 1},
        {"type": "push", "numbers": [1, 2], "x": 1, "y": 2},
        {"type": "disturb", "light": "evening", "glare": True},
        {"type": "press", "button": "roll", "held": True},
        {"type": "new", "game": "loknroll", "kind": "betsy"},
        {"type": "speak", "language": "de"},
    ]
    return Reader(read, [json.dumps(message).encode() for message in known], (MessageError, UnicodeDecodeError))


def things(_: Path) -> Reader:
    """The things of a virtual table, kept over a restart."""
    from companion.virtual.snapshot import SnapshotError, read_snapshot, shuffled
    from vision.cards import standard_deck

    ours = standard_deck("standard-55")
    kept = shuffled(ours, ["Ann", "Betsy"], 1, 7).json()
    return Reader(lambda data: read_snapshot(data, ours), [kept], (SnapshotError,))


READERS: Final[dict[str, Callable[[Path], Reader]]] = {
    reader.__name__: reader
    for reader in (record, shunting, notes, settings, deck, archive, saved, devices, pictures, messages, things)
}


def begun(record: Path, lines: int) -> bytes:
    """The first lines of a game: the longer it is, the fewer inputs a second there are, and each tries less of it."""
    return b"".join(record.read_bytes().splitlines(keepends=True)[:lines])


def fitting(data: bytes) -> bytes:
    """Lines with the checksums that belong to them; what is no line of a record stays as it is."""
    from companion.record import file

    lines, checksum = [], 0
    for line in data.split(b"\n"):
        try:
            told = json.loads(line)
            told.pop("check", None)
            encoded, checksum = file._encode(told, checksum)
        except (ValueError, RecursionError, AttributeError, TypeError, OverflowError):
            encoded = line + b"\n" if line else b""
        lines.append(encoded)
    return b"".join(lines)


def no_chance() -> Any:
    return Random(1)
