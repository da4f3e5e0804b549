"""Every screen that people can meet, taken from the controller itself while games are played on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from companion.games.locomotion.gallery import alone, before_and_after, beside, turns
from companion.games.settings import Settings
from companion.screen.screen import Screen

Scene = Callable[[Settings], Iterator[tuple[str, Screen]]]

SCENES: Final[tuple[Scene, ...]] = (
    *before_and_after.SCENES,
    *turns.SCENES,
    *alone.SCENES,
    *beside.SCENES,
)


def all_screens(language: str) -> Iterator[tuple[str, Screen]]:
    """Every screen of the game in a language, with a name; some look alike."""
    for scene in SCENES:
        for name, screen in scene(Settings(language=language)):
            yield f"locomotion-{name}", screen
