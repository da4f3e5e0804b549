"""Trains the networks that see where rails leave a face (``vision.teaching.rails``), on decks for building only.

Run it as ``make train-rails``. First the faces of each deck are photographed as when it is taught, and kept; then both
networks learn from them, those of a deck together, laid, lit and tinted anew each time they are shown. Measured are
they by ``python -m tests.tools.measure_teaching``, on decks that they have not learnt from.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from tests.vision.outlines.card_training.learning import Batch, learn, options_of, written
from tests.vision.outlines.card_training.light import Light, any_lamp, lit, under
from tests.vision.outlines.place_training.network import Conv, Residual
from tests.vision.random_decks.designer import random_style
from tests.vision.random_decks.random_deck import deck_of
from tests.vision.teaching.rail_training.photographs import Photographed, photographed
from vision.arrays import Corners, Floats32, Picture
from vision.cards import Edge, Face
from vision.faces.matching.face_matcher import cut_out
from vision.teaching.rails.rail_ends import CHANNELS, DEPTH_PX, LEAST_SPREAD, PX_PER_MM, SEEN, size_px, strips_of

_DECKS: Final = 2
"""So many are shown at once."""
_FEW: Final = (24, 24, 24, 12, 7)
"""So many faces of a deck are shown together, one as often as the other."""
_LIGHT: Final = Light(0.1, 0.15, 0.05, 0.08, haze=0.1, pale=0.1, soft=0.25, noisy=0.3, noise=0.03)
_OFF_MM: Final = (0.0, 0.3, 0.6, 1.2)
_HOW_OFTEN_OFF: Final = (0.3, 0.35, 0.25, 0.1)
"""How far off the corners of faces are, and how often."""


class EdgeNetwork(nn.Module):
    """From strips (n × CHANNELS × DEPTH_PX × px) to what is seen in each mm of an edge (n × SEEN × 1 × mm)."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(Conv(CHANNELS, 16), Conv(16, 24, 2), Residual(24))
        self.middle = nn.Sequential(Conv(24, 32), nn.MaxPool2d((2, 1)), Residual(32), nn.MaxPool2d((2, 1)))
        self.whole = nn.Sequential(nn.Conv2d(32, SEEN, (DEPTH_PX // 8, 5), padding=(0, 2)), nn.ReLU())
        self.along = nn.Sequential(*_along(SEEN), nn.ReLU())

    def forward(self, strips: Tensor) -> Tensor:
        seen = self.whole(self.middle(self.fine(strips)))
        return seen + self.along(seen)


class DeckNetwork(nn.Module):
    """From what is seen, its mean and how it varies on a deck (n × 3 SEEN × 1 × mm) to odds (n × (mm + 1)).

    Those are logarithms: how likely rails leave within each mm, and that they do not.
    """

    def __init__(self) -> None:
        super().__init__()
        self.joined = nn.Sequential(nn.Conv2d(3 * SEEN, 64, 1), nn.ReLU())
        self.first, self.second = nn.Sequential(*_along(64)), nn.Sequential(*_along(64))
        self.here = nn.Conv2d(SEEN + 64, 1, 1)
        self.nowhere = nn.Conv2d(SEEN + 64, 1, 1)

    def forward(self, seen: Tensor) -> Tensor:
        joined = self.joined(seen)
        joined = torch.relu(joined + self.first(joined))
        joined = torch.relu(joined + self.second(joined))
        both = torch.cat([seen[:, :SEEN], joined], 1)
        return torch.cat([self.here(both).flatten(1), self.nowhere(both).flatten(1).mean(1, keepdim=True)], 1)


class RailNetworks(nn.Module):
    """Both, for the strips along the same edges of the faces of one deck (edges × n × CHANNELS × DEPTH_PX × px)."""

    def __init__(self) -> None:
        super().__init__()
        self.edge, self.deck = EdgeNetwork(), DeckNetwork()

    def forward(self, strips: Tensor) -> Tensor:
        edges, faces = strips.shape[:2]
        seen = self.edge(strips.flatten(0, 1).contiguous(memory_format=torch.channels_last))
        each = seen.unflatten(0, (edges, faces))
        mean = each.mean(1, keepdim=True).expand_as(each).flatten(0, 1)
        spread = (each.var(1, keepdim=True, unbiased=False) + LEAST_SPREAD**2).sqrt().expand_as(each).flatten(0, 1)
        return self.deck(torch.cat([seen, mean, spread], 1))


def _along(width: int) -> tuple[nn.Module, ...]:
    """From mm to mm of an edge."""
    return nn.Conv2d(width, width, (1, 9), padding=(0, 4)), nn.ReLU(), nn.Conv2d(width, width, (1, 9), padding=(0, 4))


class PhotographedDeck(NamedTuple):
    """The faces of a deck, and how each was photographed."""

    card_mm: tuple[float, float]
    faces: list[Face]
    photographs: list[Photographed]


def decks_of(some: Iterator[tuple[int, dict[str, Photographed]]]) -> Iterator[PhotographedDeck]:
    """The decks with these numbers, and photographs of their faces by their ids."""
    for number, photographs in some:
        deck = deck_of(random_style(number), number)
        faces = [deck[face] for face in photographs]
        yield PhotographedDeck(deck.card_mm, faces, list(photographs.values()))


def any_batch(decks: Sequence[PhotographedDeck], random: np.random.Generator) -> Batch:
    """The edges of some decks, those of one length together: strips (2 × n × …), answers (2n × (mm + 1)), and so on."""
    return [
        torch.from_numpy(part)
        for _ in range(_DECKS)
        for pair in _shown(decks[int(random.integers(len(decks)))], random)
        for part in pair
    ]


def _shown(deck: PhotographedDeck, random: np.random.Generator) -> Iterator[tuple[Floats32, Floats32]]:
    chosen = random.permutation(len(deck.faces))[: int(random.choice(_FEW))]
    order = random.permutation(3) if random.random() < 0.4 else np.arange(3)
    is_negative, is_mirrored = random.random() < 0.1, random.random() < 0.5
    lamp = any_lamp(random) if random.random() < 0.5 else np.repeat(np.arange(256, dtype=np.uint8)[:, None], 3, axis=1)
    far = random.choice(_OFF_MM, p=_HOW_OFTEN_OFF)
    # All upside down, or some.
    is_turned = random.random(len(chosen)) < (0.5 if random.random() < 0.3 else 0)
    is_turned ^= random.random() < 0.5
    seed = random.integers(1 << 30)
    pictures, answers = [], []
    for number, turned in zip(chosen, is_turned, strict=True):
        picture = under(lamp, _cut(deck.photographs[number], deck.card_mm, far, random))[..., order]
        values = picture.astype(np.float32) / 255
        light = np.random.default_rng(seed) if random.random() < 0.9 else random
        values = lit(1 - values if is_negative else values, _LIGHT, light)
        values = values[::-1, ::-1] if turned else values
        pictures.append(values[:, ::-1] if is_mirrored else values)
        answers.append(_offsets(deck.faces[number], turned=bool(turned), mirrored=is_mirrored))
    strips = strips_of(np.stack(pictures))
    for edges in ((Edge.N, Edge.S), (Edge.E, Edge.W)):
        told = [_answer(one.get(edge), strips[edge].shape[-1] // PX_PER_MM) for edge in edges for one in answers]
        yield np.stack([strips[edge] for edge in edges]), np.stack(told)


def _cut(
    photographed_face: Photographed, card_mm: tuple[float, float], far_mm: float, random: np.random.Generator
) -> Picture:
    """A face as it is cut out, about so far off."""
    picture, corners = photographed_face
    far = far_mm * np.linalg.norm(corners[3] - corners[0]) / card_mm[1]
    seen: Corners = corners + random.normal(0, 0.5 * far, 2) + random.normal(0, 0.4 * far, (4, 2))
    return cut_out(picture, seen, size_px(card_mm))


def _offsets(face: Face, *, turned: bool, mirrored: bool) -> dict[Edge, float]:
    """Where (mm) rails leave a face by which edges, as it is shown."""
    offsets = {}
    for port in face.ports:
        edge, offset = port.edge, port.offset_mm
        if turned:
            edge, offset = edge.opposite, -offset
        if mirrored:
            is_beside = edge in {Edge.E, Edge.W}
            edge, offset = (edge.opposite, offset) if is_beside else (edge, -offset)
        offsets[edge] = offset
    return offsets


def _answer(offset_mm: float | None, places: int) -> Floats32:
    """What is true of an edge that is so many mm long: shared by the two nearest."""
    answer = np.zeros(places + 1, np.float32)
    if offset_mm is None:
        answer[-1] = 1
    else:
        at = offset_mm + places / 2 - 0.5
        first = min(max(math.floor(at), 0), places - 2)
        answer[first + 1] = min(max(at - first, 0), 1)
        answer[first] = 1 - answer[first + 1]
    return answer


def loss_of(network: nn.Module, batch: Batch) -> Tensor:
    """How far the probabilities are from what is true: their entropy."""
    losses = []
    for strips, answers in zip(batch[::2], batch[1::2], strict=True):
        with torch.autocast("cpu", torch.bfloat16):  # learns as well and 1.6 times as fast
            told = network(strips)
        losses.append(functional.cross_entropy(told.float(), answers))
    return torch.stack(losses).mean()


def main() -> None:
    options = options_of("Trains the networks that see where rails leave a face.", minutes=120)
    decks = list(decks_of(photographed(options.drawn)))
    networks = RailNetworks()
    learn(networks, lambda random: any_batch(decks, random), loss_of, options)
    width, _ = size_px((63.0, 88.0))
    written(networks.edge, torch.zeros(1, CHANNELS, DEPTH_PX, width), options.out)
    written(networks.deck, torch.zeros(1, 3 * SEEN, 1, width // PX_PER_MM), options.out.with_name("deck_rails.onnx"))


if __name__ == "__main__":
    main()
