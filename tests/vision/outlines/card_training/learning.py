"""How each of the networks learns from what is drawn for it at random, and is written for OpenCV."""

from __future__ import annotations

import argparse
import math
import multiprocessing
import signal
import sys
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

_WARM_UP: Final = 200
_REMEMBERED: Final = 0.998
"""The network that is kept is a mean of those of the last few hundred steps."""
_TOLD: Final = 100

Batch = list[Tensor]

tell: Final = partial(print, end=" ", file=sys.stderr, flush=True)


def options_of(what: str, *, minutes: float, rate: float = 2.5e-3) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--drawn", metavar="DIR", type=Path, required=True, help="where pictures are kept")
    parser.add_argument("--kept", metavar="FILE", type=Path, required=True, help="from where it goes on")
    parser.add_argument("--minutes", type=float, default=minutes, help="(default: %(default)s)")
    parser.add_argument("--rate", type=float, default=rate, help="at which it learns at first (default: %(default)s)")
    parser.add_argument("--out", metavar="FILE", type=Path, required=True, help="the network, as ONNX")
    return parser.parse_args()


class _MeanNetwork:
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


def learn(
    network: nn.Module,
    batch: Callable[[np.random.Generator], Batch],
    loss_of: Callable[[nn.Module, Batch], Tensor],
    options: argparse.Namespace,
) -> None:
    """Lets a network learn for so long, or until Ctrl-C is pressed; keeps it now and then."""
    if options.kept.exists():
        network.load_state_dict(torch.load(options.kept))
    network.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    optimizer = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=1e-2)
    mean, losses = _MeanNetwork(network), deque[float](maxlen=_TOLD)
    # In a process of its own, which shares what is shown: as a thread it holds up what learns.
    forked = multiprocessing.get_context("fork")
    batches = forked.Queue(6)

    def feed() -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        random = np.random.default_rng(time.time_ns())  # where it goes on, nothing is shown again as it was before
        while True:
            batches.put([part.numpy() for part in batch(random)])

    forked.Process(target=feed, daemon=True).start()
    start = time.monotonic()
    try:
        for step in count(1):
            share = (time.monotonic() - start) / (60 * options.minutes)
            if share >= 1:
                break
            for group in optimizer.param_groups:
                group["lr"] = options.rate * min(1, step / _WARM_UP) * (0.505 + 0.495 * math.cos(math.pi * share))
            loss = loss_of(network, [torch.from_numpy(part) for part in batches.get()])
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 5)
            optimizer.step()
            mean.add(network)
            losses.append(loss.item())
            if step % _TOLD == 0:
                tell(f"\rstep {step}, {100 * share:.0f} %, loss {sum(losses) / len(losses):.3f}")
                torch.save(mean.state, options.kept)
    except KeyboardInterrupt:
        tell("\nstopped")
    network.load_state_dict(mean.state)


def written(network: nn.Module, shown: Tensor, path: Path) -> None:
    """Writes a network that is shown this in the form that OpenCV reads."""
    torch.onnx.export(
        network.eval(),
        (shown,),
        str(path),
        input_names=["picture"],
        output_names=["told"],
        opset_version=13,
        dynamo=False,
    )
