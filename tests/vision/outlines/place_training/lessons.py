"""What the network is shown and should say: examples turned, mirrored, larger or smaller, in any light and tint."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from tests.vision.outlines.place_training.scenes import Example
from vision.arrays import Corners, Floats, Floats32, Picture
from vision.outlines.place_finder import CELL_PX

SIDE_PX: Final = 320
"""Of the square that is shown."""
_CELLS: Final = SIDE_PX // CELL_PX
_NEAR_CELLS: Final = 1.7
"""So near to the middle of a card a cell has to say where its corners are."""
_SPREAD_CELLS: Final = 0.7
_SEEN: Final = 0.35
"""A card of which less is seen need not be found, but may."""


class Lesson(NamedTuple):
    """A picture (3 × h × w, 0 to 1), and what the network should say of each of its cells.

    ``heat`` (2 × rows × columns) is near 1 at the middle of a card, and at Emma's foot; ``poses`` (8 × ...) how far
    off (x, y) a card's middle lies, half its sides down and across (squared as complex numbers, over their lengths),
    and how far off Emma's foot lies, all in cells. Only what is ``told`` of poses counts, and no cell of heat that is
    ``left_out``. ``hands`` (1 × ...) is how much of a cell hands fill.
    """

    picture: Floats32
    heat: Floats32
    poses: Floats32
    told: Floats32
    left_out: Floats32
    hands: Floats32


class Motion(NamedTuple):
    """How an example is laid into the square."""

    linear: Floats
    shift: Floats

    def of(self, points: Corners) -> Corners:
        return np.asarray(points.reshape(-1, 2) @ self.linear.T + self.shift).reshape(points.shape)

    def warped(self, picture: Picture, border: int, value: Sequence[float] = (0, 0, 0)) -> Picture:
        matrix = np.hstack([self.linear, self.shift[:, None]])
        size = (SIDE_PX, SIDE_PX)
        return np.asarray(
            cv2.warpAffine(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=border, borderValue=tuple(value))
        )


def lesson_of(example: Example, motion: Motion, random: np.random.Generator) -> Lesson:
    """A lesson from an example that is moved so; the same generator gives the same one."""
    border = cv2.BORDER_REFLECT_101 if random.random() < 0.5 else cv2.BORDER_CONSTANT
    picture = motion.warped(example.picture, border, random.uniform(0, 255, 3).tolist())
    hands = motion.warped(example.hands, cv2.BORDER_CONSTANT)
    beyond = motion.warped(np.zeros(example.picture.shape[:2], np.uint8), cv2.BORDER_CONSTANT, (1,))
    heat, poses, told = (np.zeros((count, _CELLS, _CELLS), np.float32) for count in (2, 8, 8))
    for corners in motion.of(example.unknown):
        cv2.fillConvexPoly(beyond, corners.round().astype(np.int32), (1,))
    nearest = np.full((_CELLS, _CELLS), _NEAR_CELLS**2, np.float32)
    for corners, seen in zip(motion.of(example.cards), example.visible, strict=True):
        if seen < _SEEN or not _is_mostly_within(corners):
            cv2.fillConvexPoly(beyond, corners.round().astype(np.int32), (1,))
            continue
        middle = (corners.mean(axis=0) + 0.5) / CELL_PX - 0.5
        off = _away(middle)
        away = (off**2).sum(axis=0)
        heat[0] = np.maximum(heat[0], np.exp(-away / (2 * _SPREAD_CELLS**2)))
        near = away < nearest
        nearest[near] = away[near]
        sides = (corners[2] + corners[3] - corners[0] - corners[1]), (corners[1] + corners[2] - corners[0] - corners[3])
        poses[:2, near] = off[:, near]
        poses[2:6, near] = np.concatenate([_squared(side / (4 * CELL_PX)) for side in sides])[:, None]
        told[:6, near] = 1
    if example.emma_px is not None:
        foot = (motion.of(np.array([example.emma_px]))[0] + 0.5) / CELL_PX - 0.5
        if ((foot > -1) & (foot < _CELLS)).all():
            off = _away(foot)
            away = (off**2).sum(axis=0)
            heat[1] = np.exp(-away / (2 * _SPREAD_CELLS**2))
            near = away < _NEAR_CELLS**2
            poses[6:, near] = off[:, near]
            told[6:, near] = 1
    cells = (_CELLS, _CELLS)
    left_out = cv2.resize(beyond.astype(np.float32), cells, interpolation=cv2.INTER_AREA) > 0.3
    filled = cv2.resize(hands, cells, interpolation=cv2.INTER_AREA).astype(np.float32)[None] / 255
    lit = _in_another_light(picture.astype(np.float32) / 255, random)
    return Lesson(np.ascontiguousarray(lit.transpose(2, 0, 1)), heat, poses, told, left_out.astype(np.float32), filled)


def any_motion(example: Example, random: np.random.Generator) -> Motion:
    """Turned by any quarter and a little more, mirrored or not, larger or smaller; mostly with a card in the middle."""
    angle = math.radians(random.choice((0, 90, 180, 270)) + random.normal(0, 8))
    size = math.exp(random.uniform(math.log(0.72), math.log(1.45)))
    linear = size * np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    linear = linear @ np.diag((random.choice((-1, 1)), 1))
    linear = linear @ np.array([[1, random.normal(0, 0.03)], [random.normal(0, 0.03), 1]])
    if len(example.cards) and random.random() < 0.88:
        middle = example.cards[random.integers(len(example.cards))].mean(axis=0) + random.normal(0, 35, 2)
    else:
        middle = random.uniform((0, 0), example.picture.shape[1::-1])
    return Motion(linear, SIDE_PX / 2 - linear @ middle)


def _is_mostly_within(corners: Corners) -> bool:
    return bool(((corners >= 0) & (corners < SIDE_PX)).all(axis=1).mean() >= 0.5)


def _away(cell: Floats) -> Floats32:
    """How far (x, y) from each cell a place lies, 2 × rows × columns."""
    rows, columns = np.mgrid[0:_CELLS, 0:_CELLS].astype(np.float32)
    return np.asarray(np.stack([cell[0] - columns, cell[1] - rows]), np.float32)


def _squared(side: Floats) -> Floats:
    """A vector squared as a complex number, over its length: the same for the opposite one."""
    value = complex(*side)
    square = value * value / max(abs(value), 1e-6)
    return np.array([square.real, square.imag])


def _in_another_light(picture: Floats32, random: np.random.Generator) -> Floats32:
    """The same in other colours, darker, in a haze, under a gleam, unsharp, with noise: each now and then."""
    if random.random() < 0.25:
        picture = picture[..., random.permutation(3)]
    if random.random() < 0.06:
        picture = 1 - picture
    picture = picture ** np.float32(math.exp(random.normal(0, 0.25)))
    picture = picture * (math.exp(random.normal(0, 0.3)) * np.exp(random.normal(0, 0.1, 3))).astype(np.float32)
    if random.random() < 0.2:
        grey = picture.mean(axis=2, keepdims=True)
        picture = grey + (picture - grey) * np.float32(random.uniform(0, 1))
    if random.random() < 0.3:
        picture = picture * np.float32(random.uniform(0.35, 1)) + np.float32(random.uniform(0, 0.4))
    steps = np.linspace(-1, 1, SIDE_PX, dtype=np.float32)
    if random.random() < 0.3:
        across, down = random.normal(0, 0.25, 2).astype(np.float32)
        picture = picture * (1 + across * steps[None, :] + down * steps[:, None])[..., None]
    if random.random() < 0.15:
        (x, y), reach = random.uniform(-1, 1, 2), random.uniform(0.125, 0.5)
        gleam = np.exp(-((steps[None, :] - x) ** 2 + (steps[:, None] - y) ** 2) / (2 * reach**2))
        picture = picture + (random.uniform(0.1, 0.6) * gleam).astype(np.float32)[..., None]
    if random.random() < 0.3:
        picture = cv2.GaussianBlur(picture, (0, 0), random.uniform(0.3, 1.0))
    if random.random() < 0.5:
        noise = random.standard_normal(picture.shape, dtype=np.float32)
        picture = picture + noise * np.float32(random.uniform(0, 0.03))
    return np.asarray(np.clip(picture, 0, 1), np.float32)
