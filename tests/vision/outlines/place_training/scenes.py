"""Pictures to learn from: moments of games with decks for building, with what lies where.

A small picture is as a camera's would be after it was made small: drawn small, with the noise and blur that are left
then.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np
from msgspec.structs import replace

from companion.games.loknroll.robot.pictured_games import Moment, pictured_game
from companion.games.loknroll.rules import Mode, load_edition, set_up
from tests.vision.random_decks.designer import random_style
from tests.vision.random_decks.random_deck import random_deck
from tests.vision.random_decks.random_emma import random_emma
from tests.vision.reading.unseen_tables import PEOPLE, renderer_of
from vision.arrays import Corners, Floats32, GreyPicture, Picture
from vision.cards import Pose
from vision.deck_pictures import DeckPictures
from vision.rendering import Camera, Emma, LyingCard, Scene
from vision.rendering.conditions import Conditions, Difficulty, draw_conditions, draw_hand
from vision.rendering.places import TABLE_MM
from vision.rendering.renderer import CARD_THICKNESS_MM
from vision.rendering.scene import Light, Pile
from vision.rendering.solids import Polygon, draw_solids, emma_solid, hand_solid

DECKS: Final = (*range(32, 100), *range(140, 377), *range(420, 1000))
"""From which is learnt. Those from 500 on are used for nothing else; decks 12 to 31, 100 to 119 and 380 to 419 tell how
well it goes on others.
"""
SIZE: Final = (512, 384)
"""Of the pictures, px: cards are some 29 × 41 px large."""
_SIZES: Final = (SIZE, SIZE, (512, 288), (480, 360))
_LARGE_SIZES: Final = ((1640, 1232), (1640, 1232), (1640, 924), (1280, 960))
_SHRUNK: Final = 3.2
"""How many times smaller they are than those of the camera."""
_DIFFICULTIES: Final[tuple[Difficulty, ...]] = ("easy", "hard", "normal", "hard")
"""Bad light is what is hard."""
_CONDITIONS: Final = 4
_NIGHTS_COUNT: Final = 3
"""Decks of night are one in sixteen, and nearly all cards that are missed are theirs."""
_LARGE_CONDITIONS: Final = 10
_MOMENTS: Final = 5


class Example(NamedTuple):
    """A picture, the corners of its cards (n × 4 × 2, px), their faces' ids, and which part of each is seen.

    ``unknown`` (n × 4 × 2) are cards that lie face down. ``emma_px`` is where Emma's foot is, if she is there;
    ``hands`` and ``emma`` (h × w, 0 to 255) are how much of each pixel hands and she fill.
    """

    picture: Picture
    cards: Corners
    faces: tuple[str, ...]
    visible: Floats32
    unknown: Corners
    emma_px: tuple[float, float] | None
    hands: GreyPicture
    emma: GreyPicture


def examples_of(deck: int) -> Iterator[Example]:
    """Some small pictures with a deck, in changing conditions."""
    yield from _examples_of(deck, _CONDITIONS, _MOMENTS, _SIZES, _small)


def large_examples_of(deck: int) -> Iterator[Example]:
    """Some pictures with a deck as the camera takes them, each in other conditions."""
    yield from _examples_of(deck, _LARGE_CONDITIONS, 1, _LARGE_SIZES, lambda conditions, _: conditions)


def _examples_of(
    deck: int,
    conditions: int,
    moments: int,
    sizes: Sequence[tuple[int, int]],
    changed: Callable[[Conditions, Random], Conditions],
) -> Iterator[Example]:
    random = Random(f"finder {deck}")
    pictures = random_deck(deck)
    mode = random.choice(tuple(Mode))
    start = set_up(load_edition(), pictures.deck, mode, PEOPLE[: mode.persons], rails=True)
    for index in range(conditions * (_NIGHTS_COUNT if random_style(deck).school == "night" else 1)):
        played = pictured_game(start, random).moments
        difficulty = _DIFFICULTIES[(deck + index) % len(_DIFFICULTIES)]
        drawn = changed(draw_conditions(difficulty, random, random.choice(sizes)), random)
        chosen = random.choices(played, [len(moment.scene.cards) ** 2 for moment in played], k=moments)
        yield from _photographed(pictures, drawn, chosen, random, deck)


def _small(conditions: Conditions, random: Random) -> Conditions:
    """The same with what is left of noise and blur where pictures are made smaller."""
    sensor = conditions.sensor
    shrunk = _SHRUNK * random.uniform(0.7, 1.2)
    return conditions._replace(
        sensor=replace(sensor, noise=sensor.noise / shrunk, blur_px=max(0.3, sensor.blur_px / shrunk))
    )


def _photographed(
    pictures: DeckPictures, conditions: Conditions, moments: list[Moment], random: Random, deck: int
) -> Iterator[Example]:
    view = renderer_of(pictures, conditions)
    emma = random_emma(deck if random.random() < 0.5 else random.randrange(1 << 20))
    for moment in moments:
        cards = _turned(moment.scene.cards, random)
        stands = moment.scene.emma
        if stands is not None:
            stands = replace(stands, look=emma)
            if cards is not moment.scene.cards:
                stands = _moved_along(stands, moment.scene.cards, cards)
        hands = (draw_hand(moment.hand_at_mm, random),) if random.random() < 0.2 else ()
        scene = Scene(cards, stands, hands, conditions.clutter)
        light, sensor = conditions.light, conditions.sensor
        photograph = view.photograph(scene, light, sensor, random.randrange(1 << 30))
        corners = [view.corners(card) for card in scene.cards]
        piles = [LyingCard("", thing.pose) for thing in scene.clutter if isinstance(thing, Pile)]
        foot = None
        if stands is not None:
            x, y = view.camera.project([(stands.pose.x_mm, stands.pose.y_mm, -CARD_THICKNESS_MM)])[0]
            foot = (float(x), float(y))
        size = photograph.picture.shape[:2]
        solids = [hand_solid(hand) for hand in hands], [emma_solid(stands)] if stands is not None else []
        filled, hers = (_filled_by(some, view.camera, light, size) for some in solids)
        yield Example(
            photograph.picture,
            np.array(corners, np.float64).reshape(-1, 4, 2),
            tuple(card.face for card in scene.cards),
            np.array(photograph.visible, np.float32),
            np.array([view.corners(card) for card in piles], np.float64).reshape(-1, 4, 2),
            foot,
            filled,
            hers,
        )


def _filled_by(solids: Sequence[Sequence[Polygon]], camera: Camera, light: Light, size: tuple[int, int]) -> GreyPicture:
    """How much of each pixel these fill."""
    lamp = np.array([light.lamp_mm[0], light.lamp_mm[1], -light.lamp_mm[2]])
    filled = np.zeros(size, np.uint8)
    for solid in solids:
        drawn = draw_solids(solid, camera, lamp, light.ambient)
        if drawn is not None:
            rows, columns = drawn.cover.shape
            part = filled[drawn.top : drawn.top + rows, drawn.left : drawn.left + columns]
            np.maximum(part, (255 * drawn.cover).astype(np.uint8), out=part)
    return filled


def _turned(cards: tuple[LyingCard, ...], random: Random) -> tuple[LyingCard, ...]:
    """The same railway turned a little about the table's middle, or as it is."""
    if random.random() < 0.4:
        return cards
    degrees = random.uniform(-25, 25)
    return tuple(_about_middle(card, degrees) for card in cards)


def _about_middle(card: LyingCard, degrees: float) -> LyingCard:
    return replace(card, pose=_pose_about_middle(card.pose, degrees))


def _pose_about_middle(pose: Pose, degrees: float) -> Pose:
    middle_x, middle_y = (side / 2 for side in TABLE_MM)
    angle = math.radians(degrees)
    x, y = pose.x_mm - middle_x, pose.y_mm - middle_y
    return Pose(
        middle_x + x * math.cos(angle) - y * math.sin(angle),
        middle_y + x * math.sin(angle) + y * math.cos(angle),
        pose.rotation_deg + degrees,
    )


def _moved_along(emma: Emma, before: tuple[LyingCard, ...], now: tuple[LyingCard, ...]) -> Emma:
    """Emma as she stands when all cards have been turned."""
    return replace(emma, pose=_pose_about_middle(emma.pose, now[0].pose.rotation_deg - before[0].pose.rotation_deg))
