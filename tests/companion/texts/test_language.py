"""The language of those who read, and the sentences in it."""

import datetime as dt

import pytest

from companion.texts.language import Texts, preferred_language


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "es_ES"}, "es"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
        ({}, "en"),
    ],
)
def test_the_environment_chooses_the_language(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], language: str
) -> None:
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    assert preferred_language() == language


def test_there_are_no_sentences_in_a_language_that_is_none() -> None:
    with pytest.raises(ValueError, match=r"'\.\./en'"):
        Texts("../en")


def test_sentences_are_read_once_and_cannot_be_changed() -> None:
    table = Texts("de")._table
    assert Texts("de")._table is table
    with pytest.raises(TypeError):
        table["dice"]["held"] = ""


@pytest.mark.parametrize(("language", "told"), [("en", "2 December 2026"), ("de", "2.12.2026"), ("es", "2/12/2026")])
def test_a_day_is_told_as_people_of_the_language_write_it(language: str, told: str) -> None:
    assert told in Texts(language)("saved.found-of", date=dt.date(2026, 12, 2))


def test_lists_are_told_with_commas() -> None:
    assert Texts("de")("dice.held", numbers=[1, (2, 3)]) == "Gehalten: 1, 2, 3"
