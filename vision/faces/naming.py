"""Names the card that lies at a known place: which face it is, which way up, and how sure that is.

A card is looked at in channels that lamps change little (``looks``). Of the faces that look alike in a tiny picture
(``tiny_faces``) each is moved to where it fits exactly (``exact_alignment``), and the one is chosen that leaves least
unexplained there (``face_prints``, ``lamp_light``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Floats32, Homography, Picture, Points
from vision.faces.exact_alignment import ExactAlignment
from vision.faces.face_prints import FacePrints
from vision.faces.looks import looks_of
from vision.faces.rails_on import FacesEachWay
from vision.faces.tiny_faces import TinyFaces
from vision.faces.upright_cards import UprightCards

PX_PER_MM: Final = 1.2
WHOLLY: Final = 0.8
"""From this likeness on nothing hides a card."""
_HALF_PX_PER_MM: Final = 0.6
_CANDIDATES: Final = 6
_FINALISTS: Final = 3
_HOPELESS: Final = 0.22
"""What is less like any face than this at half size is not looked at in full: no card that counts starts so low."""
_NEARLY_EVEN: Final = 0.75
"""A card that is so much like itself turned round is looked at both ways with equal care."""
_PLAIN: Final = 0.85
"""What is so much like a face at half size, and others leave this much more unexplained, is looked at in full alone."""
_FAR_WORSE: Final = 3.0
CLEAR_LEAD: Final = 0.03
"""A face that is so much more alike than any other is told from them."""


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
    rivals: tuple[Naming, ...] = ()
    """The faces that were closest to it, where it is not clear."""

    @property
    def is_clear(self) -> bool:
        """Whether nothing hides the card, and no other face comes close."""
        return self.likeness >= WHOLLY and self.likeness >= self.next_likeness + CLEAR_LEAD


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


class FaceNamer:
    """Tells a deck's faces apart."""

    def __init__(self, faces: Sequence[Picture], card_mm: tuple[float, float]) -> None:
        """``faces`` are pictures (B, G, R) of the upright faces."""
        self.card_mm = card_mm
        self._fine = UprightCards(card_mm, PX_PER_MM)
        self._half = UprightCards(card_mm, _HALF_PX_PER_MM)
        looks = np.stack([_upright_looks(face, self._fine.size) for face in faces])
        self._fine_prints = FacePrints(looks, self._fine)
        self._half_prints = FacePrints(looks, self._half)
        self._tiny = TinyFaces(looks, card_mm)
        self._alignments = [ExactAlignment(face, self._half) for face in looks]

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
            (named,) = self._finally(card, [first], rough)
            if named.is_clear:
                return named
        named, *rivals = self._finally(card, rough[:_FINALISTS], rough)
        return self._right_way_up(card, named, rough)._replace(rivals=tuple(rivals))

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

    def _right_way_up(self, card: _Seen, named: Naming, rough: Sequence[_Rough]) -> Naming:
        """The same face the other way up if that is likelier, where the card is much like itself turned round.

        Aligned the wrong way round it may lie so askew that its right way looked no better.
        """
        mine = [one for one in rough if one.face == named.face]
        if len(mine) < 2 or mine[1].likeness < _NEARLY_EVEN:
            return named
        alignment = self._alignments[named.face]
        ways = [one._replace(warp=alignment.aligned(card.halves[one.turned], np.eye(3))) for one in mine]
        first, _ = self._finally(card, ways, rough)
        return first if first.turned != named.turned else named

    def _finally(self, card: _Seen, finalists: Sequence[_Rough], rough: Sequence[_Rough]) -> list[Naming]:
        """How alike the finalists of these faces are in full, the likeliest first."""
        exact = [self._alignments[one.face].aligned(card.halves[one.turned], one.warp) for one in finalists]
        seen = [self._fine.warped(card.fines[one.turned], warp) for one, warp in zip(finalists, exact, strict=True)]
        costs, likeness = self._fine_prints.compared(seen, [one.face for one in finalists])
        both = [(one.face, float(alike)) for one, alike in zip(finalists, likeness, strict=True)]
        both += [(one.face, one.likeness) for one in rough]
        namings = []
        for index in np.argsort(costs * (1 - likeness)):
            face, turned = finalists[index][:2]
            others = max((alike for other, alike in both if other != face), default=-1.0)
            found = self._moved(np.roll(card.corners, 2 * turned, axis=0), exact[index])
            namings.append(Naming(face, found, turned, float(likeness[index]), others))
        return namings

    def placed(
        self, picture: Picture, corners: Corners, face: int, hidden_px: Points | None = None, *, is_flat: bool = False
    ) -> tuple[float, Corners]:
        """How alike (-1 to 1) this face is to what shows of a card, and where exactly it would lie.

        It is turned as the corners say (px, to 2 mm); if they are those of a card that ``is_flat`` there, it is shifted
        and turned like one at first. ``hidden_px`` (n × 2) is the convex outline of what hides the rest of it, if
        anything does.
        """
        crop, half = self._crops(picture, corners)
        mask = np.ones(crop.shape[:2], dtype=np.float32)
        if hidden_px is not None:
            goal = (self._fine.outline + self._fine.margin).astype(np.float32)
            to_crop = cv2.getPerspectiveTransform(corners.astype(np.float32), goal)
            outline = cv2.perspectiveTransform(hidden_px[None].astype(np.float64), to_crop)[0]
            cv2.fillConvexPoly(mask, outline.round().astype(np.int32), (0,))
        bare = np.asarray(cv2.resize(mask, half.shape[1::-1], interpolation=cv2.INTER_AREA), np.float32)
        alignment = self._alignments[face]
        start = alignment.aligned(half, np.eye(3), is_flat=is_flat)
        warp = alignment.aligned(half, start, bare)
        shown = self._fine.warped(mask, warp).ravel().round()[None]
        _, (likeness,) = self._fine_prints.compared([self._fine.warped(crop, warp)], [face], shown)
        return float(likeness), self._moved(corners, warp)

    def promise(self, picture: Picture, corners: Corners, faces: FacesEachWay | None = None) -> float:
        """How much (up to 1) the likeliest of all faces, or of these, is alike from afar, either way up.

        Far cheaper than a name, and far less sure: it tells where to ask for one.
        """
        return self._tiny.promise(looks_of(self._half.cut(picture, corners, 0), 0), faces)

    def _crops(self, picture: Picture, corners: Corners) -> tuple[Floats32, Floats32]:
        """The looks of the card there in full and at half size, both with their margins."""
        fine = looks_of(self._fine.cut(picture, corners, self._fine.margin), self._fine.margin)
        size = tuple(side + 2 * self._half.margin for side in self._half.size)
        return fine, np.asarray(cv2.resize(fine, size, interpolation=cv2.INTER_AREA), dtype=np.float32)

    def _turned(self, warp_mm: Homography) -> Homography:
        """The same homography for the card and its crop turned by 180 degrees."""
        half_turn = np.array([[-1, 0, self.card_mm[0]], [0, -1, self.card_mm[1]], [0, 0, 1]])
        turned = half_turn @ warp_mm @ half_turn
        return np.asarray(turned / turned[2, 2])

    def _moved(self, corners: Corners, warp_mm: Homography) -> Corners:
        """The corners in the picture of the card where it was found in the crop."""
        width, height = self.card_mm
        outline = np.array([(0, 0), (width, 0), (width, height), (0, height)])
        to_picture = cv2.getPerspectiveTransform(outline.astype(np.float32), corners.astype(np.float32))
        both = np.asarray(to_picture, dtype=np.float64) @ warp_mm
        return np.asarray(cv2.perspectiveTransform(outline[None].astype(np.float64), both)[0])


def _upright_looks(face: Picture, size: tuple[int, int]) -> Floats32:
    """The looks of a face at this width and height."""
    return looks_of(np.asarray(cv2.resize(face, size, interpolation=cv2.INTER_AREA), dtype=np.uint8), 0)
