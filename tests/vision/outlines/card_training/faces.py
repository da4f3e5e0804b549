"""Trains the network that tells which face lies at a known place (``vision.faces.matching.face_matcher``).

Run it as ``make train-faces``. It is shown cards of one deck, and places where none of it lies, beside all faces of
that deck as a camera would have taught them, and learns to make maps by which it can tell which is which.

The network that is shipped, and that of ``differences``, have learnt from 385 of these decks. When they had gone on
with 788 for an hour, their losses on 24 that were left out (500 to 523) were .312 instead of .321, and .171 instead of
.184, but of 60 tables of 20 decks for building no more were right or rightly asked about: .933, and .950 as before with
``differences`` alone. Nor was it better when ``differences`` had gone on for 26 minutes with 399 decks of which half of
the pictures are in bad light: its loss on 21 others was .176 instead of .189, but of 138 tables of 23 decks 17 were
asked about as before. Nor when it had learnt for 24 minutes from cards under Emma too, with her laid over both faces as
the eye does it: of 617 pictures of such cards, broken or not, 443 were told rightly and 4 wrongly, by 24 to 1, where
with the one that is shipped it was 459 and 5.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from tests.vision.outlines.card_training.learning import Batch, learn, options_of, tell, written
from tests.vision.outlines.card_training.light import Light, lit
from tests.vision.outlines.card_training.pictures import around, drawn
from tests.vision.outlines.place_training.network import Conv, Residual
from tests.vision.outlines.place_training.scenes import Example, large_examples_of
from tests.vision.random_decks.random_deck import random_deck
from vision.arrays import Corners, Floats32, Picture
from vision.faces.matching.face_matcher import LEAST_CONTRAST, PX_PER_MM, REACH, VALUES, cut_out, size_px

_FACES: Final = 12
_CARDS: Final = 18
_OTHERS: Final = 4
"""So many are shown at once: faces of a deck, cards that have them, and what is none of it."""
_ALIKE: Final = 4
"""Of faces that are much alike so many may be shown together: to tell them apart is what is hard."""
_TAUGHT: Final = 1.5
"""How many times as large faces are kept."""
_SEEN: Final = 0.35
_FEW: Final = 10
_SEEN_LIGHT: Final = Light(0.15, 0.25, 0.08, 0.08, haze=0.15, gleam=0.15, pale=0.2, soft=0.3, noisy=0.5, noise=0.04)
_TAUGHT_LIGHT: Final = Light(0.1, 0.2, 0.08, 0.08, noisy=0.5, noise=0.015)


class FaceNetwork(nn.Module):
    """From a card (n × 3 × h × w: B, G, R, flat, of contrast 1; 8 divides its sides) to n × (VALUES + 2) × h/2 × w/2.

    Those are its map, how much of that can be trusted (before a softplus), and how likely no card lies there.
    """

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(Conv(3, 16, 2), Conv(16, 16))
        self.mid = nn.Sequential(Conv(16, 32, 2), Residual(32))
        self.coarse = nn.Sequential(Conv(32, 48, 2), Residual(48), Residual(48))
        self.up = nn.Sequential(nn.Conv2d(80, 16, 1, bias=False), nn.BatchNorm2d(16))
        self.last = nn.Sequential(Conv(16, 24), nn.Conv2d(24, VALUES + 2, 1))
        self.scale = nn.Parameter(torch.tensor(3.0))
        """The logarithm of how much the mean over a map counts: ``SCALE`` of the matcher is this one's exponential."""

    def forward(self, card: Tensor) -> Tensor:
        fine = self.fine(card)
        middle = self.mid(fine)
        coarse = functional.interpolate(self.coarse(middle), scale_factor=2.0, mode="nearest")
        wide = functional.interpolate(self.up(torch.cat([middle, coarse], 1)), scale_factor=2.0, mode="nearest")
        return self.last(torch.relu(fine + wide))


class Known(NamedTuple):
    """A deck: its faces, cut-outs of the cards of each (with their corners), and of what is none of its cards.

    ``alike`` are the faces that are most alike each one, itself first.
    """

    card_mm: tuple[float, float]
    size: tuple[int, int]
    faces: list[Picture]
    alike: list[list[int]]
    cards: list[list[tuple[Picture, Corners]]]
    others: list[tuple[Picture, Corners]]


