"""Names the card that lies at a known place by its looks: which face it is, which way up, and how sure that is.

For decks without tracks, whose faces differ by the colours of symbols. A card is looked at in channels that lamps
change little (``looks``). Of the faces that look alike in a tiny picture (``tiny_faces``) each is moved to where it
fits exactly (``exact_alignment``), and the one is chosen that leaves least unexplained there (``face_prints``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Corners, Floats32, Homography, Picture
from vision.faces.face_prints import FacePrints
from vision.faces.placing import WHOLLY, FacePlacer
from vision.faces.tiny_faces import TinyFaces

_CANDIDATES: Final = 6
"""So many ways in which a face may lie there, either way up, are looked at closely."""
_HOPELESS: Final = 0.22
"""What is less like any face than this at half size is not looked at in full: no card that counts starts so low."""
_PLAIN: Final = 0.85
"""What is so much like a face at half size, and others leave this much more unexplained, is looked at in full alone."""
_FAR_WORSE: Final = 3.0
_CLEAR_LEAD: Final = 0.03
"""A face that is so much more alike than any other is told from them."""
_MIRRORED: Final = [1, 0, 3, 2]
_LEADS: Final = (-0.1, -0.03, -0.01, 0.005, 0.02, 0.12)
_BY_LOOKS: Final = (0.5, 0.77, 0.9, 0.975, 0.99, 0.999)
"""How many cards that nothing hid were right by how far the looks of their face led: 14 of 24 of those 0.05 and more
behind, 162 of 181 of those up to 0.02 behind, 87 of 89 of those up to 0.01 ahead, all 604 of those 0.02 and more ahead.
"""


class Naming(NamedTuple):
    """A card's face (its index), its corners from the upright face's top left on, and how sure that is.

    ``likeness`` is from -1 to 1, ``next_likeness`` that of the face which fits second best.
    """

    face: int
    corners: Corners
    turned: bool
    """Whether it lies the other way up than the corners that were given."""
    likeness: float
    next_likeness: float

    @property
    def lead(self) -> float:
        """By how much it is more alike than any other face."""
        return self.likeness - self.next_likeness

    @property
    def probability(self) -> float:
        """From 0 to 1, that it is this face."""
        return float(np.interp(self.lead, _LEADS, _BY_LOOKS))

    @property
    def is_clear(self) -> bool:
        """Whether nothing hides the card, and no other face comes close."""
        return self.likeness >= WHOLLY and self.lead >= _CLEAR_LEAD


class _Seen(NamedTuple):
    """What is seen of a card at these corners, as the corners say and turned, in full and at half size."""

    corners: Corners
    fines: tuple[Floats32, Floats32]
    halves: tuple[Floats32, Floats32]


class _Rough(NamedTuple):
    """A face, which way up and where (mm) it may lie, what it leaves unexplained at half size, and how alike it is."""

    face: int
    turned: bool
    warp: Homography
    cost: float
    likeness: float


class FaceNamer(FacePlacer):
    """Tells the faces of a deck without tracks apart."""

    def __init__(self, faces: Sequence[Picture], card_mm: tuple[float, float]) -> None:
        """``faces`` are pictures (B, G, R) of the upright faces."""
        # No locomotive stands on such a card: what a face leaves unexplained speaks against it, wherever it is.
        super().__init__(faces, card_mm, most_hidden=0.0)
        self._half_prints = FacePrints(self._looks, self._half, most_hidden=0.0)
        self._tiny = TinyFaces(self._looks, card_mm)

    def name_either_way(self, picture: Picture, corners: Corners) -> Naming:
        """The face that lies at these corners (px, to 2 mm), either way up, or one whose symbols are mirrored there."""
        # Printings of a deck may mirror its symbols. Rails cannot: a left bend would be a right one.
        ways = (self.name(picture, corners), self.name(picture, corners[_MIRRORED]))
        named = max(ways, key=lambda one: one.likeness)
        return named if named is ways[0] else named._replace(corners=named.corners[_MIRRORED])

    def name(self, picture: Picture, corners: Corners) -> Naming:
        """The face that lies at these corners (px, to 2 mm), either way up; the corners come back exact.

        Corners in reverse order look at the card in a mirror, as the pictures of webcams often do. Where no card lies,
        the likeness is hardly ever above 0.3; where most of one shows, hardly ever below 0.4.
        """
        card = self._seen(picture, corners)
        rough = self._roughly(card)
        first, second = rough[:2]
        if max(one.likeness for one in rough) < _HOPELESS:
            others = max((one.likeness for one in rough if one.face != first.face), default=-1.0)
            found = np.roll(corners, 2 * first.turned, axis=0)
            return Naming(first.face, found, first.turned, first.likeness, others)
        if first.likeness > _PLAIN and second.cost > _FAR_WORSE * first.cost:
            named = self._finally(card, [first], rough)
            if named.is_clear:
                return named
        return self._finally(card, rough, rough)

    def _seen(self, picture: Picture, corners: Corners) -> _Seen:
        fine, half = self._crops(picture, corners)
        return _Seen(corners, (fine, fine[::-1, ::-1].copy()), (half, half[::-1, ::-1].copy()))

    def _roughly(self, card: _Seen) -> list[_Rough]:
        """The likeliest faces at half size, the best first."""
        margin = self._fine.margin
        candidates = self._tiny.likeliest(card.fines[0][margin:-margin, margin:-margin], _CANDIDATES)
        face, turned = candidates[0]
        warp = self._alignments[face].aligned(card.halves[turned], np.eye(3))
        warps = (self._turned(warp), warp) if turned else (warp, self._turned(warp))
        ways = [self._half.warped(half, warp) for half, warp in zip(card.halves, warps, strict=True)]
        seen = [ways[turned] for _, turned in candidates]
        costs, likeness = self._half_prints.compared(seen, [face for face, _ in candidates])
        rough = [
            _Rough(face, turned, warps[turned], float(cost), float(alike))
            for (face, turned), cost, alike in zip(candidates, costs, likeness, strict=True)
        ]
        return sorted(rough, key=lambda one: one.cost)

    def _finally(self, card: _Seen, finalists: Sequence[_Rough], rough: Sequence[_Rough]) -> Naming:
        """The likeliest of the finalists of these faces in full."""
        exact = [self._alignments[one.face].aligned(card.halves[one.turned], one.warp) for one in finalists]
        seen = [self._fine.warped(card.fines[one.turned], warp) for one, warp in zip(finalists, exact, strict=True)]
        costs, likeness = self._fine_prints.compared(seen, [one.face for one in finalists])
        both = [(one.face, float(alike)) for one, alike in zip(finalists, likeness, strict=True)]
        both += [(one.face, one.likeness) for one in rough]
        index = int(np.argmin(costs * (1 - likeness)))
        face, turned = finalists[index][:2]
        others = max((alike for other, alike in both if other != face), default=-1.0)
        found = self._moved(np.roll(card.corners, 2 * turned, axis=0), exact[index])
        return Naming(face, found, turned, float(likeness[index]), others)

    def _turned(self, warp_mm: Homography) -> Homography:
        """The same homography for the card and its crop turned by 180 degrees."""
        half_turn = np.array([[-1, 0, self._card_mm[0]], [0, -1, self._card_mm[1]], [0, 0, 1]])
        turned = half_turn @ warp_mm @ half_turn
        return np.asarray(turned / turned[2, 2])
