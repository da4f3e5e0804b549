"""From a camera's pictures to readings of a network of dots: only what changes is read anew."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Homography, Mask, Outlines, Picture
from vision.networks.drawn import drawn
from vision.networks.grid.lattice import Grid, found_grid, similarity
from vision.networks.network_reader import NetworkReader, NetworkSight
from vision.networks.pieces.piece_look import HEADINGS, PieceLook
from vision.networks.pieces.pieces import shows_more
from vision.networks.told import Told, counted_anew, picture_in_words, picture_of_words
from vision.networks.vehicles.vehicle_shapes import kinds
from vision.outlines.outline_masks import SHRINK
from vision.watching.camera_motion import halved_grey, moved_picture, moved_points
from vision.watching.darkness import brightness, is_dark
from vision.watching.hands import COMPARED_PX, HandWatch, shows_hand
from vision.watching.long_exposure import LongExposure
from vision.watching.network_reading import Cell, NetworkReading, SeenPiece
from vision.watching.table_changes import Changes, changed_places, is_blurred
from vision.watching.table_motion import Glance, table_motion
from vision.watching.table_reading import TableReading

if TYPE_CHECKING:
    from vision.deck_pictures import DeckPictures
    from vision.watching.steady_view import Still

_BLUR_PATIENCE: Final = 5
"""After so many blurred pictures in a row, they are read as they are."""
_LOOKS: Final = 3
"""So often what is doubtful is looked at anew although nothing changes, each time with half the noise."""
_PRINTS: Final = 10
"""So often a print is looked for that has not come to light: of pieces without one it never does."""
_MOVED: Final = 0.5
"""Where so many pieces look different at once, the camera may have been bumped."""
_LOST: Final = 0.5
"""Where so many pieces are gone at once, they may lie elsewhere."""
_AROUND_DOT: Final = 0.25
"""How far around a dot its change is looked at, in cells: what stands there is 0.8 of one long and half as wide."""
_CHANCE: Final = 7.0
"""What differs by so many standard deviations does not by chance: of 135 dots in three colours, ten times a second."""
_LEAST_CHANGE: Final = 6.0
"""In levels: less is a shadow."""
_AT_REST: Final = 1
"""What has not moved in so many pictures is at rest: a camera that was pushed stands still again at once."""
_RESTS: Final = 50
"""What reaches in over the border without moving in so many pictures, five seconds of a camera's, and has not the shape
of a hand lies there: a book, or what a lamp has done."""


class _LastRead(NamedTuple):
    """The picture that was read last, and how bright it was."""

    glance: Glance
    brightness: float


class NetworkEye:
    """Looks at the pictures of one camera above a table, in order; knows no clock."""

    def __init__(
        self,
        pictures: DeckPictures,
        cells: tuple[Cell, ...],
        *,
        has_print: bool = True,
        is_same_turned: bool = False,
        pictures_to_be_still: int = 1,
    ) -> None:
        """``cells`` are those of the one piece of the deck, as it heads east.

        ``has_print``: its picture tells how it lies. ``is_same_turned``: turned by half it is the same piece.
        ``pictures_to_be_still``: a change counts when that many pictures in a row show it.
        """
        face, *_ = pictures.deck.faces
        xs = [x for x, _ in cells]
        self._pictures_to_be_still = pictures_to_be_still
        picture = pictures.faces[face.id] if has_print else None
        look = PieceLook(cells, picture, is_same_turned=is_same_turned)
        cell_mm = face.size_mm[0] / (max(xs) - min(xs) + 1)
        self._reader = NetworkReader(look, kinds(pictures.figures), cell_mm)
        self._told = Told()
        self._begin(())

    def look(self, picture: Picture, expected: Collection[str], still: Still) -> TableReading:  # noqa: ARG002
        """What lies there after this picture (h × w × 3, B, G, R).

        ``expected`` are the pieces that should lie there, and the vehicles, as ``Told`` reads them; empty where
        anything may. Raises ValueError for others.
        """
        if picture.shape != self._shape:
            self._begin(picture.shape)
        told = Told.of(expected)
        if is_dark(picture, None if self._last is None else self._last.brightness):
            return self._kept(is_still=False, is_dark=True)
        hand = self._watch.seen(picture)
        changes = None
        if self._watch.still_for == 0:
            self._has_changed = True
            changes = self._changes()
            if self._follow_motion(picture, changes):
                hand = self._watch.seen(picture)
                changes = self._changes()
        hand = hand and not self._is_table(picture)
        if hand or self._watch.still_for < self._pictures_to_be_still - 1:
            return self._kept(hand=hand, is_still=False)
        if told != self._told:
            self._tell(told)
        if not self._has_changed and self._unlike_dots().any():
            self._has_changed = True
        if not self._has_changed:
            return self._rested(picture)
        return self._read(picture, changes or self._changes())

    def forget(self) -> None:
        """Another table comes: nothing of what was seen counts any more."""
        self._begin(())

    @property
    def grid(self) -> Grid | None:
        """Where the grid lies in the picture that was read last; None where none has been found."""
        return None if self._sight is None else self._sight.grid

    def drawn(self) -> Picture | None:
        """The last picture that was read with what was read drawn in it; None before the first one."""
        if self._seen is None or self._sight is None:
            return self._seen
        return drawn(self._seen, self._sight, self._reader)

    def _begin(self, shape: tuple[int, ...]) -> None:
        self._shape = shape
        self._watch = HandWatch()
        self._last: _LastRead | None = None
        self._sight: NetworkSight | None = None
        self._off = 0.0
        self._own_print = ""
        self._prints_left = _PRINTS
        self._tell(Told())
        self._seen: Picture | None = None
        self._has_changed = True
        self._has_moved = False
        self._blurred = 0
        self._looks_left = 0
        self._exposure: LongExposure | None = None
        self._reading = TableReading(is_still=False)

    def _tell(self, told: Told) -> None:
        """Something else is known of the table."""
        if told.colours != self._told.colours:
            self._reader.use(dict(told.colours))
            if self._sight is not None:
                # What was named by other colours is no vehicle that stands there still.
                self._sight = self._sight._replace(vehicles=())
                self._last = None
        if told.own_print != self._told.own_print:
            self._reader.use_print(picture_of_words(told.own_print) if told.own_print else None)
            if self._sight is not None:
                # How pieces lie was guessed until now.
                self._sight = self._sight._replace(pieces=())
        self._told, self._has_changed, self._prints_left = told, True, _PRINTS

    def _kept(self, *, hand: bool = False, is_still: bool, is_dark: bool = False) -> TableReading:
        return TableReading(hand=hand, is_still=is_still, is_dark=is_dark, network=self._reading.network)

    def _changes(self) -> Changes:
        """Where the picture that was watched last differs from the one that was read last."""
        quarter = self._watch.shrunk.quarter
        if self._last is None:
            everywhere = np.ones(quarter.shape[:2], np.uint8)
            return Changes(everywhere, everywhere, 0.0)
        return changed_places(quarter, self._last.glance.quarter)

    def _rested(self, picture: Picture) -> TableReading:
        """The reading of a table on which nothing happens; what is doubtful is looked at with less noise."""
        if self._exposure is None or self._looks_left <= 0:
            return self._kept(is_still=True)
        self._exposure.add(picture)
        if not self._exposure.is_due:
            return self._kept(is_still=True)
        self._looks_left -= 1
        everywhere = np.ones(self._watch.shrunk.quarter.shape[:2], np.uint8)
        seen = self._exposure.look()
        if self._sight is not None:
            # Where vehicles hide most of a network it is known better from before.
            least = self._sight.grid.known_by + 1
            self._sight = self._sight._replace(grid=self._sight.fitted_grid(seen, least=least))
        reading = self._taken_in(seen, everywhere)
        return reading if self._looks_left > 0 or self._told.pieces else self._looked_over(seen)

    def _looked_over(self, picture: Picture) -> TableReading:
        """Searches the grid anew, once: it may have been found by a part of the network, before all of it was laid."""
        before = self._sight
        found = self._searched(picture, before)
        if before is not None and found is not None and shows_more(found.pieces, before.pieces):
            self._sight, self._reading = found, TableReading(is_still=False, network=self._reading_of(found))
        return self._reading

    def _read(self, picture: Picture, changes: Changes) -> TableReading:
        quarter = self._watch.shrunk.quarter
        if (
            self._last is not None
            and changes.places.any()
            and self._blurred < _BLUR_PATIENCE
            and is_blurred(quarter, self._last.glance.quarter)
        ):
            self._blurred += 1
            return self._kept(is_still=False)
        self._blurred = 0
        self._looks_left, self._exposure = _LOOKS, LongExposure(picture)
        reading = self._taken_in(picture, changes.places | changes.light | self._unlike_dots())
        self._last = _LastRead(Glance(quarter, halved_grey(self._watch.shrunk.half)), brightness(picture))
        self._has_changed = self._has_moved = False
        return reading

    def _unlike_dots(self) -> Mask:
        """Where (h × w, 1; at a quarter) dots look otherwise than in the picture that was read last.

        What shows is told from noise for the whole of a picture, by parts as large as a card is; in much noise a
        vehicle goes unnoticed. Where dots are is known, and what chance does at the mean around one.
        """
        quarter = self._watch.shrunk.quarter
        unlike = np.zeros(quarter.shape[:2], np.uint8)
        if self._last is None or self._sight is None or self._has_moved:
            return unlike
        reach = max(1, round(_AROUND_DOT * self._sight.grid.view.cell_px / SHRINK))
        change = np.asarray(cv2.subtract(quarter, self._last.glance.quarter, dtype=cv2.CV_16S), np.int16)
        means = cv2.blur(change, (2 * reach + 1, 2 * reach + 1))
        some = change[::4, ::4]
        spread = 1.48 * np.median(np.abs(some - np.median(some, axis=(0, 1)))) / (2 * reach + 1)
        places = np.round(self._sight.grid.view.in_picture(np.array(self._sight.grid.cells)) / SHRINK).astype(int)
        is_inside = ((places >= 0) & (places < quarter.shape[1::-1])).all(axis=1)
        columns, rows = places[is_inside].T
        off = np.abs(means[rows, columns] - np.median(means[rows, columns], axis=0)).max(axis=1)
        has_changed = off > max(_LEAST_CHANGE, _CHANCE * spread)
        for row, column in zip(rows[has_changed], columns[has_changed], strict=True):
            unlike[max(row - reach, 0) : row + reach + 1, max(column - reach, 0) : column + reach + 1] = 1
        return unlike

    def _taken_in(self, picture: Picture, changed: Mask) -> TableReading:
        """Reads a picture; is_still says whether more pictures of the same will tell no more."""
        before = self._sight
        if before is not None and self._has_moved:
            grid = before.grid.refined(picture)
            sight = self._reader.read(picture, grid, self._told, before)
        elif before is not None:
            sight = self._reader.read(picture, before.grid, self._told, before, changed > 0)
        else:
            sight = None
        if sight is None or sight.grid.is_askew(sight.seen, self._off) or _is_lost(sight, before):
            others = (found for found in self._elsewhere(picture, before) if _is_better(found, sight, before))
            found = next(others, None)
            if found is not None:
                sight, self._off = found, found.grid.off(found.seen)
        self._sight, self._seen = sight, picture
        if sight is not None and self._told.asks_print and not self._own_print and self._prints_left > 0:
            self._prints_left -= 1
            learnt = self._reader.learn_print(picture, sight)
            self._own_print = "" if learnt is None else picture_in_words(learnt)
        self._reading = TableReading(is_still=False, network=None if sight is None else self._reading_of(sight))
        if sight is not None and not _is_doubtful(sight):
            # Once more all the same: in much noise one picture may be sure and wrong.
            self._looks_left = min(self._looks_left, 1)
        return self._reading

    def _reading_of(self, sight: NetworkSight) -> NetworkReading:
        pieces = tuple(
            SeenPiece(piece.placement.cell, HEADINGS[piece.placement.heading], piece.is_sure) for piece in sight.pieces
        )
        own_print = self._own_print if self._told.asks_print else ""
        return NetworkReading(pieces, sight.vehicles, sight.hidden, paints=sight.paints, own_print=own_print)

    def _elsewhere(self, picture: Picture, before: NetworkSight | None) -> Iterator[NetworkSight]:
        """What lies there if the camera was pushed a little, and then wherever it may lie."""
        if before is not None:
            near = self._reader.read(picture, before.grid, self._told, before)
            near = self._reader.read(picture, near.grid.pushed(near.seen, picture), self._told, before)
            if near.grid.is_askew(near.seen):
                near = self._reader.read(picture, near.fitted_grid(picture), self._told, before)
            if not near.grid.is_askew(near.seen) and not _is_lost(near, before):
                yield near
        found = self._searched(picture, before)
        if found is not None:
            yield found

    def _searched(self, picture: Picture, before: NetworkSight | None) -> NetworkSight | None:
        """What lies there by a new search for the grid, in axes as before if it lies as before."""
        grid = found_grid(picture)
        if grid is None:
            return None
        if before is not None:
            grid = grid.counted_as(before.grid)
        sight = self._reader.whole(picture, grid, self._told)
        return sight if sight.pieces else None

    def _follow_motion(self, picture: Picture, changes: Changes) -> bool:
        """Moves all that is known where the camera was bumped or the network pushed; says whether it did."""
        sight = self._sight
        if self._last is None or sight is None or not sight.pieces:
            return False
        outlines = self._reader.outlines(sight)
        have_moved = _share_in(outlines, changes.places) > _MOVED
        if not have_moved and not changes.is_everywhere:
            return False
        now = Glance(self._watch.shrunk.quarter, halved_grey(self._watch.shrunk.half))
        found = table_motion(self._last.glance, now, changes, list(outlines), have_moved=have_moved)
        if found is None:
            return False
        self._last = self._last._replace(glance=found.expected)
        self._sight = sight._replace(grid=sight.grid.moved(found.motion, picture))
        self._begin_watch(np.asarray(cv2.resize(found.expected.quarter, picture.shape[1::-1]), np.uint8))
        self._has_moved = True
        return True

    def _is_table(self, picture: Picture) -> bool:
        """Whether what seems to be a hand is none."""
        if self._watch.still_for == _RESTS and not shows_hand(picture):
            self._begin_watch(picture)
            self._has_changed = True
            return True
        return self._watch.still_for == _AT_REST and self._was_pushed(picture)

    def _was_pushed(self, picture: Picture) -> bool:
        """Whether what seems to be a hand is the table, as a camera sees it that was pushed: then all has moved on.

        Nobody can follow a pattern that comes again and again: where the network lies now tells how it has moved.
        """
        before, last, shrunk = self._sight, self._last, self._watch.shrunk
        if before is not None and self._lies_as(before, picture):
            return False
        for found in self._elsewhere(picture, before):
            if before is None or last is None:
                if found.lay is not None:
                    self._begin_watch(picture)
                return found.lay is not None
            moved = moved_picture(last.glance.quarter, _motion(before, found), shrunk.quarter)
            watch = HandWatch()
            watch.seen(np.asarray(cv2.resize(moved, picture.shape[1::-1]), np.uint8))
            if not watch.seen(picture):
                glance = Glance(moved, halved_grey(shrunk.half))
                self._watch, self._sight, self._last, self._has_moved = watch, found, last._replace(glance=glance), True
                return True
        return False

    def _lies_as(self, before: NetworkSight, picture: Picture) -> bool:
        """Whether a network lies where it lay: then a hand is one, and nothing is searched for whenever it rests."""
        seen = self._reader.read(picture, before.grid, self._told, before).seen
        if 2 * len(seen.cells) < len(before.seen.cells):
            return False
        corners = np.array([(0.0, 0.0), picture.shape[1::-1]])
        off = moved_points(corners, similarity(before.grid.view.in_picture(seen.cells), seen.points_px)) - corners
        return bool((np.linalg.norm(off, axis=1) < picture.shape[1] / COMPARED_PX).all())

    def _begin_watch(self, table: Picture) -> None:
        """What is in this picture is no hand."""
        self._watch = HandWatch()
        self._watch.seen(table)


def _is_lost(sight: NetworkSight, before: NetworkSight | None) -> bool:
    """Whether what lay there may lie elsewhere: most pieces are gone, or what was told is not seen there any more."""
    if before is None:
        return not sight.pieces
    return len(sight.pieces) < _LOST * len(before.pieces) or (before.lay is not None and sight.lay is None)


def _is_better(found: NetworkSight, sight: NetworkSight | None, before: NetworkSight | None) -> bool:
    """Whether what was found by a new search counts, and not what was seen where it had lain before."""
    if sight is None or before is None:
        return True
    if found.lay is None and before.lay is not None:
        # Where vehicles hide so much that nobody sees what was told, all that was seen before still lies there.
        return False
    return _is_lost(sight, before) or (not found.grid.is_askew(found.seen) and len(found.pieces) >= len(sight.pieces))


def _is_doubtful(sight: NetworkSight) -> bool:
    """Whether some piece or vehicle may be another one as well."""
    return not all(piece.is_sure for piece in sight.pieces) or any(vehicle.others for vehicle in sight.vehicles)


def _motion(before: NetworkSight, now: NetworkSight) -> Homography:
    """How what was seen before has moved in the picture, by where the network lies."""
    xs, ys = zip(*before.grid.cells, strict=True)
    corners = [(x, y) for x in (min(xs), max(xs) + 1) for y in (min(ys), max(ys) + 1)]
    there = counted_anew(corners, before.lay, now.lay)
    return similarity(before.grid.view.in_picture(np.array(corners)), now.grid.view.in_picture(np.array(there)))


def _share_in(outlines_px: Outlines, places: Mask) -> float:
    """How many of these outlines have changed in their middle."""
    middles = np.round(outlines_px.mean(axis=1) / SHRINK).astype(int)
    height, width = places.shape[:2]
    inside = ((middles >= 0) & (middles < (width, height))).all(axis=1)
    chosen = middles[inside]
    return float(places[chosen[:, 1], chosen[:, 0]].mean()) if len(chosen) else 0.0
