"""Cards of a session laid over what is printed alike on those that resemble them most.

Edges alone may lead astray: a dark frame on a dark table hides where the paper ends, and one card of a deck is then
cut out some mm askew. Laid over its likes it shows, as their frames and rails do not lie on each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, FloatPicture, Floats
from vision.outlines.viewpoint import Viewpoint
from vision.teaching.even_faces import PX_PER_MM
from vision.teaching.photographs.kept_photographs import CardOnTable, Kept

_SHADE_MM: Final = 6.0
"""What changes no faster than over this (a standard deviation) is light rather than print."""
_LIKES: Final = 5
"""Of so many of the cards that resemble one most, the median tells where its print belongs: as many as have the same
rails in a deck of four values, and one that lies askew itself does not count."""
_LESS_UNLIKE: Final = 0.75
"""A card is moved if less than this part of what its print does not share with its likes is left then. Of 911 cards of
38 decks for building, .81 and more was left by moves that were wrong (up to .6 mm, broken tracks drawn to whole ones),
and .72 and less where a card had lain a mm askew and more compared with the others."""
_LESS_IN_DOUBT: Final = 0.95
"""The same for a card that may lie in several places. Of 29 such among 1,679 of 70 decks for building six had .94 and
less, all of which lie better where they were moved to (one by 4.3 mm); of the others, .96 and more, none does by
more than 0.1 mm."""
_ASKEW_MM: Final = 1.0
"""A card that is not in doubt lies askew by this and more, if at all: of 1,650 on those decks nine would be moved by up
to 0.6 mm, one of them to where it lies better by 0.1 mm and seven to where they are farther off."""
_DARK: Final = 8.0
"""Added to lightness (0 to 255) before its logarithm is taken, lest noise in black tell much."""
_SEARCH: Final = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 100, 1e-5)


class _Lying(NamedTuple):
    """How a card lies on the table (x and y in mm, a turn in radians), and how well its print fits there (-1 to 1)."""

    pose: Floats
    fit: float


def laid_by_print(
    card: CardOnTable, view: Viewpoint, kept: Sequence[Kept], ways: Sequence[Sequence[Corners]]
) -> list[Corners]:
    """The outlines (4 × 2) of all cards of a session, those that lay askew moved to where their print belongs.

    ``ways`` are the outlines where each may lie, one or more; it is believed to lie in the first of them.
    """
    believed = [outlines[0] for outlines in ways]
    if len(kept) <= _LIKES:
        return believed
    poses = [[card.pose(view, outline)[0] for outline in outlines] for outlines in ways]
    prints = np.array([_print(card, view, one, pose) for one, (pose, *_) in zip(kept, poses, strict=True)])
    laid = []
    for index, one in enumerate(kept):
        likes = _likes(prints, index)
        best = max((_moved(card, view, one, pose, likes) for pose in poses[index]), key=lambda lying: lying.fit)
        first, in_doubt = poses[index][0], len(poses[index]) > 1
        less = _LESS_IN_DOUBT if in_doubt else _LESS_UNLIKE
        is_liker = _unlike(best.fit) < less * _unlike(_fit(likes, prints[index]))
        is_askew = is_liker and (in_doubt or _away_mm(card, first, best.pose) > _ASKEW_MM)
        laid.append(card.outline(view, best.pose) if is_askew else believed[index])
    return laid


def _print(card: CardOnTable, view: Viewpoint, kept: Kept, pose: Floats) -> FloatPicture:
    """What is printed on a card that lies so: the logarithm of its lightness without its shade."""
    width, height = (round(side * PX_PER_MM) for side in card.card_mm)
    across, down = (
        (np.arange(count) + 0.5) / PX_PER_MM - side / 2
        for count, side in zip((width, height), card.card_mm, strict=True)
    )
    places = kept.part.inside(card.seen(view, pose, np.stack(np.meshgrid(across, down), axis=-1))).astype(np.float32)
    light = np.log(kept.part.pixels.astype(np.float32).mean(axis=2) + _DARK)
    seen = cv2.remap(light, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen - cv2.GaussianBlur(seen, (0, 0), _SHADE_MM * PX_PER_MM), np.float32)


def _likes(prints: FloatPicture, index: int) -> FloatPicture:
    """The median of the prints that resemble one most, each the way up in which it does so more."""
    own, others = prints[index], np.delete(prints, index, axis=0)
    both = np.concatenate([others, others[:, ::-1, ::-1]])
    nearest = np.argsort([-_fit(own, other) for other in both])[:_LIKES]
    return np.asarray(np.median(both[nearest], axis=0), np.float32)


def _fit(one: FloatPicture, other: FloatPicture) -> float:
    """The correlation of two prints; 0 where one of them is blank."""
    both = (one - one.mean()).ravel(), (other - other.mean()).ravel()
    lengths = float(np.linalg.norm(both[0]) * np.linalg.norm(both[1]))
    return float(both[0] @ both[1]) / lengths if lengths > 0 else 0.0


def _unlike(fit: float) -> float:
    """The part of a print's variance that its likes do not explain."""
    return 1 - max(fit, 0.0) ** 2


def _away_mm(card: CardOnTable, pose: Floats, other: Floats) -> float:
    """How far apart the corners of a card are at most that lies in these two ways."""
    x, y, turn = other - pose
    return float(np.hypot(x, y) + abs(turn) * np.hypot(*card.card_mm) / 2)


def _moved(card: CardOnTable, view: Viewpoint, kept: Kept, pose: Floats, likes: FloatPicture) -> _Lying:
    """How the card lies if it is moved from a pose to where its print fits that of its likes best."""
    seen = _print(card, view, kept, pose)
    motion = np.eye(2, 3, dtype=np.float32)
    try:
        _, found = cv2.findTransformECC(likes, seen, motion, cv2.MOTION_EUCLIDEAN, _SEARCH)
    except cv2.error:  # it does not converge: the two have nothing in common there
        return _Lying(pose, -1.0)
    middle = (np.array(seen.shape[::-1]) - 1) / 2
    x, y = (found[:, :2] @ middle + found[:, 2] - middle) / PX_PER_MM
    on_table = complex(x, y) * np.exp(1j * pose[2])
    lies = pose + np.array([on_table.real, on_table.imag, np.arctan2(found[1, 0], found[0, 0])])
    return _Lying(lies, _fit(likes, _print(card, view, kept, lies)))
