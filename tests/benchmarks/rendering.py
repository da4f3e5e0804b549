"""How long a picture takes: run with `make benchmark`."""

import statistics
import time

import cv2
import numpy as np

from vision.cards import Pose
from vision.rendering import (
    Emma,
    Hand,
    Light,
    LyingCard,
    Mug,
    Pile,
    Renderer,
    Scene,
    Sensor,
    Tabletop,
    Vehicle,
    VehicleLook,
    camera_above,
)

CARDS = 12
PIECES = 45
VEHICLES = 20
REPEATS = 9


def scene(*, with_hand: bool) -> Scene:
    cards = tuple(LyingCard("face", Pose(120 + 90 * (n % 6), 200 + 130 * (n // 6), 90), n) for n in range(CARDS))
    hands = (Hand((400, 350), 180),) if with_hand else ()
    return Scene(cards, Emma(Pose(300, 200, 90)), hands, (Pile(Pose(720, 120)), Mug((60, 520))))


def pieces() -> Scene:
    """Small pieces in rows, and vehicles on them."""
    cards = tuple(LyingCard("face", Pose(100 + 60 * (n % 9), 150 + 60 * (n // 9)), n) for n in range(PIECES))
    looks = [VehicleLook(is_locomotive=n == 0, colour=(200, 60, 0), sign=n + 1) for n in range(4)]
    return Scene(cards, vehicles=tuple(Vehicle(cards[n].pose, looks[n % 4]) for n in range(VEHICLES)))


def seconds(view: Renderer, table: Scene, seed: int) -> float:
    start = time.perf_counter()
    view.photograph(table, Light(), Sensor(), seed)
    return time.perf_counter() - start


def main() -> None:
    cv2.setNumThreads(1)
    picture = np.random.default_rng(0).integers(0, 255, (1056, 756, 3), dtype=np.uint8)
    camera = camera_above((400, 300), 800, (1640, 1232), tilt_deg=12, distortion=(-0.05, 0.01, 0, 0, 0))
    view = Renderer(camera, Tabletop(), {"face": picture}, picture)
    print(f"A table of {CARDS} cards at 1640 x 1232 px, one thread")
    print(f"  the first picture      {seconds(view, scene(with_hand=False), 0):6.2f} s")
    for what, with_hand in (("each further one", False), ("with a hand", True)):
        table = scene(with_hand=with_hand)
        times = [seconds(view, table, seed) for seed in range(REPEATS)]
        print(f"  {what:20}   {statistics.median(times):6.2f} s (median of {REPEATS})")
    small = Renderer(camera, Tabletop(), {"face": picture[:252]}, None, (54, 18))
    seconds(small, Scene(), 0)
    times = [seconds(small, pieces(), seed) for seed in range(REPEATS)]
    print(f"  {PIECES} pieces, {VEHICLES} vehicles {statistics.median(times):6.2f} s (median of {REPEATS})")


if __name__ == "__main__":
    main()
