"""What the rule cards say, for each edition in each language."""

import re
import tomllib
from importlib.resources import files

import pytest

from companion.games.loknroll.printing.rule_cards import sections
from companion.games.loknroll.rules import Mode, edition_names, load_edition
from companion.texts.language import LANGUAGES, Texts
from vision.cards import standard_deck

CHAOS = {"en": "chaos", "de": "schutt", "es": "caos"}


def told(edition_name: str, language: str) -> str:
    edition, say = load_edition(edition_name), Texts(language, "companion.games.loknroll.printing")
    deck = standard_deck(edition.deck)
    return "\n".join(f"{section.title}: {section.text}" for section in sections(edition, deck, say))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", edition_names())
@pytest.mark.rule("SET2", "SET5", "SET6", "SET7")
def test_the_numbers_are_those_of_the_edition(edition: str, language: str) -> None:
    rules = load_edition(edition)
    setting_up = told(edition, language).splitlines()[0]
    numbers = [int(number) for number in re.findall(r"\d+", setting_up)]
    removed = [count for mode, count in rules.removed.items() if mode is not Mode.SOLO_HARD]
    assert numbers == [rules.start_cards, rules.emma_starts_on, *removed, rules.hand_cards]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", edition_names())
@pytest.mark.rule("CHA1", "BET1", "SOLO2")
def test_only_what_the_edition_has_is_told(edition: str, language: str) -> None:
    rules, text = load_edition(edition), told(edition, language)
    has_chaos = any(face.kind == "chaos" for face in standard_deck(rules.deck).faces)
    assert (CHAOS[language] in text.lower()) == has_chaos
    assert (rules.automaton in text) == (Mode.BETSY in rules.modes)
    assert (f" {rules.most_derailments + 1} " in text.splitlines()[-2]) == (Mode.SOLO_HARD in rules.modes)


@pytest.mark.rule("ROLL1", "SET4")
def test_editions_differ_where_their_rules_do() -> None:
    german, spanish, caboose = (told(name, "en") for name in ("german", "spanish", "loose_caboose"))
    assert "any values" in german
    assert "following the building rules" in spanish
    assert "as the laid values add up to" in german
    assert "as the value shows, however many cards" in caboose
    assert "can show two" in caboose
    assert "can show two" not in german
    assert "Laura" in spanish


def test_all_languages_say_the_same_things() -> None:
    tables = [
        tomllib.loads((files("companion.games.loknroll.printing") / "messages" / f"{language}.toml").read_text("utf-8"))
        for language in LANGUAGES
    ]
    details = [
        {
            (section, key): sorted(re.findall(r"{(\w+)}", text))
            for section, texts in table.items()
            for key, text in texts.items()
        }
        for table in tables
    ]
    assert details[0] == details[1] == details[2]
