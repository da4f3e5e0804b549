import copy
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.cards import CARD_MM, Deck, DeckError, Edge, Kind, Port, decode_deck, standard_deck
from vision.cards.deck import LONGEST_WORD, MOST_CARDS, MOST_WITH_RAILS
from vision.files import read_deck

MEADOW = Path(__file__).parents[4] / "shared" / "decks" / "meadow"
CHAOS: dict[str, Any] = {"id": "mess", "value": 4, "kind": "chaos", "count": 1}
STANDARD = ["standard-55", "standard-50"]

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)
MORE_EXAMPLES = settings(max_examples=20 * settings.default.max_examples)


def small_deck() -> dict[str, Any]:
    return {
        "name": "small",
        "card_mm": [63, 88],
        "faces": [
            {"id": "straight", "value": 1, "kind": "track", "count": 4, "ports": [{"edge": "S"}, {"edge": "N"}]},
            {"id": "gap", "value": 2, "kind": "broken", "count": 1, "ports": [{"edge": "S"}, {"edge": "W"}]},
            {"id": "mess", "value": 4, "kind": "chaos", "count": 2},
        ],
    }


def put_at(tree: Any, place: tuple[str | int, ...], value: object) -> Any:
    tree = copy.deepcopy(tree)
    inner = tree
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return tree


