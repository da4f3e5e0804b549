"""Where the paper of all cards of a session ends, told by all photographs together.

Found one by one, all cards of a deck may be taken for too small by a frame printed on them, or for too large by their
shadows: such outlines fit each other very well. What lies outside of a card is the bare table, which the photographs
of the other cards show; that is true of the paper's edge alone.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, Flags, FloatPicture, Floats, Outlines
from vision.outlines.viewpoint import Viewpoint, estimate_viewpoint
from vision.teaching.photographs.bare_table import BareTable, Part, bare_table, linear
from vision.teaching.photographs.kept_photographs import CardOnTable, Kept
from vision.teaching.photographs.paper_edge import (
    EdgeFinder,
    Profiles,
    known_part,
    noise_of,
    side_places,
    side_profiles,
    stacked,
    tops,
)

_COVERED_MM: Final = (9.0, 5.0, 3.5)
"""How far around an outline there may still be the card or its shadow: the widest margin and a shadow, as long as it
may be a frame, or a narrower one; and then a shadow alone."""
_LEAST_KNOWN: Final = 0.9
"""Of the table beside a side, to tell where that is."""
_GUESSED: Final = 0.05
"""What a side counts where the table beside it is only thought to be as it is around there."""
_OFF_MM: Final = 0.4
"""What is further off than this from where the other sides of a card say counts less and less."""
_MOST_NOISE: Final = 4.0
"""A card around which the picture differs so many times more from the table than usual tells nothing."""
_ROUNDS: Final = 6
"""In turns: how each card lies by where sides usually are, and where sides usually are by how the cards lie."""
_TURNS: Final = 3
"""In each the table is better known, as cards hide less of it that lie where they are thought to."""
_MOST_SLANT_MM: Final = 1.5
"""How differently the two halves of a side may be off in all cards: up to 0.9 where they were found crooked, and 4 or
5 where a part of the table is not known."""
_LEAST_CLEAR: Final = 4
"""So many cards leave each other's surroundings bare."""
_BLURS_MM: Final = (0.25, 0.3, 0.4, 0.5, 0.6, 0.7)
"""Of edges, standard deviations: from what pictures are smoothed to, to where a numeral is too blurred to be taught."""
_SOME: Final = 3
"""Every so many cards tell how blurred edges are."""


class Laid(NamedTuple):
    """Cards on a table, by what all of them have in common: from where they are seen, and their outlines (n × 4 × 2).

    ``clear`` (n) tells of which cards all sides are where those of the others let expect them.
    """

    view: Viewpoint
    outlines: Outlines
    clear: Flags
    table: BareTable
    turn: float
    """How cards usually lie, in radians."""


class _Sides(NamedTuple):
    """How far outwards the halves of all sides (8) must be moved, mm, and the changes of the poses (n × 3).

    ``left`` (n × 8) is how far the halves of single cards are off then.
    """

    common: Floats
    changes: Floats
    left: Floats


def laid_cards(card: CardOnTable, view: Viewpoint, kept: list[Kept]) -> Laid | None:
    """Where the paper of cards ends that were found from some mm away; None where the table does not tell.

    That is where the camera was moved between the photographs, or where the cards hide too much of the table.
    """
    # Few cards hide much of the table together; then more of it is taken for bare.
    tried = (_laid(card, view, kept, covered_mm) for covered_mm in _COVERED_MM)
    return next((laid for laid in tried if laid is not None), None)


