"""Figures of many tables together, as lines to be printed."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence

from tests.vision.reading.scores import Score
from tests.vision.reading.taught_eye import Result


def share(part: int, whole: int) -> str:
    return f"{part / whole:7.4f} ({part} of {whole})" if whole else "      -"


def sum_of(results: Sequence[Result]) -> Score:
    """The counts of several tables together, and all their corners."""
    counts = (sum(result.score[count] for result in results) for count in range(8))
    return Score(*counts, sorted(off for result in results for off in result.score.corners_mm), [], [])


def has_cards_right(result: Result) -> bool:
    """Whether all cards of a table were read rightly, wherever Emma was seen."""
    return all(wrong.startswith("Emma") for wrong in result.score.wrong)


def middle_and_most(values: Sequence[float]) -> tuple[float, float]:
    """The median, and what 95 % of the values are at most."""
    ordered = sorted(values)
    return statistics.median(ordered), ordered[len(ordered) * 95 // 100]


def of_all(results: Sequence[Result]) -> Iterator[str]:
    """All figures of all tables."""
    whole, count = sum_of(results), len(results)
    yield f"  tables right   {share(sum(not result.score.wrong for result in results), count)}"
    yield f"  right or asked {share(sum(result.score.is_right_or_asked for result in results), count)}"
    yield f"  tables asked   {share(sum(result.score.asked > 0 for result in results), count)}"
    yield f"  their cards    {share(sum(has_cards_right(result) for result in results), count)}"
    yield f"  recall         {share(whole.found, whole.need)}"
    yield f"  false cards    {whole.false:7}"
    yield f"  faces          {share(whole.faces, whole.matched)}"
    yield f"  upright        {share(whole.upright, whole.matched)}"
    yield f"  Emma           {share(whole.emmas_right, whole.emmas)}"
    for what, unit, values in (
        ("corners", "mm", whole.corners_mm),
        ("reading cards", "ms (CPU)", [result.cards_ms for result in results]),
        ("finding Emma", "ms (CPU)", [result.emma_ms for result in results]),
    ):
        if any(values):
            middle, most = middle_and_most(values)
            yield f"  {what:14} {middle:7.2f} median, {most:.2f} 95 %, {unit}"


def by_condition(results: Sequence[Result]) -> Iterator[str]:
    """The main figures for each band of each condition."""
    yield f"{'By condition':34} tables  right   cards  recall  false   faces    Emma"
    for key in results[0].about:
        for value in sorted({result.about[key] for result in results}, key=_in_order):
            some = [result for result in results if result.about[key] == value]
            right, part = sum(not result.score.wrong for result in some), sum_of(some)
            cards_right = sum(map(has_cards_right, some))
            shares = ((right, len(some)), (cards_right, len(some)), (part.found, part.need), (part.faces, part.matched))
            tables, cards, recall, faces = (f"{one / max(of, 1):.3f}" for one, of in shares)
            emma = f"{part.emmas_right / max(part.emmas, 1):.3f}"
            shown = f"{len(some):6}  {tables}   {cards}   {recall} {part.false:6}   {faces}   {emma}"
            yield f"  {key:16} {value:15} {shown}"


def _in_order(band: str) -> tuple[float, str]:
    """Bands by their numbers, names by their letters."""
    number = band.split(maxsplit=1)[0]
    return (float(number) if number[-1].isdigit() else -math.inf, band)
