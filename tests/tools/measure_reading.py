"""How well tables are read that were never seen before, each picture alone; run it with `python -P`.

Renders moments of whole games in every mode, each on another table, under another lamp and by another camera, reads
them, and compares with the truth. The faces are taught from photographs of lone cards, as at a real table. A card is
found where a reading lies within a quarter of its diagonal; one that is seen by less than 60 % need not be.
"""

from __future__ import annotations

import argparse
import math
import os
import signal
import statistics
import sys
import time
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.loknroll.artwork.drawn_deck import drawn_deck
from companion.games.loknroll.robot.pictured_games import pictured_game
from companion.games.loknroll.rules import Mode, load_edition, set_up
from vision.cards import Pose
from vision.deck_pictures import DeckPictures
from vision.reading.emma import EmmaFinder, EmmaSighting
from vision.reading.reader import CardReading, Reader
from vision.rendering import LyingCard, Renderer, Scene
from vision.rendering.conditions import Conditions, Difficulty, draw_conditions
from vision.rendering.places import TABLE_MM
from vision.rendering.truth import picture_truth
from vision.report.joints import railway_order
from vision.report.overlay import overlay
from vision.teaching.common_table import CommonTable
from vision.teaching.lone_card import CardNotFound, find_lone_card
from vision.teaching.taught_faces import cut_out

DIFFICULTIES: Final[tuple[Difficulty, ...]] = ("easy", "normal", "hard")
MODES: Final = tuple(Mode)
PEOPLE: Final = ("Ann", "Ben", "Cleo", "Dan")
NEEDED: Final = 0.6  # the visible share from which a card has to be found
_MISSED: Final = (0, 220, 255)

Picture = NDArray[np.uint8]


class Table(NamedTuple):
    picture: Picture
    truth: dict[str, Any]
    about: dict[str, str]


class Score(NamedTuple):
    """How one table was read: counts, the corners' distances in mm, what is wrong, and the truth's cards that are."""

    need: int
    found: int
    matched: int
    false: int
    faces: int
    upright: int
    emmas: int
    emmas_right: int
    corners_mm: list[float]
    wrong: list[str]
    misjudged: list[int]


class Result(NamedTuple):
    seed: int
    about: dict[str, str]
    score: Score
    cards_ms: float
    emma_ms: float


tell: Final = partial(print, end=" ", file=sys.stderr, flush=True)


def deck_of(name: str) -> DeckPictures:
    """The deck ``own`` or ``second``."""
    if name == "own":
        return drawn_deck(load_edition().deck)
    sys.path.append(str(Path(__file__).parents[2]))
    from tests.tools.second_deck import blueprint_deck

    return blueprint_deck()


def table_of(pictures: DeckPictures, seed: int, difficulty: Difficulty | None = None) -> Table:
    """The table of this number; without a difficulty each third one is easy, normal or hard."""
    random = Random(f"table {seed}")
    mode = random.choice(MODES)
    start = set_up(load_edition(), pictures.deck, mode, PEOPLE[: mode.persons], rails=True)
    # Most railways stay short, and long ones are harder to read.
    moments = [moment for _ in range(3) for moment in pictured_game(start, random).moments]
    (moment,) = random.choices(moments, [len(moment.scene.cards) ** 3 for moment in moments])
    conditions = draw_conditions(difficulty or DIFFICULTIES[seed % len(DIFFICULTIES)], random)
    scene = Scene(moment.scene.cards, moment.scene.emma, (), conditions.clutter)
    view = renderer_of(pictures, conditions)
    photograph = view.photograph(scene, conditions.light, conditions.sensor, seed)
    picture = cv2.imdecode(np.frombuffer(photograph.jpeg(conditions.sensor), np.uint8), cv2.IMREAD_COLOR)
    truth = {**picture_truth(view, pictures.deck, scene, photograph.visible), "card_mm": pictures.deck.card_mm}
    about = {"mode": mode.value, "moment": moment.why, **about_conditions(conditions)}
    return Table(picture, truth, {**about, "cards": band(len(scene.cards), (5, 7, 10))})