def _laid(card: CardOnTable, view: Viewpoint, kept: list[Kept], covered_mm: float) -> Laid | None:
    """The same, if there is nothing but bare table so far from where the cards were found."""
    px_per_mm = kept[0].card.px_per_mm(card.card_mm) * kept[0].part.zoom
    poses = np.array([card.pose(view, one.card.corners_px)[0] for one in kept])
    outlines, clear = np.array([one.card.corners_px for one in kept]), np.zeros(len(kept), bool)
    for turn in range(_TURNS):
        profiles, known = _all_profiles(card, view, kept, poses, covered_mm if turn == 0 else _COVERED_MM[-1])
        noise = np.array([noise_of(profiles.chosen(index)).mean() for index in range(len(kept))])
        usual = noise <= _MOST_NOISE * np.median(noise)
        finder = EdgeFinder(profiles.chosen(usual), px_per_mm)
        blur_mm = _blur_mm(finder, profiles.chosen(usual))
        sides = _sides(card, finder.likelihoods(profiles, blur_mm), known, usual)
        poses = poses + _in_table_directions(sides.changes, poses)
        clear = usual & (np.median(sides.left, axis=1) <= _OFF_MM)
        slant = np.abs(np.diff(sides.common.reshape(4, 2))).max()
        if clear.sum() < max(_LEAST_CLEAR, 0.5 * len(kept)) or slant > _MOST_SLANT_MM:
            return None
        moved = moved_corners_mm(card, sides.common.reshape(4, 2))
        outlines = np.array([card.seen(view, pose, moved) for pose in poses])
        view = estimate_viewpoint(outlines[clear], card.card_mm, kept[0].size)
        poses = np.array([card.pose(view, outline)[0] for outline in outlines])
    certain = [index for index in range(len(kept)) if clear[index]]
    table = bare_table([_part(card, view, kept[index], poses[index], _COVERED_MM[-1]) for index in certain])
    return Laid(view, outlines, clear, table, float(np.median(poses[certain, 2])))


def _all_profiles(
    card: CardOnTable, view: Viewpoint, kept: list[Kept], poses: Floats, covered_mm: float
) -> tuple[Profiles, Floats]:
    """The profiles of all cards (n × sides × halves × offsets × 3), compared to what the others leave bare.

    And which part of the table beside each half of a side (n × sides × halves) they leave bare.
    """
    table = bare_table([_part(card, view, one, pose, covered_mm) for one, pose in zip(kept, poses, strict=True)])
    table = table._replace(light=_smooth(table.light, card, kept[0]))
    found = [_profiles(card, view, one, pose, table) for one, pose in zip(kept, poses, strict=True)]
    return stacked([profiles for profiles, _ in found]), np.array([known for _, known in found])


def _smooth(light: FloatPicture, card: CardOnTable, kept: Kept) -> FloatPicture:
    """No sharper than the steps in which it is looked at."""
    blur_px = _BLURS_MM[0] * kept.card.px_per_mm(card.card_mm) * kept.part.zoom
    return np.asarray(cv2.GaussianBlur(light, (0, 0), blur_px), np.float32) if blur_px > 1 else light


def _blur_mm(finder: EdgeFinder, profiles: Profiles) -> float:
    """How blurred edges are (a standard deviation), by some of the profiles."""
    some = profiles.chosen(np.arange(0, len(profiles.seen), _SOME))
    return max(_BLURS_MM, key=lambda blur_mm: float(finder.likelihoods(some, blur_mm).max(axis=-1).sum()))


def _sides(card: CardOnTable, likelihoods: Floats, known: Floats, usual: Flags) -> _Sides:
    """What the likelihoods (n × sides × halves × edges) of all cards tell together.

    Each card lies as it likes, but its sides are where those of the others are.
    """
    count, slopes = len(likelihoods), _slopes(card)
    places, weights = (values.reshape(count, -1) for values in tops(likelihoods))
    weights = weights * np.where(known.reshape(count, -1) >= _LEAST_KNOWN, 1.0, _GUESSED)
    common, changes = _weighted_median(places[usual], weights[usual]), np.zeros((count, 3))
    for _ in range(_ROUNDS):
        changes = np.array([_change(slopes, *own) for own in zip(places - common, weights, strict=True)])
        common = _weighted_median((places - changes @ slopes.T)[usual], weights[usual])
    return _Sides(common, changes, np.abs(places - changes @ slopes.T - common))


