"""How long the eye takes and how much memory, beside the usual ways: run with `make benchmark`.

On one thread, on rendered tables of 12 cards and, where the shared frames lie beside the checkout, on those.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple, Protocol

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.games.loknroll.artwork.drawn_deck import drawn_deck, read_with_our_back
from companion.games.loknroll.robot.pictured_games import pictured_game
from companion.games.loknroll.rules import Mode, load_edition, set_up
from tests.benchmarks.usual_ways import CarefulSiftFinder, HashFinder, SiftFinder
from vision.deck_pictures import DeckPictures
from vision.reading.emma import EmmaFinder
from vision.reading.reader import Reader
from vision.rendering import Pile, Renderer, Scene
from vision.rendering.conditions import draw_conditions
from vision.watching.steady_view import SteadyView

Image = NDArray[np.uint8]
Corners = NDArray[np.float64]

SHARED: Final = Path(__file__).parents[3] / "shared"
CARDS: Final = 12
TABLES: Final = 4
STILL_FRAMES: Final = 60
NOISES: Final = 4
"""So many pictures are taken of each table: no two of a camera are alike."""
BARS: Final = {"still": 1.6, "new": 50, "first": 200, "memory": 150, "faster": 10}
SIFT: Final = "SIFT with all faces, ratio test, homography"
CAREFUL_SIFT: Final = "SIFT with care: RootSIFT, trees, MAGSAC"
SIFT_EVERY: Final = 10
"""SIFT reads one in so many pictures of a game: reading all would take minutes."""
OFF_MM: Final = 22.0
"""A card is found if its corners are nearer than this to where they are, as the scorer of the shared frames has it."""


class Card(NamedTuple):
    """A card as it was found, or as it truly lies."""

    face: str
    corners_px: Corners


class Table(NamedTuple):
    """Pictures of a table, what lies there, and the same table before the last card was laid."""

    pictures: list[Image]
    cards: list[Card]
    before: list[Image]


class Named(Protocol):
    """What every finder returns."""

    @property
    def face(self) -> str: ...

    @property
    def corners_px(self) -> Corners: ...


def rendered_table(deck: DeckPictures, seed: int) -> Table:
    """A table of 12 cards as a camera above a usual table sees it."""
    random = Random(seed)
    start = set_up(load_edition(), deck.deck, Mode.BETSY, ["Ann"])
    scenes: list[Scene] = []
    while not scenes:
        moments = pictured_game(start, random).moments
        scenes = [one.scene for one in moments if one.why == "laid" and len(one.scene.cards) == CARDS]
    conditions = draw_conditions("normal", random)
    view = Renderer(conditions.camera, conditions.tabletop, deck.faces, deck.back, deck.deck.card_mm)
    # The edges of a pile are drawn anew with each picture's noise, as if somebody had touched it.
    after = replace(scenes[0], clutter=tuple(thing for thing in conditions.clutter if not isinstance(thing, Pile)))
    before = replace(after, cards=after.cards[:-1])
    pictures, earlier = (
        [view.photograph(scene, conditions.light, conditions.sensor, seed).picture for seed in range(NOISES)]
        for scene in (after, before)
    )
    return Table(pictures, [Card(card.face, view.corners(card)) for card in after.cards], earlier)


def shared_tables() -> list[Table]:
    """Those tables of others with the most cards, each a single picture."""
    folder = SHARED / "frames/meadow-betsy"
    frames: list[dict[str, Any]] = json.loads((folder / "truth.json").read_text("utf-8"))["frames"]
    still = [frame for frame in frames if not frame["hand"]]
    longest = sorted(still, key=lambda frame: len(frame["cards"]))[-3 * TABLES :: 3]
    return [
        Table(
            [np.asarray(cv2.imread(str(folder / frame["image"])), np.uint8)],
            [Card(card["face"], np.array(card["corners_px"])) for card in frame["cards"]],
            [],
        )
        for frame in longest
    ]


def milliseconds(work: Callable[[], object]) -> float:
    """Of this process, not of the clock: others may be at work on the machine."""
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)


def yardstick_ms(pictures: Sequence[Image], work: Callable[[Image], object]) -> float:
    """What halving a picture and comparing it with another one takes on this machine just now (the median).

    It is measured in turns with other work on these pictures: none lies ready in the processor's memory.
    """
    units = []
    for picture, other in zip(pictures, [*pictures[1:], pictures[0]], strict=True):
        half = cv2.resize(other, None, fx=0.5, fy=0.5)
        work(picture)
        units.append(milliseconds(lambda a=picture, b=half: cv2.absdiff(cv2.resize(a, None, fx=0.5, fy=0.5), b)))  # type: ignore[misc]
    return statistics.median(units)


def line(what: str, figure: str, bar: str) -> None:
    print(f"  {what:42} {figure:24} {bar}", flush=True)


def measure_still(reader: Reader, emma: EmmaFinder, table: Table) -> None:
    """Prints what a picture costs in which nothing has changed, as a ratio to the yardstick."""
    view = SteadyView(reader, emma)
    pictures = table.pictures
    for index in range(8):
        view.look(pictures[index % NOISES])
    looks = []
    for index in range(STILL_FRAMES):
        picture = pictures[index % NOISES]
        looks.append(milliseconds(lambda picture=picture: view.look(picture)))  # type: ignore[misc]
    look, unit = statistics.median(looks), yardstick_ms(pictures * (STILL_FRAMES // NOISES), view.look)
    figure = f"{look / unit:.2f} ({look:.2f} of {unit:.2f} ms)"
    line("a still frame, in halvings and differences", figure, f"at most {BARS['still']}, median of {STILL_FRAMES}")


def measure_new_card(reader: Reader, emma: EmmaFinder, tables: Sequence[Table]) -> None:
    """Prints what a picture costs in which one card more lies than before."""
    times, ratios, read = [], [], 0
    for table in tables:
        view = SteadyView(reader, emma)
        for picture in (*table.before, *table.before):
            sight = view.look(picture)
        known = len(sight.cards)
        start = time.process_time()
        sight = view.look(table.pictures[0])
        times.append(1000 * (time.process_time() - start))
        ratios.append(times[-1] / yardstick_ms(table.pictures * NOISES, view.look))
        read += len(sight.cards) == known + 1
    figure = f"{statistics.median(ratios):.0f} ({statistics.median(times):.0f} ms, longest {max(times):.0f})"
    line("a frame with one new card, likewise", figure, f"at most {BARS['new']}, median of {len(times)}, {read} read")


def measure_first_look(reader: Reader, emma: EmmaFinder, tables: Sequence[Table]) -> None:
    """Prints what a picture costs of which nothing is known."""
    pictures = [picture for table in tables for picture in table.pictures[:2]]
    unit = yardstick_ms(pictures, reader.read)
    times = [milliseconds(lambda picture=picture: emma.find(picture, reader.read(picture))) for picture in pictures]  # type: ignore[misc]
    figure = f"{statistics.median(times) / unit:.0f} ({statistics.median(times):.0f} ms, longest {max(times):.0f})"
    cards = statistics.mean(len(table.cards) for table in tables)
    line(f"a first look at {cards:.0f} cards, likewise", figure, f"at most {BARS['first']}, median of {len(times)}")


def measure_memory(tables: Sequence[Table]) -> None:
    """Prints the memory of ``companion see`` that reads them all in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for index, picture in enumerate(picture for table in tables for picture in table.pictures):
            paths.append(f"{folder}/{index}.jpg")
            cv2.imwrite(paths[-1], picture)
        command = [sys.executable, "-u", "-m", "companion", "see", "--json", *paths]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
            assert child.stdout
            # Not what the system tells of a child that has ended: it counts this process's own memory as well.
            used = [(memory_mb(child.pid, "VmHWM"), memory_mb(child.pid, "VmRSS")) for _ in child.stdout]
    if child.returncode:
        raise SystemExit("companion see has failed.")
    highest, resident = (list(column) for column in zip(*used, strict=True))
    line("memory of companion see, at its highest", f"{max(highest):.0f} MB", f"at most {BARS['memory']} MB")
    settled = [mb for mb in resident[len(resident) // 2 :] if mb]
    line("  once settled", f"{statistics.median(settled):.0f} MB", f"after each of {len(settled)} pictures")


def memory_mb(process: int, which: str) -> float:
    """One of a process's memory figures (``VmHWM``: the highest, ``VmRSS``: now), 0 if it has ended."""
    status = Path(f"/proc/{process}/status").read_text("utf-8")
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith(which)), 0.0)


