"""Reads a picture: which cards lie there, where, which way round, and how the rails join them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.alignment import Corners, FacePatterns, Fit
from vision.cards import Deck
from vision.features import FaceFeatures, Proposal

Image = NDArray[np.uint8]

LEAST_LIKENESS: Final = 0.5
"""From here on a face is taken to lie where it fits."""
_WORTH_A_TRY: Final = 0.22
_MOST_PROPOSALS: Final = 40
_SECOND_TRIES: Final = 14
_LARGEST_OVERLAP: Final = 0.2


class CardReading(NamedTuple):
    """A card that was read: its face's id, its corners (4 × 2, px, of the upright face), and how sure it is.

    ``likeness`` is from -1 to 1, ``next_likeness`` that of the face which fits second best.
    """

    face: str
    corners_px: Corners
    likeness: float
    next_likeness: float


class Sizes(NamedTuple):
    """A picture at its whole, half and quarter size."""

    whole: Image
    half: Image
    quarter: Image


class Reader:
    """Reads pictures of tables with one deck."""

    def __init__(self, deck: Deck, faces: Mapping[str, Image]) -> None:
        """``faces`` are pictures (B, G, R) of the upright faces by their ids; raises DeckError where they are plain."""
        self.deck = deck
        pictures = [faces[face.id] for face in deck.faces]
        self._features = FaceFeatures(pictures, deck.card_mm)
        self._patterns = FacePatterns(pictures, deck.card_mm)
        self._ways_on = _ways_on(deck)

    def read(self, picture: Image) -> list[CardReading]:
        """Every card in a picture (B, G, R)."""
        half = _halved(picture)
        sizes = Sizes(picture, half, _halved(half))
        found: list[Fit] = []
        proposals = self._features.propose(half, 0.5, _MOST_PROPOSALS)
        for proposal in proposals:
            self._try_proposal(sizes, proposal, proposal.px_per_mm, found)
        self._follow_rails(sizes, found)
        # A few keypoints tell the place well, but the size badly: the other cards tell that.
        for proposal in proposals[:_SECOND_TRIES]:
            for px_per_mm in self._likely_scales(proposal, found):
                self._try_proposal(sizes, proposal, px_per_mm, found)
        self._follow_rails(sizes, found)
        ids = [face.id for face in self.deck.faces]
        return [CardReading(ids[fit.face], fit.corners, fit.likeness, fit.next_likeness) for fit in found]

    def _likely_scales(self, proposal: Proposal, found: list[Fit]) -> list[float]:
        """The px per mm that a card may have: that of the nearest card, or about what its own keypoints say."""
        if not found:
            return [proposal.px_per_mm * factor for factor in (0.75, 0.87, 1.15, 1.3)]
        nearest = min(found, key=lambda fit: float(np.linalg.norm(fit.corners.mean(axis=0) - proposal.centre)))
        area_mm = self.deck.card_mm[0] * self.deck.card_mm[1]
        return [float(np.sqrt(cv2.contourArea(nearest.corners.astype(np.float32)) / area_mm))]

    def _try_proposal(self, sizes: Sizes, proposal: Proposal, px_per_mm: float, found: list[Fit]) -> None:
        if not _is_covered(proposal.centre, found):
            corners = self._patterns.corners_at(proposal.centre, proposal.rotation_deg, px_per_mm)
            self._try(sizes, corners, None, found)

    def _follow_rails(self, sizes: Sizes, found: list[Fit]) -> None:
        """Looks where the rails of the cards lead: a neighbour may be too faint to be found by itself."""
        followed: list[Fit] = []
        while fits := [fit for fit in found if not any(fit is other for other in followed)]:
            fit = max(fits, key=lambda fit: fit.likeness)
            followed.append(fit)
            for way in self._ways_on[fit.face]:
                corners = _beyond(self._patterns.homography(fit.corners), way.corners_mm)
                if not _is_covered(tuple(corners.mean(axis=0)), found) and _is_inside(corners, sizes.whole.shape):
                    self._try(sizes, corners, way.faces, found)

    def _try(self, sizes: Sizes, corners: Corners, faces: tuple[int, ...] | None, found: list[Fit]) -> None:
        """Adds the card that lies about there, if one does."""
        fit = self._patterns.near(sizes.half, sizes.quarter, corners, faces)
        if fit.likeness < _WORTH_A_TRY:
            return
        for _ in range(2):
            exact = self._patterns.aligned(sizes.whole, fit.corners, fit.face)
            fit = self._patterns.named(sizes.whole, sizes.half, exact)
        fit = fit._replace(likeness=self._patterns.evidence(sizes.half, fit))
        if fit.likeness >= LEAST_LIKENESS and _is_card_shaped(fit.corners):
            _settle(fit, found)


class _WayOn(NamedTuple):
    """Where a neighbour's corners would lie, in mm on the card before it, and which faces could lie there so."""

    corners_mm: NDArray[np.float64]
    faces: tuple[int, ...]


