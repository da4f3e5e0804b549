"""The game's sentences: complete, alike, and used."""

import re

import pytest
from msgspec.structs import replace

from companion.games.loknroll.rules import Mode, edition_names, load_edition, set_up, steps
from companion.games.loknroll.rules.errors import TEXTS, NotAllowed
from companion.games.loknroll.rules.variant import comparable
from companion.games.loknroll.wording import Wording
from companion.texts.language import LANGUAGES
from tests.companion.texts.message_files import details, message_file, sentences, source_of
from vision.cards import standard_deck


@pytest.mark.parametrize("language", ["de", "es"])
def test_every_error_is_translated_with_the_same_details(language: str) -> None:
    errors = message_file("games/loknroll", language)["errors"]
    assert errors.keys() == TEXTS.keys()
    for code, (message, allowed) in TEXTS.items():
        assert details(errors[code]["message"]) == details(message), code
        assert details(errors[code]["allowed"]) == details(allowed), code


@pytest.mark.parametrize("language", ["de", "es"])
def test_every_kind_of_step_has_a_name(language: str) -> None:
    kinds = {str(kind.__struct_config__.tag) for kind in steps.AnyStep.__args__}
    assert message_file("games/loknroll", language)["steps"].keys() == kinds


def test_every_error_code_is_raised_somewhere() -> None:
    source = source_of("games/loknroll").replace(source_of("games/loknroll/rules/errors.py"), "")
    source += source_of("games/history.py")
    assert TEXTS.keys() <= set(re.findall(r'"([a-z-]+)"', source))


def test_every_sentence_is_used_somewhere() -> None:
    patterns = [
        re.compile(re.sub(r"\{[^}]*\}", "[a-z0-9-]+", text))
        for text in re.findall(r'"([a-z-]+\.[^"\n]+)"', source_of("."))
    ]
    # ``counted`` looks for the forms of a sentence by itself.
    keys = {key: re.sub("-(one|none)$", "", key) for key in sentences("games/loknroll", "en")}
    assert [key for key, used in keys.items() if not any(pattern.fullmatch(used) for pattern in patterns)] == []


def test_an_error_reads_in_each_language() -> None:
    error = NotAllowed("LAY4", "difference", value=3, front=1, allowed=[1, 2, 4])
    assert str(error) == "3 next to 1: difference 2. Next to a 1: 1, 2, 4. (LAY4)"
    assert Wording("en").error(error) == str(error)
    assert Wording("de").error(error) == "3 an 1: Differenz 2. An eine 1 passen 1, 2, 4. (LAY4)"
    assert Wording("es").error(error) == "3 junto a 1: diferencia 2. Junto a un 1: 1, 2, 4. (LAY4)"


def test_editions_and_their_variants_have_a_name_in_each_language() -> None:
    said = {language: Wording(language) for language in LANGUAGES}
    for name in edition_names():
        title = load_edition(name).title
        assert said["en"].rules(title) == title
        assert name == "loose_caboose" or len({say.rules(title) for say in said.values()}) == 3
    start = set_up(load_edition(), standard_deck("standard-55"), Mode.SOLO, ["Ann"], rails=True)
    other = comparable(replace(start.setup, edition=replace(start.setup.edition, start_cards=3)))
    assert said["de"].rules(other).startswith("LOK'n'ROLL, deutsche Ausgabe, mit anderen Karten oder Regeln (")
    assert said["es"].rules("Of a friend, 2nd") == "Of a friend, 2nd"


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


MANY = {
    "en": "cards|dice|steps|points|names|wheels|tracks|games|degrees",
    "de": "Karten|Schritte|Punkte|Namen|Räder|Gleisbrüche|Partien|Würfel liegen",
    "es": "cartas|dados|pasos|puntos|nombres|ruedas|vías|partidas|grados",
}
NEVER_ONE = {"play.deal", "play.deal-alone", "odds.expected", "odds.expected-pile", "odds.too-many"}
"""So many cards are always removed; means have decimals; one card is never too many."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_is_never_told_as_many(language: str) -> None:
    wording, told = Wording(language), sentences("games/loknroll", language)
    texts = {key: text for key, text in told.items() if f"{key}-one" not in told and key not in NEVER_ONE}
    filled = [text.format(**dict.fromkeys(details(text), 1)) for text in texts.values()]
    filled += [
        wording.error(NotAllowed("MAT1", code, **dict.fromkeys(details("".join(TEXTS[code])), 1))) for code in TEXTS
    ]
    assert [text for text in filled if re.search(rf"(?<!of )(?<!von )(?<!de )\b1 ({MANY[language]})\b", text)] == []


def test_several_who_may_begin_are_told_as_several() -> None:
    error = NotAllowed("SET9", "starter", player=3, allowed=[1, 2])
    told = [Wording(language).reason(error)[1] for language in LANGUAGES]
    assert told == ["These may begin: 1, 2.", "Beginnen kann: 1, 2.", "Puede empezar: 1, 2."]
