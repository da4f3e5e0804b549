"""What an eye would read that knows everything of a table but its faces: none can ask less and be wrong as seldom.

It is told where all cards lie, in what light, how Emma stands and how much noise there is, and has seen the faces as
they were printed. So what it says of a card is Bayes' theorem: how much likelier the picture is with each face of the
same rails. What it has to ask about is hidden, or lost in noise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from msgspec.structs import replace

from tests.vision.reading.scores import MOST_OFFERED, Answer, Score
from tests.vision.reading.unseen_tables import renderer_of, session_of
from vision.arrays import Corners, Flags, Floats, Picture
from vision.cards import Deck
from vision.deck_pictures import DeckPictures
from vision.rendering import EmmaLook, Scene
from vision.rendering.exposure import GAMMA, exposed
from vision.rendering.scene import LyingCard, Sensor

SURE: Final = 0.99
"""What is less probable is asked about."""
_GREYS: Final = (0.25, 0.5)
"""In linear light: by the noise of two grey cards it is known how much there is in any light."""
_BLURRED_PX: Final = 3
"""So near to a card's edge its neighbours are seen as well."""
_HARDLY: Final = 1e-12
"""Nothing that is seen is less probable than this."""


def ideal_score(pictures: DeckPictures, seed: int, emma: EmmaLook) -> Score:
    """How the table of this number (``unseen_tables``) is read by that eye: it finds all there is."""
    session = session_of(pictures, seed)
    conditions, moment = session.conditions, session.moments[-1]
    view, cards = renderer_of(pictures, conditions), moment.scene.cards
    stands = None if moment.scene.emma is None else replace(moment.scene.emma, look=emma)

    def photograph(faces: Sequence[str], noise: float) -> Picture:
        lying = tuple(replace(card, face=face) for card, face in zip(cards, faces, strict=True))
        sensor = replace(conditions.sensor, noise=noise)
        return view.photograph(Scene(lying, stands, (), conditions.clutter), conditions.light, sensor, seed).picture

    true = [card.face for card in cards]
    seen = photograph(true, conditions.sensor.noise)
    log_of = np.log(_probable_values(conditions.sensor, seen.shape))
    by_truth = log_of[photograph(true, 0.0), seen]
    likely = [_faces_with_its_rails(pictures.deck, card) for card in cards]
    odds = [{card.face: 0.0} for card in cards]
    shows = _where_each_shows([view.corners(card) for card in cards], seen.shape[:2])
    for turn in range(1, max(map(len, likely))):
        # All cards at once have another face: each tells only where it lies itself.
        shown = [faces[turn] if turn < len(faces) else faces[0] for faces in likely]
        likelier = (log_of[photograph(shown, 0.0), seen] - by_truth).sum(axis=2)
        for card, face, told, there in zip(cards, shown, odds, shows, strict=True):
            if face != card.face:
                told[face] = float(likelier[there].sum())
    return _score(pictures.deck, true, odds, has_emma=stands is not None)


def _where_each_shows(cards: Sequence[Corners], shape: tuple[int, int]) -> list[Flags]:
    """What of a picture of this shape shows nothing but each of these cards; later ones lie on earlier ones."""
    top = np.zeros(shape, np.uint8)
    for number, corners in enumerate(cards, 1):
        cv2.fillConvexPoly(top, corners.round().astype(np.int32), (number,))
    near = np.ones((2 * _BLURRED_PX + 1, 2 * _BLURRED_PX + 1), np.uint8)
    shows = (np.asarray(top == number, np.uint8) for number in range(1, len(cards) + 1))
    return [cv2.erode(there, near) > 0 for there in shows]


def _probable_values(sensor: Sensor, shape: tuple[int, ...]) -> Floats:
    """How probable each value (0 to 255) of a picture of this shape is, for each that it would be without noise.

    Noise is normal in linear light, and its variance grows with that. What is darker than black is black.
    """
    lone = replace(sensor, vignette=0.0, blur_px=0.0, motion_px=(0.0, 0.0))
    random = np.random.default_rng(0)
    cards = [exposed(np.full(shape, grey, np.float32), lone, random) for grey in _GREYS]
    growing, least = np.polyfit(_GREYS, [float(np.var((card / 255) ** GAMMA)) for card in cards], 1)
    light = (np.arange(256) / 255) ** GAMMA
    spread = np.sqrt(np.maximum(growing * light + least, _HARDLY))
    limits = np.concatenate([[-np.inf], ((np.arange(255) + 0.5) / 255) ** GAMMA, [np.inf]])
    below = np.vectorize(math.erf)((limits - light[:, None]) / (spread[:, None] * math.sqrt(2))) / 2
    return np.asarray(np.maximum(np.diff(below, axis=1), _HARDLY))


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
