"""The controller's sentences are used, and those that it asks for are there."""

import re

from tests.companion.texts.message_files import sentences, source_of, unused


def test_every_sentence_is_used() -> None:
    assert unused("play", sentences("games/loknroll", "en", "play"), source_of("games/loknroll/play")) == []


def test_every_sentence_that_is_asked_for_is_there_once() -> None:
    asked = set(re.findall(r'word\(\s*"([a-z-]+)"', source_of("games/loknroll")))
    games = {key.removeprefix("play.") for key in sentences("games/loknroll", "en", "play")}
    devices = {key.removeprefix("device.") for key in sentences("texts", "en", "device")}
    assert asked <= games | devices
    assert games & devices == set()