def renderer_of(pictures: DeckPictures, conditions: Conditions) -> Renderer:
    camera, tabletop = conditions.camera, conditions.tabletop
    return Renderer(camera, tabletop, pictures.faces, pictures.back, pictures.deck.card_mm)


def about_conditions(conditions: Conditions) -> dict[str, str]:
    """The conditions in the bands by which the figures are told apart."""
    camera, light, sensor = conditions.camera, conditions.light, conditions.sensor
    tilt_deg = math.degrees(math.acos(camera.rotation[2][2]))
    middle = camera.project([(TABLE_MM[0] / 2 - 50, TABLE_MM[1] / 2, 0), (TABLE_MM[0] / 2 + 50, TABLE_MM[1] / 2, 0)])
    return {
        "difficulty": conditions.difficulty,
        "tabletop": conditions.tabletop.kind,
        "tilt, degrees": band(tilt_deg, (4, 10, 15, 20)),
        "way up": "turned" if middle[0][0] > middle[1][0] else "upright",
        "px per mm": band(float(np.linalg.norm(middle[1] - middle[0])) / 100, (1.4, 1.6)),
        "distortion k1": band(camera.distortion[0], (-0.08, -0.03, 0.0)),
        "brightness": band(light.brightness, (0.2, 0.35, 0.7, 0.95)),
        "glare": band(light.glare, (0.05, 0.15, 0.3)),
        "warmth": band(light.warmth, (0.0, 0.4)),
        "noise": band(sensor.noise, (0.008, 0.022, 0.05)),
        "blur, px": band(sensor.blur_px, (0.6, 0.9)),
    }


def band(value: float, limits: Sequence[float]) -> str:
    """Between which two limits a value lies."""
    place = bisect_right(limits, value)
    if place == len(limits):
        return f"{limits[-1]:g} and more"
    return f"{limits[place - 1]:g} to {limits[place]:g}" if place else f"below {limits[0]:g}"


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


def score_of(truth: Mapping[str, Any], read: Sequence[CardReading], emma: EmmaSighting | None) -> Score:
    """Compares what was read with the truth."""
    cards = truth["cards"]
    corners = [np.array(card["corners_px"]) for card in cards]
    pairs = paired(corners, read)
    false = [reading.face for index, reading in enumerate(read) if index not in pairs.values()]
    need = [index for index, card in enumerate(cards) if card["visible"] >= NEEDED]
    misread = [index for index, match in pairs.items() if read[match].face != cards[index]["face"]]
    off = {index: turn_and_distance(corners[index], read[match]) for index, match in pairs.items()}
    turned = [index for index, (turn, _) in off.items() if turn != 0]
    missed = [index for index in need if index not in pairs]
    emma_right = emma is None if truth["emma"] is None else emma_is_right(truth, emma)
    wrong = [f"missed {cards[index]['face']}" for index in missed]
    wrong += [f"{cards[index]['face']} read as {read[pairs[index]].face}" for index in misread]
    wrong += [f"{cards[index]['face']} read the wrong way round" for index in turned]
    wrong += [f"false {face}" for face in false]
    wrong += [] if emma_right else ["Emma not seen" if emma is None else "Emma elsewhere"]
    return Score(
        need=len(need),
        found=len(need) - len(missed),
        matched=len(pairs),
        false=len(false),
        faces=len(pairs) - len(misread),
        upright=len(pairs) - len(turned),
        emmas=truth["emma"] is not None,
        emmas_right=truth["emma"] is not None and emma_right,
        corners_mm=[distance / px_per_mm(truth, index) for index, (_, distance) in off.items()],
        wrong=wrong,
        misjudged=[*missed, *misread, *turned],
    )


