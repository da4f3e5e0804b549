"""Faces taught as at a real table: from photographs of the cards, each lying alone before one camera."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator
from functools import partial
from itertools import count
from random import Random
from typing import Final, NamedTuple

import numpy as np

from companion.commands.teaching.photographs import SESSION
from tests.vision.reading.unseen_tables import renderer_of
from vision.arrays import Corners, Picture
from vision.cards import Pose
from vision.deck_pictures import DeckPictures
from vision.rendering import LyingCard, Scene
from vision.rendering.conditions import draw_conditions
from vision.rendering.places import TABLE_MM
from vision.teaching.common_table import LEAST_CARDS, CommonTable
from vision.teaching.declared_faces import check_faces
from vision.teaching.even_faces import turned_round
from vision.teaching.lone_card import CardNotFound, PhotoSession, find_lone_card
from vision.teaching.taught_faces import cut_out

PLAYING_PX: Final = (1640, 1232)
"""The pictures of the camera that tables are photographed with."""
OTHER_CAMERAS_PX: Final = ((1920, 1080), (1536, 1152), (1792, 1344))
"""Those of others, which people might teach with."""
_MOST_SESSIONS: Final = 5

tell: Final = partial(print, end=" ", file=sys.stderr, flush=True)


class Lesson(NamedTuple):
    """A face as it was cut out of a photograph, and how far off its corners were taken to be, in mm."""

    picture: Picture
    off_mm: float


class Taught(NamedTuple):
    """The faces, in how many sessions they were taught, and which ones never could be: these are as drawn."""

    faces: dict[str, Picture]
    sessions: int
    not_taught: tuple[str, ...]
    off_mm: tuple[float, ...]
    """How far the corners of each face that was taught were off: of all four, the root of their mean square."""


def taught_faces(pictures: DeckPictures) -> dict[str, Picture]:
    """Each face as cut out of a photograph of the card lying alone; all by one camera on one table."""
    for session in count():
        taught = taught_in(pictures, Random(f"teaching {session}"))
        if len(taught) == len(pictures.faces):  # else people would take them again on another table
            return {face: lesson.picture for face, lesson in taught.items()}
    raise AssertionError


def taught_by_another_camera(pictures: DeckPictures, seed: int) -> Taught:
    """The faces from a camera unlike the one that sees the tables; what could not be found is taken once more.

    Each session is on another table, in another light, by another camera.
    """
    taught: dict[str, Lesson] = {}
    for session in range(_MOST_SESSIONS):
        random = Random(f"teaching {seed} {session}")
        missing = [face for face in pictures.faces if face not in taught]
        # Cards tell only together how the table lies: some that are known are photographed again.
        others = [face for face in pictures.faces if face in taught][: max(0, LEAST_CARDS + 3 - len(missing))]
        found = taught_in(pictures, random, [*missing, *others], random.choice(OTHER_CAMERAS_PX))
        taught |= _upright(pictures, taught, {face: found[face] for face in missing if face in found})
        if len(taught) == len(pictures.faces):
            break
    left = tuple(face for face in pictures.faces if face not in taught)
    faces = {face: taught[face].picture if face in taught else picture for face, picture in pictures.faces.items()}
    return Taught(faces, session + 1, left, tuple(lesson.off_mm for lesson in taught.values()))


def _upright(pictures: DeckPictures, taught: dict[str, Lesson], new: dict[str, Lesson]) -> dict[str, Lesson]:
    """New lessons, as ``companion teach`` turns them round: by the rails declared, and by those taught before."""
    lessons = new | taught
    faces = {face.id: face for face in pictures.deck.faces}
    checks = check_faces(
        [lesson.picture for lesson in lessons.values()], [faces[face] for face in lessons], pictures.deck.card_mm
    ).faces
    return {
        face: lesson._replace(picture=turned_round(lesson.picture)) if check.is_turned else lesson
        for (face, lesson), check in zip(new.items(), checks, strict=False)
    }


def taught_in(
    pictures: DeckPictures,
    random: Random,
    faces: Collection[str] | None = None,
    size: tuple[int, int] = PLAYING_PX,
) -> dict[str, Lesson]:
    """The faces, of all or of some, that could be taught in one session."""
    photographs: dict[str, tuple[Picture, Corners]] = {}
    faces = pictures.faces if faces is None else faces
    session, every = PhotoSession(), max(1, len(faces) // SESSION)
    for number, (face, picture, corners) in enumerate(lone_cards(pictures, random, faces, size)):
        tell(f"\rphotographing {number + 1} of {len(faces)} faces")
        photographs[face] = picture, corners
        if number % every == 0 and number // every < SESSION:
            session.add(picture)
    card_mm = pictures.deck.card_mm
    table = CommonTable(card_mm)
    for number, (picture, _) in enumerate(photographs.values()):
        tell(f"\rteaching {number + 1} of {len(faces)} faces")
        try:
            table.add(picture, find_lone_card(picture, card_mm, session))
        except CardNotFound:
            table.add(picture, None)
    cards = zip(photographs.items(), table.settled(), strict=True)
    return {
        face: Lesson(cut_out(picture, card, card_mm), off_mm(card.corners_px, corners, card_mm))
        for (face, (picture, corners)), card in cards
        if card is not None
    }


def lone_cards(
    pictures: DeckPictures, random: Random, faces: Iterable[str], size: tuple[int, int]
) -> Iterator[tuple[str, Picture, Corners]]:
    """Each of these faces, photographed lying alone by one camera on one table, and where its corners are."""
    conditions = draw_conditions("normal", random, size)
    view = renderer_of(pictures, conditions)
    for face in faces:
        x, y = (side / 2 + random.gauss(0, 15) for side in TABLE_MM)
        scene = Scene((LyingCard(face, Pose(x, y, random.gauss(0, 5))),))
        picture = view.photograph(scene, conditions.light, conditions.sensor, random.randrange(1 << 30)).picture
        yield face, picture, view.corners(scene.cards[0])


def off_mm(taken: Corners, corners: Corners, card_mm: tuple[float, float]) -> float:
    """How far a card's corners were taken to be from where they are, whichever way up it was taken to be."""
    off_px = min(
        float(np.sqrt(((np.roll(taken, turn, axis=0) - corners) ** 2).sum(axis=1).mean())) for turn in range(4)
    )
    return off_px * card_mm[1] / float(np.linalg.norm(corners[3] - corners[0]))
