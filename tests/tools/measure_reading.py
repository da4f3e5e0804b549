"""How well tables are read that were never seen before, each picture alone.

Renders moments of whole games in every mode, each on another table, under another lamp and by another camera, reads
them, and compares with the truth. The faces are taught from photographs of lone cards, as at a real table.
Run it as ``python -m tests.tools.measure_reading``.
"""

from __future__ import annotations

import argparse
import math
import os
import signal
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Final

import cv2

from companion.games.loknroll.artwork.drawn_deck import drawn_deck
from companion.games.loknroll.rules import load_edition
from tests.vision.reading.scores import Score
from tests.vision.reading.taught_eye import Eye, Result
from tests.vision.reading.unseen_tables import DIFFICULTIES, renderer_of
from tests.vision.second_deck import blueprint_deck
from vision.arrays import Picture
from vision.cards import Pose
from vision.deck_pictures import DeckPictures
from vision.rendering import LyingCard, Scene
from vision.rendering.conditions import Difficulty, draw_conditions
from vision.rendering.places import TABLE_MM
from vision.teaching.common_table import CommonTable
from vision.teaching.lone_card import CardNotFound, find_lone_card
from vision.teaching.taught_faces import cut_out

tell: Final = partial(print, end=" ", file=sys.stderr, flush=True)


def deck_of(name: str) -> DeckPictures:
    """The deck ``own`` or ``second``."""
    if name == "own":
        return drawn_deck(load_edition().deck)
    return blueprint_deck()


def taught_faces(pictures: DeckPictures) -> dict[str, Picture]:
    """Each face as cut out of a photograph of the card lying alone; all by one camera on one table."""
    for session in count():
        taught = taught_in(pictures, Random(f"teaching {session}"))
        if len(taught) == len(pictures.faces):  # else people would take them again on another table
            return taught
    raise AssertionError


def taught_in(pictures: DeckPictures, random: Random) -> dict[str, Picture]:
    """The faces that could be taught in one session."""
    conditions = draw_conditions("normal", random)
    view = renderer_of(pictures, conditions)
    table = CommonTable(view.card_mm)
    photographs = {}
    for number, face in enumerate(pictures.faces):
        tell(f"\rteaching {number + 1} of {len(pictures.faces)} faces")
        x, y = (side / 2 + random.gauss(0, 15) for side in TABLE_MM)
        scene = Scene((LyingCard(face, Pose(x, y, random.gauss(0, 5))),))
        picture = view.photograph(scene, conditions.light, conditions.sensor, random.randrange(1 << 30)).picture
        try:
            table.add(picture, find_lone_card(picture, view.card_mm))
        except CardNotFound:
            continue
        photographs[face] = picture
    cards = zip(photographs.items(), table.settled(), strict=True)
    return {face: cut_out(picture, card, view.card_mm) for (face, picture), card in cards if card is not None}


_eyes: list[Eye] = []  # the one of this worker


def begin_work(pictures: DeckPictures, taught: Mapping[str, Picture]) -> None:
    """Makes a process of the pool ready."""
    cv2.setNumThreads(1)
    _eyes.append(Eye(pictures, taught))


def work(seed: int, difficulty: Difficulty | None, show: Path | None) -> Result:
    return _eyes[0].result(seed, difficulty, show)


