"""Where rails leave the faces of a deck, seen in pictures of all of them."""

import numpy as np
import pytest

from tests.vision.random_decks.random_deck import as_photographed, random_deck
from tests.vision.teaching.drawn_deck import CARD_MM, PX_PER_MM, cut_outs, faces
from vision.cards import Edge, Face
from vision.teaching.even_faces import turned_round
from vision.teaching.rails.rail_ports import FaceRails, find_rails


def are_right(seen: FaceRails, face: Face) -> bool:
    told = {port.edge: port.offset_mm for port in seen.ports}
    true = {port.edge: port.offset_mm for port in face.ports}
    return told.keys() == true.keys() and all(abs(told[edge] - true[edge]) <= 1 for edge in true)


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(31, marks=pytest.mark.further),
        380,
        pytest.param(381, marks=pytest.mark.further),
        pytest.param(386, marks=pytest.mark.further),
    ],
)
def test_rails_are_told_from_what_lies_beside_and_below_them(number: int) -> None:
    """Once they were not: sleepers alone, in a woodcut, thin ones among stones, and pale ones on a ground of rays."""
    pictures = random_deck(number)
    rails = find_rails([as_photographed(face) for face in pictures.faces.values()], pictures.deck.card_mm)
    assert rails.is_clear
    assert all(map(are_right, rails.faces, pictures.deck.faces))


def test_where_badges_lie_over_rails_the_opposite_edge_tells_where_they_leave() -> None:
    """Of rails by the left edge the badge of 2, 3 and 4 leaves the lower one to be seen."""
    pictures = random_deck(378)
    rails = find_rails([as_photographed(face) for face in pictures.faces.values()], pictures.deck.card_mm)
    right = {face.id for seen, face in zip(rails.faces, pictures.deck.faces, strict=True) if are_right(seen, face)}
    assert len(right) >= 20
    assert right >= {"track-1-left", "track-4-left", "track-1-across", "track-3-across"}


def test_rails_that_leave_by_each_edge_elsewhere_are_found() -> None:
    pictures = random_deck(116)
    rails = find_rails([as_photographed(face) for face in pictures.faces.values()], pictures.deck.card_mm)
    assert all(map(are_right, rails.faces, pictures.deck.faces))


def test_rails_may_leave_some_faces_elsewhere() -> None:
    lower_mm = 12
    shown, shape = cut_outs(), [face.shape for face in faces()]
    across = [number for number, name in enumerate(shape) if name == "across"]
    for number in across[:3]:
        shown[number] = np.roll(shown[number], lower_mm * PX_PER_MM, axis=0)
    rails = find_rails(shown, CARD_MM)
    offsets = [[port.offset_mm for port in rails.faces[number].ports] for number in across]
    assert offsets[:3] == [pytest.approx([6 + lower_mm] * 2, abs=1)] * 3
    assert offsets[3] == pytest.approx([6, 6], abs=1)


def test_where_one_face_alone_has_them_elsewhere_it_is_in_doubt() -> None:
    shown, shape = cut_outs(), [face.shape for face in faces()]
    alone = shape.index("across")
    shown[alone] = np.roll(shown[alone], 12 * PX_PER_MM, axis=0)
    rails = find_rails(shown, CARD_MM).faces
    assert [number for number, face in enumerate(rails) if not face.is_clear] == [alone]


@pytest.mark.parametrize(
    "card_mm", [(10.0, 10.0), (20.0, 30.4), pytest.param((500.0, 300.0), marks=pytest.mark.further)]
)
def test_cards_of_any_size_that_a_deck_may_have_are_looked_at(card_mm: tuple[float, float]) -> None:
    rails = find_rails(cut_outs(), card_mm)
    assert len(rails.faces) == len(faces())
    assert np.isfinite(rails.leaving).all()


def test_it_is_told_by_which_edges_rails_leave_faces_that_lie_upside_down() -> None:
    rails = find_rails([turned_round(one) for one in cut_outs()], CARD_MM)
    for seen, face in zip(rails.leaving, faces(), strict=True):
        turned = {port.edge.opposite for port in face.ports}
        assert {edge for edge, odds in zip(Edge, seen, strict=True) if odds > 0} == turned, face.id
