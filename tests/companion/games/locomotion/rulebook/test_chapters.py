"""The rules as players read them: every clause, in every language, as they are played."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.games.locomotion.game import GAME
from companion.games.locomotion.rulebook.chapters import Table, chapters
from companion.games.locomotion.rules import Behind, Gap, Knobs, Mode
from companion.games.locomotion.rules.clauses import CLAUSES
from companion.games.locomotion.settings import with_own
from companion.games.recorded_game import Keep
from companion.games.settings import Settings
from companion.texts.language import LANGUAGES
from tests.companion.texts.message_files import sentences

EVERYTHING = Table(tuple(Mode), (1, 2, 3, 4), 4, Knobs(), is_tournament=True)


def told(table: Table = EVERYTHING, language: str = "en") -> dict[str, str]:
    """The clauses that hold, by their ids."""
    return {clause.id: clause.text for chapter in chapters(table, language) for clause in chapter.clauses}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_clause_is_told_whole_and_in_order(language: str) -> None:
    clauses = told(language=language)
    assert list(clauses) == list(CLAUSES)
    assert [name for name, text in clauses.items() if not text.strip(" .") or {"{", "}"} & set(text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_clause_stands_under_a_heading_of_its_own(language: str) -> None:
    book = chapters(EVERYTHING, language)
    assert len({chapter.title for chapter in book}) == len(book) == 9
    assert all(chapter.title and chapter.clauses for chapter in book)


SAYS = {
    "knobs-reverse": ({"knobs": Knobs(reverse_in_turn=False)}, {"LRUN4"}),
    "knobs-gap": ({"knobs": Knobs(gap=Gap.A_DOT)}, {"LCPL3"}),
    "knobs-behind": ({"knobs": Knobs(behind=Behind.BACK_ONLY)}, {"LCPL7"}),
    "colours": ({"colours": 2}, {"LSET7"}),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("what", SAYS)
def test_the_text_is_that_of_the_rules_that_are_played(what: str, language: str) -> None:
    changes, clauses = SAYS[what]
    before, after = told(language=language), told(EVERYTHING._replace(**changes), language)  # type: ignore[arg-type]
    assert {name for name in before if before[name] != after[name]} == clauses


@pytest.mark.parametrize(
    ("table", "missing"),
    [
        (EVERYTHING._replace(modes=(Mode.DIE,)), {"LSPD1", "LSPD2", "LSPD3", "LSPD4", "LSPD5"}),
        (EVERYTHING._replace(modes=(Mode.SPEED,)), {"LDIE2"}),
        (EVERYTHING._replace(players=(2,), is_tournament=False), {"LSOLO1", "LSOLO2", "LTRN1"}),
        (EVERYTHING._replace(players=(1,), is_tournament=False), {"LSET5", "LDIE1", "LTRN1"}),
    ],
)
def test_what_cannot_come_up_is_left_out(table: Table, missing: set[str]) -> None:
    assert set(CLAUSES) - set(told(table)) == missing


def test_who_plays_alone_reads_nothing_of_others() -> None:
    alone = " ".join(told(EVERYTHING._replace(players=(1,), is_tournament=False)).values())
    assert "wins" not in alone
    assert "another's" not in alone


def test_every_sentence_is_told_somewhere() -> None:
    tables = [
        EVERYTHING._replace(players=players, knobs=knobs)
        for players in ((1,), (2,), (1, 2))
        for knobs in (Knobs(), Knobs(reverse_in_turn=False, gap=Gap.A_DOT, behind=Behind.BACK_ONLY))
    ]
    texts = " ".join(text for table in tables for text in told(table).values())
    begun = {key: text.split("{")[0] for key, text in sentences("games/locomotion/rulebook", "en").items()}
    assert [key for key, text in begun.items() if not key.startswith("chapter.") and text not in texts] == []


def test_a_play_and_the_next_game_tell_theirs(tmp_path: Path) -> None:
    settings = with_own(Settings("de", has_camera=False), gap=Gap.A_DOT, network="key", colours=2)
    before = {clause.id: clause.text for chapter in GAME.rules(settings, None) for clause in chapter.clauses}
    assert list(before) == list(CLAUSES)
    assert "rückt der Zug einen Punkt ab" in before["LCPL3"]
    play = GAME.begin("die", Keep(tmp_path / "game.jsonl", tmp_path), settings, None, Random(1))
    prepared = play.rules("es")
    assert "LSPD1" not in {clause.id for chapter in prepared for clause in chapter.clauses}
    assert prepared[0].title == "Material"
    play.close()
