"""From vectors to what comes off a press: woven and painted grounds, paper grain, uneven ink."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import resvg_py

from companion.games.drawing.png import size_mm
from tests.vision.random_decks.colours import channels
from tests.vision.random_decks.grounds import OPEN
from tests.vision.random_decks.style import Ground, Style
from vision.arrays import Floats32, Picture

PX_PER_MM: Final = 6.0
"""Of the pictures: several times as fine as any camera above a table sees them."""


class Press:
    """Prints the drawings of one deck, all on the same paper.

    One sheet of paper for all: else its grain would tell faces apart, which no two cards of a face have in common.
    """

    def __init__(self, style: Style, seed: int) -> None:
        self._style = style
        self._size = tuple(round(side * PX_PER_MM) for side in style.card_mm)
        self._random = np.random.default_rng(seed)
        self._field = self._noises()
        self._sheets: dict[Ground, Floats32] = {}
        self._paper = self._paper_of(style)
        self._specks = self._noise(0.35) > np.quantile(self._noise(0.35), 1 - style.specks) if style.specks else None

    def printed(self, svg: str, ground: Ground | None = None) -> Picture:
        """The picture (h × w × 3, B, G, R) of a drawing on this ground, or on its own."""
        layer = _rasterized(svg, self._size)
        cover = layer[..., 3:].astype(np.float32) / 255
        if ground is not None and ground.kind in OPEN:
            sheet = self._sheet(ground)
        else:
            sheet = np.full((*layer.shape[:2], 3), 255, np.float32)
        picture = sheet + cover * (layer[..., :3].astype(np.float32) - sheet)
        if self._specks is not None and ground is not None:
            paper = np.array(channels(ground.base)[::-1], np.float32)
            picture = np.where(self._specks[..., None], 0.4 * picture + 0.6 * paper, picture)
        return np.asarray(np.clip(picture * self._paper + 0.5, 0, 255), np.uint8)

    def _paper_of(self, style: Style) -> Floats32:
        """How bright the paper and the ink on it are at each place, about 1."""
        grain = self._noise(0.2) * style.grain + self._noise(9) * style.mottling
        return np.asarray(1 + grain[..., None], np.float32)

    def _noises(self) -> Floats32:
        return self._random.standard_normal((self._size[1], self._size[0]), dtype=np.float32)

    def _noise(self, cell_mm: float, stretch: float = 1.0) -> Floats32:
        """Noise with a deviation of 1 and spots about this large, ``stretch`` times as wide as they are high."""
        down, across = cell_mm * PX_PER_MM, cell_mm * PX_PER_MM * stretch
        size = max(2, round(self._size[0] / across) + 2), max(2, round(self._size[1] / down) + 2)
        coarse = self._random.standard_normal((size[1], size[0]), dtype=np.float32)
        fine = np.asarray(cv2.resize(coarse, self._size, interpolation=cv2.INTER_CUBIC), np.float32)
        return np.asarray(fine / max(1e-6, float(fine.std())), np.float32)

    def _sheet(self, ground: Ground) -> Floats32:
        """A ground that is woven, grown or painted."""
        if ground not in self._sheets:
            share = self._share(ground)[..., None]
            base, second, third = (
                np.array(channels(colour)[::-1], np.float32) for colour in (ground.base, ground.second, ground.third)
            )
            sheet = base + np.clip(share, 0, 1) * (second - base) + np.clip(-share, 0, 1) * (third - base)
            self._sheets[ground] = np.asarray(sheet, np.float32)
        return self._sheets[ground]

    def _share(self, ground: Ground) -> Floats32:
        """How much of the second colour (above 0) or the third (below 0) each place has."""
        rows, columns = (np.arange(side, dtype=np.float32) / PX_PER_MM for side in self._size[::-1])
        match ground.kind:
            case "grass":
                share = 0.35 * self._noise(0.35, 0.5) + 0.25 * self._noise(4) + 0.2 * self._noise(12)
            case "boards":
                board = np.floor(rows / max(6.0, 4 * ground.step_mm))
                tone = 0.5 * np.sin(7.3 * board)[:, None] + 0.3 * self._noise(0.7, 14)
                gap = (rows % max(6.0, 4 * ground.step_mm) < 0.5)[:, None]
                share = np.where(gap, 1.0, 0.5 * tone)
            case "stone":
                share = 0.3 * self._noise(6) + 0.35 * self._noise(1.4) + 0.25 * self._noise(0.35)
            case "linen":
                weave = np.sin(rows * 6.3 / 0.9)[:, None] * 0.3 + np.sin(columns * 6.3 / 0.9)[None, :] * 0.3
                share = weave + 0.2 * self._noise(0.6, 6) + 0.2 * self._noise(0.6, 0.2)
            case _:  # watercolour: washes with darker rims where they dried
                wash = self._noise(11) + 0.5 * self._noise(5) + 0.2 * self._noise(1.5)
                rim = np.exp(-((wash / 0.12) ** 2))
                share = 0.45 * wash + 0.35 * rim
        return np.asarray(share, np.float32)


def _rasterized(svg: str, size: tuple[int, ...]) -> Picture:
    """The drawing with its transparency (h × w × 4, B, G, R, A)."""
    assert size == tuple(round(side * PX_PER_MM) for side in size_mm(svg))
    encoded = resvg_py.svg_to_bytes(svg_string=svg, width=size[0], height=size[1], dpi=25.4, skip_system_fonts=True)
    picture = cv2.imdecode(np.frombuffer(encoded, np.uint8), cv2.IMREAD_UNCHANGED)
    if picture.shape[2] == 3:
        picture = np.dstack([picture, np.full(picture.shape[:2], 255, np.uint8)])
    return np.asarray(picture, np.uint8)