def paired(corners: Sequence[NDArray[np.float64]], read: Sequence[CardReading]) -> dict[int, int]:
    """Which reading is of which card: the nearest ones first, none farther off than a quarter of the diagonal."""
    distances = sorted(
        (float(np.linalg.norm(card.mean(axis=0) - reading.corners_px.mean(axis=0))), index, match)
        for index, card in enumerate(corners)
        for match, reading in enumerate(read)
    )
    pairs: dict[int, int] = {}
    for distance, index, match in distances:
        reach = np.linalg.norm(corners[index][2] - corners[index][0]) / 4
        if distance < reach and index not in pairs and match not in pairs.values():
            pairs[index] = match
    return pairs


def turn_and_distance(corners: NDArray[np.float64], reading: CardReading) -> tuple[int, float]:
    """By how many quarter turns a reading is turned, 0 being right, and how far off its corners are then, in px."""
    turns = (np.roll(reading.corners_px, -turn, axis=0) for turn in range(4))
    distances = [float(np.sqrt(((turn - corners) ** 2).sum(axis=1).mean())) for turn in turns]
    return distances.index(min(distances)), min(distances)


def px_per_mm(truth: Mapping[str, Any], index: int) -> float:
    """Along a card's left side."""
    return float(np.linalg.norm(np.subtract(*truth["cards"][index]["corners_px"][::3]))) / truth["card_mm"][1]


def emma_is_right(truth: Mapping[str, Any], emma: EmmaSighting | None) -> bool:
    serial = truth["emma"]["serial"]
    home = next(card for card in truth["cards"] if card["serial"] == serial and not card["show"])
    if emma is None:
        return False
    x, y = (float(part) for part in emma.foot_px)
    return cv2.pointPolygonTest(np.array(home["corners_px"], np.float32), (x, y), measureDist=False) >= 0


class Eye:
    """All that reads a table, taught one deck."""

    def __init__(self, pictures: DeckPictures, taught: Mapping[str, Picture]) -> None:
        self.pictures = pictures
        self.reader = Reader(pictures.deck, taught, pictures.back)
        self.finder = EmmaFinder(taught, pictures.deck.card_mm)

    def result(self, seed: int, difficulty: Difficulty | None = None, show: Path | None = None) -> Result:
        """Renders a table, reads it and compares; writes what was read wrongly into the folder."""
        table = table_of(self.pictures, seed, difficulty)
        start = time.process_time()
        read = self.reader.read(table.picture)
        looking = time.process_time()
        emma = self.finder.find(table.picture, read)
        done = time.process_time()
        score = score_of(table.truth, read, emma)
        if show is not None and score.wrong:
            shown = self._shown(table, read, emma, score)
            cv2.imwrite(str(show / f"{self.pictures.deck.name}-{seed:04}-{table.about['difficulty']}.jpg"), shown)
        return Result(seed, table.about, score, 1e3 * (looking - start), 1e3 * (done - looking))

    def _shown(self, table: Table, read: Sequence[CardReading], emma: EmmaSighting | None, score: Score) -> Picture:
        """The picture with what was read; what is wrong is written at the top and outlined in yellow."""
        railway = railway_order(read, self.pictures.deck, None if emma is None else emma.card)
        drawn = overlay(table.picture, read, railway, emma)
        for index in score.misjudged:
            card = table.truth["cards"][index]
            corners = np.array(card["corners_px"]).round().astype(np.int32)
            cv2.polylines(drawn, [corners], True, _MISSED, 3, cv2.LINE_AA)  # noqa: FBT003
            cv2.putText(drawn, card["face"], corners[3].tolist(), cv2.FONT_HERSHEY_SIMPLEX, 0.6, _MISSED, 2)
        about = [f"{key} {value}" for key, value in table.about.items()]
        lines = [", ".join(about[:7]), ", ".join(about[7:]), *score.wrong]
        for number, line in enumerate(lines):
            for colour, width in (((0, 0, 0), 4), ((255, 255, 255), 1)):
                cv2.putText(drawn, line, (8, 20 + 22 * number), cv2.FONT_HERSHEY_SIMPLEX, 0.5, colour, width)
        return drawn


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
