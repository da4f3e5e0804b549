"""An eye that has been taught a deck, and reads tables that it never saw."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import numpy as np

from tests.vision.kept_scenes import Seen
from tests.vision.reading.scores import Score, score_of
from tests.vision.reading.unseen_tables import Table, table_of
from vision.arrays import Picture
from vision.deck_pictures import DeckPictures
from vision.reading.emma import EmmaSighting
from vision.reading.reader import CardReading, Reader
from vision.rendering.conditions import Difficulty
from vision.report.joints import railway_order
from vision.report.overlay import overlay

_MISSED: Final = (0, 220, 255)
_BESIDE_MM: Final = 3.0
"""How far off a card's corners may be."""


def nothing(*_: object, **__: object) -> None:
    """In place of a step of reading that is left out."""


class Result(NamedTuple):
    seed: int
    about: dict[str, str]
    score: Score
    cards_ms: float
    emma_ms: float


class Look(NamedTuple):
    """What was read in a picture, and the processor's time for the cards and for Emma."""

    cards: list[CardReading]
    emma: EmmaSighting | None
    cards_ms: float
    emma_ms: float


class Eye:
    """All that reads a table, taught one deck."""

    def __init__(self, pictures: DeckPictures, taught: Mapping[str, Picture]) -> None:
        self.pictures = pictures
        self.reader = Reader(pictures.deck, taught, pictures.back)
        self.finder = self.reader.emma_finder

    def result(self, seed: int, difficulty: Difficulty | None = None, show: Path | None = None) -> Result:
        """Renders a table, reads it and compares; writes what was read wrongly into the folder."""
        table = table_of(self.pictures, seed, difficulty)
        look = self.look(table.picture)
        score = score_of(table.truth, look.cards, look.emma)
        if show is not None and score.wrong:
            shown = self.shown(table, look.cards, look.emma, score)
            cv2.imwrite(str(show / f"{self.pictures.deck.name}-{seed:04}-{table.about['difficulty']}.jpg"), shown)
        return Result(seed, table.about, score, look.cards_ms, look.emma_ms)

    def look(self, picture: Picture) -> Look:
        """Reads a picture alone."""
        start = time.process_time()
        cards = self.reader.read(picture)
        looking = time.process_time()
        emma = self.finder.find(picture, cards)
        done = time.process_time()
        return Look(cards, emma, 1e3 * (looking - start), 1e3 * (done - looking))

    def wrongly_read(self, seen: Seen | Table) -> list[str]:
        """What is read wrongly where this is seen, or beside where it lies."""
        look = self.look(seen.picture)
        score = score_of(seen.truth, look.cards, look.emma)
        return [*score.wrong, *(f"off by {off:.0f} mm" for off in score.corners_mm if off >= _BESIDE_MM)]

    def shown(self, table: Table, read: Sequence[CardReading], emma: EmmaSighting | None, score: Score) -> Picture:
        """The picture with what was read; what is wrong is written at the top and outlined in yellow."""
        railway = railway_order(read, self.pictures.deck, None if emma is None else emma.card)
        drawn = overlay(table.picture, read, railway, emma)
        for index in score.misjudged:
            card = table.truth["cards"][index]
            corners = np.array(card["corners_px"]).round().astype(np.int32)
            cv2.polylines(drawn, [corners], True, _MISSED, 3, cv2.LINE_AA)  # noqa: FBT003
            cv2.putText(drawn, card["face"], corners[3].tolist(), cv2.FONT_HERSHEY_SIMPLEX, 0.6, _MISSED, 2)
        about = [f"{key} {value}" for key, value in table.about.items()]
        lines = [", ".join(about[:7]), ", ".join(about[7:]), *score.wrong]
        for number, line in enumerate(lines):
            for colour, width in (((0, 0, 0), 4), ((255, 255, 255), 1)):
                cv2.putText(drawn, line, (8, 20 + 22 * number), cv2.FONT_HERSHEY_SIMPLEX, 0.5, colour, width)
        return drawn
