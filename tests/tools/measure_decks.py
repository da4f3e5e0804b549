"""How well decks are read that nobody has ever seen: every deck of another style, every table another.

Each deck is drawn from its number (``tests.vision.random_decks``), its faces are taught from photographs of lone cards
by one camera, and moments of whole games with it are read that another camera saw on other tables in other light.

**Decks 0 to 499 are for building: look at them, think about them, improve with them. Decks from 1000 on are only for
measuring: do not look at their pictures, and draw no conclusions from a single one of them.** Only then do the figures
of the latter tell about the decks that people have.

Run it as ``python -m tests.tools.measure_decks --decks 1000-1059 --tables 20 --kept FILE``. What is in the file is not
read again: an interrupted run goes on from there, and more decks or tables can be added. What another version of the
eye has read is (comments do not make a version). ``--decks 0-11 --tables 4`` is quick enough for development, and with
``--faces drawn``, which is easier to read, it takes seconds a deck.

``--ideal`` says beside it what nobody could tell: how many tables even an eye has to ask about that knows all but the
faces, as Emma hides what would tell, or noise does.

At the end it says which of the bars hold (``bars``), and how often the eye is right where it says how probable that is
(``reliability``), as a diagram too if a file for that is given.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

import cv2

from companion.wiring.sheet import rendered
from tests.vision.reading.measuring import bars, reliability
from tests.vision.reading.measuring.bars import asking, right_or_asked, worst_decks
from tests.vision.reading.measuring.deck_trials import (
    ALONE,
    AT_REST,
    IDEAL,
    STILL,
    STREAM,
    DeckTrials,
    Trial,
    missing,
    version_of_the_eye,
)
from tests.vision.reading.measuring.figures import by_condition, has_cards_right, middle_and_most, of_all, sum_of
from tests.vision.reading.measuring.kept import keep, kept_lines
from tests.vision.reading.measuring.teaching_session import tell
from tests.vision.reading.measuring.workers import work_through

FIRST_FOR_MEASURING: Final = 1000
_BARS_MM: Final = (0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 2.0, 4.0)
_WIDEST_BAR: Final = 40
_WAYS: Final = {
    ALONE: "alone",
    STREAM: "in a stream",
    AT_REST: "at rest for a second and a half",
    STILL: "alone, with a still where something is not clear",
    IDEAL: "alone, by an eye that knows everything but the faces",
}


def read_deck(deck: int, wanted: Sequence[tuple[int, str]], options: argparse.Namespace) -> None:
    """Draws, teaches and reads one deck, keeping each table as soon as it is read."""
    cv2.setNumThreads(1)
    for trial in DeckTrials(deck, is_taught=options.faces == "photographed").trials(wanted, options.show):
        keep(trial, options.kept)


def read_all(options: argparse.Namespace, decks: Sequence[int], ways: Sequence[str]) -> None:
    """Reads all that is not kept yet; raises RuntimeError where the program fails at a deck."""
    kept = read_by_this_eye(options)
    wanted = [(table, how) for how in ways for table in range(options.tables)]
    tasks = {deck: left for deck in decks if (left := missing(deck, wanted, kept))}
    tell(f"{sum(map(len, tasks.values()))} tables of {len(tasks)} decks to be read\n")
    work_through({deck: (left, options) for deck, left in tasks.items()}, read_deck, options.processes)


def read_by_this_eye(options: argparse.Namespace) -> list[Trial]:
    """The trials that are kept, without those of another version of the eye, or of one that was taught otherwise."""
    is_taught = options.faces == "photographed"
    kept = [trial for trial in kept_lines(options.kept, Trial) if trial.eye == version_of_the_eye()]
    return list({trial.key: trial for trial in kept if is_taught == (trial.sessions > 0)}.values())


def figures(trials: Sequence[Trial]) -> Iterator[str]:
    """Everything about the tables that were read in one way."""
    results = [trial.result for trial in trials]
    yield from by_deck(trials)
    yield "All decks"
    yield from of_all(results)
    middle, most = middle_and_most([trial.look_ratio for trial in trials])
    if most:
        yield f"  a look         {middle:7.1f} median, {most:.1f} 95 %, times halving and comparing a picture"
    yield from histogram(trials)
    yield from by_condition(results)
    yield from worst_tenth(trials)


def by_deck(trials: Sequence[Trial]) -> Iterator[str]:
    """A line for each deck: ``cards`` is the share of tables on which all cards are right, wherever Emma was seen.

    ``taught`` is how far off (mm) the corners of a face were as it was taught, in how many sessions that was, and how
    many faces could not be taught at all.
    """
    yield (
        "  deck tables  right  or asked  asks  cards  recall  false   faces upright    Emma  corners, mm      look"
        "  taught        style"
    )
    for deck in sorted({trial.deck for trial in trials}):
        some = [trial for trial in trials if trial.deck == deck]
        results = [trial.result for trial in some]
        whole, about = sum_of(results), results[0].about
        right = sum(not result.score.wrong for result in results) / len(results)
        or_asked = sum(result.score.is_right_or_asked for result in results) / len(results)
        asks = sum(result.score.asked > 0 for result in results) / len(results)
        cards = sum(map(has_cards_right, results)) / len(results)
        shares = (
            (whole.found, whole.need),
            (whole.faces, whole.matched),
            (whole.upright, whole.matched),
            (whole.emmas_right, whole.emmas),
        )
        recall, faces, upright, emma = (f"{one / of:7.3f}" if of else "      -" for one, of in shares)
        middle, most = middle_and_most(whole.corners_mm) if whole.corners_mm else (math.nan, math.nan)
        look = statistics.median(trial.look_ratio for trial in some)
        off = statistics.median(some[0].taught_off_mm) if some[0].taught_off_mm else math.nan
        taught = f"{off:.2f} {some[0].sessions}x" + (f" -{len(some[0].not_taught)}" if some[0].not_taught else "")
        style = f"{about['school']}: {about['ground']}, {about['numeral']} {about['numeral, mm']} mm, {about['inks']}"
        yield (
            f"  {deck:4} {len(some):6} {right:6.2f} {or_asked:9.2f} {asks:5.2f} {cards:6.2f} {recall} {whole.false:6}"
            f" {faces} {upright} {emma}"
            f"  {middle:5.2f} {most:5.2f} {look:9.1f}  {taught:12}  {style}"
        )


def histogram(trials: Sequence[Trial]) -> Iterator[str]:
    """How far cards are off along their rails, and across."""
    errors = [error for trial in trials for error in trial.rail_errors]
    if not errors:
        return
    yield f"  How far the middles of {len(errors)} cards are off, mm:   along the rails / across"
    limits = (0.0, *_BARS_MM, math.inf)
    for low, high in pairwise(limits):
        counts = (sum(low <= abs(error[axis]) < high for error in errors) for axis in (0, 1))
        along, across = (round(_WIDEST_BAR * count / len(errors)) * "#" for count in counts)
        yield f"    {low:3g} to {high:3g}  {along:{_WIDEST_BAR}}  {across}"
    for axis, name in enumerate(("along", "across")):
        middle, most = middle_and_most([abs(error[axis]) for error in errors])
        shift = statistics.mean(error[axis] for error in errors)
        yield f"    {name:6} {middle:.2f} median, {most:.2f} 95 %, {shift:+.2f} on average"


def worst_tenth(trials: Sequence[Trial]) -> Iterator[str]:
    """The decks with the fewest tables right or rightly asked, and what is wrong with them."""
    worst = worst_decks(trials)
    some = [trial for trial in trials if trial.deck in worst]
    right = sum(not trial.result.score.wrong for trial in some) / len(some)
    or_asked, asks = right_or_asked(some).value, asking(some).value
    yield (
        f"The worst tenth: {len(worst)} decks with {right:.3f} of their tables right, {or_asked:.3f} right or rightly"
        f" asked, and {asks:.3f} that ask"
    )
    for deck in worst:
        if deck >= FIRST_FOR_MEASURING:
            yield f"  {deck}: what is wrong is not shown of decks for measuring"
            continue
        for trial in trials:
            if trial.deck == deck and trial.result.score.wrong:
                about = trial.result.about
                why = f"{about['difficulty']} {about['tabletop']}"
                yield f"  {deck} table {trial.table}, {why}: {', '.join(trial.result.score.wrong)}"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measures how well random decks are read on random tables.")
    parser.add_argument("--decks", metavar="A-B", default="0-11", help="their numbers (default: %(default)s)")
    parser.add_argument("--tables", metavar="N", type=int, default=4, help="of each deck (default: %(default)s)")
    parser.add_argument("--stream", action="store_true", help="also as the end of a stream of pictures")
    parser.add_argument("--at-rest", action="store_true", help="also in many pictures of the same table")
    parser.add_argument("--stills", action="store_true", help="also with a still where something is not clear")
    parser.add_argument("--ideal", action="store_true", help="also what nobody could tell (three seconds a table)")
    parser.add_argument("--kept", metavar="FILE", type=Path, required=True, help="what has been read, a line a table")
    parser.add_argument("--faces", choices=("photographed", "drawn"), default="photographed", help="what is taught")
    parser.add_argument("--diagram", metavar="FILE", type=Path, help="draw how reliable the probabilities are (PNG)")
    parser.add_argument("--processes", type=int, choices=(1, 2), default=1, help="(default: %(default)s)")
    parser.add_argument(
        "--show", metavar="DIR", type=Path, help="write tables of decks for building that are not right"
    )
    return parser.parse_args()


def main() -> None:
    options = arguments()
    first, _, last = options.decks.partition("-")
    decks = range(int(first), int(last or first) + 1)
    if options.show is not None:
        if decks[-1] >= FIRST_FOR_MEASURING:
            sys.exit(f"Decks from {FIRST_FOR_MEASURING} on are only for measuring: none of their pictures is shown.")
        options.show.mkdir(parents=True, exist_ok=True)
    ways = [ALONE] + [STREAM] * options.stream + [AT_REST] * options.at_rest + [STILL] * options.stills
    ways += [IDEAL] * options.ideal
    status = 0
    try:
        read_all(options, decks, ways)
    except KeyboardInterrupt:
        print("\nStopped; so far:", file=sys.stderr)
        status = 130
    except RuntimeError as error:
        print(f"\n{error}\nSo far:", file=sys.stderr)
        status = 1
    trials = [
        trial
        for trial in read_by_this_eye(options)
        if trial.deck in decks and trial.table < options.tables and trial.how in ways
    ]
    report(trials, options)
    sys.exit(status)


def report(trials: Sequence[Trial], options: argparse.Namespace) -> None:
    """Prints all figures, and draws the diagram; the bars come last."""
    for how, way in _WAYS.items():
        some = [trial for trial in trials if trial.how == how]
        if some:
            print(f"\nDecks {options.decks}, {len(some)} tables, {options.faces} faces taught, each read {way}")
            print(*figures(some), sep="\n")
    answers = [answer for trial in trials if trial.how == ALONE for answer in trial.result.score.answers]
    print("", *reliability.lines(answers), "", *bars.lines(trials), sep="\n")
    if options.diagram is not None and answers:
        tables = sum(trial.how == ALONE for trial in trials)
        title = f"{len(answers)} cards on {tables} tables of decks {options.decks}"
        options.diagram.write_bytes(rendered(reliability.diagram(answers, title).svg(), zoom=2))
        print(f"How reliable the probabilities are: {options.diagram}")


if __name__ == "__main__":
    main()
