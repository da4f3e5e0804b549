"""The sentences of the doctor and of the wiring page: in every language, with the same details, and used."""

import re
import string
import tomllib
from pathlib import Path

import pytest

COMPANION = Path(__file__).parents[3] / "companion"


def sentences(language: str, section: str) -> dict[str, str]:
    table: dict[str, str] = tomllib.loads((COMPANION / f"texts/messages/{language}.toml").read_text("utf-8"))[section]
    return table


def details(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("section", ["doctor", "wiring"])
@pytest.mark.parametrize("language", ["de", "es"])
def test_every_sentence_is_translated_with_the_same_details(language: str, section: str) -> None:
    english, translated = sentences("en", section), sentences(language, section)
    assert translated.keys() == english.keys()
    for key, sentence in english.items():
        assert details(translated[key]) == details(sentence), key


@pytest.mark.parametrize("section", ["doctor", "wiring"])
def test_every_sentence_is_used(section: str) -> None:
    files = [*(COMPANION / section).glob("*.py"), COMPANION / f"commands/{section}.py"]
    source = "".join(path.read_text() for path in files)
    named = set(re.findall(rf'["\'](?:{section}\.)?([a-z0-9-]+)["\']', source))
    families = ("part-", "verdict-", "good", "wrong", "busy", "buzzer")
    assert [key for key in sentences("en", section) if key not in named and not key.startswith(families)] == []
