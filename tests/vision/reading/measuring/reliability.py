"""Whether the eye is right as often as it says: cards by how probable it called their faces, and how many are right."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from companion.wiring.sheet import FAINT, INK, Sheet
from tests.vision.reading.measuring.shares import Share
from tests.vision.reading.scores import Answer

_LIMITS: Final = (0.0, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1.0)
_MARKS: Final = _LIMITS[1:-1]
_ENDS: Final = (0.2, 0.9999)
"""From where to where the diagram reaches; what is beyond is drawn at its end."""
_SIZE: Final = (760, 620)
_LEFT, _RIGHT, _TOP, _BOTTOM = 80, 30, 100, 95
_BLUE: Final = "#1f6fb2"
_GRID: Final = "#e8eff5"


class Bin(NamedTuple):
    """The cards whose probability is from ``low`` to less than ``high`` (1 included), and ``said`` on average."""

    low: float
    high: float
    said: float
    right: Share

    @property
    def is_as_said(self) -> bool:
        """Whether what was said is within what may be by chance."""
        low, high = self.right.interval
        return low <= self.said <= high


def bins(answers: Sequence[Answer]) -> list[Bin]:
    """Those in which there are cards, the least probable first."""
    found = []
    for low, high in pairwise(_LIMITS):
        some = [one for one in answers if low <= one.probability < high or one.probability == high == 1]
        if some:
            said = statistics.mean(one.probability for one in some)
            found.append(Bin(low, high, said, Share(sum(one.is_right for one in some), len(some))))
    return found


def lines(answers: Sequence[Answer]) -> Iterator[str]:
    """The bins, a line each."""
    yield f"How often {len(answers)} cards are right, by how probable the eye calls their faces"
    yield "  probability       cards    said   right (what it may be by chance)"
    for one in bins(answers):
        verdict = "" if one.is_as_said else "   too sure" if one.said > one.right.value else "   not sure enough"
        yield f"  {one.low:5g} to {one.high:<5g} {one.right.whole:8}  {one.said:.4f}  {one.right}{verdict}"


def diagram(answers: Sequence[Answer], title: str) -> Sheet:
    """How many are right (upwards) of those called so probable (rightwards), both by the logarithm of the odds.

    Each point is a bin, its line what the share may be by chance. On the dashed line the eye is right as often as it
    says; below it, it is too sure.
    """
    sheet = Sheet(*_SIZE)
    right, bottom = _SIZE[0] - _RIGHT, _SIZE[1] - _BOTTOM
    sheet.text(_LEFT, 32, title, size=18, bold=True)
    about = "The share of cards that is right (what it may be by chance), by how probable the eye calls their faces."
    sheet.text(_LEFT, 56, about, size=13, fill=FAINT)
    sheet.text(
        _LEFT, 74, "On the dashed line it is right as often as it says; below it, it is too sure.", size=13, fill=FAINT
    )
    for mark in _MARKS:
        x, y = _across(mark), _up(mark)
        sheet.path([(x, _TOP), (x, bottom)], stroke=_GRID, line=1.5)
        sheet.path([(_LEFT, y), (right, y)], stroke=_GRID, line=1.5)
        sheet.text(x, bottom + 20, f"{mark:g}", size=13, anchor="middle")
        sheet.text(_LEFT - 10, y + 5, f"{mark:g}", size=13, anchor="end")
    sheet.text(_LEFT - 10, _TOP + 5, "all", size=13, anchor="end")
    sheet.path([(_across(end), _up(end)) for end in _ENDS], stroke=FAINT, dash="6 6")
    sheet.rectangle(_LEFT, _TOP, right - _LEFT, bottom - _TOP, stroke=INK, line=1.5)
    for line, word in enumerate(("cards", "wrong")):
        sheet.text(_LEFT - 10, bottom + 50 + 22 * line, word, size=13, anchor="end", fill=_BLUE)
    for one in bins(answers):
        x = _across(one.said)
        low, high = one.right.interval
        sheet.path([(x, _up(low)), (x, _up(high))], stroke=_BLUE, line=3)
        sheet.circle(x, _up(one.right.value), 6, fill=_BLUE)
        middle = (_across(one.low) + _across(one.high)) / 2
        for line, count in enumerate((one.right.whole, one.right.whole - one.right.part)):
            sheet.text(middle, bottom + 50 + 22 * line, str(count), size=13, anchor="middle", fill=_BLUE)
    return sheet


def _across(probability: float) -> float:
    return _LEFT + _along(probability) * (_SIZE[0] - _LEFT - _RIGHT)


def _up(probability: float) -> float:
    return _SIZE[1] - _BOTTOM - _along(probability) * (_SIZE[1] - _BOTTOM - _TOP)


def _along(probability: float) -> float:
    """From 0 to 1: how far along an axis a probability lies."""
    low, high = (_log_odds(end) for end in _ENDS)
    return (_log_odds(min(max(probability, _ENDS[0]), _ENDS[1])) - low) / (high - low)


def _log_odds(probability: float) -> float:
    return math.log(probability / (1 - probability))
