"""The rules as players read them: every clause, in every language, with what the edition says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from companion.games.loknroll.game import GAME
from companion.games.loknroll.rulebook.chapters import Table, chapters
from companion.games.loknroll.rules import Edition, Mode, edition_names, load_edition
from companion.games.loknroll.rules.clauses import CLAUSES
from companion.games.loknroll.settings import with_own
from companion.games.recorded_game import Keep
from companion.games.settings import Settings
from companion.texts.language import LANGUAGES
from tests.companion.texts.message_files import sentences
from vision.cards import Deck, Kind, standard_deck

GERMAN = load_edition("german")


def told(
    edition: Edition = GERMAN,
    modes: Sequence[Mode] = tuple(Mode),
    language: str = "en",
    *,
    deck: Deck | None = None,
    rails: bool = True,
) -> dict[str, str]:
    """The clauses that hold, by their ids."""
    table = Table(edition, deck or standard_deck(edition.deck), modes, rails)
    return {clause.id: clause.text for chapter in chapters(table, language) for clause in chapter.clauses}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", edition_names())
def test_every_clause_of_an_edition_is_told_whole_and_in_order(name: str, language: str) -> None:
    edition = load_edition(name)
    clauses = told(edition, edition.modes, language)
    missing = [] if name != "loose_caboose" else [each for each in CLAUSES if each.startswith(("CHA", "SOLO", "BET"))]
    assert list(clauses) == [clause for clause in CLAUSES if clause not in missing]
    assert [name for name, text in clauses.items() if not text.strip(" .") or {"{", "}"} & set(text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_clause_stands_under_a_heading_of_its_own(language: str) -> None:
    book = chapters(Table(GERMAN, standard_deck(GERMAN.deck), list(Mode), rails=True), language)
    assert len({chapter.title for chapter in book}) == len(book) == 8
    assert all(chapter.title and chapter.clauses for chapter in book)


SAYS = {
    "automaton": ("Laura", {*(f"BET{number}" for number in (1, 3, 4, 5, 6, 8, 9)), "SET6", "SET7", "SET8", "SET9"}),
    "cards": (60, {"MAT1", "SET8"}),
    "start_cards": (5, {"SET2", "SET8"}),
    "emma_starts_on": (2, {"SET5"}),
    "direction": ("chosen", {"SET5"}),
    "hand_cards": (3, {"SET7", "SET8"}),
    "dice_count": ("value", {"ROLL1"}),
    "die": ((0, 1, 2), {"MAT3", "ROLL2"}),
    "most_derailments": (5, {"SOLO2"}),
    "setup_difference_rule": (True, {"SET4"}),
    "automaton_starts": (False, {"SET9"}),
    "broken_on_pass": (False, {"PASS4"}),
    "dead_end": ("forbid", {"LAY5"}),
    "loops": ("forbidden", {"LAY5"}),
    "removed": ({**GERMAN.removed, Mode.THREE: 10}, {"SET6", "SET8"}),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("knob", SAYS)
def test_the_text_is_that_of_the_edition_that_is_played(knob: str, language: str) -> None:
    value, clauses = SAYS[knob]
    before, after = told(language=language), told(replace(GERMAN, **{knob: value}), language=language)
    assert {name for name in before if before[name] != after[name]} == clauses


def test_every_knob_is_told() -> None:
    assert set(Edition.__struct_fields__) - {"title", "deck"} == SAYS.keys()


def test_numbers_are_those_of_the_game() -> None:
    clauses = told(modes=[Mode.THREE])
    assert "46 with plain track, 4 with broken track, 5 with chaos" in clauses["MAT1"]
    assert "4 with a wheel, 2 blank" in clauses["MAT3"]
    assert clauses["SET6"].endswith("in this game: 9.")
    assert clauses["SET8"] == "Cards then left in the draw pile: 36."
    assert "with 3 players 36, with 4 players 36, alone 38, against Betsy 38" in told()["SET8"]
    assert "number 4" in told()["SOLO2"]
    assert told(replace(GERMAN, hand_cards=1), [Mode.SOLO])["SET7"] == "You are dealt 1 card."


@pytest.mark.parametrize(
    ("mode", "away"),
    [
        (Mode.TWO, ("SOLO", "BET")),
        (Mode.SOLO, ("BET", "SOLO2", "SOLO3", "SET9", "END4")),
        (Mode.SOLO_HARD, ("BET", "SET9", "END4")),
        (Mode.BETSY, ("SOLO", "END4")),
    ],
)
def test_what_cannot_come_up_in_a_game_is_left_out(mode: Mode, away: tuple[str, ...]) -> None:
    assert list(told(modes=[mode])) == [clause for clause in CLAUSES if not clause.startswith(away)]


def test_a_deck_without_broken_tracks_has_no_rules_about_them() -> None:
    deck = standard_deck(GERMAN.deck)
    plain = Deck(deck.name, tuple(face for face in deck.faces if face.kind is not Kind.BROKEN))
    broken = ("MAT2", "PASS4", "BRK", "SOLO3", "BET6")
    assert list(told(deck=plain)) == [clause for clause in CLAUSES if not clause.startswith(broken)]


def test_where_rails_are_not_known_it_is_said_that_they_are_not_checked() -> None:
    assert "not whether the rails meet" in told(rails=False)["MAT4"]
    assert "rails meet" not in told()["MAT4"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_said_of_some_game(language: str) -> None:
    removed = {**GERMAN.removed, Mode.SOLO_HARD: 9}
    one = replace(GERMAN, hand_cards=1, dead_end="free", automaton_starts=False, removed=removed)
    other = replace(load_edition("loose_caboose"), dead_end="forbid", hand_cards=1, broken_on_pass=False)
    tables = [*map(load_edition, edition_names()), one, other]
    books = [
        chapters(Table(edition, standard_deck(edition.deck), modes, rails), language)
        for edition in tables
        for rails in (False, True)
        for modes in (edition.modes, *([mode] for mode in edition.modes))
    ]
    said = " ".join(
        " ".join((chapter.title, *(clause.text for clause in chapter.clauses))) for b in books for chapter in b
    )
    pieces = {
        key: max(sentence.replace("}", "{").split("{")[::2], key=len)
        for key, sentence in sentences("games/loknroll/rulebook", language).items()
    }
    assert [key for key, piece in pieces.items() if piece not in said] == []


def test_a_play_and_the_settings_before_it_say_the_same(tmp_path: Path) -> None:
    settings = with_own(Settings("es"), edition="spanish", knobs={"hand_cards": "3"})
    play = GAME.begin("betsy", Keep(tmp_path / "game.jsonl", tmp_path), settings, None, Random(1))
    play.close()
    before = {clause.id: clause.text for chapter in GAME.rules(settings, None) for clause in chapter.clauses}
    now = {clause.id: clause.text for chapter in play.rules("es") for clause in chapter.clauses}
    assert "Laura" in now["BET1"]
    assert now["SET4"] == before["SET4"]
    assert "3 cartas" in now["SET7"]
    assert "SOLO1" in before.keys() - now.keys()
