"""Gives every reader of the program what nobody would write, and tells how it took it.

`python -m tests.tools.fuzz_readers --inputs 20000` drives each reader in a process of its own, `--reader NAME` one of
them. With atheris (`pip install atheris`) new inputs are looked for where they reach new code; without it hypothesis
changes those known. A reader may refuse with its own error; all else is a crash, and its input is kept under `--keep`.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from tests.tools.rewritten_json import rewritten

RECORDS: Final = Path(__file__).parents[1] / "companion/games/records/loknroll"
CHECKOUT: Final = Path(__file__).parents[2]
LONGEST_SECONDS: Final = 20
MOST_MEMORY_MB: Final = 2048
LARGEST_INPUT: Final = 30_000

Read = Callable[[bytes], object]


class Reader(NamedTuple):
    """Something that reads what comes from outside: what it is given at first, and the errors it may refuse with."""

    read: Read
    corpus: list[bytes]
    refusals: tuple[type[Exception], ...]
    is_json: bool = True


def record(folder: Path) -> Reader:
    """Records are read, told, and gone on with. Their checksums are made to fit: else no change would get through."""
    from companion.games.game import Keep
    from companion.games.loknroll.game import GAME
    from companion.games.settings import Settings
    from companion.record.file import RecordError, read_record

    path = folder / "game.jsonl"

    def read(data: bytes) -> None:
        path.write_bytes(fitting(data))
        recording = read_record(path)
        for _ in GAME.told(path, recording, "en"):
            pass
        GAME.resume(Keep(path, folder), Settings(), no_chance()).close()

    corpus = [file.read_bytes() for file in sorted((RECORDS / "played").glob("*.jsonl"))]
    return Reader(read, [data for data in corpus if len(data) < LARGEST_INPUT], (RecordError,))


def notes(folder: Path) -> Reader:
    """Notes beside a game that goes on with them."""
    from companion.games.game import Keep
    from companion.games.loknroll.game import GAME
    from companion.games.settings import Settings
    from companion.record.file import RecordError

    known = sorted((RECORDS / "noted").glob("*.jsonl"))

    def read(data: bytes) -> None:
        number, data = (data[0], data[1:]) if data else (0, b"")
        path = folder / "game.jsonl"
        path.write_bytes(known[number % len(known)].read_bytes())
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
    endings = (".jpg", ".png", ".bmp", ".tif", ".webp", ".ppm")
    return Reader(
        read, [cv2.imencode(ending, picture)[1].tobytes() for ending in endings], (PictureError,), is_json=False
    )


def messages(_: Path) -> Reader:
    """What a page sends."""
    from companion.web.messages import MessageError, read_message

    def read(data: bytes) -> None:
        read_message(data.decode("utf-8", "surrogatepass"))

    known = [
        {"type": "move", "number": 3, "x": 1.5, "y": -2, "turn": 90},
        {"type": "put", "number": 3, "place": "hand", "owner": 1},
        {"type": "push", "numbers": [1, 2], "x": 1, "y": 2},
        {"type": "disturb", "light": "evening", "glare": True},
        {"type": "press", "button": "roll", "held": True},
        {"type": "new", "game": "loknroll", "kind": "betsy", "language": "de"},
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
    reader.__name__: reader for reader in (record, notes, settings, deck, devices, pictures, messages, things)
}


class Figures:
    """What has come of the inputs so far."""

    def __init__(self, name: str, reader: Reader, keep: Path) -> None:
        self.inputs = self.refused = 0
        self.slowest = 0.0
        self.crashes: dict[str, str] = {}
        self._name, self._reader, self._keep = name, reader, keep

    def take(self, data: bytes) -> None:
        """Gives the reader an input."""
        self.inputs += 1
        if self._reader.is_json and self.inputs > len(self._reader.corpus) and self.inputs % 2:
            data = rewritten(self._reader.corpus, data + self.inputs.to_bytes(4))
        begun = time.perf_counter()
        try:
            with alarm(), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                self._reader.read(data)
        except self._reader.refusals:
            self.refused += 1
        except Exception as error:  # noqa: BLE001  # each is what is looked for
            self._crashed(data, error)
        seconds = time.perf_counter() - begun
        if seconds > self.slowest:
            self.slowest = seconds
            self._kept("slowest", data)

    def told(self) -> str:
        """A line, and one for each crash."""
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        line = (
            f"{self._name:9} {self.inputs:7} inputs, {self.refused:7} refused, {len(self.crashes)} distinct crashes, "
            f"slowest {self.slowest:.2f} s, peak memory {peak:.0f} MB"
        )
        return "\n".join([line, *(f"  {where}: {what}" for where, what in self.crashes.items())])

    def _crashed(self, data: bytes, error: Exception) -> None:
        ours = [frame for frame in traceback.extract_tb(error.__traceback__) if "/tests/" not in frame.filename]
        last = ours[-1] if ours else None
        where = f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}" if last else type(error).__name__
        if where not in self.crashes:
            self.crashes[where] = f"{error}"[:200]
            self._kept(f"crash-{len(self.crashes)}", data)

    def _kept(self, what: str, data: bytes) -> None:
        self._keep.mkdir(parents=True, exist_ok=True)
        (self._keep / f"{self._name}-{what}").write_bytes(data)


@contextlib.contextmanager
def alarm() -> Iterator[None]:
    """What takes too long is a crash too."""

    def ring(*_: object) -> None:
        raise TimeoutError(f"longer than {LONGEST_SECONDS} s")

    signal.signal(signal.SIGALRM, ring)
    signal.alarm(LONGEST_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)


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


def words(corpus: list[bytes]) -> list[bytes]:
    """What is worth putting into an input: names from the corpus, and numbers and characters that are hard to take."""
    found = {word for data in corpus for word in re.findall(rb'"[a-z_-]{1,20}"', data)}
    hard = [b"-1", b"1e308", b"1e400", b"9" * 30, b"null", b"true", b"[]", b"{}", b'""', b"\x00", b"\xff", b"[[[["]
    return sorted(found)[:100] + hard


def by_atheris(figures: Figures, reader: Reader, inputs: int, folder: Path) -> None:
    """Does not come back."""
    import atheris

    seeds = folder / "seeds"
    seeds.mkdir()
    for number, data in enumerate(reader.corpus):
        (seeds / str(number)).write_bytes(data)
    escaped = ("".join(f"\\x{byte:02x}" for byte in word) for word in words(reader.corpus))
    (folder / "words").write_text("".join(f'"{word}"\n' for word in escaped))

    def one_input(data: bytes) -> None:
        figures.take(data)
        if figures.inputs >= inputs:
            print(figures.told(), flush=True)
            os._exit(bool(figures.crashes))

    flags = ["-verbosity=0", "-timeout=0", f"-rss_limit_mb={MOST_MEMORY_MB}", "-detect_leaks=0"]
    flags += [f"-max_len={LARGEST_INPUT}", f"-dict={folder / 'words'}", f"-artifact_prefix={folder}/", "-seed=1"]
    atheris.Setup([sys.argv[0], *flags, str(seeds)], one_input)
    atheris.Fuzz()


def by_hypothesis(figures: Figures, reader: Reader, inputs: int) -> None:
    """Changes what is known in a few places."""
    from hypothesis import HealthCheck, Phase, given
    from hypothesis import settings as how
    from hypothesis import strategies as st

    known = st.sampled_from(reader.corpus)
    pieces = st.binary(max_size=8) | st.sampled_from(words(reader.corpus))
    edits = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 40), pieces), min_size=1, max_size=5)

    @how(max_examples=inputs, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=HealthCheck)
    @given(known, edits)
    def drive(data: bytes, edits: list[tuple[float, int, bytes]]) -> None:
        for share, removed, piece in edits:
            at = int(share * len(data))
            data = data[:at] + piece + data[at + removed :]
        figures.take(data)

    drive()


def fuzz(name: str, inputs: int, keep: Path) -> int:
    """Drives a reader in this process."""
    has_atheris = importlib.util.find_spec("atheris") is not None
    with tempfile.TemporaryDirectory() as folder_name:
        folder = Path(folder_name)
        os.environ["XDG_STATE_HOME"] = folder_name
        looked_at: contextlib.AbstractContextManager[object] = contextlib.nullcontext()
        if has_atheris:
            import atheris

            looked_at = atheris.instrument_imports(include=["companion", "vision", "hardware"])
        with looked_at, contextlib.redirect_stderr(io.StringIO()):
            reader = READERS[name](folder)
        figures = Figures(name, reader, keep)
        for data in reader.corpus:
            figures.take(data)
        if figures.refused or figures.crashes:
            print(f"{name}: what is known is not read: {figures.told()}")
            return 1
        if has_atheris:
            by_atheris(figures, reader, inputs, folder)
        by_hypothesis(figures, reader, inputs)
        print(figures.told())
        return bool(figures.crashes)


def main() -> int:
    """Drives every reader, or one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=10_000, help="for each reader (default: %(default)s)")
    parser.add_argument("--reader", choices=list(READERS), help="only this one")
    parser.add_argument("--keep", type=Path, default=Path("build/fuzz"), help="of inputs (default: %(default)s)")
    options = parser.parse_args()
    if options.reader:
        return fuzz(options.reader, options.inputs, options.keep)
    failed = []
    for name in READERS:
        words = ["--reader", name, "--inputs", str(options.inputs), "--keep", str(options.keep)]
        done = subprocess.run(
            [sys.executable, "-m", "tests.tools.fuzz_readers", *words], check=False, stderr=subprocess.DEVNULL
        )
        if done.returncode:
            failed.append(name)
    print("Not well:" if failed else "All well.", *failed)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
