"""Screens of games for one and of tournaments: all that can be said there is on one, in each language."""

import re
import string

import pytest

from companion.games.locomotion.gallery.alone import SCENES
from companion.games.settings import Settings
from companion.screen import draw
from companion.screen.screen import Screen
from companion.texts.language import LANGUAGES
from tests.companion.texts.message_files import sentences


def shots(language: str) -> list[tuple[str, Screen]]:
    return [shot for scene in SCENES for shot in scene(Settings(language))]


def pattern(sentence: str) -> str:
    """What the sentence looks like with any details in it."""
    parts = string.Formatter().parse(sentence)
    return "".join(re.escape(text) + (".+" if name else "") for text, name, _, _ in parts)


@pytest.mark.parametrize(
    "language", [pytest.param(language, marks=[pytest.mark.further] * (language != "de")) for language in LANGUAGES]
)
def test_all_that_is_said_to_who_plays_alone_is_on_a_screen_of_its_own(language: str) -> None:
    told = {
        key: text
        for key, text in sentences("games/locomotion", language, "play").items()
        if re.match(r"play\.(solo|hint|tournament|no-puzzle)", key)
    }
    screens = shots(language)
    words = {word for _, screen in screens for word in (screen.heading, screen.main, *screen.lines, *screen.choices)}
    assert len(told) > 20
    assert [key for key, text in told.items() if not any(re.search(pattern(text), word) for word in words)] == []
    assert len({draw(screen).tobytes() for _, screen in screens}) == len(screens)
