"""Trains the network that sees where cards lie (``vision.outlines``), on pictures with decks for building only.

Run it as ``make train-places``. First the pictures are drawn, a file for each deck, and kept; then the network learns
from them for as long as ``--minutes`` say, each picture turned, mirrored, lit and tinted anew each time it is shown.
Measured is it by ``python -m tests.tools.measure_places``, on decks that it has not learnt from.
"""

from __future__ import annotations

import argparse
import math
import pickle
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from functools import partial
from itertools import count
from pathlib import Path
from queue import Queue
from typing import Final

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from tests.vision.outlines.place_training.lessons import Lesson, any_motion, lesson_of
from tests.vision.outlines.place_training.network import PlaceNetwork
from tests.vision.outlines.place_training.scenes import DECKS, Example, examples_of

_AT_ONCE: Final = 16
_WARM_UP: Final = 200
_REMEMBERED: Final = 0.998
"""The network that is kept is a mean of those of the last few hundred steps."""
_POSES_COUNT: Final = 0.75
_HANDS_COUNT: Final = 20.0
"""There are few hands, and few cells with them."""
_TOLD: Final = 100

tell: Final = partial(print, end=" ", file=sys.stderr, flush=True)


def draw(deck: int, folder: Path) -> Path:
    """Draws the pictures of a deck, unless they are there already; returns their file."""
    path = folder / f"{deck:04}.pickle"
    if not path.exists():
        begun = path.with_suffix(".begun")
        begun.write_bytes(pickle.dumps([_packed(example) for example in examples_of(deck)]))
        begun.rename(path)
    return path


def load(path: Path) -> list[Example]:
    """The examples of a file that ``draw`` wrote."""
    examples = pickle.loads(path.read_bytes())  # noqa: S301 - our own
    return [
        example._replace(
            picture=cv2.imdecode(example.picture, cv2.IMREAD_COLOR),
            hands=cv2.imdecode(example.hands, cv2.IMREAD_GRAYSCALE),
        )
        for example in examples
    ]


def _packed(example: Example) -> Example:
    picture, hands = (np.asarray(cv2.imencode(".png", one)[1]) for one in (example.picture, example.hands))
    return example._replace(picture=picture, hands=hands)


def loss_of(told: Tensor, lessons: Sequence[Tensor]) -> Tensor:
    """How wrong the network is.

    For the heat the loss of CenterNet (Zhou et al. 2019, after Lin et al. 2017): what is sure and right hardly counts,
    nor do cells beside a middle. For poses how far off they are, and for hands their entropy.
    """
    _, heat, poses, counted, left_out, hands = lessons
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


def feed(examples: Sequence[Example], batches: Queue[list[Tensor]], random: np.random.Generator) -> None:
    """Puts one batch of lessons after the other into the queue."""
    while True:
        lessons = [any_lesson(examples, random) for _ in range(_AT_ONCE)]
        batches.put([torch.from_numpy(np.stack(parts)) for parts in zip(*map(Lesson.__iter__, lessons), strict=True)])


class MeanNetwork:
    """The mean of what a network was in the last few hundred steps: better than it is after any one of them."""

    def __init__(self, network: nn.Module) -> None:
        self.state = {name: value.clone() for name, value in network.state_dict().items()}
        self._steps = 0

    @torch.no_grad()
    def add(self, network: nn.Module) -> None:
        """One step more."""
        self._steps += 1
        for name, value in network.state_dict().items():
            if value.dtype.is_floating_point:
                self.state[name].lerp_(value, 1 - min(_REMEMBERED, 1 - 1 / (self._steps + 1)))
            else:
                self.state[name].copy_(value)


def train(network: PlaceNetwork, examples: Sequence[Example], options: argparse.Namespace) -> None:
    """Lets a network learn from these examples for so long, or until Ctrl-C is pressed; keeps it now and then."""
    network = network.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    optimizer = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=1e-2)
    mean, losses = MeanNetwork(network), deque[float](maxlen=_TOLD)
    batches: Queue[list[Tensor]] = Queue(6)
    random = np.random.default_rng(time.time_ns())  # where it goes on, nothing is shown again as it was before
    threading.Thread(target=feed, args=(examples, batches, random), daemon=True).start()
    start = time.monotonic()
    try:
        for step in count(1):
            share = (time.monotonic() - start) / (60 * options.minutes)
            if share >= 1:
                break
            for group in optimizer.param_groups:
                group["lr"] = options.rate * min(1, step / _WARM_UP) * (0.505 + 0.495 * math.cos(math.pi * share))
            lessons = batches.get()
            loss = loss_of(network(lessons[0].contiguous(memory_format=torch.channels_last)), lessons)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 5)
            optimizer.step()
            mean.add(network)
            losses.append(loss.item())
            if step % _TOLD == 0:
                tell(f"\rstep {step}, {100 * share:.0f} %, loss {sum(losses) / len(losses):.3f}")
                torch.save(mean.state, options.kept)
    except KeyboardInterrupt:
        tell("\nstopped")
    network.load_state_dict(mean.state)


def write(network: PlaceNetwork, path: Path) -> None:
    """Writes the network in the form that OpenCV reads; it takes pictures of other sizes as well."""
    torch.onnx.export(
        network.eval(),
        (torch.zeros(1, 3, 384, 512),),
        str(path),
        input_names=["picture"],
        output_names=["cells"],
        opset_version=13,
        dynamo=False,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Trains the network that sees where cards lie.")
    parser.add_argument("--drawn", metavar="DIR", type=Path, required=True, help="where pictures are kept")
    parser.add_argument("--kept", metavar="FILE", type=Path, required=True, help="from where it goes on")
    parser.add_argument("--minutes", type=float, default=90, help="(default: %(default)s)")
    parser.add_argument("--rate", type=float, default=3e-3, help="at which it learns at first (default: %(default)s)")
    parser.add_argument("--out", metavar="FILE", type=Path, required=True, help="the network, as ONNX")
    options = parser.parse_args()
    options.drawn.mkdir(parents=True, exist_ok=True)
    examples: list[Example] = []
    for deck in DECKS:
        tell(f"\rdrawing deck {deck} of {DECKS[-1]}")
        examples += load(draw(deck, options.drawn))
    network = PlaceNetwork()
    if options.kept.exists():
        network.load_state_dict(torch.load(options.kept))
    train(network, examples, options)
    write(network, options.out)


if __name__ == "__main__":
    main()
