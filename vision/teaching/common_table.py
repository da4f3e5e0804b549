"""Cards that were photographed one by one on one table by a camera that stood still, checked against each other.

On one table every card is a rectangle of one size, so that each outline tells how large and how slanted the others
must be. One that does not fit is looked for again near by, its size known.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import ComplexPoints, Corners, FloatPicture, Floats, Outlines, Picture, Points
from vision.cards import CARD_MM
from vision.outlines.card_sides import (
    SideVotes,
    mixed_outlines,
    outer_outline,
    outline_fit,
    refined_outline,
    shorter_side,
    side_votes,
)
from vision.teaching.lone_card import LoneCard
from vision.viewpoint import Viewpoint, card_template, estimate_viewpoint

LEAST_CARDS: Final = 5
"""So many cards tell how the table lies."""
_FITS_MM: Final = 0.6
"""How far the corners of an outline are off its rectangle at most, if it is right."""
_LEAST_FITS_MM: Final = 0.2
_ROUNDS: Final = 3
_FITTING_PART: Final = 0.5
"""Of the cards, what must fit; otherwise the camera has been moved."""
_AROUND_MM: Final = 12.0
"""What is kept of a picture around a card."""
_REACH_MM: Final = 6.0
"""How far away a card is looked for."""
_MOST_TURN: Final = 0.07
"""By how much it may be turned, as a part of a side's length."""
_EXACT_PX: Final = 420
"""Of the card's shorter side, in what is kept."""
_LEAST_SEEN: Final = 0.45
"""Of each side, in the mean of all of them, of a card that is looked for again."""
_SEEN: Final = 0.62


class _Kept(NamedTuple):
    """A card, and the part of the picture around it: its place in the whole picture and how much smaller it is."""

    card: LoneCard
    size: tuple[int, int]
    pixels: Picture
    corner_px: Points
    zoom: float

    def inside(self, outline: Corners) -> Corners:
        """An outline in what is kept."""
        return np.asarray((outline - self.corner_px + 0.5) * self.zoom - 0.5)

    def outside(self, outline: Corners) -> Corners:
        """An outline of what is kept in the whole picture."""
        return np.asarray((outline + 0.5) / self.zoom - 0.5 + self.corner_px)


class _Table(NamedTuple):
    """From where the table is seen, and how far off its rectangle an outline may be that is right."""

    view: Viewpoint
    fits_mm: float


