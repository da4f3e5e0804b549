"""One deck tried: its faces taught by one camera, tables with it read that another one saw, as lines to be kept."""

from __future__ import annotations

import ast
import hashlib
import time
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

import cv2
import msgspec
import numpy as np

from tests.vision.random_decks.designer import random_style
from tests.vision.random_decks.random_deck import random_deck
from tests.vision.random_decks.random_emma import random_emma
from tests.vision.random_decks.style import Style
from tests.vision.reading.measuring.ideal_eye import ideal_score
from tests.vision.reading.measuring.rail_errors import RailError, rail_errors
from tests.vision.reading.measuring.teaching_session import Taught, taught_by_another_camera
from tests.vision.reading.scores import score_of
from tests.vision.reading.taught_eye import Eye, Result
from tests.vision.reading.unseen_tables import (
    Table,
    at_rest,
    band,
    photographed,
    renderer_of,
    session_of,
    stream_of,
    table_of,
)
from vision.arrays import Picture
from vision.reading.reader import CardReading
from vision.rendering import EmmaLook
from vision.watching.steady_view import SteadyView, Still, no_still

ALONE: Final = "alone"
STREAM: Final = "stream"
STILL: Final = "still"
AT_REST: Final = "at rest"
IDEAL: Final = "ideal"
_PICTURES_AT_REST: Final = 16
"""That is 1.6 seconds of a camera's."""
_STILL_TIMES: Final = 2
_TABLES: Final = 1000
"""That a deck has numbers for."""
_RUNS: Final = 15
_EYE: Final = Path(__file__).parents[4] / "vision"


class Trial(msgspec.Struct, frozen=True):
    """A table of a deck that was read: ``how`` from one picture alone, or at the end of a stream of them.

    With a STILL one four times as large was to be had of the same view, for what was not clear in the picture. AT_REST
    the camera has gone on taking pictures of the same table. IDEAL is what no eye could do better (``ideal_eye``).
    """

    deck: int
    table: int
    how: str
    result: Result
    rail_errors: list[RailError]
    yardstick_ms: float
    """What halving this very picture and comparing it with another one took: tells how fast the machine is."""
    sessions: int
    """In which the deck was taught."""
    not_taught: tuple[str, ...]
    taught_off_mm: tuple[float, ...] = ()
    """How far off the corners of each face were, as it was taught."""
    eye: str = ""
    """By which version of the eye it was read (``version_of_the_eye``)."""

    @property
    def look_ratio(self) -> float:
        """How many yardsticks the look at the (last) picture took."""
        return (self.result.cards_ms + self.result.emma_ms) / self.yardstick_ms

    @property
    def key(self) -> tuple[int, int, str]:
        return self.deck, self.table, self.how


