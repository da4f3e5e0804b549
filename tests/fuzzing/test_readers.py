"""A slice of `make fuzz-readers`: what the fuzzer has found worth keeping, and some new inputs."""

from pathlib import Path

import pytest

from tests.fuzzing.__main__ import by_hypothesis
from tests.fuzzing.corpora import kept
from tests.fuzzing.figures import Figures
from tests.fuzzing.readers import READERS, Reader

SOME = 100


@pytest.fixture(params=READERS)
def reader(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, Reader]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return request.param, READERS[request.param](tmp_path)


def test_what_is_known_is_read_and_all_else_is_refused_in_time(reader: tuple[str, Reader], tmp_path: Path) -> None:
    name, made = reader
    known = Figures(name, made, tmp_path / "kept")
    for data in made.corpus:
        known.take(data)
    assert (known.refused, known.crashes) == (0, {})
    strange = Figures(name, made, tmp_path / "kept")
    for data in kept(name):
        strange.take(data)
    by_hypothesis(strange, made, SOME)
    assert strange.inputs >= SOME
    assert strange.crashes == {}
