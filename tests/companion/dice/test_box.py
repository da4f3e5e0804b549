"""The dice box: what falls, what stays, and how evenly."""

import math
import random
from collections import Counter
from random import Random

import pytest

from companion.dice.box import KINDS, MOST_DICE, SYSTEM, DiceBox, DiceError, Die, Listed, parse_dice
from companion.dice.fairness import chi_square_p, count_throws, fairness, least_throws
from companion.games.loknroll.rules import load_edition

D6, D20, WHEEL = KINDS["d6"], KINDS["d20"], KINDS["wheel"]


def names(words: str) -> list[str]:
    return [die.name for die in parse_dice(words.split())]


@pytest.mark.rule("MAT3")
def test_wheel_dice_have_the_faces_of_the_game() -> None:
    assert sorted(WHEEL.faces) == sorted(load_edition("german").die) == [0, 0, 1, 1, 1, 1]


@pytest.mark.parametrize("name", ["d4", "d6", "d8", "d10", "d12", "d20", "percent"])
def test_each_number_is_on_one_side(name: str) -> None:
    sides = 100 if name == "percent" else int(name[1:])
    assert KINDS[name].faces == tuple(range(1, sides + 1))


def test_dice_of_mixed_kinds_fall_as_the_source_says() -> None:
    box = DiceBox([D6, D20, WHEEL, WHEEL], Listed([0, 19, 3, 4]))
    assert not box.faces
    rolled = box.roll()
    assert rolled == (1, 20, 1, 0)
    assert box.faces == rolled


def test_held_dice_stay_and_take_no_number() -> None:
    box = DiceBox([D6] * 3, Listed([0, 1, 2, 5, 4, 3, 3]))
    box.roll()
    box.hold(1)
    assert box.held == (False, True, False)
    assert box.roll() == (6, 2, 5)
    box.hold(1)
    box.hold(0)
    assert box.roll() == (6, 4, 4)
    assert [throw.faces for throw in box.history] == [(1, 2, 3), (6, 2, 5), (6, 4, 4)]
    assert [throw.held for throw in box.history] == [(False,) * 3, (False, True, False), (True, False, False)]


def test_all_dice_can_be_let_go_at_once() -> None:
    box = DiceBox([D6, D6], Listed([0, 0, 1, 1]))
    box.roll()
    box.hold(0)
    box.hold(1)
    with pytest.raises(DiceError, match="all-held"):
        box.roll()
    assert len(box.history) == 1
    box.release()
    assert box.roll() == (2, 2)


def test_what_cannot_be_held() -> None:
    box = DiceBox([D6], Listed([0]))
    with pytest.raises(DiceError, match="not-rolled"):
        box.hold(0)
    box.roll()
    for index in (-1, 1):
        with pytest.raises(DiceError, match="no-number"):
            box.hold(index)
    assert box.held == (False,)


def test_listed_numbers_fall_first_and_then_those_of_another_source() -> None:
    box = DiceBox(parse_dice(["2d6", "wheel"]), Listed([5, 0, 4], then=Listed([0] * 3)))
    assert box.roll() == (6, 1, 0)
    assert box.roll() == (1, 1, 1)


def test_a_list_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="at its end"):
        DiceBox([D6, D6], Listed([0])).roll()
    for number in (-1, 6):
        with pytest.raises(ValueError, match="0 to 5"):
            DiceBox([D6], Listed([number])).roll()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("3d6 2d20", ["d6"] * 3 + ["d20"] * 2),
        ("wheel 4", ["wheel"] * 4),
        ("4 wheels", ["wheel"] * 4),
        ("4wheel", ["wheel"] * 4),
        ("d6", ["d6"]),
        ("D8 d10", ["d8", "d10"]),
        ("2w6 w%", ["d6", "d6", "percent"]),
        ("d100 d% % percent", ["percent"] * 4),
        ("d6 2 3 d4", ["d6"] * 2 + ["d4"] * 3),
        ("100d6", ["d6"] * 100),
    ],
)
def test_dice_as_they_are_written(words: str, expected: list[str]) -> None:
    assert names(words) == expected


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("3d7", "no-such-die"),
        ("-3d6", "no-such-die"),
        ("d", "no-such-die"),
        ("²d6", "no-such-die"),
        ("d٦", "no-such-die"),
        ("9" * 5000, "no-such-die"),
        ("0d6", "bad-count"),
        ("d6 0", "bad-count"),
        ("101d6", "bad-count"),
        ("60d6 41d4", "bad-count"),
        ("999999999d6", "bad-count"),
        ("", "bad-count"),
        ("4", "no-kind"),
        ("3d6 2", "no-kind"),
        ("2 3d6", "two-counts"),
    ],
)
def test_dice_that_cannot_be_had(words: str, key: str) -> None:
    with pytest.raises(DiceError) as caught:
        parse_dice(words.split())
    assert caught.value.key == key


