"""Trains the network that sees where the corners of a card are (``vision.outlines.corner_finder``).

Run it as ``make train-corners``. It is shown squares about cards, more or less far off, and others with none: places
that the network which finds places takes for cards, and any. A fresh checkout draws the pictures first.

The network that is shipped went on from the one before with 169 of these decks for three quarters of an hour. Of 22
decks of night that are not among them it is 90 % sure of .945 of 472 cards in bad light, .839 before, of 24 other decks
of .991 of 535, .985 before.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from tests.vision.outlines.card_training.learning import Batch, learn, options_of, written
from tests.vision.outlines.card_training.light import Light, lit
from tests.vision.outlines.card_training.other_cards import OTHER_CARDS, with_other_cards
from tests.vision.outlines.card_training.pictures import drawn
from tests.vision.outlines.place_training.network import Conv, Residual
from tests.vision.outlines.place_training.scenes import large_examples_of
from vision.arrays import Corners, Floats, Floats32, Picture
from vision.outlines.corner_finder import SEEN_PX, SIDE_PX, UNIT_PX, USUAL
from vision.outlines.place_finder import CARD_PX, seen_in

_AT_ONCE: Final = 48
_MEAN_MM: Final = 75.0
"""How long the sides of a usual card are, on average: what is told in mm here is that of such a card."""
_SEEN: Final = 0.35
"""A card of which less is seen need not be found."""
_THERE_MM: Final = 16.0
_ELSEWHERE_MM: Final = 26.0
"""From so far off the middle of a card the square shows none; nearer it may be told either way."""
_OFF: Final = (0.3, 1.0, 2.2)
_HOW_OFTEN: Final = (0.35, 0.35, 0.3)
"""How far off places are, and how often: before any card was read it is not known how large they are."""
_LIGHT: Final = Light(0.2, 0.25, 0.1, 0.1, haze=0.25, gleam=0.1, pale=0.2, soft=0.3, noisy=0.4, noise=0.03)


class CornerNetwork(nn.Sequential):
    """From a square (n × 3 × 96 × 96: B, G, R, 0 to 1) to what it tells (n × 10).

    That is the logit of a card lying there, the logarithm of how far off its corners are told (px), and those.
    """

    def __init__(self) -> None:
        cells = (SIDE_PX // 8) ** 2
        last = nn.Sequential(nn.Conv2d(64, 16, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU(inplace=True), nn.Flatten())
        told = nn.Sequential(nn.Linear(16 * cells, 96), nn.ReLU(inplace=True), nn.Linear(96, 10))
        seen = (Conv(3, 16, 2), Conv(16, 32, 2), Residual(32), Conv(32, 64, 2), Residual(64), Residual(64))
        super().__init__(*seen, last, told)


class Scene(NamedTuple):
    """A picture at half size, its cards and how much of each is seen, face-down ones, and where cards seem to lie."""

    picture: Picture
    cards: Corners
    visible: Floats32
    unknown: Corners
    places: Corners


class Lesson(NamedTuple):
    """A square (3 × h × w), where its card's corners are, whether there is one, and which of both counts (0 or 1)."""

    square: Floats32
    corners: Floats32
    told: Floats32


