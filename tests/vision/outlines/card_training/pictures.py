"""Pictures to learn from: drawn once for each deck, and kept in a file."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeVar

import cv2
import numpy as np

from tests.vision.outlines.card_training.learning import tell
from tests.vision.outlines.place_training.scenes import DECKS, Example
from vision.arrays import Corners, Picture

_AROUND_MM: Final = 6.0
Made = TypeVar("Made")


def drawn(
    folder: Path, examples_of: Callable[[int], Iterator[Example]], picture_as: str = ".png"
) -> Iterator[tuple[int, list[Example]]]:
    """Each deck to learn from, and its examples; draws those that are not in the folder yet.

    Pictures are kept as ``picture_as`` says: ".png", or ".jpg" where they would take too much room.
    """

    def made(deck: int) -> list[Example]:
        return [_packed(one, picture_as) for one in examples_of(deck)]

    for deck, packed in kept(folder, "pictures", made):
        yield deck, [_unpacked(example) for example in packed]


def kept(folder: Path, what: str, made: Callable[[int], Made]) -> Iterator[tuple[int, Made]]:
    """Each deck to learn from, and what is made of it: now, if it is not in the folder yet."""
    folder.mkdir(parents=True, exist_ok=True)
    for deck in DECKS:
        tell(f"\r{what} of deck {deck} of {DECKS[-1]}")
        path = folder / f"{deck:04}.pickle"
        if not path.exists():
            begun = path.with_suffix(".begun")
            begun.write_bytes(pickle.dumps(made(deck)))
            begun.rename(path)
        yield deck, pickle.loads(path.read_bytes())  # noqa: S301 - our own


def _packed(example: Example, picture_as: str) -> Example:
    def encoded(picture: Picture, suffix: str) -> Picture:
        return np.asarray(cv2.imencode(suffix, picture)[1], np.uint8)  # JPEG files at a quality of 95: noise is kept

    hands, emma = (encoded(filled, ".png") for filled in (example.hands, example.emma))
    return example._replace(picture=encoded(example.picture, picture_as), hands=hands, emma=emma)


def _unpacked(example: Example) -> Example:
    picture = cv2.imdecode(example.picture, cv2.IMREAD_COLOR)
    hands, emma = (cv2.imdecode(filled, cv2.IMREAD_GRAYSCALE) for filled in (example.hands, example.emma))
    return example._replace(picture=picture, hands=hands, emma=emma)


def around(picture: Picture, corners: Corners, around_mm: float = _AROUND_MM) -> tuple[Picture, Corners]:
    """The part of a picture about a card, and its corners in that."""
    reach = around_mm * np.linalg.norm(np.roll(corners, 1, axis=0) - corners, axis=1).mean() / 75
    left, top = np.floor(corners.min(axis=0) - reach).astype(int).clip(0)
    right, bottom = np.ceil(corners.max(axis=0) + reach).astype(int).clip(0)
    return picture[top:bottom, left:right].copy(), corners - (left, top)
