"""Feeds `companion see` pictures by the thousand that no camera makes: run with `make fuzz`.

All in one process and through the command itself. Each file must be answered by one line, a reading or a clear
message; pictures without cards must give none; the process must not grow. ``--seed`` and ``--only`` make a file again.
"""

import argparse
import contextlib
import faulthandler
import gc
import io
import json
import math
import os
import statistics
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from companion.commands.cli import main as companion
from companion.games.loknroll.artwork.drawn_deck import read_with_our_back
from tests.tools.damaged_pictures import KINDS, Maker, Sample

BATCH: Final = 50
"""So many files are given to the command at once."""
PX_PER_MM: Final = 4
"""Of the faces; with the finer ones that the command draws by itself each batch would begin with seconds of drawing."""
MOST_GROWTH_MB: Final = 25.0
"""From the middle of the first half after warming up to that of the second."""
SLOW_S: Final = 10.0


class Answer(NamedTuple):
    """What the command said about a file: a reading or a message, and how long it took."""

    reading: dict[str, Any] | None
    message: str
    seconds: float


class _Lines(io.StringIO):
    """Takes what is printed line by line, with the time of each."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[tuple[float, str]] = []

    def write(self, text: str) -> int:
        written = super().write(text)
        *whole, rest = self.getvalue().split("\n")
        if whole:
            self.lines += [(time.perf_counter(), line) for line in whole]
            self.seek(0)
            self.truncate()
            super().write(rest)
        return written


class Fuzzing:
    """A run: what has been read so far and what was wrong with it."""

    def __init__(self, seed: int, keep: Path | None, deck: Path) -> None:
        self.seed = seed
        self.keep = keep
        self.deck = deck
        pictures = read_with_our_back(deck)
        self.faces = set(pictures.faces)
        self.maker = Maker(pictures, seed)
        self.faults: list[str] = []
        self.read: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.seconds: dict[str, list[float]] = {kind: [] for kind in KINDS}
        self.memory_mb: list[float] = []

    def run(self, numbers: list[int]) -> Iterator[int]:
        """Reads the files with these numbers; yields how many are done."""
        for start in range(0, len(numbers), BATCH):
            with tempfile.TemporaryDirectory() as folder:
                self._batch(Path(folder), numbers[start : start + BATCH])
            gc.collect()
            self.memory_mb.append(memory_mb("VmRSS"))
            yield min(start + BATCH, len(numbers))

    def _batch(self, folder: Path, numbers: list[int]) -> None:
        samples: dict[Path, tuple[int, Sample]] = {}
        for number in numbers:
            sample = self.maker.make(number)
            path = folder / f"{number}.{sample.ending}"
            path.write_bytes(sample.data)
            samples[path] = (number, sample)
        waiting = list(samples)
        while waiting:
            answers, fault = see(waiting, self.deck)
            for path, answer in answers.items():
                self._judge(*samples[path], answer)
            waiting = [path for path in waiting if path not in answers]
            if fault or waiting:
                # The first that was not answered is at fault; the others get another chance.
                self._blame(*samples[waiting[0] if waiting else path], fault or "was not answered")
                waiting = waiting[1:]

    def _judge(self, number: int, sample: Sample, answer: Answer) -> None:
        self.seconds[sample.kind].append(answer.seconds)
        if answer.seconds > SLOW_S:
            self._blame(number, sample, f"took {answer.seconds:.0f} s")
        if answer.reading is None:
            self.refused[sample.kind] += 1
            if "\n" in answer.message or len(answer.message) > 300:
                self._blame(number, sample, f"has no clear message: {answer.message!r}")
            return
        self.read[sample.kind] += 1
        for card in answer.reading["cards"]:
            if sample.is_empty:
                self._blame(number, sample, f"has a card that is not there: {card}")
            numbers = [part for corner in card["corners_px"] for part in corner] + [card["likeness"]]
            if card["face"] not in self.faces or len(numbers) != 9 or not all(map(math.isfinite, numbers)):
                self._blame(number, sample, f"has an impossible card: {card}")

    def _blame(self, number: int, sample: Sample, fault: str) -> None:
        self.faults.append(f"--seed {self.seed} --only {number} ({sample.kind}, {sample.ending}) {fault}")
        if self.keep:
            self.keep.mkdir(parents=True, exist_ok=True)
            (self.keep / f"{self.seed}-{number}.{sample.ending}").write_bytes(sample.data)

    @property
    def growth_mb(self) -> float:
        """By how much the process has grown after the first batches."""
        settled = self.memory_mb[len(self.memory_mb) // 4 :]
        middle = len(settled) // 2
        return statistics.median(settled[middle:]) - statistics.median(settled[: middle or 1])


def see(paths: list[Path], deck: Path) -> tuple[dict[Path, Answer], str]:
    """What `companion see` answers, and the trace if it fails."""
    out, err, fault = _Lines(), _Lines(), ""
    start = time.perf_counter()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), quiet_libraries():
        try:
            companion(["see", "--json", "--deck", str(deck), *map(str, paths)])
        except KeyboardInterrupt:
            raise
        except BaseException:  # noqa: BLE001 - whatever it is, it is what we look for
            fault = traceback.format_exc()
    if any(line == "Stopped." for _, line in err.lines):
        raise KeyboardInterrupt
    by_name = {path.name: path for path in paths}
    said: list[tuple[float, Path, dict[str, Any] | None, str]] = []
    for when, line in out.lines:
        reading = json.loads(line)
        said.append((when, by_name[reading["image"]], reading, ""))
    for when, line in err.lines:
        of = [path for path in paths if line.startswith(f"{path} ")]
        if of:
            said.append((when, of[0], None, line))
        else:
            fault += f"\nsaid without a file: {line}"
    answers: dict[Path, Answer] = {}
    for when, path, read, message in sorted(said, key=lambda one: one[0]):
        answers[path] = Answer(read, message, when - start if answers else 0.0)  # the first includes the deck's loading
        start = when
    return answers, fault


@contextlib.contextmanager
def quiet_libraries() -> Iterator[None]:
    """Keeps what libraries write to the error output by themselves off the terminal."""
    sys.__stderr__.flush()
    kept = os.dup(2)
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def memory_mb(what: str) -> float:
    """Of this process: VmRSS now, VmHWM at its highest."""
    for line in Path("/proc/self/status").read_text("utf-8").splitlines():
        if line.startswith(f"{what}:"):
            return int(line.split()[1]) / 1024
    raise ValueError(what)


def report(fuzzing: Fuzzing, seconds: float) -> bool:
    """Prints what came of it; returns whether all went well."""
    done = fuzzing.read.total() + fuzzing.refused.total()
    print(f"{done} files in {seconds:.0f} s, seed {fuzzing.seed}")
    print("  kind                  read   refused   median s   longest s")
    for kind, times in fuzzing.seconds.items():
        if times:
            counts = f"{fuzzing.read[kind]:4}      {fuzzing.refused[kind]:4}"
            print(f"  {kind:20}  {counts}   {statistics.median(times):8.2f}   {max(times):9.2f}")
    grows = len(fuzzing.memory_mb) >= 8 and fuzzing.growth_mb > MOST_GROWTH_MB
    if fuzzing.memory_mb:
        path = " ".join(f"{mb:.0f}" for mb in fuzzing.memory_mb[:: max(1, len(fuzzing.memory_mb) // 10)])
        print(f"  memory in MB, along the way: {path}; at its highest {memory_mb('VmHWM'):.0f}")
        print(f"  growth after warming up: {fuzzing.growth_mb:.1f} MB (at most {MOST_GROWTH_MB:.0f})")
    print(f"  faults: {len(fuzzing.faults)}")
    for fault in fuzzing.faults:
        print(f"  {fault}")
    return not fuzzing.faults and not grows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", metavar="N", type=int, default=2000, help="how many (default: %(default)s)")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="the same number, the same files")
    parser.add_argument("--only", metavar="N", type=int, nargs="+", help="the files with these numbers")
    parser.add_argument("--keep", metavar="DIR", type=Path, help="where to put the files that were answered badly")
    options = parser.parse_args()
    faulthandler.enable()
    with tempfile.TemporaryDirectory() as folder:
        deck = Path(folder) / "deck"
        with contextlib.redirect_stdout(_Lines()):
            companion(["deck", "faces", "--out", str(deck), "--px-per-mm", str(PX_PER_MM)])
        return run(Fuzzing(options.seed, options.keep, deck), options.only or list(range(options.files)))


def run(fuzzing: Fuzzing, numbers: list[int]) -> int:
    """Reads the files and reports; returns the exit status."""
    start = time.perf_counter()
    try:
        for done in fuzzing.run(numbers):
            if sys.stderr.isatty():
                print(
                    f"\r{done} of {len(numbers)}, faults: {len(fuzzing.faults)} ", end="", file=sys.stderr, flush=True
                )
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        report(fuzzing, time.perf_counter() - start)
        return 130
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return 0 if report(fuzzing, time.perf_counter() - start) else 1


if __name__ == "__main__":
    sys.exit(main())
