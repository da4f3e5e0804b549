"""The screens of the gallery, drawn up once in each language: whole games are rehearsed for them."""

from functools import cache

from companion.device.gallery import all_screens
from companion.games.registry import games
from companion.screen.screen import Screen


@cache
def every_screen(language: str) -> list[tuple[str, Screen]]:
    """All screens in a language, by their names."""
    return all_screens(language, games())
