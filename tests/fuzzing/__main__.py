"""Gives every reader of the program what nobody would write, and tells how it took it.

`python -m tests.fuzzing --inputs 20000` drives each reader in a process of its own, `--reader NAME` one of them. With
atheris (`make fuzz-readers` installs it) new inputs are looked for where they reach new code; without it hypothesis
changes those known. A reader may refuse with its own error; all else is a crash, and its input is kept under `--keep`.
With `--distil` the smallest of what was found that reaches each line takes the place of the corpus in the project.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from tests.fuzzing.corpora import CORPORA, distilled, kept
from tests.fuzzing.figures import Figures
from tests.fuzzing.readers import CHECKOUT, READERS, Reader
from tests.fuzzing.rewritten_json import Choices, rewritten

MOST_MEMORY_MB: Final = 512
LARGEST_INPUT: Final = 30_000
TOLD_TIMES: Final = 20
CHOICES: Final = 0xFE
"""The first byte of an input that tells how to rewrite something known: no text begins with it."""


def shaped(data: bytes, reader: Reader) -> bytes:
    """What the reader is given for what the fuzzer says."""
    if reader.is_json and data[:1] == bytes([CHOICES]):
        return rewritten(reader.corpus, Choices(data[1:]))
    return data


def words(corpus: list[bytes]) -> list[bytes]:
    """What is worth putting into an input: names from the corpus, and numbers and characters that are hard to take."""
    found = {word for data in corpus for word in re.findall(rb'"[a-z_-]{1,20}"', data)}
    hard = [b"-1", b"1e308", b"1e400", b"9" * 30, b"null", b"true", b"[]", b"{}", b'""', b"\x00", b"\xff", b"[[[["]
    return sorted(found)[:100] + hard


def by_atheris(figures: Figures, reader: Reader, inputs: int, folder: Path, corpus: Path | None) -> None:
    """Does not come back."""
    import atheris

    found = folder / "found"
    found.mkdir()
    seeds = [*reader.corpus, *kept(figures.name)]
    if reader.is_json:
        seeds += [bytes([CHOICES, *(number * step % 256 for step in range(1, 12))]) for number in range(64)]
    for number, data in enumerate(seeds):
        (found / str(number)).write_bytes(data)
    escaped = ("".join(f"\\x{byte:02x}" for byte in word) for word in words(reader.corpus))
    (folder / "words").write_text("".join(f'"{word}"\n' for word in escaped))

    def one_input(data: bytes) -> None:
        figures.take(shaped(data, reader))
        if figures.inputs % max(1, inputs // TOLD_TIMES) == 0:
            print(f"{figures.name}: {figures.inputs:,} of {inputs:,}", flush=True)
        if figures.inputs >= inputs:
            print(figures.told(), flush=True)
            if corpus:
                distilled({shaped(file.read_bytes(), reader) for file in found.iterdir()}, figures, corpus)
            os._exit(bool(figures.crashes))

    flags = ["-verbosity=0", "-timeout=0", f"-rss_limit_mb={MOST_MEMORY_MB}", "-detect_leaks=0"]
    flags += [f"-max_len={LARGEST_INPUT}", f"-dict={folder / 'words'}", f"-artifact_prefix={folder}/", "-seed=1"]
    atheris.Setup([sys.argv[0], *flags, str(found)], one_input)
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
    @given(known, edits, st.booleans(), st.binary(min_size=4, max_size=20))
    def drive(data: bytes, edits: list[tuple[float, int, bytes]], is_rewritten: bool, choices: bytes) -> None:
        for share, removed, piece in edits:
            at = int(share * len(data))
            data = data[:at] + piece + data[at + removed :]
        figures.take(shaped(bytes([CHOICES]) + choices if is_rewritten else data, reader))

    drive()


def fuzz(name: str, inputs: int, keep: Path, corpus: Path | None) -> int:
    """Drives a reader in this process."""
    has_atheris = importlib.util.find_spec("atheris") is not None
    # In memory: what is written for each input would wear a disk out.
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder_name:  # noqa: S108
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
            by_atheris(figures, reader, inputs, folder, corpus)
        by_hypothesis(figures, reader, inputs)
        print(figures.told())
        return bool(figures.crashes)


def main() -> int:
    """Drives every reader, or one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=10_000, help="for each reader (default: %(default)s)")
    parser.add_argument("--reader", choices=list(READERS), help="only this one")
    parser.add_argument("--keep", type=Path, default=Path("build/fuzz"), help="of inputs (default: %(default)s)")
    parser.add_argument("--distil", action="store_true", help="renew the corpora in the project (needs atheris)")
    options = parser.parse_args()
    if options.reader:
        return fuzz(options.reader, options.inputs, options.keep, CORPORA if options.distil else None)

    def drive(name: str) -> int:
        words = ["--reader", name, "--inputs", str(options.inputs), "--keep", str(options.keep)]
        words += ["--distil"] if options.distil else []
        command = [sys.executable, "-m", "tests.fuzzing", *words]
        return subprocess.run(command, check=False, stderr=subprocess.DEVNULL, cwd=CHECKOUT).returncode

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        failed = [name for name, status in zip(READERS, pool.map(drive, READERS), strict=True) if status]
    print("Not well:" if failed else "All well.", *failed)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
