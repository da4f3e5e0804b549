"""Whether the camera was bumped, or the cards were pushed over the table as one, between two pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, GreyPicture, Homography, Mask, Picture
from vision.outlines.outline_masks import fill_outline, without_cards
from vision.watching.camera_motion import camera_motion, moved_picture, moved_points
from vision.watching.table_changes import Changes, changed_places

_PUSHED: Final = 0.1
"""Of a card's side: what is pushed by less is read where it lay as well, and no motion is needed to find it again. Of
cards that lay still beside others that had been taken away it was 0.04 at most."""


class Glance(NamedTuple):
    """A picture as it is remembered: at a quarter in colour, and at half its size in grey (``halved_grey``)."""

    quarter: Picture
    half: GreyPicture


class TableMotion(NamedTuple):
    """How the cards have moved in the picture (a homography, px), and what the earlier picture would look like now."""

    motion: Homography
    expected: Glance


def table_motion(
    before: Glance, now: Glance, changes: Changes, cards_px: Sequence[Corners], *, have_moved: bool
) -> TableMotion | None:
    """How the table has moved since an earlier picture; None where it has not, or where that explains little.

    ``changes`` are those between the two; ``cards_px`` (each 4 × 2, px of the whole picture) is where the cards lay,
    ``have_moved`` says that most of them lie there no more.
    """
    # Over a patterned cloth the pattern outvotes what lies on it.
    for things in ((), cards_px) if have_moved else ((),):
        motion = camera_motion(before.half, now.half, things)
        if motion is None:
            continue
        there = [moved_points(outline, motion) for outline in cards_px]
        if things and not _are_pushed(cards_px, there):
            continue
        moved = moved_picture(before.quarter, motion, now.quarter)
        left = changed_places(now.quarter, moved)
        # A camera that was shaken a little makes noise everywhere over a pattern, and no place stands out of it: what
        # tells of the motion is that it takes most of the noise away.
        if changes.is_everywhere and 2 * left.noise < changes.noise:
            return TableMotion(motion, Glance(moved, now.half))
        # Either the camera moved or the cards did: the one that leaves less to be explained. After a push what lies
        # about has stayed, and after a bump it would have to have moved with the cards.
        after_bump, after_push = int(left.places.sum()), _besides_push(changes.places, left.places, cards_px, there)
        if not have_moved or 2 * min(after_bump, after_push) > int(changes.places.sum()):
            continue
        if after_bump > after_push:
            moved = _pushed(before.quarter, moved, now.quarter, cards_px, there)
        return TableMotion(motion, Glance(moved, now.half))
    return None


def _are_pushed(here: Sequence[Corners], there: Sequence[Corners]) -> bool:
    """Whether most cards come to lie elsewhere; else some were taken away, and what they did is not known."""
    ways = [np.linalg.norm(end - start, axis=1).max() for start, end in zip(here, there, strict=True)]
    sides = [np.linalg.norm(start[1] - start[0]) for start in here]
    return float(np.median(ways)) > _PUSHED * float(np.median(sides))


def _besides_push(places: Mask, left: Mask, here: Sequence[Corners], there: Sequence[Corners]) -> int:
    """How much has changed around cards that were pushed from here to there, and on them.

    ``places`` differ from the picture before, ``left`` from that picture moved with the cards.
    """
    around = without_cards(places, [*here, *there])
    return int(around.sum()) + int(left.sum()) - int(without_cards(left, there).sum())


def _pushed(
    before: Picture, moved: Picture, now: Picture, here: Sequence[Corners], there: Sequence[Corners]
) -> Picture:
    """The picture before, with the cards where they were pushed to; where they lay the table is as it is now."""
    expected = before.copy()
    for source, outlines in ((now, here), (moved, there)):
        mask = np.zeros(before.shape[:2], np.uint8)
        for outline in outlines:
            fill_outline(mask, outline)
        np.copyto(expected, source, where=cv2.dilate(mask, np.ones((3, 3), np.uint8))[..., None] > 0)
    return expected
