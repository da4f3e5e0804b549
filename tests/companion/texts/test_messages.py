"""All message files: alike in every language, and used."""

import re
from typing import get_args

import pytest

from tests.companion.texts.message_files import ROOMS, details, sentences, source_of, unused
from vision.picture_files import Reason


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("language", ["de", "es"])
def test_every_sentence_is_translated_with_the_same_details(room: str, language: str) -> None:
    english, translated = sentences(room, "en"), sentences(room, language)
    assert list(translated) == list(english)
    for key, sentence in english.items():
        assert details(translated[key]) == details(sentence), key


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("language", ["de", "es"])
def test_each_button_is_called_as_it_is_in_this_language(room: str, language: str) -> None:
    buttons = {f"web.button-{name}": name.upper() for name in ("roll", "pass", "back")}
    own = sentences("texts", language, "web")
    others = {english for key, english in buttons.items() if own[key] != english}
    word = re.compile(r"(?<!')\b[A-Z]+\b")
    named = {key for key, text in sentences(room, language).items() if others & set(word.findall(text))}
    assert named <= set(buttons)


@pytest.mark.parametrize(
    ("section", "rooms"),
    [
        ("teach", ["commands", "../vision/teaching"]),
        ("table", ["commands"]),
        ("dice", ["commands", "device", "dice"]),
        ("run", ["device"]),
        ("saved", ["device"]),
        ("lobby", ["device"]),
        ("device", ["device", "games", "texts"]),
        ("evenings", ["games/evenings"]),
    ],
)
def test_every_sentence_of_the_host_is_used(section: str, rooms: list[str]) -> None:
    assert unused(section, sentences("texts", "en", section), source_of(*rooms)) == []


@pytest.mark.parametrize(
    ("section", "families"), [("doctor", ("part-", "verdict-")), ("wiring", ("good", "wrong", "busy", "buzzer"))]
)
def test_every_sentence_of_doctor_and_wiring_is_used(section: str, families: tuple[str, ...]) -> None:
    source = source_of(section, f"commands/{section}.py")
    names = unused(section, sentences("texts", "en", section), source)
    assert [name for name in names if not name.startswith(families)] == []


def test_there_is_a_sentence_for_every_photograph_that_is_refused() -> None:
    told = {key.removeprefix("photograph.refused-") for key in sentences("texts", "en", "photograph")}
    assert told == set(get_args(Reason))
