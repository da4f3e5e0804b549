"""How far apart what is true and what is false lie at the thresholds by which the reader decides.

Decks for building are taught and read as ``measure_decks`` does, and the reader is watched while it decides
(``tests.vision.reading.measuring.weighed``). Of each decision it says how low the worst true case came, how high the
best false one, and which share of either is on the wrong side; the histograms are drawn into one picture. Last it says
how often faces are right by what their probability is told by.

A threshold that is asked early lets more through than what is found in the end: others ask again behind it.

Run it as ``python -m tests.tools.measure_thresholds --decks 12-35 --tables 4 --kept FILE --diagram PNG``. What is in
the file is not read again unless the eye has changed.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import msgspec
import numpy as np

from companion.wiring.sheet import FAINT, INK, Sheet, rendered
from tests.tools.measure_decks import FIRST_FOR_MEASURING
from tests.vision.reading.measuring import weighed
from tests.vision.reading.measuring.deck_trials import DeckTrials, version_of_the_eye
from tests.vision.reading.measuring.kept import keep, kept_lines
from tests.vision.reading.measuring.shares import Share
from tests.vision.reading.measuring.teaching_session import tell
from tests.vision.reading.measuring.weighed import TrueTable, Weighed, watched
from tests.vision.reading.measuring.workers import work_through
from vision.reading import card_names, emmas_card, found_cards, place_search
from vision.reading.emma import emma_finder

_BINS: Final = 30
_ACROSS: Final = 3
_PANEL: Final = (420, 270)
_MARGIN: Final = 40
_TITLE: Final = 74
_TRUE, _FALSE = "#1f6fb2", "#c8452f"


class Decision(NamedTuple):
    """A threshold from which on something is taken to be true, and the values between which it is drawn."""

    what: str
    threshold: float
    low: float
    high: float


DECISIONS: Final = (
    Decision(weighed.EDGES, place_search.EDGES, 0.0, 1.0),
    Decision(weighed.PRINT, found_cards.LEAST_SURPRISE, 0.0, 40.0),
    Decision(weighed.EMMA, emma_finder.LEAST_CONFIDENCE, 0.0, 1.0),
    Decision(weighed.UNDER_EMMA, emmas_card._HERS, 0.0, 1.0),
    Decision(weighed.ODDS, card_names._CLEAR, 0.0, 20.0),
)
"""The most important ones, in the order in which they are decided."""


_RELATIONS: Final = {weighed.ODDS: (0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 20.0)}


class WeighedTable(msgspec.Struct, frozen=True):
    """All that was weighed while a table was read."""

    deck: int
    table: int
    eye: str
    weighed: list[Weighed]


class Parted(NamedTuple):
    """What a threshold makes of true and of false cases."""

    true: Sequence[float]
    false: Sequence[float]
    threshold: float

    @property
    def lost(self) -> Share:
        """The true cases below it."""
        return Share(sum(value < self.threshold for value in self.true), len(self.true))

    @property
    def let_in(self) -> Share:
        """The false cases from it on."""
        return Share(sum(value >= self.threshold for value in self.false), len(self.false))

    @property
    def worst_true(self) -> float:
        return min(self.true, default=math.nan)

    @property
    def best_false(self) -> float:
        return max(self.false, default=math.nan)


def parted(tables: Sequence[WeighedTable], decision: Decision) -> Parted:
    """The cases of one decision on all tables."""
    cases = [one for table in tables for one in table.weighed if one.decision == decision.what]
    true, false = ([one.value for one in cases if one.is_true is side] for side in (True, False))
    return Parted(sorted(true), sorted(false), decision.threshold)


def lines(tables: Sequence[WeighedTable]) -> Iterator[str]:
    """A line for each decision."""
    decks = len({table.deck for table in tables})
    yield f"What was weighed on {len(tables)} tables of {decks} decks: true cases below a threshold are lost,"
    yield "false ones from it on are let in (what the shares may be by chance)"
    yield f"  {'':34} from   worst true  lost{'':38}  best false  let in"
    for decision in DECISIONS:
        one = parted(tables, decision)
        lost, let_in = (str(share) if share.whole else "-" for share in (one.lost, one.let_in))
        worst, best = ("-" if math.isnan(value) else f"{value:.2f}" for value in (one.worst_true, one.best_false))
        yield f"  {decision.what:34} {decision.threshold:4.2f}   {worst:>10}  {lost:42}  {best:>10}  {let_in}"


def relations(tables: Sequence[WeighedTable]) -> Iterator[str]:
    """What a probability is told by, and how often the face was right."""
    for what, limits in _RELATIONS.items():
        cases = [one for table in tables for one in table.weighed if one.decision == what]
        yield f"{what}: how many are right"
        for low, high in pairwise((-math.inf, *limits, math.inf)):
            some = [one for one in cases if low <= one.value < high]
            if some:
                values = f"{np.median([one.value for one in some]):6.2f} median"
                yield f"  {low:5g} to {high:5g} {values}  {Share(sum(one.is_true for one in some), len(some))}"


def diagram(tables: Sequence[WeighedTable]) -> Sheet:
    """A panel for each decision: true cases upwards, false ones downwards, the threshold between them.

    Heights are by the logarithm: the few cases at the edge are what matters.
    """
    rows = -(-len(DECISIONS) // _ACROSS)
    sheet = Sheet(_MARGIN + _ACROSS * (_PANEL[0] + _MARGIN), _TITLE + rows * (_PANEL[1] + _MARGIN))
    decks = len({table.deck for table in tables})
    sheet.text(_MARGIN, 32, f"What the reader weighed on {len(tables)} tables of {decks} decks", size=18, bold=True)
    about = "true cases upwards, false ones downwards (each line ten times as many), the threshold dashed"
    sheet.text(_MARGIN, 56, about, size=13, fill=FAINT)
    for number, decision in enumerate(DECISIONS):
        panel = _panel(decision, parted(tables, decision))
        row, column = divmod(number, _ACROSS)
        sheet.place(panel, _TITLE + row * (_PANEL[1] + _MARGIN), _MARGIN + column * (_PANEL[0] + _MARGIN))
    return sheet


def _panel(decision: Decision, cases: Parted) -> Sheet:
    width, height = _PANEL
    sheet = Sheet(width, height)
    top, bottom = 46, height - 24
    middle = (top + bottom) / 2
    sides = [_counted(values, decision) for values in (cases.true, cases.false)]
    decades = max(1.0, *(math.log10(1 + int(side.max())) for side in sides))
    unit = (bottom - top) / 2 / decades
    sheet.text(0, 18, f"{decision.what}: from {decision.threshold:g}", size=15, bold=True)
    lost, let_in = cases.lost, cases.let_in
    counts = f"{lost.part} of {lost.whole} true lost, {let_in.part} of {let_in.whole} false let in"
    sheet.text(0, 38, counts, size=13, fill=FAINT)
    for decade in range(1, int(decades) + 1):
        for side in (-1, 1):
            y = middle + side * unit * decade
            sheet.path([(0, y), (width, y)], stroke="#e8eff5", line=1)
    wide = width / _BINS
    for side, colour, counted in zip((-1, 1), (_TRUE, _FALSE), sides, strict=True):
        for place, count in enumerate(counted):
            tall = unit * math.log10(1 + int(count))
            sheet.rectangle(place * wide, min(middle, middle + side * tall), wide - 1, tall, fill=colour)
    sheet.path([(0, middle), (width, middle)], stroke=INK, line=1)
    x = width * (decision.threshold - decision.low) / (decision.high - decision.low)
    sheet.path([(x, top), (x, bottom)], stroke=INK, line=1.5, dash="5 5")
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        value = decision.low + share * (decision.high - decision.low)
        anchor = "start" if share == 0 else "end" if share == 1 else "middle"
        sheet.text(share * width, height - 6, f"{value:g}", size=12, fill=FAINT, anchor=anchor)
    return sheet


def _counted(values: Sequence[float], decision: Decision) -> np.ndarray:
    """How many there are in each bin; what is beyond the ends is in the last ones."""
    inside = np.clip(values, decision.low, decision.high) if values else []
    return np.histogram(inside, _BINS, (decision.low, decision.high))[0]


def read_deck(deck: int, tables: Sequence[int], kept: Path) -> None:
    """Draws, teaches and reads one deck, keeping what was weighed on each table as soon as it is read."""
    cv2.setNumThreads(1)
    trials_of_deck = DeckTrials(deck)
    reader, finder = trials_of_deck.eye.reader, trials_of_deck.eye.finder
    ids = [face.id for face in reader.deck.faces]
    for number in tables:
        table = trials_of_deck.table(number)
        with watched() as seen:
            read = reader.read(table.picture)
        truth = TrueTable(table.truth)
        found = [*weighed.weighed(seen, truth, ids), weighed.without_emma(table.picture, read, truth, finder)]
        keep(WeighedTable(deck, number, version_of_the_eye(), found), kept)


def read_by_this_eye(options: argparse.Namespace, decks: Sequence[int]) -> list[WeighedTable]:
    """The tables that are kept, without those of other decks or of another version of the eye."""
    kept = kept_lines(options.kept, WeighedTable)
    wanted = [
        one for one in kept if one.eye == version_of_the_eye() and one.deck in decks and one.table < options.tables
    ]
    return list({(one.deck, one.table): one for one in wanted}.values())


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measures what the reader's thresholds part.")
    parser.add_argument("--decks", metavar="A-B", default="12-35", help="for building (default: %(default)s)")
    parser.add_argument("--tables", metavar="N", type=int, default=4, help="of each deck (default: %(default)s)")
    parser.add_argument("--kept", metavar="FILE", type=Path, required=True, help="what was weighed, a line a table")
    parser.add_argument("--diagram", metavar="FILE", type=Path, help="draw the histograms (PNG)")
    parser.add_argument("--processes", type=int, choices=(1, 2), default=1, help="(default: %(default)s)")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    first, _, last = options.decks.partition("-")
    decks = range(int(first), int(last or first) + 1)
    if decks[-1] >= FIRST_FOR_MEASURING:
        sys.exit(
            f"Thresholds are set on decks for building, and those from {FIRST_FOR_MEASURING} on are for measuring."
        )
    status = 0
    try:
        done = {(one.deck, one.table) for one in read_by_this_eye(options, decks)}
        left = {deck: [table for table in range(options.tables) if (deck, table) not in done] for deck in decks}
        tasks = {deck: (tables, options.kept) for deck, tables in left.items() if tables}
        tell(f"{sum(map(len, left.values()))} tables of {len(tasks)} decks to be read\n")
        work_through(tasks, read_deck, options.processes)
    except KeyboardInterrupt:
        print("\nStopped; so far:", file=sys.stderr)
        status = 130
    except RuntimeError as error:
        print(f"\n{error}\nSo far:", file=sys.stderr)
        status = 1
    tables = read_by_this_eye(options, decks)
    if tables:
        print(*lines(tables), *relations(tables), sep="\n")
        if options.diagram is not None:
            options.diagram.write_bytes(rendered(diagram(tables).svg(), zoom=2))
            print(f"The histograms: {options.diagram}")
    sys.exit(status)


if __name__ == "__main__":
    main()
