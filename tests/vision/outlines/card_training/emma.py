"""Trains the network that sees Emma on a card (``vision.reading.emma``).

Run it as ``make train-emma``. It is shown cards with her and without beside their faces, as a camera would have taught
these, and learns to tell where she stands and what she hides. Half of the locomotives are of any colour, and things lie
on some cards that are none.

The network that is shipped has learnt for 72 minutes, in three turns, from 262 of these decks, with 2,620 cards on
which she stands and 6,115 others, which were drawn and shown in the same way. Of decks that were left out it missed
her in 2.0 % of the lessons, and saw her in 0.4 % of those without her.
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
from tests.vision.outlines.card_training.pictures import around, drawn
from tests.vision.outlines.place_training.network import Conv, Residual
from tests.vision.outlines.place_training.scenes import Example, large_examples_of
from tests.vision.random_decks.random_deck import random_deck
from vision.arrays import Corners, Floats32, GreyPicture, Picture, Points
from vision.reading.emma.emma_network import CELL_PX, beside_face, inner_part, outline_px, shown_as, size_px

_AT_ONCE: Final = 48
_AROUND_MM: Final = 12.0
_OTHERS: Final = 3
"""So many cards of a picture are kept besides hers."""
_FACE_PX_PER_MM: Final = 3.0
_HERS: Final = 0.55
_OTHER_FACE: Final = 0.12
"""How often she stands on a card, and how often that is shown beside a face that it has not."""
_OFF_MM: Final = (0.3, 0.6, 1.2)
_HOW_OFTEN: Final = (0.6, 0.3, 0.1)
_SPREAD_CELLS: Final = 0.8
_NO_EMMA: Final = 0.07
"""How often a thing lies on a card that is not she."""
_PAINTED: Final = 0.3
_SEEN_LIGHT: Final = Light(0.15, 0.2, 0.08, 0.08, haze=0.15, gleam=0.08, noisy=0.5, noise=0.04)
_TAUGHT_LIGHT: Final = Light(0.15, 0.2, 0.08, 0.04, noisy=0.5, noise=0.015)
_HIDDEN_COUNTS: Final = 20.0


class EmmaNetwork(nn.Module):
    """From a card beside its face (n × 6 × h × w; 8 divides both sides) to n × 2 × h/2 × w/2.

    Those are how likely she stands there rather than nowhere on the card, and how likely she hides it: logarithms of
    odds.
    """

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(Conv(6, 24, 2), Conv(24, 24))
        self.mid = nn.Sequential(Conv(24, 32, 2), Residual(32))
        self.coarse = nn.Sequential(Conv(32, 48, 2), Residual(48), Residual(48, 2))
        self.up = nn.Sequential(nn.Conv2d(80, 24, 1, bias=False), nn.BatchNorm2d(24))
        told = nn.Conv2d(24, 2, 1)
        self.last = nn.Sequential(Conv(24, 24), told)
        with torch.no_grad():
            told.bias[:] = torch.tensor([-7.0, -2.0])  # few cells hold her foot, or are hidden

    def forward(self, shown: Tensor) -> Tensor:
        fine = self.fine(shown)
        middle = self.mid(fine)
        coarse = functional.interpolate(self.coarse(middle), scale_factor=2.0, mode="nearest")
        wide = functional.interpolate(self.up(torch.cat([middle, coarse], 1)), scale_factor=2.0, mode="nearest")
        return self.last(torch.relu(fine + wide))


class Card(NamedTuple):
    """A part of a picture about a card, its corners, what of it she fills, its face, and her foot if she stands on it.

    All in px of that part.
    """

    picture: Picture
    corners: Corners
    hers: GreyPicture
    face: str
    foot: Points | None


class Known(NamedTuple):
    """A deck: its faces, cards of it with her, and without."""

    card_mm: tuple[float, float]
    faces: dict[str, Picture]
    hers: list[Card]
    others: list[Card]


class Lesson(NamedTuple):
    """What is shown (6 × h × w), where her foot is, and what she hides (h/2 × w/2 each).

    The former adds up to one, or to nothing where she does not stand there.
    """

    shown: Floats32
    foot: Floats32
    hidden: Floats32


def known_decks(folder: Path) -> list[Known]:
    """All decks of which cards are seen."""
    random, decks = np.random.default_rng(0), []
    for number, examples in drawn(folder, large_examples_of, ".jpg"):
        pictures = random_deck(number)
        card_mm = pictures.deck.card_mm
        size = tuple(round(_FACE_PX_PER_MM * side) for side in card_mm)
        faces = {
            face: np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
            for face, picture in pictures.faces.items()
        }
        cards = [card for example in examples for card in _cards_of(example, random) if card.face in faces]
        hers, others = ([card for card in cards if (card.foot is None) == without] for without in (False, True))
        if hers and others:
            decks.append(Known(card_mm, faces, hers, others))
    return decks


def _cards_of(example: Example, random: np.random.Generator) -> list[Card]:
    """Her card, and some others."""
    cards = []
    for corners, face in zip(example.cards, example.faces, strict=True):
        picture, there = around(example.picture, corners, _AROUND_MM)
        hers, _ = around(example.emma, corners, _AROUND_MM)
        is_hers = example.emma_px is not None and (
            cv2.pointPolygonTest(corners.astype(np.float32), example.emma_px, measureDist=False) >= 0
        )
        foot = np.array(example.emma_px) + there[0] - corners[0] if is_hers else None
        cards.append(Card(picture, there, hers, face, foot))
    random.shuffle(cards)  # type: ignore[arg-type]
    others = [card for card in cards if card.foot is None]
    return [*(card for card in cards if card.foot is not None), *others[:_OTHERS]]


def any_lesson(deck: Known, random: np.random.Generator) -> Lesson:
    """A card of a deck in any light, beside a face, mirrored and turned or not."""
    size, inner = size_px(deck.card_mm), inner_part(deck.card_mm)
    cards = deck.hers if random.random() < _HERS else deck.others
    card = cards[random.integers(len(cards))]
    px = float(np.linalg.norm(card.corners[1] - card.corners[0])) / deck.card_mm[0]
    far = random.choice(_OFF_MM, p=_HOW_OFTEN) * px
    place = card.corners + random.normal(0, far, 2) + random.normal(0, far / 2, (4, 2))
    to_shown = _to_shown(place, deck.card_mm)
    # She fills nothing of what is drawn out beyond the picture.
    hers = np.asarray(cv2.warpPerspective(card.hers, to_shown, size), np.uint8)
    seen = shown_as(card.picture, place, deck.card_mm).astype(np.float32) / 255
    if card.foot is not None and random.random() < _PAINTED:
        seen = _painted(seen, hers, random)
    elif card.foot is None and random.random() < _NO_EMMA:
        seen = _with_a_thing(seen, random)
    other = list(deck.faces)[random.integers(len(deck.faces))]
    face = _taught(deck.faces[other if random.random() < _OTHER_FACE else card.face], deck.card_mm, random)
    both = [lit(seen, _SEEN_LIGHT, random), lit(face.astype(np.float32) / 255, _TAUGHT_LIGHT, random)]
    if random.random() < 0.4:
        order = random.permutation(3)
        both = [side[..., order] for side in both]
    if random.random() < 0.06:
        both = [1 - side for side in both]
    bytes_of = [(255 * side).astype(np.uint8) for side in both]
    shown = beside_face(bytes_of[0], bytes_of[1], inner)
    cells = size[0] // CELL_PX, size[1] // CELL_PX
    foot = np.zeros(cells[::-1], np.float32)
    if card.foot is not None:
        x, y = (cv2.perspectiveTransform(card.foot.reshape(1, 1, 2), to_shown)[0, 0] + 0.5) / CELL_PX - 0.5
        rows, columns = np.mgrid[0 : cells[1], 0 : cells[0]]
        foot = np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * _SPREAD_CELLS**2)).astype(np.float32)
        foot /= foot.sum()
    hidden = cv2.resize(hers.astype(np.float32) / 255, cells, interpolation=cv2.INTER_AREA)
    if random.random() < 0.5:
        shown, foot, hidden = shown[..., ::-1], foot[..., ::-1], hidden[..., ::-1]
    if random.random() < 0.5:
        shown, foot, hidden = shown[..., ::-1, ::-1], foot[..., ::-1, ::-1], hidden[..., ::-1, ::-1]
    return Lesson(*(np.ascontiguousarray(part) for part in (shown, foot, hidden)))


def _to_shown(place: Corners, card_mm: tuple[float, float]) -> Floats32:
    return np.asarray(cv2.getPerspectiveTransform(place.astype(np.float32), outline_px(card_mm).astype(np.float32)))


def _painted(seen: Floats32, hers: GreyPicture, random: np.random.Generator) -> Floats32:
    """The same with a locomotive of another colour."""
    paint = np.exp(random.normal(0, 0.6, 3)) * seen + random.uniform(0, 0.3, 3) * seen.mean() * (random.random() < 0.5)
    return np.asarray(seen + (hers / 255)[..., None] * (np.clip(paint, 0, 1) - seen), np.float32)


def _with_a_thing(seen: Floats32, random: np.random.Generator) -> Floats32:
    """The same with a coin, a die, or what is larger than a locomotive."""
    height, width = seen.shape[:2]
    cover, middle = np.zeros((height, width), np.uint8), random.uniform(0.2, 0.8, 2) * (width, height)
    kind, turned = random.integers(3), random.uniform(0, 90)
    if kind == 0:
        cv2.circle(cover, middle.astype(int).tolist(), int(random.uniform(7, 16)), (255,), -1)
    else:
        side = random.uniform(12, 20) if kind == 1 else random.uniform(30, 60)
        sides = (side, side if kind == 1 else side * random.uniform(0.6, 2))
        cv2.fillConvexPoly(cover, cv2.boxPoints((middle.tolist(), sides, turned)).astype(np.int32), (255,))
    soft = cv2.GaussianBlur(cover, (0, 0), 0.7)[..., None] / 255
    colour = random.uniform(0, 1, 3) * max(2 * float(seen.mean()), 0.1)
    return np.asarray(seen + soft * (colour - seen), np.float32)


def _taught(face: Picture, card_mm: tuple[float, float], random: np.random.Generator) -> Picture:
    """A face as a camera would have taught it, softer, to a part of a millimetre."""
    height, width = face.shape[:2]
    px = width / card_mm[0]
    outline = np.array([(0, 0), (width, 0), (width, height), (0, height)]) - 0.5
    place = outline + random.normal(0, 0.15 * px, 2) + random.normal(0, 0.12 * px, (4, 2))
    soft = cv2.GaussianBlur(face, (0, 0), px * math.hypot(0.2, 0.45 * random.uniform(0.15, 1)))
    return shown_as(np.asarray(soft, np.uint8), place, card_mm)


def any_batch(decks: Sequence[Known], random: np.random.Generator) -> Batch:
    """Lessons of decks whose cards are shown in one size."""
    size = size_px(decks[random.integers(len(decks))].card_mm)
    alike = [deck for deck in decks if size_px(deck.card_mm) == size]
    lessons = [any_lesson(alike[random.integers(len(alike))], random) for _ in range(_AT_ONCE)]
    return [torch.from_numpy(np.stack(parts)) for parts in zip(*lessons, strict=True)]


def loss_of(network: nn.Module, batch: Batch) -> Tensor:
    """How wrong the network is: the entropies of where she stands, of whether she does, and of what she hides."""
    shown, foot, hidden = batch
    with torch.autocast("cpu", torch.bfloat16):  # learns as well and 1.6 times as fast
        told = network(shown.contiguous(memory_format=torch.channels_last))
    told = told.float()
    heat, where = told[:, 0].flatten(1), foot.flatten(1)
    stands, is_there = torch.logsumexp(heat, 1), where.sum(1)
    placed = functional.softplus(stands) - (where * (heat + torch.log(where + 1e-9).neg())).sum(1)
    seen = functional.binary_cross_entropy_with_logits(stands, is_there)
    filled = functional.binary_cross_entropy_with_logits(told[:, 1], hidden)
    return placed.mean() + seen + _HIDDEN_COUNTS * filled


def main() -> None:
    options = options_of("Trains the network that sees Emma on cards.", minutes=30)
    decks = known_decks(options.drawn)
    network = EmmaNetwork()
    learn(network, lambda random: any_batch(decks, random), loss_of, options)
    written(network, torch.zeros(1, 6, 104, 80), options.out)


if __name__ == "__main__":
    main()