def measured(pictures: DeckPictures, taught: Mapping[str, Picture], options: argparse.Namespace) -> Iterator[Result]:
    """Reads every table, in whatever order they are done; raises RuntimeError where the program fails at one."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # each worker is one thread
    pool = ProcessPoolExecutor(options.jobs, get_context("spawn"), begin_work, (pictures, taught))
    interrupted = signal.signal(signal.SIGINT, signal.SIG_IGN)  # for the workers: this process tells what is done
    try:
        tasks = {
            pool.submit(work, seed, options.difficulty, options.show): seed
            for seed in range(options.seed, options.seed + options.tables)
        }
        signal.signal(signal.SIGINT, interrupted)
        for task in as_completed(tasks):
            if (error := task.exception()) is not None:
                raise RuntimeError(f"Table {tasks[task]} of the {options.deck} deck: {error!r}") from error
            yield task.result()
    finally:
        pool.shutdown(cancel_futures=True)


def share(part: int, whole: int) -> str:
    return f"{part / whole:7.4f} ({part} of {whole})" if whole else "      -"


def sum_of(results: Sequence[Result]) -> Score:
    """The counts of several tables together, and all their corners."""
    counts = (sum(counts) for counts in zip(*(result.score[:8] for result in results), strict=True))
    return Score(*counts, sorted(off for result in results for off in result.score.corners_mm), [], [])


def print_total(results: Sequence[Result]) -> None:
    """All figures of all tables."""
    whole, count = sum_of(results), len(results)
    print(f"  tables right   {share(sum(not result.score.wrong for result in results), count)}")
    print(f"  recall         {share(whole.found, whole.need)}")
    print(f"  false cards    {whole.false:7}")
    print(f"  faces          {share(whole.faces, whole.matched)}")
    print(f"  upright        {share(whole.upright, whole.matched)}")
    print(f"  Emma           {share(whole.emmas_right, whole.emmas)}")
    for what, unit, values in (
        ("corners", "mm", whole.corners_mm),
        ("reading cards", "ms (CPU)", sorted(result.cards_ms for result in results)),
        ("finding Emma", "ms (CPU)", sorted(result.emma_ms for result in results)),
    ):
        if values:
            most = values[len(values) * 95 // 100]
            print(f"  {what:14} {statistics.median(values):7.2f} median, {most:.2f} 95 %, {unit}")


def in_order(band: str) -> tuple[float, str]:
    """Bands by their numbers, names by their letters."""
    number = band.split(maxsplit=1)[0]
    return (float(number) if number[-1].isdigit() else -math.inf, band)


def print_by_condition(results: Sequence[Result]) -> None:
    """The main figures for each band of each condition."""
    print(f"{'By condition':34} tables  right  recall  false   faces    Emma")
    for key in results[0].about:
        for value in sorted({result.about[key] for result in results}, key=in_order):
            some = [result for result in results if result.about[key] == value]
            right, part = sum(not result.score.wrong for result in some), sum_of(some)
            shares = ((right, len(some)), (part.found, part.need), (part.faces, part.matched))
            tables, recall, faces = (f"{one / max(of, 1):.3f}" for one, of in shares)
            emma = f"{part.emmas_right / max(part.emmas, 1):.3f}"
            print(f"  {key:16} {value:15} {len(some):6}  {tables}   {recall} {part.false:6}   {faces}   {emma}")


def print_failures(results: Sequence[Result], deck: str) -> None:
    """What is wrong, table by table, and how to see it."""
    failed = [result for result in results if result.score.wrong]
    print(f"{len(failed)} tables are not right; to see one: --deck {deck} --tables 1 --show DIR --seed NUMBER")
    for result in failed:
        about = " ".join(result.about[key] for key in ("difficulty", "tabletop", "mode"))
        print(f"  {result.seed:6} {about}: {', '.join(result.score.wrong)}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measures how well rendered tables are read.")
    parser.add_argument("--tables", metavar="N", type=int, default=40, help="how many (default: %(default)s)")
    parser.add_argument("--deck", choices=("own", "second"), default="own", help="(default: %(default)s)")
    parser.add_argument("--jobs", metavar="N", type=int, default=2, help="processes (default: %(default)s)")
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="the number of the first table")
    parser.add_argument("--difficulty", choices=DIFFICULTIES, help="only this (default: each third table another)")
    parser.add_argument("--faces", choices=("photographed", "drawn"), default="photographed", help="what is taught")
    parser.add_argument("--show", metavar="DIR", type=Path, help="write the tables that are not right into this folder")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    cv2.setNumThreads(1)
    pictures = deck_of(options.deck)
    if options.show is not None:
        options.show.mkdir(parents=True, exist_ok=True)
    results, status = [], 0
    try:
        taught = pictures.faces if options.faces == "drawn" else taught_faces(pictures)
        for result in measured(pictures, taught, options):
            results.append(result)
            right = sum(not done.score.wrong for done in results)
            tell(f"\r{len(results)} of {options.tables} tables, {right} right")
    except KeyboardInterrupt:
        print("\nStopped; so far:", file=sys.stderr)
        status = 130
    except RuntimeError as error:
        print(f"\n{error}\nSo far:", file=sys.stderr)
        status = 1
    if results:
        results.sort(key=lambda result: result.seed)
        print(f"\nThe {options.deck} deck, {len(results)} tables from {options.seed} on, {options.faces} faces taught")
        print_total(results)
        print_by_condition(results)
        print_failures(results, options.deck)
    sys.exit(status)


if __name__ == "__main__":
    main()