class DeckTrials:
    """The tables of one deck, ready to be read."""

    def __init__(self, deck: int, *, is_taught: bool = True) -> None:
        """The deck of this number; unless it ``is_taught`` from photographs, the eye gets the faces as drawn."""
        self._deck = deck
        self._emma = random_emma(deck)
        self._pictures = random_deck(deck)
        self._about = about_style(random_style(deck), self._emma)
        as_drawn = Taught(dict(self._pictures.faces), 0, (), ())
        self._taught = taught_by_another_camera(self._pictures, deck) if is_taught else as_drawn
        self.eye = Eye(self._pictures, self._taught.faces)
        self._version = version_of_the_eye()

    def trials(self, wanted: Iterable[tuple[int, str]], show: Path | None = None) -> Iterator[Trial]:
        """Each wanted table read in the wanted way; what is wrong is drawn into the folder."""
        for table, how in wanted:
            ways = {
                ALONE: self._alone,
                STREAM: self._stream,
                STILL: self._with_still,
                AT_REST: self._at_rest,
                IDEAL: self._ideal,
            }
            yield ways[how](table, show)

    def table(self, number: int) -> Table:
        """The table of this number, alone."""
        return table_of(self._pictures, self._seed(number), emma=self._emma)

    def _seed(self, number: int) -> int:
        return self._deck * _TABLES + number

    def _alone(self, number: int, show: Path | None) -> Trial:
        seed, table = self._seed(number), self.table(number)
        yardstick = yardstick_ms(table.picture)
        look = self.eye.look(table.picture)
        score = score_of(table.truth, look.cards, look.emma)
        if show is not None and score.wrong:
            shown = self.eye.shown(table, look.cards, look.emma, score)
            cv2.imwrite(str(show / f"{self._deck:04}-{number:03}-{table.about['difficulty']}.jpg"), shown)
        result = Result(seed, {**table.about, **self._about}, score, look.cards_ms, look.emma_ms)
        return self._trial(number, ALONE, result, rail_errors(table.truth, look.cards, self._pictures.deck), yardstick)

    def _stream(self, number: int, _show: Path | None) -> Trial:
        """The last moments of a game seen one after the other; what counts is what is known after the last."""
        view = self._view()
        *before, table = stream_of(self._pictures, self._seed(number), self._emma)
        for earlier in before:
            view.look(earlier.picture)
        return self._looked(number, STREAM, table, view)

    def _at_rest(self, number: int, _show: Path | None) -> Trial:
        """What is known of a table at rest after the last of many pictures."""
        view = self._view()
        *before, table = at_rest(self._pictures, self._seed(number), _PICTURES_AT_REST, self._emma)
        for earlier in before:
            view.look(earlier.picture)
        return self._looked(number, AT_REST, table, view)

    def _with_still(self, number: int, _show: Path | None) -> Trial:
        """What is known after one picture, and a still if something is not clear in that."""
        table = self.table(number)
        first = self._view().look(table.picture)
        # Before the clock runs.
        still = self._still(number) if any(card.others for card in first.cards) else None
        return self._looked(number, STILL, table, self._view(), lambda: still)

    def _ideal(self, number: int, _show: Path | None) -> Trial:
        """What an eye would say that knows everything of the table but its faces; what it takes is not told."""
        # Where sleepers lie anew beside a break they tell of one that is hidden, to such an eye and to nobody else.
        pictures = random_deck(self._deck, keeps_track=True)
        score = ideal_score(pictures, self._seed(number), self._emma)
        about = {**self.table(number).about, **self._about}
        return self._trial(number, IDEAL, Result(self._seed(number), about, score, 0.0, 0.0), [], yardstick=1.0)

    def _still(self, number: int) -> Picture:
        """The table of this number, larger."""
        seed = self._seed(number)
        session = session_of(self._pictures, seed)
        camera, sensor = session.conditions.camera, session.conditions.sensor
        finer = session.conditions._replace(camera=camera.larger(_STILL_TIMES), sensor=sensor.finer(_STILL_TIMES))
        view, session = renderer_of(self._pictures, finer), session._replace(conditions=finer)
        return photographed(self._pictures, session, view, session.moments[-1], seed, self._emma).picture

    def _view(self) -> SteadyView:
        return SteadyView(self.eye.reader, self.eye.finder)

    def _looked(self, number: int, how: str, table: Table, view: SteadyView, still: Still = no_still) -> Trial:
        """What a view knows after its last look."""
        yardstick = yardstick_ms(table.picture)
        start = time.process_time()
        sight = view.look(table.picture, (), still)
        taken_ms = 1e3 * (time.process_time() - start)
        cards: list[CardReading] = list(sight.cards)
        score = score_of(table.truth, cards, sight.emma)
        result = Result(self._seed(number), {**table.about, **self._about}, score, taken_ms, emma_ms=0.0)
        return self._trial(number, how, result, rail_errors(table.truth, cards, self._pictures.deck), yardstick)

    def _trial(self, number: int, how: str, result: Result, errors: list[RailError], yardstick: float) -> Trial:
        taught = self._taught
        about_teaching = taught.sessions, taught.not_taught, taught.off_mm
        return Trial(self._deck, number, how, result, errors, yardstick, *about_teaching, self._version)


def about_style(style: Style, emma: EmmaLook) -> dict[str, str]:
    """A deck's style in the bands by which the figures are told apart."""
    track = style.track
    painted = "black" if max(emma.body) < 40 else "dark" if sum(emma.body) < 3 * 90 else "bright"
    return {
        "school": style.school,
        "ground": style.ground(1).kind,
        "numeral": style.numeral.script,
        "numeral, mm": band(min(mark.scale for mark in style.marks) * style.numeral.height_mm, (5, 7, 10, 15)),
        "marks": f"{len(style.marks)} on {style.shield}",
        "inks": "one ink" if len(set(style.inks)) == 1 else "several inks",
        "rails": f"{track.rails} {track.look}",
        "rails end": "short" if track.short_mm else "at the edge",
        "Emma": f"{painted} {emma.make}",
        "card, mm": " x ".join(f"{side:g}" for side in style.card_mm),
    }


@cache
def version_of_the_eye() -> str:
    """The same as long as nothing is changed in the eye but comments and docstrings."""
    seen = hashlib.sha256()
    for path in sorted(_EYE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            for body in (getattr(node, "body", None), getattr(node, "orelse", None)):
                if isinstance(body, list):
                    body[:] = [part for part in body if not _is_remark(part)]
        seen.update(f"{path.relative_to(_EYE)} {ast.dump(tree)}".encode())
    for path in sorted(_EYE.rglob("*.onnx")):
        seen.update(path.read_bytes())
    return seen.hexdigest()[:12]


def _is_remark(part: ast.AST) -> bool:
    return isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant) and isinstance(part.value.value, str)


def yardstick_ms(picture: Picture) -> float:
    """What halving a picture and comparing it with another takes, the median of some runs."""
    size = (picture.shape[1] // 2, picture.shape[0] // 2)
    other = np.zeros((size[1], size[0], 3), np.uint8)
    times = []
    for _ in range(_RUNS):
        start = time.process_time()
        cv2.absdiff(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), other)
        times.append(1e3 * (time.process_time() - start))
    return max(1e-3, float(np.median(times)))


def missing(deck: int, wanted: Iterable[tuple[int, str]], kept: Collection[Trial]) -> list[tuple[int, str]]:
    """The tables of a deck that have not been read yet."""
    done = {(trial.table, trial.how) for trial in kept if trial.deck == deck}
    return [one for one in wanted if one not in done]
