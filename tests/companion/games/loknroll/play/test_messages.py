"""The controller's sentences: in every language, with the same details, and used."""

import re
import string
import tomllib
from pathlib import Path

import pytest

COMPANION = Path(__file__).parents[5] / "companion"


def sentences(language: str) -> dict[str, str]:
    table: dict[str, str] = tomllib.loads((COMPANION / f"texts/messages/{language}.toml").read_text("utf-8"))["control"]
    return table


def details(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", ["de", "es"])
def test_every_sentence_is_translated_with_the_same_details(language: str) -> None:
    english, translated = sentences("en"), sentences(language)
    assert translated.keys() == english.keys()
    for key, sentence in english.items():
        assert details(translated[key]) == details(sentence), key


def test_every_sentence_is_used_and_every_one_used_is_there() -> None:
    source = "".join(
        path.read_text() for room in ("device", "games", "texts") for path in (COMPANION / room).rglob("*.py")
    )
    named = set(re.findall(r'"(?:control\.)?([a-z0-9-]+)"', source))
    families = re.findall(r'f"(?:control\.)?([a-z-]+-)\{', source)
    keys = {re.sub("-(one|none)$", "", key) for key in sentences("en")}
    unused = [key for key in keys if key not in named and not key.startswith(tuple(families))]
    assert unused == []
    asked = set(re.findall(r'word\(\s*"([a-z-]+)"', source))
    assert asked <= sentences("en").keys()
