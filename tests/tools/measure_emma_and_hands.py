"""How often Emma and hands are seen rightly on other people's pictures; run it with `python -P`.

Expects the shared frames beside the checkout; prints a line for each folder.
"""

import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.emma import EmmaFinder
from vision.watching.hands import HandWatch, shows_hand

FRAMES = Path(__file__).parents[3] / "shared/frames"
STREAMS = ("meadow-betsy", "meadow-two", "meadow-hard")
SINGLES = (*STREAMS, "meadow-traced")
FACE_PX = (126, 176)
CORNERS_PX = 0.5
"""How well the corners of the cards are known."""

Picture = NDArray[np.uint8]


class Reading(NamedTuple):
    face: str
    corners_px: NDArray[np.float64]


def frames(folder: str) -> list[dict[str, Any]]:
    truth: dict[str, Any] = json.loads((FRAMES / folder / "truth.json").read_text())
    return truth["frames"]


def picture_of(folder: str, frame: dict[str, Any]) -> Picture:
    return cv2.imread(str(FRAMES / folder / frame["image"]))


def taught_faces() -> dict[str, Picture]:
    """The faces as cut out of the teaching photographs."""
    width, height = FACE_PX
    upright = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32) - np.float32(0.5)
    faces = {}
    for frame in frames("meadow-teach"):
        (card,) = frame["cards"]
        to_face = cv2.getPerspectiveTransform(np.array(card["corners_px"], dtype=np.float32), upright)
        faces[card["face"]] = cv2.warpPerspective(picture_of("meadow-teach", frame), to_face, FACE_PX)
    return faces


def readings_of(frame: dict[str, Any], uneven: np.random.Generator) -> list[Reading]:
    return [
        Reading(card["face"], np.array(card["corners_px"]) + uneven.normal(0, CORNERS_PX, (4, 2)))
        for card in frame["cards"]
    ]


def home_of(frame: dict[str, Any]) -> int:
    """Index of the card on which Emma stands."""
    cards = enumerate(frame["cards"])
    return next(index for index, card in cards if card["serial"] == frame["emma"]["serial"] and not card["show"])


def spread(values: list[float]) -> str:
    return f"{min(values):5.2f} to {max(values):5.2f}"


def measure_emma(folder: str, faces: dict[str, Picture]) -> None:
    """Prints how often her foot is on the right card, and how often she is seen where she is not."""
    finder, uneven = EmmaFinder(faces), np.random.default_rng(0)
    right, false, sure, times = 0, 0, [], []
    still = [frame for frame in frames(folder) if not frame["hand"]]
    for frame in still:
        picture, readings, home = picture_of(folder, frame), readings_of(frame, uneven), home_of(frame)
        start = time.process_time()
        sighting = finder.find(picture, readings)
        times.append(1e3 * (time.process_time() - start))
        if sighting is not None and sighting.card == home:
            corners = np.array(frame["cards"][home]["corners_px"], dtype=np.float32)
            x, y = (float(part) for part in sighting.foot_px)
            right += cv2.pointPolygonTest(corners, (x, y), measureDist=False) >= 0
            sure.append(sighting.confidence)
        false += finder.find(picture, [*readings[:home], *readings[home + 1 :]]) is not None
    print(
        f"  {folder:14} right {right:3} of {len(still):3}, without her card {false} false,"
        f" confidence {spread(sure)}, {statistics.median(times):4.1f} ms"
    )


def measure_hands(folder: str) -> None:
    """Prints how often hands are seen in the folder's pictures taken as a stream, and how often falsely."""
    watch, times = HandWatch(), []
    counts = {True: [0, 0], False: [0, 0]}
    for frame in frames(folder):
        picture = picture_of(folder, frame)
        start = time.process_time()
        counts[frame["hand"]][watch.seen(picture)] += 1
        times.append(1e3 * (time.process_time() - start))
    (missed, seen), (calm, false) = counts[True], counts[False]
    print(
        f"  {folder:14} seen {seen:2} of {seen + missed:2}, falsely {false} of {calm + false:2},"
        f" {statistics.median(times):4.1f} ms where something changed"
    )


def measure_guesses(folder: str) -> None:
    """Prints how often a hand is guessed in single pictures."""
    guesses: dict[bool, list[bool]] = {True: [], False: []}
    for frame in frames(folder):
        guesses[frame["hand"]].append(shows_hand(picture_of(folder, frame)))
    (hands, still) = guesses[True], guesses[False]
    print(f"  {folder:14} guessed {sum(hands):2} of {len(hands):2}, falsely {sum(still)} of {len(still):2}")


def measure_stillness() -> None:
    """Prints what a picture costs in which nothing has changed, beside the yardstick."""
    picture = picture_of(STREAMS[0], frames(STREAMS[0])[1])
    watch = HandWatch()
    watch.seen(picture)
    still, yardstick = [], []
    for _ in range(60):
        start = time.process_time()
        watch.seen(picture)
        watched = time.process_time()
        half = cv2.resize(picture, None, fx=0.5, fy=0.5)
        cv2.absdiff(half, half)
        still.append(1e3 * (watched - start))
        yardstick.append(1e3 * (time.process_time() - watched))
    print(f"  {statistics.median(still):.2f} ms; a halving and a difference take {statistics.median(yardstick):.2f} ms")


def main() -> None:
    if not FRAMES.is_dir():
        sys.exit(f"{FRAMES} is not there.")
    cv2.setNumThreads(1)
    faces = taught_faces()
    print("Emma, each picture alone")
    for folder in SINGLES:
        measure_emma(folder, faces)
    print("Hands in a stream")
    for folder in STREAMS:
        measure_hands(folder)
    print("Hands in a single picture")
    for folder in SINGLES:
        measure_guesses(folder)
    print("A picture in which nothing has changed")
    measure_stillness()


if __name__ == "__main__":
    main()
