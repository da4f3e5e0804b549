"""Cards that were photographed one by one on one table by a camera that stood still, checked against each other.

On one table every card is a rectangle of one size, so that each outline tells how large and how slanted the others
must be. One that does not fit is looked for again near by, its size known.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Flags, FloatPicture, Floats, GreyPicture, Outlines, Picture
from vision.cards import CARD_MM
from vision.outlines.card_sides import (
    SideVotes,
    mixed_outlines,
    moved_outwards,
    outer_outline,
    outline_fit,
    refined_outline,
    shorter_side,
    side_votes,
)
from vision.outlines.viewpoint import Viewpoint, estimate_viewpoint
from vision.teaching.lone_card import LoneCard
from vision.teaching.photographs.common_print import laid_by_print
from vision.teaching.photographs.joint_edges import Laid, laid_cards, moved_corners_mm
from vision.teaching.photographs.kept_photographs import CardOnTable, Kept, Zoomed
from vision.teaching.photographs.missing_cards import missing_card

LEAST_CARDS: Final = 5
"""So many cards tell how the table lies."""
_FITS_MM: Final = 0.6
"""How far the corners of an outline are off its rectangle at most, if it is right."""
_LEAST_FITS_MM: Final = 0.2
_STEEPEST_MM: Final = 0.8
"""How far from the edge that the bare table tells the steepest place is at most, if it is the edge, too: what is shaded
may seem to be paper for half a millimetre, and nothing is printed along all edges so near to the cut."""
_RECTANGLES: Final = 1 / 3
_RECTANGLE_MM: Final = 0.3
"""The steepest places are the edges if so many of the cards are rectangles of their size there, with corners no
farther off: what is printed may be steeper on the others. Of the cards of 44 decks for building 16 % were more than
0.3 mm off if half of them had to be with 0.2 mm, and no farther away than 0.4; 12 % with 0.8, 10 % with all of these.
"""
_ROUNDS: Final = 3
_FITTING_PART: Final = 0.5
"""Of the cards, what must fit; otherwise the camera has been moved."""
_AROUND_MM: Final = 16.0
"""What is kept of a picture around a card."""
_REACH_MM: Final = 6.0
"""How far away a card is looked for."""
_MOST_TURN: Final = 0.07
"""By how much it may be turned, as a part of a side's length."""
_EXACT_PX: Final = 220
"""Of the card's shorter side, in what is kept."""
_UNKNOWN_PX: Final = 1640
"""Of a photograph's longer side, in what is kept of it before a card was found."""
_QUALITY: Final = 95
"""Of the JPEG files, 1 to 100."""
_LEAST_SEEN: Final = 0.45
"""Of each side, in the mean of all of them, of a card that is looked for again."""
_SEEN: Final = 0.62


class _Photograph(NamedTuple):
    """A photograph's width and height, how much smaller it is kept as a JPEG file, and its card, if it was found."""

    size: tuple[int, int]
    zoom: float
    packed: GreyPicture
    kept: Kept | None

    def whole(self, zoom: float) -> Zoomed:
        """All of it, so much smaller than the photograph."""
        pixels = np.asarray(cv2.imdecode(self.packed, cv2.IMREAD_COLOR), np.uint8)
        if zoom != self.zoom:
            width, height = (round(side * zoom) for side in self.size)
            pixels = np.asarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
        return Zoomed(pixels, (0, 0), zoom)


class _Table(NamedTuple):
    """From where the table is seen, and how far off its rectangle an outline may be that is right."""

    view: Viewpoint
    fits_mm: float


class _Edges(NamedTuple):
    """From where the table is seen, and outlines (n × 4 × 2), by the steepest places near all cards.

    ``fits`` (n) tells which are rectangles of the card's size, ``moved_mm`` (4) how far outwards the sides usually are.
    """

    view: Viewpoint
    outlines: Outlines
    fits: Flags
    moved_mm: Floats


