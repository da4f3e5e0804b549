"""What is in the box: cards, values, dice."""

import json
from collections import Counter
from collections.abc import Callable
from importlib.resources import files

import msgspec
import pytest

from companion.games.loknroll.rules import (
    Draw,
    Game,
    Lay,
    Mode,
    NotAllowed,
    Phase,
    Roll,
    StartCard,
    State,
    load_edition,
    set_up,
)
from vision.cards import CARD_MM, Deck, DeckError, Edge, Kind, Port, decode_deck, standard_deck

Table = Callable[..., Game]
Do = Callable[..., State]


@pytest.fixture
def deck() -> Deck:
    return standard_deck("standard-55")


def values(deck: Deck, kind: Kind) -> list[int]:
    return sorted(card.value for card in deck.cards() if card.kind is kind)


@pytest.mark.rule("MAT1")
def test_of_55_cards_46_are_plain_track_4_broken_and_5_chaos(deck: Deck) -> None:
    assert deck.size == len(list(deck.cards())) == 55
    assert Counter(card.kind for card in deck.cards()) == {Kind.TRACK: 46, Kind.BROKEN: 4, Kind.CHAOS: 5}


@pytest.mark.rule("MAT1")
def test_every_card_has_a_value_from_1_to_4(deck: Deck) -> None:
    assert {card.value for card in deck.cards()} == {1, 2, 3, 4}


@pytest.mark.rule("MAT1")
@pytest.mark.parametrize("value", [0, 5])
def test_a_deck_with_another_value_is_refused(value: int) -> None:
    data = {"name": "odd", "faces": [{"id": "odd", "value": value, "kind": "track", "count": 1}]}
    with pytest.raises(DeckError, match="1 to 4"):
        decode_deck(json.dumps(data))


@pytest.mark.rule("MAT1")
def test_a_deck_of_another_size_than_the_editions_is_refused() -> None:
    with pytest.raises(NotAllowed) as refused:
        set_up(load_edition("german"), standard_deck("standard-50"), Mode.TWO, ["Ann", "Ben"])
    assert (refused.value.clause, refused.value.code) == ("MAT1", "cards-in-deck")
    assert "50" in refused.value.message
    assert "55" in refused.value.message


@pytest.mark.rule("MAT2")
def test_broken_tracks_can_be_part_of_the_initial_railway(table: Table, row: Callable[..., str]) -> None:
    assert row(table("b1 b2 b3 b4").state.railway.faces) == "b1 b2 b3 b4"


@pytest.mark.rule("MAT2", "ROLL1")
def test_a_broken_track_is_laid_and_its_value_counts_for_the_dice(table: Table, do: Do) -> None:
    game = table("1 1 1 1")
    do(game, Draw(), Lay("broken-2"))
    assert not game.can(Roll((0,)))
    assert game.can(Roll((0, 0)))


@pytest.mark.rule("MAT2", "LAY4")
@pytest.mark.parametrize(("front", "laid"), [("1", "broken-3"), ("b1", "track-3-right"), ("b4", "broken-2")])
def test_broken_tracks_are_matched_by_value_like_others(table: Table, do: Do, front: str, laid: str) -> None:
    game = table(f"1 1 1 {front}")
    do(game, Draw())
    with pytest.raises(NotAllowed) as refused:
        game.do(Lay(laid))
    assert refused.value.clause == "LAY4"


@pytest.mark.rule("MAT2", "LAY0")
def test_broken_and_plain_cards_of_one_value_are_laid_together(table: Table, do: Do) -> None:
    state = do(table("1 1 1 1"), Draw(), Lay("broken-2"), Lay("track-2-right"))
    assert state.laid == 2


@pytest.mark.rule("MAT3")
def test_a_die_has_4_wheel_faces_and_2_blank_ones() -> None:
    assert Counter(load_edition("german").die) == {1: 4, 0: 2}


@pytest.mark.rule("MAT3")
@pytest.mark.parametrize("wheels", [2, -1])
def test_a_die_cannot_show_other_than_a_wheel_or_nothing(table: Table, do: Do, wheels: int) -> None:
    game = table()
    do(game, Draw(), Lay("track-2-right"))
    with pytest.raises(NotAllowed) as refused:
        game.do(Roll((0, wheels)))
    assert (refused.value.clause, refused.value.code) == ("MAT3", "dice-face")
    assert "0, 1" in refused.value.allowed
    assert game.state.phase is Phase.BUILDING