def test_a_box_is_neither_empty_nor_bottomless() -> None:
    for count in (0, MOST_DICE + 1):
        with pytest.raises(DiceError, match="bad-count"):
            DiceBox([D6] * count)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", KINDS)
def test_dice_fall_evenly_with_a_fixed_seed(name: str, seed: int) -> None:
    counts = sum(count_throws(KINDS[name], 20_000, Random(seed)), Counter())
    assert counts.total() == 20_000
    assert 1e-3 < fairness(KINDS[name], counts).p_value < 1 - 1e-3


def test_dice_of_a_box_fall_independently_also_of_held_ones() -> None:
    box, pairs = DiceBox([KINDS["d4"]] * 3, Random(11)), Counter[tuple[int, int]]()
    box.roll()
    box.hold(0)
    for _ in range(16_000):
        _, second, third = box.roll()
        pairs[second, third] += 1
    chi_square = sum((pairs[a, b] - 1000) ** 2 / 1000 for a in range(1, 5) for b in range(1, 5))
    assert 1e-3 < chi_square_p(chi_square, 15) < 1 - 1e-3


@pytest.mark.parametrize("name", KINDS)
def test_the_real_source_is_fair_and_reaches_every_side(name: str) -> None:
    die = KINDS[name]
    counts = sum(count_throws(die, 20_000, SYSTEM), Counter())
    assert counts.keys() == set(die.faces)
    assert fairness(die, counts).p_value > 1e-9


def test_a_box_left_to_itself_does_not_repeat() -> None:
    throws = set()
    for _ in range(2):
        random.seed(0)
        throws.add(DiceBox([D20] * 60).roll())
    assert len(throws) == 2


class Modulo:
    """The mistake that the box must not make: the remainder of a byte."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def randrange(self, stop: int, /) -> int:
        return self._random.randrange(256) % stop


def test_the_test_finds_the_bias_of_a_remainder() -> None:
    counts = sum(count_throws(KINDS["percent"], 50_000, Modulo(1)), Counter())
    assert fairness(KINDS["percent"], counts).p_value < 1e-9


def test_the_test_finds_a_loaded_die() -> None:
    loaded = Die("d6", (1, 2, 3, 4, 5, 6, 6))
    counts = sum(count_throws(loaded, 10_000, Random(1)), Counter())
    assert fairness(D6, counts).p_value < 1e-9


def test_counts_and_deviations_of_a_small_example() -> None:
    result = fairness(WHEEL, Counter({1: 45, 0: 15}))
    assert [(face.face, face.times, face.expected) for face in result.faces] == [(0, 15, 20.0), (1, 45, 40.0)]
    assert result.faces[0].deviation == pytest.approx(-5 / math.sqrt(60 * 2 / 9))
    assert result.chi_square == pytest.approx(25 / 20 + 25 / 40)
    assert result.degrees_of_freedom == 1
    # With one degree of freedom chi-square is the square of a normal deviate.
    assert result.p_value == pytest.approx(math.erfc(math.sqrt(1.875 / 2)))


@pytest.mark.parametrize(("name", "least"), [("wheel", 15), ("d6", 30), ("percent", 500)])
def test_how_many_throws_a_check_needs(name: str, least: int) -> None:
    assert least_throws(KINDS[name]) == least


@pytest.mark.parametrize(
    ("chi_square", "degrees", "p_value"),
    [  # the usual tables
        (3.841, 1, 0.05),
        (6.635, 1, 0.01),
        (5.991, 2, 0.05),
        (0.352, 3, 0.95),
        (11.070, 5, 0.05),
        (20.515, 5, 0.001),
        (36.191, 19, 0.01),
        (123.225, 99, 0.05),
        (77.046, 99, 0.95),
    ],
)
def test_p_values_as_in_the_tables(chi_square: float, degrees: int, p_value: float) -> None:
    assert chi_square_p(chi_square, degrees) == pytest.approx(p_value, rel=2e-3)


@pytest.mark.parametrize("degrees", [1, 2, 3, 7, 11, 19, 99])
def test_p_values_as_by_summing_up_the_density(degrees: int) -> None:
    def density(x: float) -> float:
        half = degrees / 2
        return math.exp((half - 1) * math.log(x) - x / 2 - half * math.log(2) - math.lgamma(half))

    low, step = 0.8 * degrees, 0.01
    tail = math.fsum(density(low + (number + 0.5) * step) * step for number in range(60_000))
    assert chi_square_p(low, degrees) == pytest.approx(tail, rel=1e-4)


@pytest.mark.parametrize("degrees", [1, 2, 5, 99])
def test_p_values_at_the_ends(degrees: int) -> None:
    assert chi_square_p(0.0, degrees) == 1.0
    assert chi_square_p(1e6, degrees) == 0.0
    assert chi_square_p(1e-9, degrees) <= 1.0