def measure_beside_usual_ways(deck: DeckPictures, reader: Reader, tables: Sequence[Table]) -> None:
    """Prints how long each way takes for a picture, and how many of its cards it names rightly."""
    ways: dict[str, Callable[[Image], Sequence[Named]]] = {
        "our reader": reader.read,
        SIFT: SiftFinder(deck.faces).find,
        CAREFUL_SIFT: CarefulSiftFinder(deck.faces).find,
        "contours and perceptual hashes": HashFinder(deck.faces).find,
    }
    medians: dict[str, float] = {}
    for what, find in ways.items():
        times, right, false = [], 0, 0
        for table in tables:
            for run in range(2):
                start = time.process_time()
                found = find(table.pictures[0])
                times.append(1000 * (time.process_time() - start))
                if run == 0:
                    named = named_rightly(table.cards, found, deck)
                    right, false = right + named, false + len(found) - named
        medians[what] = statistics.median(times)
        cards = sum(len(table.cards) for table in tables)
        figure = f"{medians[what]:6.0f} ms a picture"
        line(what, figure, f"{right} of {cards} cards right, {false} false, median of {len(times)}")
    faster, than_careful = (medians[way] / medians["our reader"] for way in (SIFT, CAREFUL_SIFT))
    line("times faster than SIFT, at a first look", f"{faster:.1f}", f"at least {BARS['faster']}")
    line("  than SIFT with care", f"{than_careful:.1f}", "")


