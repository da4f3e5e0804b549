"""A companion that is shown in all its states, and one at its list of games: each once for all tests of a worker."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.web.phone.keys import Keys
from tests.companion.every_screen import EveryScreen
from tests.companion.web.phone.every_place.showcase import Showcase
from tests.companion.web.phone.home import ServedHome


@pytest.fixture(scope="session")
def showcase(tmp_path_factory: pytest.TempPathFactory, every_screen: EveryScreen) -> Iterator[Showcase]:
    with Showcase(tmp_path_factory.mktemp("showcase"), every_screen=every_screen) as showcase:
        yield showcase


@pytest.fixture(scope="session")
def other_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedHome]:
    """Another phone is in as well."""
    folder = tmp_path_factory.mktemp("home")
    Keys(folder / "phones.json").make("Other")
    home = ServedHome(folder)
    yield home
    home.close()
