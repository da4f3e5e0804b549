"""The controller's sentences are used, and those that it asks for are there."""

import re

from tests.companion.texts.message_files import sentences, source_of, unused


def test_every_sentence_is_used() -> None:
    source = source_of("games/locomotion/play", "games/at_table")
    assert unused("play", sentences("games/locomotion", "en", "play"), source) == []


def test_every_sentence_that_is_asked_for_is_there_once() -> None:
    asked = set(re.findall(r'word\(\s*"([a-z-]+)"', source_of("games/locomotion", "games/at_table")))
    games = {key.removeprefix("play.") for key in sentences("games/locomotion", "en", "play")}
    devices = {key.removeprefix("device.") for key in sentences("texts", "en", "device")}
    forms = {f"{name}{form}" for name in asked for form in ("-one", "-none")}
    assert asked <= games | devices
    assert {name for name in games if not name.endswith(("-one", "-none"))} | forms >= games
    assert games & devices == set()
