"""Pictures to learn from as a camera takes them: drawn once for each deck, and kept in a file."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from tests.vision.outlines.place_training.scenes import DECKS, Example, large_examples_of
from tests.vision.outlines.place_training.train import tell

_QUALITY = 95
"""Of the JPEG files that they are kept as: noise is kept as well."""


def drawn(folder: Path) -> Iterator[tuple[int, list[Example]]]:
    """Each deck to learn from, and the pictures with it; draws those that are not in the folder yet."""
    folder.mkdir(parents=True, exist_ok=True)
    for deck in DECKS:
        tell(f"\rpictures of deck {deck} of {DECKS[-1]}")
        path = folder / f"{deck:04}.pickle"
        if not path.exists():
            begun = path.with_suffix(".begun")
            begun.write_bytes(pickle.dumps([_packed(example) for example in large_examples_of(deck)]))
            begun.rename(path)
        examples = pickle.loads(path.read_bytes())  # noqa: S301 - our own
        yield (
            deck,
            [example._replace(picture=cv2.imdecode(example.picture, cv2.IMREAD_COLOR)) for example in examples],
        )


def _packed(example: Example) -> Example:
    picture = np.asarray(cv2.imencode(".jpg", example.picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1])
    return example._replace(picture=picture, hands=np.zeros((0, 0), np.uint8))
