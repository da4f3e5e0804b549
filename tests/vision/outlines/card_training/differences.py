"""Trains the network that tells two faces apart by what differs (``vision.faces.matching.difference_network``).

Run it as ``make train-differences``. It is shown windows of a card beside those of the face that it has and of another
one that is like it, as a camera would have taught both, and learns to tell which is which.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from tests.vision.outlines.card_training.faces import Known, known_decks
from tests.vision.outlines.card_training.learning import Batch, learn, options_of, tell, written
from tests.vision.outlines.card_training.light import Light, any_lamp, lit, under
from tests.vision.outlines.place_training.network import Conv, Residual
from vision.arrays import Corners, Floats32, Picture
from vision.faces.matching.card_light import brighter_by
from vision.faces.matching.difference_network import REACH, VALUES, WINDOW_PX, flat, window_at
from vision.faces.matching.face_comparer import cards_of, cut_out, differing_windows, inner_part, larger, padded
from vision.faces.upright_cards import UprightCards

_PAIRS: Final = 48
"""So many are shown at once."""
_CHOICE: Final = 3
"""Of so many pairs the one is shown that is most alike: to tell those apart is what is hard."""
_TURNED: Final = 0.12
_ANY: Final = 0.12
"""How often another face is the other way up, or any one of the deck; else it is one that is much alike."""
_SEEN_LIGHT: Final = Light(0.1, 0.1, 0.04, 0.08, haze=0.15, gleam=0.1, pale=0.2, soft=0.3, noisy=0.5, noise=0.06)
_TAUGHT_LIGHT: Final = Light(0.05, 0.1, 0.04, 0.08, noisy=0.5, noise=0.015)
_SAME_LAMP: Final = 0.75
"""How often both faces were taught under the same one."""
_SPOTS_PER_MM: Final = 1.0
"""So finely it is seen in what light a card lies."""


class DifferenceNetwork(nn.Module):
    """From windows (n × 3 × h × w: B, G, R) to maps of what is printed there (n × (VALUES + 1) × h/2 × w/2).

    The last value is how much of a spot can be trusted (before a softplus).
    """

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(Conv(3, 16), Conv(16, 24, 2), Residual(24))
        self.wide = nn.Sequential(Conv(24, 32, 2), Residual(32), Residual(32))
        self.up = nn.Sequential(nn.Conv2d(32, 24, 1, bias=False), nn.BatchNorm2d(24))
        self.last = nn.Sequential(Conv(24, 24), nn.Conv2d(24, VALUES + 1, 1))
        self.scale = nn.Parameter(torch.tensor(-2.0))
        """The logarithm of how much the sum over a map counts: ``SCALE`` in the eye is this one's exponential."""

    def forward(self, windows: Tensor) -> Tensor:
        fine = self.fine(windows)
        wide = functional.interpolate(self.up(self.wide(fine)), scale_factor=2.0, mode="nearest")
        return self.last(torch.relu(fine + wide))


def odds_of(maps: Tensor, bare: Tensor, scale: Tensor) -> Tensor:
    """How much likelier cards are the first than the second of two faces in each window (n): logarithms.

    ``maps`` (n × 3 × (VALUES + 1) × rows × columns) are those of cards, of the first and of the second faces; only what
    is ``bare`` (n × rows × columns, 0 to 1) counts.
    """
    rows = maps.shape[3]
    inner = slice(REACH, rows - REACH)
    faces = maps[:, 1:, :VALUES, inner, inner]
    faces = torch.cat([faces, (faces**2).sum(dim=2, keepdim=True)], 2).flatten(2)  # n × 2 × k
    trust = functional.softplus(maps[:, 0, VALUES:]) * bare[:, None]
    values = maps[:, 0, :VALUES]
    weighed = torch.cat([2 * trust * values, -trust], 1)
    side = rows - 2 * REACH
    places = functional.unfold(weighed, side)  # n × k × shifts
    told = faces @ places - functional.unfold((trust * values**2).sum(dim=1, keepdim=True), side).sum(dim=1)[:, None]
    one, other = torch.logsumexp(told * scale, 2).unbind(1)
    return one - other


