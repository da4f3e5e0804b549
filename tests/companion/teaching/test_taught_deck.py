"""A deck made of a lesson: what people have said, measured on all photographs together, and what is doubtful."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from companion.teaching.lesson import Lesson, Photographed
from companion.teaching.taught_deck import Reason, make_deck
from tests.companion.teaching.drawn_lesson import FACES, facts, photographed
from vision.cards import Kind, standard_deck
from vision.teaching.face_names import edges_of, ordered_ports

NAMES = (*(name for name in FACES if not name.startswith("chaos")), "chaos-1", "chaos-2")


@cache
def shown(name: str) -> Photographed:
    return photographed(FACES[name], seed=list(FACES).index(name))


@pytest.fixture
def lesson(tmp_path: Path) -> Lesson:
    """All cards but two."""
    lesson = Lesson(tmp_path / "lesson")
    for name in NAMES:
        lesson.add(shown(name), facts(name))
    return lesson


def test_a_deck_has_what_was_said_under_names_of_its_own(lesson: Lesson) -> None:
    told: list[tuple[int, int]] = []
    taught = make_deck(lesson, "own", lambda done, of: told.append((done, of)))
    assert taught.doubts == ()
    assert {face.id for face in taught.deck.faces} == set(NAMES) == set(taught.faces)
    for face in taught.deck.faces:
        true = FACES[face.id]
        assert (face.value, face.kind) == (true.value, true.kind)
        for port, wanted in zip(face.ports, ordered_ports(true.ports), strict=True):
            assert port.edge is wanted.edge
            assert abs(port.offset_mm - wanted.offset_mm) < 1
    standard = standard_deck("standard-55")
    assert [face.count for face in taught.deck.faces] == [standard[face.id].count for face in taught.deck.faces]
    assert told == sorted(told)
    assert [face.kind for face in taught.deck.faces] == sorted(
        (face.kind for face in taught.deck.faces), key=list(Kind).index
    )


def test_a_card_without_its_photograph_is_lost_and_the_others_make_a_deck(lesson: Lesson) -> None:
    lesson.photograph(lesson.cards[3].number).unlink()
    taught = make_deck(lesson, "own")
    assert [(doubt.card, doubt.reason) for doubt in taught.doubts] == [(3, Reason.LOST)]
    assert len(taught.deck.faces) == len(NAMES) - 1


def test_rails_that_were_confirmed_but_are_others_are_told(lesson: Lesson) -> None:
    index = NAMES.index("track-3-right")
    wrong = facts("track-3-across")
    lesson.change(NAMES.index("track-3-across"), facts("broken-1"))
    lesson.change(index, wrong)
    doubts = [doubt for doubt in make_deck(lesson, "own").doubts if doubt.reason is Reason.RAILS]
    assert index in {doubt.card for doubt in doubts}
    told = next(doubt for doubt in doubts if doubt.card == index)
    assert set(told.edges) == set(edges_of(FACES["track-3-right"].ports))
