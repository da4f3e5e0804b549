"""How well the network alone sees where cards lie, on decks that it has not learnt from.

Run it as ``python -m tests.tools.measure_places --decks 100-119 --tables 3``: a few seconds a deck. How well cards are
read with its help is measured by ``tests.tools.measure_decks``.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import cv2
import numpy as np

from tests.vision.outlines.place_training.scenes import DECKS
from tests.vision.random_decks.random_deck import random_deck
from tests.vision.random_decks.random_emma import random_emma
from tests.vision.reading.measuring.deck_trials import yardstick_ms
from tests.vision.reading.scores import NEEDED
from tests.vision.reading.unseen_tables import table_of
from vision.arrays import Picture
from vision.outlines.place_finder import seen_in
from vision.reading.place_search import LIKELY

_SEARCHED_PX: Final = 512
_NEAR: Final = 0.35
"""A place counts for a card whose middle is no farther off than this part of its shorter side."""
_TABLES: Final = 1000


class Count(NamedTuple):
    """What was seen on one table: cards that have to be, those that were, false places, how far off middles are."""

    need: int
    found: int
    false: int
    off_mm: list[float]
    ratio: float


def count(picture: Picture, truth: dict[str, Any], card_mm: tuple[float, float]) -> Count:
    """Compares what the network sees in a picture with the truth."""
    yardstick = yardstick_ms(picture)
    times = max(picture.shape[:2]) / _SEARCHED_PX
    start = time.process_time()
    seen = seen_in(np.asarray(cv2.resize(picture, None, fx=1 / times, fy=1 / times, interpolation=cv2.INTER_AREA)))
    taken_ms = 1e3 * (time.process_time() - start)
    places = [times * place.corners.mean(axis=0) for place in seen.places if place.probability >= LIKELY]
    need = found = 0
    off_mm, used = [], set()
    for card in truth["cards"]:
        corners = np.array(card["corners_px"])
        px_per_mm = float(np.linalg.norm(corners[3] - corners[0])) / card_mm[1]
        away = [float(np.linalg.norm(place - corners.mean(axis=0))) / px_per_mm for place in places]
        nearest = int(np.argmin(away)) if away else -1
        is_found = nearest >= 0 and away[nearest] < _NEAR * card_mm[0]
        if is_found:
            used.add(nearest)
            off_mm.append(away[nearest])
        if card["visible"] >= NEEDED:
            need, found = need + 1, found + is_found
    false = len(places) - len(used)
    return Count(need, found, false, off_mm, taken_ms / yardstick)


def report(counts: Sequence[Count]) -> str:
    need, found, false = (sum(getattr(one, name) for one in counts) for name in ("need", "found", "false"))
    off = [value for one in counts for value in one.off_mm]
    return (
        f"{len(counts)} tables: recall {found / need:.3f} of {need} cards, {false / len(counts):.2f} false places each,"
        f" middles {np.median(off):.1f} mm off in the median and {np.quantile(off, 0.95):.1f} mm in 95 %,"
        f" {np.median([one.ratio for one in counts]):.0f} times halving and comparing a picture"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures how well the network sees where cards lie.")
    parser.add_argument("--decks", metavar="A-B", default="100-119", help="their numbers (default: %(default)s)")
    parser.add_argument("--tables", metavar="N", type=int, default=3, help="of each deck (default: %(default)s)")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    first, _, last = options.decks.partition("-")
    decks = range(int(first), int(last or first) + 1)
    if learnt := [deck for deck in decks if deck in DECKS]:
        sys.exit(f"The network has learnt from deck {learnt[0]}: take decks below {DECKS[0]} or from 1000 on.")
    counts = []
    for deck in decks:
        pictures, emma = random_deck(deck), random_emma(deck)
        for number in range(options.tables):
            table = table_of(pictures, deck * _TABLES + number, emma=emma)
            counts.append(count(table.picture, table.truth, pictures.deck.card_mm))
        print(f"\rdeck {deck}", end=" ", file=sys.stderr, flush=True)
    print(report(counts))


if __name__ == "__main__":
    main()