def scenes(folder: Path) -> list[Scene]:
    """All pictures that have cards."""
    found, random = [], np.random.default_rng(0)
    for _, examples in drawn(folder, large_examples_of, ".jpg"):
        for original in examples:
            if not len(original.cards):
                continue
            example = with_other_cards(original, random) if random.random() < OTHER_CARDS else original
            half = cv2.resize(example.picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            cards, unknown = ((corners + 0.5) / 2 - 0.5 for corners in (example.cards, example.unknown))
            scale = CARD_PX / float(np.median([_mean_side(card) for card in cards])) * math.exp(random.normal(0, 0.2))
            small = cv2.resize(half, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            places = [(place.corners + 0.5) / scale - 0.5 for place in seen_in(np.asarray(small, np.uint8)).places]
            visible = np.asarray(example.visible, np.float32)
            found.append(Scene(np.asarray(half, np.uint8), cards, visible, unknown, np.array(places).reshape(-1, 4, 2)))
    return found


def any_lesson(known: Sequence[Scene], random: np.random.Generator) -> Lesson:
    """A square about a card, or about a place where none lies, at random."""
    scene = known[random.integers(len(known))]
    card = scene.cards[random.integers(len(scene.cards))]
    kind = random.random()
    if kind < 0.6 or not len(scene.places):
        to_square = _about(card, random, random.choice(_OFF, p=_HOW_OFTEN))
    elif kind < 0.95:
        to_square = _about(scene.places[random.integers(len(scene.places))], random, 0.3)
    else:
        anywhere = card - card.mean(axis=0) + random.uniform((0, 0), scene.picture.shape[1::-1])
        to_square = _about(anywhere, random, 1.0)
    border = cv2.BORDER_REPLICATE if random.random() < 0.7 else cv2.BORDER_CONSTANT
    square = cv2.warpAffine(scene.picture, to_square, (SIDE_PX, SIDE_PX), flags=cv2.INTER_LINEAR, borderMode=border)
    square = lit(square.astype(np.float32) / 255, _LIGHT, random)
    if random.random() < 0.25:
        square = square[..., random.permutation(3)]
    corners, told = _answer(scene, to_square)
    return Lesson(np.ascontiguousarray(square.transpose(2, 0, 1)), corners, told)


def _mean_side(corners: Corners) -> float:
    return float(np.linalg.norm(np.roll(corners, 1, axis=0) - corners, axis=1).mean())


def _about(place: Corners, random: np.random.Generator, off: float) -> Floats:
    """An affine transform (2 × 3) that lays a place into the middle of the square, more or less, mirrored or not."""
    side = _mean_side(place)
    middle = place.mean(axis=0) + random.normal(0, 4.5 * side / _MEAN_MM * off, 2)
    x, y = place[2] + place[3] - place[0] - place[1]
    quarters = random.choice((0, 2)) + (random.random() < 0.15)
    angle = math.atan2(y, x) - math.pi / 2 + math.radians(random.normal(0, 5 * off)) + quarters * math.pi / 2
    scale = SEEN_PX / side * math.exp(random.normal(0, 0.08 * off))
    linear = scale * np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    linear = (
        np.diag((random.choice((-1, 1)), 1)) @ linear @ (np.eye(2) + np.diag(random.normal(0, 0.015, 1), 1)[:2, :2])
    )
    return np.column_stack([linear, (SIDE_PX - 1) / 2 - linear @ middle])


def _answer(scene: Scene, to_square: Floats) -> tuple[Floats32, Floats32]:
    """What is to be told of such a square."""
    middle = (SIDE_PX - 1) / 2
    moved = [cv2.transform(card[None], to_square)[0] for card in (*scene.cards, *scene.unknown)]
    cards, unknown = moved[: len(scene.cards)], moved[len(scene.cards) :]
    away = [float(np.linalg.norm(card.mean(axis=0) - middle)) / _mean_side(card) * _MEAN_MM for card in cards]
    nearest = int(np.argmin(away))
    card, is_seen = cards[nearest], bool(scene.visible[nearest] >= _SEEN)
    nothing = np.zeros(8, np.float32)
    if away[nearest] >= _THERE_MM:
        is_pile = any(np.linalg.norm(pile.mean(axis=0) - middle) < SEEN_PX / 2 for pile in unknown)
        return nothing, np.array([0, away[nearest] > _ELSEWHERE_MM and not is_pile, 0], np.float32)
    x, y = (card - card.mean(axis=0)).T
    ordered = card[np.argsort(np.arctan2(y, x))]
    is_within = bool(((ordered > -6) & (ordered < SIDE_PX + 5)).all())
    corners = ((ordered - USUAL) / UNIT_PX).ravel().astype(np.float32)
    return corners, np.array([1, is_seen and is_within, is_seen and is_within], np.float32)


def loss_of(network: nn.Module, batch: Batch) -> Tensor:
    """How wrong the network is: the entropy of there being a card, and of the corners by a Laplacian."""
    square, corners, told = batch
    is_card, card_counts, corners_count = told.T
    with torch.autocast("cpu", torch.bfloat16):  # learns as well and faster
        out = network(square.contiguous(memory_format=torch.channels_last))
    out = out.float()
    entropy = functional.binary_cross_entropy_with_logits(out[:, 0], is_card, reduction="none")
    off = UNIT_PX * (out[:, 2:] - corners).abs().mean(dim=1) + 0.02
    spread = out[:, 1].clamp(-5, 3)
    placed = ((off / torch.exp(spread) + spread) * corners_count).sum() / corners_count.sum().clamp(min=1)
    return 2 * (entropy * card_counts).mean() + placed


def main() -> None:
    options = options_of("Trains the network that sees the corners of cards.", minutes=66)
    known = scenes(options.drawn)

    def batch(random: np.random.Generator) -> Batch:
        lessons = [any_lesson(known, random) for _ in range(_AT_ONCE)]
        return [torch.from_numpy(np.stack(parts)) for parts in zip(*lessons, strict=True)]

    network = CornerNetwork()
    learn(network, batch, loss_of, options)
    written(network, torch.zeros(1, 3, SIDE_PX, SIDE_PX), options.out)


if __name__ == "__main__":
    main()