class CommonTable:
    """The lone cards of a session; keeps the part of each photograph that shows the card."""

    def __init__(self, card_mm: tuple[float, float] = CARD_MM) -> None:
        self.card_mm = card_mm
        self._card = CardOnTable(card_mm)
        self._zooms: dict[tuple[int, int], float] = {}
        self._photographs: list[_Photograph] = []

    def add(self, picture: Picture, card: LoneCard | None) -> None:
        """One more photograph (height × width × 3, BGR) and where its card was found, if it was."""
        size = (picture.shape[1], picture.shape[0])
        if card is not None and size not in self._zooms:
            # Of one camera all by the same, so that a pixel is the same place of the table in all of them.
            self._zooms[size] = min(1.0, _EXACT_PX / shorter_side(card.corners_px))
        zoom = self._zooms.get(size, min(1.0, _UNKNOWN_PX / max(size)))
        small = cv2.resize(picture, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA) if zoom < 1 else picture
        whole = Zoomed(np.asarray(small, np.uint8), (0, 0), zoom)
        _, packed = cv2.imencode(".jpg", whole.pixels, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        kept = None if card is None else self._around(whole, card, size)
        self._photographs.append(_Photograph(size, zoom, packed, kept))

    def settled(self) -> list[LoneCard | None]:
        """Where the cards lie, in the order in which they were added; None where that is not clear.

        Photographs are taken as they are where they are few, or where the camera was moved between them.
        """
        settled: list[LoneCard | None] = [one.kept.card if one.kept else None for one in self._photographs]
        for size in {one.size for one in self._photographs}:
            indices = [index for index, one in enumerate(self._photographs) if one.size == size]
            found = [index for index in indices if self._photographs[index].kept is not None]
            if len(found) >= LEAST_CARDS:
                cards = self._together([self._photographs[index] for index in indices])
                for index, card in zip(indices, cards, strict=True):
                    settled[index] = card
        return settled

    def _around(self, whole: Zoomed, card: LoneCard, size: tuple[int, int]) -> Kept:
        """What is kept of a photograph with a card."""
        return Kept(card, size, whole.around(card.corners_px, _AROUND_MM * card.px_per_mm(self.card_mm)))

    def _together(self, photographs: list[_Photograph]) -> list[LoneCard | None]:
        """The cards of one camera."""
        places = [place for place, one in enumerate(photographs) if one.kept is not None]
        kept = [one.kept for one in photographs if one.kept is not None]
        cards: list[LoneCard | None] = [None] * len(photographs)
        outlines = np.array([one.card.corners_px for one in kept])
        laid = laid_cards(self._card, self._agreed(outlines, kept[0].size)[0], kept)
        if laid is None:
            settled = self._one_by_one(kept)
        else:
            places, kept, laid = self._with_missing(photographs, places, kept, laid)
            settled = self._settled(kept, laid)
        for place, card in zip(places, settled, strict=True):
            cards[place] = card
        return cards

    def _one_by_one(self, kept: list[Kept]) -> list[LoneCard | None]:
        """The cards by their edges alone."""
        ways = np.array([_ways(one) for one in kept])
        table = self._table(ways, kept[0].size)
        if table is None:
            return [one.card for one in kept]
        return [self._checked(table, one, outlines) for one, outlines in zip(kept, ways, strict=True)]

    def _with_missing(
        self, photographs: list[_Photograph], places: list[int], kept: list[Kept], laid: Laid
    ) -> tuple[list[int], list[Kept], Laid]:
        """The same with cards that have not been found, or something else in their place."""
        all_kept: dict[int, Kept] = {
            place: one._replace(card=one.card._replace(corners_px=outline)) if is_clear else one
            for place, one, outline, is_clear in zip(places, kept, laid.outlines, laid.clear, strict=True)
        }
        clear = {place for place, is_clear in zip(places, laid.clear, strict=True) if is_clear}
        looked_for = [place for place in range(len(photographs)) if place not in clear]
        found = False
        for place in looked_for:
            one = photographs[place]
            whole = one.whole(kept[0].part.zoom)
            outline = missing_card(self._card, laid.view, whole, laid.table, laid.turn)
            if outline is not None:
                all_kept[place] = self._around(whole, LoneCard(outline, 1.0), one.size)
                found = True
        if not found:
            return places, kept, laid
        order = sorted(all_kept)
        again = laid_cards(self._card, laid.view, [all_kept[place] for place in order])
        if again is None:
            return places, kept, laid
        first = dict(zip(places, kept, strict=True))
        # Where that was no card either, what was found first is looked at once more.
        best = [
            all_kept[place] if is_clear else first.get(place, all_kept[place])
            for place, is_clear in zip(order, again.clear, strict=True)
        ]
        return order, best, again

    def _settled(self, kept: list[Kept], laid: Laid) -> list[LoneCard | None]:
        """The cards, measured."""
        view, outlines = self._exact(laid, kept)
        ways: dict[int, list[Corners]] = {}
        for index, (one, outline, is_clear) in enumerate(zip(kept, outlines, laid.clear, strict=True)):
            if is_clear:
                ways[index] = [outline]
            elif (checked := self._checked(_Table(view, _FITS_MM), one, _ways(one))) is not None:
                ways[index] = [checked.corners_px, outline]
        cards: list[LoneCard | None] = [None] * len(kept)
        moved = laid_by_print(self._card, view, [kept[index] for index in ways], list(ways.values()))
        for index, outline in zip(ways, moved, strict=True):
            one = kept[index]
            is_cut_off = (outline < 0).any() or (outline > np.array(one.size) - 1).any()
            fit = outline_fit(one.part.pixels.astype(np.float32), one.part.inside(outline), 1.5)
            cards[index] = None if is_cut_off else LoneCard(outline, float(np.clip(fit.score, 0, 1)))
        return cards

    def _exact(self, laid: Laid, kept: list[Kept]) -> tuple[Viewpoint, Outlines]:
        """The viewpoint and the outlines by the steepest places near by, if all of them have those alike."""
        edges = self._steepest(laid, laid.outlines, kept)
        if edges is None:
            return laid.view, laid.outlines
        # What is steep near single cards may be printed on them; that is no rectangle of the card's size. Their edges
        # are as far off as those of all others, and looked for there once more.
        outlines = np.where(edges.fits[:, None, None], edges.outlines, self._moved(laid, edges.moved_mm))
        again = self._steepest(laid, outlines, kept)
        if again is None:
            return edges.view, outlines
        return again.view, np.where(again.fits[:, None, None], again.outlines, outlines)

    def _steepest(self, laid: Laid, outlines: Outlines, kept: list[Kept]) -> _Edges | None:
        """The steepest places near these outlines; None if they are not alike."""
        exact = np.array(
            [
                one.part.outside(
                    refined_outline(one.part.pixels.astype(np.float32), one.part.inside(outline), is_near=True)
                )
                for one, outline in zip(kept, outlines, strict=True)
            ]
        )
        view, _ = self._agreed(exact[laid.clear], kept[0].size)
        poses = [self._card.pose(view, outline) for outline in exact]
        away = np.array([each for _, each in poses])
        edges = np.array([self._card.outline(view, pose) for pose, _ in poses])
        moved = np.array(
            [
                moved_outwards(outline, edge) / one.card.px_per_mm(self.card_mm)
                for outline, edge, one in zip(laid.outlines, edges, kept, strict=True)
            ]
        )
        usual = np.median(moved[laid.clear], axis=0)
        if np.quantile(away[laid.clear], _RECTANGLES) > _RECTANGLE_MM or np.abs(usual).max() > _STEEPEST_MM:
            return None
        return _Edges(view, edges, away <= _fitting_mm(away), usual)

    def _moved(self, laid: Laid, moved_mm: Floats) -> Outlines:
        """The outlines of cards with their sides moved outwards by so much (4)."""
        corners = moved_corners_mm(self._card, np.stack([moved_mm, moved_mm], axis=1))
        poses = [self._card.pose(laid.view, outline)[0] for outline in laid.outlines]
        return np.array([self._card.seen(laid.view, pose, corners) for pose in poses])

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
        off = np.array([[self._card.pose(view, outline)[1] for outline in outlines] for outlines in ways])
        chosen = off.argmin(axis=1)
        cards = np.arange(len(ways))
        return ways[cards, chosen], off[cards, chosen]

    def _checked(self, table: _Table, kept: Kept, ways: Outlines) -> LoneCard | None:
        """The card as it was found if it fits in one way, otherwise as it is found with its size known."""
        view = table.view
        (best,), (off,) = self._best(view, ways[None])
        pixels = kept.part.pixels.astype(np.float32)
        if off > table.fits_mm:
            # A side was taken for another line. The card is looked for as a rectangle of its size, first coarsely as
            # far as it may be off, then finer and finer.
            pose, _ = self._card.pose(view, kept.card.corners_px)
            for reach_mm in (_REACH_MM, 0.5 * _REACH_MM, 0.25 * _REACH_MM):
                pose = self._nearer(view, kept, pixels, pose, reach_mm)
            for _ in range(_ROUNDS):
                best = self._card.outline(view, pose)
                near = _ways(kept._replace(card=LoneCard(best, kept.card.score)), is_exact=False)
                (exact,), (off,) = self._best(view, near[None])
                if off > table.fits_mm:
                    break
                pose, _ = self._card.pose(view, exact)
        fit = outline_fit(pixels, kept.part.inside(best), 1.5)
        if fit.seen.min() < _LEAST_SEEN or fit.score < _SEEN:
            return None
        return LoneCard(best, float(np.clip(fit.score, 0, 1)))

    def _nearer(self, view: Viewpoint, kept: Kept, pixels: FloatPicture, pose: Floats, reach_mm: float) -> Floats:
        """The pose near by at which all sides together are seen best."""
        outline = kept.part.inside(self._card.outline(view, pose))
        reach_px = reach_mm * shorter_side(outline) / min(self.card_mm)
        sides = [side_votes(pixels, outline, side, reach_px) for side in range(4)]
        steps = np.linspace(-reach_mm, reach_mm, 41)
        turns = np.linspace(-1, 1, 29) * min(_MOST_TURN, reach_mm / 40)
        moves = np.stack(np.meshgrid(steps, steps, turns, indexing="ij"), axis=-1).reshape(-1, 3)
        slopes = [
            (kept.part.inside(self._card.outline(view, pose + step)) - outline) / step.sum()
            for step in np.diag([0.5, 0.5, 0.01])
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


def _ways(kept: Kept, *, is_exact: bool = True) -> Outlines:
    """The outlines (16 × 4 × 2) with each side as it was found, or on the outermost edge near it."""
    pixels = kept.part.pixels.astype(np.float32)
    outline = kept.part.inside(kept.card.corners_px)
    outer = outer_outline(pixels, outline)
    found = outline if is_exact else refined_outline(pixels, outline, is_near=True)
    return np.array([kept.part.outside(way) for way in mixed_outlines(found, outer)])
