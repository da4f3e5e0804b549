"""The game's sentences: complete, alike, and used."""

import re
import string
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from companion.games.loknroll.rules import steps
from companion.games.loknroll.rules.errors import TEXTS, NotAllowed
from companion.games.loknroll.wording import Wording
from companion.texts.language import LANGUAGES
from vision.cards import standard_deck

PACKAGE = Path(__file__).parents[4] / "companion"


def table(language: str) -> dict[str, Any]:
    return tomllib.loads((files("companion.games.loknroll") / "messages" / f"{language}.toml").read_text("utf-8"))


def sentences(language: str) -> dict[str, str]:
    return {
        f"{section}.{name}": sentence
        for section, entries in table(language).items()
        if not section.startswith(("errors", "steps"))
        for name, sentence in entries.items()
    }


def details(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", ["de", "es"])
def test_every_sentence_is_translated_with_the_same_details(language: str) -> None:
    english, translated = sentences("en"), sentences(language)
    assert translated.keys() == english.keys()
    for key, sentence in english.items():
        assert details(translated[key]) == details(sentence), key


@pytest.mark.parametrize("language", ["de", "es"])
def test_every_error_is_translated_with_the_same_details(language: str) -> None:
    errors = table(language)["errors"]
    assert errors.keys() == TEXTS.keys()
    for code, (message, allowed) in TEXTS.items():
        assert details(errors[code]["message"]) == details(message), code
        assert details(errors[code]["allowed"]) == details(allowed), code


@pytest.mark.parametrize("language", ["de", "es"])
def test_every_kind_of_step_has_a_name(language: str) -> None:
    kinds = {str(kind.__struct_config__.tag) for kind in steps.AnyStep.__args__}
    assert table(language)["steps"].keys() == kinds


def test_every_error_code_is_raised_somewhere() -> None:
    source = "".join(
        path.read_text() for path in (PACKAGE / "games/loknroll").rglob("*.py") if path.name != "errors.py"
    )
    raised = set(re.findall(r'"([a-z-]+)"', source))
    assert TEXTS.keys() <= raised


def test_every_sentence_is_used_somewhere() -> None:
    source = "".join(path.read_text() for path in PACKAGE.rglob("*.py"))
    patterns = [
        re.compile(re.sub(r"\{[^}]*\}", "[a-z-]+", text)) for text in re.findall(r'"([a-z-]+\.[^" ]+)"', source)
    ]
    unused = [key for key in sentences("en") if not any(pattern.fullmatch(key) for pattern in patterns)]
    assert unused == []


def test_an_error_reads_in_each_language() -> None:
    error = NotAllowed("LAY4", "difference", value=3, front=1, allowed=[1, 2, 4])
    assert str(error) == "3 on 1: difference 2. On a 1 goes 1, 2, 4. (LAY4)"
    assert Wording("en").error(error) == str(error)
    assert Wording("de").error(error) == "3 an 1: Differenz 2. An 1 passt 1, 2, 4. (LAY4)"
    assert Wording("es").error(error) == "3 junto a 1: diferencia 2. Junto a 1 va 1, 2, 4. (LAY4)"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_error_calls_a_card_by_its_id(language: str) -> None:
    """Programs do; players would not know what track-1-left is."""
    card = standard_deck("standard-55")["track-1-left"]
    for code in TEXTS:
        names = details("".join(TEXTS[code]))
        error = NotAllowed("MAT1", code, **dict.fromkeys(names, card))
        assert card.id not in Wording(language).error(error), code


def test_cards_are_called_as_in_the_rulebooks() -> None:
    deck = standard_deck("standard-55")
    faces = [deck["track-3-left"], deck["broken-2"], deck["chaos-4"]]
    told = {language: [Wording(language).face(face) for face in faces] for language in LANGUAGES}
    assert told == {
        "en": ["3", "broken track 2", "chaos 4"],
        "de": ["3", "Gleisbruch 2", "Schutt 4"],
        "es": ["3", "vía destruida 2", "caos 4"],
    }
