"""A game with other cards or other rules than its edition's is known as such, whatever it calls itself."""

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.loknroll.rules import Mode, Setup, edition_names, load_edition, set_up, with_knobs
from companion.games.loknroll.rules.variant import comparable, variant
from vision.cards import Deck, Edge, Port, standard_deck

GERMAN = load_edition("german")
STANDARD = standard_deck("standard-55")


def setup(deck: Deck = STANDARD, *, rails: bool | None = None, **knobs: str) -> Setup:
    return set_up(with_knobs(GERMAN, knobs), deck, Mode.SOLO, ["Ann"], rails=rails).setup


def with_face(index: int, **changes: Any) -> Deck:
    faces = [replace(face, **changes) if number == index else face for number, face in enumerate(STANDARD.faces)]
    return replace(STANDARD, faces=tuple(faces))


@pytest.mark.parametrize("name", edition_names())
def test_the_editions_that_come_with_the_program_are_their_own(name: str) -> None:
    edition = load_edition(name)
    played = set_up(edition, standard_deck(edition.deck), edition.modes[0], ["Ann"] * edition.modes[0].persons).setup
    assert variant(played).is_none
    assert comparable(played) == edition.title


def test_a_deck_of_ones_is_none_of_the_editions() -> None:
    ones = replace(STANDARD, faces=(replace(STANDARD.faces[0], value=1, count=55),))
    assert variant(setup(ones)).has_other_deck
    assert comparable(setup(ones)) not in {GERMAN.title, comparable(setup(with_face(0, value=2)))}


@pytest.mark.parametrize(
    "changes", [{"value": 4}, {"count": 2}, {"ports": (Port(Edge.S), Port(Edge.N, 5.0))}, {"kind": "broken"}], ids=str
)
def test_each_card_counts(changes: dict[str, Any]) -> None:
    assert variant(replace(setup(), deck=with_face(0, **changes))).has_other_deck


def test_how_cards_are_called_ordered_and_drawn_does_not_count() -> None:
    faces = [replace(face, id=f"card {number}", shape=None) for number, face in enumerate(STANDARD.faces)]
    halves = [replace(faces[0], count=1), replace(faces[0], id="more", count=faces[0].count - 1)]
    mine = Deck("mine", (*reversed(faces[1:]), *halves))
    assert variant(setup(mine)).is_none
    assert comparable(setup(mine)) == GERMAN.title


def test_knobs_are_named_and_names_are_none() -> None:
    assert variant(setup(dead_end="forbid", automaton="Bob")).knobs == ("dead_end",)
    assert variant(setup(automaton="Bob")).is_none
    assert comparable(setup(dead_end="forbid")) not in {GERMAN.title, comparable(setup(dead_end="free"))}


def test_an_edition_that_nobody_knows_is_none_of_ours() -> None:
    own = replace(setup(), edition=replace(GERMAN, title="Mine", deck="mine"))
    assert variant(own).knobs == ("title",)
    assert variant(own).has_other_deck
    assert comparable(own).startswith("Mine, ")


def test_without_places_no_rails_are_asked_for() -> None:
    bare = replace(STANDARD, faces=tuple(replace(face, ports=()) for face in STANDARD.faces))
    assert variant(setup(bare)).is_none
    assert variant(setup(with_face(0, ports=()), rails=False)).is_none
    assert variant(setup(with_face(0, value=4), rails=False)).has_other_deck