@pytest.mark.rule("MAT4")
def test_the_default_spread_of_values(deck: Deck) -> None:
    plain = Counter(values(deck, Kind.TRACK))
    assert [plain[value] for value in (1, 2, 3, 4)] == [12, 12, 11, 11]
    assert values(deck, Kind.BROKEN) == [1, 2, 3, 4]
    assert values(deck, Kind.CHAOS) == [1, 2, 3, 4, 4]


@pytest.mark.rule("MAT4")
@pytest.mark.parametrize("name", ["standard-55", "standard-50"])
def test_the_default_is_marked_as_assumed(name: str) -> None:
    assert standard_deck(name).assumed


@pytest.mark.rule("MAT4")
def test_default_cards_measure_63_by_88_mm_with_rails_in_the_middle_of_two_edges(deck: Deck) -> None:
    assert deck.card_mm == CARD_MM == (63, 88)
    for face in deck.faces:
        assert face.size_mm == (63, 88)
        assert len({port.edge for port in face.ports}) == (2 if face.is_track else 0)
        assert {port.offset_mm for port in face.ports} <= {0}


@pytest.mark.rule("MAT4")
def test_another_spread_in_the_decks_data_is_the_one_that_counts() -> None:
    data = json.loads((files("vision.cards") / "standard-55.json").read_text())
    counts = {face["id"]: face for face in data["faces"]}
    counts["track-1-straight"]["count"] -= 1
    counts["chaos-1"]["count"] += 1
    deck = decode_deck(json.dumps(data))
    assert deck.size == 55
    assert values(deck, Kind.CHAOS) == [1, 1, 2, 3, 4, 4]


@pytest.mark.rule("MAT4")
def test_without_entered_rails_a_deck_is_played_as_a_list_of_values(deck: Deck) -> None:
    bare = msgspec.structs.replace(
        deck, faces=tuple(msgspec.structs.replace(face, ports=()) for face in deck.faces), card_mm=(70, 120)
    )
    state = set_up(load_edition("german"), bare, Mode.SOLO, ["Ann"])
    assert not state.setup.rails
    assert Game(state).can(StartCard("track-1-straight"))
    with pytest.raises(NotAllowed) as refused:
        set_up(load_edition("german"), bare, Mode.SOLO, ["Ann"], rails=True)
    assert (refused.value.clause, refused.value.code) == ("MAT4", "rails")


@pytest.mark.rule("MAT1", "MAT4")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("count", 0),
        ("id", ""),
        ("ports", [{"edge": "N"}]),
        ("ports", [{"edge": "N"}, {"edge": "N"}]),
        ("ports", [{"edge": "N", "offset_mm": 40}, {"edge": "S"}]),
        ("kind", "bridge"),
    ],
)
def test_impossible_data_of_a_face_are_refused(field: str, value: object) -> None:
    face = {"id": "odd", "value": 1, "kind": "track", "count": 1} | {field: value}
    with pytest.raises(DeckError):
        decode_deck(json.dumps({"name": "odd", "faces": [face]}))


@pytest.mark.rule("MAT1")
def test_a_chaos_card_has_no_rails() -> None:
    face = {"id": "odd", "value": 1, "kind": "chaos", "count": 1, "ports": [{"edge": "N"}, {"edge": "S"}]}
    with pytest.raises(DeckError, match="chaos"):
        decode_deck(json.dumps({"name": "odd", "faces": [face]}))


@pytest.mark.rule("MAT4")
def test_rails_may_leave_a_card_beside_the_middle_of_an_edge() -> None:
    ports = [{"edge": "S", "offset_mm": 10}, {"edge": "N", "offset_mm": -10}]
    face = {"id": "bend", "value": 1, "kind": "track", "count": 1, "ports": ports}
    deck = decode_deck(json.dumps({"name": "bends", "card_mm": [60, 90], "faces": [face]}))
    assert deck["bend"].ports == (Port(Edge.S, 10), Port(Edge.N, -10))
    assert deck["bend"].size_mm == (60, 90)


def test_a_deck_without_enough_track_cards_is_refused() -> None:
    deck = standard_deck("standard-55")
    chaos = msgspec.structs.replace(deck["chaos-1"], count=52)
    tracks = msgspec.structs.replace(deck["track-1-left"], count=3)
    with pytest.raises(NotAllowed, match="too few track cards"):
        set_up(load_edition("german"), msgspec.structs.replace(deck, faces=(chaos, tracks)), Mode.SOLO, ["Ann"])