class Pairs:
    """A deck's faces two by two, and where they differ."""

    def __init__(self, deck: Known) -> None:
        self.deck = deck
        self.cards = cards_of(deck.card_mm)
        self.cards_small = UprightCards(deck.card_mm, _SPOTS_PER_MM)
        self.inner = inner_part(self.cards)
        self._windows: dict[tuple[int, int, bool], list[tuple[int, int]]] = {}
        self._tiny = np.stack([cv2.resize(face, (63, 88), interpolation=cv2.INTER_AREA) for face in deck.faces]) / 255.0
        self.seen = [index for index, cards in enumerate(deck.cards) if cards]

    def unlike(self, face: int, other: int, is_turned: bool) -> float:
        """How much a face differs from another one, beside how much is printed on it."""
        one, beside = self._tiny[face], self._tiny[other][::-1, ::-1] if is_turned else self._tiny[other]
        return float(((one - beside) ** 2).mean() / (one.var() + 1e-3))

    def windows(self, face: int, other: int, *, is_turned: bool) -> list[tuple[int, int]]:
        """The windows in which a face differs from another one, upright or the other way up."""
        key = (face, other, is_turned)
        if key not in self._windows:
            first = padded(self.cards, self.deck.faces[face])
            beside = padded(self.cards, self.deck.faces[other], turned=is_turned)
            self._windows[key] = differing_windows(first, beside)
        return self._windows[key]


