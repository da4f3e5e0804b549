"""The gallery shows every screen that people can meet: no sentence of the controller is missing in it."""

import re

import pytest

from companion.texts.language import LANGUAGES
from tests.companion.every_screen import EveryScreen
from tests.companion.games.loknroll.gallery.test_gallery import pattern, words_of
from tests.companion.texts.message_files import sentences


@pytest.mark.parametrize(
    "language",
    # The games are the same in every language.
    [language if language == "en" else pytest.param(language, marks=pytest.mark.further) for language in LANGUAGES],
)
def test_every_sentence_of_the_controller_is_on_a_screen(language: str, every_screen: EveryScreen) -> None:
    told = sentences("games/locomotion", language, "offers", "play")
    words = {words for _, screen in every_screen(language) for words in words_of(screen)}
    missing = [key for key, text in told.items() if not any(re.search(pattern(text), each) for each in words)]
    # Only who has told of an own piece can tell of it anew, and only who has own colours can have them forgotten.
    assert missing == ["offers.describe-again", "offers.forget-colours"]
