"""The locomotive that comes with a random deck."""

from __future__ import annotations

from random import Random

from tests.vision.random_decks.colours import channels, mixed, of_hls
from vision.rendering import EmmaLook


def random_emma(seed: int) -> EmmaLook:
    """Often black as ours is, else painted or of bare wood; a model with wheels or sawn from a board."""
    random = Random(f"emma {seed}")
    painted = of_hls(random.random(), random.uniform(0.15, 0.55), random.uniform(0.4, 0.9))
    bare = of_hls(random.uniform(0.07, 0.11), random.uniform(0.45, 0.7), random.uniform(0.3, 0.55))
    body = random.choice(("#18181b", "#18181b", painted, painted, painted, bare, "#d9d6cf"))
    wheels = mixed(body, random.choice(("#000000", "#808080", "#ffffff")), random.uniform(0.15, 0.5))
    dome, buffer = (
        channels(of_hls(random.random(), random.uniform(0.3, 0.6), random.uniform(0.2, 0.8))) for _ in range(2)
    )
    scale = random.uniform(0.85, 1.2)
    if random.random() < 0.35:
        return EmmaLook(channels(body), scale=scale, make="board")
    return EmmaLook(channels(body), channels(wheels), dome, buffer, scale)