def _weighted_median(values: Floats, weights: Floats) -> Floats:
    """Of each column of values (n × m) the one below which half of the weights lie."""
    order = values.argsort(axis=0)
    ordered, summed = np.take_along_axis(values, order, 0), np.take_along_axis(weights + 1e-9, order, 0).cumsum(axis=0)
    middle = (summed < 0.5 * summed[-1]).sum(axis=0)
    return np.asarray(ordered[middle, np.arange(values.shape[1])])


def _in_table_directions(changes: Floats, poses: Floats) -> Floats:
    """Changes (n × 3) along the sides of cards that lie so, as changes of their poses."""
    turned = np.exp(1j * poses[:, 2]) * (changes[:, 0] + 1j * changes[:, 1])
    return np.stack([turned.real, turned.imag, changes[:, 2]], axis=1)


def _part(card: CardOnTable, view: Viewpoint, kept: Kept, pose: Floats, covered_mm: float) -> Part:
    return Part(kept.part.pixels, kept.part.corner_px, card.covered(view, pose, kept.part, covered_mm))


def _profiles(
    card: CardOnTable, view: Viewpoint, kept: Kept, pose: Floats, table: BareTable
) -> tuple[Profiles, Floats]:
    """The profiles of a card (sides × halves × offsets × 3), and which part of the table beside it is known."""
    picture = _smooth(linear(kept.part.pixels), card, kept)
    shift = np.subtract(kept.part.corner_px, table.corner)
    sides, known = [], []
    for side in range(4):
        places = kept.part.inside(card.seen(view, pose, side_places(card.card_mm, side)))
        sides.append(side_profiles(picture, table.light, places, places + shift))
        known.append(known_part(table.known, places + shift))
    return stacked(sides), np.array(known)


def _slopes(card: CardOnTable) -> Floats:
    """How far outwards the halves of the sides (8) move with each part of a change of a pose in its own directions."""
    across, down = card.card_mm
    normals = np.repeat([(0, -1), (1, 0), (0, 1), (-1, 0)], 2, axis=0)
    middles = np.array(
        [(-0.2 * across, -down / 2), (0.2 * across, -down / 2), (across / 2, -0.2 * down), (across / 2, 0.2 * down)]
    )
    middles = np.concatenate([middles, -middles])
    turning = middles[:, 0] * normals[:, 1] - middles[:, 1] * normals[:, 0]
    return np.column_stack([normals, turning])


def _change(slopes: Floats, off_mm: Floats, weights: Floats) -> Floats:
    """The change of a pose (x and y in mm in the card's own directions, the turn) for sides that are so far off."""
    change: Floats = np.zeros(3)
    for _ in range(_ROUNDS):
        left = off_mm - slopes @ change
        root = np.sqrt(weights / (1 + (left / _OFF_MM) ** 2))
        change = np.asarray(np.linalg.lstsq(slopes * root[:, None], off_mm * root, rcond=1e-6)[0], float)
    return change


def moved_corners_mm(card: CardOnTable, moved: Floats) -> Corners:
    """The corners of a card around its middle, its sides moved outwards at the middles of their halves (4 × 2, mm)."""
    across, down = card.card_mm[0] / 2, card.card_mm[1] / 2
    corners = np.array([(-across, -down), (across, -down), (across, down), (-across, down)])
    lines = []
    for side in range(4):
        start, reach = corners[side], corners[(side + 1) % 4] - corners[side]
        outward = np.array([reach[1], -reach[0]]) / np.linalg.norm(reach)
        growth = (moved[side, 1] - moved[side, 0]) / 0.4
        first = moved[side, 0] - 0.3 * growth
        lines.append((start + first * outward, reach + growth * outward))
    crossed: list[Floats] = []
    for corner in range(4):
        (p, along_p), (q, along_q) = lines[corner - 1], lines[corner]
        at = np.linalg.solve(np.column_stack([along_p, -along_q]), q - p)[0]
        crossed.append(p + at * along_p)
    return np.array(crossed)
