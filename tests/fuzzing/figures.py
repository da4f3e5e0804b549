"""How a reader has taken its inputs."""

from __future__ import annotations

import contextlib
import io
import resource
import signal
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.fuzzing.readers import Reader

LONGEST_SECONDS: Final = 5


class Figures:
    """What has come of the inputs so far."""

    def __init__(self, name: str, reader: Reader, keep: Path) -> None:
        self.name = name
        self.inputs = self.refused = 0
        self.slowest = 0.0
        self.crashes: dict[str, str] = {}
        self.corpus = reader.corpus
        self._reader, self._keep = reader, keep

    def take(self, data: bytes) -> None:
        """Gives the reader an input."""
        self.inputs += 1
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
            f"{self.name:9} {self.inputs:9,} inputs, {self.refused:9,} refused, {len(self.crashes)} distinct crashes, "
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
        (self._keep / f"{self.name}-{what}").write_bytes(data)


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
