"""The controller's sentences are used, and those that it asks for are there."""

import re

from companion.games.loknroll.play.words import Words
from tests.companion.texts.message_files import sentences, source_of, unused
from vision.cards import standard_deck


def test_every_sentence_is_used() -> None:
    assert unused("play", sentences("games/loknroll", "en", "play"), source_of("games/loknroll/play")) == []


def test_every_sentence_that_is_asked_for_is_there_once() -> None:
    asked = set(re.findall(r'word\(\s*"([a-z-]+)"', source_of("games/loknroll")))
    games = {key.removeprefix("play.") for key in sentences("games/loknroll", "en", "play")}
    devices = {key.removeprefix("device.") for key in sentences("texts", "en", "device")}
    assert asked <= games | devices
    assert games & devices == set()


def test_cards_of_one_name_on_the_table_are_told_apart_by_their_shape() -> None:
    deck = standard_deck("standard-55")
    gone, twin, other, broken = (
        deck[face] for face in ("track-3-left", "track-3-straight", "track-2-left", "broken-3")
    )
    assert Words("en").apart([gone], [gone, twin, other]) == ["3 curve left"]
    assert Words("de").apart([gone, other], [gone, twin, other]) == ["3 Kurve links", "2"]
    assert Words("es").apart([twin], [gone, twin]) == ["3 recta"]
    assert Words("en").apart([gone, broken], [gone, broken]) == ["3", "broken track 3"]
