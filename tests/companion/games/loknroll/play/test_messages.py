"""The controller's sentences: in every language, with the same details, and used."""

import re
import string
import tomllib
from pathlib import Path

import pytest

COMPANION = Path(__file__).parents[5] / "companion"
SECTIONS = {"play": "games/loknroll", "control": "texts"}
"""The game's own sentences, and the device's, which stand beside them."""


def sentences(language: str, section: str) -> dict[str, str]:
    path = COMPANION / SECTIONS[section] / f"messages/{language}.toml"
    table: dict[str, str] = tomllib.loads(path.read_text("utf-8"))[section]
    return table


def details(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def sources(*rooms: str) -> str:
    return "".join(path.read_text() for room in rooms for path in (COMPANION / room).rglob("*.py"))


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("language", ["de", "es"])
def test_every_sentence_is_translated_with_the_same_details(language: str, section: str) -> None:
    english, translated = sentences("en", section), sentences(language, section)
    assert translated.keys() == english.keys()
    for key, sentence in english.items():
        assert details(translated[key]) == details(sentence), key


@pytest.mark.parametrize(
    ("section", "source"), [("play", sources("games/loknroll/play")), ("control", sources("device", "games", "texts"))]
)
def test_every_sentence_is_used(section: str, source: str) -> None:
    named = set(re.findall(rf'"(?:{section}\.)?([a-z0-9-]+)"', source))
    families = re.findall(rf'f"(?:{section}\.)?([a-z-]+-)\{{', source)
    keys = {re.sub("-(one|none)$", "", key) for key in sentences("en", section)}
    assert [key for key in keys if key not in named and not key.startswith(tuple(families))] == []


def test_every_sentence_that_is_asked_for_is_there_once() -> None:
    asked = set(re.findall(r'word\(\s*"([a-z-]+)"', sources("games/loknroll")))
    games, devices = sentences("en", "play").keys(), sentences("en", "control").keys()
    assert asked <= games | devices
    assert games & devices == set()
