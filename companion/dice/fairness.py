"""How fair a die falls: many throws counted, and a chi-square test of the counts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from companion.dice.box import Die, Source

THROWS_AT_A_TIME: Final = 10_000
LEAST_EXPECTED: Final = 5
"""So many throws of each face must be expected, or the chi-square test means nothing."""


RARE: Final = 0.01
UNFAIR: Final = 1e-6


class FaceCount(NamedTuple):
    """How often a face fell, how often it should, and how far that is off in standard deviations."""

    face: int
    times: int
    expected: float
    deviation: float


class Fairness(NamedTuple):
    """The counts of a die's faces and their chi-square test.

    ``p_value`` is the chance that a perfect die's counts are off as far as these or further.
    """

    die: Die
    throws: int
    faces: tuple[FaceCount, ...]
    chi_square: float
    degrees_of_freedom: int
    p_value: float


def count_throws(die: Die, throws: int, source: Source) -> Iterator[Counter[int]]:
    """Throws a die; yields the count of each face, some thousand throws at a time."""
    for done in range(0, throws, THROWS_AT_A_TIME):
        yield Counter(die.thrown(source) for _ in range(min(THROWS_AT_A_TIME, throws - done)))


def least_throws(die: Die) -> int:
    """So many throws the test needs."""
    rarest = min(Counter(die.faces).values())
    return -(-LEAST_EXPECTED * len(die.faces) // rarest)


def fairness(die: Die, counts: Counter[int]) -> Fairness:
    """The test of these counts; they must be those of at least ``least_throws`` throws."""
    throws, sides = counts.total(), Counter(die.faces)
    faces = []
    for face in sorted(sides):
        chance = sides[face] / len(die.faces)
        expected = throws * chance
        deviation = (counts[face] - expected) / math.sqrt(expected * (1 - chance)) if chance < 1 else 0.0
        faces.append(FaceCount(face, counts[face], expected, deviation))
    chi_square = math.fsum((face.times - face.expected) ** 2 / face.expected for face in faces)
    degrees = len(faces) - 1
    return Fairness(die, throws, tuple(faces), chi_square, degrees, chi_square_p(chi_square, degrees))


def verdict(p_value: float) -> str:
    """What such a chance means for the dice: they are ``fair``, off as fair ones are but ``rare``ly, or ``unfair``."""
    if p_value < UNFAIR:
        return "unfair"
    return "rare" if p_value < RARE else "fair"


def percent(p_value: float) -> str:
    """Such a chance as people read it."""
    return f"{100 * p_value:.2g}%" if p_value < RARE else f"{p_value:.0%}"


def chi_square_p(chi_square: float, degrees_of_freedom: int) -> float:
    """The chance of this chi-square or a larger one: the regularized incomplete gamma function Q(degrees/2, chi/2).

    Half the degrees is a whole or a half number. From Q(1, z) = exp(-z) or Q(1/2, z) = erfc(sqrt(z)) the recurrence
    Q(a + 1, z) = Q(a, z) + z^a exp(-z) / gamma(a + 1) leads to it, adding positive terms only (NIST Digital Library
    of Mathematical Functions, 8.4 and 8.8).
    """
    z = chi_square / 2
    if z <= 0 or degrees_of_freedom == 0:
        return 1.0
    a, p_value = (0.5, math.erfc(math.sqrt(z))) if degrees_of_freedom % 2 else (1.0, math.exp(-z))
    while a < degrees_of_freedom / 2:
        p_value += math.exp(a * math.log(z) - z - math.lgamma(a + 1))
        a += 1
    return min(p_value, 1.0)