def measure_game(deck: DeckPictures, reader: Reader, emma: EmmaFinder) -> None:
    """Prints what a picture of a whole game costs, the pictures taken in order, beside SIFT for some of them."""
    folder = SHARED / "frames/meadow-betsy"
    frames: list[dict[str, Any]] = json.loads((folder / "truth.json").read_text("utf-8"))["frames"]
    view, sift = SteadyView(reader, emma), SiftFinder(deck.faces)
    ours, theirs = [], []
    right, lying = 0, 0
    for number, frame in enumerate(frames):
        picture = np.asarray(cv2.imread(str(folder / frame["image"])), np.uint8)
        ours.append(milliseconds(lambda picture=picture: view.look(picture)))  # type: ignore[misc]
        if number % SIFT_EVERY == 0:
            start = time.process_time()
            found = sift.find(picture)
            theirs.append(1000 * (time.process_time() - start))
            cards = [Card(card["face"], np.array(card["corners_px"])) for card in frame["cards"]]
            right, lying = right + named_rightly(cards, found, deck), lying + len(cards)
    mean, of_sift = statistics.mean(ours), statistics.mean(theirs)
    figure = f"{mean:.0f} ms, longest {max(ours):.0f} ms"
    line("a picture of a whole game, in order", figure, f"mean of {len(ours)}")
    line(SIFT, f"{of_sift:6.0f} ms a picture", f"{right / lying:.2f} of its cards right, mean of {len(theirs)}")
    line("times faster than SIFT, over a game", f"{of_sift / mean:.1f}", "")


def named_rightly(cards: Sequence[Card], found: Sequence[Named], deck: DeckPictures) -> int:
    """How many of these cards were found with their faces."""
    return sum(any(is_same(card, one, deck) for one in found) for card in cards)


def is_same(card: Card, found: Named, deck: DeckPictures) -> bool:
    px_per_mm = float(np.linalg.norm(card.corners_px[3] - card.corners_px[0])) / deck.deck.card_mm[1]
    off = np.sqrt(((found.corners_px - card.corners_px) ** 2).sum(axis=1).mean()) / px_per_mm
    return found.face == card.face and bool(off < OFF_MM)


def on_one_thread() -> None:
    """Starts the program anew if the libraries were not told before they were loaded."""
    wanted = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    if any(os.environ.get(name) != value for name, value in wanted.items()):
        sys.exit(subprocess.run(sys.orig_argv, env={**os.environ, **wanted}, check=False).returncode)
    cv2.setNumThreads(1)


def main() -> None:
    on_one_thread()
    own = drawn_deck(load_edition().deck)
    tables = [rendered_table(own, seed) for seed in range(TABLES)]
    reader = Reader(own.deck, own.faces)
    emma = reader.emma_finder
    print(f"Rendered tables of {CARDS} cards, 1640 x 1232 px, one thread")
    measure_still(reader, emma, tables[0])
    measure_new_card(reader, emma, tables)
    measure_first_look(reader, emma, tables)
    measure_memory(tables)
    measure_beside_usual_ways(own, reader, tables)
    if not (SHARED / "frames").is_dir():
        print(f"{SHARED / 'frames'} is not there: rendered tables only.")
        return
    meadow = read_with_our_back(SHARED / "decks/meadow")
    theirs = Reader(meadow.deck, meadow.faces)
    pictures = shared_tables()
    print(f"Tables that others rendered (meadow-betsy), {len(pictures)} pictures")
    finder = theirs.emma_finder
    measure_first_look(theirs, finder, pictures)
    measure_beside_usual_ways(meadow, theirs, pictures)
    measure_game(meadow, theirs, finder)


if __name__ == "__main__":
    main()
