"""A table that is served once for all tests of a file."""

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


@pytest.fixture(scope="module")
def chromium() -> Iterator[Chromium]:
    if not CHROMIUM.exists():
        pytest.skip("Chromium is not installed; `make test` installs it")
    with Chromium() as browser:
        yield browser
