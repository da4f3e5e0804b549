"""A browser for all tests of a worker, and a table that is served once for all tests of a file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.companion.web.browsers import CHROMIUM, Chromium, ServedTable


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedTable]:
    with ServedTable(tmp_path_factory.mktemp("table")) as table:
        yield table


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("games")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """One for all: each page has a context of its own, as if it were another browser's."""
    if not CHROMIUM.exists():
        pytest.skip("Chromium is not installed; `make test` installs it")
    with Chromium() as browser:
        yield browser
