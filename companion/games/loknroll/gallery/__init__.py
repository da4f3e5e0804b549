"""Every screen that people can meet, taken from the controller itself while games are played on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from companion.games.loknroll.gallery import before_and_after, beside, turns
from companion.games.settings import Settings
from companion.screen.screen import Screen
from companion.texts.language import Texts

Scene = Callable[[Settings], Iterator[tuple[str, Screen]]]

SCENES: Final[tuple[Scene, ...]] = (*before_and_after.SCENES, *turns.SCENES, *beside.SCENES)


def all_screens(say: Texts) -> list[tuple[str, Screen]]:
    """Every screen in a language with a name of its own; no screen is there twice."""
    shots: dict[str, Screen] = {}
    for scene in SCENES:
        for name, screen in scene(Settings(language=say.language)):
            if screen not in shots.values():
                shots[name] = screen
    return list(shots.items())
