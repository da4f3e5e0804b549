"""What the eye has learnt of a deck: all that it needs to find its cards and to tell them apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from vision.arrays import Outlines, Picture
from vision.cards import Deck
from vision.deck_pictures import EmmaPicture
from vision.faces.card_shape import CardShape
from vision.faces.face_patterns import FacePatterns
from vision.faces.faint_prints import FaintPrints
from vision.faces.matching.face_comparer import FaceComparer
from vision.faces.matching.face_matcher import FaceMatcher
from vision.faces.naming import FaceNamer
from vision.faces.placing import FacePlacer
from vision.faces.rails_on import ways_on
from vision.reading.card_brightness import CardBrightness
from vision.reading.emma import EmmaFinder


class LearntDeck(NamedTuple):
    """What a deck's faces look like, how many cards have each, their shape, and how their rails join.

    Faces are told by their indices in ``ids``. One more than these is the back, if that is known.
    """

    ids: list[str]
    counts: list[int]
    shape: CardShape
    matcher: FaceMatcher
    patterns: FacePatterns
    faint: FaintPrints
    placer: FacePlacer
    namer: FaceNamer | None
    """Only of a deck without tracks: its cards lie apart."""
    comparer: FaceComparer
    brightness: CardBrightness
    emma: EmmaFinder
    tracks: list[int]
    """The faces on which Emma may stand."""
    ways_on: list[Outlines]
    """Of each face; none where it is not known where its rails end."""
    backs: list[int]
    """The back, if that is known."""

    def is_back(self, face: int) -> bool:
        """Whether this is no face but the deck's back."""
        return face in self.backs


def learnt(
    deck: Deck, faces: Mapping[str, Picture], back: Picture | None, emma: EmmaPicture | None = None
) -> LearntDeck:
    """A deck learnt from pictures of its upright faces by their ids; raises DeckError where they are plain."""
    pictures = [faces[face.id] for face in deck.faces]
    sides = pictures if back is None else [*pictures, back]
    shape, tracks = CardShape(deck.card_mm), [index for index, face in enumerate(deck.faces) if face.is_track]
    namer = None if tracks else FaceNamer(sides, deck.card_mm)
    comparer = FaceComparer(pictures, deck.card_mm, deck.faces)
    return LearntDeck(
        [face.id for face in deck.faces],
        [face.count for face in deck.faces],
        shape,
        FaceMatcher(sides, deck.card_mm),
        FacePatterns(sides, shape),
        FaintPrints(sides, deck.card_mm),
        namer or FacePlacer(sides, deck.card_mm, telling=comparer.unmarked, alike=comparer.alike),
        namer,
        comparer,
        CardBrightness(pictures, deck.card_mm),
        EmmaFinder(faces, deck.card_mm, emma),
        tracks,
        ways_on(deck),
        [] if back is None else [len(pictures)],
    )
