"""Emma as she was taught: where on a card something is seen that looks like her."""

from __future__ import annotations

from functools import cached_property
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Floats32, Picture, Points
from vision.deck_pictures import EmmaPicture
from vision.reading.emma.card_light import card_light
from vision.reading.emma.emma_network import CELL_PX, inner_part, outline_px, size_px

_TURNS: Final = 16
_RING_PX: Final = 4
_MOST_OFF: Final = 60.0**2
"""A pixel is held for no more unlike its face, as a square: how much more tells nothing."""
_FLOOR: Final = 9.0
"""What is added to squares lest they be told from less than nothing."""
_ON_CARD: Final = 0.6
"""She stands on a card of which she covers so much with her own area."""


class LookSeen(NamedTuple):
    """Where on a card something is most like her (x, y: mm), what she would hide of each cell (logarithms of odds).

    ``evidence`` are logarithms: how far it is off her picture and off the card's face, how far the card around it is
    off the face, and what noise there is. All are squares.
    """

    evidence: Floats
    foot_mm: Points
    hidden: Floats32


class _Turned(NamedTuple):
    """Her picture turned one way, as she fills each cell: her part of it, her colours times that, and the ring."""

    part: Floats32
    colours: Floats32
    ring: Floats32


class _Turns(NamedTuple):
    """All turns as waves, for cards of one size: sums over her about every cell are products then.

    ``covered`` and ``ringed`` (turns × rows × columns) are how much of her, and of the ring, is on the card.
    """

    part: NDArray[np.complex128]
    colours: NDArray[np.complex128]
    ring: NDArray[np.complex128]
    own: Floats
    """Sums of her colours' products with one another, and with 1 (turns × 4 × 4)."""
    area: Floats
    covered: Floats
    ringed: Floats
    on_card: Floats32
    size: tuple[int, int]


