"""The gallery shows every screen that people can meet: no sentence of the controller is missing in it."""

import re
import string

import pytest

from companion.screen.screen import Screen
from companion.texts.language import LANGUAGES
from tests.companion.every_screen import EveryScreen
from tests.companion.texts.message_files import sentences


def words_of(screen: Screen) -> list[str]:
    return [screen.heading, screen.main, *screen.lines, *screen.choices, *screen.keys]


def pattern(sentence: str) -> str:
    """What the sentence looks like with any details in it."""
    parts = string.Formatter().parse(sentence)
    return "".join(re.escape(text) + (".+" if name else "") for text, name, _, _ in parts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_the_controller_is_on_a_screen(language: str, every_screen: EveryScreen) -> None:
    told = sentences("texts", language, "lobby", "device", "teaching")
    told |= sentences("games/loknroll", language, "offers", "play")
    words = {words for _, screen in every_screen(language) for words in words_of(screen)}
    missing = [key for key, text in told.items() if not any(re.search(pattern(text), each) for each in words)]
    assert missing == []


def test_the_screens_have_the_same_names_in_all_languages(every_screen: EveryScreen) -> None:
    english, *others = ([name for name, _ in every_screen(language)] for language in LANGUAGES)
    assert len(english) > 100
    assert all(names == english for names in others)
