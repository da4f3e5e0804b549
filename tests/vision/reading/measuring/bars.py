"""The bars that the eye has to clear on decks and tables that it has never seen, and whether it does."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from tests.vision.reading.measuring.deck_trials import ALONE, STREAM, Trial
from tests.vision.reading.measuring.figures import middle_and_most, sum_of
from tests.vision.reading.measuring.shares import Share

_TABLES_BY_FALSE: Final = 500
"""On so many tables one card may be read where none lies."""
_WORST: Final = 10
"""Of so many decks one counts as one of the worst."""


class Bar(NamedTuple):
    """What is asked, what was measured, and whether that holds; None where nothing was measured."""

    what: str
    asked: str
    measured: str
    holds: bool | None


def bars(trials: Sequence[Trial]) -> list[Bar]:
    """All bars: those of single pictures by the tables that were read alone, one by those read in a stream."""
    alone = [trial for trial in trials if trial.how == ALONE]
    stream = [trial for trial in trials if trial.how == STREAM]
    whole = sum_of([trial.result for trial in alone])
    answered = [answer for trial in alone for answer in trial.result.score.answers if not answer.is_asked]
    wrong = sum(not answer.is_right for answer in answered)
    worst = [trial for deck in worst_decks(alone) for trial in alone if trial.deck == deck]
    middle, most = middle_and_most(whole.corners_mm) if whole.corners_mm else (math.nan, math.nan)
    return [
        _at_least("cards found", 0.995, Share(whole.found, whole.need)),
        _few_false(whole.false, len(alone)),
        _at_least("faces", 0.995, Share(whole.faces, whole.matched)),
        _at_least("upright", 0.999, Share(whole.upright, whole.matched)),
        _at_least("Emma", 0.99, Share(whole.emmas_right, whole.emmas)),
        _at_least("tables right or rightly asked", 0.98, right_or_asked(alone)),
        _at_most("tables that ask", 1 / 25, asking(alone)),
        _at_least("the same of the worst tenth of decks", 0.95, right_or_asked(worst)),
        _at_most("tables of those that ask", 1 / 10, asking(worst)),
        _at_least("right or rightly asked in a stream", 0.995, right_or_asked(stream)),
        _at_most_mm("corners, median", 0.5, middle),
        _at_most_mm("corners, 95 %", 1.5, most),
        _at_most("wrong where nobody is asked", 1 / 1000, Share(wrong, len(answered))),
    ]


def lines(trials: Sequence[Trial]) -> Iterator[str]:
    """The bars, each with whether it holds."""
    yield "The bars: what is asked, what was measured (what it may be by chance), and whether that holds"
    found = bars(trials)
    for bar in found:
        verdict = {True: "holds", False: "DOES NOT HOLD", None: "not measured"}[bar.holds]
        yield f"  {bar.what:38} {bar.asked:15} {bar.measured:42} {verdict}"
    yield f"  {sum(bar.holds is True for bar in found)} of {len(found)} hold"


def right_or_asked(trials: Sequence[Trial]) -> Share:
    """The tables on which nothing is wrong but what people put right when they are asked."""
    return Share(sum(trial.result.score.is_right_or_asked for trial in trials), len(trials))


def asking(trials: Sequence[Trial]) -> Share:
    """The tables on which people are asked about a card at least."""
    return Share(sum(trial.result.score.asked > 0 for trial in trials), len(trials))


def worst_decks(trials: Sequence[Trial]) -> list[int]:
    """The tenth of the decks (one at least) with the fewest tables right or rightly asked, the worst first.

    Of two that are equal the one that asks more is worse.
    """
    decks = sorted({trial.deck for trial in trials})

    def rightness(deck: int) -> tuple[float, float]:
        some = [trial for trial in trials if trial.deck == deck]
        return right_or_asked(some).value, -asking(some).value

    return sorted(decks, key=rightness)[: math.ceil(len(decks) / _WORST)]


def _few_false(false: int, tables: int) -> Bar:
    asked = f"1 in {_TABLES_BY_FALSE} tables"
    return Bar(
        "false cards", asked, f"{false} on {tables} tables", false * _TABLES_BY_FALSE <= tables if tables else None
    )


def _at_least(what: str, least: float, share: Share) -> Bar:
    return Bar(what, f"at least {least:g}", *_judged(share, holds=share.value >= least))


def _at_most(what: str, most: float, share: Share) -> Bar:
    return Bar(what, f"at most {most:g}", *_judged(share, holds=share.value <= most))


def _judged(share: Share, *, holds: bool) -> tuple[str, bool | None]:
    return (str(share), holds) if share.whole else ("-", None)


def _at_most_mm(what: str, most: float, off_mm: float) -> Bar:
    asked = f"at most {most:g} mm"
    return Bar(what, asked, "-", None) if math.isnan(off_mm) else Bar(what, asked, f"{off_mm:.3f} mm", off_mm <= most)