class CommonTable:
    """The lone cards of a session; keeps the part of each photograph that shows the card."""

    def __init__(self, card_mm: tuple[float, float] = CARD_MM) -> None:
        self.card_mm = card_mm
        self._template = card_template(card_mm)
        self._kept: list[_Kept] = []

    def add(self, picture: Picture, card: LoneCard) -> None:
        """One more photograph (height × width × 3, BGR) and where its card was found."""
        margin = _AROUND_MM * card.px_per_mm(self.card_mm)
        size = (picture.shape[1], picture.shape[0])
        first = np.maximum(np.floor(card.corners_px.min(axis=0) - margin), 0).astype(int)
        last = np.minimum(np.ceil(card.corners_px.max(axis=0) + margin).astype(int), size)
        part = picture[first[1] : last[1], first[0] : last[0]]
        zoom = min(1.0, _EXACT_PX / shorter_side(card.corners_px))
        small = cv2.resize(part, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA) if zoom < 1 else part.copy()
        self._kept.append(_Kept(card, size, np.asarray(small, np.uint8), first.astype(float), zoom))

    def settled(self) -> list[LoneCard | None]:
        """Where the cards lie, in the order in which they were added; None where that is not clear.

        Photographs are taken as they are where they are few, or where the camera was moved between them.
        """
        settled: list[LoneCard | None] = [kept.card for kept in self._kept]
        for size in {kept.size for kept in self._kept}:
            indices = [index for index, kept in enumerate(self._kept) if kept.size == size]
            if len(indices) < LEAST_CARDS:
                continue
            ways = np.array([_ways(self._kept[index]) for index in indices])
            table = self._table(ways, size)
            if table is not None:
                for index, outlines in zip(indices, ways, strict=True):
                    settled[index] = self._checked(table, self._kept[index], outlines)
        return settled

    def _table(self, ways: Outlines, size: tuple[int, int]) -> _Table | None:
        """From where the table is seen, by the ways (n × 16 × 4 × 2) to see each card; None if that does not show."""
        # All of them as they were found, or all with the outermost edges.
        starts = [self._agreed(ways[:, first], size) for first in (0, -1)]
        view, _ = min(starts, key=lambda start: start[1])
        # In turns: which way to see each card fits this table, and how the table lies by the cards that fit.
        for _ in range(_ROUNDS):
            corners, off = self._best(view, ways)
            view = estimate_viewpoint(corners[off <= _fitting_mm(off)], self.card_mm, size)
        _, off = self._best(view, ways)
        return _Table(view, _fitting_mm(off)) if np.mean(off <= _FITS_MM) >= _FITTING_PART else None

    def _agreed(self, corners: Outlines, size: tuple[int, int]) -> tuple[Viewpoint, float]:
        """From where most of these outlines (n × 4 × 2) are rectangles, and how far off they usually are, in mm."""
        view = estimate_viewpoint(corners, self.card_mm, size)
        off = self._best(view, corners[:, None])[1]
        for _ in range(_ROUNDS - 1):
            view = estimate_viewpoint(corners[off <= _fitting_mm(off)], self.card_mm, size)
            off = self._best(view, corners[:, None])[1]
        return view, float(np.median(off))

    def _best(self, view: Viewpoint, ways: Outlines) -> tuple[Outlines, Floats]:
        """For each card the way to see it that fits best, and how far off that is."""
        off = np.array([[self._rectangle(view, outline)[1] for outline in outlines] for outlines in ways])
        chosen = off.argmin(axis=1)
        cards = np.arange(len(ways))
        return ways[cards, chosen], off[cards, chosen]

    def _rectangle(self, view: Viewpoint, outline: Corners) -> tuple[Floats, float]:
        """The rectangle on the table that fits an outline best (its pose), and how far the worst corner is off it."""
        seen = _complex(view.on_table(outline))
        template = self._template
        middle = seen.mean()
        turn = np.vdot(template, seen - middle)
        turn /= max(abs(turn), 1e-9)
        off = np.abs(seen - middle - turn * template).max()
        return np.array([middle.real, middle.imag, np.angle(turn)]), float(off)

    def _outline(self, view: Viewpoint, pose: Floats) -> Corners:
        """The outline in the picture of a card that lies so: x and y in mm, turned in radians."""
        corners = self._template * np.exp(1j * pose[2]) + complex(pose[0], pose[1])
        return view.in_picture(np.stack([corners.real, corners.imag], axis=1))

    def _checked(self, table: _Table, kept: _Kept, ways: Outlines) -> LoneCard | None:
        """The card as it was found if it fits in one way, otherwise as it is found with its size known."""
        view = table.view
        (best,), (off,) = self._best(view, ways[None])
        pixels = kept.pixels.astype(np.float32)
        if off > table.fits_mm:
            # A side was taken for another line. The card is looked for as a rectangle of its size, first coarsely as
            # far as it may be off, then finer and finer.
            pose, _ = self._rectangle(view, kept.card.corners_px)
            for reach_mm in (_REACH_MM, 0.5 * _REACH_MM, 0.25 * _REACH_MM):
                pose = self._nearer(view, kept, pixels, pose, reach_mm)
            for _ in range(_ROUNDS):
                best = self._outline(view, pose)
                near = _ways(kept._replace(card=LoneCard(best, kept.card.score)), is_exact=False)
                (exact,), (off,) = self._best(view, near[None])
                if off > table.fits_mm:
                    break
                pose, _ = self._rectangle(view, exact)
        fit = outline_fit(pixels, kept.inside(best), 1.5)
        if fit.seen.min() < _LEAST_SEEN or fit.score < _SEEN:
            return None
        return LoneCard(best, float(np.clip(fit.score, 0, 1)))

    def _nearer(self, view: Viewpoint, kept: _Kept, pixels: FloatPicture, pose: Floats, reach_mm: float) -> Floats:
        """The pose near by at which all sides together are seen best."""
        outline = kept.inside(self._outline(view, pose))
        reach_px = reach_mm * shorter_side(outline) / min(self.card_mm)
        sides = [side_votes(pixels, outline, side, reach_px) for side in range(4)]
        steps = np.linspace(-reach_mm, reach_mm, 41)
        turns = np.linspace(-1, 1, 29) * min(_MOST_TURN, reach_mm / 40)
        moves = np.stack(np.meshgrid(steps, steps, turns, indexing="ij"), axis=-1).reshape(-1, 3)
        slopes = [
            (kept.inside(self._outline(view, pose + step)) - outline) / step.sum() for step in np.diag([0.5, 0.5, 0.01])
        ]
        votes = np.array([_votes(sides[side], outline, side, slopes, moves) for side in range(4)])
        return np.asarray(pose + moves[np.argmax(votes.mean(axis=0) + votes.min(axis=0))])


def _votes(votes: SideVotes, outline: Corners, side: int, slopes: list[Corners], moves: Floats) -> Floats:
    """How well a side is seen after each move (n × 3), given how the corners go with each part of a move."""
    ends = [side, (side + 1) % 4]
    reach = outline[ends[1]] - outline[ends[0]]
    outward = np.array([reach[1], -reach[0]]) / np.linalg.norm(reach)
    offsets = moves @ np.array([slope[ends] @ outward for slope in slopes])
    step = votes.offsets[1] - votes.offsets[0]
    places = np.rint((offsets - votes.offsets[0]) / step).astype(int)
    count = len(votes.offsets)
    inside = ((places >= 0) & (places < count)).all(axis=1)
    first, last = places.clip(0, count - 1).T
    return np.where(inside, votes.votes[first, last], 0.0)


def _fitting_mm(off: Floats) -> float:
    """How far off an outline may be, by how far off all of them are: half of them always fit."""
    usual = float(np.median(off))
    return max(usual, min(_FITS_MM, max(_LEAST_FITS_MM, 3 * usual)))


def _ways(kept: _Kept, *, is_exact: bool = True) -> Outlines:
    """The outlines (16 × 4 × 2) with each side as it was found, or on the outermost edge near it."""
    pixels = kept.pixels.astype(np.float32)
    outline = kept.inside(kept.card.corners_px)
    outer = outer_outline(pixels, outline)
    found = outline if is_exact else refined_outline(pixels, outline, is_near=True)
    return np.array([kept.outside(way) for way in mixed_outlines(found, outer)])


def _complex(points: Points) -> ComplexPoints:
    return np.asarray(points[:, 0] + 1j * points[:, 1])
