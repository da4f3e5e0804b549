"""What an eye would read that knows everything of a table but its faces: none can ask less and be wrong as seldom.

It is told where all cards lie, in what light, how Emma stands and how much noise there is, and has seen the faces as
they were printed. So what it says of a card is Bayes' theorem: how much likelier the picture is with each face of the
same rails. What it has to ask about is hidden, or lost in noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from msgspec.structs import replace

from tests.vision.reading.scores import MOST_OFFERED, Answer, Score
from tests.vision.reading.unseen_tables import renderer_of, session_of
from vision.arrays import FloatPicture, Floats
from vision.cards import Deck
from vision.deck_pictures import DeckPictures
from vision.rendering import EmmaLook, Scene
from vision.rendering.exposure import GAMMA
from vision.rendering.scene import LyingCard

SURE: Final = 0.99
"""What is less probable is asked about."""
_NEAR_PX: Final = 9
"""Noise depends on the light, which is nearly the same in a square of so many pixels a side."""
_BLURRED_PX: Final = 3
"""So near to a card's edge its neighbours are seen as well."""
_LEAST_VARIANCE: Final = 1e-9
"""Of linear light; a thousandth of what a step of a picture's values is."""


def ideal_score(pictures: DeckPictures, seed: int, emma: EmmaLook) -> Score:
    """How the table of this number (``unseen_tables``) is read by that eye: it finds all there is."""
    session = session_of(pictures, seed)
    conditions, moment = session.conditions, session.moments[-1]
    view, cards = renderer_of(pictures, conditions), moment.scene.cards
    stands = None if moment.scene.emma is None else replace(moment.scene.emma, look=emma)

    def light(faces: Sequence[str], noise: float) -> FloatPicture:
        lying = tuple(replace(card, face=face) for card, face in zip(cards, faces, strict=True))
        sensor = replace(conditions.sensor, noise=noise)
        photograph = view.photograph(Scene(lying, stands, (), conditions.clutter), conditions.light, sensor, seed)
        return np.asarray((photograph.picture / np.float32(255)) ** np.float32(GAMMA), np.float32)

    true = [card.face for card in cards]
    seen = light(true, conditions.sensor.noise)
    noise = (seen - light(true, 0.0)) ** 2
    variance = cv2.blur(noise, (_NEAR_PX, _NEAR_PX)) + np.float32(_LEAST_VARIANCE)
    likely = [_faces_with_its_rails(pictures.deck, card) for card in cards]
    odds = [{card.face: 0.0} for card in cards]
    for turn in range(1, max(map(len, likely))):
        # All cards at once have another face: each tells only where it lies itself.
        shown = [faces[turn] if turn < len(faces) else faces[0] for faces in likely]
        less_likely = (((seen - light(shown, 0.0)) ** 2 - noise) / variance).sum(axis=2) / 2
        for card, face, told in zip(cards, shown, odds, strict=True):
            if face != card.face:
                there = np.zeros(less_likely.shape, np.uint8)
                cv2.fillConvexPoly(there, view.corners(card).round().astype(np.int32), (1,))
                inner = cv2.erode(there, np.ones((2 * _BLURRED_PX + 1, 2 * _BLURRED_PX + 1), np.uint8))
                told[face] = -float(less_likely[inner > 0].sum())
    return _score(pictures.deck, true, odds, has_emma=stands is not None)


def _faces_with_its_rails(deck: Deck, card: LyingCard) -> list[str]:
    """The card's own face, and the others with the same rails: another value, or broken, or not."""
    own = deck[card.face]
    return [own.id, *(face.id for face in deck.faces if face.ports == own.ports and face.id != own.id)]


def _score(deck: Deck, true: Sequence[str], odds: Sequence[dict[str, float]], *, has_emma: bool) -> Score:
    answers, wrong, misjudged, rightly_asked = [], [], [], 0
    for index, (face, told) in enumerate(zip(true, odds, strict=True)):
        likely = np.array([log + np.log(deck[one].count) for one, log in told.items()])
        probable: Floats = np.exp(likely - np.logaddexp.reduce(likely))
        best, *others = (list(told)[place] for place in np.argsort(-probable, kind="stable"))
        is_asked = float(probable.max()) < SURE
        answers.append(Answer(float(probable.max()), best == face, is_asked))
        if best != face:
            wrong.append(f"{face} read as {best}")
            misjudged.append(index)
            rightly_asked += is_asked and face in others[:MOST_OFFERED]
    count, emmas = len(true), int(has_emma)
    return Score(
        need=count,
        found=count,
        matched=count,
        false=0,
        faces=count - len(wrong),
        upright=count,
        emmas=emmas,
        emmas_right=emmas,
        corners_mm=[],
        wrong=wrong,
        misjudged=misjudged,
        asked=sum(answer.is_asked for answer in answers),
        rightly_asked=rightly_asked,
        answers=tuple(answers),
    )