def places_in(tree: Any, place: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    keys = tree.keys() if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else ()
    return [found for key in keys for found in [(*place, key), *places_in(tree[key], (*place, key))]]


def cards_of_value(deck: Deck, kind: Kind) -> Counter[int]:
    return Counter(face.value for face in deck.cards() if face.kind is kind)


def check_deck_can_be(deck: Deck) -> None:
    ids = [face.id for face in deck.faces]
    assert ids
    assert len(set(ids)) == len(ids)
    assert 1 <= deck.size <= MOST_CARDS
    for face in deck.faces:
        assert face.value in {1, 2, 3, 4}
        assert face.count >= 1
        assert face.size_mm == deck.card_mm
        assert len(face.ports) in ({0} if face.kind is Kind.CHAOS else {0, 2})
        for port in face.ports:
            side = deck.card_mm[0] if port.edge in {Edge.N, Edge.S} else deck.card_mm[1]
            assert abs(port.offset_mm) < side / 2


def check_refused_or_can_be(data: Any) -> None:
    text = json.dumps(data)
    try:
        deck = decode_deck(text)
    except DeckError:
        return
    check_deck_can_be(deck)


class TestReadingWell:
    def test_a_deck_knows_its_faces_and_cards(self) -> None:
        deck = decode_deck(json.dumps(small_deck()))
        assert deck.size == 7
        assert Counter(face.id for face in deck.cards()) == {"straight": 4, "gap": 1, "mess": 2}
        assert deck["gap"].kind is Kind.BROKEN
        assert "gap" in deck
        assert "nothing" not in deck
        with pytest.raises(KeyError):
            deck["nothing"]

    def test_offset_is_the_middle_of_the_edge_where_it_is_left_out(self) -> None:
        deck = decode_deck(json.dumps(small_deck()))
        assert deck["straight"].ports == (Port(Edge.S, 0), Port(Edge.N, 0))

    def test_card_size_of_the_deck_is_that_of_every_face(self) -> None:
        deck = decode_deck(json.dumps(put_at(small_deck(), ("card_mm",), [57, 87.5])))
        assert {face.size_mm for face in deck.faces} == {(57, 87.5)}

    def test_card_size_is_the_usual_one_where_it_is_left_out(self) -> None:
        data = small_deck()
        del data["card_mm"]
        assert decode_deck(json.dumps(data)).card_mm == CARD_MM

    @pytest.mark.parametrize("size", [[63, 88], [57, 87]], ids=["usual", "other"])
    def test_a_size_given_for_a_face_is_ignored_for_that_of_the_deck(self, size: list[float]) -> None:
        data = put_at(put_at(small_deck(), ("card_mm",), size), ("faces", 0, "size_mm"), [500, 5])
        assert {face.size_mm for face in decode_deck(json.dumps(data)).faces} == {tuple(size)}

    def test_rails_are_known_only_if_every_track_card_has_ports(self) -> None:
        assert decode_deck(json.dumps(small_deck())).has_rails
        assert not decode_deck(json.dumps(put_at(small_deck(), ("faces", 1, "ports"), []))).has_rails

    def test_passages_are_the_different_ways_over_all_track_cards(self) -> None:
        deck = decode_deck(json.dumps(small_deck()))
        straight, gap = deck["straight"], deck["gap"]
        assert len(deck.passages) == 3
        assert set(deck.passages) == {*straight.passages, *gap.passages}

    def test_port_just_on_the_card_is_read(self) -> None:
        ports = [{"edge": "S", "offset_mm": 31.4}, {"edge": "E", "offset_mm": -43.9}]
        deck = decode_deck(json.dumps(put_at(small_deck(), ("faces", 0, "ports"), ports)))
        assert deck["straight"].ports == (Port(Edge.S, 31.4), Port(Edge.E, -43.9))

    def test_most_cards_are_read(self) -> None:
        data = put_at(small_deck(), ("faces", 0, "count"), MOST_CARDS - 3)
        assert decode_deck(json.dumps(data)).size == MOST_CARDS

    def test_most_faces_with_rails_are_read_and_no_more(self) -> None:
        straight = small_deck()["faces"][0]
        faces = [{**straight, "id": f"straight {number}", "count": 1} for number in range(MOST_WITH_RAILS)]
        faces += [{**CHAOS, "id": f"mess {number}"} for number in range(MOST_CARDS - MOST_WITH_RAILS)]
        assert len(decode_deck(json.dumps({"name": "many", "faces": faces})).faces) == MOST_CARDS
        faces[-1] = {**straight, "count": 1}
        with pytest.raises(DeckError, match="61 faces with rails; 60 are the most"):
            decode_deck(json.dumps({"name": "many", "faces": faces}))

    @pytest.mark.parametrize("place", [("name",), ("faces", 0, "id"), ("faces", 0, "shape")])
    def test_words_have_a_bound_and_so_has_what_is_told_of_them(self, place: tuple[str | int, ...]) -> None:
        decode_deck(json.dumps(put_at(small_deck(), place, "x" * LONGEST_WORD)))
        with pytest.raises(DeckError, match="200") as refused:
            decode_deck(json.dumps(put_at(small_deck(), place, "x" * 500_000)))
        assert len(str(refused.value)) < 400


WRONG = {
    "value 0": (("faces", 1, "value"), 0, "faces[1] (gap).value"),
    "value 5": (("faces", 1, "value"), 5, "faces[1] (gap).value"),
    "value below 0": (("faces", 1, "value"), -1, "faces[1] (gap).value"),
    "value with a fraction": (("faces", 1, "value"), 2.5, "faces[1].value"),
    "value as text": (("faces", 1, "value"), "2", "faces[1].value"),
    "no value": (("faces", 1, "value"), None, "faces[1].value"),
    "count 0": (("faces", 0, "count"), 0, "faces[0] (straight).count"),
    "count below 0": (("faces", 0, "count"), -4, "faces[0] (straight).count"),
    "count as yes or no": (("faces", 0, "count"), True, "faces[0].count"),
    "count with forty digits": (("faces", 0, "count"), 10**40, "counts"),
    "count too large for a deck": (("faces", 0, "count"), MOST_CARDS, "113 cards"),
    "empty id": (("faces", 2, "id"), "", "faces[2]"),
    "id used twice": (("faces", 2, "id"), "straight", "faces[2]"),
    "id is a number": (("faces", 2, "id"), 7, "faces[2].id"),
    "unknown kind": (("faces", 2, "kind"), "tunnel", "faces[2].kind"),
    "chaos with ports": (("faces", 2, "ports"), [{"edge": "S"}, {"edge": "N"}], "faces[2] (mess).ports"),
    "one port": (("faces", 0, "ports"), [{"edge": "S"}], "faces[0] (straight).ports"),
    "three ports": (("faces", 0, "ports"), [{"edge": edge} for edge in "SNE"], "faces[0] (straight).ports"),
    "both ports the same": (("faces", 0, "ports", 1), {"edge": "S", "offset_mm": 0}, "faces[0] (straight).ports"),
    "unknown edge": (("faces", 0, "ports", 1), {"edge": "north"}, "faces[0].ports[1].edge"),
    "port without edge": (("faces", 0, "ports", 1), {"offset_mm": 3}, "faces[0].ports[1]"),
    "port off a short edge": (("faces", 0, "ports", 0), {"edge": "S", "offset_mm": 31.5}, "(straight).ports[0].offset"),
    "port off a long edge": (("faces", 0, "ports", 1), {"edge": "W", "offset_mm": -44}, "(straight).ports[1].offset"),
    "port far off": (("faces", 0, "ports", 1), {"edge": "N", "offset_mm": 1e300}, "(straight).ports[1].offset"),
    "port as text": (("faces", 0, "ports", 1), "N", "faces[0].ports[1]"),
    "no faces": (("faces",), [], "faces"),
    "faces as object": (("faces",), {"straight": 4}, "faces"),
    "face as text": (("faces", 1), "straight", "faces[1]"),
    "one side only": (("card_mm",), [63], "card_mm"),
    "card without width": (("card_mm",), [0, 88], "card_mm"),
    "card as large as a table": (("card_mm",), [63, 880], "card_mm"),
    "size as text": (("card_mm",), "63x88", "card_mm"),
    "name is a number": (("name",), 55, "name"),
}


class TestRefusing:
    @pytest.mark.parametrize("case", WRONG)
    def test_impossible_data_are_refused_with_their_place(self, case: str) -> None:
        place, value, named = WRONG[case]
        with pytest.raises(DeckError) as refused:
            decode_deck(json.dumps(put_at(small_deck(), place, value)))
        assert named in str(refused.value)

    @pytest.mark.parametrize(
        ("place", "key", "named"),
        [
            ((), "name", "name"),
            ((), "faces", "faces"),
            (("faces", 1), "id", "faces[1]"),
            (("faces", 1), "value", "faces[1]"),
            (("faces", 1), "kind", "faces[1]"),
            (("faces", 1), "count", "faces[1]"),
        ],
    )
    def test_missing_data_are_refused_with_their_place(
        self, place: tuple[str | int, ...], key: str, named: str
    ) -> None:
        data = small_deck()
        inner: Any = data
        for step in place:
            inner = inner[step]
        del inner[key]
        with pytest.raises(DeckError) as refused:
            decode_deck(json.dumps(data))
        assert key in str(refused.value)
        assert named in str(refused.value)

    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"   \n",
            b"[]",
            b"null",
            b'"small"',
            b"{",
            b'{"name": "small", "faces": [',
            b"\x00" * 100,
            b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
            b"\xff\xd8\xff\xe0\x00\x10JFIF",
            b'{"name": "\xff\xfe", "faces": []}',
            b'{"name": "small", "card_mm": [63, NaN], "faces": []}',
            b'{"name": "small", "card_mm": [63, 1e999], "faces": []}',
            json.dumps(small_deck()).encode("utf-16"),
            json.dumps(small_deck()).encode() * 2,
        ],
        ids=ascii,
    )
    def test_what_is_no_deck_is_refused(self, data: bytes) -> None:
        with pytest.raises(DeckError):
            decode_deck(data)

    @pytest.mark.parametrize("opening", ['{"name": "small", "more": ', '{"name": ', '{"faces": [{"ports": ', ""])
    @pytest.mark.parametrize("bracket", ["[", '{"a":'], ids=["lists", "objects"])
    def test_deeply_nested_data_are_refused(self, opening: str, bracket: str) -> None:
        with pytest.raises(DeckError):
            decode_deck(opening + bracket * 100_000)

    @given(st.binary(max_size=200) | st.text(max_size=200) | JSON_VALUES.map(json.dumps))
    @MORE_EXAMPLES
    def test_junk_is_refused(self, data: bytes | str) -> None:
        with pytest.raises(DeckError):
            decode_deck(data)

    @given(st.data())
    @MORE_EXAMPLES
    def test_a_deck_changed_anywhere_is_refused_or_can_be(self, data: st.DataObject) -> None:
        changed = small_deck()
        place = data.draw(st.sampled_from(places_in(changed)))
        changed = put_at(changed, place, data.draw(JSON_VALUES))
        check_refused_or_can_be(changed)


