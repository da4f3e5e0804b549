"""How well a table was read: what was read, compared with the truth.

A card is found where a reading lies within a quarter of its diagonal; one that is seen by less than 60 % need not be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.emma import EmmaSighting
from vision.reading.reader import CardReading

MOST_OFFERED: Final = 2
"""So many faces are offered besides the one that a card was read as."""
NEEDED: Final = 0.6  # the visible share from which a card has to be found


class Answer(NamedTuple):
    """What was said of one card: how probable its face is, whether it is right, and whether people are asked.

    Where no card lies, no face is right.
    """

    probability: float
    is_right: bool
    is_asked: bool


class Score(NamedTuple):
    """How one table was read: counts, the corners' distances in mm, what is wrong, and the truth's cards that are.

    ``asked`` counts the cards of which another face is offered as well, ``rightly_asked`` those of them that were read
    as a wrong one but have a face that is offered. ``answers`` has every card that was read.
    """

    need: int
    found: int
    matched: int
    false: int
    faces: int
    upright: int
    emmas: int
    emmas_right: int
    corners_mm: list[float]
    wrong: list[str]
    misjudged: list[int]
    asked: int = 0
    rightly_asked: int = 0
    answers: tuple[Answer, ...] = ()

    @property
    def is_right_or_asked(self) -> bool:
        """Whether nothing is wrong but what people would put right when they are asked."""
        return len(self.wrong) == self.rightly_asked


def score_of(truth: Mapping[str, Any], read: Sequence[CardReading], emma: EmmaSighting | None) -> Score:
    """Compares what was read with the truth."""
    cards = truth["cards"]
    corners = [np.array(card["corners_px"]) for card in cards]
    pairs = paired(corners, read)
    false = [reading.face for index, reading in enumerate(read) if index not in pairs.values()]
    need = [index for index, card in enumerate(cards) if card["visible"] >= NEEDED]
    misread = [index for index, match in pairs.items() if read[match].face != cards[index]["face"]]
    right = {match for index, match in pairs.items() if index not in misread}
    off = {index: turn_and_distance(corners[index], read[match]) for index, match in pairs.items()}
    asked = [index for index, match in pairs.items() if read[match].others]
    rightly_asked = [index for index in misread if cards[index]["face"] in read[pairs[index]].others[:MOST_OFFERED]]
    turned = [index for index, (turn, _) in off.items() if turn != 0]
    missed = [index for index in need if index not in pairs]
    emma_right = emma is None if truth["emma"] is None else emma_is_right(truth, emma)
    wrong = [f"missed {cards[index]['face']}" for index in missed]
    wrong += [f"{cards[index]['face']} read as {read[pairs[index]].face}" for index in misread]
    wrong += [f"{cards[index]['face']} read the wrong way round" for index in turned]
    wrong += [f"false {face}" for face in false]
    wrong += [] if emma_right else ["Emma not seen" if emma is None else "Emma elsewhere"]
    return Score(
        need=len(need),
        found=len(need) - len(missed),
        matched=len(pairs),
        false=len(false),
        faces=len(pairs) - len(misread),
        upright=len(pairs) - len(turned),
        emmas=int(truth["emma"] is not None),
        emmas_right=int(truth["emma"] is not None and emma_right),
        corners_mm=[distance / px_per_mm(truth, index) for index, (_, distance) in off.items()],
        wrong=wrong,
        misjudged=[*missed, *misread, *turned],
        asked=len(asked),
        rightly_asked=len(rightly_asked),
        answers=tuple(
            Answer(reading.probability, index in right, bool(reading.others)) for index, reading in enumerate(read)
        ),
    )


def paired(corners: Sequence[NDArray[np.float64]], read: Sequence[CardReading]) -> dict[int, int]:
    """Which reading is of which card: the nearest ones first, none farther off than a quarter of the diagonal."""
    distances = sorted(
        (float(np.linalg.norm(card.mean(axis=0) - reading.corners_px.mean(axis=0))), index, match)
        for index, card in enumerate(corners)
        for match, reading in enumerate(read)
    )
    pairs: dict[int, int] = {}
    for distance, index, match in distances:
        reach = np.linalg.norm(corners[index][2] - corners[index][0]) / 4
        if distance < reach and index not in pairs and match not in pairs.values():
            pairs[index] = match
    return pairs


def turn_and_distance(corners: NDArray[np.float64], reading: CardReading) -> tuple[int, float]:
    """By how many quarter turns a reading is turned, 0 being right, and how far off its corners are then, in px."""
    turns = (np.roll(reading.corners_px, -turn, axis=0) for turn in range(4))
    distances = [float(np.sqrt(((turn - corners) ** 2).sum(axis=1).mean())) for turn in turns]
    return distances.index(min(distances)), min(distances)


def px_per_mm(truth: Mapping[str, Any], index: int) -> float:
    """Along a card's left side."""
    return float(np.linalg.norm(np.subtract(*truth["cards"][index]["corners_px"][::3]))) / truth["card_mm"][1]


def emma_is_right(truth: Mapping[str, Any], emma: EmmaSighting | None) -> bool:
    serial = truth["emma"]["serial"]
    home = next(card for card in truth["cards"] if card["serial"] == serial and not card["show"])
    if emma is None:
        return False
    x, y = (float(part) for part in emma.foot_px)
    return cv2.pointPolygonTest(np.array(home["corners_px"], np.float32), (x, y), measureDist=False) >= 0
