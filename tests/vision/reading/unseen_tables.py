"""Moments of whole games in every mode, each on another table, under another lamp and by another camera."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
from msgspec.structs import replace

from companion.games.loknroll.robot.pictured_games import Moment, pictured_game
from companion.games.loknroll.rules import Mode, load_edition, set_up
from vision.arrays import Picture
from vision.deck_pictures import DeckPictures
from vision.rendering import EmmaLook, Renderer, Scene
from vision.rendering.conditions import Conditions, Difficulty, draw_conditions
from vision.rendering.places import TABLE_MM
from vision.rendering.truth import picture_truth

DIFFICULTIES: Final[tuple[Difficulty, ...]] = ("easy", "normal", "hard")
MODES: Final = tuple(Mode)
OUR_EMMA: Final = EmmaLook()
PEOPLE: Final = ("Ann", "Ben", "Cleo", "Dan")


class Table(NamedTuple):
    picture: Picture
    truth: dict[str, Any]
    about: dict[str, str]


class Session(NamedTuple):
    """A moment of a game, the moments of that game up to it, and how they are photographed."""

    mode: Mode
    moments: list[Moment]
    """The last one is the one that was chosen."""
    conditions: Conditions


def table_of(
    pictures: DeckPictures, seed: int, difficulty: Difficulty | None = None, emma: EmmaLook = OUR_EMMA
) -> Table:
    """The table of this number; without a difficulty each third one is easy, normal or hard."""
    session = session_of(pictures, seed, difficulty)
    return photographed(pictures, session, renderer_of(pictures, session.conditions), session.moments[-1], seed, emma)


def stream_of(pictures: DeckPictures, seed: int, emma: EmmaLook = OUR_EMMA, length: int = 6) -> Iterator[Table]:
    """The same table as it came to be: one camera's pictures of the last moments up to it."""
    session = session_of(pictures, seed)
    view = renderer_of(pictures, session.conditions)
    for index, moment in enumerate(session.moments[-length:]):
        yield photographed(pictures, session, view, moment, seed + index, emma)


def at_rest(pictures: DeckPictures, seed: int, count: int, emma: EmmaLook = OUR_EMMA) -> Iterator[Table]:
    """The same table again and again as one camera sees it: only the noise is another each time."""
    session = session_of(pictures, seed)
    view = renderer_of(pictures, session.conditions)
    for index in range(count):
        yield photographed(pictures, session, view, session.moments[-1], seed + 100_000 * index, emma)


def session_of(pictures: DeckPictures, seed: int, difficulty: Difficulty | None = None) -> Session:
    """A game in the midst of which the table of this number is photographed."""
    random = Random(f"table {seed}")
    mode = random.choice(MODES)
    start = set_up(load_edition(), pictures.deck, mode, PEOPLE[: mode.persons], rails=True)
    games = [pictured_game(start, random).moments for _ in range(3)]
    # Most railways stay short, and long ones are harder to read.
    so_far = [moments[: index + 1] for moments in games for index in range(len(moments))]
    (moments,) = random.choices(so_far, [len(moments[-1].scene.cards) ** 3 for moments in so_far])
    return Session(mode, moments, draw_conditions(difficulty or DIFFICULTIES[seed % len(DIFFICULTIES)], random))


def photographed(
    pictures: DeckPictures, session: Session, view: Renderer, moment: Moment, seed: int, emma: EmmaLook
) -> Table:
    """A moment of a session as its camera sees it, with the truth beside it."""
    conditions = session.conditions
    stands = None if moment.scene.emma is None else replace(moment.scene.emma, look=emma)
    scene = Scene(moment.scene.cards, stands, (), conditions.clutter)
    photograph = view.photograph(scene, conditions.light, conditions.sensor, seed)
    picture = cv2.imdecode(np.frombuffer(photograph.jpeg(conditions.sensor), np.uint8), cv2.IMREAD_COLOR)
    truth = {**picture_truth(view, pictures.deck, scene, photograph.visible), "card_mm": pictures.deck.card_mm}
    about = {"mode": session.mode.value, "moment": moment.why, **about_conditions(conditions)}
    return Table(np.asarray(picture, np.uint8), truth, {**about, "cards": band(len(scene.cards), (5, 7, 10))})


def renderer_of(pictures: DeckPictures, conditions: Conditions) -> Renderer:
    camera, tabletop = conditions.camera, conditions.tabletop
    return Renderer(camera, tabletop, pictures.faces, pictures.back, pictures.deck.card_mm)


def about_conditions(conditions: Conditions) -> dict[str, str]:
    """The conditions in the bands by which the figures are told apart."""
    camera, light, sensor = conditions.camera, conditions.light, conditions.sensor
    tilt_deg = math.degrees(math.acos(camera.rotation[2][2]))
    middle = camera.project([(TABLE_MM[0] / 2 - 50, TABLE_MM[1] / 2, 0), (TABLE_MM[0] / 2 + 50, TABLE_MM[1] / 2, 0)])
    return {
        "difficulty": conditions.difficulty,
        "tabletop": conditions.tabletop.kind,
        "tilt, degrees": band(tilt_deg, (4, 10, 15, 20)),
        "way up": "turned" if middle[0][0] > middle[1][0] else "upright",
        "px per mm": band(float(np.linalg.norm(middle[1] - middle[0])) / 100, (1.4, 1.6)),
        "distortion k1": band(camera.distortion[0], (-0.08, -0.03, 0.0)),
        "brightness": band(light.brightness, (0.2, 0.35, 0.7, 0.95)),
        "glare": band(light.glare, (0.05, 0.15, 0.3)),
        "warmth": band(light.warmth, (0.0, 0.4)),
        "noise": band(sensor.noise, (0.008, 0.022, 0.05)),
        "blur, px": band(sensor.blur_px, (0.6, 0.9)),
    }


def band(value: float, limits: Sequence[float]) -> str:
    """Between which two limits a value lies."""
    place = bisect_right(limits, value)
    if place == len(limits):
        return f"{limits[-1]:g} and more"
    return f"{limits[place - 1]:g} to {limits[place]:g}" if place else f"below {limits[0]:g}"
