"""What the eye has learnt of a deck: all that it needs to find its cards and to tell them apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from vision.arrays import Picture
from vision.cards import Deck
from vision.faces.alignment import FacePatterns
from vision.faces.alike.like_faces import LikeFaces
from vision.faces.card_shape import CardShape
from vision.faces.features import FaceFeatures
from vision.faces.matching.face_matcher import FaceMatcher
from vision.faces.naming import FaceNamer
from vision.faces.rails_on import WayOn, ways_on
from vision.reading.emma import EmmaFinder


class LearntDeck(NamedTuple):
    """What a deck's faces look like, how many cards have each, their shape, and how their rails join.

    Faces are told by their indices in ``ids``. One more than these is the back, if that is known.
    """

    ids: list[str]
    counts: list[int]
    shape: CardShape
    features: FaceFeatures
    matcher: FaceMatcher
    patterns: FacePatterns
    namer: FaceNamer
    like_faces: LikeFaces
    emma: EmmaFinder
    ways_on: list[list[WayOn]]

    @property
    def has_rails(self) -> bool:
        """Whether rails lead from any of its cards to another; a deck without them has no Emma."""
        return any(self.ways_on)

    @property
    def railed(self) -> list[int]:
        """The faces on which there are rails."""
        return [face for face, ways in enumerate(self.ways_on) if ways]

    def is_back(self, face: int) -> bool:
        """Whether this is no face but the deck's back."""
        return face >= len(self.ids)


def learnt(deck: Deck, faces: Mapping[str, Picture], back: Picture | None) -> LearntDeck:
    """A deck learnt from pictures of its upright faces by their ids; raises DeckError where they are plain."""
    pictures = [faces[face.id] for face in deck.faces]
    sides = pictures if back is None else [*pictures, back]
    shape = CardShape(deck.card_mm)
    return LearntDeck(
        [face.id for face in deck.faces],
        [face.count for face in deck.faces],
        shape,
        FaceFeatures(pictures, deck.card_mm),
        FaceMatcher(sides, deck.card_mm),
        FacePatterns(sides, shape),
        FaceNamer(sides, deck.card_mm),
        LikeFaces(pictures, deck.card_mm),
        EmmaFinder(faces, deck.card_mm),
        ways_on(deck),
    )
