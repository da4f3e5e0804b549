"""Where rails leave the faces of a deck, seen in pictures of all of them."""

import cv2
import numpy as np
import pytest

from tests.vision.random_decks.random_deck import random_deck
from tests.vision.teaching.drawn_deck import CARD_MM, PX_PER_MM, cut_outs, faces
from vision.arrays import Picture
from vision.cards import Edge, Face
from vision.teaching.even_faces import turned_round
from vision.teaching.rails.rail_ports import FaceRails, find_rails


def as_photographed(face: Picture) -> Picture:
    small = cv2.resize(face, None, fx=0.2, fy=0.2, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 0.8) * 0.85, np.uint8)


def are_right(seen: FaceRails, face: Face) -> bool:
    told = {port.edge: port.offset_mm for port in seen.ports}
    true = {port.edge: port.offset_mm for port in face.ports}
    return told.keys() == true.keys() and all(abs(told[edge] - true[edge]) <= 1 for edge in true)


@pytest.mark.parametrize("number", [381, 386])
def test_rails_are_told_from_what_lies_beside_and_below_them(number: int) -> None:
    """Once they were not: thin ones among stones, and pale ones on a ground of rays."""
    pictures = random_deck(number)
    rails = find_rails([as_photographed(face) for face in pictures.faces.values()], pictures.deck.card_mm)
    assert rails.is_clear
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


def test_it_is_told_by_which_edges_rails_leave_faces_that_lie_upside_down() -> None:
    rails = find_rails([turned_round(one) for one in cut_outs()], CARD_MM)
    for seen, face in zip(rails.leaving, faces(), strict=True):
        turned = {list(Edge)[(port.edge.heading + 2) % 4] for port in face.ports}
        assert {edge for edge, odds in zip(Edge, seen, strict=True) if odds > 0} == turned, face.id
