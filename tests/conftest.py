"""Our own cards, drawn once, and profiles for the property tests: ``default`` is quick, ``long`` is for nights."""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is imported: its threads slow small matrices down
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")  # as many tests run at once as there are processors
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else each of the programs that tests start would compile itself anew
os.environ["LC_ALL"] = "C.UTF-8"  # what is told is told in English, wherever the tests run

import gc
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from vision.deck_pictures import DeckPictures

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


def pytest_collection_finish() -> None:
    """What was collected stays to the end: to look through it for garbage again and again takes time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def own() -> DeckPictures:
    """The game's own deck. To draw it takes seconds."""
    from companion.games.loknroll.artwork.drawn_deck import drawn_deck

    return drawn_deck("standard-55")


@pytest.fixture(scope="session")
def coarse_own() -> DeckPictures:
    """The same, 3 px a mm: enough for small pictures."""
    from companion.games.loknroll.artwork.drawn_deck import drawn_deck

    return drawn_deck("standard-55", 3.0)