def any_batch(decks: Sequence[Pairs], random: np.random.Generator) -> Batch:
    """Windows of cards and of two faces, the card's first (n × 3 × 3 × h × w), what counts, and whose they are (n)."""
    shown: list[Floats32] = []
    bare: list[Floats32] = []
    whose: list[int] = []
    while not whose or whose[-1] < _PAIRS - 1:
        some = [_chosen(decks, random) for _ in range(_CHOICE)]
        pairs, face, other, is_turned = min(some, key=lambda one: one[0].unlike(*one[1:]))
        windows = _pair(pairs, face, other, random, is_turned=is_turned)
        whose += [whose[-1] + 1 if whose else 0] * len(windows)
        shown += [window for window, _ in windows]
        bare += [cv2.resize(part, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for _, part in windows]
    return [torch.from_numpy(np.stack(shown)), torch.from_numpy(np.stack(bare)), torch.tensor(whose)]


def _chosen(decks: Sequence[Pairs], random: np.random.Generator) -> tuple[Pairs, int, int, bool]:
    """Two faces of a deck."""
    pairs = decks[int(random.integers(len(decks)))]
    face = pairs.seen[random.integers(len(pairs.seen))]
    is_turned = bool(random.random() < _TURNED)
    alike = pairs.deck.alike[face][not is_turned :]
    any_face = [index for index in range(len(pairs.deck.faces)) if index != face]
    return pairs, face, int(random.choice(any_face if random.random() < _ANY else alike)), is_turned


def _pair(
    pairs: Pairs, face: int, other: int, random: np.random.Generator, *, is_turned: bool
) -> list[tuple[Floats32, Floats32]]:
    deck, places = pairs.deck, pairs.windows(face, other, is_turned=is_turned)
    picture, corners = deck.cards[face][random.integers(len(deck.cards[face]))]
    soft = random.uniform(0.15, 1)
    one, beside = (_taught(pairs, deck.faces[index], soft, random) for index in (face, other))
    if is_turned:
        beside = (beside[0], np.roll(beside[1], 2, axis=0))
    seen = [(picture, _off(corners, random)), one, beside]
    order = random.permutation(3) if random.random() < 0.4 else np.arange(3)
    is_negative, mirrored, upside_down = random.random() < 0.08, random.random() < 0.5, random.random() < 0.5
    lamp = random.integers(1 << 30)
    tables = _made_alike(pairs, seen, random)
    shown = [larger(cut_out(pairs.cards, *side)) for side in seen]
    lights = (_SEEN_LIGHT, _TAUGHT_LIGHT, _TAUGHT_LIGHT)
    windows = []
    for row, column in places:
        sides = []
        for side, light, table in zip(shown, lights, tables, strict=True):
            part = under(table, side[window_at((row, column))])[..., order].astype(np.float32) / 255
            part = 1 - part if is_negative else part
            is_same_lamp = light is _TAUGHT_LIGHT and lamp % 4
            sides.append(lit(part, light, np.random.default_rng(lamp) if is_same_lamp else random))
        both, bare = np.stack(sides) * np.float32(255), pairs.inner[window_at((row, column))]
        if upside_down:
            both, bare = both[:, ::-1], bare[::-1]
        if mirrored:
            both, bare = both[:, :, ::-1], bare[:, ::-1]
        windows.append((np.concatenate([flat(both[:1]), flat(both[1:])]), np.ascontiguousarray(bare)))
    return windows


def _made_alike(pairs: Pairs, seen: Sequence[tuple[Picture, Corners]], random: np.random.Generator) -> list[Picture]:
    """What lamps make of each (256 × 3), all seen as one of the faces is: the comparer makes their light alike, too."""
    card, face = any_lamp(random), any_lamp(random)
    tables = [card, face, face if random.random() < _SAME_LAMP else any_lamp(random)]
    spots = [under(table, pairs.cards_small.cut(*side, 0)) for side, table in zip(seen, tables, strict=True)]
    inner = np.s_[2:-2, 2:-2]  # the rim does not count there either
    like = int(random.integers(1, 3))
    for index in {0, 1, 2} - {like}:
        brighter = brighter_by(*(spots[side][inner].reshape(-1, 3) for side in (index, like)))
        tables[index] = np.asarray((tables[index] * brighter + 0.5).clip(0, 255), np.uint8)
    return tables


def _taught(pairs: Pairs, face: Picture, soft: float, random: np.random.Generator) -> tuple[Picture, Corners]:
    """A face as a camera would have taught it, softer, and its corners to a part of a millimetre."""
    height, width = face.shape[:2]
    px = width / pairs.cards.card_mm[0]
    outline = np.array([(0, 0), (width, 0), (width, height), (0, height)]) - 0.5
    place = outline + random.normal(0, 0.15 * px, 2) + random.normal(0, 0.12 * px, (4, 2))
    return np.asarray(cv2.GaussianBlur(face, (0, 0), px * math.hypot(0.15, 0.45 * soft)), np.uint8), place


def _off(corners: Corners, random: np.random.Generator) -> Corners:
    """Corners as far off as they are read, sometimes farther."""
    far = random.choice((0.3, 0.6, 1.2), p=(0.5, 0.35, 0.15)) * np.linalg.norm(corners[2] - corners[0]) / 108
    return np.asarray(corners + random.normal(0, far, 2) + random.normal(0, far / 2, (4, 2)))


def loss_of(network: nn.Module, batch: Batch) -> Tensor:
    """How far the probabilities are from what is true: their entropy."""
    shown, bare, whose = batch
    with torch.autocast("cpu", torch.bfloat16):  # learns as well and 1.6 times as fast
        maps = network(shown.flatten(0, 1).contiguous(memory_format=torch.channels_last))
    odds = odds_of(maps.float().unflatten(0, (-1, 3)), bare, network.scale.exp())
    told = torch.zeros(int(whose[-1]) + 1).index_add(0, whose, odds)
    return functional.softplus(-told).mean()


def main() -> None:
    options = options_of("Trains the network that tells two faces apart by what differs.", minutes=60)
    decks = [Pairs(deck) for deck in known_decks(options.drawn)]
    network = DifferenceNetwork()
    learn(network, lambda random: any_batch(decks, random), loss_of, options)
    tell(f"\nSCALE of difference_network: {network.scale.exp().item():.4f}\n")
    written(network, torch.zeros(1, 3, WINDOW_PX, WINDOW_PX), options.out)


if __name__ == "__main__":
    main()