def known_decks(folder: Path) -> list[Known]:
    """All decks of which enough cards are seen."""
    random, decks = np.random.default_rng(0), []
    for number, examples in drawn(folder, large_examples_of, ".jpg"):
        pictures = random_deck(number)
        card_mm = pictures.deck.card_mm
        width, height = size = size_px(card_mm)
        ids = list(pictures.faces)
        taught = (round(_TAUGHT * width), round(_TAUGHT * height))
        faces = [
            np.asarray(cv2.resize(face, taught, interpolation=cv2.INTER_AREA), np.uint8)
            for face in pictures.faces.values()
        ]
        deck = Known(card_mm, size, faces, _most_alike(faces), [[] for _ in ids], [])
        for example in examples:
            for corners, face, seen in zip(example.cards, example.faces, example.visible, strict=True):
                if seen >= _SEEN and face in ids:
                    deck.cards[ids.index(face)].append(around(example.picture, corners))
            deck.others.extend(around(example.picture, corners) for corners in example.unknown)
            deck.others.extend(around(example.picture, place) for place in _beside_cards(example, random))
        if sum(map(len, deck.cards)) > _FEW:
            decks.append(deck)
    return decks


def _beside_cards(example: Example, random: np.random.Generator) -> Iterator[Corners]:
    """Places of a card's size at which none lies: anywhere, and half a card or so beside one, along or across it."""
    middles = example.cards.mean(axis=1)
    for card in example.cards:
        along, across = (card[2] + card[3] - card[0] - card[1]) / 2, (card[1] + card[2] - card[0] - card[3]) / 2
        anywhere = random.uniform((0, 0), example.picture.shape[1::-1]) - card.mean(axis=0)
        near = random.choice((-1, 1)) * random.uniform(0.4, 0.6) * (along if random.random() < 0.5 else across)
        moved = card + (anywhere if random.random() < 0.2 else near)
        if random.random() < 0.2:
            moved = np.roll(moved, 1, axis=0)
        is_apart = np.linalg.norm(middles - moved.mean(axis=0), axis=1).min() > 0.38 * np.linalg.norm(across)
        if is_apart and (moved >= 0).all() and (moved < example.picture.shape[1::-1]).all():
            yield moved


def _most_alike(faces: Sequence[Picture]) -> list[list[int]]:
    tiny = np.array([cv2.resize(face, (24, 32), interpolation=cv2.INTER_AREA).ravel() for face in faces], np.float32)
    return [np.argsort(((tiny - one) ** 2).sum(axis=1))[:_ALIKE].tolist() for one in tiny]


def _off(corners: Corners, random: np.random.Generator) -> Corners:
    """Corners as far off as they are told, sometimes farther."""
    far = (0.3 if random.random() < 0.5 else 0.8) * np.linalg.norm(corners[2] - corners[0]) / 108
    return np.asarray(corners + random.normal(0, far, 2) + random.normal(0, far / 2, (4, 2)))


def any_batch(decks: Sequence[Known], random: np.random.Generator) -> Batch:
    """The faces of a deck both ways up, cards of it, how many faces there are, and which each card has."""
    deck = decks[random.integers(len(decks))]
    order = random.permutation(3) if random.random() < 0.4 else np.arange(3)
    is_negative, is_mirrored = random.random() < 0.08, random.random() < 0.5

    def printed(card: Picture) -> Floats32:
        values = np.asarray(card[..., order], np.float32) / 255
        return 1 - values if is_negative else values

    chosen = _some_faces(deck, random)
    count, soft, lamp = len(chosen), random.uniform(0.15, 1), random.integers(1 << 30)
    faces = []
    for index in chosen:
        face = deck.faces[index]
        height, width = face.shape[:2]
        outline = np.array([(0, 0), (width, 0), (width, height), (0, height)]) - 0.5
        px = _TAUGHT * PX_PER_MM
        place = outline + random.normal(0, 0.2 * px, 2) + random.normal(0, 0.12 * px, (4, 2))
        blurred = cv2.GaussianBlur(face, (0, 0), px * math.hypot(0.2, 0.45 * soft))
        same_lamp = np.random.default_rng(lamp) if random.random() < 0.7 else random
        faces.append(lit(printed(cut_out(np.asarray(blurred, np.uint8), place, deck.size)), _TAUGHT_LIGHT, same_lamp))
    shown, answers = [], []
    seen = [place for place, index in enumerate(chosen) if deck.cards[index]]
    for _ in range(_CARDS):
        answer = seen[random.integers(len(seen))]
        cards = deck.cards[chosen[answer]]
        picture, corners = cards[random.integers(len(cards))]
        turned = int(random.random() < 0.5)
        place = np.roll(_off(corners, random), 2 * turned, axis=0)
        shown.append(lit(printed(cut_out(picture, place, deck.size)), _SEEN_LIGHT, random))
        answers.append(answer + count * turned)
    for _ in range(_OTHERS):
        other = decks[random.integers(len(decks))]
        theirs = other.cards[random.integers(len(other.cards))]
        if other is not deck and theirs and random.random() < 0.3:
            picture, corners = theirs[random.integers(len(theirs))]
        elif deck.others:
            picture, corners = deck.others[random.integers(len(deck.others))]
        else:
            continue
        shown.append(lit(printed(cut_out(picture, _off(corners, random), deck.size)), _SEEN_LIGHT, random))
        answers.append(2 * count)
    upright = np.stack(faces)
    everything = np.concatenate([upright, upright[:, ::-1, ::-1], np.stack(shown)])
    if is_mirrored:
        everything = everything[:, :, ::-1]
    mean, contrast = (f(everything, axis=(1, 2, 3), keepdims=True) for f in (np.mean, np.std))
    flat = ((everything - mean) / (contrast + LEAST_CONTRAST)).transpose(0, 3, 1, 2)
    return [torch.from_numpy(np.ascontiguousarray(flat)), torch.tensor(count), torch.tensor(answers)]


