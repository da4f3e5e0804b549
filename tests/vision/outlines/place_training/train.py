"""Trains the network that sees where cards lie (``vision.outlines``), on pictures with decks for building only.

Run it as ``make train-places``. First the pictures are drawn, a file for each deck, and kept; then the network learns
from them for as long as ``--minutes`` say, each picture turned, mirrored, lit and tinted anew each time it is shown.
Measured is it by ``python -m tests.tools.measure_places``, on decks that it has not learnt from.

The network that is shipped went on from the one before with 258 of these decks, among them 23 of night, for an hour and
a quarter. Of 32 other decks it sees .985 of 724 cards, .938 before, and of 22 of night in bad light .929 of 1,041, .783
before; places where none lies are 201 instead of 271 on these 241 tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from tests.vision.outlines.card_training.learning import Batch, learn, options_of, written
from tests.vision.outlines.card_training.pictures import drawn
from tests.vision.outlines.place_training.lessons import Lesson, any_motion, lesson_of
from tests.vision.outlines.place_training.network import PlaceNetwork
from tests.vision.outlines.place_training.scenes import Example, examples_of

_AT_ONCE: Final = 16
_POSES_COUNT: Final = 0.75
_HANDS_COUNT: Final = 20.0
"""There are few hands, and few cells with them."""


def loss_of(network: nn.Module, lessons: Batch) -> Tensor:
    """How wrong the network is.

    For the heat the loss of CenterNet (Zhou et al. 2019, after Lin et al. 2017): what is sure and right hardly counts,
    nor do cells beside a middle. For poses how far off they are, and for hands their entropy.
    """
    picture, heat, poses, counted, left_out, hands = lessons
    with torch.autocast("cpu", torch.bfloat16):  # half as much time again without
        told = network(picture.contiguous(memory_format=torch.channels_last)).float()
    logits = told[:, :2]
    probability = torch.sigmoid(logits)
    kept = torch.stack([1 - left_out, torch.ones_like(left_out)], dim=1)
    hit = heat**4 * functional.logsigmoid(logits) * (1 - probability) ** 2
    rest = (1 - heat) ** 4 * functional.logsigmoid(-logits) * probability**2
    found = -((hit + rest) * kept).sum((0, 2, 3)) / (heat**4).sum((0, 2, 3)).clamp(min=1)
    off = functional.smooth_l1_loss(told[:, 2:10], poses, reduction="none", beta=0.1) * counted
    placed = off.sum((0, 2, 3)) / counted.sum((0, 2, 3)).clamp(min=1)
    hidden = functional.binary_cross_entropy_with_logits(told[:, 10:], hands)
    return found.sum() + _POSES_COUNT * placed.sum() + _HANDS_COUNT * hidden


def any_lesson(examples: Sequence[Example], random: np.random.Generator) -> Lesson:
    """One of the examples, moved and lit at random."""
    example = examples[random.integers(len(examples))]
    return lesson_of(example, any_motion(example, random), random)


def main() -> None:
    options = options_of("Trains the network that sees where cards lie.", minutes=90, rate=3e-3)
    examples = [example for _, some in drawn(options.drawn, examples_of) for example in some]

    def batch(random: np.random.Generator) -> Batch:
        lessons = [any_lesson(examples, random) for _ in range(_AT_ONCE)]
        return [torch.from_numpy(np.stack(parts)) for parts in zip(*lessons, strict=True)]

    network = PlaceNetwork()
    learn(network, batch, loss_of, options)
    written(network, torch.zeros(1, 3, 384, 512), options.out)  # it takes pictures of other sizes as well


if __name__ == "__main__":
    main()