class TaughtLook:
    """Emma's picture, looked for on cards of one size in any way that she may stand there."""

    def __init__(self, emma: EmmaPicture, card_mm: tuple[float, float]) -> None:
        """Gets to know her."""
        self._emma, self._inner = emma, inner_part(card_mm)
        self._corner_px = outline_px(card_mm)[0]
        wide, high = size_px(card_mm)
        self._shape = high // CELL_PX, wide // CELL_PX

    def seen_on(self, card: Picture, face: Picture) -> LookSeen:
        """What looks most like her on a card that is shown beside its face (``shown_as`` both)."""
        light = card_light(card[self._inner], face[self._inner])
        floor = light.noise + _FLOOR
        turns, cells = self._turns, _cells(card)
        off_face = np.minimum(((cells - light.on(_cells(face))) ** 2).sum(axis=2), _MOST_OFF) * turns.on_card
        waves = np.fft.rfft2(cells, turns.size, axes=(0, 1))
        power, off_waves = (np.fft.rfft2(each, turns.size) for each in ((cells**2).sum(axis=2), off_face))
        crossed = np.einsum("tyxc,yxc,c->tyx", turns.colours, waves, light.gain, optimize=True)
        crossed += turns.part * (waves @ light.haze)
        mixed = np.array([*light.gain, 1.0])
        own = np.einsum("tij,i,j->t", turns.own[:, :3, :3] * np.eye(3), mixed[:3], mixed[:3])
        own += 2 * turns.own[:, :3, 3] @ (light.gain * light.haze) + turns.area * float((light.haze**2).sum())
        area = turns.area[:, None, None]
        off_her = (self._sums(power * turns.part - 2 * crossed) + own[:, None, None]) / area
        unlike = self._sums(off_waves * turns.part) / np.maximum(turns.covered, _ON_CARD * area)
        around = self._sums(off_waves * turns.ring) / np.maximum(turns.ringed, 1e-3)
        kinds = [np.log(np.maximum(each, 0) + floor) for each in (off_her, unlike, around)]
        like = np.where(turns.covered > _ON_CARD * area, kinds[1] - kinds[0] - kinds[2] / 2, -np.inf)
        turn, row, column = (int(each) for each in np.unravel_index(int(like.argmax()), like.shape))
        evidence = np.array([*(each[turn, row, column] for each in kinds), np.log(floor)])
        foot_mm = (np.array([column, row]) + 0.5) * CELL_PX - 0.5 - self._corner_px
        return LookSeen(evidence, foot_mm, _hidden(self._turned[turn].part, (row, column), self._shape))

    def _sums(self, waves: NDArray[np.complex128]) -> Floats:
        rows, columns = self._shape
        return np.asarray(np.fft.irfft2(waves, self._turns.size, axes=(1, 2))[:, :rows, :columns])

    @cached_property
    def _turns(self) -> _Turns:
        rows, columns = self._shape
        side = len(self._turned[0].part)
        size = cv2.getOptimalDFTSize(rows + side), cv2.getOptimalDFTSize(columns + side)
        whole = np.zeros((CELL_PX * rows, CELL_PX * columns), np.float32)
        whole[self._inner] = 1
        on_card = _cells(whole)
        there = np.fft.rfft2(on_card, size)

        def waves(kernel: Floats32) -> NDArray[np.complex128]:
            # Her middle cell at the corner: the rest wraps round.
            wrapped = np.zeros((*size, *kernel.shape[2:]))
            wrapped[:side, :side] = kernel
            return np.conj(np.fft.rfft2(np.roll(wrapped, (-(side // 2),) * 2, axis=(0, 1)), axes=(0, 1)))

        part, colours, ring = (np.array([waves(turned[kind]) for turned in self._turned]) for kind in range(3))
        own = np.zeros((len(self._turned), 4, 4))
        for at, turned in enumerate(self._turned):
            filled = np.maximum(turned.part, 1e-3)[..., None]
            sides = np.concatenate([turned.colours, turned.part[..., None]], axis=2)
            own[at] = np.einsum("yxi,yxj->ij", sides / filled, sides)
        covered, ringed = (np.fft.irfft2(there * each, size, axes=(1, 2))[:, :rows, :columns] for each in (part, ring))
        return _Turns(part, colours, ring, own, own[:, 3, 3], covered, ringed, on_card, size)

    @cached_property
    def _turned(self) -> list[_Turned]:
        """Her picture in cells, turned all ways."""
        width, height = (max(1, round(side)) for side in self._emma.size_mm)
        part = cv2.resize(self._emma.mask.astype(np.float32), (width, height), interpolation=cv2.INTER_AREA)
        colours = cv2.resize(self._emma.picture.astype(np.float32), (width, height), interpolation=cv2.INTER_AREA)
        rows, columns = np.nonzero(part >= part.max() / 2)
        middle = float(columns.mean()), float(rows.mean())
        reach = int(np.hypot(columns - middle[0], rows - middle[1]).max()) + _RING_PX + 2
        # Of an odd number of cells, of which the middle one is hers.
        count = 2 * (reach // CELL_PX) + 1
        size = (CELL_PX * count, CELL_PX * count)
        turned = []
        for turn in range(_TURNS):
            matrix = np.asarray(cv2.getRotationMatrix2D(middle, 360 * turn / _TURNS, 1), np.float64)
            matrix[:, 2] += CELL_PX * count / 2 - 0.5 - np.array(middle)
            here = np.asarray(cv2.warpAffine(part, matrix, size), np.float32)
            near, far = (cv2.dilate(here, np.ones((side, side), np.uint8)) for side in (3, 2 * _RING_PX + 1))
            shown = np.asarray(cv2.warpAffine(colours, matrix, size), np.float32)
            turned.append(_Turned(_cells(here), _cells(shown), _cells(np.asarray(far - near, np.float32))))
        return turned


def _cells(picture: Picture | Floats32) -> Floats32:
    size = picture.shape[1] // CELL_PX, picture.shape[0] // CELL_PX
    return np.asarray(cv2.resize(picture.astype(np.float32), size, interpolation=cv2.INTER_AREA), np.float32)


def _hidden(part: Floats32, at: tuple[int, int], shape: tuple[int, ...]) -> Floats32:
    """What she hides where she stands at this row and column, as logarithms of odds."""
    reach = part.shape[0] // 2
    whole = np.zeros((shape[0] + 2 * reach, shape[1] + 2 * reach), np.float32)
    whole[at[0] : at[0] + 2 * reach + 1, at[1] : at[1] + 2 * reach + 1] = part
    seen = np.clip(whole[reach : reach + shape[0], reach : reach + shape[1]], 0.001, 0.999)
    return np.asarray(np.log(seen / (1 - seen)), np.float32)