def _ways_on(deck: Deck) -> list[list[_WayOn]]:
    """For each face, the ways in which another card can join its rails."""
    width, height = deck.card_mm
    outline = np.array(
        [(-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2), (-width / 2, height / 2)]
    )
    ways: list[list[_WayOn]] = []
    for face in deck.faces:
        joined: dict[tuple[float, ...], tuple[NDArray[np.float64], list[int]]] = {}
        for port, offsets in zip(face.ports, face.port_offsets, strict=True):
            for index, other in enumerate(deck.faces):
                for entry, entry_offsets in zip(other.ports, other.port_offsets, strict=True):
                    quarter = (port.edge.heading + 2 - entry.edge.heading) % 4
                    centre = np.array(offsets[0]) - np.array(entry_offsets[quarter])
                    key = (*centre.round(1), float(quarter))
                    corners = outline @ _QUARTERS[quarter].T + centre
                    joined.setdefault(key, (corners, []))[1].append(index)
        ways.append([_WayOn(corners, tuple(dict.fromkeys(faces))) for corners, faces in joined.values()])
    return ways


_QUARTERS: Final = [
    np.array([[1, 0], [0, 1]]),
    np.array([[0, -1], [1, 0]]),
    np.array([[-1, 0], [0, -1]]),
    np.array([[0, 1], [-1, 0]]),
]


def _beyond(to_picture: NDArray[np.float64], corners_mm: NDArray[np.float64]) -> Corners:
    return np.asarray(cv2.perspectiveTransform(corners_mm[None], to_picture)[0], dtype=np.float64)


def _is_inside(corners: Corners, shape: tuple[int, ...]) -> bool:
    middle = corners.mean(axis=0)
    return bool((middle >= 0).all() and middle[0] < shape[1] and middle[1] < shape[0])


def _is_covered(point: tuple[float, ...], found: list[Fit]) -> bool:
    """Whether a point lies well inside a card that was found."""
    x, y = float(point[0]), float(point[1])
    return any(
        cv2.pointPolygonTest(fit.corners.astype(np.float32), (x, y), measureDist=True) > 0.12 * _side(fit.corners)
        for fit in found
    )


def _side(corners: Corners) -> float:
    return float(np.linalg.norm(corners[1] - corners[0]))


def _is_card_shaped(corners: Corners) -> bool:
    """Whether alignment has not run away: convex, and its opposite sides of about one length."""
    if not cv2.isContourConvex(corners.astype(np.float32)):
        return False
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    opposite = np.maximum(sides[:2] / np.maximum(sides[2:], 1e-6), sides[2:] / np.maximum(sides[:2], 1e-6))
    return bool(sides.min() > 8 and opposite.max() < 1.35)


def _settle(fit: Fit, found: list[Fit]) -> None:
    """Adds a card, unless one that fits better lies there; those that fit worse there have to go."""
    rivals = [other for other in found if _overlap(fit, other) > _LARGEST_OVERLAP]
    if all(fit.likeness > other.likeness for other in rivals):
        for other in rivals:
            found[:] = [kept for kept in found if kept is not other]
        found.append(fit)


def _overlap(fit: Fit, other: Fit) -> float:
    """The share of a card that lies over another one."""
    outline = fit.corners.astype(np.float32)
    common, _ = cv2.intersectConvexConvex(outline, other.corners.astype(np.float32))
    return float(common / max(cv2.contourArea(outline), 1.0))


def _halved(picture: Image) -> Image:
    return np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), dtype=np.uint8)