def _some_faces(deck: Known, random: np.random.Generator) -> list[int]:
    """Some faces of a deck, those that are alike together, one at least of which cards were seen."""
    seen = [index for index, cards in enumerate(deck.cards) if cards]
    chosen: list[int] = []
    most = min(_FACES, len(deck.faces))
    while len(chosen) < most:
        first = seen[random.integers(len(seen))] if len(chosen) < most - 2 else random.integers(len(deck.faces))
        new = [index for index in deck.alike[first][: random.integers(1, _ALIKE + 1)] if index not in chosen]
        chosen += new[: most - len(chosen)]
    return chosen


def odds_of(maps: Tensor, count: int, scale: Tensor) -> Tensor:
    """How likely each card (n) has each face, upright, the other way up, and none (2 × count + 1): logarithms.

    ``maps`` are those of the faces, of these turned, and of the cards; what ``FaceMatcher.match`` computes.
    """
    height, width = maps.shape[2:]
    inner = (slice(REACH, height - REACH), slice(REACH, width - REACH))
    faces = maps[: 2 * count, :VALUES, inner[0], inner[1]]
    faces = torch.cat([faces, (faces**2).sum(dim=1, keepdim=True)], 1).flatten(1)
    cards = maps[2 * count :]
    trust = functional.softplus(cards[:, VALUES : VALUES + 1])
    weighed = torch.cat([2 * trust * cards[:, :VALUES], -trust], 1)
    unlike = (trust * cards[:, :VALUES] ** 2).sum(dim=1)
    each = []
    for down in range(2 * REACH + 1):
        for across in range(2 * REACH + 1):
            rows, columns = slice(down, height - 2 * REACH + down), slice(across, width - 2 * REACH + across)
            alike = weighed[:, :, rows, columns].flatten(1) @ faces.T
            each.append(alike - unlike[:, rows, columns].flatten(1).sum(dim=1)[:, None])
    told = torch.logsumexp(torch.stack(each) * scale / (height * width), 0) - math.log(len(each))
    none = cards[:, VALUES + 1, inner[0], inner[1]].mean(dim=(1, 2)) * scale
    return torch.cat([told, none[:, None]], 1)


def loss_of(network: nn.Module, batch: Batch) -> Tensor:
    """How far the probabilities are from what is true: their entropy."""
    shown, count, answers = batch
    with torch.autocast("cpu", torch.bfloat16):  # learns as well and 1.6 times as fast
        maps = network(shown.contiguous(memory_format=torch.channels_last))
    return functional.cross_entropy(odds_of(maps.float(), int(count), network.scale.exp()), answers)


def main() -> None:
    options = options_of("Trains the network that tells which face a card has.", minutes=90)
    decks = known_decks(options.drawn)
    network = FaceNetwork()
    learn(network, lambda random: any_batch(decks, random), loss_of, options)
    tell(f"\nSCALE of the matcher: {network.scale.exp().item():.3f}\n")
    written(network, torch.zeros(1, 3, 176, 128), options.out)


if __name__ == "__main__":
    main()
