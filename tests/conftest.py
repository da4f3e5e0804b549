"""Our own cards and screens, drawn once, and profiles for the property tests: ``default`` is quick, ``long`` is not."""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is imported: its threads slow small matrices down
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")  # as many tests run at once as there are processors
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else each of the programs that tests start would compile itself anew
os.environ["LC_ALL"] = "C.UTF-8"  # what is told is told in English, wherever the tests run

import fcntl
import gc
import pickle
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from companion.screen.screen import Screen
    from vision.deck_pictures import DeckPictures

Once = Callable[[str, Callable[[], Any]], Any]
"""Makes what has this name, unless another worker has."""

_SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile(
    "default",
    max_examples=10,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=_SLOW_IS_FINE,
)
settings.register_profile(
    "long",
    max_examples=1000,
    deadline=None,
    derandomize=False,
    database=None,
    print_blob=True,
    suppress_health_check=_SLOW_IS_FINE,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_collectstart() -> None:
    """What is collected stays to the end: to look through it for garbage again and again takes time."""
    gc.disable()


def pytest_collection_finish() -> None:
    """From here on garbage is looked for, but not among the tests."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """For what takes seconds to make: all workers share it, by a file beside their own folders."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent

    def once(name: str, make: Callable[[], Any]) -> Any:
        with (folder / f"once-{name}").open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # until it is closed
            if not file.tell():
                file.write(pickle.dumps(make(), pickle.HIGHEST_PROTOCOL))
            file.seek(0)
            return pickle.load(file)  # noqa: S301 - ours

    return once


@pytest.fixture(scope="session")
def own(once: Once) -> DeckPictures:
    """The game's own deck. To draw it takes seconds."""
    from companion.games.loknroll.artwork.drawn_deck import drawn_deck
    from vision.deck_pictures import DeckPictures

    return DeckPictures(*once("own", lambda: drawn_deck("standard-55")[:3]))


@pytest.fixture(scope="session")
def coarse_own(once: Once) -> DeckPictures:
    """The same, 3 px a mm: enough for small pictures."""
    from companion.games.loknroll.artwork.drawn_deck import drawn_deck
    from vision.deck_pictures import DeckPictures

    return DeckPictures(*once("coarse-own", lambda: drawn_deck("standard-55", 3.0)[:3]))


@pytest.fixture(scope="session")
def every_screen(once: Once) -> Callable[[str], list[tuple[str, Screen]]]:
    """All screens of the gallery in a language, by their names: whole games are rehearsed for them."""
    from companion.device.gallery import all_screens
    from companion.games.registry import games

    @cache
    def every_screen(language: str) -> list[tuple[str, Screen]]:
        screens: list[tuple[str, Screen]] = once(f"screens-{language}", lambda: all_screens(language, games()))
        return screens

    return every_screen