@pytest.mark.rule("MAT1", "MAT4")
class TestStandardDecks:
    @pytest.mark.parametrize("name", STANDARD)
    def test_plain_and_broken_track_are_spread_as_assumed(self, name: str) -> None:
        deck = standard_deck(name)
        assert cards_of_value(deck, Kind.TRACK) == {1: 12, 2: 12, 3: 11, 4: 11}
        assert cards_of_value(deck, Kind.BROKEN) == {1: 1, 2: 1, 3: 1, 4: 1}
        assert deck.name == name
        assert deck.assumed

    @pytest.mark.parametrize(("name", "chaos"), [("standard-55", {1: 1, 2: 1, 3: 1, 4: 2}), ("standard-50", {})])
    def test_only_the_deck_of_55_has_chaos_cards(self, name: str, chaos: dict[int, int]) -> None:
        deck = standard_deck(name)
        assert cards_of_value(deck, Kind.CHAOS) == chaos
        assert f"standard-{deck.size}" == name

    @pytest.mark.parametrize("name", STANDARD)
    def test_rails_leave_in_the_middle_of_the_edges(self, name: str) -> None:
        deck = standard_deck(name)
        assert deck.has_rails
        assert deck.card_mm == (63, 88)
        assert {port.offset_mm for face in deck.faces for port in face.ports} == {0}
        check_deck_can_be(deck)

    def test_an_unknown_name_is_refused(self) -> None:
        with pytest.raises(DeckError) as refused:
            standard_deck("standard-54")
        assert "standard-54" in str(refused.value)


@pytest.mark.skipif(not MEADOW.is_dir(), reason="the deck somebody else drew, ../shared/decks/meadow, is not here")
class TestMeadowDeck:
    def test_it_reads_with_all_its_cards(self) -> None:
        deck = read_deck(MEADOW)
        assert (deck.name, deck.size, len(deck.faces)) == ("meadow", 55, 26)
        assert deck.has_rails
        assert deck.assumed is None
        assert cards_of_value(deck, Kind.TRACK).total() == 46
        check_deck_can_be(deck)

    def test_its_bends_are_off_the_middle(self) -> None:
        assert read_deck(MEADOW)["track-3-bend"].ports == (Port(Edge.S, 10), Port(Edge.N, -10))

    def test_its_faces_have_pictures(self) -> None:
        assert all((MEADOW / str(face.image)).is_file() for face in read_deck(MEADOW).faces)
