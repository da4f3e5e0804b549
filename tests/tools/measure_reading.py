"""How well tables are read that were never seen before, each picture alone.

Renders moments of whole games in every mode, each on another table, under another lamp and by another camera, reads
them, and compares with the truth. The faces are taught from photographs of lone cards, as at a real table.
Run it as ``python -m tests.tools.measure_reading``.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

import cv2

from companion.games.loknroll.artwork.drawn_deck import drawn_deck
from companion.games.loknroll.rules import load_edition
from tests.vision.reading.measuring.figures import by_condition, of_all
from tests.vision.reading.measuring.teaching_session import taught_faces, tell
from tests.vision.reading.taught_eye import Eye, Result
from tests.vision.reading.unseen_tables import DIFFICULTIES
from tests.vision.second_deck import blueprint_deck
from vision.arrays import Picture
from vision.deck_pictures import DeckPictures
from vision.rendering.conditions import Difficulty


def deck_of(name: str) -> DeckPictures:
    """The deck ``own`` or ``second``."""
    if name == "own":
        return drawn_deck(load_edition().deck)
    return blueprint_deck()


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
        print(*of_all(results), *by_condition(results), sep="\n")
        print_failures(results, options.deck)
    sys.exit(status)


if __name__ == "__main__":
    main()
