"""Where rails lead: at each place that is told, a card's rails meet those of the card before it."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import Face
from vision.deck_pictures import DeckPictures
from vision.faces.rails_on import ways_on

Floats = NDArray[np.float64]
OUTWARD = np.array([(0, -1), (1, 0), (0, 1), (-1, 0)])
"""Where a rail leads on that leaves an upright card at the top, to the right, at the bottom and to the left."""


def rails(face: Face, corners_mm: Floats) -> list[tuple[Floats, Floats]]:
    """Where the rails of a card with these corners end, and where they would lead one mm farther."""
    width, height = face.size_mm
    upright = np.array([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2
    placed = cv2.getPerspectiveTransform(upright.astype(np.float32), corners_mm.astype(np.float32))
    ends = [np.array(offsets[0]) for offsets in face.port_offsets]
    both = [np.array([end, end + OUTWARD[port.edge.heading]]) for end, port in zip(ends, face.ports, strict=True)]
    return [tuple(cv2.perspectiveTransform(pair[None], placed.astype(np.float64))[0]) for pair in both]


def meet(one: list[tuple[Floats, Floats]], other: list[tuple[Floats, Floats]]) -> set[tuple[int, int]]:
    """Which ends of the rails of two cards lie on each other and lead into each other's card."""
    return {
        (first, second)
        for first, (end, on) in enumerate(one)
        for second, (other_end, other_on) in enumerate(other)
        if np.abs(end - other_end).max() < 0.1 and np.abs((on - end) + (other_on - other_end)).max() < 0.1
    }


def test_at_each_place_the_rails_of_the_faces_meet_and_no_way_is_missing(own: DeckPictures) -> None:
    faces = own.deck.faces
    width, height = own.deck.card_mm
    home = np.array([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2
    for face, ways in zip(faces, ways_on(own.deck), strict=True):
        told = set()
        for corners in ways:
            common, _ = cv2.intersectConvexConvex(home.astype(np.float32), corners.astype(np.float32))
            assert common < 0.01 * width * height
            joined = {
                (index, *joint)
                for index, other in enumerate(faces)
                for turned in (0, 1)
                for joint in meet(rails(face, home), rails(other, np.roll(corners, 2 * turned, axis=0)))
            }
            assert joined
            told |= joined
        ends = range(len(face.ports))
        assert told == {(i, a, b) for i, one in enumerate(faces) for a in ends for b in range(len(one.ports))}


def test_no_place_is_told_twice(own: DeckPictures) -> None:
    for ways in ways_on(own.deck):
        for number, corners in enumerate(ways):
            for other in ways[number + 1 :]:
                turns = [np.roll(other, turn, axis=0) for turn in range(4)]
                assert min(np.abs(corners - turn).max() for turn in turns) > 0.1
